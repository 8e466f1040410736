// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// Move gives an object another address, as "state mv" does: a module instance with everything
// below it, a resource with all its instances, or a resource instance. The address of a
// resource without a key also denotes its only instance, which can then get a key.
//
// The error wraps [ErrRefused] for what the tools refuse: a source that is not in
// the state, a target that already exists, another resource type, a managed
// resource that would become a data source or the reverse. f is then unchanged. The
// serial rises by one.
//
// As the tools do, Move drops all dependencies of each object that depends on the
// source: the next run of the tool finds them again.
func (f *File) Move(from, to addrs.Target) error {
	if err := f.ready(); err != nil {
		return err
	}
	if m, ok := from.ModuleInstance(); ok {
		return f.moveModule(m, to)
	}
	if r, ok := from.AbsResource(); ok {
		found := f.objectsOf(r)
		switch {
		case found == nil:
			return refuse("the state has no resource %s", r)
		case slices.ContainsFunc(found.objects, func(o *InstanceObject) bool { return o.Key().IsNone() }):
			return f.moveInstance(r.Instance(addrs.NoKey), to)
		}
		return f.moveResource(r, to)
	}
	if i, ok := from.AbsResourceInstance(); ok {
		return f.moveInstance(i, to)
	}
	return refuse("there is no source")
}

// located is what a state has of one resource, which can be in several places.
type located struct {
	resources []*Resource
	objects   []*InstanceObject
}

// objectsOf returns what f has of a resource, nil if it is not there.
func (f *File) objectsOf(address addrs.AbsResource) *located {
	var found *located
	for _, r := range f.Resources {
		if a, err := r.address(); err == nil && a == address {
			if found == nil {
				found = new(located)
			}
			found.resources = append(found.resources, r)
			found.objects = append(found.objects, r.Instances...)
		}
	}
	return found
}

// moduleOf returns the module instance of a resource.
func moduleOf(r *Resource) (m addrs.ModuleInstance, ok bool) {
	if r.Module == "" {
		return m, true
	}
	m, err := addrs.ParseModuleInstance(r.Module)
	return m, err == nil
}

// under returns the address of m after the module instance from, at its beginning,
// has become to. It reports false if m does not begin with from.
func under(m, from, to addrs.ModuleInstance) (moved addrs.ModuleInstance, ok bool) {
	moved = to
	steps := make([]func() bool, 0, m.Len())
	prefix := addrs.ModuleInstance{}
	depth := 0
	for name, key := range m.Steps() {
		var err error
		if depth++; depth <= from.Len() {
			if prefix, err = prefix.Child(name, key); err != nil {
				return moved, false
			}
			continue
		}
		steps = append(steps, func() bool {
			moved, err = moved.Child(name, key)
			return err == nil
		})
	}
	if prefix != from {
		return moved, false
	}
	for _, step := range steps {
		if !step() {
			return moved, false
		}
	}
	return moved, true
}

func (f *File) moveModule(from addrs.ModuleInstance, target addrs.Target) error {
	to, ok := target.ModuleInstance()
	if !ok {
		return refuse("%s is a module instance, and can only become one", from)
	}
	there := make(map[addrs.ModuleInstance]bool)
	for _, r := range f.Resources {
		if m, ok := moduleOf(r); ok {
			there[m] = true
		}
	}
	moves := make(map[addrs.ModuleInstance]addrs.ModuleInstance)
	for m := range there {
		if moved, ok := under(m, from, to); ok {
			if there[moved] {
				return refuse("the state already has a module instance %s", moved)
			}
			moves[m] = moved
		}
	}
	if len(moves) == 0 {
		return refuse("the state has no module instance %s", from)
	}
	var moved, rest []*Resource
	for _, r := range f.Resources {
		if m, ok := moduleOf(r); ok {
			if other, ok := moves[m]; ok {
				r.Module = other.String()
				moved = append(moved, r)
				continue
			}
		}
		rest = append(rest, r)
	}
	f.Resources = merged(rest, moved)
	for m := range moves {
		f.dropDependencies(m.Target())
	}
	f.changed()
	return nil
}

// merged returns rest with the resources of moved at their places.
func merged(rest, moved []*Resource) []*Resource {
	slices.SortStableFunc(moved, compareText)
	list := make([]*Resource, 0, len(rest)+len(moved))
	for _, r := range rest {
		for len(moved) > 0 && compareText(r, moved[0]) > 0 {
			list, moved = append(list, moved[0]), moved[1:]
		}
		list = append(list, r)
	}
	return append(list, moved...)
}

// movable returns an error if a resource cannot become another one.
func movable(from, to addrs.AbsResource) error {
	switch a, b := from.Resource(), to.Resource(); {
	case a.Mode() != b.Mode():
		return refuse("%s and %s are not of the same mode", from, to)
	case a.Type() != b.Type():
		return refuse("%s and %s are not of the same resource type", from, to)
	}
	return nil
}

// rename gives r another address.
func (r *Resource) rename(to addrs.AbsResource) {
	r.Module = to.Module().String()
	r.Name = to.Resource().Name()
}

func (f *File) moveResource(from addrs.AbsResource, target addrs.Target) error {
	to, ok := target.AbsResource()
	if !ok {
		return refuse("%s is a whole resource, and can only become one", from)
	}
	if err := movable(from, to); err != nil {
		return err
	}
	if f.objectsOf(to) != nil {
		return refuse("the state already has a resource %s", to)
	}
	moved := f.objectsOf(from).resources
	f.Resources = slices.DeleteFunc(slices.Clone(f.Resources), func(r *Resource) bool { return slices.Contains(moved, r) })
	for _, r := range moved {
		r.rename(to)
		f.Resources = insert(f.Resources, r, compareText)
	}
	f.dropDependencies(from.Target())
	f.changed()
	return nil
}

