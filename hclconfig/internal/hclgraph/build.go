// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclgraph makes the graph of the objects in a tree of modules, and walks it.
package hclgraph

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A Module is a module in the tree of those whose objects make a graph.
type Module struct {
	*hclconfig.Module
	Path    string // of the calls from the root
	Call    *hclconfig.ModuleCall
	Parent  *Module
	Missing []*hclconfig.ModuleCall // calls of modules that are not there

	// children in the order of the calls, and by the name of the call.
	Children []*Module
	Child    map[string]*Module
	// resources and nodes by address; expand and done are those that everything in the
	// module waits for, and that wait for everything in it.
	Resources    map[string]*hclconfig.Resource
	nodes        map[string]*Node
	Expand, Done *Node
}

// NewModule returns a module that parent calls, or the root if parent is nil.
func NewModule(m *hclconfig.Module, call *hclconfig.ModuleCall, parent *Module, missing []*hclconfig.ModuleCall) *Module {
	g := &Module{Module: m, Call: call, Parent: parent, Missing: missing, Child: map[string]*Module{}, nodes: map[string]*Node{}}
	if parent != nil {
		g.Path = hclsource.Dotted(parent.Path) + "module." + call.Name
		parent.Children = append(parent.Children, g)
		parent.Child[call.Name] = g
	}
	g.Resources = make(map[string]*hclconfig.Resource, len(m.Resources)+len(m.Data))
	for _, r := range hclsource.AllResources(m) {
		g.Resources[hclsource.Address(r)] = r
	}
	return g
}

// A Node is one object of the graph that the programs walk: it is looked
// at when everything that it depends on has been, and only if that was right.
type Node struct {
	Name  string // as the programs name it
	Scope *Module
	// decl is what the node is of: a *hclconfig.Variable, *hclconfig.Local and so on. For a
	// *hclconfig.ModuleCall, end reports that it is the node that waits for everything in
	// the module.
	Decl any
	End  bool
	// check is the name of the check block that a data source is in.
	Check string
	// input is what a call gives to a variable.
	Input *hclconfig.Argument

	File *hclconfig.File
	At   func() addrs.Range
	Deps []*Node
	// missing reports that the node is a module that was not found. The last loose
	// of its deps make no cycle: it is not known which output needs which input.
	Missing bool
	loose   int
	// links has the references that deps are made of, in the same order. Those of deps
	// without references are missing, and so are all of a graph with hooks.
	Links []Link

	state nodeState
	// For the search for cycles.
	index, low int
	onStack    bool
}

type nodeState uint8

const (
	nodeWaits nodeState = iota
	nodeOnItsWay
	nodeIsRight
	nodeIsWrong
)

// A Link is one reference of a node.
type Link struct {
	To      *Node
	At      string
	Subject hclsource.Subject
	Steps   hcl.Traversal
}

// Hooks adapt a graph to what a program does when it checks a configuration.
type Hooks struct {
	// body calls add with the expressions in a body of owner, which is a
	// *hclconfig.Resource or *hclconfig.Provider.
	Body func(m *Module, owner any, b *hclconfig.Body, add func(hclconfig.Expression))
	// Loose reports that a reference to an output that is not there waits for nothing.
	Loose bool
	// each, if not nil, is called for expressions whose providers OpenTofu looks for.
	Each func(m *Module, e hclconfig.Expression)
}

// A Builder makes the nodes of modules.
type Builder struct {
	Dialect hcllang.Dialect
	// isType reports whether a reference is the name of a type, and variables returns the
	// references in an expression.
	IsType    func(hcl.Traversal) bool
	Variables func(hclsyntax.Expression) []hcl.Traversal
	Hooks     *Hooks // nil for a graph of links

	nodes   []*Node
	waiting []*waiting
}

// node adds a node for something at an address of a module.
func (b *Builder) node(s *Module, address, name string, f *hclconfig.File, at func() addrs.Range, decl any) *Node {
	n := &Node{Scope: s, Name: hclsource.Dotted(s.Path) + name, File: f, At: at, Decl: decl}
	if s.Expand != nil {
		n.Deps = append(n.Deps, s.Expand)
	}
	if address != "" && s.nodes[address] == nil {
		s.nodes[address] = n
	}
	b.nodes = append(b.nodes, n)
	return n
}

// A waiting node has the references of a node, from which its dependencies are
// found once all nodes are there.
type waiting struct {
	n    *Node
	s    *Module
	refs []holder
	also []*Node
	self string
	// bodies have further expressions.
	bodies []holderBody
	// unlinked reports that OpenTofu does not look for the providers of its functions.
	unlinked bool
}

