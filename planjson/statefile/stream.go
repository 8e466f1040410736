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
)

// Instances returns an iterator over the objects of all resource instances of the
// state that r holds, in the order of the text. Memory grows with the largest
// object, not with the state. Each is like one of [Decode], owns its text and may
// be kept. [List] is faster where the attributes of most objects do not matter.
//
// An error comes last: a loop that ends without one has seen all of a valid state. It refuses
// what [Decode] refuses, except that it detects an object that occurs twice only if the two are
// adjacent. Breaking out of the loop is safe. The iterator can be used once. An error of r is
// returned unchanged.
//
// The members may come in any order, as in Decode. If the instances of a resource come before
// its mode, type, name or provider, the whole resource is held in memory. If another member
// that is part of the address, such as module, comes after the instances, or if there are two
// lists of instances, Instances has already returned objects with a wrong address, and ends
// with an error. The same holds in version 3 for a version behind the modules and a path behind
// the content of its module. No tool writes such a state. Decode reads it.
func Instances(r io.Reader) iter.Seq2[Instance, error] {
	return func(yield func(Instance, error) bool) {
		d := reader{s: wire.NewStream(plainReader(r))}
		d.yield = func(a addrs.AbsResource, r *Resource, o *InstanceObject) bool {
			return yield(newInstance(a.Instance(o.Key()), r, o), nil)
		}
		if err := d.read(); err != nil && err != errStop {
			yield(Instance{}, err)
		}
	}
}

// errStop ends the reading after a break out of the loop.
var errStop = errors.New("stop")

// errLate is the error for what would have changed the objects before it.
var errLate = errors.New("this comes after objects that it changes, so the state cannot be read as a stream, only as a whole")

// A reader reads a state part by part.
type reader struct {
	s     *wire.Stream
	yield func(addrs.AbsResource, *Resource, *InstanceObject) bool // false ends the reading

	// skim reads an object that needs no closer look, if the next one is of that
	// kind. It can be nil.
	skim func(addrs.AbsResource, *Resource) (done bool, err error)

	check  checker  // remembers what was good
	last   Resource // of which some members are mostly those of the next one
	module addrs.ModuleInstance
	before *InstanceObject

	begun bool // a member whose content depends on the version has been read

	// Of version 3: whether the state is one, has settings of a backend, and an
	// output or a resource.
	is3, backend, content bool
}

// read reads the document.
func (d *reader) read() error {
	if d.s.Kind() != '{' {
		return d.other()
	}
	d.check.file = new(File)
	version, resources := false, false
	var encrypted error // unless there is a version
	err := d.s.Object(func(name string) error {
		switch {
		case name == "version":
			version = true
			return d.version()
		case name == "encrypted_data" && encrypted == nil:
			encrypted = d.s.Fail(ErrEncrypted)
		case name == "resources" && resources:
			return d.s.Fail(errLate)
		}
		d.begun = d.begun || name == "resources" || folded(name) == "modules" || folded(name) == "backend"
		if d.is3 {
			return d.top3(name)
		}
		resources = resources || name == "resources"
		return d.top(name)
	})
	if err == nil {
		err = d.s.End()
	}
	if !version && encrypted != nil {
		return wireError(encrypted)
	}
	if err == nil && d.backend && !d.content {
		return otherwise([]byte(`{"version":3,"backend":{}}`), nil)
	}
	if err == nil && !version {
		err = &Error{Line: 1, Column: 1, Err: fmt.Errorf("%w: the text has no member version, so it is not a state", ErrKind)}
	}
	return wireError(err)
}

// version reads the version of the format.
func (d *reader) version() error {
	v, err := d.s.Raw()
	if err != nil {
		return err
	}
	if string(v) == "3" && !d.begun {
		d.is3 = true
		return nil
	}
	if d.is3 && d.begun {
		return d.s.Fail(errLate)
	}
	d.is3 = false
	text := []byte(`{"version":` + string(v) + `}`)
	if err := otherwise(text, d.check.file.UnmarshalJSON(text)); err != nil {
		return d.fail(err)
	}
	return d.good((*checker).numbers)
}

