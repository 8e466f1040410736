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

// A PlanReader is a set of functions: what [ReadPlan] does with the parts of a plan. Functions
// that are nil are not called, and their parts are only validated. An error
// that a function returns ends the reading and is returned as it is.
//
// The functions are called in the order of the document: the tools write
// planned values, then drift, changes, output changes and the prior state.
type PlanReader struct {
	// FormatVersion is called with the version of the format, which the tools
	// write first; compare [CheckVersion].
	FormatVersion func(version string) error

	// PlannedResource is called for each resource of planned_values, module by
	// module from the root, with all that is below a module before its
	// neighbour.
	PlannedResource func(*Resource) error

	// ResourceDrift and ResourceChange are called for the elements of
	// resource_drift and resource_changes.
	ResourceDrift  func(*ResourceChange) error
	ResourceChange func(*ResourceChange) error

	// OutputChange is called for each entry of output_changes.
	OutputChange func(name string, c *Change) error

	// PriorResource is called for each resource of prior_state, in the same
	// order as PlannedResource.
	PriorResource func(*Resource) error
}

// ErrDuplicate is the cause of an [Error] if a member that a stream is asked
// for occurs twice. Decoding takes the last one; a stream has handed out the
// first by then.
var ErrDuplicate = errors.New("duplicate member")

// ReadPlan reads a plan from r, which may be of any size, and hands its parts
// to the functions of p one by one. Memory grows with the largest part, not
// with the plan. Each part is like one of [DecodePlan], owns its text, and
// may be kept.
//
// The whole text is validated as JSON, unless a function ends the reading
// early; what no function asks for is not checked beyond that. A fault is an
// [*Error] with its place in the stream, whose pointer may end above the fault
// if it is in a part that was skipped. An error of r is returned as it is.
// r is read ahead; it is not closed.
func ReadPlan(r io.Reader, p PlanReader) error {
	s := wire.NewStream(r)
	return readDocument(s, map[string]func() error{
		"format_version":   textOf(s, p.FormatVersion),
		"planned_values":   valuesOf(s, p.PlannedResource),
		"resource_drift":   arrayOf(s, (*ResourceChange).wire, p.ResourceDrift),
		"resource_changes": arrayOf(s, (*ResourceChange).wire, p.ResourceChange),
		"output_changes":   mapOf(s, (*Change).wire, p.OutputChange),
		"prior_state":      stateOf(s, p.PriorResource),
	})
}

// A StateReader is a set of functions: what [ReadState] does with the parts of a state. See
// [PlanReader].
type StateReader struct {
	// FormatVersion is called with the version of the format.
	FormatVersion func(version string) error

	// Resource is called for each resource, in the order of
	// [PlanReader.PlannedResource].
	Resource func(*Resource) error
}

// ReadState reads a state from r, as [ReadPlan] reads a plan.
func ReadState(r io.Reader, p StateReader) error {
	s := wire.NewStream(r)
	return readDocument(s, map[string]func() error{
		"format_version": textOf(s, p.FormatVersion),
		"values":         valuesOf(s, p.Resource),
	})
}

// ResourceChanges returns an iterator over the resource changes of the plan
// that r holds, in memory that does not grow with the plan. It yields what
// [ReadPlan] hands out, and its error last, if there is one: a loop that ends
// without an error has seen all changes of a valid document. A loop may be
// left early. The iterator can be used once.
func ResourceChanges(r io.Reader) iter.Seq2[*ResourceChange, error] {
	return pull(func(yield func(*ResourceChange) error) error {
		return ReadPlan(r, PlanReader{ResourceChange: yield})
	})
}

// StateResources returns an iterator over the resources of the state that r
// holds. See [ResourceChanges].
func StateResources(r io.Reader) iter.Seq2[*Resource, error] {
	return pull(func(yield func(*Resource) error) error {
		return ReadState(r, StateReader{Resource: yield})
	})
}

// errStop ends a reading whose loop was left.
var errStop = errors.New("stop")

// pull makes an iterator of a function that hands out values.
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

// readDocument reads a document whose members are read by the functions in
// members; nil and missing ones are skipped.
func readDocument(s *wire.Stream, members map[string]func() error) error {
	if c := s.Kind(); c != '{' {
		// Let the decoder say what is wrong.
		_, err := wire.Next(s, (*Plan).wire)
		return wireError(err)
	}
	err := only(s, members)
	if err == nil {
		err = s.End()
	}
	return wireError(err)
}

func textOf(s *wire.Stream, f func(string) error) func() error {
	if f == nil {
		return nil
	}
	return func() error {
		text, err := s.Text()
		if err != nil {
			return err
		}
		return f(text)
	}
}

func arrayOf[T any](s *wire.Stream, fields func(*T, *wire.Codec), f func(*T) error) func() error {
	if f == nil {
		return nil
	}
	return func() error {
		return s.Array(func() error { return next(s, fields, f) })
	}
}

func mapOf[T any](s *wire.Stream, fields func(*T, *wire.Codec), f func(string, *T) error) func() error {
	if f == nil {
		return nil
	}
	return func() error {
		return s.Object(func(name string) error {
			return next(s, fields, func(v *T) error { return f(name, v) })
		})
	}
}

func next[T any](s *wire.Stream, fields func(*T, *wire.Codec), f func(*T) error) error {
	v, err := wire.Next(s, fields)
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
	return func() error { return only(s, map[string]func() error{"values": valuesOf(s, f)}) }
}

// valuesOf reads planned values or those of a state.
func valuesOf(s *wire.Stream, f func(*Resource) error) func() error {
	if f == nil {
		return nil
	}
	return func() error {
		return only(s, map[string]func() error{"root_module": func() error { return module(s, f) }})
	}
}

// module reads a module and those in it.
func module(s *wire.Stream, f func(*Resource) error) error {
	return only(s, map[string]func() error{
		"resources":     arrayOf(s, (*Resource).wire, f),
		"child_modules": func() error { return s.Array(func() error { return module(s, f) }) },
	})
}

// only reads the members of an object that members has functions for.
func only(s *wire.Stream, members map[string]func() error) error {
	seen := make(map[string]bool)
	return s.Object(func(name string) error {
		read := members[name]
		if read == nil {
			return s.Skip()
		}
		if seen[name] {
			return s.Fail(fmt.Errorf("%w: %q", ErrDuplicate, name))
		}
		seen[name] = true
		return read()
	})
}