func (f *File) moveInstance(from addrs.AbsResourceInstance, target addrs.Target) error {
	to, ok := target.AbsResourceInstance()
	if !ok {
		r, ok := target.AbsResource()
		if !ok {
			return refuse("%s is a resource instance, and can only become one", from)
		}
		to = r.Instance(addrs.NoKey)
	}
	if err := movable(from.AbsResource(), to.AbsResource()); err != nil {
		return err
	}
	has := func(l *located, key addrs.InstanceKey) bool {
		return l != nil && slices.ContainsFunc(l.objects, func(o *InstanceObject) bool { return o.Key() == key })
	}
	there, source := f.objectsOf(to.AbsResource()), f.objectsOf(from.AbsResource())
	if has(there, to.Key()) {
		return refuse("the state already has a resource instance %s", to)
	}
	if !has(source, from.Key()) {
		return refuse("the state has no resource instance %s", from)
	}
	f.carry(from, to, source, there)
	f.dropDependencies(from.Target())
	f.changed()
	return nil
}

// carry moves the objects of an instance.
func (f *File) carry(from, to addrs.AbsResourceInstance, source, there *located) {
	if from.AbsResource() == to.AbsResource() {
		for _, r := range source.resources {
			for _, o := range r.Instances { // of the list as it is now
				if o.Key() == from.Key() {
					o.setKey(to.Key())
					r.Instances = insert(slices.DeleteFunc(slices.Clone(r.Instances), func(p *InstanceObject) bool { return p == o }), o, compareObjects)
				}
			}
		}
		return
	}
	if there == nil && len(source.resources) == 1 && !slices.ContainsFunc(source.objects, func(o *InstanceObject) bool { return o.Key() != from.Key() }) {
		// The whole resource goes, with what else its text has.
		r := source.resources[0]
		f.Resources = slices.DeleteFunc(slices.Clone(f.Resources), func(s *Resource) bool { return s == r })
		r.rename(to.AbsResource())
		for _, o := range r.Instances {
			o.setKey(to.Key())
		}
		f.Resources = insert(f.Resources, r, compareText)
		return
	}
	var moved []*InstanceObject
	provider := ""
	for _, r := range source.resources {
		provider = r.Provider
		rest := []*InstanceObject{}
		for _, o := range r.Instances {
			if o.Key() == from.Key() {
				moved = append(moved, o)
			} else {
				rest = append(rest, o)
			}
		}
		r.Instances = rest
		r.settleProviders()
		if len(rest) == 0 {
			f.Resources = slices.DeleteFunc(slices.Clone(f.Resources), func(s *Resource) bool { return s == r })
		}
	}
	var r *Resource
	if there != nil {
		r = there.resources[0]
	} else {
		local := to.Resource()
		r = &Resource{Mode: local.Mode(), Type: local.Type(), Name: local.Name(), Module: to.Module().String(), Provider: provider, Instances: []*InstanceObject{}}
		f.Resources = insert(f.Resources, r, compareText)
	}
	for _, o := range moved {
		o.setKey(to.Key())
		o.Provider = providerAt(r, o)
		r.Instances = insert(r.Instances, o, compareObjects)
	}
	r.settleProviders()
}

// providerAt returns the address of the provider configuration of an object that
// comes to a resource: the resource's configuration with the object's key.
func providerAt(r *Resource, o *InstanceObject) string {
	config := r.Provider
	if config == "" && len(r.Instances) > 0 {
		config = r.Instances[0].Provider
	}
	own, err := addrs.ParseAbsProviderConfig(o.Provider)
	if config == "" {
		return o.Provider
	}
	there, err2 := addrs.ParseAbsProviderConfig(config)
	if err2 != nil || r.Provider != "" && (err != nil || own.Key().IsNone()) {
		return ""
	}
	key := addrs.NoKey
	if err == nil {
		key = own.Key()
	}
	c, err := addrs.NewAbsProviderConfig(there.Module(), there.Provider(), there.Alias(), key)
	if err != nil {
		return ""
	}
	return c.String()
}

// setKey gives o another instance key.
func (o *InstanceObject) setKey(key addrs.InstanceKey) {
	if o.Key() == key {
		return
	}
	o.IndexKey = nil
	if n, ok := key.Int(); ok {
		o.IndexKey = planjson.Literal(n)
	} else if text, ok := key.Str(); ok {
		o.IndexKey = planjson.Literal(text)
	}
}

// dropDependencies drops the dependencies of each current object of which one is in
// what was moved, or has it in it.
func (f *File) dropDependencies(source addrs.Target) {
	var inModule addrs.ModuleInstance
	isModule := false
	inModule, isModule = source.ModuleInstance()
	var config addrs.ConfigResource
	if r, ok := source.AbsResource(); ok {
		config = r.Config()
	} else if i, ok := source.AbsResourceInstance(); ok {
		config = i.Config()
	}
	touches := func(dependency string) bool {
		a, err := addrs.ParseAbsResource(dependency)
		if err != nil {
			return false
		}
		if isModule {
			return containsCall(inModule, a.Config().Module())
		}
		return a.Config() == config
	}
	for _, r := range f.Resources {
		for _, o := range r.Instances {
			if o.Deposed == "" && slices.ContainsFunc(o.Dependencies, touches) {
				o.Dependencies = nil
			}
		}
	}
}

// containsCall reports whether a module instance without any key is, or has below it,
// the module of a path.
func containsCall(m addrs.ModuleInstance, path addrs.Module) bool {
	var names []string
	for name := range path.Calls() {
		names = append(names, name)
	}
	i := 0
	for name, key := range m.Steps() {
		if i >= len(names) || names[i] != name || !key.IsNone() {
			return false
		}
		i++
	}
	return true
}
