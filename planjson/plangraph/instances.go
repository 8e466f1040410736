// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// Instances is the second level of a graph: what refers to what among the
// instances of a plan. References are resolved when they are asked for: through
// variables, outputs and module calls of any depth, to the instances that a key
// or the only instance determines. Where a plan does not determine the instance,
// as for an index that is computed, all that are possible are given and marked as
// not certain. Plans have no expressions of locals: what flows through a local
// ends there, unless [InstanceOptions.Locals] has its references.
//
// Instances must not be used concurrently, because it remembers what it has
// resolved.
type Instances struct {
	// Graph is the first level.
	Graph *Graph

	options InstanceOptions
	byAddr  map[string]*Instance
	order   []*Instance
	groups  map[groupKey][]*Instance
	calls   map[string][]string // instances of a called module, by its address without the last key
	modules map[string]*planjson.ModuleConfig
	called  map[string]*planjson.ModuleCall
	blocks  map[string]*planjson.ResourceConfig
	memo    map[string][]target
	active  map[string]bool // being resolved
}

// InstanceOptions are what [NewInstances] takes besides the plan.
type InstanceOptions struct {
	// Locals has the references of local values, spelled as in expressions, by
	// the path of the module in the configuration ("" for the root, module.a)
	// and the name of the local. Plans do not have them; package hclconfig reads
	// them from the configuration.
	Locals map[string]map[string][]string
}

type groupKey struct{ module, resource string }

// An Instance is something in a plan that has a value: a resource instance, a
// variable or an output of the root module, or a local at which a reference
// ends.
type Instance struct {
	// Address is module.a["x"].aws_x.y[0], var.v, output.o or module.a.local.l.
	Address string
	Kind    NodeKind // Resource, Variable, Output or Local

	// Module is the address of the module instance, and Type the type of the
	// resource.
	Module, Type string

	// Key is the key of the resource instance.
	Key addrs.InstanceKey

	// Resource is the planned change of a resource instance. It is nil for one
	// that is only in the prior state, as data sources mostly are, or in
	// planned values.
	Resource *planjson.ResourceChange

	// Change is what is planned for its value: of a resource or an output. It
	// is nil for all others.
	Change *planjson.Change

	// Value and Sensitive are the value after the plan, as far as it is known,
	// and what of it is marked as sensitive.
	Value, Sensitive planjson.Value

	resource string // in the module: aws_x.y
}

// A Link is one reference from an instance to another one.
type Link struct {
	// From holds the reference, and To is what it refers to.
	From, To *Instance

	// At is the place of the reference in From: the path of an argument, such
	// as network[0].subnet, or count, for_each, depends_on or provisioner. It is
	// empty for outputs.
	At string

	// Path is the part of To that is used, as in an expression: id, or
	// tags["env"]. It is empty if that is all of it, or not known.
	Path string

	// Certain is false where the plan leaves several possibilities, all of
	// which are given.
	Certain bool
}

// A target is what a reference leads to.
type target struct {
	to      []*Instance
	path    string
	certain bool
}

// NewInstances returns the instances of a plan. It takes time in proportion to
// the number of instances.
func NewInstances(p *planjson.Plan, o InstanceOptions) *Instances {
	if p == nil {
		p = &planjson.Plan{}
	}
	x := &Instances{
		Graph: newGraph(&p.Configuration, o.Locals), options: o, byAddr: map[string]*Instance{}, groups: map[groupKey][]*Instance{}, calls: map[string][]string{},
		modules: map[string]*planjson.ModuleConfig{}, called: map[string]*planjson.ModuleCall{}, blocks: map[string]*planjson.ResourceConfig{},
		memo: map[string][]target{}, active: map[string]bool{},
	}
	for path, m := range p.Configuration.AllModules() {
		x.modules[path] = m
		for name, call := range m.ModuleCalls {
			if call != nil {
				x.called[join(path, "module."+name)] = call
			}
		}
		for _, r := range m.Resources {
			if r != nil {
				x.blocks[join(path, r.Address)] = r
			}
		}
	}
	x.resources(p)
	x.root(p)
	x.order = slices.SortedFunc(maps.Values(x.byAddr), func(a, b *Instance) int { return strings.Compare(a.Address, b.Address) })
	for _, list := range x.groups {
		slices.SortFunc(list, func(a, b *Instance) int { return cmp.Or(a.Key.Compare(b.Key), strings.Compare(a.Address, b.Address)) })
	}
	x.modulesOf()
	return x
}