// A holder is an expression of a node, and its place in it, as Edge.At has it.
type holder struct {
	at string
	e  hclconfig.Expression
}

// A holderBody is a body whose expressions are those of a node. If at is empty, their
// place is the path of each argument.
type holderBody struct {
	at   string
	body *hclconfig.Body
	// owner, if not nil, is what the body is the configuration of.
	owner any
}

func rulesOf(at string, rules []*hclconfig.CheckRule) []holder {
	var out []holder
	for _, r := range rules {
		out = append(out, holder{at, r.Condition}, holder{at, r.ErrorMessage})
	}
	return out
}

// callHolders returns the expressions of a call itself.
func callHolders(call *hclconfig.ModuleCall) []holder {
	return []holder{{"count", call.Count}, {"for_each", call.ForEach}, {"enabled", call.Enabled}, {"depends_on", call.DependsOn}}
}

// Build returns the nodes of a module and of those that it calls.
func (b *Builder) Build(root *Module) []*Node {
	b.visit(root)
	if b.Hooks != nil || b.Dialect == hcllang.Terraform {
		b.imported(root)
	}
	for _, w := range b.waiting {
		b.resolve(w)
	}
	return b.nodes
}

func (b *Builder) wait(w *waiting) { b.waiting = append(b.waiting, w) }

func (b *Builder) visit(s *Module) {
	late := b.Dialect == hcllang.Terraform // where a module waits for its checks
	call := s.Call
	if s.Parent != nil {
		s.Expand = b.node(s.Parent, "", "module."+call.Name+" (expand)", call.Block.File(), call.Block.DefRange, call)
		b.wait(&waiting{n: s.Expand, s: s.Parent, refs: callHolders(call), unlinked: true})
	}
	b.declared(s)
	for _, child := range s.Children {
		b.visit(child)
	}
	for _, call := range s.Missing {
		n := b.node(s, "module."+call.Name, "module."+call.Name, call.Block.File(), call.Block.DefRange, call)
		n.Missing = true
		b.wait(&waiting{n: n, s: s, refs: callHolders(call), bodies: []holderBody{{"", call.Inputs(), nil}}})
	}
	if s.Parent == nil {
		return
	}
	s.Done = b.node(s.Parent, "module."+call.Name, "module."+call.Name+" (close)", call.Block.File(), call.Block.DefRange, call)
	s.Done.End = true
	s.Done.Deps = append(s.Done.Deps, s.Expand)
	for address, n := range s.nodes {
		if late || !strings.HasPrefix(address, "check.") {
			s.Done.Deps = append(s.Done.Deps, n)
		}
	}
	for _, child := range s.Children {
		s.Done.Deps = append(s.Done.Deps, child.Done)
	}
}

// resolve finds the dependencies of a node.
func (b *Builder) resolve(w *waiting) {
	add := func(at string, e hclconfig.Expression) {
		if !e.IsSet() {
			return
		}
		if b.Hooks != nil && b.Hooks.Each != nil && !w.unlinked {
			b.Hooks.Each(w.s, e)
		}
		for _, p := range hclsource.Pieces(e) {
			for _, t := range b.Variables(p.Expr) {
				if t.IsRelative() || b.IsType(t) {
					continue
				}
				if s, d := hclsource.SubjectOf(p, t, b.Dialect); d == nil {
					b.depend(w, at, &s, t)
				}
			}
		}
	}
	for _, h := range w.refs {
		add(h.at, h.e)
	}
	before := len(w.n.Deps)
	for _, h := range w.bodies {
		b.body(w, h, add)
	}
	if w.n.Missing {
		w.n.loose = len(w.n.Deps) - before
	}
	w.n.Deps = append(w.n.Deps, w.also...)
}

// body adds the references of a body. Their places are at, or the paths of the arguments.
func (b *Builder) body(w *waiting, h holderBody, add func(at string, e hclconfig.Expression)) {
	switch {
	case b.Hooks != nil && h.owner != nil:
		b.Hooks.Body(w.s, h.owner, h.body, func(e hclconfig.Expression) { add(h.at, e) })
	case b.Hooks != nil || h.at != "":
		evaluatedIn(h.body, func(e hclconfig.Expression) { add(h.at, e) })
	default:
		eachPath("", h.body, func(path string, a *hclconfig.Argument) {
			if hclsource.Evaluated(hcllang.Kind(a.Expression.Kind())) {
				add(path, a.Expression)
			}
		})
	}
}

