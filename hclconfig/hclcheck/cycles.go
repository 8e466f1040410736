// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"slices"
	"strings"
)

// cycles reports objects that depend on each other in a circle, each circle
// once, by the shortest way around.
func (c *treeChecker) cycles() bool {
	groups := strongGroups(c.nodes)
	for _, g := range groups {
		way := shortestCycle(g)
		names := make([]string, len(way))
		for i, n := range way {
			names[i] = n.name
		}
		first := slices.MinFunc(way, func(a, b *checkNode) int {
			if a.f.Filename() != b.f.Filename() {
				return strings.Compare(a.f.Filename(), b.f.Filename())
			}
			return int(a.at().Start.Offset - b.at().Start.Offset)
		})
		c.out = append(c.out, errorAt(first.at(), "Cycle: "+strings.Join(names, ", "), ""))
	}
	return len(groups) > 0
}

// firm returns the dependencies that can make a cycle.
func (n *checkNode) firm() []*checkNode { return n.deps[:len(n.deps)-n.loose] }

// strongGroups returns the groups of nodes, of two and more, that all depend on
// each other. It is Tarjan's algorithm with a stack of its own.
func strongGroups(nodes []*checkNode) [][]*checkNode {
	type frame struct {
		n    *checkNode
		next int
	}
	var groups [][]*checkNode
	var open []*checkNode
	var stack []frame
	index := 0
	push := func(n *checkNode) {
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

// shortestCycle returns a shortest way around through the first node of a
// group, in which all nodes reach each other.
func shortestCycle(group []*checkNode) []*checkNode {
	in := make(map[*checkNode]bool, len(group))
	for _, n := range group {
		in[n] = true
	}
	var best []*checkNode
	// Each node is tried as the start, but not more than a few of a large
	// group, which would take its square.
	for _, start := range group[:min(len(group), 16)] {
		from := map[*checkNode]*checkNode{}
		queue := []*checkNode{start}
	search:
		for len(queue) > 0 {
			n := queue[0]
			queue = queue[1:]
			for _, d := range n.firm() {
				if d == start {
					var way []*checkNode
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
