// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// An Instance is one object of a resource instance with its address and its
// resource.
type Instance struct {
	Address  addrs.AbsResourceInstance // of the resource instance
	Resource *Resource                 // from [Instances] without its list of instances
	Object   *InstanceObject           // never nil
	Provider string                    // the address of its provider configuration as written; see ProviderAddr
}

// ProviderAddr returns the address of the object's provider configuration, in whatever
// spelling the state has it: see [addrs.ParseRecordedProvider].
func (i Instance) ProviderAddr() (addrs.AbsProviderConfig, error) {
	return addrs.ParseRecordedProvider(i.Provider)
}

// newInstance returns an object with what belongs to it.
func newInstance(address addrs.AbsResourceInstance, r *Resource, o *InstanceObject) Instance {
	return Instance{address, r, o, cmp.Or(o.Provider, r.Provider)}
}

// Key returns the instance key, [addrs.NoKey] if there is none. It returns the
// same for an invalid key, which [Decode] refuses.
func (o *InstanceObject) Key() addrs.InstanceKey {
	if o == nil || o.IndexKey == nil {
		return addrs.NoKey
	}
	key, _ := keyOf(o.IndexKey)
	return key
}

// keyOf reads an instance key. The tools cut what a number has after the point.
func keyOf(v planjson.Value) (addrs.InstanceKey, error) {
	if v.IsNull() {
		return addrs.NoKey, nil
	}
	if text, ok := v.Text(); ok {
		return addrs.StringKey(text), nil
	}
	n, ok := v.Int64()
	if !ok && v.Kind() == planjson.KindNumber {
		if x, ok := v.Float64(); ok && x > -1 && x < math.MaxInt64 {
			return addrs.IntKey(int64(x)), nil
		}
	}
	if !ok || n < 0 {
		return addrs.NoKey, errors.New("an instance key is a text or a whole number that is not negative")
	}
	return addrs.IntKey(n), nil
}

// address returns the address of r, without a key.
func (r *Resource) address() (addrs.AbsResource, error) {
	module, err := r.moduleInstance()
	if err != nil {
		return addrs.AbsResource{}, err
	}
	return r.in(module)
}

// in is address with the module.
func (r *Resource) in(module addrs.ModuleInstance) (addrs.AbsResource, error) {
	local, err := addrs.NewResource(r.Mode, r.Type, r.Name)
	if err != nil {
		return addrs.AbsResource{}, err
	}
	return local.In(module), nil
}

func (r *Resource) moduleInstance() (m addrs.ModuleInstance, err error) {
	if r.Module != "" {
		m, err = addrs.ParseModuleInstance(r.Module)
	}
	return m, err
}

// All returns an iterator over the objects of all resource instances, in the
// order in which "state list" prints their addresses: modules by depth and name,
// then data sources, then resources by type, name and key. The deposed objects
// of an instance follow the current one, by key, and repeat its address; "state
// list" prints each address once, so skip repeated ones to print the same lines.
// Resources with an invalid address, which [Decode] refuses, are left out. All
// yields nothing if f is nil.
func (f *File) All() iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		if f == nil {
			return
		}
		for _, i := range f.sorted() {
			if !yield(i) {
				return
			}
		}
	}
}

// sorted returns the objects in the order of [File.All].
func (f *File) sorted() []Instance {
	type addressed struct {
		address addrs.AbsResource
		r       *Resource
	}
	resources := make([]addressed, 0, len(f.Resources))
	sorted, n := true, 0
	var last string // the module of the resource before
	var module addrs.ModuleInstance
	var err error
	for _, r := range f.Resources {
		if r == nil {
			continue
		}
		if r.Module != last || module.IsRoot() {
			last = r.Module
			if module, err = r.moduleInstance(); err != nil {
				last = ""
				continue
			}
		}
		if a, err := r.in(module); err == nil {
			sorted = sorted && (len(resources) == 0 || resources[len(resources)-1].address.Compare(a) <= 0)
			resources = append(resources, addressed{a, r})
			n += len(r.Instances)
		}
	}
	if !sorted {
		slices.SortStableFunc(resources, func(a, b addressed) int { return a.address.Compare(b.address) })
	}
	list := make([]Instance, 0, n)
	for i := 0; i < len(resources); {
		first, end := len(list), i
		for ; end < len(resources) && resources[end].address == resources[i].address; end++ {
			for _, o := range resources[end].r.Instances {
				if o != nil {
					list = append(list, newInstance(resources[i].address.Instance(o.Key()), resources[end].r, o))
				}
			}
		}
		slices.SortStableFunc(list[first:], func(a, b Instance) int {
			return cmp.Or(a.Address.Key().Compare(b.Address.Key()), cmp.Compare(a.Object.Deposed, b.Object.Deposed))
		})
		i = end
	}
	return list
}

