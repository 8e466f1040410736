// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"io"
	"slices"
	"testing"

	"github.com/tofuwire/tofuwire/internal/plantest"
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
		if err := g.WriteDOT(io.Discard, plangraph.Options{}); err != nil {
			t.Fatal(err)
		}
	})
}
