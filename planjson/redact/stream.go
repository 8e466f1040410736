// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/planwire"
	"github.com/tofuwire/tofuwire/internal/wire"
	"github.com/tofuwire/tofuwire/planjson"
)

// ErrOrder is the cause of an [planjson.Error] of [Redactor.WritePlan] if a reader that
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
// any other is an [*planjson.Error] with its place in the stream.
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
	var late *planjson.Config // comes when all of the document is known
	change := func(rc *planjson.ResourceChange) {
		if d.partial {
			d.flows.change(rc)
		}
		d.resourceChange(rc)
	}
	err := c.document(d, map[string]func() error{
		"variables": c.each(d, func(name string) error {
			return copyElement(c, d, func(v *planjson.Variable) { d.variable(name, v) })
		}),
		"planned_values": c.before(&late, c.values(d, false)),
		"resource_drift": c.before(&late, c.list(func() error {
			return copyNext(c, d, func(rc *planjson.ResourceChange) {
				if d.partial {
					d.flows.change(rc)
				}
				d.drift(rc)
			})
		})),
		"resource_changes": c.before(&late, c.list(func() error { return copyNext(c, d, change) })),
		"deferred_changes": c.before(&late, c.list(func() error {
			return copyElement(c, d, func(v *planjson.DeferredChange) { change(&v.ResourceChange) })
		})),
		"deferred_action_invocations": c.list(func() error {
			return copyElement(c, d, func(v *planjson.DeferredActionInvocation) { d.action(&v.ActionInvocation) })
		}),
		"output_changes": c.before(&late, c.each(d, func(name string) error {
			return copyElement(c, d, func(v *planjson.Change) {
				d.flows.outputChange(name, v)
				d.outputChange(name, v)
			})
		})),
		"action_invocations": c.list(func() error { return copyElement(c, d, d.action) }),
		"prior_state":        c.before(&late, c.stateObject(d)),
		"configuration": func() error {
			if !d.partial {
				return copyElement(c, d, func(v *planjson.Config) {
					names := d.names
					d.inConfiguration(v)
					d.names = names
				})
			}
			return c.later(d, &late)
		},
		"relevant_attributes": c.list(func() error { return copyElement(c, d, d.relevant) }),
		"condition_results":   c.list(func() error { return copyElement(c, d, d.conditionResult) }),
		"checks":              c.checks(d),
		"applyable":           c.plain(d, planjson.KindBool),
		"complete":            c.plain(d, planjson.KindBool),
		"errored":             c.plain(d, planjson.KindBool),
		"timestamp":           c.plain(d, planjson.KindString),
		"format_version":      c.plain(d, planjson.KindString),
		"terraform_version":   c.plain(d, planjson.KindString),
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
	change := c.list(func() error { return copyNext(c, x, d.flows.change) })
	output := func(name string, o *planjson.Output) { d.flows.output(name, o.Sensitive) }
	values := c.valuesOf(x, d.flows.resource, output)
	err := c.document(x, map[string]func() error{
		"planned_values":   values,
		"resource_drift":   change,
		"resource_changes": change,
		"deferred_changes": c.list(func() error {
			return copyElement(c, x, func(v *planjson.DeferredChange) { d.flows.change(&v.ResourceChange) })
		}),
		"output_changes": c.each(x, func(name string) error {
			return copyElement(c, x, func(v *planjson.Change) { d.flows.outputChange(name, v) })
		}),
		"prior_state": func() error { return c.object(x, map[string]func() error{"values": values}) },
		"configuration": func() error {
			v, err := decodeNext[planjson.Config](c, x)
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
		return c.fault(c.i, fmt.Errorf("%w: expected an object, found null", planjson.ErrKind))
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
			if d.Keep&Extra != 0 {
				return d.value(text, nil, nil, place{}), nil
			}
			return d.all(text, false), nil
		})
	})
}

// plain returns a function that copies a scalar of a kind that has no secrets.
func (c *copier) plain(d *redaction, kind planjson.Kind) func() error {
	return func() error {
		return c.replace(func(text []byte) ([]byte, error) {
			if k := planjson.Value(text).Kind(); k != kind && k != planjson.KindNull {
				return nil, fmt.Errorf("%w: expected %s, found %s", planjson.ErrKind, kind, k)
			}
			if s, ok := planjson.Value(text).Text(); ok && d.hasSecret(s) {
				return jsonscan.AppendQuote(nil, d.without(s), true), nil
			}
			return text, nil
		})
	}
}

