// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// A Graph holds the dependencies in a configuration: the references of all
// expressions, resolved across modules. The format does not show locals,
// lifecycle blocks and dynamic blocks, so dependencies through them are
// missing; a local is a node without dependencies. If something refers to a
// whole module with more than 64 outputs, these outputs together are one more
// node, module.m.output.*.
//
// A graph does not change after [New] and is safe for concurrent use.
type Graph struct {
	nodes   map[string]*Node
	order   []*Node
	outputs map[string][]*Node // by the address of the module block
	edges   map[edgeKey]bool   // those that are there; nil when all are
}

type edgeKey struct {
	from, to      *Node
	at, attribute string
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
	Module   NodeKind = "module" // a module block: its count, for_each and depends_on
	Action   NodeKind = "action"
)

// A Node is an object of the configuration that others can refer to.
type Node struct {
	// Address is the address in the configuration: module.a.aws_x.y,
	// module.a.var.x, module.a.output.x, module.a. It has no instance keys.
	Address string
	Kind    NodeKind
	Module  string     // the path of its module, "" for the root
	Mode    addrs.Mode // of a resource
	Type    string     // of a resource

	// Needs lists the references of the node, and NeededBy those to it.
	Needs, NeededBy []*Edge
}

// An Edge is one reference.
type Edge struct {
	// From is the node that holds the reference, and To is the node it refers
	// to.
	From, To *Node

	// At is the place of the reference in From: the path of an argument, such as
	// network[0].subnet, or "count", "for_each", "depends_on", "value" in an
	// output, "provisioner", and "" in the call that gives a variable its value.
	At string

	// Attribute is the part of To that is referred to: names and keys. It is
	// empty if the reference is to all of To, or if the part is not known.
	Attribute []string

	// Reference is the reference as written, relative to its module.
	Reference string
}

// New returns the graph of a configuration. References that cannot be parsed,
// or have no target, are left out.
func New(c *planjson.Config) *Graph { return newGraph(c, nil) }

// newGraph is New with the references of locals, by the path of their module and
// their name.
func newGraph(c *planjson.Config, locals map[string]map[string][]string) *Graph {
	g := &Graph{nodes: make(map[string]*Node), outputs: make(map[string][]*Node), edges: make(map[edgeKey]bool)}
	for path, m := range c.AllModules() {
		g.declare(path, m)
	}
	for path, m := range c.AllModules() {
		g.connect(path, m)
		for name, references := range locals[path] {
			n := g.add(path, "local."+name, Local)
			for _, text := range references {
				if ref, err := addrs.ParseReference(text); err == nil {
					g.reference(n, path, "", ref)
				}
			}
		}
	}
	g.edges = nil
	g.order = slices.SortedFunc(maps.Values(g.nodes), func(a, b *Node) int { return strings.Compare(a.Address, b.Address) })
	return g
}

// Node returns the node at an address, or nil. The address can be that of an
// instance.
func (g *Graph) Node(address string) *Node {
	if g == nil {
		return nil
	}
	if n := g.nodes[address]; n != nil {
		return n
	}
	return g.nodes[plantext.WithoutKeys(address)]
}

// All returns an iterator over the nodes, sorted by address.
func (g *Graph) All() iter.Seq[*Node] {
	if g == nil {
		return func(func(*Node) bool) {}
	}
	return slices.Values(g.order)
}

func (g *Graph) add(path, address string, kind NodeKind) *Node {
	at := join(path, address)
	n := g.nodes[at]
	if n == nil {
		n = &Node{Address: at, Kind: kind, Module: path}
		g.nodes[at] = n
	}
	return n
}

func (g *Graph) declare(path string, m *planjson.ModuleConfig) {
	for name := range m.Variables {
		g.add(path, "var."+name, Variable)
	}
	for _, name := range slices.Sorted(maps.Keys(m.Outputs)) {
		g.outputs[path] = append(g.outputs[path], g.add(path, "output."+name, Output))
	}
	for name := range m.ModuleCalls {
		g.add(path, "module."+name, Module)
	}
	for _, r := range m.Resources {
		if r != nil {
			n := g.add(path, r.Address, Resource)
			n.Mode, n.Type = r.Mode, r.Type
		}
	}
	for _, a := range m.Actions {
		if a != nil {
			g.add(path, a.Address, Action)
		}
	}
}

