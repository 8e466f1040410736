// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/wire"
	"github.com/tofuwire/tofuwire/planjson"
)

// Instances returns an iterator over the objects of all resource instances of the
// state that r holds, in the order of the text. Memory grows with the largest
// object, not with the state. Each is like one of [Decode], owns its text and may
// be kept.
//
// An error comes last: a loop that ends without one has seen all of a valid
// state. What [Decode] refuses is refused, with these exceptions: outputs and
// results of checks are not looked into, and an object that occurs twice is seen
// only next to the other one. A resource whose instances come before its name,
// which no tool writes, is held as a whole. Breaking out of the loop is safe. The
// iterator can be used once. An error of r is returned unchanged.
func Instances(r io.Reader) iter.Seq2[Instance, error] {
	return func(yield func(Instance, error) bool) {
		s := reader{s: wire.NewStream(r), yield: yield}
		err := s.read()
		if err != nil && err != errStop {
			yield(Instance{}, err)
		}
	}
}

// errStop ends the reading after a break out of the loop.
var errStop = errors.New("stop")

// A reader reads a state part by part.
type reader struct {
	s     *wire.Stream
	yield func(Instance, error) bool
	check checker // remembers addresses that were good
}

// read reads the document.
func (d *reader) read() error {
	if d.s.Kind() != '{' {
		return d.other()
	}
	version, seen := int64(0), false
	err := d.s.Object(func(name string) error {
		switch {
		case name == "version":
			v, err := d.s.Raw()
			seen = true
			version, _ = planjson.Value(v).Int64()
			if err == nil && version != 4 {
				return otherwise([]byte(`{"version":`+string(v)+`}`), nil)
			}
			return err
		case name == "resources" && !seen:
			return d.s.Fail(fmt.Errorf("%w: resources come before the version", ErrVersion))
		case name == "resources":
			return d.s.Array(d.resource)
		case name == "encrypted_data" && !seen:
			return d.s.Fail(ErrEncrypted)
		}
		return d.s.Skip()
	})
	if err == nil {
		err = d.s.End()
	}
	if err == nil && !seen {
		err = &Error{Line: 1, Column: 1, Err: fmt.Errorf("%w: the text has no member version, so it is no state", ErrKind)}
	}
	return wireError(err)
}

// other returns the error for a text that is no object.
func (d *reader) other() error {
	if d.s.Kind() == 0 {
		if err := d.s.End(); err != nil {
			return wireError(err)
		}
		return &Error{Line: 1, Column: 1, Err: ErrEmpty}
	}
	_, err := wire.Next[File](d.s, fileTable)
	return wireError(err)
}

// resource reads one resource and passes on its instances.
func (d *reader) resource() error {
	if d.s.Kind() != '{' {
		_, err := wire.Next[Resource](d.s, resourceTable)
		return err
	}
	r := new(Resource)
	var held []byte // instances that came too early
	var address addrs.AbsResource
	ready := false
	begin := func() (err error) {
		if ready {
			return nil
		}
		if err := d.good(r, nil, nil); err != nil {
			return err
		}
		address, err = r.address()
		ready = true
		return err
	}
	k := 0
	var before *InstanceObject
	pass := func(o *InstanceObject) error {
		if err := d.good(r, before, o); err != nil {
			return err
		}
		k++
		before = o
		if !d.yield(newInstance(address.Instance(o.Key()), r, o), nil) {
			return errStop
		}
		return nil
	}
	err := d.s.Object(func(name string) error {
		if name != "instances" {
			return d.member(r, name)
		}
		if r.Type == "" || r.Name == "" || r.Mode == "" {
			var err error
			held, err = d.s.Raw()
			return err
		}
		if err := begin(); err != nil {
			return err
		}
		return d.s.Array(func() error {
			o, err := wire.Next[InstanceObject](d.s, instanceObjectTable)
			if err != nil {
				return err
			}
			return pass(o)
		})
	})
	if err != nil {
		return err
	}
	if err := begin(); err != nil || held == nil {
		return err
	}
	list, err := decodeInstances(held)
	if err != nil {
		return d.fail(err)
	}
	for _, o := range list {
		if err := pass(o); err != nil {
			return err
		}
	}
	return nil
}

// fail returns an error at the stream's place instead of the one that it has.
func (d *reader) fail(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		err = e.Err
	}
	return d.s.Fail(err)
}

// member reads a member of a resource other than its instances.
func (d *reader) member(r *Resource, name string) (err error) {
	text := func(p *string) { *p, err = d.s.Text() }
	switch name {
	case "module":
		text(&r.Module)
	case "mode":
		text((*string)(&r.Mode))
	case "type":
		text(&r.Type)
	case "name":
		text(&r.Name)
	case "each":
		text(&r.Each)
	case "provider":
		text(&r.Provider)
	default:
		err = d.s.Skip()
	}
	return err
}

// decodeInstances decodes a list of instances.
func decodeInstances(text []byte) ([]*InstanceObject, error) {
	r := new(Resource)
	err := r.UnmarshalJSON(append(append([]byte(`{"instances":`), text...), '}'))
	return r.Instances, err
}

// good returns an error if r, or o of its instances, which comes after before, is
// not one that the tools read.
func (d *reader) good(r *Resource, before, o *InstanceObject) error {
	c := &d.check
	if c.err = nil; c.file == nil {
		c.file = new(File)
	}
	if o == nil {
		c.resource(0, r)
	} else {
		list := r.Instances
		r.Instances = []*InstanceObject{before, o}
		k := 1
		if before == nil {
			r.Instances[0] = o
			k = 0
		}
		c.instance(0, k, r, o)
		if r.Instances = list; before != nil && c.err == nil && before.Key() == o.Key() && before.Deposed == o.Deposed {
			c.err = fmt.Errorf("%w: the object occurs twice in the state", ErrInvalid)
		}
	}
	if c.err != nil {
		return d.fail(c.err)
	}
	return nil
}
