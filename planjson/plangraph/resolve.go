// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// A scope is the place of evaluation of an expression: an instance of a module,
// and a block with for_each around it, whose keys and values it can use.
type scope struct {
	in   *module
	each []addrs.Reference // of for_each, evaluated in the same module
	gone bool              // by an instance that the plan removes
}

// heldBy resolves the references of an instance.
func (x *Instances) heldBy(i *Instance) (all []held) {
	s := scope{in: i.in, gone: i.IsGone()}
	add := func(at string, targets []target) {
		if len(targets) > 0 {
			all = append(all, held{at, targets})
		}
	}
	switch i.Kind {
	case Output:
		if o := x.root.config.outputs[strings.TrimPrefix(i.Address, "output.")]; o != nil {
			add("", x.references(s, o.value))
			add("depends_on", x.dependencies(s, o.dependsOn))
		}
	case Resource:
		b := i.block
		if b == nil {
			return nil
		}
		all = make([]held, 0, len(b.arguments)+1)
		for _, a := range b.arguments {
			s.each = nil
			if a.each {
				s.each = b.forEach
			}
			add(a.at, x.references(s, a.refs))
		}
		s.each = b.forEach
		if texts := x.trigger[i.in.config.path][resourceAddress(i.Mode, i.Type, b.name)]; len(texts) > 0 {
			add(triggeredBy, x.triggers(s, texts))
		}
		s.each = nil
		dependsOn := x.dependencies(s, b.dependsOn)
		for m := i.in; m.parent != nil; m = m.parent {
			if m.call != nil && len(m.call.dependsOn) > 0 {
				dependsOn = append(dependsOn, x.dependencies(scope{in: m.parent, gone: s.gone}, m.call.dependsOn)...)
			}
		}
		add("depends_on", unique(dependsOn))
	}
	return all
}

// triggers returns the targets of references in replace_triggered_by. Each is a
// target of its own, except those such as each.key, which can only be an index.
func (x *Instances) triggers(s scope, texts []string) (all []target) {
	refs, alone := parsed(texts), true
	for _, ref := range refs {
		alone = alone && ref.Kind() == addrs.ResourceReference
	}
	for _, ref := range refs {
		if ref.Kind() == addrs.ResourceReference {
			all = append(all, x.reference(s, ref, alone)...)
		}
	}
	return unique(all)
}

// parsed returns the references of their texts as in expressions, each once.
func parsed(texts []string) (refs []addrs.Reference) {
	for _, text := range texts {
		if ref, err := addrs.ParseReference(text); err == nil {
			refs = append(refs, ref)
		}
	}
	return onceEach(refs)
}

// dependencies returns the targets of references in depends_on. For a module
// they are everything in it.
func (x *Instances) dependencies(s scope, refs []addrs.Reference) (all []target) {
	for _, ref := range refs {
		if ref.Kind() != addrs.ModuleReference {
			for _, t := range x.reference(s, ref, true) {
				t.certain = true // it waits for all of them
				all = append(all, t)
			}
			continue
		}
		name, _ := ref.ModuleCall()
		for _, m := range s.in.calls[name] {
			if in := x.contents(m); len(in.list) > 0 {
				all = append(all, target{to: in, certain: true})
			}
		}
	}
	return unique(all)
}

// contents returns all resource instances in a module and below it that the plan
// leaves.
func (x *Instances) contents(m *module) *set {
	if m.all != nil {
		return m.all
	}
	m.all = &set{}
	for below := range m.below() {
		for _, g := range below.groups {
			m.all.list = append(m.all.list, g.live.list...)
		}
	}
	slices.SortFunc(m.all.list, func(a, b *Instance) int { return strings.Compare(a.Address, b.Address) })
	if len(m.all.list) == 1 {
		m.all = &m.all.list[0].alone
		return m.all
	}
	for _, i := range m.all.list {
		i.sets = append(i.sets, m.all)
	}
	return m.all
}

