// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclgraph"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// removedObjects reports removed blocks of objects that the configuration still has.
func (c *treeChecker) removedObjects() hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	report := func(block, object *hclconfig.Block, what, name string) {
		at, summary := hclsource.DefRange(block), "Removed "+what+" block still exists"
		if c.dialect == hcllang.Terraform {
			at, summary = hclsource.DefRange(object), "Removed "+what+" still exists"
		}
		out = append(out, hclsource.ErrorAt(at, summary, "The removed block at %s removes the %s %s, which the configuration still has.", hclsource.DefRange(block), what, name))
	}
	for t := range c.root.All() {
		s := c.scopes[t]
		for _, r := range t.Module.Removed {
			text, err := r.From.Address()
			if err != nil {
				continue
			}
			if path, err := addrs.ParseModuleInstance(text); err == nil {
				name, _ := path.Call()
				if at, _ := s.descend(path.Parent()); at != nil && at.calls[name] != nil {
					report(r.Block, at.calls[name].Block, "module", hclsource.Dotted(t.Path())+text)
				}
				continue
			}
			a, err := addrs.ParseAbsResourceInstance(text)
			if err != nil {
				continue
			}
			if at, _ := s.descend(a.Module()); at != nil {
				if object := at.resources[a.Resource().String()]; object != nil {
					report(r.Block, object.Block, "resource", hclsource.Dotted(t.Path())+text)
				}
			}
		}
	}
	return out
}

// movedTypes reports moves between types of resources that the release does not make.
func (c *treeChecker) movedTypes() hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	seen := map[*hclconfig.Module]bool{}
	for t := range c.root.All() {
		if seen[t.Module] {
			continue
		}
		seen[t.Module] = true
		for _, m := range t.Module.Moved {
			if s, differ := hclsource.MovedTypes(m.Block); differ && !c.has(s) {
				out = append(out, hclsource.ErrorAt(hclsource.DefRange(m.Block), "Resource type mismatch",
					"This statement declares a move from %s to %s, which is a resource of a different type.", m.From, m.To))
			}
		}
	}
	return out
}

// An endpoint is the from or to of a moved block. It means objects in all instances of
// the module that has the block.
type endpoint struct {
	module []string // the path of that module
	// steps lead on to the module, or the module of the resource, that is moved.
	steps []moduleStep
	// resource is empty for a module, and key is that of the instance of the resource.
	resource string
	key      addrs.InstanceKey
	// whole reports that all instances are meant.
	whole bool
}

type moduleStep struct {
	name string
	key  addrs.InstanceKey
}

// parseEndpoint parses an address relative to the module that names it.
func parseEndpoint(module []string, e hclconfig.Expression) (endpoint, bool) {
	out := endpoint{module: module}
	text, err := e.Address()
	if err != nil {
		return out, false
	}
	path, err := addrs.ParseModuleInstance(text)
	if err != nil {
		a, err := addrs.ParseAbsResourceInstance(text)
		if err != nil {
			return out, false
		}
		path, out.resource, out.key = a.Module(), a.Resource().String(), a.Key()
		out.whole = out.key.IsNone()
	}
	for name, key := range path.Steps() {
		out.steps = append(out.steps, moduleStep{name, key})
	}
	if out.resource == "" {
		if len(out.steps) == 0 {
			return out, false
		}
		out.whole = out.steps[len(out.steps)-1].key.IsNone()
	}
	return out, true
}

// path returns the steps from the root to the module that is moved, or to that of the
// resource. The key of a step is a wildcard where all instances are meant.
func (e *endpoint) path() []moduleStep {
	out := make([]moduleStep, 0, len(e.module)+len(e.steps))
	for _, name := range e.module {
		out = append(out, moduleStep{name, addrs.WildcardKey()})
	}
	out = append(out, e.steps...)
	if e.resource == "" && e.whole {
		out[len(out)-1].key = addrs.WildcardKey()
	}
	return out
}

// covers reports whether the beginning of a path may be that of another one.
func covers(prefix, path []moduleStep) bool {
	if len(prefix) > len(path) {
		return false
	}
	for i, step := range prefix {
		if any := addrs.WildcardKey(); step.name != path[i].name || step.key != any && path[i].key != any && step.key != path[i].key {
			return false
		}
	}
	return true
}

