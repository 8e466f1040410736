// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"cmp"
	"maps"
	"slices"
)

// A Comparison is how two documents differ, resource by resource. It holds
// nothing that one of them marks as sensitive. Each [ResourceDiff] in it can be
// written as those of a plan; what stands around them is the caller's.
type Comparison struct {
	// Added and Removed list the objects that only the second or only the
	// first document has.
	Added, Removed []*ResourceDiff

	// Changed lists the objects that differ, and what of them.
	Changed []*ResourceDiff

	// Actions lists the objects for which two plans do different things.
	Actions []ActionsDiff

	// Outputs lists the outputs that differ.
	Outputs []*OutputDiff
}

// An ActionsDiff is an object for which two plans do different things.
type ActionsDiff struct {
	// Address is the address of the object's resource instance, and Deposed
	// the key of the object if it is a deposed one.
	Address, Deposed string

	// Before and After are the actions of the first and the second plan. Nil
	// means that the plan does not have the object.
	Before, After Actions
}

// IsEmpty reports whether the documents do not differ.
func (c *Comparison) IsEmpty() bool {
	return len(c.Added)+len(c.Removed)+len(c.Changed)+len(c.Actions)+len(c.Outputs) == 0
}

// ComparePlans compares what two plans of the same configuration lead to, for
// example of before and after a commit, or the one that was approved with the
// one that is to be applied. An attribute that is unknown in both is the same.
// Either can be nil, which is like a plan of nothing.
func ComparePlans(first, second *Plan, o DiffOptions) *Comparison {
	first, second = cmp.Or(first, new(Plan)), cmp.Or(second, new(Plan))
	x, y := make(objects), make(objects)
	actions := make(map[objectKey]*ActionsDiff)
	for i, p := range []*Plan{first, second} {
		for _, rc := range p.ResourceChanges {
			if rc == nil {
				continue
			}
			k := objectKey{rc.Address, rc.Deposed}
			a := actions[k]
			if a == nil {
				a = &ActionsDiff{Address: rc.Address, Deposed: rc.Deposed}
				actions[k] = a
			}
			to := x
			if i == 0 {
				a.Before = rc.Change.Actions
			} else {
				to, a.After = y, rc.Change.Actions
			}
			if !isNone(rc.Change.After) || hasTrueQuick(rc.Change.AfterUnknown) {
				to[k] = object{describe(rc), side{rc.Change.After, rc.Change.AfterUnknown, rc.Change.AfterSensitive}}
			}
		}
	}
	c := compareObjects(x, y, o)
	for _, k := range sortedKeys(actions) {
		if a := actions[k]; !slices.Equal(a.Before, a.After) {
			c.Actions = append(c.Actions, *a)
		}
	}
	outputs := func(p *Plan) map[string]side {
		m := make(map[string]side)
		for name, c := range p.OutputChanges {
			if c != nil {
				m[name] = side{c.After, c.AfterUnknown, c.AfterSensitive}
			}
		}
		return m
	}
	c.Outputs = compareOutputs(outputs(first), outputs(second), o)
	return c
}

// CompareStates compares two states. Either can be nil, so that the prior
// state of a plan can be compared with a state to see whether the plan is stale.
func CompareStates(first, second *State, o DiffOptions) *Comparison {
	c := compareObjects(stateObjects(first), stateObjects(second), o)
	c.Outputs = compareOutputs(stateOutputs(first), stateOutputs(second), o)
	return c
}

// ComparePlanWithState compares what a plan leads to with a state: after
// applying, everything that differs did not come out as planned. What the plan
// does not know is whatever it is in the state. Data sources are left out,
// and so are deposed objects. Either can be nil.
func ComparePlanWithState(p *Plan, s *State, o DiffOptions) *Comparison {
	p = cmp.Or(p, new(Plan))
	planned := make(objects)
	for _, rc := range p.ResourceChanges {
		if rc == nil || rc.Deposed != "" || rc.Mode != "managed" || rc.Change.Actions.IsForget() ||
			isNone(rc.Change.After) && !hasTrueQuick(rc.Change.AfterUnknown) {
			continue
		}
		planned[objectKey{rc.Address, ""}] = object{describe(rc), side{rc.Change.After, rc.Change.AfterUnknown, rc.Change.AfterSensitive}}
	}
	found := stateObjects(s)
	maps.DeleteFunc(found, func(k objectKey, x object) bool { return k.deposed != "" || x.Mode != "managed" })
	c := compareObjects(planned, found, o)
	outputs := make(map[string]side)
	for name, c := range p.OutputChanges {
		if c != nil && (c.After == nil || !isNone(c.After)) {
			outputs[name] = side{c.After, c.AfterUnknown, c.AfterSensitive}
		}
	}
	c.Outputs = compareOutputs(outputs, stateOutputs(s), o)
	for _, list := range [][]*ResourceDiff{c.Changed} {
		for _, r := range list {
			r.Object.settle()
		}
	}
	for _, out := range c.Outputs {
		for _, v := range out.Values {
			v.settle()
		}
		out.Values = slices.DeleteFunc(out.Values, func(v *AttributeDiff) bool { return !v.differs() })
	}
	c.Changed = slices.DeleteFunc(c.Changed, func(r *ResourceDiff) bool { return !r.Object.differs() })
	c.Outputs = slices.DeleteFunc(c.Outputs, func(o *OutputDiff) bool { return len(o.Values) == 0 })
	return c
}