func (g *Graph) connect(path string, m *planjson.ModuleConfig) {
	for _, name := range slices.Sorted(maps.Keys(m.Outputs)) {
		if o := m.Outputs[name]; o != nil {
			n := g.add(path, "output."+name, Output)
			g.expression(n, path, "value", o.Expression)
			g.dependsOn(n, path, o.DependsOn)
		}
	}
	for _, r := range m.Resources {
		if r == nil {
			continue
		}
		n := g.add(path, r.Address, Resource)
		g.repetition(n, path, r.CountExpression, r.ForEachExpression)
		for at, e := range planjson.AllExpressions(r.Expressions) {
			g.expression(n, path, at, e)
		}
		for _, p := range r.Provisioners {
			if p != nil {
				for _, e := range planjson.AllExpressions(p.Expressions) {
					g.expression(n, path, "provisioner", e)
				}
			}
		}
		g.dependsOn(n, path, r.DependsOn)
	}
	for _, name := range slices.Sorted(maps.Keys(m.ModuleCalls)) {
		call := m.ModuleCalls[name]
		if call == nil {
			continue
		}
		n := g.add(path, "module."+name, Module)
		g.repetition(n, path, call.CountExpression, call.ForEachExpression)
		g.dependsOn(n, path, call.DependsOn)
		for _, arg := range slices.Sorted(maps.Keys(call.Expressions)) {
			v := g.add(n.Address, "var."+arg, Variable)
			for _, e := range planjson.AllExpressions(map[string]*planjson.Expression{"": call.Expressions[arg]}) {
				g.expression(v, path, "", e)
			}
		}
	}
	for _, a := range m.Actions {
		if a != nil {
			g.repetition(g.add(path, a.Address, Action), path, a.CountExpression, a.ForEachExpression)
		}
	}
}

func (g *Graph) repetition(n *Node, path string, count, forEach *planjson.Expression) {
	g.expression(n, path, "count", count)
	g.expression(n, path, "for_each", forEach)
}

func (g *Graph) dependsOn(n *Node, path string, references []string) {
	for _, text := range references {
		if ref, err := addrs.ParsePlanReference(text); err == nil {
			g.reference(n, path, "depends_on", ref)
		}
	}
}

func (g *Graph) expression(n *Node, path, at string, e *planjson.Expression) {
	if e == nil {
		return
	}
	for ref, err := range e.Refs() {
		if err == nil {
			g.reference(n, path, at, ref)
		}
	}
}

// reference adds the edges of one reference in the module path.
func (g *Graph) reference(from *Node, path, at string, ref addrs.Reference) {
	attribute := remaining(ref)
	switch ref.Kind() {
	case addrs.LocalReference:
		g.add(path, "local."+ref.Name(), Local)
	case addrs.ModuleReference:
		// All of a module: everything that it gives out.
		name, _ := ref.ModuleCall()
		for _, output := range g.allOutputs(join(path, "module."+name)) {
			g.edge(from, output, at, nil, ref.String())
		}
		attribute = nil
	}
	if to := g.target(path, ref); to != nil {
		g.edge(from, to, at, attribute, ref.String())
	}
}

// target returns the node that a reference in the module path means, or nil. For a
// whole module it is the module block.
func (g *Graph) target(path string, ref addrs.Reference) *Node {
	switch ref.Kind() {
	case addrs.VariableReference:
		return g.nodes[join(path, "var."+ref.Name())]
	case addrs.LocalReference:
		return g.nodes[join(path, "local."+ref.Name())]
	case addrs.ResourceReference:
		if r, ok := ref.Resource(); ok {
			return g.nodes[join(path, r.String())]
		}
	case addrs.ModuleOutputReference, addrs.ModuleReference:
		name, _ := ref.ModuleCall()
		call := join(path, "module."+name)
		if ref.Kind() == addrs.ModuleOutputReference {
			if output := g.nodes[call+".output."+ref.Name()]; output != nil {
				return output
			}
		}
		return g.nodes[call]
	}
	return nil
}

