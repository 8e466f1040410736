// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// ErrOrder is the cause of an [Error] of [Redactor.WritePlan] if a reader that
// cannot be read twice holds a plan whose configuration comes before the values
// that tell what is sensitive in it. The tools write it after them, but a
// program that sorts the members does not.
var ErrOrder = errors.New("the configuration comes before the values, which needs an io.ReadSeeker")

// WritePlan copies the plan that src holds to w with its secrets replaced, and
// returns the number of values replaced. Memory grows with the largest resource
// and with the configuration, not with the plan.
//
// Variables stand at the beginning of a plan, and what is known of them at its
// end. If src is an [io.ReadSeeker], it is read twice, and the result is that of
// [Redactor.Plan], but for the order of members whose names have known secrets.
// Otherwise it is read once: the values of all variables are
// replaced; a value that becomes sensitive by the plan is replaced in the
// changes and what follows them, but not in the drift, which stands before;
// and what follows the configuration is held back.
//
// On errors, part of the text has been written. What has been written has no
// secrets, but is not a document. An error of src or w is returned as it is,
// any other is an [*Error] with its place in the stream.
func (r Redactor) WritePlan(w io.Writer, src io.Reader) (int, error) {
	d := r.run()
	d.decoded, d.partial = true, true
	if s, ok := src.(io.ReadSeeker); ok {
		if start, err := s.Seek(0, io.SeekCurrent); err == nil {
			if err := d.look(s); err != nil {
				return 0, err
			}
			if _, err := s.Seek(start, io.SeekStart); err != nil {
				return 0, err
			}
			d.partial = false
		}
	}
	c := newCopier(w, src)
	var late *Config // comes when all of the document is known
	change := func(rc *ResourceChange) {
		if d.partial {
			d.flows.change(rc)
		}
		d.resourceChange(rc)
	}
	err := c.document(d, map[string]func() error{
		"variables": c.each(d, func(name string) error {
			return copyElement(c, d, (*Variable).wire, func(v *Variable) { d.variable(name, v) })
		}),
		"planned_values": c.before(&late, c.values(d, false)),
		"resource_drift": c.before(&late, c.list(func() error {
			return copyNext(c, d, (*ResourceChange).wire, func(rc *ResourceChange) {
				if d.partial {
					d.flows.change(rc)
				}
				d.drift(rc)
			})
		})),
		"resource_changes": c.before(&late, c.list(func() error { return copyNext(c, d, (*ResourceChange).wire, change) })),
		"deferred_changes": c.before(&late, c.list(func() error {
			return copyElement(c, d, (*DeferredChange).wire, func(v *DeferredChange) { change(&v.ResourceChange) })
		})),
		"deferred_action_invocations": c.list(func() error {
			return copyElement(c, d, (*DeferredActionInvocation).wire, func(v *DeferredActionInvocation) { d.action(&v.ActionInvocation) })
		}),
		"output_changes": c.before(&late, c.each(d, func(name string) error {
			return copyElement(c, d, (*Change).wire, func(v *Change) {
				d.flows.outputChange(name, v)
				d.outputChange(name, v)
			})
		})),
		"action_invocations": c.list(func() error { return copyElement(c, d, (*ActionInvocation).wire, d.action) }),
		"prior_state":        c.before(&late, c.stateObject(d)),
		"configuration": func() error {
			if !d.partial {
				return copyElement(c, d, (*Config).wire, func(v *Config) {
					names := d.names
					d.inConfiguration(v)
					d.names = names
				})
			}
			return c.later(d, &late)
		},
		"relevant_attributes": c.list(func() error { return copyElement(c, d, (*RelevantAttribute).wire, d.relevant) }),
		"condition_results":   c.list(func() error { return copyElement(c, d, (*ConditionResult).wire, d.conditionResult) }),
		"checks":              c.checks(d),
		"applyable":           c.plain(d, KindBool),
		"complete":            c.plain(d, KindBool),
		"errored":             c.plain(d, KindBool),
		"timestamp":           c.plain(d, KindString),
		"format_version":      c.plain(d, KindString),
		"terraform_version":   c.plain(d, KindString),
	})
	if err == nil && late != nil {
		err = c.emitLate(d, late)
	}
	if err == nil {
		err = c.write()
	}
	return d.n, err
}

// WriteState copies the state that r holds to w with its secrets replaced. See
// [Redactor.WritePlan].
func (r Redactor) WriteState(w io.Writer, src io.Reader) (int, error) {
	d := r.run()
	d.decoded = true
	c := newCopier(w, src)
	err := c.document(d, c.stateMembers(d))
	if err == nil {
		err = c.write()
	}
	return d.n, err
}