// An Index finds the objects of a state by address. It describes the state as it
// was when the index was made. An index may be used by several goroutines at
// once.
type Index struct{ objects map[objectKey]Instance }

// objectKey identifies an object of a state.
type objectKey struct {
	address addrs.AbsResourceInstance
	deposed string
}

// NewIndex returns an index of f, which can be nil.
func NewIndex(f *File) *Index {
	x := &Index{make(map[objectKey]Instance)}
	for i := range f.All() {
		k := objectKey{i.Address, i.Object.Deposed}
		if _, ok := x.objects[k]; !ok {
			x.objects[k] = i
		}
	}
	return x
}

// Instance returns an object at this address, and reports whether there is one: the
// current object, or the deposed one with this key if it is not empty.
func (x *Index) Instance(address addrs.AbsResourceInstance, deposed string) (Instance, bool) {
	if x == nil {
		return Instance{}, false
	}
	i, ok := x.objects[objectKey{address, deposed}]
	return i, ok
}

// SensitivePaths returns the paths of the sensitive parts of the attributes, as
// [planjson.Value.Get] takes them: each step is a string or an int, -1 for an element of a
// set and for a key that leads nowhere. [InstanceObject.SensitiveValues] has the marks. States of
// OpenTofu and Terraform before 1.10 list only parts that are sensitive in the
// configuration, not attributes that the schema marks: [Show] with the schemas
// finds those. The error wraps [ErrInvalid] if the list contains anything but paths.
func (o *InstanceObject) SensitivePaths() ([][]any, error) {
	if o == nil || o.SensitiveAttributes == nil || o.SensitiveAttributes.IsNull() {
		return nil, nil
	}
	if o.SensitiveAttributes.Kind() != planjson.KindArray {
		return nil, fmt.Errorf("%w: not a list of paths", ErrInvalid)
	}
	var paths [][]any
	for _, p := range o.SensitiveAttributes.Elements() {
		if p.Kind() != planjson.KindArray && !p.IsNull() {
			return nil, fmt.Errorf("%w: a path is a list of steps", ErrInvalid)
		}
		path := []any{}
		for _, step := range p.Elements() {
			s, err := stepOf(step)
			if err != nil {
				return nil, err
			}
			path = append(path, s)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// stepOf reads a step of a path.
func stepOf(step planjson.Value) (any, error) {
	kind, _ := step.Member("type").Text()
	value := step.Member("value")
	switch kind {
	case "get_attr":
		if name, ok := value.Text(); ok || value.IsNull() { // as the tools read a null
			return name, nil
		}
	case "index":
		if value.IsNull() {
			return -1, nil // an element of a set, as a key of any other type
		}
		return indexOf(value)
	}
	return nil, errStep
}

var errStep = fmt.Errorf("%w: a step of a path is get_attr or index with its value", ErrInvalid)

// indexOf reads the key of an index step, a value with its type.
func indexOf(key planjson.Value) (any, error) {
	for name := range key.Members() {
		if name != "value" && name != "type" {
			return nil, errStep
		}
	}
	v, typ := key.Member("value"), key.Member("type")
	if v == nil || typ == nil {
		return nil, errStep
	}
	kind, _ := typ.Text()
	text, isText := v.ScalarText()
	switch {
	case kind == "string" && isText:
		return text, nil
	case kind == "number" && v.Kind() == planjson.KindNumber:
		if n, ok := v.Int64(); ok && n == int64(int(n)) {
			return int(n), nil
		}
		return -1, nil // leads nowhere
	}
	k, err := (&Output{Value: v, Type: typ}).Cty()
	if err != nil && !errors.Is(err, ErrLimit) {
		return nil, fmt.Errorf("%w: a key of an index step is not of its type: %w", ErrInvalid, causeOf(err))
	}
	if err == nil && k.Type() == cty.Number && !k.IsNull() { // a number in quotes
		if n, accuracy := k.AsBigFloat().Int64(); accuracy == big.Exact && n == int64(int(n)) {
			return int(n), nil
		}
	}
	return -1, nil
}

// Cty returns the output's value in its type. The value of a sensitive output is
// marked with [planjson.Sensitive]. See [planjson.Value.Cty] for errors.
func (o *Output) Cty() (cty.Value, error) {
	if o == nil {
		return cty.NilVal, &Error{Err: ErrAbsent}
	}
	t, err := planjson.ParseType(o.Type)
	if err != nil {
		return cty.NilVal, err
	}
	value, t, err := settled(o.Value, t)
	if err != nil {
		return cty.NilVal, err
	}
	v, err := value.Cty(t)
	if err == nil && o.Sensitive {
		v = v.Mark(planjson.Sensitive)
	}
	return v, err
}