// below returns an iterator over a module and all modules in it.
func (m *module) below() func(func(*module) bool) {
	return func(yield func(*module) bool) {
		for list := []*module{m}; len(list) > 0; {
			m := list[len(list)-1]
			list = list[:len(list)-1]
			if !yield(m) {
				return
			}
			for _, calls := range m.calls {
				list = append(list, calls...)
			}
		}
	}
}

// references returns the targets of an expression with these references. Next
// to a reference to a block with several instances, the others may select the
// instance.
func (x *Instances) references(s scope, refs []addrs.Reference) (all []target) {
	if len(refs) == 1 {
		return x.reference(s, refs[0], true)
	}
	for _, ref := range refs {
		all = append(all, x.reference(s, ref, false)...)
	}
	return unique(all)
}

// reference resolves one reference. It is alone if nothing else in its expression
// can say which of several instances is meant.
func (x *Instances) reference(s scope, ref addrs.Reference, alone bool) []target {
	switch ref.Kind() {
	case addrs.VariableReference:
		return part(ref, x.variable(s, ref))
	case addrs.LocalReference:
		return part(ref, x.local(s, ref))
	case addrs.ResourceReference:
		r, ok := ref.Resource()
		if !ok {
			return nil
		}
		g := s.in.groups[r.String()]
		if g == nil {
			return x.ephemeral(s, r)
		}
		return pick(g, s.gone, ref.Key(), pathOf(ref), alone)
	case addrs.ModuleOutputReference, addrs.ModuleReference:
		return x.fromModule(s, ref, alone)
	case addrs.EachReference:
		if len(s.each) == 0 {
			return nil
		}
		all := slices.Clone(x.references(scope{in: s.in, gone: s.gone}, s.each))
		n, _ := counted(all)
		several := n > 1
		for i := range all {
			all[i].certain = all[i].certain && !several
		}
		return all
	}
	return nil
}

// ephemeral follows an ephemeral resource to the references of its arguments. Such
// a resource is at most in the configuration of a plan.
func (x *Instances) ephemeral(s scope, r addrs.Resource) []target {
	b := s.in.config.blocks[r.String()]
	if b == nil || r.Mode() != addrs.Ephemeral {
		return nil
	}
	return x.once(s.in, r.String(), s.gone, func() (all []target) {
		for _, a := range b.arguments {
			of := scope{in: s.in, gone: s.gone}
			if a.each {
				of.each = b.forEach
			}
			all = append(all, x.references(of, a.refs)...)
		}
		return all
	})
}

// part returns the targets for a part of a value that is made of all these
// targets. It is not known which of several references is in that part.
func part(ref addrs.Reference, all []target) []target {
	if !ref.HasRemaining() || len(all) == 0 || len(all) == 1 && all[0].via == nil && len(all[0].to.list) == 1 {
		return all
	}
	return uncertain(all)
}

func uncertain(all []target) []target {
	all = slices.Clone(all)
	for i := range all {
		all[i].certain = false
	}
	return all
}

// pick returns the instance with a key, or without one all of them.
func pick(g *group, gone bool, key addrs.InstanceKey, path string, alone bool) []target {
	from := g.one(gone)
	if len(from.list) == 0 {
		return nil
	}
	if key.IsNone() {
		return []target{{to: from, path: path, certain: alone || len(from.list) == 1}}
	}
	at, found := slices.BinarySearchFunc(from.list, key, func(i *Instance, key addrs.InstanceKey) int { return i.Key.Compare(key) })
	if found {
		return []target{{to: &from.list[at].alone, path: path, certain: true}}
	}
	for _, one := range from.list {
		if one.Key == addrs.WildcardKey() { // it may be this one
			return []target{{to: &one.alone, path: path}}
		}
	}
	return nil
}

