// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"cmp"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
)

// A plannedModule has what will be in an instance of a module.
type plannedModule struct {
	address   string
	resources []*resourceChange
	children  []*plannedModule
}

// plannedModules returns the modules with what they will contain. The modules in the root are sorted
// by address; those further below are in the order in which the plan first names them.
func (s *shower) plannedModules() *plannedModule {
	modules := map[addrs.ModuleInstance]*plannedModule{{}: {}}
	last := make(map[addrs.AbsResourceInstance]*resourceChange)
	for _, r := range s.plan.changes {
		if r.deposed == "" {
			last[r.addr] = r
		}
	}
	for _, r := range s.plan.changes {
		if r.deposed != "" || r.change.action == numberDelete || last[r.addr].change.action == numberDelete {
			continue
		}
		m := moduleAt(modules, r.addr.Module())
		m.resources = append(m.resources, last[r.addr])
	}
	root := modules[addrs.ModuleInstance{}]
	slices.SortFunc(root.children, func(a, b *plannedModule) int { return cmp.Compare(a.address, b.address) })
	return root
}

// moduleAt returns the module at an address, made with all above it if there is none. A new module comes
// before the modules above it that are new, as it does for the tools.
func moduleAt(modules map[addrs.ModuleInstance]*plannedModule, address addrs.ModuleInstance) *plannedModule {
	var made *plannedModule
	child := made
	for a := address; ; a = a.Parent() {
		m := modules[a]
		there := m != nil
		if !there {
			m = &plannedModule{address: a.String()}
			modules[a] = m
		}
		if made == nil {
			made = m
		}
		if child != nil {
			m.children = append(m.children, child)
		}
		if there {
			return made
		}
		child = m
	}
}

// plannedValues writes what will be there after apply, as far as it is known.
func (s *shower) plannedValues() error {
	s.name("planned_values")
	s.open('{')
	if err := s.plannedOutputs(); err != nil {
		return err
	}
	s.name("root_module")
	if err := s.plannedModule(s.plannedModules()); err != nil {
		return err
	}
	s.close('}')
	return nil
}

func (s *shower) plannedOutputs() error {
	begun := false
	for _, o := range s.outputsInOrder() {
		if o.change.action == numberDelete {
			continue
		}
		after, err := o.decoded(o.change.after)
		if err != nil {
			return err
		}
		if !begun {
			s.name("outputs")
			s.open('{')
			begun = true
		}
		s.name(o.name)
		s.open('{')
		s.bool("sensitive", o.sensitive)
		if after.IsWhollyKnown() {
			if !s.release.before(2) {
				t, err := after.Type().MarshalJSON()
				if err != nil {
					return invalid("%w", err)
				}
				s.raw("type", t)
			}
			s.name("value")
			s.text = s.known.append(s.text, after)
		}
		s.close('}')
	}
	if begun {
		s.close('}')
	}
	return nil
}

func (s *shower) plannedModule(m *plannedModule) error {
	s.open('{')
	if len(m.resources) > 0 {
		slices.SortFunc(m.resources, func(a, b *resourceChange) int { return cmp.Compare(a.address, b.address) })
		s.name("resources")
		s.open('[')
		for _, r := range m.resources {
			s.element()
			if err := s.plannedResource(r); err != nil {
				return inElement("resource_changes", r.index, err)
			}
		}
		s.close(']')
	}
	s.optional("address", m.address)
	if len(m.children) > 0 {
		s.name("child_modules")
		s.open('[')
		for _, child := range m.children {
			s.element()
			if err := s.plannedModule(child); err != nil {
				return err
			}
		}
		s.close(']')
	}
	s.close('}')
	return nil
}

func (s *shower) plannedResource(r *resourceChange) error {
	_, after, of, err := s.values(r)
	if err != nil {
		return err
	}
	s.open('{')
	s.member("address", r.address)
	s.resourceNames(r.addr)
	s.member("provider_name", r.provider.String())
	if of.block != nil {
		s.uint("schema_version", of.version)
	}
	if !after.IsNull() && after.IsKnown() {
		at := len(s.text)
		s.name("values")
		start := len(s.text)
		s.text = s.known.append(s.text, after)
		if string(s.text[start:]) == "{}" {
			s.text = s.text[:at]
		}
	}
	if err := s.sensitive("sensitive_values", after, of, r.change.sensitive[1], false); err != nil {
		return err
	}
	if identity, err := identityOf(r, r.change.identities[1], of); err != nil {
		return inField("change.after_identity", err)
	} else if !identity.IsNull() {
		version := uint64(0)
		if of.identity != nil {
			version = of.identity.Version
		}
		s.name("identity")
		s.text = s.known.append(s.text, identity)
		if of.block != nil {
			s.uint("identity_schema_version", version)
		}
	}
	s.close('}')
	return nil
}
