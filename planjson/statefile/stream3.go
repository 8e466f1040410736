// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// folded returns a name in lower case. The tools read the names of version 3 in any case.
func folded(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// top3 reads a member of a document of version 3 other than its version.
func (d *reader) top3(name string) error {
	switch name = folded(name); name {
	case "modules":
		return d.s.Array(d.module3)
	case "terraform_version", "serial", "lineage":
		return d.top(name)
	case "backend":
		d.backend = d.s.Kind() != 'n'
	}
	return d.s.Skip()
}

// next3 reads the value that comes next.
func (d *reader) next3(v any) error {
	text, err := d.s.Raw()
	if err == nil {
		if err = json.Unmarshal(text, v); err != nil {
			err = d.s.Fail(fmt.Errorf("%w: %w", ErrKind, err))
		}
	}
	return err
}

// module3 reads a module and passes on its instances.
func (d *reader) module3() error {
	var path []string
	module := ""
	err := d.s.Object(func(name string) (err error) {
		switch name = folded(name); name {
		case "path":
			if path != nil {
				return d.s.Fail(errLate)
			}
			if err = d.next3(&path); err == nil {
				if module, err = module3Of(path); err != nil {
					err = d.s.Fail(fmt.Errorf("%w: %w", ErrInvalid, err))
				}
			}
			return err
		case "outputs", "resources":
			if path == nil {
				return d.s.Fail(errLate)
			}
			return d.s.Object(func(member string) error {
				d.content = true
				if name == "resources" {
					return d.resource3(module, member)
				}
				return d.output3(module, member)
			})
		}
		return d.s.Skip()
	})
	if err == nil && path == nil {
		_, err = module3Of(nil)
		err = d.s.Fail(fmt.Errorf("%w: %w", ErrInvalid, err))
	}
	return err
}

// output3 reads an output, which only that of the root module is.
func (d *reader) output3(module, name string) error {
	if module != "" {
		return d.s.Skip()
	}
	var old *output3
	if err := d.next3(&old); err != nil {
		return err
	}
	o, err := old.upgrade()
	if err != nil {
		return d.s.Fail(fmt.Errorf("%w: %w", ErrInvalid, err))
	}
	d.check.file.Outputs = map[string]*Output{name: o}
	return d.good((*checker).outputs)
}

// resource3 reads a resource instance and passes on its objects.
func (d *reader) resource3(module, instance string) error {
	var old *resource3
	if err := d.next3(&old); err != nil {
		return err
	}
	resources := make(map[addrs.Resource]*Resource)
	if err := addInstance(resources, module, instance, old); err != nil {
		return d.s.Fail(fmt.Errorf("%w: %w", ErrInvalid, err))
	}
	for _, r := range resources { // one
		list := r.Instances
		r.Instances, d.before = nil, nil
		if err := d.good(func(c *checker) { c.resource(0, r) }); err != nil {
			return err
		}
		in, err := r.moduleInstance()
		if err != nil {
			return err
		}
		address, err := r.in(in)
		if err != nil {
			return err
		}
		slices.SortStableFunc(list, compareObjects)
		for _, o := range list {
			if err := d.object(address, r, o); err != nil {
				return err
			}
		}
	}
	return nil
}
