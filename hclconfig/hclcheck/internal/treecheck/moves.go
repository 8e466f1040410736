// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclgraph"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A moveChecker compares moved and removed blocks with the configuration.
type moveChecker struct {
	*treeChecker
	expanded map[*hclnames.Tree][]string // the addresses of the instances of modules, as far as they were asked for
}

// removedObjects reports removed blocks of objects that the configuration still has.
func (c *moveChecker) removedObjects() hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	report := func(block, object *hclconfig.Block, what, name string) {
		at, summary := hclsource.DefRange(block), "Removed "+what+" block still exists"
		if c.dialect == hcllang.Terraform {
			at, summary = hclsource.DefRange(object), "Removed "+what+" still exists"
		}
		// OpenTofu 1.12.6, internal/refactoring/remove_statement.go: validateRemoveStatements.
		out = append(out, hclsource.ErrorAt(at, summary, "The removed block at %s removes the %s %s, which the configuration still has.", hclsource.DefRange(block), what, name))
	}
	for t := range c.root.All() {
		s := c.scopes[t]
		for _, r := range t.Module.Removed {
			text, err := r.From.Address()
			if err != nil {
				continue
			}
			// A module that is no longer called takes its resources with it.
			if path, err := addrs.ParseModuleInstance(text); err == nil {
				name, _ := path.Call()
				if at, _ := s.descend(path.Parent()); at != nil && at.Calls[name] != nil {
					report(r.Block, at.Calls[name].Block, "module", hclsource.Dotted(t.Path())+text)
				}
				continue
			}
			a, err := addrs.ParseAbsResourceInstance(text)
			if err != nil {
				continue
			}
			if object := s.resourceAt(a); object != nil {
				report(r.Block, object.Block, "resource", hclsource.Dotted(t.Path())+text)
			}
		}
	}
	return out
}

// movedTypes reports moves between types of resources that the release does not make.
func (c *moveChecker) movedTypes() hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	seen := map[*hclconfig.Module]bool{}
	for t := range c.root.All() {
		if seen[t.Module] {
			continue
		}
		seen[t.Module] = true
		for _, m := range t.Module.Moved {
			if s, differ := hclsource.MovedTypes(m.Block); differ && !c.has(s) {
				// OpenTofu 1.9.0, internal/refactoring/move_validate.go: ValidateMoves.
				out = append(out, hclsource.ErrorAt(hclsource.DefRange(m.Block), "Resource type mismatch",
					"This statement declares a move from %s to %s, which is a resource of a different type.", m.From, m.To))
			}
		}
	}
	return out
}

// A move is a moved block in one module of the tree.
type move struct {
	hclsource.Move
	tree *hclnames.Tree
}

// allMoves returns the moves of all modules, those of a module before those of the
// modules that it calls.
func (c *moveChecker) allMoves() []*move {
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
			if m, ok := hclsource.MoveOf(module, b); ok {
				out = append(out, &move{m, t})
			}
		}
	}
	return out
}

