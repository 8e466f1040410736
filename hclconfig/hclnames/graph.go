// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclgraph"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/zclconf/go-cty/cty"
)

// A Graph holds the dependencies in a configuration: what refers to what, across
// modules of any depth. [Tree.Graph] makes it. Nodes and edges have the addresses and
// the shape of those of package plangraph, which has the graph of a plan; this graph
// also has local values, providers and checks, and the place of each reference.
//
// A graph does not change and is safe for concurrent use.
type Graph struct {
	nodes  map[string]*Node
	order  []*Node
	cycles [][]*Edge
}

// A NodeKind is the kind of a [Node].
// Its values include [Resource], [Variable] and [Output].
type NodeKind string

// The kinds.
const (
	Resource NodeKind = "resource" // a resource, data source or ephemeral resource
	Variable NodeKind = "var"
	Output   NodeKind = "output"
	Local    NodeKind = "local"
	Module   NodeKind = "module"   // a module block: its count, for_each and depends_on
	Contents NodeKind = "contents" // all that is in a called module, in OpenTofu without its checks
	Provider NodeKind = "provider" // a provider configuration
	Check    NodeKind = "check"
)

// A Node is an object of the configuration that others can depend on. To get from a variable,
// local value, output or resource to its block, look its address up in the names of its module:
// [Names.Lookup] with the Address without the Module, for the [Tree] of that [Tree.Path].
type Node struct {
	// Address is the address in the configuration: module.a.aws_x.y,
	// module.a.var.x, module.a.output.x, module.a, and module.a.* for the contents
	// of a module. It has no instance keys.
	Address string
	Kind    NodeKind   // compare it with the constants: the kind of var.x is "var"
	Module  string     // the path of its module, "" for the root
	Mode    addrs.Mode // of a resource
	Type    string     // of a resource

	// Needs lists the references of the node, and NeededBy those to it.
	Needs, NeededBy []*Edge

	declared *hclgraph.Node
}

// Range returns the place of the declaration: the head of its block, or the name of a
// local value. For the contents of a module it is that of the module block.
func (n *Node) Range() addrs.Range {
	if n == nil || n.declared == nil {
		return addrs.Range{}
	}
	return n.declared.At()
}

// An Edge is one reference, or another reason why a node depends on one: everything in
// a called module needs its module block, the contents of a module need everything in
// it, and a resource needs the configuration of its provider.
type Edge struct {
	// From is the node that holds the reference, and To is the node it refers
	// to.
	From, To *Node

	// At is the place of the reference in From:
	//
	//   - the path of an argument, such as network[0].subnet
	//   - "count", "for_each", "depends_on", "enabled", "replace_triggered_by",
	//     "precondition", "postcondition", "prevent_destroy", "provisioner",
	//     "connection", "validation", "assert" or "provider"
	//   - "value" in an output or a local value
	//   - "import" for a reference that Terraform needs for an import into From
	//   - "" in the call that gives a variable its value, and for the edges of a
	//     module's contents
	//
	// In a dynamic block the path has no index. In JSON syntax only nested blocks of the
	// language itself have a path; everything else has the name of the block's argument. If the
	// path of a block is longer than 1,024 bytes, three dots replace it in the paths of its
	// contents.
	At string

	// Attribute is the part of To that is referred to: names and keys, up to the
	// first index that is a number. It is empty if the reference is to all of To,
	// or if the part is not known.
	Attribute []string

	// Reference is the reference as written, relative to its module, without
	// computed keys. It is empty for an edge that is not a reference.
	Reference string

	link *hclgraph.Link
}

// Range returns the place of the reference. For an edge that is not a reference it is
// the zero Range.
func (e *Edge) Range() addrs.Range {
	if e == nil || e.link == nil {
		return addrs.Range{}
	}
	return e.link.Subject.Piece.At(e.link.Steps.SourceRange())
}

// Graph returns the graph of the dependencies in the module and in the modules that it
// calls. It needs no schemas, and accepts a configuration with faults: references that
// cannot be parsed, or lead to nothing, are left out, as are those of an object to
// itself. A reference to an output that the called module does not have, or to a module
// as a whole, leads to the contents of the module. A module that is not installed is
// one node, which has the references of its inputs as well.
func (t *Tree) Graph() *Graph {
	g := &Graph{nodes: map[string]*Node{}}
	if t == nil || t.Module == nil {
		return g
	}
	var modules []*hclgraph.Module
	var visit func(t *Tree, parent *hclgraph.Module)
	visit = func(t *Tree, parent *hclgraph.Module) {
		m := hclgraph.NewModule(t.Module, t.Call, parent, t.Missing)
		if parent == nil {
			m.Path = t.Path()
		}
		modules = append(modules, m)
		for _, child := range t.Children {
			visit(child, m)
		}
	}
	visit(t, nil)
	b := hclgraph.Builder{
		Dialect: hclsource.Program(t.Module.Dialect()), IsType: hclsource.TypeNames(t.Module.Dialect()),
		Variables: func(x hclsyntax.Expression) []hcl.Traversal { return x.Variables() },
	}
	nodes := b.Build(modules[0])
	of := make(map[*hclgraph.Node]*Node, len(nodes))
	for _, n := range nodes {
		of[n] = g.add(n)
	}
	for _, n := range nodes {
		g.connect(of, n)
	}
	for _, m := range modules[1:] {
		g.contents(of, m)
	}
	g.order = make([]*Node, 0, len(g.nodes))
	for _, n := range g.nodes {
		g.order = append(g.order, n)
	}
	slices.SortFunc(g.order, func(a, b *Node) int { return strings.Compare(a.Address, b.Address) })
	for _, n := range g.order {
		for _, e := range n.Needs {
			e.To.NeededBy = append(e.To.NeededBy, e)
		}
	}
	for _, group := range hclgraph.StrongGroups(nodes) {
		way := hclgraph.ShortestCycle(group)
		edges := make([]*Edge, 0, len(way))
		for i, n := range way {
			from, to := of[n], of[way[(i+1)%len(way)]]
			if j := slices.IndexFunc(from.Needs, func(e *Edge) bool { return e.To == to }); j >= 0 {
				edges = append(edges, from.Needs[j])
			}
		}
		g.cycles = append(g.cycles, edges)
	}
	slices.SortFunc(g.cycles, func(a, b []*Edge) int { return strings.Compare(a[0].From.Address, b[0].From.Address) })
	return g
}

