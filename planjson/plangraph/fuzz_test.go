// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

// FuzzGraph: the graph of any configuration has both ends of every reference,
// and what feeds a node lies on a way from it.
func FuzzGraph(f *testing.F) {
	for _, r := range plantest.Recordings(f, "../testdata", "config") {
		if len(r.Text) < 100_000 {
			f.Add(r.Text)
		}
	}
	f.Add([]byte(`{"root_module":{"resources":[{"address":"a.b","expressions":{"x":{"references":["a.b.y","var.z"]}}}],"variables":{"z":{}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		config, err := planjson.DecodeConfig(text)
		if err != nil {
			return
		}
		g := plangraph.New(config)
		n := 0
		for node := range g.All() {
			if g.Node(node.Address) != node {
				t.Fatalf("%q is not found at its address", node.Address)
			}
			for _, e := range node.Needs {
				if e.From != node || !slices.Contains(e.To.NeededBy, e) {
					t.Fatalf("the reference of %q to %q has one end", e.From.Address, e.To.Address)
				}
			}
			if n++; n > 20 {
				continue
			}
			needed := map[*plangraph.Node]bool{node: true}
			for e := range g.Feeds(node.Address, "") {
				if !needed[e.From] {
					t.Fatalf("%q feeds %q without a way", e.To.Address, node.Address)
				}
				needed[e.To] = true
			}
		}
		if err := g.WriteDOT(io.Discard, plangraph.GraphOptions{}); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzInstances: the instances of any plan have both ends of every link, each
// operation comes after those that it waits for, and any graph can be drawn.
func FuzzInstances(f *testing.F) {
	plans, err := filepath.Glob("testdata/graphs/*/*.plan.json")
	if err != nil || len(plans) < 20 {
		f.Fatal(len(plans), err)
	}
	for _, name := range plans {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "a")
	}
	f.Add([]byte(`{"resource_changes":[{"address":"a.b[0]","type":"a","name":"b","mode":"managed","index":0,"change":{"actions":["delete","create"],"after":{"l":[{"p":1},{"p":2}]}}}],`+
		`"configuration":{"root_module":{"resources":[{"address":"a.b","type":"a","name":"b","mode":"managed","expressions":{"l":[{"p":{"constant_value":2},"r":{"references":["local.x","var.v"]}},{"p":{"constant_value":1}}]}}],"variables":{"v":{}}}}}`), "l[0].r")
	f.Fuzz(func(t *testing.T, text []byte, path string) {
		plan, err := planjson.DecodePlan(text)
		if err != nil || len(text) > 100_000 {
			return
		}
		x := plangraph.NewInstances(plan, plangraph.InstancesOptions{
			Locals:   map[string]map[string][]string{"": {"x": {"a.b[0].l", "var.v", "local.x", "module.m"}}},
			Triggers: map[string]map[string][]string{"": {"a.b": {"a.b", "count.index"}}},
		})
		n := 0
		for i := range x.All() {
			if x.Instance(i.Address) != i {
				t.Fatalf("%q is not found at its address", i.Address)
			}
			for l := range x.Needs(i, path) {
				if l.From != i || l.To == nil {
					t.Fatalf("%q has a link without an end", i.Address)
				}
			}
			for l := range x.Needs(i, "") {
				if n++; n > 200 {
					break
				}
				found := false
				for back := range x.NeededBy(l.To, l.Path) {
					found = found || back == l
				}
				if !found {
					t.Fatalf("%q refers to %q, which does not know it", i.Address, l.To.Address)
				}
				for at := range l.Places() {
					_ = at
				}
			}
			if n < 200 {
				for range x.Impact(i) {
				}
			}
		}
		ops := x.Operations()
		place := make(map[*plangraph.Operation]int)
		for at, o := range ops {
			place[o] = at
		}
		// A circle, which no plan of a tool has, is cut somewhere.
		if len(plangraph.CriticalPath(ops, nil)) > len(ops) {
			t.Fatal("the critical path is longer than all operations")
		}
		for _, o := range ops {
			for before := range o.After() {
				if _, ok := place[before]; !ok {
					t.Fatalf("%s waits for %s, which is no operation", o.Address, before.Address)
				}
			}
		}
		if err := x.WriteMermaid(io.Discard, plangraph.DrawingOptions{}); err != nil {
			t.Fatal(err)
		}
	})
}