// resources adds the resource instances, of the changes first.
func (x *Instances) resources(p *planjson.Plan) {
	add := func(address, module string, mode addrs.Mode, typ, name string, key func() (addrs.InstanceKey, error)) *Instance {
		if x.byAddr[address] != nil {
			return nil
		}
		k, err := key()
		if err != nil {
			return nil
		}
		i := &Instance{Address: address, Kind: Resource, Module: module, Type: typ, Key: k, resource: resourceAddress(mode, typ, name)}
		x.byAddr[address] = i
		group := groupKey{module, i.resource}
		x.groups[group] = append(x.groups[group], i)
		return i
	}
	change := func(rc *planjson.ResourceChange) {
		if rc == nil || rc.Deposed != "" {
			return
		}
		if i := add(rc.Address, rc.ModuleAddress, rc.Mode, rc.Type, rc.Name, rc.IndexKey); i != nil {
			i.Resource, i.Change = rc, &rc.Change
			i.Value, i.Sensitive = rc.Change.After, rc.Change.AfterSensitive
		}
	}
	for _, rc := range p.ResourceChanges {
		change(rc)
	}
	for _, d := range p.DeferredChanges {
		if d != nil {
			change(&d.ResourceChange)
		}
	}
	values := func(v *planjson.Values) {
		if v == nil {
			return
		}
		for m := range modulesIn(&v.RootModule) {
			for _, r := range m.Resources {
				if r == nil || r.DeposedKey != "" {
					continue
				}
				if i := add(r.Address, m.Address, r.Mode, r.Type, r.Name, r.IndexKey); i != nil {
					i.Value, i.Sensitive = r.Values, r.SensitiveValues
				}
			}
		}
	}
	values(&p.PlannedValues)
	if p.PriorState != nil {
		values(p.PriorState.Values)
	}
}

// modulesIn returns an iterator over a module of values and all below it.
func modulesIn(m *planjson.Module) iter.Seq[*planjson.Module] {
	return func(yield func(*planjson.Module) bool) {
		for list := []*planjson.Module{m}; len(list) > 0; {
			m := list[len(list)-1]
			list = list[:len(list)-1]
			if m == nil {
				continue
			}
			if !yield(m) {
				return
			}
			list = append(list, m.ChildModules...)
		}
	}
}

// root adds the variables and outputs of the root module.
func (x *Instances) root(p *planjson.Plan) {
	root := &p.Configuration.RootModule
	for name, v := range p.Variables {
		i := &Instance{Address: "var." + name, Kind: Variable}
		if v != nil {
			i.Value = v.Value
		}
		x.byAddr[i.Address] = i
	}
	for name, v := range root.Variables {
		i := x.byAddr["var."+name]
		if i == nil {
			i = &Instance{Address: "var." + name, Kind: Variable}
			if v != nil {
				i.Value = v.Default
			}
			x.byAddr[i.Address] = i
		}
		if v != nil && (v.Sensitive || v.Ephemeral) {
			i.Sensitive = planjson.Value("true")
		}
	}
	outputs := make(map[string]bool)
	for name := range root.Outputs {
		outputs[name] = true
	}
	for name := range p.OutputChanges {
		outputs[name] = true
	}
	for name := range outputs {
		i := &Instance{Address: "output." + name, Kind: Output, Change: p.OutputChanges[name]}
		if i.Change != nil {
			i.Value, i.Sensitive = i.Change.After, i.Change.AfterSensitive
		} else if o := p.PlannedValues.Outputs[name]; o != nil {
			i.Value = o.Value
			if o.Sensitive {
				i.Sensitive = planjson.Value("true")
			}
		}
		x.byAddr[i.Address] = i
	}
}

// modulesOf finds the instances of called modules, by the addresses of what is
// in them.
func (x *Instances) modulesOf() {
	seen := make(map[string]bool)
	for _, i := range x.order {
		for module := i.Module; module != "" && !seen[module]; {
			seen[module] = true
			at := withoutKey(module)
			x.calls[at] = append(x.calls[at], module)
			module = parentOf(module)
		}
	}
}

// Instance returns the instance at an address, or nil.
func (x *Instances) Instance(address string) *Instance {
	if x == nil {
		return nil
	}
	return x.byAddr[address]
}

// All returns an iterator over all instances, sorted by address.
func (x *Instances) All() iter.Seq[*Instance] {
	if x == nil {
		return func(func(*Instance) bool) {}
	}
	return slices.Values(x.order)
}

// Split splits the address of an instance with a path behind it, such as
// aws_instance.web[0].network[1].subnet, into the instance and the path. The
// instance is nil if there is none.
func (x *Instances) Split(text string) (i *Instance, path string) {
	if x == nil {
		return nil, ""
	}
	for end := len(text); end > 0; end = lastStep(text[:end]) {
		if i := x.byAddr[text[:end]]; i != nil {
			return i, strings.TrimPrefix(text[end:], ".")
		}
	}
	return nil, ""
}

