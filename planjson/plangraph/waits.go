// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
)

// An operation waits for more than its values are made of: with a reference to an
// output it waits for the depends_on of the output, with a reference to a whole
// module for everything in it, and with anything in a module for the expansion of the
// module. So references that can lead to one of these are resolved here again, to steps.

// A waiting is something that is resolved once: a variable, local, output or ephemeral
// resource, everything in a module, or the other instances of one.
type waiting struct {
	in   *module
	name string
}

// once returns the step of a waiting.
func (o *orderer) once(in *module, name string, needs func() []*orderNode) *orderNode {
	key := waiting{in, name}
	s := o.waitings[key]
	if s == nil {
		s = &orderNode{}
		o.waitings[key] = s
		s.needs = needs()
	}
	return s
}

// waits returns what expressions in an instance of a module wait for. Of for_each
// they know no more than where it is, and that waits by itself: it is an argument of a
// resource, and a part of the expansion of a module.
func (o *orderer) waits(in *module, refs []addrs.Reference) (steps []*orderNode) {
	for _, ref := range refs {
		switch ref.Kind() {
		case addrs.VariableReference:
			if in.parent != nil && in.call != nil {
				steps = append(steps, o.once(in, "var."+ref.Name(), func() []*orderNode {
					return append(o.waits(in.parent, in.call.arguments[ref.Name()]), o.expansion(in))
				}))
			}
		case addrs.LocalReference:
			steps = append(steps, o.once(in, "local."+ref.Name(), func() []*orderNode {
				return append(o.waits(in, parsed(o.x.locals[in.config.path][ref.Name()])), o.expansion(in))
			}))
		case addrs.ResourceReference:
			steps = append(steps, o.resource(in, ref)...)
		case addrs.ModuleOutputReference:
			steps = append(steps, o.once(in, ref.Subject().String(), func() (all []*orderNode) {
				for _, m := range o.called(in, ref) {
					all = append(all, o.output(m, ref.Name()))
				}
				return all
			}))
		case addrs.ModuleReference:
			name, _ := ref.ModuleCall()
			steps = append(steps, o.once(in, "module."+name, func() (all []*orderNode) {
				for _, m := range o.instancesOf(in, name) {
					all = append(all, o.contents(m))
				}
				return all
			}))
		}
	}
	return steps
}

// resource returns the steps of a reference to a resource.
func (o *orderer) resource(in *module, ref addrs.Reference) (steps []*orderNode) {
	r, ok := ref.Resource()
	if !ok {
		return nil
	}
	if g := in.groups[r.String()]; g != nil {
		for _, t := range pick(g, false, ref.Key(), "", true) {
			steps = append(steps, o.all(t.to))
		}
		return steps
	}
	b := in.config.blocks[r.String()]
	if b == nil || r.Mode() != addrs.Ephemeral {
		return nil
	}
	return []*orderNode{o.once(in, r.String(), func() []*orderNode {
		steps := []*orderNode{o.expansion(in)}
		for _, a := range b.arguments {
			steps = append(steps, o.waits(in, a.refs)...)
		}
		return append(steps, o.waits(in, b.dependsOn)...)
	})}
}

// output returns the step of an output of a module.
func (o *orderer) output(m *module, name string) *orderNode {
	return o.once(m, "output."+name, func() []*orderNode {
		steps := []*orderNode{o.expansion(m)}
		if of := m.config.outputs[name]; of != nil {
			steps = append(steps, o.waits(m, of.value)...)
			steps = append(steps, o.waits(m, of.dependsOn)...)
		}
		return steps
	})
}

// contents returns the step in which everything in a module has ended.
func (o *orderer) contents(m *module) *orderNode {
	return o.once(m, "", func() []*orderNode {
		steps := []*orderNode{o.expansion(m)}
		for _, name := range slices.Sorted(maps.Keys(m.groups)) {
			steps = append(steps, o.all(m.groups[name].one(false)))
		}
		for _, name := range m.config.names {
			steps = append(steps, o.output(m, name))
		}
		for _, name := range slices.Sorted(maps.Keys(m.config.calls)) {
			for _, below := range o.instancesOf(m, name) {
				steps = append(steps, o.contents(below))
			}
		}
		return steps
	})
}

// expansion returns the step in which the instances of a module become known.
func (o *orderer) expansion(m *module) *orderNode {
	return o.once(m, "expand", func() (steps []*orderNode) {
		if m.parent != nil {
			steps = append(steps, o.expansion(m.parent))
			if m.call != nil {
				steps = append(steps, o.waits(m.parent, m.call.expand)...)
				steps = append(steps, o.waits(m.parent, m.call.dependsOn)...)
			}
		}
		return steps
	})
}

// called returns the instances of a module that a reference to an output of it means.
func (o *orderer) called(in *module, ref addrs.Reference) []*module {
	name, ok := ref.ModuleCall()
	if !ok {
		return nil
	}
	key := ref.Key()
	if key.IsNone() {
		return o.instancesOf(in, name)
	}
	return []*module{o.at(in, name, join(in.address, "module."+name)+key.String())}
}

// instancesOf returns the instances of a module. For those without resources, which a
// plan does not list, one stands for all.
func (o *orderer) instancesOf(in *module, name string) []*module {
	if list := in.calls[name]; len(list) > 0 {
		return list
	}
	if in.config.calls[name] == nil {
		return nil
	}
	return []*module{o.at(in, name, join(in.address, "module."+name))}
}

// at returns the instance of a module at an address.
func (o *orderer) at(in *module, name, address string) *module {
	m := o.x.modules[address]
	if m == nil {
		m = o.empty[address]
	}
	if m == nil {
		m = &module{address: address, parent: in, config: o.x.configs[join(in.config.path, "module."+name)], call: in.config.calls[name]}
		if m.config == nil {
			m.config = &moduleConfig{}
		}
		o.empty[address] = m
	}
	return m
}