// look reads a plan for what one part of it tells about others.
func (d *redaction) look(r io.Reader) error {
	x := d.Redactor.run()
	x.decoded = true
	c := newCopier(nil, r)
	change := c.list(func() error { return copyNext(c, x, (*ResourceChange).wire, d.flows.change) })
	output := func(name string, o *Output) { d.flows.output(name, o.Sensitive) }
	values := c.valuesOf(x, d.flows.resource, output)
	err := c.document(x, map[string]func() error{
		"planned_values":   values,
		"resource_drift":   change,
		"resource_changes": change,
		"deferred_changes": c.list(func() error {
			return copyElement(c, x, (*DeferredChange).wire, func(v *DeferredChange) { d.flows.change(&v.ResourceChange) })
		}),
		"output_changes": c.each(x, func(name string) error {
			return copyElement(c, x, (*Change).wire, func(v *Change) { d.flows.outputChange(name, v) })
		}),
		"prior_state": func() error { return c.object(x, map[string]func() error{"values": values}) },
		"configuration": func() error {
			v, err := decodeNext(c, x, (*Config).wire)
			d.config = v
			return err
		},
	})
	if err != nil {
		return err
	}
	if d.config != nil {
		d.flows.configured(d.config)
		d.names = d.follow(d.config).sensitive
	}
	return nil
}

// document copies a document whose known members are copied by functions.
func (c *copier) document(d *redaction, members map[string]func() error) error {
	if c.space() == 'n' {
		return c.fault(c.i, fmt.Errorf("%w: expected an object, found null", ErrKind))
	}
	if err := c.object(d, members); err != nil {
		return err
	}
	c.space()
	if c.i < len(c.buf) {
		return c.fault(c.i, jsonscan.FaultTrailing)
	}
	if c.err != nil && c.err != io.EOF {
		return c.err
	}
	return c.flush()
}

// object copies an object whose known members are copied by functions. Others
// are extra members, or for a copier that only looks of no interest.
func (c *copier) object(d *redaction, members map[string]func() error) error {
	if c.space() != '{' {
		return c.other("an object")
	}
	return c.members(d, func(name string) error {
		if f := members[name]; f != nil {
			return f()
		}
		if c.w == nil {
			return c.skip()
		}
		return c.replace(func(text []byte) ([]byte, error) {
			if d.Keep&UnmarkedExtra != 0 {
				return d.value(text, nil, nil, place{}), nil
			}
			return d.all(text, false), nil
		})
	})
}

// plain returns a function that copies a scalar of a kind that has no secrets.
func (c *copier) plain(d *redaction, kind Kind) func() error {
	return func() error {
		return c.replace(func(text []byte) ([]byte, error) {
			if k := Value(text).Kind(); k != kind && k != KindNull {
				return nil, fmt.Errorf("%w: expected %s, found %s", ErrKind, kind, k)
			}
			if s, ok := Value(text).Text(); ok && d.hasSecret(s) {
				return jsonscan.AppendQuote(nil, d.without(s), true), nil
			}
			return text, nil
		})
	}
}

func (c *copier) values(d *redaction, prior bool) func() error {
	resource := func(r *Resource) {
		if d.partial {
			d.flows.resource(r)
		}
		d.resource(r, prior)
	}
	output := func(name string, o *Output) {
		d.flows.output(name, o.Sensitive)
		d.output(name, o, prior)
	}
	return c.valuesOf(d, resource, output)
}

func (c *copier) valuesOf(d *redaction, resource func(*Resource), output func(string, *Output)) func() error {
	outputs := c.each(d, func(name string) error {
		return copyElement(c, d, (*Output).wire, func(o *Output) { output(name, o) })
	})
	resources := c.list(func() error { return copyNext(c, d, (*Resource).wire, resource) })
	var module func() error
	children := c.list(func() error { return module() })
	module = func() error {
		return c.object(d, map[string]func() error{"resources": resources, "child_modules": children, "address": c.plain(d, KindString)})
	}
	return func() error {
		return c.object(d, map[string]func() error{"outputs": outputs, "root_module": module})
	}
}

func (c *copier) stateObject(d *redaction) func() error {
	members := c.stateMembers(d)
	return func() error { return c.object(d, members) }
}

func (c *copier) stateMembers(d *redaction) map[string]func() error {
	return map[string]func() error{
		"values":            c.values(d, true),
		"checks":            c.checks(d),
		"format_version":    c.plain(d, KindString),
		"terraform_version": c.plain(d, KindString),
	}
}