// Needs returns an iterator over the references that a part of an instance is
// made of directly, in the order of the places. The path is that of an argument
// or a part of one, or "" for the whole instance. If the path is not that of an
// argument, the provider has made the value, of anything: all references are
// given.
func (x *Instances) Needs(i *Instance, path string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		if x == nil || i == nil {
			return
		}
		places := x.places(i)
		if path != "" && !slices.ContainsFunc(places, func(p place) bool { return overlap(p.at, path) }) {
			if i.Kind != Resource || x.isArgument(i, path) {
				return
			}
			path = ""
		}
		for _, p := range places {
			if path != "" && !overlap(p.at, path) {
				continue
			}
			for _, t := range p.targets() {
				for _, to := range t.to {
					if !yield(Link{From: i, To: to, At: p.at, Path: t.path, Certain: t.certain}) {
						return
					}
				}
			}
		}
	}
}

// NeededBy returns an iterator over the references to a part of an instance, or
// with the path "" to any part.
func (x *Instances) NeededBy(i *Instance, path string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		if x == nil || i == nil {
			return
		}
		for _, from := range x.mayRefer(i) {
			for _, p := range x.places(from) {
				for _, t := range p.targets() {
					if path != "" && t.path != "" && !overlap(t.path, path) || !slices.Contains(t.to, i) {
						continue
					}
					if !yield(Link{From: from, To: i, At: p.at, Path: t.path, Certain: t.certain}) {
						return
					}
				}
			}
		}
	}
}

// Way returns the shortest way of references from an instance to another one
// that it is made of, or nil if there is none.
func (x *Instances) Way(from, to *Instance) []Link {
	if x == nil || from == nil || to == nil {
		return nil
	}
	came := map[*Instance]Link{from: {}}
	for queue := []*Instance{from}; len(queue) > 0; queue = queue[1:] {
		for link := range x.Needs(queue[0], "") {
			if _, ok := came[link.To]; ok {
				continue
			}
			came[link.To] = link
			if link.To != to {
				queue = append(queue, link.To)
				continue
			}
			var way []Link
			for at := to; at != from; at = came[at].From {
				way = append(way, came[at])
			}
			slices.Reverse(way)
			return way
		}
	}
	return nil
}

// mayRefer returns the instances of all blocks that refer to the block of an
// instance, directly or through variables, outputs and locals, or that depend on
// its module.
func (x *Instances) mayRefer(i *Instance) (all []*Instance) {
	start := x.Graph.Node(stripKeys(i.Address))
	if start == nil {
		return nil
	}
	seen := make(map[*Node]bool)
	queue := []*Node{start}
	visit := func(e *Edge) {
		n := e.From
		if n.Kind == Module && e.At == "depends_on" {
			for _, other := range x.order {
				if within(stripKeys(other.Module), n.Address) {
					all = append(all, other)
				}
			}
		}
		switch {
		case seen[n]:
			return
		case n.Kind == Resource, n.Kind == Output && n.Module == "":
			all = append(all, x.instancesOf(n)...)
		default:
			queue = append(queue, n)
		}
		seen[n] = true
	}
	for module := start.Module; module != ""; module = parentOf(module) {
		for _, e := range x.Graph.nodes[module].dependents() {
			visit(e)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for _, e := range n.NeededBy {
			visit(e)
		}
		if n.Kind == Module { // its keys are in all that it is given
			for _, arg := range x.Graph.given[n.Address] {
				if !seen[arg] {
					seen[arg] = true
					queue = append(queue, arg)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b *Instance) int { return strings.Compare(a.Address, b.Address) })
	return slices.Compact(all)
}

// dependents returns the references of depends_on to a module.
func (n *Node) dependents() (edges []*Edge) {
	if n == nil {
		return nil
	}
	for _, e := range n.NeededBy {
		if e.At == "depends_on" {
			edges = append(edges, e)
		}
	}
	return edges
}

// within reports whether a module is another one, or below it.
func within(module, in string) bool {
	rest, ok := strings.CutPrefix(module, in)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// instancesOf returns the instances of a node in all instances of its module.
func (x *Instances) instancesOf(n *Node) (all []*Instance) {
	if n.Kind != Resource {
		if i := x.byAddr[n.Address]; i != nil {
			all = append(all, i)
		}
		return all
	}
	resource := strings.TrimPrefix(strings.TrimPrefix(n.Address, n.Module), ".")
	for _, module := range x.instancesOfModule(n.Module) {
		all = append(all, x.groups[groupKey{module, resource}]...)
	}
	return all
}

// instancesOfModule returns the addresses of the instances of a module of the
// configuration.
func (x *Instances) instancesOfModule(path string) []string {
	if path == "" {
		return []string{""}
	}
	parent, name := path[:max(0, strings.LastIndex(path, ".module."))], path[strings.LastIndex(path, "module."):]
	var all []string
	for _, p := range x.instancesOfModule(parent) {
		all = append(all, x.calls[join(p, name)]...)
	}
	return all
}

func resourceAddress(mode addrs.Mode, typ, name string) string {
	switch mode {
	case addrs.Data:
		return "data." + typ + "." + name
	case addrs.Ephemeral:
		return "ephemeral." + typ + "." + name
	}
	return typ + "." + name
}