// once resolves a target of many references, and remembers it. A reference to
// itself, which no tool accepts, ends there.
func (x *Instances) once(m *module, key string, gone bool, resolve func() []target) []target {
	if gone {
		key += "\x00gone"
	}
	if t, ok := m.memo[key]; ok {
		return t
	}
	if m.active[key] {
		return nil
	}
	m.active[key] = true
	t := x.bundled(unique(resolve()))
	delete(m.active, key)
	m.memo[key] = t
	return t
}

// variable follows a variable to the call of its module instance.
func (x *Instances) variable(s scope, ref addrs.Reference) []target {
	if s.in.parent == nil {
		if i := x.byAddr["var."+ref.Name()]; i != nil && i.Kind == Variable {
			return []target{{to: &i.alone, path: pathOf(ref), certain: true}}
		}
		return nil
	}
	if s.in.call == nil {
		return nil
	}
	return x.once(s.in, "var."+ref.Name(), s.gone, func() []target {
		return x.references(scope{s.in.parent, s.in.call.forEach, s.gone}, s.in.call.arguments[ref.Name()])
	})
}

// local follows a local, if its references are known.
func (x *Instances) local(s scope, ref addrs.Reference) []target {
	return x.once(s.in, "local."+ref.Name(), s.gone, func() []target {
		references, known := x.locals[s.in.config.path][ref.Name()]
		if !known {
			address := join(s.in.address, "local."+ref.Name())
			i := x.byAddr[address]
			if i == nil {
				i = &Instance{Address: address, Kind: Local, Module: s.in.address, in: s.in}
				x.add(i)
			}
			return []target{{to: &i.alone}}
		}
		return x.references(scope{in: s.in, gone: s.gone}, parsed(references))
	})
}

// fromModule follows an output of a called module, or all of them.
func (x *Instances) fromModule(s scope, ref addrs.Reference, alone bool) []target {
	key := "call " + ref.Subject().String()
	if ref.HasRemaining() {
		key += "."
	}
	if alone {
		key += " alone"
	}
	return x.once(s.in, key, s.gone, func() []target { return x.outputsOf(s, ref, alone) })
}

// outputsOf is fromModule, once for each target.
func (x *Instances) outputsOf(s scope, ref addrs.Reference, alone bool) (all []target) {
	name, ok := ref.ModuleCall()
	if !ok {
		return nil
	}
	children := s.in.calls[name]
	call := s.in.config.calls[name]
	sure := alone || len(children) == 1 && call != nil && !call.repeated // instances without resources are not seen
	if key := ref.Key(); !key.IsNone() {
		at := join(s.in.address, "module."+name) + key.String()
		children, sure = []*module{x.module(at)}, true
	} else if len(children) == 0 && call != nil { // without resources
		children, sure = []*module{x.module(join(s.in.address, "module."+name))}, !call.repeated
	}
	for _, child := range children {
		names := []string{ref.Name()}
		if ref.Kind() == addrs.ModuleReference {
			names = child.config.names
			sure = sure && len(names) == 1 // which of the outputs is used is not known
		}
		for _, name := range names {
			targets := x.once(child, "output."+name, s.gone, func() []target {
				o := child.config.outputs[name]
				if o == nil {
					return nil
				}
				return x.references(scope{in: child, gone: s.gone}, o.value)
			})
			if ref.Kind() == addrs.ModuleOutputReference {
				targets = part(ref, targets)
			}
			for _, t := range targets {
				t.certain = t.certain && sure
				all = append(all, t)
			}
		}
	}
	return unique(all)
}

// unique leaves out duplicates.
func unique(all []target) []target {
	if len(all) < 2 {
		return all
	}
	type key struct {
		to   *set
		via  *bundle
		path string
	}
	at := make(map[key]int, len(all))
	out := make([]target, 0, len(all))
	for _, t := range all {
		k := key{t.to, t.via, t.path}
		if i, ok := at[k]; ok {
			out[i].certain = out[i].certain || t.certain
			continue
		}
		at[k] = len(out)
		out = append(out, t)
	}
	return out
}