func (c *copier) checks(d *redaction) func() error {
	return c.list(func() error {
		return copyElement(c, d, (*Check).wire, func(k *Check) { d.checks([]*Check{k}) })
	})
}

// list returns a function that copies an array, element by element.
func (c *copier) list(element func() error) func() error {
	return func() error {
		if c.space() != '[' {
			return c.other("an array")
		}
		return c.elements(element)
	}
}

// each returns a function that copies an object of any members.
func (c *copier) each(d *redaction, member func(name string) error) func() error {
	return func() error {
		if c.space() != '{' {
			return c.other("an object")
		}
		return c.members(d, member)
	}
}

// other copies a null, and refuses anything else.
func (c *copier) other(want string) error {
	if c.i < len(c.buf) && c.buf[c.i] == 'n' {
		return c.replace(func(text []byte) ([]byte, error) { return text, nil })
	}
	if c.i == len(c.buf) {
		return c.fault(c.i, jsonscan.FaultEnd)
	}
	return c.fault(c.i, fmt.Errorf("%w: expected %s", ErrKind, want))
}

// before returns f for a part of the document that must come before the
// configuration.
func (c *copier) before(late **Config, f func() error) func() error {
	return func() error {
		if *late != nil {
			return c.fault(c.i, ErrOrder)
		}
		return f()
	}
}

// later takes the configuration, which is written with all that follows when
// the end has been read: what is sensitive in it is known only then.
func (c *copier) later(d *redaction, late **Config) error {
	if err := c.flush(); err != nil {
		return err
	}
	if err := c.write(); err != nil {
		return err
	}
	v, err := decodeNext(c, d, (*Config).wire)
	*late, c.hold = v, true
	return err
}

// emitLate writes the configuration. What follows it is in out.
func (c *copier) emitLate(d *redaction, late *Config) error {
	d.inConfiguration(late)
	var x wire.Codec
	text, err := wire.Append(&x, nil, late, (*Config).wire)
	if err != nil {
		return wireError(err)
	}
	_, err = c.w.Write(text)
	return err
}

// decodeNext decodes the object that comes next, which can be kept, without
// copying it.
func decodeNext[T any](c *copier, d *redaction, fields func(*T, *wire.Codec)) (v *T, err error) {
	err = c.replace(func(text []byte) ([]byte, error) {
		if v, err = decodeElement(c, append([]byte(nil), text...), fields); err == nil {
			d.extra(v)
		}
		return nil, err
	})
	return v, err
}

// decodeElement decodes one object.
func decodeElement[T any](c *copier, text []byte, fields func(*T, *wire.Codec)) (*T, error) {
	if Value(text).IsNull() {
		return nil, fmt.Errorf("%w: null", ErrKind)
	}
	if c.repeats.duplicate(text) {
		return nil, ErrDuplicate
	}
	return decode(text, fields)
}

// copyElement copies one object through its type.
func copyElement[T any](c *copier, d *redaction, fields func(*T, *wire.Codec), redact func(*T)) error {
	return c.replace(func(text []byte) ([]byte, error) {
		v, err := decodeElement(c, text, fields)
		if err != nil {
			return nil, err
		}
		d.extra(v)
		redact(v)
		if c.w == nil {
			return nil, nil
		}
		return wire.Append(&c.codec, nil, v, fields)
	})
}

// copyNext is copyElement for the objects that a document has most of. It finds
// out where the object ends by decoding it, and takes the memory of the last one.
func copyNext[T any](c *copier, d *redaction, fields func(*T, *wire.Codec), redact func(*T)) error {
	if c.space() != '{' {
		return copyElement(c, d, fields, redact)
	}
	v := new(T)
	for {
		end, err := c.codec.DecodeFirst(c.buf[c.i:len(c.buf):len(c.buf)], c.depth, func(x *wire.Codec) { fields(v, x) })
		if err == wire.ErrShort {
			more, err := c.need()
			if err != nil {
				return err
			}
			if !more {
				return c.fault(len(c.buf), jsonscan.FaultEnd)
			}
			*v = *new(T)
			continue
		}
		if err != nil {
			return c.within(err)
		}
		end += c.i
		if c.repeats.duplicate(c.buf[c.i:end]) {
			return c.fault(c.i, ErrDuplicate)
		}
		d.extra(v)
		redact(v)
		if c.w != nil {
			if err := c.flush(); err != nil {
				return err
			}
			if c.out, err = wire.Append(&c.codec, c.out, v, fields); err != nil {
				return c.within(err)
			}
		}
		c.i, c.done = end, end
		return nil
	}
}
