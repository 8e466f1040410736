// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

func TestDrawDOT(t *testing.T) {
	x := recordedInstances(t, "depends-on/2")
	var b strings.Builder
	if err := x.WriteDOT(&b, plangraph.DrawingOptions{Keep: func(i *plangraph.Instance) bool { return i.Kind == plangraph.Resource }}); err != nil {
		t.Fatal(err)
	}
	want := `digraph {
  rankdir = "RL";
  node [shape = "box", style = "filled", fillcolor = "white"];
  n2 [label = "terraform_data.a[0]", class = "update", fillcolor = "#fae17d"];
  n3 [label = "terraform_data.a[1]", class = "update", fillcolor = "#fae17d"];
  n4 [label = "terraform_data.b", class = "replace", fillcolor = "#ffb3e6"];
  subgraph cluster_1 {
    label = "module.m";
    n1 [label = "terraform_data.x", class = "replace", fillcolor = "#ffb3e6"];
    subgraph cluster_2 {
      label = "module.n";
      n0 [label = "terraform_data.y", class = "replace", fillcolor = "#ffb3e6"];
    }
  }
  n0 -> n2;
  n0 -> n3;
  n1 -> n2;
  n1 -> n3;
  n4 -> n0;
  n4 -> n1;
  n4 -> n2;
}
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestDrawMermaid(t *testing.T) {
	var b strings.Builder
	if err := recordedInstances(t, "modules-three/1").WriteMermaid(&b, plangraph.DrawingOptions{}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{"flowchart RL\n", `subgraph m1 ["module.l1[#quot;p#quot;]"]`, `["terraform_data.leaf"]:::is-create`, "  classDef is-create fill:#aceebb,color:#000\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	if strings.Count(got, "subgraph") != strings.Count(got, "end\n") {
		t.Error("a module is not closed")
	}
	// What is not certain is dashed.
	b.Reset()
	if err := instancesOf(t, "tofu-1.12.6", plangraph.InstancesOptions{}).WriteMermaid(&b, plangraph.DrawingOptions{}); err != nil || !strings.Contains(b.String(), " -.-> ") {
		t.Errorf("%v %s", err, b.String())
	}
}

// A reference to many is drawn with as many lines as there are of both, and everything
// hostile in a name stays text.
func TestDrawMany(t *testing.T) {
	plan, err := planjson.DecodePlan(manyPlan(300))
	if err != nil {
		t.Fatal(err)
	}
	x := plangraph.NewInstances(plan, plangraph.InstancesOptions{})
	for i, write := range []func(io.Writer, plangraph.DrawingOptions) error{x.WriteDOT, x.WriteMermaid} {
		var b strings.Builder
		if err := write(&b, plangraph.DrawingOptions{}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "\n"); n > 2000 {
			t.Errorf("%d lines", n)
		}
		if i > 0 && strings.Contains(b.String(), "<b>") {
			t.Error("a name became an element")
		}
	}
	var none *plangraph.Instances
	if none.WriteDOT(nil, plangraph.DrawingOptions{}) != nil || none.WriteMermaid(nil, plangraph.DrawingOptions{}) != nil {
		t.Error("nothing was drawn with an error")
	}
}

// manyPlan returns a plan in which n instances of a block refer to n of another.
func manyPlan(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"format_version":"1.2","resource_changes":[`)
	for i := range n {
		for _, name := range []string{"a", "b"} {
			fmt.Fprintf(&b, `{"address":"x.%s[\"%d<b>\"]","mode":"managed","type":"x","name":"%s","index":"%d<b>","change":{"actions":["create"],"before":null,"after":{}}},`, name, i, name, i)
		}
	}
	b.WriteString(`{"address":"x.c","mode":"managed","type":"x","name":"c","change":{"actions":["delete"],"before":{},"after":null}}],"configuration":{"root_module":{"resources":[
{"address":"x.a","mode":"managed","type":"x","name":"a","for_each_expression":{}},
{"address":"x.b","mode":"managed","type":"x","name":"b","expressions":{"in":{"references":["x.a"]}},"for_each_expression":{}}]}}}`)
	return []byte(b.String())
}

// An address of very many modules is left out, and takes no time.
func TestDeepAddress(t *testing.T) {
	module := strings.Repeat("module.a.", 200_000) + "module.a"
	plan := &planjson.Plan{ResourceChanges: []*planjson.ResourceChange{
		{Address: module + ".x.y", ModuleAddress: module, Mode: "managed", Type: "x", Name: "y"}, {Address: "x.y", Mode: "managed", Type: "x", Name: "y"},
	}}
	n := 0
	for range plangraph.NewInstances(plan, plangraph.InstancesOptions{}).All() {
		n++
	}
	if n != 1 {
		t.Errorf("%d instances", n)
	}
}
