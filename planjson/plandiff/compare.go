// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// A Comparison lists the differences between two documents, resource by resource.
// It holds no value that one of them marks as sensitive. Each [Resource] in it can
// be rendered like those of a plan; the caller adds headings.
type Comparison struct {
	// Added and Removed list the objects that only the second or only the
	// first document has.
	Added, Removed []*Resource

	// Changed lists the objects that differ, with their differences.
	Changed []*Resource

	// Actions lists the objects for which two plans do different things.
	Actions []ActionsChange

	// Outputs lists the outputs that differ.
	Outputs []*Output

	// Differences lists all differences between the documents, including those that
	// the lists above omit: the import of an object, its former address, checks,
	// variables, the configuration, and so on. [ComparePlanWithState] leaves it
	// empty.
	Differences []Difference
}

// An ActionsChange is an object for which two plans do different things.
type ActionsChange struct {
	// Address is the address of the object's resource instance, and Deposed
	// the key of the object if it is a deposed one.
	Address, Deposed string

	// Before and After are the actions of the first and the second plan. Nil
	// means that the plan does not have the object.
	Before, After planjson.Actions
}

// IsEmpty reports whether the documents have no differences.
func (c *Comparison) IsEmpty() bool {
	if c == nil {
		return false
	}
	return len(c.Added)+len(c.Removed)+len(c.Changed)+len(c.Actions)+len(c.Outputs)+len(c.Differences) == 0
}