func (c *copier) values(d *redaction, prior bool) func() error {
	resource := func(r *planjson.Resource) {
		if d.partial {
			d.flows.resource(r)
		}
		d.resource(r, prior)
	}
	output := func(name string, o *planjson.Output) {
		d.flows.output(name, o.Sensitive)
		d.output(name, o, prior)
	}
	return c.valuesOf(d, resource, output)
}

func (c *copier) valuesOf(d *redaction, resource func(*planjson.Resource), output func(string, *planjson.Output)) func() error {
	outputs := c.each(d, func(name string) error {
		return copyElement(c, d, func(o *planjson.Output) { output(name, o) })
	})
	resources := c.list(func() error { return copyNext(c, d, resource) })
	var module func() error
	children := c.list(func() error { return module() })
	module = func() error {
		return c.object(d, map[string]func() error{"resources": resources, "child_modules": children, "address": c.plain(d, planjson.KindString)})
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
		"format_version":    c.plain(d, planjson.KindString),
		"terraform_version": c.plain(d, planjson.KindString),
	}
}

func (c *copier) checks(d *redaction) func() error {
	return c.list(func() error {
		return copyElement(c, d, func(k *planjson.Check) { d.checks([]*planjson.Check{k}) })
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
	return c.fault(c.i, fmt.Errorf("%w: expected %s", planjson.ErrKind, want))
}

// before returns f for a part of the document that must come before the
// configuration.
func (c *copier) before(late **planjson.Config, f func() error) func() error {
	return func() error {
		if *late != nil {
			return c.fault(c.i, ErrOrder)
		}
		return f()
	}
}

// later takes the configuration, which is written with all that follows when
// the end has been read: what is sensitive in it is known only then.
func (c *copier) later(d *redaction, late **planjson.Config) error {
	if err := c.flush(); err != nil {
		return err
	}
	if err := c.write(); err != nil {
		return err
	}
	v, err := decodeNext[planjson.Config](c, d)
	*late, c.hold = v, true
	return err
}

// emitLate writes the configuration. What follows it is in out.
func (c *copier) emitLate(d *redaction, late *planjson.Config) error {
	d.inConfiguration(late)
	var x wire.Codec
	text, err := wire.Append(&x, nil, late, fields)
	if err != nil {
		return placed(err)
	}
	_, err = c.w.Write(text)
	return err
}

// decodeNext decodes the object that comes next, which can be kept, without
// copying it.
func decodeNext[T any](c *copier, d *redaction) (v *T, err error) {
	err = c.replace(func(text []byte) ([]byte, error) {
		if v, err = decodeElement[T](c, append([]byte(nil), text...)); err == nil {
			d.extra(v)
		}
		return nil, err
	})
	return v, err
}

// fields is the function of the codec for any object of the format.
func fields[T any](v *T, x *wire.Codec) { planwire.Fields(v, x) }

// decode decodes the object that text holds.
func decode[T any](text []byte) (*T, error) {
	var x wire.Codec
	v := new(T)
	if err := x.Decode(text, func(x *wire.Codec) { wire.Root(x, v, fields) }); err != nil {
		return nil, placed(err)
	}
	return v, nil
}

// placed gives an error of the codec the type that callers know.
func placed(err error) error {
	var e *wire.Error
	if errors.As(err, &e) {
		return (*planjson.Error)(e)
	}
	return err
}

// decodeElement decodes one object.
func decodeElement[T any](c *copier, text []byte) (*T, error) {
	if planjson.Value(text).IsNull() {
		return nil, fmt.Errorf("%w: null", planjson.ErrKind)
	}
	if c.repeats.In(text) {
		return nil, planjson.ErrDuplicate
	}
	return decode[T](text)
}

// copyElement copies one object through its type.
func copyElement[T any](c *copier, d *redaction, redact func(*T)) error {
	return c.replace(func(text []byte) ([]byte, error) {
		v, err := decodeElement[T](c, text)
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
func copyNext[T any](c *copier, d *redaction, redact func(*T)) error {
	if c.space() != '{' {
		return copyElement(c, d, redact)
	}
	v := new(T)
	for {
		end, err := c.codec.DecodeFirst(c.buf[c.i:len(c.buf):len(c.buf)], c.depth, func(x *wire.Codec) { planwire.Fields(v, x) })
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
		if c.repeats.In(c.buf[c.i:end]) {
			return c.fault(c.i, planjson.ErrDuplicate)
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