// continues reports whether e may be the same object as o.
func (e *endpoint) continues(o *endpoint) bool {
	a, b := e.path(), o.path()
	if len(a) != len(b) || !covers(b, a) {
		return false
	}
	return e.resource == o.resource && (e.resource == "" || e.whole == o.whole && e.key == o.key)
}

// within reports whether e is inside of an object that o means.
func (e *endpoint) within(o *endpoint) bool {
	a, b := e.path(), o.path()
	if !covers(b, a) {
		return false
	}
	switch {
	case o.resource != "":
		return o.whole && len(a) == len(b) && e.resource == o.resource && !e.whole
	case e.resource != "":
		return true
	case o.whole && !e.whole:
		return true
	}
	return len(a) > len(b)
}

// in returns the address of the object in one instance of the module.
func (e *endpoint) in(module string) string {
	var b strings.Builder
	b.WriteString(module)
	for _, s := range e.steps {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString("module." + s.name + s.key.String())
	}
	if e.resource != "" {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(e.resource + e.key.String())
	}
	return b.String()
}

// A move is a moved block in one module of the tree.
type move struct {
	block    *hclconfig.Block
	tree     *hclnames.Tree
	from, to endpoint
}

// reindexes reports whether the move changes nothing but keys.
func (m *move) reindexes() bool {
	if m.from.resource != "" || len(m.from.steps) != len(m.to.steps) {
		return false
	}
	for i := range m.from.steps {
		if m.from.steps[i].name != m.to.steps[i].name {
			return false
		}
	}
	return true
}

// follows reports whether the move is made after another one.
func (m *move) follows(o *move) bool {
	if m.from.continues(&o.to) {
		return true
	}
	if !m.from.within(&o.to) && !m.to.within(&o.to) && !o.from.within(&m.from) && !o.to.within(&m.from) {
		return false
	}
	return len(m.from.module) >= len(o.from.module) || !m.reindexes()
}

// allMoves returns the moves of all modules, those of a module before those of the
// modules that it calls.
func (c *treeChecker) allMoves() []*move {
	var out []*move
	for t := range c.root.All() {
		if len(t.Module.Moved) == 0 {
			continue
		}
		var module []string
		for at := t; at.Parent != nil; at = at.Parent {
			module = append(module, at.Call.Name)
		}
		slices.Reverse(module)
		for _, b := range t.Module.Moved {
			from, ok1 := parseEndpoint(module, b.From)
			to, ok2 := parseEndpoint(module, b.To)
			if !ok1 || !ok2 || (from.resource == "") != (to.resource == "") {
				continue
			}
			from.whole, to.whole = from.whole && to.whole, from.whole && to.whole
			out = append(out, &move{b.Block, t, from, to})
		}
	}
	return out
}

// moves reports moved blocks that contradict the configuration or each other.
func (c *treeChecker) moves() hclconfig.Diagnostics {
	all := c.allMoves()
	if len(all) == 0 {
		return nil
	}
	out := c.movedTypes()
	type other struct {
		*move
		address string
	}
	moved, arrived := map[string]other{}, map[string]other{}
	for _, m := range all {
		report := func(summary, format string, args ...any) {
			out = append(out, hclsource.ErrorAt(hclsource.DefRange(m.block), summary, format, args...))
		}
		for _, instance := range c.moduleInstances(m.tree) {
			from, to := m.from.in(instance), m.to.in(instance)
			if from == to && m.from.whole == m.to.whole {
				report("Redundant move statement", "This statement declares a move from %s to the same address, which is the same as not declaring this move at all.", from)
				continue
			}
			if c.declared(&m.from, from) {
				report("Moved object still exists", "This statement declares a move from %s, but that is still declared.", from)
			}
			// The address of all instances of an object is not that of the one
			// without a key.
			mark := ""
			if m.from.whole {
				mark = "*"
			}
			if o, ok := moved[from+mark]; !ok {
				moved[from+mark] = other{m, to + mark}
			} else if o.address != to+mark {
				report("Ambiguous move statements", "A statement at %s declared that %s moved to %s, but this statement instead declares that it moved to %s.", hclsource.DefRange(o.block), from, o.address, to)
			}
			if o, ok := arrived[to+mark]; !ok {
				arrived[to+mark] = other{m, from + mark}
			} else if o.address != from+mark {
				report("Ambiguous move statements", "A statement at %s declared that %s moved to %s, but this statement instead declares that %s moved there.", hclsource.DefRange(o.block), o.address, to, from)
			}
		}
	}
	if !out.HasErrors() {
		out = append(out, cyclicMoves(all)...)
	}
	return out
}