// evaluatedIn calls f with the expressions in a body and the blocks in it.
func evaluatedIn(b *hclconfig.Body, f func(hclconfig.Expression)) {
	for a := range b.AllArguments() {
		if hclsource.Evaluated(hcllang.Kind(a.Expression.Kind())) {
			f(a.Expression)
		}
	}
}

func (b *Builder) depend(w *waiting, at string, s *hclsource.Subject, t hcl.Traversal) {
	var target *Node
	switch s.Kind {
	case hclsource.ToOutput:
		if child := w.s.Child[s.Name]; child != nil {
			target = child.nodes["output."+s.Output]
			if target == nil && b.Hooks != nil && b.Hooks.Loose {
				return // which waits for nothing
			}
			if target == nil {
				target = child.Done
			}
		}
	case hclsource.ToModule:
		if child := w.s.Child[s.Name]; child != nil {
			target = child.Done
		}
	default:
		if a := s.Address(); a != w.self && a != "" {
			target = w.s.nodes[a]
		}
	}
	if target == nil && (s.Kind == hclsource.ToModule || s.Kind == hclsource.ToOutput) {
		target = w.s.nodes["module."+s.Name]
	}
	if target != nil && target != w.n {
		w.n.Deps = append(w.n.Deps, target)
		if b.Hooks == nil {
			w.n.Links = append(w.n.Links, Link{target, at, *s, t})
		}
	}
}

// declared makes a node of everything that a module declares.
func (b *Builder) declared(s *Module) {
	var inputs *hclconfig.Body
	if s.Parent != nil {
		inputs = s.Call.Inputs()
	}
	for _, v := range s.Variables {
		n := b.node(s, "var."+v.Name, "var."+v.Name, v.Block.File(), v.Block.DefRange, v)
		if s.Parent != nil {
			if n.Input = inputs.Argument(v.Name); n.Input != nil {
				b.wait(&waiting{n: n, s: s.Parent, refs: []holder{{"", n.Input.Expression}}})
			}
		}
		b.wait(&waiting{n: n, s: s, self: "var." + v.Name, refs: rulesOf("validation", v.Validations)})
	}
	for _, l := range s.Locals {
		n := b.node(s, "local."+l.Name, "local."+l.Name+" (expand)", l.Argument.Expression.File(), l.Argument.NameRange, l)
		b.wait(&waiting{n: n, s: s, self: "local." + l.Name, refs: []holder{{"value", l.Argument.Expression}}})
	}
	for _, p := range s.Providers {
		n := b.node(s, "provider."+p.Address(), "provider."+p.Address(), p.Block.File(), p.Block.DefRange, p)
		b.wait(&waiting{n: n, s: s, refs: []holder{{"for_each", p.ForEach}}, bodies: []holderBody{{"", p.Config(), p}}})
	}
	for _, r := range slices.Concat(s.Module.Resources, s.Module.Data, s.Module.Ephemeral) {
		b.resource(s, r, "")
	}
	for _, k := range s.Checks {
		if k.Data != nil {
			b.resource(s, k.Data, k.Name)
		}
		n := b.node(s, "check."+k.Name, "check."+k.Name+" (expand)", k.Block.File(), k.Block.DefRange, k)
		w := &waiting{n: n, s: s, unlinked: true, refs: rulesOf("assert", k.Asserts)}
		if k.Data != nil {
			w.also = append(w.also, s.nodes[hclsource.Address(k.Data)])
		}
		b.wait(w)
	}
	for _, o := range s.Outputs {
		n := b.node(s, "output."+o.Name, "output."+o.Name+" (expand)", o.Block.File(), o.Block.DefRange, o)
		w := &waiting{n: n, s: s, refs: []holder{{"value", o.Value}, {"depends_on", o.DependsOn}}}
		w.refs = append(w.refs, rulesOf("precondition", o.Preconditions)...)
		b.wait(w)
	}
}

