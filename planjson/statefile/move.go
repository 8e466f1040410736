// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"cmp"
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
func (f *File) Move(from, to addrs.Target) error { return f.MoveTo(f, from, to) }

// MoveTo is like [File.Move], but takes the object out of f and puts it into another state, as
// "state mv -state-out" does. [New] makes a state that does not exist yet. The serials of both
// rise by one; an error leaves both unchanged.
//
// As the tools do, MoveTo drops all dependencies of each object in the other state that depends
// on the source's address. Objects that stay in f keep their dependencies, even on objects that
// have moved.
//
// The objects keep referring to the text of f. [ReplaceFiles] writes both states, or none.
func (f *File) MoveTo(other *File, from, to addrs.Target) error {
	if err := cmp.Or(f.ready(), other.ready()); err != nil {
		return err
	}
	m := move{f, other}
	err := refuse("there is no source")
	if a, ok := from.ModuleInstance(); ok {
		err = m.module(a, to)
	} else if r, ok := from.AbsResource(); ok {
		found := f.objectsOf(r)
		switch {
		case found == nil:
			err = refuse("the state has no resource %s", r)
		case slices.ContainsFunc(found.objects, func(o *InstanceObject) bool { return o.Key().IsNone() }):
			err = m.instance(r.Instance(addrs.NoKey), to)
		default:
			err = m.resource(r, to)
		}
	} else if i, ok := from.AbsResourceInstance(); ok {
		err = m.instance(i, to)
	}
	if err != nil {
		return err
	}
	if f.changed(); other != f {
		other.changed()
		if f.older != nil {
			other.quoteProviders("") // of what came from f
		}
	}
	return nil
}

// A move takes objects out of one state and puts them into another one, or the same.
type move struct{ from, to *File }

// New returns a state without objects, of a new history: its lineage is random, its serial 0.
// Version is the release of the tool that it is for, such as 1.12.6.
func New(version string) *File {
	return &File{Version: 4, TerraformVersion: version, Lineage: randomID(), Outputs: map[string]*Output{}, Resources: []*Resource{}}
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

// module moves a module instance with all below it.
func (m move) module(from addrs.ModuleInstance, target addrs.Target) error {
	to, ok := target.ModuleInstance()
	if !ok {
		return refuse("%s is a module instance, and can only become one", from)
	}
	there := make(map[addrs.ModuleInstance]bool)
	for _, r := range m.to.Resources {
		if a, ok := moduleOf(r); ok {
			there[a] = true
		}
	}
	moves := make(map[addrs.ModuleInstance]addrs.ModuleInstance)
	for _, r := range m.from.Resources {
		a, ok := moduleOf(r)
		if !ok || moves[a].Len() > 0 {
			continue
		}
		if moved, ok := under(a, from, to); ok {
			if there[moved] {
				return refuse("the state already has a module instance %s", moved)
			}
			moves[a] = moved
		}
	}
	if len(moves) == 0 {
		return refuse("the state has no module instance %s", from)
	}
	moved, rest := []*Resource{}, []*Resource{}
	for _, r := range m.from.Resources {
		if a, ok := moduleOf(r); ok {
			if other, ok := moves[a]; ok {
				r.Module = other.String()
				moved = append(moved, r)
				continue
			}
		}
		rest = append(rest, r)
	}
	m.from.Resources = rest
	m.to.Resources = merged(m.to.Resources, moved)
	for a := range moves {
		m.to.dropDependencies(a.Target())
	}
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

// resource moves a resource with all its instances.
func (m move) resource(from addrs.AbsResource, target addrs.Target) error {
	to, ok := target.AbsResource()
	if !ok {
		return refuse("%s is a whole resource, and can only become one", from)
	}
	if err := movable(from, to); err != nil {
		return err
	}
	if m.to.objectsOf(to) != nil {
		return refuse("the state already has a resource %s", to)
	}
	for _, r := range m.from.objectsOf(from).resources {
		m.resourceTo(r, to)
	}
	m.to.dropDependencies(from.Target())
	return nil
}

// resourceTo moves a resource, with what else its text has.
func (m move) resourceTo(r *Resource, to addrs.AbsResource) {
	m.from.Resources = slices.DeleteFunc(slices.Clone(m.from.Resources), func(s *Resource) bool { return s == r })
	r.rename(to)
	m.to.Resources = insert(m.to.Resources, r, compareText)
}

// instance moves a resource instance.
func (m move) instance(from addrs.AbsResourceInstance, target addrs.Target) error {
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
	there, source := m.to.objectsOf(to.AbsResource()), m.from.objectsOf(from.AbsResource())
	if has(there, to.Key()) {
		return refuse("the state already has a resource instance %s", to)
	}
	if !has(source, from.Key()) {
		return refuse("the state has no resource instance %s", from)
	}
	m.carry(from, to, source, there)
	m.to.dropDependencies(from.Target())
	return nil
}

// carry moves the objects of an instance.
func (m move) carry(from, to addrs.AbsResourceInstance, source, there *located) {
	if m.from == m.to && from.AbsResource() == to.AbsResource() {
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
		m.resourceTo(source.resources[0], to.AbsResource())
		for _, o := range source.objects {
			o.setKey(to.Key())
		}
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
			m.from.Resources = slices.DeleteFunc(slices.Clone(m.from.Resources), func(s *Resource) bool { return s == r })
		}
	}
	var r *Resource
	if there != nil {
		r = there.resources[0]
	} else {
		local := to.Resource()
		r = &Resource{Mode: local.Mode(), Type: local.Type(), Name: local.Name(), Module: to.Module().String(), Provider: provider, Instances: []*InstanceObject{}}
		m.to.Resources = insert(m.to.Resources, r, compareText)
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