// maxOutputs is how many outputs a reference to a whole module has edges to.
const maxOutputs = 64

// allOutputs returns the outputs of a module. If they are many, it is one node,
// module.m.output.*, which needs them: references to the module are then as many
// edges as there are references.
func (g *Graph) allOutputs(call string) []*Node {
	outputs := g.outputs[call]
	if len(outputs) <= maxOutputs {
		return outputs
	}
	all := g.nodes[join(call, "output.*")]
	if all == nil {
		all = g.add(call, "output.*", Output)
		for _, output := range outputs {
			g.edge(all, output, "", nil, "output."+strings.TrimPrefix(output.Address, call+".output."))
		}
	}
	return []*Node{all}
}

func (g *Graph) edge(from, to *Node, at string, attribute []string, reference string) {
	key := edgeKey{from, to, at, strings.Join(attribute, "\x00")}
	if g.edges[key] {
		return
	}
	g.edges[key] = true
	e := &Edge{From: from, To: to, At: at, Attribute: attribute, Reference: reference}
	from.Needs = append(from.Needs, e)
	to.NeededBy = append(to.NeededBy, e)
}

// Feeds returns an iterator over all references that the value of an attribute
// can come from, directly or through variables, outputs and other resources,
// the nearest first. The attribute is the name of an argument of the resource
// at the address, or "" for all of them. The address can be that of an instance. A computed attribute of another
// resource ends the search, except that the references of the resource's
// arguments follow, because the provider may compute the attribute from them.
func (g *Graph) Feeds(address, attribute string) iter.Seq[*Edge] {
	return func(yield func(*Edge) bool) {
		if g == nil {
			return
		}
		g.walk(g.Node(address), attribute, yield)
	}
}

// walk visits the sources of an attribute, breadth first.
func (g *Graph) walk(n *Node, attribute string, yield func(*Edge) bool) {
	type stop struct {
		node      *Node
		attribute string
	}
	seen := make(map[stop]bool)
	given := make(map[*Edge]bool)
	queue := []stop{{n, attribute}}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if s.node == nil || seen[s] {
			continue
		}
		seen[s] = true
		for _, e := range s.node.Needs {
			if !s.node.feeds(e, s.attribute) {
				continue
			}
			if !given[e] {
				given[e] = true
				if !yield(e) {
					return
				}
			}
			next := stop{node: e.To}
			if e.To.Kind == Resource && len(e.Attribute) > 0 {
				next.attribute = e.Attribute[0]
			}
			queue = append(queue, next)
		}
	}
}

// feeds reports whether a reference in n has a part in an attribute of n.
func (n *Node) feeds(e *Edge, attribute string) bool {
	if n.Kind != Resource || attribute == "" || !n.isArgument(attribute) {
		return true
	}
	return argument(e.At) == attribute || e.At == "for_each" || e.At == "count"
}

// isArgument reports whether an attribute is made of references in n. Otherwise
// the provider makes it, of anything.
func (n *Node) isArgument(attribute string) bool {
	return slices.ContainsFunc(n.Needs, func(e *Edge) bool { return argument(e.At) == attribute })
}

// argument returns the name of the argument at the beginning of a place.
func argument(at string) string {
	if i := strings.IndexAny(at, ".["); i >= 0 {
		return at[:i]
	}
	return at
}

// Dependents returns an iterator over all nodes that depend on the one at the
// address, directly or not, the nearest first. The address can be that of an
// instance.
func (g *Graph) Dependents(address string) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		if g == nil {
			return
		}
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

// remaining returns the names and keys in the steps of a reference up to the
// first position of a list, which says nothing about names.
func remaining(ref addrs.Reference) []string {
	var names []string
	for step := range ref.Remaining() {
		if name, ok := step.Attr(); ok {
			names = append(names, name)
			continue
		}
		key, ok := step.Index()
		if !ok {
			break
		}
		if name, ok := key.Str(); ok {
			names = append(names, name)
		}
	}
	return names
}

// join puts an address after the path of its module.
func join(path, address string) string {
	if path == "" {
		return address
	}
	return path + "." + address
}
