// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// Instances is the second level of a graph: the references among the instances
// of a plan. References are followed through variables, outputs and module calls
// of any depth, to the instances that a key or the only instance determines. If
// a plan does not determine the instance, as for a computed index, all
// candidates are listed and marked as uncertain. Plans have no expressions of
// locals: references through a local end there, unless [InstancesOptions.Locals]
// has its references.
//
// Instances do not change after [NewInstances] and are safe for concurrent use.
type Instances struct {
	// Graph is the first level.
	Graph *Graph

	plan    *planjson.Plan
	locals  map[string]map[string][]string
	trigger map[string]map[string][]string
	byAddr  map[string]*Instance
	order   []*Instance
	modules map[string]*module
	configs map[string]*moduleConfig
	root    *module
	bundles []*bundle

	providers map[string]*providerConfig
	// resolving says that all instances are known: a module that is first found
	// by a reference has no instances.
	resolving bool
}

// InstancesOptions supplement the plan for [NewInstances].
type InstancesOptions struct {
	// Locals has the references of local values, spelled as in expressions, by
	// the path of the module in the configuration ("" for the root, module.a)
	// and the name of the local. Plans do not have them; package hclconfig reads
	// them from the configuration.
	Locals map[string]map[string][]string

	// Triggers has the references of replace_triggered_by, spelled in the same way,
	// by the path of the module and the address of the resource in it. Plans only
	// say that an instance is replaced for that reason. The At of such a link is
	// replace_triggered_by.
	Triggers map[string]map[string][]string
}

// An Instance is an object of a plan that has a value: a resource instance, a
// variable or an output of the root module, or a local at which a reference
// ends.
type Instance struct {
	// Address is module.a["x"].aws_x.y[0], var.v, output.o or module.a.local.l.
	Address string
	Kind    NodeKind // Resource, Variable, Output or Local

	// Module is the address of the module instance, and Type the type of the
	// resource.
	Module, Type string

	// Mode is that of the resource.
	Mode addrs.Mode

	// Key is the key of the resource instance.
	Key addrs.InstanceKey

	// Resource is the planned change of a resource instance. It is nil for one
	// that is only in the prior state, as data sources mostly are, or in
	// planned values.
	Resource *planjson.ResourceChange

	// Change is the planned change of a resource or an output. It is nil for
	// all others.
	Change *planjson.Change

	// Value is the known part of the value after the plan, and Sensitive marks
	// its sensitive parts.
	Value, Sensitive planjson.Value

	in    *module
	block *blockConfig
	parts *partIndex // of a resource
	alone set        // itself
	held  []held     // the references that it holds
	sets  []*set     // those of several instances that it is in
}

// IsGone reports whether the plan removes the instance. It then has no value
// after the plan, and nothing can refer to it.
func (i *Instance) IsGone() bool {
	return i != nil && i.Kind == Resource && i.Change != nil && (i.Change.Actions.IsDelete() || i.Change.Actions.IsForget())
}

// A Link is one reference from an instance to another one.
type Link struct {
	// From holds the reference, and To is the instance it refers to.
	From, To *Instance

	// At is the place of the reference in From: the path of an argument,
	// such as network[0].subnet, or count, for_each, depends_on, provisioner or
	// replace_triggered_by. It is empty for outputs. Indexes count nested blocks as the configuration has
	// them; [Link.Places] has the places in the value.
	At string

	// Path is the part of To that is used, as in an expression: id, or
	// tags["env"]. It is empty if all of To is used, or if the part is not
	// known. [planjson.ParsePath] splits it into steps, to look into Value.
	Path string

	// Certain is false if the plan leaves several possibilities. Each of them
	// is then a Link.
	Certain bool
}

// A set is instances that a reference can lead to: one, all of a block in a
// module instance, or all of a module.
type set struct {
	list []*Instance
	by   []back   // the references that lead here
	in   []inside // the bundles that it is in
}

// A held is one place of an instance that holds references, and where they lead.
type held struct {
	at      string
	targets []target
}

// A target is the target of a reference: a set or a bundle.
type target struct {
	to      *set
	path    string
	certain bool
	via     *bundle
}

// A back is a target from its other end.
type back struct {
	from      *Instance
	at, index int32
}

// A module is one instance of a module.
type module struct {
	address string
	parent  *module
	config  *moduleConfig
	call    *callConfig // nil for the root
	groups  map[string]*group
	calls   map[string][]*module // by the name of the call
	all     *set                 // all instances in it and below, if something depends on it
	memo    map[string][]target  // of var.x, local.x, output.x and calls
	active  map[string]bool
}

// A group is the instances of one block in one instance of its module.
type group struct {
	all  set  // also those that the plan removes
	live *set // those that it leaves
}

// NewInstances returns the instances of a plan and their references. It takes
// time in proportion to the number of instances and their references.
func NewInstances(p *planjson.Plan, o InstancesOptions) *Instances {
	if p == nil {
		p = &planjson.Plan{}
	}
	x := &Instances{
		Graph: newGraph(p.Config(), o.Locals), plan: p, locals: o.Locals, trigger: o.Triggers,
		byAddr: make(map[string]*Instance, len(p.ResourceChanges)), modules: map[string]*module{}, configs: map[string]*moduleConfig{}, providers: map[string]*providerConfig{},
	}
	x.compile(p.Config())
	x.root = x.module("")
	x.resources(p)
	x.variables(p)
	x.outputs(p)
	x.sort()
	for _, m := range x.modules {
		for _, g := range m.groups {
			g.finish()
		}
		for _, list := range m.calls {
			slices.SortFunc(list, func(a, b *module) int { return strings.Compare(a.address, b.address) })
		}
	}
	x.resolving = true
	for _, i := range slices.Clone(x.order) {
		i.held = x.heldBy(i)
	}
	x.sort() // with locals at which references end
	x.link()
	return x
}

