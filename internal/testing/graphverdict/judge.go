// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package graphverdict compares the graph of the instances of a plan, and the
// order of its operations, with those of the tool that made the plan.
package graphverdict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

// A Report counts the comparisons. Only an entry in Missing, Wrong or Early is
// a fault.
type Report struct {
	// Same counts edges between instances that both have, directly or over others,
	// Block those that the tool has because it waits for all instances of a block
	// of which one is referred to, Explained those of the table, Unplanned
	// those of the removal of data sources, which plans do not show, and Idle those
	// of instances that do not change, which are no operations.
	Same, Block, Explained, Unplanned, Idle int

	// Ours counts links that were looked for in the tool's graph.
	Ours int

	// Ordered counts pairs of operations whose order in the stream is as we say.
	Ordered int

	// Missing lists edges that only the tool has, Wrong links that only we have,
	// and Early operations that began before what we say they wait for had ended.
	Missing, Wrong, Early []string
}

// Faults returns the number of faults.
func (r *Report) Faults() int { return len(r.Missing) + len(r.Wrong) + len(r.Early) }

// Add adds another report.
func (r *Report) Add(o *Report) {
	r.Same += o.Same
	r.Block += o.Block
	r.Explained += o.Explained
	r.Unplanned += o.Unplanned
	r.Idle += o.Idle
	r.Ours += o.Ours
	r.Ordered += o.Ordered
	r.Missing = append(r.Missing, o.Missing...)
	r.Wrong = append(r.Wrong, o.Wrong...)
	r.Early = append(r.Early, o.Early...)
}

// String returns the counts, and the faults on lines of their own.
func (r *Report) String() string {
	s := fmt.Sprintf("%d edges are the same, %d are of whole blocks, %d are explained, %d of data sources that go, %d of what does not change; %d of our links, %d pairs in order", r.Same, r.Block, r.Explained, r.Unplanned, r.Idle, r.Ours, r.Ordered)
	for what, list := range map[string][]string{"missing": r.Missing, "wrong": r.Wrong, "too early": r.Early} {
		for _, line := range list {
			s += "\n  " + what + ": " + line
		}
	}
	return s
}

// A node is an instance, or its destruction, in either graph.
type node struct {
	address string
	destroy bool
}

func (n node) String() string {
	if n.destroy {
		return n.address + " (destroy)"
	}
	return n.address
}

var edge = regexp.MustCompile(`^\s*"((?:[^"\\]|\\.)*)" -> "((?:[^"\\]|\\.)*)"`)

// A toolGraph is the graph that a tool prints: what waits for what, by the names
// of nodes.
type toolGraph map[string][]string

func readGraph(dot []byte) toolGraph {
	g := toolGraph{}
	for line := range bytes.Lines(dot) {
		if m := edge.FindSubmatch(line); m != nil {
			unquote := func(b []byte) string {
				return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(strings.TrimPrefix(string(b), "[root] "))
			}
			from, to := unquote(m[1]), unquote(m[2])
			g[from] = append(g[from], to)
			if g[to] == nil {
				g[to] = nil
			}
		}
	}
	return g
}

// from returns all that a node waits for; stop ends a way.
func (g toolGraph) from(name string, stop func(string) bool) map[string]bool {
	seen := map[string]bool{}
	for list := slices.Clone(g[name]); len(list) > 0; {
		n := list[len(list)-1]
		list = list[:len(list)-1]
		if !seen[n] {
			seen[n] = true
			if !stop(n) {
				list = append(list, g[n]...)
			}
		}
	}
	return seen
}

// Judge compares a run with what package plangraph makes of its plan. The table
// explains edges between blocks that the plan does not show.
func Judge(run Run, explained map[[2]string]string) (*Report, error) {
	plan, err := planjson.DecodePlan(run.Plan)
	if err != nil {
		return nil, err
	}
	x := plangraph.NewInstances(plan, plangraph.InstancesOptions{})
	g := readGraph(run.Graph)
	names := map[string]node{} // of the tool
	for name := range g {
		address, kind := name, ""
		if i := strings.LastIndex(name, " ("); i >= 0 {
			address, kind = name[:i], name[i+2:]
		}
		if i := x.Instance(address); i != nil && i.Kind == plangraph.Resource && (kind == "" || strings.HasPrefix(kind, "destroy")) {
			names[name] = node{address, kind != ""}
		}
	}
	r := &Report{}
	ours := ourReach(x)
	reach := map[node]map[string]bool{}
	byNode := map[node]string{}
	for name, n := range names {
		byNode[n] = name
		reach[n] = g.from(name, func(string) bool { return false })
	}
	// Every edge of the tool is ours.
	for name, from := range names {
		for next := range g.from(name, func(n string) bool { _, ok := names[n]; return ok }) {
			to, ok := names[next]
			if !ok || to.address == from.address {
				continue
			}
			switch {
			case ours(from)[to]:
				r.Same++
			case sameBlock(ours(from), to), sibling(x, ours, from, to):
				r.Block++
			case explained[[2]string{block(from.address), block(to.address)}] != "":
				r.Explained++
			case from.destroy && x.Instance(from.address).Resource == nil:
				r.Unplanned++
			case idle(x, from), idle(x, to):
				r.Idle++
			default:
				r.Missing = append(r.Missing, from.String()+" -> "+to.String())
			}
		}
	}
	// Every link of ours is one of the tool's.
	for i := range x.All() {
		if i.Kind != plangraph.Resource || i.IsGone() {
			continue
		}
		for l := range x.Needs(i, "") {
			name, there := byNode[node{l.To.Address, false}]
			if l.To.Kind != plangraph.Resource || !there || byNode[node{i.Address, false}] == "" {
				continue
			}
			r.Ours++
			if !reach[node{i.Address, false}][name] {
				r.Wrong = append(r.Wrong, i.Address+" -> "+l.To.Address)
			}
		}
	}
	slices.Sort(r.Missing)
	slices.Sort(r.Wrong)
	return r, r.order(x, run.Stream)
}

