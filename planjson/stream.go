// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/tofuwire/tofuwire/internal/wire"
)

// A PlanReader is the set of functions that [ReadPlan] calls with the parts of a plan.
// Functions that are nil are not called; their parts are only validated. An error of a
// function ends the reading and is returned unchanged.
//
// The functions are called in the order of the document: the tools write
// planned values, then drift, changes, output changes and the prior state.
type PlanReader struct {
	// FormatVersion is called with the version of the format, which the tools
	// write first; compare [CheckVersion].
	FormatVersion func(version string) error

	// PlannedResource is called for each resource of planned_values, module by module from the
	// root: each module, then everything below it, then the next one.
	PlannedResource func(*Resource) error

	// PlannedOutput is called for each output of planned_values.
	PlannedOutput func(name string, o *Output) error

	// ResourceDrift and ResourceChange are called for the elements of
	// resource_drift and resource_changes.
	ResourceDrift  func(*ResourceChange) error
	ResourceChange func(*ResourceChange) error

	// OutputChange is called for each entry of output_changes.
	OutputChange func(name string, c *Change) error

	// PriorResource is called for each resource of prior_state, in the same
	// order as PlannedResource.
	PriorResource func(*Resource) error

	// Members has functions for further members of the document, by name, such
	// as "terraform_version", "configuration" and "checks". Each is called with
	// the member's value, whose text is kept whole. A member that another of
	// the functions reads is not passed on.
	Members map[string]func(Value) error
}

// ErrDuplicate is the cause of an [Error] if a member requested from a stream
// occurs twice. Decoding takes the last one, but a stream has already passed on
// the first.
var ErrDuplicate = errors.New("duplicate member")

// ReadPlan reads a plan from r, which may be of any size, and hands its parts
// to the functions of p one by one. Memory grows with the largest part, not
// with the plan. Each part is like one of [DecodePlan], owns its text, and
// may be kept.
//
// Like [DecodePlan], it refuses a document that is clearly another one, such as a state, with
// an error that wraps [ErrKind], before it passes on any part except the version, or at the end
// if there is no such part.
//
// The whole text is validated as JSON, unless a function ends the reading
// early. Parts without a function are not checked further. A fault is an
// [*Error] with its place in the stream; if the fault is in a skipped part, the
// pointer may end above it. An error of r is returned unchanged. ReadPlan may
// read ahead in r, and does not close it.
func ReadPlan(r io.Reader, p PlanReader) error {
	s := wire.NewStream(r)
	return readDocument(s, DocumentPlan, p.Members, map[string]func() error{
		"format_version":   textOf(p.FormatVersion, s.Text),
		"planned_values":   valuesOf(s, p.PlannedOutput, p.PlannedResource),
		"resource_drift":   arrayOf(s, resourceChangeTable, p.ResourceDrift),
		"resource_changes": arrayOf(s, resourceChangeTable, p.ResourceChange),
		"output_changes":   mapOf(s, changeTable, p.OutputChange),
		"prior_state":      stateOf(s, p.PriorResource),
	})
}

// A StateReader is the set of functions that [ReadState] calls with the parts of a state.
// See [PlanReader].
type StateReader struct {
	// FormatVersion is called with the version of the format.
	FormatVersion func(version string) error

	// Resource is called for each resource, in the order of
	// [PlanReader.PlannedResource].
	Resource func(*Resource) error

	// Output is called for each output.
	Output func(name string, o *Output) error

	// Members has functions for further members, as in [PlanReader].
	Members map[string]func(Value) error
}

// ReadState reads a state from r, as [ReadPlan] reads a plan. Decode a state that
// Terraform 0.12 printed instead: see [Resource.Address].
func ReadState(r io.Reader, p StateReader) error {
	s := wire.NewStream(r)
	return readDocument(s, DocumentState, p.Members, map[string]func() error{
		"format_version": textOf(p.FormatVersion, s.Text),
		"values":         valuesOf(s, p.Output, p.Resource),
	})
}

// ResourceChanges returns an iterator over the resource changes of the plan
// that r holds, in memory that does not grow with the plan. It yields the
// changes that [ReadPlan] passes on, and its error last, if there is one: a
// loop that ends without an error has seen all changes of a valid document.
// Breaking out of the loop is safe. The iterator can be used once.
func ResourceChanges(r io.Reader) iter.Seq2[*ResourceChange, error] {
	return pull(func(yield func(*ResourceChange) error) error {
		return ReadPlan(r, PlanReader{ResourceChange: yield})
	})
}

// errStop ends the reading after a break out of the loop.
var errStop = errors.New("stop")