// maxMoves is how many moves are compared in pairs. More are only followed from one
// address to the next.
const maxMoves = 1000

// cyclicMoves reports moves that lead back to where they began. The programs have no
// place for it.
func cyclicMoves(all []*move) hclconfig.Diagnostics {
	nodes := make([]*hclgraph.Node, len(all))
	of := make(map[*hclgraph.Node]*move, len(all))
	for i, m := range all {
		nodes[i] = &hclgraph.Node{}
		of[nodes[i]] = m
	}
	if len(all) <= maxMoves {
		for i, m := range all {
			for j, o := range all {
				if i != j && m.follows(o) {
					nodes[i].Deps = append(nodes[i].Deps, nodes[j])
				}
			}
		}
	} else {
		to := map[string]*hclgraph.Node{}
		for i, m := range all {
			to[m.tree.Path()+" "+m.to.in("")] = nodes[i]
		}
		for i, m := range all {
			if before := to[m.tree.Path()+" "+m.from.in("")]; before != nil && before != nodes[i] {
				nodes[i].Deps = append(nodes[i].Deps, before)
			}
		}
	}
	var out hclconfig.Diagnostics
	for _, group := range hclgraph.StrongGroups(nodes) {
		way := hclgraph.ShortestCycle(group)
		text := ""
		for _, n := range way {
			m := of[n]
			text += fmt.Sprintf("\n  - %s: %s -> %s", hclsource.DefRange(m.block), m.from.in(m.tree.Path()), m.to.in(m.tree.Path()))
		}
		out = append(out, hclsource.ErrorAt(hclsource.DefRange(of[way[0]].block), "Cyclic dependency in move statements",
			"The following chained move statements form a cycle, and so there is no final location to move objects to:%s", text))
	}
	return out
}

// moduleInstances returns the addresses of the instances of a module, if they are known
// and not too many.
func (c *treeChecker) moduleInstances(t *hclnames.Tree) []string {
	if t.Parent == nil {
		return []string{""}
	}
	if out, ok := c.expanded[t]; ok {
		return out
	}
	var out []string
	above := c.moduleInstances(t.Parent)
	i := c.scopes[t.Parent].callInstances(t.Call)
	if i.known && int64(len(above)) <= maxInstances/max(i.len(), 1) {
		for _, a := range above {
			for _, k := range i.keys() {
				out = append(out, hclsource.Dotted(a)+"module."+t.Call.Name+k.String())
			}
		}
	}
	if c.expanded == nil {
		c.expanded = map[*hclnames.Tree][]string{}
	}
	c.expanded[t] = out
	return out
}

// declared reports whether the configuration certainly has the object at an address.
func (c *treeChecker) declared(e *endpoint, address string) bool {
	root := c.scopes[c.root]
	if e.resource == "" {
		path, err := addrs.ParseModuleInstance(address)
		if err != nil {
			return false
		}
		name, key := path.Call()
		at, _, _ := root.moduleInstance(path.Parent())
		if at == nil || at.calls[name] == nil {
			return false
		}
		i := at.callInstances(at.calls[name])
		return e.whole || i.known && i.has(key)
	}
	a, err := addrs.ParseAbsResourceInstance(address)
	if err != nil {
		return false
	}
	at, _, _ := root.moduleInstance(a.Module())
	if at == nil {
		return false
	}
	r := at.resources[a.Resource().String()]
	if r == nil {
		return at == root && c.dialect == hcllang.Terraform && c.imported(a)
	}
	i := at.resourceInstances(r)
	return e.whole || i.known && i.has(a.Key())
}

// imported reports whether an import goes to the address. Terraform then takes the
// resource for one that exists.
func (c *treeChecker) imported(a addrs.AbsResourceInstance) bool {
	return slices.ContainsFunc(c.root.Module.Imports, func(i *hclconfig.Import) bool {
		text, err := i.To.Address()
		return err == nil && text == a.String()
	})
}
