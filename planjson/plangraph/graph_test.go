// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

const graphPlan = `{"resource_changes":[
{"address":"vpc.a","mode":"managed","type":"vpc","name":"a","change":{"actions":["delete","create"],"replace_paths":[["cidr"]]}},
{"address":"module.net[\"x\"].subnet.s[0]","mode":"managed","type":"subnet","name":"s","change":{"actions":["delete","create"],"replace_paths":[["vpc_id"],["nested",0,"x"]]}},
{"address":"vm.v","mode":"managed","type":"vm","name":"v","change":{"actions":["delete","create"],"replace_paths":[["subnet"]]}},
{"address":"vm.other","mode":"managed","type":"vm","name":"other","change":{"actions":["delete","create"],"replace_paths":[["size"]]}}],
"configuration":{"root_module":{
"outputs":{"o":{"expression":{"references":["vm.v.id","vm.v"]},"depends_on":["vpc.a"]}},
"resources":[
{"address":"vpc.a","mode":"managed","type":"vpc","name":"a","expressions":{"cidr":{"references":["var.cidr"]}}},
{"address":"vm.v","mode":"managed","type":"vm","name":"v","expressions":{"subnet":{"references":["module.net[\"x\"].id","module.net[\"x\"]"]},"tags":{"references":["local.tags"]}},"provisioners":[{"type":"x","expressions":{"c":{"references":["self.id","self"]}}}]},
{"address":"vm.other","mode":"managed","type":"vm","name":"other","expressions":{"size":{"references":["var.size"]},"name":{"references":["vpc.a.name","vpc.a"]}}}],
"module_calls":{"net":{"expressions":{"vpc":{"references":["vpc.a.id","vpc.a"]}},"for_each_expression":{"references":["var.nets"]},"depends_on":["vm.other"],
"module":{"outputs":{"id":{"expression":{"references":["subnet.s[0].id","subnet.s[0]","subnet.s"]}}},
"resources":[{"address":"subnet.s","mode":"managed","type":"subnet","name":"s","expressions":{"vpc_id":{"references":["var.vpc"]},"nested":[{"x":{"references":["nothing.here"]}}]},"count_expression":{"references":["var.n"]}}],
"variables":{"vpc":{},"n":{"default":1}}}}},
"variables":{"cidr":{},"size":{},"nets":{}}}}}`

func graphOf(t *testing.T) (*planjson.Plan, *plangraph.Graph) {
	t.Helper()
	plan, err := planjson.DecodePlan([]byte(graphPlan))
	if err != nil {
		t.Fatal(err)
	}
	return plan, plangraph.New(plan.Config())
}

func TestGraphEdges(t *testing.T) {
	_, g := graphOf(t)
	var got []string
	for n := range g.All() {
		for _, e := range n.Needs {
			got = append(got, strings.TrimSpace(n.Address+" "+e.At+" -> "+strings.Join(append([]string{e.To.Address}, e.Attribute...), " ")))
		}
	}
	want := []string{
		"module.net for_each -> var.nets",
		"module.net depends_on -> vm.other",
		"module.net.output.id value -> module.net.subnet.s id",
		"module.net.subnet.s count -> module.net.var.n",
		"module.net.subnet.s vpc_id -> module.net.var.vpc",
		"module.net.var.vpc  -> vpc.a id",
		"output.o value -> vm.v id",
		"output.o depends_on -> vpc.a",
		"vm.other name -> vpc.a name",
		"vm.other size -> var.size",
		"vm.v subnet -> module.net.output.id",
		"vm.v tags -> local.tags",
		"vpc.a cidr -> var.cidr",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGraphFeeds(t *testing.T) {
	_, g := graphOf(t)
	for _, row := range []struct{ address, attribute, want string }{
		{"vm.v", "subnet", "module.net.output.id module.net.subnet.s module.net.var.n module.net.var.vpc vpc.a var.cidr"},
		{"vm.v", "tags", "local.tags"},
		{"vm.v", "", "module.net.output.id local.tags module.net.subnet.s module.net.var.n module.net.var.vpc vpc.a var.cidr"},
		{`module.net["x"].subnet.s[0]`, "vpc_id", "module.net.var.n module.net.var.vpc vpc.a var.cidr"},
		{"vm.other", "size", "var.size"},
		{"nothing.here", "x", ""},
	} {
		var got []string
		for e := range g.Feeds(row.address, row.attribute) {
			got = append(got, e.To.Address)
		}
		if s := strings.Join(got, " "); s != row.want {
			t.Errorf("%s %s: got %s, want %s", row.address, row.attribute, s, row.want)
		}
	}
	for range g.Feeds("vm.v", "") {
		break
	}
	var names []string
	for n := range g.Dependents("vpc.a") {
		names = append(names, n.Address)
	}
	slices.Sort(names)
	if s, want := strings.Join(names, " "), "module.net module.net.output.id module.net.subnet.s module.net.var.vpc output.o vm.other vm.v"; s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

func TestGraphWrite(t *testing.T) {
	_, g := graphOf(t)
	o := plangraph.GraphOptions{
		Keep:  func(n *plangraph.Node) bool { return n.Kind == plangraph.Resource },
		Class: func(n *plangraph.Node) string { return n.Type + `"]` },
	}
	var b strings.Builder
	if err := g.WriteDOT(&b, o); err != nil {
		t.Fatal(err)
	}
	want := `digraph {
  rankdir = "RL";
  node [shape = "box"];
  "module.net.subnet.s" [class = "subnet"];
  "vm.other" [class = "vm"];
  "vm.v" [class = "vm"];
  "vpc.a" [class = "vpc"];
  "module.net.subnet.s" -> "vpc.a";
  "vm.other" -> "vpc.a";
  "vm.v" -> "module.net.subnet.s";
}
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	if err := g.WriteMermaid(&b, o); err != nil {
		t.Fatal(err)
	}
	want = `flowchart RL
  n0["module.net.subnet.s"]:::subnet
  n1["vm.other"]:::vm
  n2["vm.v"]:::vm
  n3["vpc.a"]:::vpc
  n0 --> n3
  n1 --> n3
  n2 --> n0
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	if err := g.WriteMermaid(&b, plangraph.GraphOptions{}); err != nil || !strings.Contains(b.String(), "var.cidr") {
		t.Errorf("%v %s", err, b.String())
	}
}

// The graphs of the recordings: every reference that is read leads somewhere.
func TestGraphOfRecordings(t *testing.T) {
	edges := 0
	for _, r := range plantest.Recordings(t, "../testdata", "plan") {
		plan, err := planjson.DecodePlan(r.Text)
		if err != nil {
			t.Fatal(err)
		}
		g := plangraph.New(plan.Config())
		for _, rc := range plan.ResourceChanges {
			if plan.Config().RootModule.Resources != nil && planjson.NewPlanIndex(plan).Config().OfInstance(rc.Address) != nil && g.Node(rc.Address) == nil {
				t.Errorf("%s: %s has no node", r.Name, rc.Address)
			}
		}
		for n := range g.All() {
			edges += len(n.Needs)
			for _, e := range n.Needs {
				if !slices.Contains(e.To.NeededBy, e) {
					t.Errorf("%s: %s is not known to %s", r.Name, e.Reference, e.To.Address)
				}
			}
		}
	}
	if edges < 300 {
		t.Errorf("only %d references", edges)
	}
}