// idle reports whether nothing happens to a node that is there afterwards.
func idle(x *plangraph.Instances, n node) bool {
	i := x.Instance(n.address)
	return !n.destroy && (i.Change == nil || i.Change.Actions.IsNoOp())
}

// block returns the address of a block.
func block(address string) string {
	return regexp.MustCompile(`\["(?:[^"\\]|\\.)*"\]|\[\d+\]`).ReplaceAllString(address, "")
}

func sameBlock(reach map[node]bool, to node) bool {
	for n := range reach {
		if n.destroy == to.destroy && block(n.address) == block(to.address) {
			return true
		}
	}
	return false
}

// sibling reports whether another instance of the same block has an edge to the
// block: the tool connects blocks of all instances of a module.
func sibling(x *plangraph.Instances, ours func(node) map[node]bool, from, to node) bool {
	for i := range x.All() {
		if block(i.Address) == block(from.address) && sameBlock(ours(node{i.Address, from.destroy}), to) {
			return true
		}
	}
	return false
}

// ourReach returns what a node waits for, directly or not, by our links and
// operations.
func ourReach(x *plangraph.Instances) func(node) map[node]bool {
	after := map[node][]node{}
	for i := range x.All() {
		if i.Kind == plangraph.Resource && !i.IsGone() {
			for l := range x.Needs(i, "") {
				after[node{i.Address, false}] = append(after[node{i.Address, false}], node{l.To.Address, false})
			}
		}
	}
	of := func(o *plangraph.Operation) node {
		return node{o.Address, o.Action == planjson.ActionDelete || o.Action == planjson.ActionForget}
	}
	for _, o := range x.Operations() {
		for before := range o.After() {
			after[of(o)] = append(after[of(o)], of(before))
		}
	}
	memo := map[node]map[node]bool{}
	return func(n node) map[node]bool {
		if memo[n] == nil {
			memo[n] = map[node]bool{}
			for list := slices.Clone(after[n]); len(list) > 0; {
				next := list[len(list)-1]
				list = list[:len(list)-1]
				if !memo[n][next] {
					memo[n][next] = true
					list = append(list, after[next]...)
				}
			}
		}
		return memo[n]
	}
}

// order compares the order of operations in a stream.
func (r *Report) order(x *plangraph.Instances, stream []byte) error {
	type key struct {
		address string
		action  planjson.Action
	}
	began, ended := map[key]int{}, map[key]int{}
	n := 0
	for line := range bytes.Lines(stream) {
		var m struct {
			Type string          `json:"type"`
			Hook json.RawMessage `json:"hook"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return err
		}
		var hook struct {
			Resource struct {
				Addr string `json:"addr"`
			} `json:"resource"`
			Action planjson.Action `json:"action"`
		}
		if m.Type != "apply_start" && m.Type != "apply_complete" {
			continue
		}
		if err := json.Unmarshal(m.Hook, &hook); err != nil {
			return err
		}
		n++
		k := key{hook.Resource.Addr, hook.Action}
		switch m.Type {
		case "apply_start":
			began[k] = n
		case "apply_complete":
			ended[k] = n
		}
	}
	place := map[*plangraph.Operation]int{}
	for i, o := range x.Operations() {
		place[o] = i
		start, ok := began[key{o.Address, o.Action}]
		for before := range o.After() {
			if at, ok := place[before]; !ok || at >= i {
				r.Early = append(r.Early, fmt.Sprintf("%s %s is listed before %s %s", o.Action, o.Address, before.Action, before.Address))
			}
			end, has := ended[key{before.Address, before.Action}]
			if !ok || !has {
				continue
			}
			r.Ordered++
			if end > start {
				r.Early = append(r.Early, fmt.Sprintf("%s %s begins before %s %s ends", o.Action, o.Address, before.Action, before.Address))
			}
		}
	}
	return nil
}
