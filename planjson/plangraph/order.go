// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// An Operation is one operation of an apply on one object. A replacement is two
// operations: one deletes, and one creates.
type Operation struct {
	// Address is that of the resource instance, and Deposed the key of a deposed
	// object.
	Address, Deposed string

	// Action is create, read, update, delete, forget or open.
	Action planjson.Action

	// Change is the planned change that it belongs to.
	Change *planjson.ResourceChange

	needs []*orderNode
}

// An orderNode is a node of the order: an operation, or something that others wait for
// without an operation, such as an instance that does not change, or all
// instances of a block.
type orderNode struct {
	op    *Operation
	needs []*orderNode
	mark  int8
}

// After returns an iterator over the operations that o waits for directly. It
// leaves out some of those that another one of them waits for in turn.
func (o *Operation) After() iter.Seq[*Operation] {
	return func(yield func(*Operation) bool) {
		if o == nil {
			return
		}
		seen := map[*orderNode]bool{}
		for list := slices.Clone(o.needs); len(list) > 0; {
			s := list[len(list)-1]
			list = list[:len(list)-1]
			if seen[s] {
				continue
			}
			seen[s] = true
			if s.op == nil {
				list = append(list, s.needs...)
			} else if s.op != o && !yield(s.op) {
				return
			}
		}
	}
}

// Operations returns the operations of an apply of the plan, each after those
// that it waits for. An object is created and updated after the objects it
// refers to, and destroyed before them; with create_before_destroy the order is
// that of [planjson.Actions]. A reference to a whole module waits for everything
// in it, and a reference to an output for the depends_on of the output.
//
// The order is as complete as the plan. A plan does not contain the expressions
// of conditions, of locals and of replace_triggered_by; [InstancesOptions] can
// supply the latter two. It shows create_before_destroy only where something is
// replaced. If neither an instance of a block nor anything that depends on the
// block is replaced, removed instances of the block are assumed to be destroyed
// before their dependents are updated. The prior state has the dependencies that
// objects had when they were created.
func (x *Instances) Operations() []*Operation {
	if x == nil || x.plan == nil {
		return nil
	}
	o := orderer{
		x: x, made: map[*Instance]*orderNode{}, sets: map[*set]*orderNode{}, bundles: map[*bundle]*orderNode{}, waitings: map[waiting]*orderNode{}, empty: map[string]*module{}, providers: map[*providerConfig]*orderNode{},
		state: map[[2]string][]string{}, destroyers: table{}, dependents: table{}, early: table{}, creators: table{}, users: table{},
		first: map[string]bool{}, fresh: table{}, clear: map[seen]*orderNode{}, used: map[seen]*orderNode{},
	}
	return o.order()
}

// An orderer puts operations in order.
type orderer struct {
	x         *Instances
	made      map[*Instance]*orderNode
	sets      map[*set]*orderNode
	bundles   map[*bundle]*orderNode
	waitings  map[waiting]*orderNode
	empty     map[string]*module // without resources, by their addresses
	providers map[*providerConfig]*orderNode
	state     map[[2]string][]string // dependencies by address and deposed key

	destroyers table           // deletes of a block before its creates
	dependents table           // deletes of dependents of a block
	early      table           // those of them that come before creates
	creators   table           // creates and updates of a block
	users      table           // creates and updates of dependents of a block
	first      map[string]bool // blocks with create_before_destroy

	wiring *wiring             // nil if nothing is deleted
	fresh  table               // creates of new objects of a block
	clear  map[seen]*orderNode // deletes of what a node depends on
	used   map[seen]*orderNode // creates of new objects that depend on a node
}

func (o *orderer) order() []*Operation {
	if s := o.x.plan.PriorState; s != nil && s.Values != nil {
		for m := range modulesIn(&s.Values.RootModule) {
			for _, r := range m.Resources {
				if r != nil {
					o.state[[2]string{plantext.Absolute(m.Address, r.Address, r.Index), r.DeposedKey}] = r.DependsOn
				}
			}
		}
	}
	var steps []*orderNode
	for _, i := range o.x.order {
		if i.Kind == Resource {
			steps = append(steps, o.make(i))
		}
	}
	changes := slices.DeleteFunc(slices.Clone(o.x.plan.ResourceChanges), func(rc *planjson.ResourceChange) bool { return rc == nil })
	slices.SortStableFunc(changes, func(a, b *planjson.ResourceChange) int {
		return cmp.Or(strings.Compare(a.Address, b.Address), strings.Compare(a.Deposed, b.Deposed))
	})
	deletes := false
	for _, rc := range changes {
		deletes = deletes || slices.Contains(rc.Change.Actions, planjson.ActionDelete)
		if rc.Change.Actions.IsCreateBeforeDestroy() {
			o.first[plantext.WithoutKeys(rc.Address)] = true
		}
	}
	if deletes {
		o.wiring = o.x.wire()
		o.wiring.forced(o.x.Graph, o.first)
	}
	for _, rc := range changes {
		steps = append(steps, o.destroy(rc)...)
	}
	return sorted(steps)
}

