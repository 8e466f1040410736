// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// WritePlan copies the plan that r holds to w with its secrets replaced, and
// returns the number of values replaced. Memory grows with the largest resource
// and with the configuration, not with the plan.
//
// Variables stand at the beginning of a plan, and what is known of them at its
// end. If r is an [io.ReadSeeker], it is read twice, and the result is that of
// [Redactor.Plan]. Otherwise the values of all variables are replaced.
//
// On errors, part of the text has been written. What has been written has no
// secrets, but is not a document. An error of r or w is returned as it is,
// any other is an [*Error] with its place in the stream.
func (r *Redactor) WritePlan(w io.Writer, src io.Reader) (int, error) {
	d := r.run()
	if s, ok := src.(io.ReadSeeker); ok {
		start, err := s.Seek(0, io.SeekCurrent)
		if err == nil {
			first := r.run()
			if err := first.look(s); err != nil {
				return 0, err
			}
			if _, err := s.Seek(start, io.SeekStart); err != nil {
				return 0, err
			}
			d.config, d.names, d.flows = first.config, first.names, first.flows
		}
	}
	c := &copier{r: src, w: w, line: 1}
	change := func() error { return copyElement(c, d, (*ResourceChange).wire, d.resourceChange) }
	err := c.document(d, map[string]func() error{
		"variables": c.each(func(name string) error {
			return copyElement(c, d, (*Variable).wire, func(v *Variable) { d.variable(name, v) })
		}),
		"planned_values":   c.values(d),
		"resource_drift":   c.list(change),
		"resource_changes": c.list(change),
		"deferred_changes": c.list(func() error {
			return copyElement(c, d, (*DeferredChange).wire, func(v *DeferredChange) { d.resourceChange(&v.ResourceChange) })
		}),
		"deferred_action_invocations": c.list(func() error {
			return copyElement(c, d, (*DeferredActionInvocation).wire, func(v *DeferredActionInvocation) { d.action(&v.ActionInvocation) })
		}),
		"output_changes": c.each(func(name string) error {
			return copyElement(c, d, (*Change).wire, func(v *Change) { d.change(v, nil, place{address: "output." + name}) })
		}),
		"action_invocations": c.list(func() error { return copyElement(c, d, (*ActionInvocation).wire, d.action) }),
		"prior_state":        c.stateObject(d),
		"configuration": func() error {
			return copyElement(c, d, (*Config).wire, func(v *Config) {
				names := d.names
				d.inConfiguration(v)
				if d.config != nil {
					d.names = names
				}
			})
		},
		"relevant_attributes": c.list(func() error { return copyElement(c, d, (*RelevantAttribute).wire, d.relevant) }),
		"condition_results": c.list(func() error {
			return copyElement(c, d, (*ConditionResult).wire, func(v *ConditionResult) { d.string(&v.ErrorMessage, UnmarkedMessages) })
		}),
		"checks":            c.checks(d),
		"applyable":         c.plain(KindBool),
		"complete":          c.plain(KindBool),
		"errored":           c.plain(KindBool),
		"timestamp":         c.plain(KindString),
		"format_version":    c.plain(KindString),
		"terraform_version": c.plain(KindString),
	})
	return d.n, err
}

// WriteState copies the state that r holds to w with its secrets replaced. See
// [Redactor.WritePlan].
func (r *Redactor) WriteState(w io.Writer, src io.Reader) (int, error) {
	d := r.run()
	c := &copier{r: src, w: w, line: 1}
	err := c.document(d, c.stateMembers(d))
	return d.n, err
}

// look reads a plan for what tells which of its variables are sensitive.
func (d *redaction) look(r io.Reader) error {
	s := wire.NewStream(r)
	change := func(rc *ResourceChange) error {
		d.flows.sensitive(rc.Address, rc.Change.BeforeSensitive)
		d.flows.sensitive(rc.Address, rc.Change.AfterSensitive)
		return nil
	}
	resource := func(r *Resource) error {
		d.flows.sensitive(r.Address, r.SensitiveValues)
		return nil
	}
	err := readDocument(s, map[string]func() error{
		"planned_values":   valuesOf(s, resource),
		"resource_drift":   arrayOf(s, (*ResourceChange).wire, change),
		"resource_changes": arrayOf(s, (*ResourceChange).wire, change),
		"deferred_changes": arrayOf(s, (*DeferredChange).wire, func(c *DeferredChange) error { return change(&c.ResourceChange) }),
		"prior_state":      stateOf(s, resource),
		"configuration":    func() error { return next(s, (*Config).wire, func(c *Config) error { d.config = c; return nil }) },
	})
	if err != nil {
		return err
	}
	if d.config != nil {
		d.names = d.follow(d.config).sensitive
	}
	return nil
}

// document copies a document whose known members are copied by functions.
func (c *copier) document(d *redaction, members map[string]func() error) error {
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
// are extra members.
func (c *copier) object(d *redaction, members map[string]func() error) error {
	if c.space() != '{' {
		return c.other("an object")
	}
	return c.members(func(name string) error {
		if f := members[name]; f != nil {
			return f()
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
func (c *copier) plain(kind Kind) func() error {
	return func() error {
		return c.replace(func(text []byte) ([]byte, error) {
			if k := Value(text).Kind(); k != kind && k != KindNull {
				return nil, fmt.Errorf("%w: expected %s, found %s", ErrKind, kind, k)
			}
			return text, nil
		})
	}
}

func (c *copier) values(d *redaction) func() error {
	output := c.each(func(name string) error {
		return copyElement(c, d, (*Output).wire, func(o *Output) { d.output(name, o) })
	})
	resources := c.list(func() error { return copyElement(c, d, (*Resource).wire, d.resource) })
	var module func() error
	children := c.list(func() error { return module() })
	module = func() error {
		return c.object(d, map[string]func() error{"resources": resources, "child_modules": children, "address": c.plain(KindString)})
	}
	return func() error {
		return c.object(d, map[string]func() error{"outputs": output, "root_module": module})
	}
}

func (c *copier) stateObject(d *redaction) func() error {
	members := c.stateMembers(d)
	return func() error { return c.object(d, members) }
}

func (c *copier) stateMembers(d *redaction) map[string]func() error {
	return map[string]func() error{
		"values":            c.values(d),
		"checks":            c.checks(d),
		"format_version":    c.plain(KindString),
		"terraform_version": c.plain(KindString),
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
func (c *copier) each(member func(name string) error) func() error {
	return func() error {
		if c.space() != '{' {
			return c.other("an object")
		}
		return c.members(member)
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

// copyElement copies one object through its type.
func copyElement[T any](c *copier, d *redaction, fields func(*T, *wire.Codec), redact func(*T)) error {
	return c.replace(func(text []byte) ([]byte, error) {
		if Value(text).IsNull() {
			return nil, fmt.Errorf("%w: null", ErrKind)
		}
		if mayRepeat(text) {
			for range wire.Duplicates(text) {
				return nil, ErrDuplicate
			}
		}
		v, err := decode(text, fields)
		if err != nil {
			return nil, err
		}
		d.extra(v)
		redact(v)
		var x wire.Codec
		return wire.Append(&x, nil, v, fields)
	})
}