// settle drops what was unknown before and has become known.
func (d *AttributeDiff) settle() {
	if d.UnknownBefore {
		*d = AttributeDiff{Name: d.Name, Index: d.Index, From: d.From, parent: d.parent}
		return
	}
	had := len(d.Children)
	for _, c := range d.Children {
		c.settle()
	}
	d.Children = slices.DeleteFunc(d.Children, func(c *AttributeDiff) bool {
		if c.differs() || c.Before != nil || c.Sensitive {
			return false
		}
		if c.Block {
			d.HiddenBlocks++
		} else {
			d.Hidden++
		}
		return true
	})
	if had > 0 && d.Kind == DiffChanged && !slices.ContainsFunc(d.Children, (*AttributeDiff).differs) {
		d.Kind = DiffUnchanged
	}
}

// An object is one side of a comparison.
type object struct {
	ResourceDiff
	side
}

type objects map[objectKey]object

func describe(rc *ResourceChange) ResourceDiff {
	return ResourceDiff{Address: rc.Address, ModuleAddress: rc.ModuleAddress, Mode: rc.Mode, Type: rc.Type,
		Name: rc.Name, ProviderName: rc.ProviderName, Deposed: rc.Deposed}
}

func stateObjects(s *State) objects {
	m := make(objects)
	if s == nil {
		return m
	}
	for module := range s.Values.AllModules() {
		for _, r := range module.Resources {
			if r == nil {
				continue
			}
			m[objectKey{r.Address, r.DeposedKey}] = object{
				ResourceDiff{Address: r.Address, ModuleAddress: module.Address, Mode: r.Mode, Type: r.Type,
					Name: r.Name, ProviderName: r.ProviderName, Deposed: r.DeposedKey},
				side{r.Values, nil, r.SensitiveValues},
			}
		}
	}
	return m
}

func stateOutputs(s *State) map[string]side {
	m := make(map[string]side)
	if s == nil || s.Values == nil {
		return m
	}
	for name, o := range s.Values.Outputs {
		if o != nil {
			m[name] = side{value: o.Value}
			if o.Sensitive {
				m[name] = side{o.Value, nil, Value("true")}
			}
		}
	}
	return m
}

func sortedKeys[T any](maps ...map[objectKey]T) []objectKey {
	var keys []objectKey
	for i, m := range maps {
		for k := range m {
			if _, dup := maps[0][k]; i == 0 || !dup {
				keys = append(keys, k)
			}
		}
	}
	slices.SortFunc(keys, func(a, b objectKey) int {
		if a.address != b.address {
			return compareText(a.address, b.address)
		}
		return compareText(a.deposed, b.deposed)
	})
	return keys
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func compareObjects(first, second objects, o DiffOptions) *Comparison {
	d := differ{options: o}
	c := new(Comparison)
	for _, k := range sortedKeys(first, second) {
		b, inFirst := first[k]
		a, inSecond := second[k]
		r := a.ResourceDiff
		if !inSecond {
			r = b.ResourceDiff
		}
		diff := &r
		d.object(&diff.Object, b.side, a.side, d.schema(r.ProviderName, r.Mode, r.Type), nil)
		switch {
		case !inFirst:
			c.Added = append(c.Added, diff)
		case !inSecond:
			c.Removed = append(c.Removed, diff)
		case diff.Object.differs():
			c.Changed = append(c.Changed, diff)
		}
	}
	return c
}

func compareOutputs(first, second map[string]side, o DiffOptions) []*OutputDiff {
	d := differ{options: o}
	names := slices.Collect(maps.Keys(first))
	for name := range second {
		if _, ok := first[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var diffs []*OutputDiff
	for _, name := range names {
		out := d.output(name, nil, first[name], second[name])
		if slices.ContainsFunc(out.Values, (*AttributeDiff).differs) {
			diffs = append(diffs, out)
		}
	}
	return diffs
}
