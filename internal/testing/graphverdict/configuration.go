// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package graphverdict

import (
	"iter"
	"slices"
	"strings"
)

// Edges returns the edges of a graph that a tool prints, each as FROM -> TO with the
// tool's names of the nodes.
func Edges(dot []byte) []string {
	var out []string
	for from, list := range readGraph(dot) {
		for _, to := range list {
			out = append(out, from+" -> "+to)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// A ConfigurationReport compares what reaches what in the graph of a configuration.
type ConfigurationReport struct {
	// Same counts pairs of nodes where one depends on the other, directly or not,
	// in both graphs, and Nodes those that were compared.
	Same, Nodes int
	// Missing lists pairs that only the tool has, and Wrong those that only we have.
	Missing, Wrong []string
}

// JudgeConfiguration compares the edges of a tool's graph of a configuration with a graph
// of ours: its addresses, and what depends on each, directly or not. Nodes that only one
// of them has are passed through and not compared.
func JudgeConfiguration(edges []string, addresses iter.Seq[string], dependents func(string) iter.Seq[string]) ConfigurationReport {
	tool := toolGraph{}
	of := map[string][]string{} // the names of the tool's nodes
	see := func(name string) {
		if _, ok := tool[name]; !ok {
			tool[name] = nil
			a := configurationAddress(name)
			of[a] = append(of[a], name)
		}
	}
	for _, e := range edges {
		from, to, _ := strings.Cut(e, " -> ")
		see(from)
		see(to)
		tool[to] = append(tool[to], from)
	}
	var r ConfigurationReport
	ours := map[string]bool{}
	for a := range addresses {
		if of[a] != nil {
			ours[a] = true
			r.Nodes++
		}
	}
	for a := range ours {
		theirs := map[string]bool{}
		for _, name := range of[a] {
			for next := range tool.from(name, func(string) bool { return false }) {
				if b := configurationAddress(next); ours[b] && b != a {
					theirs[b] = true
				}
			}
		}
		own := map[string]bool{}
		for b := range dependents(a) {
			if !ours[b] || b == a {
				continue
			}
			own[b] = true
			if theirs[b] {
				r.Same++
			} else {
				r.Wrong = append(r.Wrong, b+" -> "+a)
			}
		}
		for b := range theirs {
			if !own[b] {
				r.Missing = append(r.Missing, b+" -> "+a)
			}
		}
	}
	slices.Sort(r.Missing)
	slices.Sort(r.Wrong)
	return r
}

// configurationAddress returns the address of a node that a tool names.
func configurationAddress(name string) string {
	i := strings.LastIndex(name, " (")
	if i < 0 {
		return name
	}
	switch name[i+2:] {
	case "close)":
		if strings.HasPrefix(name, "provider[") || strings.Contains(name, ".provider[") {
			return name
		}
		return name[:i] + ".*"
	case "expand)", "expand, reference)", "expand, input)", "reference)", "input)":
		return name[:i]
	}
	return name
}