// moves reports moved blocks that contradict the configuration or each other.
func (c *moveChecker) moves() hclconfig.Diagnostics {
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
			out = append(out, hclsource.ErrorAt(hclsource.DefRange(m.Block), summary, format, args...))
		}
		// A statement in a module is one for each of its instances.
		for _, instance := range c.moduleInstances(m.tree) {
			from, to := m.From.In(instance), m.To.In(instance)
			if from == to && m.From.Whole == m.To.Whole {
				// OpenTofu 1.12.6, internal/refactoring/move_validate.go: ValidateMoves.
				report("Redundant move statement", "This statement declares a move from %s to the same address, which is the same as not declaring this move at all.", from)
				continue
			}
			if c.declared(&m.From, from) {
				// OpenTofu 1.12.6, internal/refactoring/move_validate.go: ValidateMoves.
				report("Moved object still exists", "This statement declares a move from %s, but that is still declared.", from)
			}
			// The address of all instances of an object is not that of the one
			// without a key.
			mark := ""
			if m.From.Whole {
				mark = "*"
			}
			if o, ok := moved[from+mark]; !ok {
				moved[from+mark] = other{m, to + mark}
			} else if o.address != to+mark {
				// OpenTofu 1.12.6, internal/refactoring/move_validate.go: ValidateMoves.
				report("Ambiguous move statements", "A statement at %s declared that %s moved to %s, but this statement instead declares that it moved to %s.", hclsource.DefRange(o.Block), from, o.address, to)
			}
			if o, ok := arrived[to+mark]; !ok {
				arrived[to+mark] = other{m, from + mark}
			} else if o.address != from+mark {
				// OpenTofu 1.12.6, internal/refactoring/move_validate.go: ValidateMoves.
				report("Ambiguous move statements", "A statement at %s declared that %s moved to %s, but this statement instead declares that %s moved there.", hclsource.DefRange(o.Block), o.address, to, from)
			}
		}
	}
	// OpenTofu 1.12.6, internal/refactoring/move_validate.go: ValidateMoves looks for cycles among statements that are
	// valid.
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
	// OpenTofu 1.12.6, internal/refactoring/move_execute.go: buildMoveStatementGraph compares each statement with each
	// other one.
	if len(all) <= maxMoves {
		for i, m := range all {
			for j, o := range all {
				if i != j && m.Follows(&o.Move) {
					nodes[i].Deps = append(nodes[i].Deps, nodes[j])
				}
			}
		}
	} else {
		to := map[string]*hclgraph.Node{}
		for i, m := range all {
			to[m.tree.Path()+" "+m.To.In("")] = nodes[i]
		}
		for i, m := range all {
			if before := to[m.tree.Path()+" "+m.From.In("")]; before != nil && before != nodes[i] {
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
			text += fmt.Sprintf("\n  - %s: %s -> %s", hclsource.DefRange(m.Block), m.From.In(m.tree.Path()), m.To.In(m.tree.Path()))
		}
		// OpenTofu 1.12.6, internal/refactoring/move_validate.go: validateMoveStatementGraph.
		out = append(out, hclsource.ErrorAt(hclsource.DefRange(of[way[0]].Block), "Cyclic dependency in move statements",
			"The following chained move statements form a cycle, and so there is no final location to move objects to:%s", text))
	}
	return out
}

// moduleInstances returns the addresses of the instances of a module, if they are known
// and not too many.
func (c *moveChecker) moduleInstances(t *hclnames.Tree) []string {
	if t.Parent == nil {
		return []string{""}
	}
	if out, ok := c.expanded[t]; ok {
		return out
	}
	var out []string
	// An instance of a module is one of a call in one instance of the calling module.
	above := c.moduleInstances(t.Parent)
	i := c.scopes[t.Parent].callInstances(t.Call)
	if i.Known && int64(len(above)) <= hcleval.MaxInstances/max(i.Len(), 1) {
		for _, a := range above {
			for _, k := range i.Keys() {
				out = append(out, hclsource.Dotted(a)+"module."+t.Call.Name+k.String())
			}
		}
	}
	c.expanded[t] = out
	return out
}

// declared reports whether the configuration certainly has the object at an address.
func (c *moveChecker) declared(e *hclsource.Endpoint, address string) bool {
	root := c.scopes[c.root]
	// The address is that of a module, or of a resource in one.
	if e.Resource == "" {
		path, err := addrs.ParseModuleInstance(address)
		if err != nil {
			return false
		}
		name, key := path.Call()
		at, _, _ := root.moduleInstance(path.Parent())
		if at == nil || at.Calls[name] == nil {
			return false
		}
		i := at.callInstances(at.Calls[name])
		return e.Whole || i.Known && i.Has(key)
	}
	a, err := addrs.ParseAbsResourceInstance(address)
	if err != nil {
		return false
	}
	at, _, _ := root.moduleInstance(a.Module())
	if at == nil {
		return false
	}
	r := at.Resources[a.Resource().String()]
	if r == nil {
		// As recorded of Terraform 1.11.4: testdata/plan.jsonl.
		return at == root && c.dialect == hcllang.Terraform && c.imported(a)
	}
	i := at.resourceInstances(r)
	return e.Whole || i.Known && i.Has(a.Key())
}

// imported reports whether an import goes to the address. Terraform then takes the
// resource for one that exists.
func (c *moveChecker) imported(a addrs.AbsResourceInstance) bool {
	return slices.ContainsFunc(c.root.Module.Imports, func(i *hclconfig.Import) bool {
		text, err := i.To.Address()
		return err == nil && text == a.String()
	})
}