// pull makes an iterator of a function that passes on values.
func pull[T any](read func(yield func(*T) error) error) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		err := read(func(v *T) error {
			if !yield(v, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(nil, err)
		}
	}
}

// readDocument reads a document of a kind whose members are read by the functions
// in members or else by those in further; nil and missing ones are skipped.
func readDocument(s *wire.Stream, kind DocumentKind, further map[string]func(Value) error, members map[string]func() error) error {
	for name, f := range further {
		if members[name] == nil {
			members[name] = textOf(f, s.Raw)
		}
	}
	if c := s.Kind(); c != '{' {
		// Let the decoder report the fault.
		_, err := wire.Next[Plan](s, planTable)
		return wireError(err)
	}
	seen := topMembers{all: make(map[string]byte), object: true}
	skipped, outputs := 0, 0
	err := each(s, members, func(name string, read bool) error {
		seen.all[name] = firstByte(s.Kind())
		if read && name != "format_version" {
			return seen.refuse(kind)
		}
		return nil
	}, func() error {
		skipped++
		if s.Kind() != '{' {
			return s.Skip()
		}
		var value, sensitive byte
		err := s.Object(func(name string) error {
			switch name {
			case "value":
				value = s.Kind()
			case "sensitive":
				sensitive = s.Kind()
			}
			return s.Skip()
		})
		if value != 0 && (sensitive == 't' || sensitive == 'f') {
			outputs++
		}
		return err
	})
	if err != nil {
		return wireError(err)
	}
	seen.outputs = skipped > 0 && outputs == skipped && seen.all["format_version"] != '"'
	end := s.End()
	if kinds := seen.kinds(); end == nil || len(kinds) > 0 && kinds[0] == DocumentMessage { // whose second line is no fault
		if other := seen.refuse(kind); other != nil {
			return other
		}
	}
	return wireError(end)
}

func textOf[A, B string | []byte | Value](f func(A) error, read func() (B, error)) func() error {
	if f == nil {
		return nil
	}
	return func() error {
		text, err := read()
		if err != nil {
			return err
		}
		return f(A(text))
	}
}

func arrayOf[T any](s *wire.Stream, t wire.Type, f func(*T) error) func() error {
	if f == nil {
		return nil
	}
	return func() error {
		return s.Array(func() error { return next(s, t, f) })
	}
}

func mapOf[T any](s *wire.Stream, t wire.Type, f func(string, *T) error) func() error {
	if f == nil {
		return nil
	}
	return func() error {
		return s.Object(func(name string) error {
			return next(s, t, func(v *T) error { return f(name, v) })
		})
	}
}

func next[T any](s *wire.Stream, t wire.Type, f func(*T) error) error {
	v, err := wire.Next[T](s, t)
	if err != nil {
		return err
	}
	return f(v)
}

// stateOf reads a state inside a plan.
func stateOf(s *wire.Stream, f func(*Resource) error) func() error {
	if f == nil {
		return nil
	}
	return func() error { return only(s, map[string]func() error{"values": valuesOf(s, nil, f)}) }
}

// valuesOf reads planned values or those of a state.
func valuesOf(s *wire.Stream, output func(string, *Output) error, resource func(*Resource) error) func() error {
	if output == nil && resource == nil {
		return nil
	}
	return func() error {
		members := map[string]func() error{"outputs": mapOf(s, outputTable, output)}
		if resource != nil {
			members["root_module"] = func() error { return module(s, resource) }
		}
		return only(s, members)
	}
}

// module reads a module and those in it.
func module(s *wire.Stream, f func(*Resource) error) error {
	return only(s, map[string]func() error{
		"resources":     arrayOf(s, resourceTable, f),
		"child_modules": func() error { return s.Array(func() error { return module(s, f) }) },
	})
}

// only reads the members of an object that members has functions for.
func only(s *wire.Stream, members map[string]func() error) error {
	return each(s, members, func(string, bool) error { return nil }, s.Skip)
}

// each reads the members of an object by the functions in members, and all others
// by skip. The function before is called with the name of each, and whether there
// is a function for it.
func each(s *wire.Stream, members map[string]func() error, before func(name string, read bool) error, skip func() error) error {
	seen := make(map[string]bool)
	return s.Object(func(name string) error {
		read := members[name]
		if read != nil && seen[name] {
			return s.Fail(fmt.Errorf("%w: %q", ErrDuplicate, name))
		}
		seen[name] = read != nil
		if err := before(name, read != nil); err != nil {
			return err
		}
		if read == nil {
			return skip()
		}
		return read()
	})
}