// ComparePlans compares the results of two plans of the same configuration, for
// example those before and after a commit, or the approved plan with the one
// about to be applied. Attributes that are unknown in both are equal. Either
// plan can be nil, which is like an empty plan.
func ComparePlans(first, second *planjson.Plan, o Options) *Comparison {
	first, second = cmp.Or(first, new(planjson.Plan)), cmp.Or(second, new(planjson.Plan))
	x, y := make(objects), make(objects)
	actions := make(map[key]*ActionsChange)
	for i, p := range []*planjson.Plan{first, second} {
		for _, rc := range p.ResourceChanges {
			if rc == nil {
				continue
			}
			k := key{rc.Address, rc.Deposed}
			a := actions[k]
			if a == nil {
				a = &ActionsChange{Address: rc.Address, Deposed: rc.Deposed}
				actions[k] = a
			}
			to := x
			if i == 0 {
				a.Before = rc.Change.Actions
			} else {
				to, a.After = y, rc.Change.Actions
			}
			if !plantext.IsNone(rc.Change.After) || plantext.HasTrue(rc.Change.AfterUnknown) {
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
	outputs := func(p *planjson.Plan) map[string]side {
		m := make(map[string]side)
		for name, c := range p.OutputChanges {
			if c != nil {
				_, marks := outputMarks(p, name, c)
				m[name] = side{c.After, c.AfterUnknown, marks}
			}
		}
		return m
	}
	c.Outputs = compareOutputs(outputs(first), outputs(second), o)
	c.Differences = differences(first, second, o, (*comparer).plans)
	return c
}

// CompareStates compares two states. Either can be nil. To see whether a plan is
// stale, compare the objects of its prior state with those of the current state:
// the outputs of a prior state already have the values that the plan gives them, if
// these are known.
func CompareStates(first, second *planjson.State, o Options) *Comparison {
	c := compareObjects(stateObjects(first), stateObjects(second), o)
	c.Outputs = compareOutputs(stateOutputs(first), stateOutputs(second), o)
	c.Differences = differences(cmp.Or(first, new(planjson.State)), cmp.Or(second, new(planjson.State)), o, func(x *comparer) { x.state("", x.docs[0], x.docs[1], nil) })
	return c
}

// ComparePlanWithState compares the result of a plan with a state. If it is the
// state after the apply, every difference is a deviation from the plan. A value
// that is unknown in the plan equals any value in the state, and the elements of a
// set can become one when they are known; without schemas, every array may be a
// set. Data sources and deposed objects are left out. Either can be nil.
func ComparePlanWithState(p *planjson.Plan, s *planjson.State, o Options) *Comparison {
	p = cmp.Or(p, new(planjson.Plan))
	planned := make(objects)
	for _, rc := range p.ResourceChanges {
		if rc == nil || rc.Deposed != "" || rc.Mode != "managed" || rc.Change.Actions.IsForget() ||
			plantext.IsNone(rc.Change.After) && !plantext.HasTrue(rc.Change.AfterUnknown) {
			continue
		}
		planned[key{rc.Address, ""}] = object{describe(rc), side{rc.Change.After, rc.Change.AfterUnknown, rc.Change.AfterSensitive}}
	}
	found := stateObjects(s)
	maps.DeleteFunc(found, func(k key, x object) bool { return k.deposed != "" || x.Mode != "managed" })
	d := newDiffer(o)
	for k, x := range planned {
		if y, ok := found[k]; ok {
			x.side = become(x.side, y.side, d.shapes.resource(x.ProviderName, x.Mode, x.Type))
			planned[k] = x
		}
	}
	c := compareObjects(planned, found, o)
	outputs, actual := make(map[string]side), stateOutputs(s)
	for name, c := range p.OutputChanges {
		if c != nil && (c.After == nil || !plantext.IsNone(c.After)) {
			_, marks := outputMarks(p, name, c)
			outputs[name] = side{c.After, c.AfterUnknown, marks}
			if a, ok := actual[name]; ok {
				outputs[name] = become(outputs[name], a, nil)
			}
		}
	}
	c.Outputs = compareOutputs(outputs, actual, o)
	return c
}

// An object is one side of a comparison.
type object struct {
	Resource
	side
}

type objects map[key]object

// A key identifies an object of a document.
type key struct{ address, deposed string }

func describe(rc *planjson.ResourceChange) Resource {
	return Resource{Address: rc.Address, ModuleAddress: rc.ModuleAddress, Mode: rc.Mode, Type: rc.Type,
		Name: rc.Name, ProviderName: rc.ProviderName, Deposed: rc.Deposed}
}

func stateObjects(s *planjson.State) objects {
	m := make(objects)
	if s == nil {
		return m
	}
	for module := range s.Values.AllModules() {
		for _, r := range module.Resources {
			if r == nil {
				continue
			}
			address := plantext.Absolute(module.Address, r.Address, r.Index)
			m[key{address, r.DeposedKey}] = object{
				Resource{Address: address, ModuleAddress: module.Address, Mode: r.Mode, Type: r.Type,
					Name: r.Name, ProviderName: r.ProviderName, Deposed: r.DeposedKey},
				side{r.Values, nil, r.SensitiveValues},
			}
		}
	}
	return m
}

func stateOutputs(s *planjson.State) map[string]side {
	m := make(map[string]side)
	if s == nil || s.Values == nil {
		return m
	}
	for name, o := range s.Values.Outputs {
		if o != nil {
			m[name] = side{value: o.Value}
			if o.Sensitive {
				m[name] = side{o.Value, nil, planjson.Value("true")}
			}
		}
	}
	return m
}

func sortedKeys[T any](maps ...map[key]T) []key {
	var keys []key
	for i, m := range maps {
		for k := range m {
			if _, dup := maps[0][k]; i == 0 || !dup {
				keys = append(keys, k)
			}
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
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

func compareObjects(first, second objects, o Options) *Comparison {
	d := newDiffer(o)
	c := new(Comparison)
	for _, k := range sortedKeys(first, second) {
		b, inFirst := first[k]
		a, inSecond := second[k]
		r := a.Resource
		if !inSecond {
			r = b.Resource
		}
		diff := &r
		d.object(&diff.Object, b.side, a.side, d.shapes.resource(r.ProviderName, r.Mode, r.Type), nil)
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

func compareOutputs(first, second map[string]side, o Options) []*Output {
	d := newDiffer(o)
	names := slices.Collect(maps.Keys(first))
	for name := range second {
		if _, ok := first[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var diffs []*Output
	for _, name := range names {
		out := d.output(name, nil, first[name], second[name])
		if slices.ContainsFunc(out.Values, (*Attribute).differs) {
			diffs = append(diffs, out)
		}
	}
	return diffs
}
