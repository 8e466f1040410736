// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"iter"
	"maps"
	"slices"
)

// all yields m and all module instances below it, each before its children.
func (m *Module) all(depth int, yield func(*Module) bool) bool {
	if m == nil || depth > maxNesting {
		return true
	}
	if !yield(m) {
		return false
	}
	for _, child := range m.ChildModules {
		if !child.all(depth+1, yield) {
			return false
		}
	}
	return true
}

// AllModules returns an iterator over all module instances, the root first. It
// yields nothing if v is nil.
func (v *Values) AllModules() iter.Seq[*Module] {
	if v == nil {
		return func(func(*Module) bool) {}
	}
	return func(yield func(*Module) bool) { v.RootModule.all(0, yield) }
}

// AllResources returns an iterator over the objects in all module instances. It
// yields nothing if v is nil.
func (v *Values) AllResources() iter.Seq[*Resource] {
	return func(yield func(*Resource) bool) {
		if v == nil {
			return
		}
		for m := range v.AllModules() {
			for _, r := range m.Resources {
				if r != nil && !yield(r) {
					return
				}
			}
		}
	}
}

// AllResources returns an iterator over the objects in all module instances. It
// yields nothing if s is nil or empty; [Plan.PriorState] needs no check.
func (s *State) AllResources() iter.Seq[*Resource] {
	if s == nil {
		return func(func(*Resource) bool) {}
	}
	return s.Values.AllResources()
}

// AllChanges returns an iterator over every change in the plan with the name of
// the list it is in: "resource_changes", "resource_drift", "deferred_changes"
// and "output_changes", in that order. The outputs come sorted by name, with
// the address output.NAME. Use it to search all values of a plan.
func (p *Plan) AllChanges() iter.Seq2[string, AddressedChange] {
	return func(yield func(string, AddressedChange) bool) {
		if p == nil {
			return
		}
		for _, rc := range p.ResourceChanges {
			if rc != nil && !yield("resource_changes", AddressedChange{rc.Address, &rc.Change, rc}) {
				return
			}
		}
		for _, rc := range p.ResourceDrift {
			if rc != nil && !yield("resource_drift", AddressedChange{rc.Address, &rc.Change, rc}) {
				return
			}
		}
		for _, d := range p.DeferredChanges {
			if d == nil {
				continue
			}
			rc := &d.ResourceChange
			if !yield("deferred_changes", AddressedChange{rc.Address, &rc.Change, rc}) {
				return
			}
		}
		for _, name := range slices.Sorted(maps.Keys(p.OutputChanges)) {
			c := p.OutputChanges[name]
			if c != nil && !yield("output_changes", AddressedChange{"output." + name, c, nil}) {
				return
			}
		}
	}
}

// An AddressedChange is a [Change] with the address of the changed object.
type AddressedChange struct {
	Address  string          // of the resource instance or the output
	Change   *Change         // never nil
	Resource *ResourceChange // the change of the resource instance; nil for an output
}

// AllModules returns an iterator over the modules of the configuration with
// their paths, such as module.a.module.b, the root first with the path "". Each
// comes before those it calls, and those are sorted by name. Calls without a
// module, as -module prints them, are left out.
func (c *Config) AllModules() iter.Seq2[string, *ModuleConfig] {
	return func(yield func(string, *ModuleConfig) bool) {
		if c != nil {
			c.RootModule.all("", 0, yield)
		}
	}
}

func (m *ModuleConfig) all(path string, depth int, yield func(string, *ModuleConfig) bool) bool {
	if depth > maxNesting {
		return true
	}
	if !yield(path, m) {
		return false
	}
	for _, name := range slices.Sorted(maps.Keys(m.ModuleCalls)) {
		call := m.ModuleCalls[name]
		if call == nil || call.Module == nil {
			continue
		}
		if !call.Module.all(join(path, "module."+name), depth+1, yield) {
			return false
		}
	}
	return true
}

// join puts an address after the path of its module.
func join(path, address string) string {
	if path == "" {
		return address
	}
	return path + "." + address
}

// AllResources returns an iterator over the resources of all modules with
// their addresses, such as module.a.aws_instance.web, which include the path of the
// module, unlike [ResourceConfig.Address].
func (c *Config) AllResources() iter.Seq2[string, *ResourceConfig] {
	return func(yield func(string, *ResourceConfig) bool) {
		for path, m := range c.AllModules() {
			for _, r := range m.Resources {
				if r != nil && !yield(join(path, r.Address), r) {
					return
				}
			}
		}
	}
}