func (b *Builder) resource(s *Module, r *hclconfig.Resource, check string) {
	n := b.node(s, hclsource.Address(r), hclsource.Address(r)+" (expand)", r.Block.File(), r.Block.DefRange, r)
	n.Check = check
	w := &waiting{n: n, s: s, self: hclsource.Address(r), refs: []holder{{"count", r.Count}, {"for_each", r.ForEach}, {"depends_on", r.DependsOn}}, bodies: []holderBody{{"", r.Config(), r}}}
	if p := s.provider(r.ProviderName(), r.Provider.Alias); p != nil {
		w.also = append(w.also, p)
	}
	for _, p := range r.Provisioners {
		w.bodies = append(w.bodies, holderBody{"provisioner", &p.Block.Body, nil})
	}
	if r.Connection != nil {
		w.bodies = append(w.bodies, holderBody{"connection", &r.Connection.Body, nil})
	}
	if l := r.Lifecycle; l != nil {
		w.refs = append(w.refs, holder{"replace_triggered_by", l.ReplaceTriggeredBy}, holder{"enabled", l.Enabled}, holder{"prevent_destroy", l.PreventDestroy})
		w.refs = append(w.refs, rulesOf("precondition", l.Preconditions)...)
		w.refs = append(w.refs, rulesOf("postcondition", l.Postconditions)...)
	}
	b.wait(w)
}

// imported adds what the resources that objects are imported into wait for
// because of that. The graph that OpenTofu prints does not have it.
func (b *Builder) imported(root *Module) {
	for _, i := range root.Imports {
		if n := root.importedNode(i, b.Dialect); n != nil {
			b.wait(&waiting{n: n, s: root, refs: []holder{{"import", i.ID}, {"import", i.Identity}, {"import", i.ForEach}}})
		}
	}
}

// importedNode returns the node of the managed resource that i imports into, or nil.
func (m *Module) importedNode(i *hclconfig.Import, dialect hcllang.Dialect) *Node {
	a, ok := hclsource.ImportAddress(i, dialect)
	if !ok {
		return nil
	}
	for name := range a.Module().Steps() {
		if m = m.Child[name]; m == nil {
			return nil
		}
	}
	r := m.Resources[a.Resource().String()]
	if r == nil || r.Mode != addrs.Managed {
		return nil
	}
	return m.nodes[hclsource.Address(r)]
}

// provider returns the node of the provider configuration with this name in
// the module, or nil. It may be one of a calling module.
func (m *Module) provider(name, alias string) *Node {
	for {
		address := name
		if alias != "" {
			address += "." + alias
		}
		if n := m.nodes["provider."+address]; n != nil {
			return n
		}
		if m.Parent == nil {
			return nil
		}
		mapped := false
		for _, p := range m.Call.ProviderMappings() {
			if p.Inner.Name == name && p.Inner.Alias == alias {
				name, alias, mapped = p.Outer.Name, p.Outer.Alias, true
			}
		}
		if !mapped && alias != "" {
			return nil
		}
		m = m.Parent
	}
}

// maxPath bounds the paths of nested blocks: each argument in them has a path of its own.
const maxPath = 1024

// eachPath visits the arguments of a body and of the blocks in it, with their paths.
func eachPath(prefix string, b *hclconfig.Body, visit func(path string, a *hclconfig.Argument)) {
	if len(prefix) > maxPath {
		prefix = "..."
	}
	for i := range b.Arguments {
		visit(prefix+b.Arguments[i].Name, &b.Arguments[i])
	}
	count := map[string]int{}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		switch {
		case hclsource.IsDynamic(n):
			name := hclsource.Label(n, 0)
			for j := range n.Body.Arguments {
				visit(prefix+name, &n.Body.Arguments[j])
			}
			for j := range n.Body.Blocks {
				eachPath(prefix+name+".", &n.Body.Blocks[j].Body, visit)
			}
		default:
			eachPath(prefix+n.Type+"["+strconv.Itoa(count[n.Type])+"].", &n.Body, visit)
			count[n.Type]++
		}
	}
}

// Walk visits all nodes, each after those that it depends on. A node for which visit
// reports false is wrong: those that depend on it are not visited, and neither are those
// that depend on them.
func Walk(nodes []*Node, visit func(*Node) bool) {
	// An explicit stack: chains can be as long as the configuration.
	type frame struct {
		n    *Node
		next int
	}
	for _, n := range nodes {
		n.state = nodeWaits
	}
	var stack []frame
	for _, n := range nodes {
		if n.state != nodeWaits {
			continue
		}
		n.state = nodeOnItsWay
		stack = append(stack, frame{n: n})
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next < len(top.n.Deps) {
				d := top.n.Deps[top.next]
				top.next++
				if d.state == nodeWaits {
					d.state = nodeOnItsWay
					stack = append(stack, frame{n: d})
				}
				continue
			}
			n := top.n
			stack = stack[:len(stack)-1]
			n.state = nodeIsRight
			if slices.ContainsFunc(n.Deps, func(d *Node) bool { return d.state == nodeIsWrong }) || !visit(n) {
				n.state = nodeIsWrong
			}
		}
	}
}
