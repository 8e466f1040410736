// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
)

// A wiring is what the blocks of a configuration wait for when they are applied, in both
// directions. It has more than the [Graph]: a whole module, its expansion, and the
// configuration of providers.
type wiring struct{ needs, neededBy map[*Node][]*Node }

func (w *wiring) connect(from, to *Node) {
	if from != nil && to != nil && from != to {
		w.needs[from] = append(w.needs[from], to)
		w.neededBy[to] = append(w.neededBy[to], from)
	}
}

// wire returns the wiring of the configuration.
func (x *Instances) wire() *wiring {
	g := x.Graph
	w := &wiring{map[*Node][]*Node{}, map[*Node][]*Node{}}
	contents := map[*Node]*Node{} // a node for everything in a module, by the module block
	for _, n := range g.order {
		if n.Kind == Module {
			contents[n] = &Node{Module: n.Address}
		}
	}
	for _, n := range g.order {
		for _, e := range n.Needs {
			if all := contents[e.To]; all != nil {
				w.connect(n, all)
			} else {
				w.connect(n, e.To)
			}
		}
		if in := g.nodes[n.Module]; in != nil && n.Module != "" {
			w.connect(n, in)
			w.connect(contents[in], n)
			w.connect(contents[in], contents[n])
		}
		w.connect(contents[n], n)
	}
	refer := func(n *Node, path string, refs []addrs.Reference) {
		for _, ref := range refs {
			to := g.target(path, ref)
			if all := contents[to]; all != nil {
				to = all
			}
			w.connect(n, to)
		}
	}
	configured := map[*providerConfig]*Node{}
	for _, key := range slices.Sorted(maps.Keys(x.providers)) {
		p := x.providers[key]
		configured[p] = &Node{Module: p.in}
		refer(configured[p], p.in, p.refs)
	}
	for _, path := range slices.Sorted(maps.Keys(x.configs)) {
		blocks := x.configs[path].blocks
		for _, address := range slices.Sorted(maps.Keys(blocks)) {
			n, b := g.nodes[join(path, address)], blocks[address]
			refer(n, path, parsed(x.trigger[path][address]))
			w.connect(n, configured[b.provider])
		}
	}
	return w
}

// A seen is a node as it is seen from an instance of a module: if the way to it does
// not leave the module, only what is in the same instance of the module counts.
type seen struct {
	n      *Node
	module string // the instance, if the way has not left the module
	way    way
}

// A way says which of the nodes after a node are meant.
type way uint8

const (
	anywhere way = iota // all, in all instances of their modules
	within              // those in an instance of the module, and then those outside
	outside             // those of other modules
)

// gather returns the step that ends when everything in a table has ended that the
// wiring leads to from a node. The node itself does not count.
func (o *orderer) gather(t table, memo map[seen]*orderNode, next map[*Node][]*Node, at seen) *orderNode {
	s := memo[at]
	if s != nil {
		return s
	}
	s = &orderNode{}
	memo[at] = s
	leaves := false
	for _, n := range next[at.n] {
		in := n.Module == at.n.Module
		switch {
		case at.way == within && !in:
			leaves = true
		case at.way == within:
			if n.Kind == Resource {
				s.needs = append(s.needs, t.at(n.Address, at.module, true))
			}
			s.needs = append(s.needs, o.gather(t, memo, next, seen{n, at.module, within}))
		case at.way == anywhere || !in:
			if n.Kind == Resource {
				s.needs = append(s.needs, t.all(n.Address))
			}
			s.needs = append(s.needs, o.gather(t, memo, next, seen{n: n}))
		}
	}
	if leaves { // the same for all instances of the module
		s.needs = append(s.needs, o.gather(t, memo, next, seen{n: at.n, way: outside}))
	}
	return s
}

// forced adds the blocks that have create_before_destroy because a block that depends
// on them has it.
func (w *wiring) forced(g *Graph, first map[string]bool) {
	var list []*Node
	for address := range first {
		list = append(list, g.nodes[address])
	}
	for visited := map[*Node]bool{nil: true}; len(list) > 0; {
		n := list[len(list)-1]
		list = list[:len(list)-1]
		if visited[n] {
			continue
		}
		visited[n] = true
		if n.Kind == Resource {
			first[n.Address] = true
		}
		list = append(list, w.needs[n]...)
	}
}