// make returns the step of an instance that is there afterwards.
func (o *orderer) make(i *Instance) *orderNode {
	if s := o.made[i]; s != nil {
		return s
	}
	s := &orderNode{}
	o.made[i] = s
	if i.Resource != nil && !i.IsGone() {
		for _, a := range i.Change.Actions {
			if a != planjson.ActionNoOp && a != planjson.ActionDelete && a != planjson.ActionForget {
				s.op = &Operation{Address: i.Address, Action: a, Change: i.Resource}
			}
		}
	}
	if i.IsGone() {
		return s // its references are in the prior state
	}
	for _, h := range i.held {
		s.needs = append(s.needs, o.targets(h.targets)...)
	}
	if i.in.parent != nil {
		s.needs = append(s.needs, o.expansion(i.in))
	}
	if b := i.block; b != nil {
		if len(b.beyond) > 0 {
			s.needs = append(s.needs, o.waits(i.in, b.beyond)...)
		}
		if b.provider != nil {
			s.needs = append(s.needs, o.provider(b.provider))
		}
	}
	return s
}

// targets returns the steps of the targets of references.
func (o *orderer) targets(all []target) (steps []*orderNode) {
	for _, t := range all {
		if t.via == nil {
			steps = append(steps, o.all(t.to))
			continue
		}
		s := o.bundles[t.via]
		if s == nil {
			s = &orderNode{}
			o.bundles[t.via] = s
			s.needs = o.targets(t.via.targets)
		}
		steps = append(steps, s)
	}
	return steps
}

// all returns the step of the instances of a set.
func (o *orderer) all(s *set) *orderNode {
	if len(s.list) == 1 {
		return o.make(s.list[0])
	}
	j := o.sets[s]
	if j == nil {
		j = &orderNode{}
		o.sets[s] = j
		for _, i := range s.list {
			j.needs = append(j.needs, o.make(i))
		}
	}
	return j
}

// provider returns the step in which a provider is configured.
func (o *orderer) provider(p *providerConfig) *orderNode {
	s := o.providers[p]
	if s == nil {
		s = &orderNode{}
		o.providers[p] = s
		if m := o.x.modules[p.in]; m != nil {
			s.needs = append(o.waits(m, p.refs), o.expansion(m))
		}
	}
	return s
}

// A table has the steps of operations that are of a kind, by the address of their
// block: those in one instance of the module and, without one, those in all.
type table map[filed]*orderNode

type filed struct {
	block, module string
	here          bool // in the instance of the module
}

func (t table) at(block, module string, here bool) *orderNode {
	key := filed{block, module, here}
	s := t[key]
	if s == nil {
		s = &orderNode{}
		t[key] = s
	}
	return s
}

// all returns the step of operations in all instances of the module of a block.
func (t table) all(block string) *orderNode { return t.at(block, "", false) }

// file files an operation on an instance of a block in a module instance.
func (t table) file(block, module string, s *orderNode) {
	for _, of := range []*orderNode{t.all(block), t.at(block, module, true)} {
		of.needs = append(of.needs, s)
	}
}

// between returns the steps for the dependents of a block, as seen from an instance of
// that block in a module instance. Those of other instances of the same module are not
// related to it.
func (t table) between(block, module string) []*orderNode {
	return []*orderNode{t.all(block), t.at(block, module, true)}
}

// seenFrom returns the step for a block on which something in a module instance
// depends.
func (t table) seenFrom(block, module string) *orderNode {
	if modulePath(block) == plantext.WithoutKeys(module) {
		return t.at(block, module, true)
	}
	return t.all(block)
}

// modulePath returns the module of the address of a block.
func modulePath(block string) string {
	parts := strings.Split(block, ".")
	n := 0
	for n+1 < len(parts) && parts[n] == "module" {
		n += 2
	}
	return strings.Join(parts[:n], ".")
}

