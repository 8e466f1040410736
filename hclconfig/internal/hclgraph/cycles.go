// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclgraph

import (
	"slices"
)

// firm returns the dependencies that can make a cycle.
func (n *Node) firm() []*Node { return n.Deps[:len(n.Deps)-n.loose] }

// StrongGroups returns the groups of nodes, of two and more, that all depend on
// each other. It is Tarjan's algorithm with a stack of its own.
func StrongGroups(nodes []*Node) [][]*Node {
	type frame struct {
		n    *Node
		next int
	}
	var groups [][]*Node
	var open []*Node
	var stack []frame
	index := 0
	push := func(n *Node) {
		index++
		n.index, n.low, n.onStack = index, index, true
		open = append(open, n)
		stack = append(stack, frame{n: n})
	}
	for _, n := range nodes {
		if n.index != 0 {
			continue
		}
		push(n)
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if deps := top.n.firm(); top.next < len(deps) {
				d := deps[top.next]
				top.next++
				switch {
				case d.index == 0:
					push(d)
				case d.onStack:
					top.n.low = min(top.n.low, d.index)
				}
				continue
			}
			n := top.n
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				below := stack[len(stack)-1].n
				below.low = min(below.low, n.low)
			}
			if n.low != n.index {
				continue
			}
			i := len(open) - 1
			for open[i] != n {
				i--
			}
			group := slices.Clone(open[i:])
			open = open[:i]
			for _, g := range group {
				g.onStack = false
			}
			if len(group) > 1 {
				groups = append(groups, group)
			}
		}
	}
	return groups
}

// ShortestCycle returns a shortest way around through the first node of a
// group, in which all nodes reach each other.
func ShortestCycle(group []*Node) []*Node {
	in := make(map[*Node]bool, len(group))
	for _, n := range group {
		in[n] = true
	}
	var best []*Node
	// Each node is tried as the start, but not more than a few of a large
	// group, which would take its square.
	for _, start := range group[:min(len(group), 16)] {
		from := map[*Node]*Node{}
		queue := []*Node{start}
	search:
		for len(queue) > 0 {
			n := queue[0]
			queue = queue[1:]
			for _, d := range n.firm() {
				if d == start {
					var way []*Node
					for x := n; x != nil; x = from[x] {
						way = append(way, x)
					}
					slices.Reverse(way)
					if best == nil || len(way) < len(best) {
						best = way
					}
					break search
				}
				if in[d] && from[d] == nil {
					from[d] = n
					queue = append(queue, d)
				}
			}
		}
	}
	return best
}