// finish sorts the instances of a group and leaves out those that go.
func (g *group) finish() {
	slices.SortFunc(g.all.list, func(a, b *Instance) int {
		return cmp.Or(a.Key.Compare(b.Key), strings.Compare(a.Address, b.Address))
	})
	g.live = &g.all
	if slices.ContainsFunc(g.all.list, (*Instance).IsGone) {
		live := slices.DeleteFunc(slices.Clone(g.all.list), (*Instance).IsGone)
		g.live = &set{list: live}
		if len(live) == 1 {
			g.live = &live[0].alone
		} else {
			for _, i := range live {
				i.sets = append(i.sets, g.live)
			}
		}
	}
	if len(g.all.list) > 1 {
		for _, i := range g.all.list {
			i.sets = append(i.sets, &g.all)
		}
	}
}

// one returns the set of all, which is that of the instance itself if it is the
// only one.
func (g *group) one(gone bool) *set {
	s := g.live
	if gone {
		s = &g.all
	}
	if len(s.list) == 1 {
		return &s.list[0].alone
	}
	return s
}

// module returns the instance of a module at an address.
func (x *Instances) module(address string) *module {
	if m := x.modules[address]; m != nil {
		return m
	}
	m := &module{address: address, config: x.configs[plantext.WithoutKeys(address)], groups: map[string]*group{}, calls: map[string][]*module{}, memo: map[string][]target{}, active: map[string]bool{}}
	if m.config == nil {
		m.config = &moduleConfig{}
	}
	x.modules[address] = m
	if address != "" {
		m.parent = x.module(parentOf(address))
		name := withoutKey(strings.TrimPrefix(strings.TrimPrefix(address[len(m.parent.address):], "."), "module."))
		if !x.resolving {
			m.parent.calls[name] = append(m.parent.calls[name], m)
		}
		m.call = m.parent.config.calls[name]
	}
	return m
}

// sort sorts the instances, which are nearly in order as plans have them.
func (x *Instances) sort() {
	slices.SortFunc(x.order, func(a, b *Instance) int { return strings.Compare(a.Address, b.Address) })
}

func (x *Instances) add(i *Instance) {
	x.order = append(x.order, i)
	i.alone.list = []*Instance{i}
	if i.in == nil {
		i.in = x.root
	}
	x.byAddr[i.Address] = i
}

// maxAddress is how long an address can be. Those of modules below modules take
// time with the square of their length.
const maxAddress = 4 << 10

// resources adds the resource instances, of the changes first.
func (x *Instances) resources(p *planjson.Plan) {
	add := func(address, module string, mode addrs.Mode, typ, name string, key func() (addrs.InstanceKey, error)) *Instance {
		if x.byAddr[address] != nil || len(address) > maxAddress || len(module) > maxAddress {
			return nil
		}
		k, err := key()
		if err != nil {
			return nil
		}
		i := &Instance{Address: address, Kind: Resource, Module: module, Type: typ, Mode: mode, Key: k, in: x.module(module), parts: &partIndex{}}
		x.add(i)
		resource := resourceAddress(mode, typ, name)
		i.block = i.in.config.blocks[resource]
		if i.in.groups[resource] == nil {
			i.in.groups[resource] = &group{}
		}
		g := i.in.groups[resource]
		g.all.list = append(g.all.list, i)
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
				if i := add(plantext.Absolute(m.Address, r.Address, r.Index), m.Address, r.Mode, r.Type, r.Name, r.IndexKey); i != nil {
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

// variables adds the variables of the root module.
func (x *Instances) variables(p *planjson.Plan) {
	for name, v := range p.Variables {
		i := &Instance{Address: "var." + name, Kind: Variable}
		if v != nil {
			i.Value = v.Value
		}
		x.add(i)
	}
	for name, v := range p.Config().RootModule.Variables {
		i := x.byAddr["var."+name]
		if i == nil {
			i = &Instance{Address: "var." + name, Kind: Variable}
			if v != nil {
				i.Value = v.Default
			}
			x.add(i)
		}
		if v != nil && (v.Sensitive || v.Ephemeral) {
			i.Sensitive = planjson.Value("true")
		}
	}
}

// outputs adds the outputs of the root module.
func (x *Instances) outputs(p *planjson.Plan) {
	names := make(map[string]bool)
	for name := range p.Config().RootModule.Outputs {
		names[name] = true
	}
	for name := range p.OutputChanges {
		names[name] = true
	}
	for name := range names {
		i := &Instance{Address: "output." + name, Kind: Output, Change: p.OutputChanges[name]}
		if i.Change != nil {
			i.Value, i.Sensitive = i.Change.After, i.Change.AfterSensitive
		} else if o := p.PlannedValues.Outputs[name]; o != nil {
			i.Value = o.Value
			if o.Sensitive {
				i.Sensitive = planjson.Value("true")
			}
		}
		if o := p.Config().RootModule.Outputs[name]; o != nil && o.Sensitive {
			i.Sensitive = planjson.Value("true")
		}
		x.add(i)
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

// Split splits the address of an instance with a path after it, such as
// aws_instance.web[0].network[1].subnet, into the instance and the path. The
// instance is nil if the plan has none with this address.
func (x *Instances) Split(text string) (i *Instance, path string) {
	if x == nil {
		return nil, ""
	}
	for _, end := range ends(text) {
		if i := x.byAddr[text[:end]]; i != nil {
			return i, strings.TrimPrefix(text[end:], ".")
		}
	}
	return nil, ""
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