// top reads a member of the document other than its version.
func (d *reader) top(name string) error {
	f := d.check.file
	switch name {
	case "resources":
		return d.s.Array(d.resource)
	case "terraform_version", "lineage":
		text, err := d.s.Text()
		if name == "terraform_version" && err == nil {
			f.TerraformVersion = text
			err = d.good((*checker).version)
		}
		return err
	case "serial":
		v, err := d.s.Raw()
		if err != nil {
			return err
		}
		if err := f.UnmarshalJSON([]byte(`{"version":4,"serial":` + string(v) + `}`)); err != nil {
			return d.fail(err)
		}
		return d.good((*checker).numbers)
	case "outputs":
		return d.s.Object(func(name string) error {
			o, err := wire.Next[Output](d.s, outputTable)
			if err != nil {
				return err
			}
			f.Outputs = map[string]*Output{name: o}
			return d.good((*checker).outputs)
		})
	case "check_results":
		return d.s.Array(func() error {
			r, err := wire.Next[CheckResult](d.s, checkResultTable)
			if err != nil {
				return err
			}
			f.CheckResults = []*CheckResult{r}
			return d.good((*checker).checks)
		})
	}
	return d.s.Skip()
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
	ready := false // the objects can be passed on
	begin := func() (err error) {
		if ready {
			return nil
		}
		if err := d.good(func(c *checker) { c.resource(0, r) }); err != nil {
			return err
		}
		if r.Module != d.module.String() {
			d.module, err = r.moduleInstance()
		}
		if err == nil {
			address, err = r.in(d.module)
		}
		ready, d.before = true, nil
		return err
	}
	err := d.s.Object(func(name string) error {
		if name != "instances" {
			if !ready {
				return d.member(r, name)
			}
			return d.late(r, name)
		}
		if ready {
			return d.s.Fail(errLate)
		}
		if held != nil || r.Type == "" || r.Name == "" || r.Mode == "" || r.Provider == "" {
			var err error
			held, err = d.s.Raw()
			return err
		}
		if err := begin(); err != nil {
			return err
		}
		return d.s.Array(func() error {
			if d.skim != nil {
				if done, err := d.skim(address, r); done || err != nil {
					return err
				}
			}
			o, err := wire.Next[InstanceObject](d.s, instanceObjectTable)
			if err != nil {
				return err
			}
			return d.object(address, r, o)
		})
	})
	if err != nil {
		return err
	}
	d.last = *r
	if err := begin(); err != nil || held == nil {
		return err
	}
	list, err := decodeInstances(held)
	if err != nil {
		return d.fail(err)
	}
	for _, o := range list {
		if err := d.object(address, r, o); err != nil {
			return err
		}
	}
	return nil
}

// late reads a member of a resource whose instances have been passed on.
func (d *reader) late(r *Resource, name string) error {
	at := d.s.Fail(errLate)
	now := Resource{Module: r.Module, Mode: r.Mode, Type: r.Type, Name: r.Name, Each: r.Each, Provider: r.Provider}
	if err := d.member(&now, name); err != nil {
		return err
	}
	if now.Module != r.Module || now.Mode != r.Mode || now.Type != r.Type || now.Name != r.Name || now.Each != r.Each || now.Provider != r.Provider {
		return at
	}
	return nil
}

// object checks an object and passes it on.
func (d *reader) object(address addrs.AbsResource, r *Resource, o *InstanceObject) error {
	before := d.before
	err := d.good(func(c *checker) {
		list := r.Instances
		if r.Instances = []*InstanceObject{before, o}; before == nil {
			r.Instances = []*InstanceObject{o}
		}
		c.instance(0, len(r.Instances)-1, r, o)
		if r.Instances = list; before != nil && c.err == nil && before.Key() == o.Key() && before.Deposed == o.Deposed {
			c.err = fmt.Errorf("%w: the object occurs twice in the state", ErrInvalid)
		}
	})
	if err != nil {
		return err
	}
	d.before = o
	if !d.yield(address, r, o) {
		return errStop
	}
	return nil
}

// good returns the fault that a check finds, at the stream's place.
func (d *reader) good(check func(c *checker)) error {
	d.check.err = nil
	if check(&d.check); d.check.err != nil {
		return d.fail(d.check.err)
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
	text := func(p *string, last string) { *p, err = d.s.TextLike(last) }
	switch name {
	case "module":
		text(&r.Module, d.last.Module)
	case "mode":
		text((*string)(&r.Mode), string(d.last.Mode))
	case "type":
		text(&r.Type, d.last.Type)
	case "name":
		text(&r.Name, d.last.Name)
	case "each":
		text(&r.Each, d.last.Each)
	case "provider":
		text(&r.Provider, d.last.Provider)
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