// destroy connects the operations of a change with those that delete their
// dependencies or dependents.
func (o *orderer) destroy(rc *planjson.ResourceChange) []*orderNode {
	block := plantext.WithoutKeys(rc.Address)
	depends, stored := o.state[[2]string{rc.Address, rc.Deposed}]
	actions := rc.Change.Actions
	var create *orderNode
	if i := o.x.byAddr[rc.Address]; i != nil && i.Resource == rc {
		if s := o.make(i); s.op != nil {
			create = s
		}
	}
	at := slices.IndexFunc(actions, func(a planjson.Action) bool { return a == planjson.ActionDelete || a == planjson.ActionForget })
	var remove *orderNode
	first := false // create_before_destroy
	if at >= 0 {
		remove = &orderNode{op: &Operation{Address: rc.Address, Deposed: rc.Deposed, Action: actions[at], Change: rc}}
		first = create != nil && at > 0 || create == nil && o.first[block]
	}
	if create != nil && remove != nil && !first {
		create.needs = append(create.needs, remove)
	}
	if create != nil && o.wiring != nil {
		o.creators.file(block, rc.ModuleAddress, create)
		create.needs = append(create.needs, o.early.between(block, rc.ModuleAddress)...)
		for _, d := range depends {
			users := o.users.seenFrom(d, rc.ModuleAddress)
			users.needs = append(users.needs, create)
			create.needs = append(create.needs, o.destroyers.seenFrom(d, rc.ModuleAddress))
		}
		if n := o.x.Graph.nodes[block]; n != nil && !stored {
			// Nothing is stored of a new object: what it depends on is what its
			// configuration refers to.
			if len(o.first) > 0 {
				o.fresh.file(block, rc.ModuleAddress, create)
			}
			create.needs = append(create.needs, o.gather(o.destroyers, o.clear, o.wiring.needs, seen{n, rc.ModuleAddress, within}))
		}
	}
	if remove == nil || remove.op.Action == planjson.ActionForget {
		if remove != nil {
			return []*orderNode{remove}
		}
		return nil
	}
	remove.needs = append(remove.needs, o.dependents.between(block, rc.ModuleAddress)...)
	if first {
		if create != nil {
			remove.needs = append(remove.needs, create)
		}
		remove.needs = append(remove.needs, o.users.between(block, rc.ModuleAddress)...)
		if n := o.x.Graph.nodes[block]; n != nil {
			remove.needs = append(remove.needs, o.gather(o.fresh, o.used, o.wiring.neededBy, seen{n, rc.ModuleAddress, within}))
		}
	} else {
		o.destroyers.file(block, rc.ModuleAddress, remove)
	}
	for _, d := range depends {
		dependents := o.dependents.seenFrom(d, rc.ModuleAddress)
		dependents.needs = append(dependents.needs, remove)
		if first {
			remove.needs = append(remove.needs, o.creators.seenFrom(d, rc.ModuleAddress))
		} else {
			early := o.early.seenFrom(d, rc.ModuleAddress)
			early.needs = append(early.needs, remove)
		}
	}
	return []*orderNode{remove}
}

// sorted returns the operations of steps, each after those it waits for. No plan
// has a cycle; if there is one, it is cut somewhere.
func sorted(steps []*orderNode) []*Operation {
	var ops []*Operation
	var stack []*orderNode
	for _, start := range steps {
		for stack = append(stack, start); len(stack) > 0; {
			s := stack[len(stack)-1]
			if s.mark > 0 {
				stack = stack[:len(stack)-1]
				if s.mark == 1 && s.op != nil {
					s.op.needs = s.needs
					ops = append(ops, s.op)
				}
				s.mark = 2
				continue
			}
			s.mark = 1
			for _, n := range slices.Backward(s.needs) {
				if n.mark == 0 {
					stack = append(stack, n)
				}
			}
		}
	}
	return ops
}

// CriticalPath returns the chain of operations that takes longest, in order:
// each waits for the one before it. The operations are those of
// [Instances.Operations]; took returns how long an operation took, for example
// from the cycles of package uitrack, whose addresses and actions are spelled
// in the same way. If took is nil, all count as equally long.
func CriticalPath(ops []*Operation, took func(*Operation) time.Duration) []*Operation {
	if took == nil {
		took = func(*Operation) time.Duration { return 1 }
	}
	ends := make(map[*orderNode]time.Duration)
	last := make(map[*orderNode]*orderNode) // the operation that a step ends with
	before := make(map[*Operation]*orderNode)
	own := make(map[*Operation]*orderNode, len(ops))
	// Steps without an operation are visited once, which keeps the time linear.
	var latest func(needs []*orderNode) (time.Duration, *orderNode)
	at := func(s *orderNode) (time.Duration, *orderNode) {
		if s.op != nil {
			return ends[own[s.op]], own[s.op]
		}
		if end, ok := ends[s]; ok {
			return end, last[s]
		}
		ends[s] = 0 // a circle ends here
		ends[s], last[s] = latest(s.needs)
		return ends[s], last[s]
	}
	latest = func(needs []*orderNode) (end time.Duration, by *orderNode) {
		for _, n := range needs {
			if e, l := at(n); l != nil && (by == nil || e > end) {
				end, by = e, l
			}
		}
		return end, by
	}
	var longest *orderNode
	for _, o := range ops {
		if o == nil {
			continue
		}
		s := &orderNode{op: o}
		end, by := latest(o.needs)
		own[o], before[o] = s, by
		if ends[s] = end + took(o); longest == nil || ends[s] > ends[longest] {
			longest = s
		}
	}
	var path []*Operation
	for s := longest; s != nil; s = before[s.op] {
		path = append(path, s.op)
	}
	slices.Reverse(path)
	return path
}