// add makes the node of n, or returns that of another declaration of the same name.
func (g *Graph) add(n *hclgraph.Node) *Node {
	path := n.Scope.Path
	name := strings.TrimPrefix(n.Name, hclsource.Dotted(path))
	node := &Node{Address: n.Name, Module: path, declared: n}
	if i := strings.LastIndexByte(name, ' '); i >= 0 { // (expand), or (close)
		if name[i:] == " (close)" {
			node.Kind, node.Module = Contents, strings.TrimSuffix(n.Name, " (close)")
			node.Address = node.Module + ".*"
		} else {
			node.Address = strings.TrimSuffix(n.Name, name[i:])
		}
		name = name[:i]
	}
	if node.Kind == "" {
		word, _, _ := strings.Cut(name, ".")
		switch kind := NodeKind(word); kind {
		case Variable, Output, Local, Module, Provider, Check:
			node.Kind = kind
		default:
			node.Kind = Resource
			if r := n.Scope.Resources[name]; r != nil {
				node.Mode, node.Type = r.Mode, r.Type
			}
		}
	}
	if old := g.nodes[node.Address]; old != nil {
		return old
	}
	g.nodes[node.Address] = node
	return node
}

// connect adds the edges of n.
func (g *Graph) connect(of map[*hclgraph.Node]*Node, n *hclgraph.Node) {
	from := of[n]
	for i := range n.Links {
		l := &n.Links[i]
		e := &Edge{From: from, To: of[l.To], At: l.At, Reference: hcllex.TraversalText(l.Steps), link: l}
		if e.To == from {
			continue
		}
		for _, step := range l.Subject.Rest {
			name := ""
			switch x := step.(type) {
			case hcl.TraverseAttr:
				name = x.Name
			case hcl.TraverseIndex:
				if x.Key.Type() == cty.String && x.Key.IsKnown() && !x.Key.IsNull() {
					name = x.Key.AsString()
				}
			}
			if name == "" {
				break
			}
			e.Attribute = append(e.Attribute, name)
		}
		from.Needs = append(from.Needs, e)
	}
	for _, p := range n.Deps {
		if to := of[p]; to.Kind == Provider && from.Kind == Resource {
			from.Needs = append(from.Needs, &Edge{From: from, To: to, At: "provider"})
		} else if to.Kind == Resource && from.Kind == Check && !slices.ContainsFunc(from.Needs, func(e *Edge) bool { return e.To == to }) {
			from.Needs = append(from.Needs, &Edge{From: from, To: to})
		}
	}
	if n.Scope.Expand != nil && from.Kind != Contents {
		from.Needs = append(from.Needs, &Edge{From: from, To: of[n.Scope.Expand]})
	}
}

// contents adds the edges of the contents of a called module.
func (g *Graph) contents(of map[*hclgraph.Node]*Node, s *hclgraph.Module) {
	from := of[s.Done]
	for _, n := range s.Done.Deps {
		if to := of[n]; to != nil {
			from.Needs = append(from.Needs, &Edge{From: from, To: to})
		}
	}
	slices.SortFunc(from.Needs, func(a, b *Edge) int { return strings.Compare(a.To.Address, b.To.Address) })
}

// All returns an iterator over the nodes, sorted by address.
func (g *Graph) All() iter.Seq[*Node] {
	if g == nil {
		return func(func(*Node) bool) {}
	}
	return slices.Values(g.order)
}

// Node returns the node at an address, or nil.
func (g *Graph) Node(address string) *Node {
	if g == nil {
		return nil
	}
	return g.nodes[address]
}

// Dependents returns an iterator over all nodes that depend on the one at the
// address, directly or not, the nearest first.
func (g *Graph) Dependents(address string) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		start := g.Node(address)
		seen := map[*Node]bool{start: true}
		for queue := []*Node{start}; len(queue) > 0 && queue[0] != nil; queue = queue[1:] {
			for _, e := range queue[0].NeededBy {
				if seen[e.From] {
					continue
				}
				seen[e.From] = true
				if !yield(e.From) {
					return
				}
				queue = append(queue, e.From)
			}
		}
	}
}

// Cycles returns an iterator over cycles: one for each group of nodes that all depend on
// each other, as the list of its edges. Each is a shortest cycle of its group or, in a
// group of more than 16 nodes, a shortest one through one of the first 16.
func (g *Graph) Cycles() iter.Seq[[]*Edge] {
	if g == nil {
		return func(func([]*Edge) bool) {}
	}
	return func(yield func([]*Edge) bool) {
		for _, c := range g.cycles {
			if !yield(slices.Clone(c)) {
				return
			}
		}
	}
}
