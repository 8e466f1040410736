// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/graphverdict"
)

// A graphCase is a line of testdata/graph.jsonl: a module, and the edges of the graphs
// that real programs made of it. Command tools/verdict records them.
type graphCase struct {
	Name   string
	Files  map[string]string
	Graphs map[string][]string
}

func readGraphs(t testing.TB) []graphCase {
	src, err := os.ReadFile("../testdata/graph.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []graphCase
	lines := bufio.NewScanner(bytes.NewReader(src))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c graphCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

func graphOf(t testing.TB, texts map[string]string, d hclconfig.Dialect) *hclnames.Graph {
	t.Helper()
	tree, err := hclnames.LoadTree(files(texts), ".", d)
	if err != nil {
		t.Fatal(err)
	}
	return tree.Graph()
}

func addresses(nodes iter.Seq[*hclnames.Node]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range nodes {
			if !yield(n.Address) {
				return
			}
		}
	}
}

// TestGraphOfPrograms compares what depends on what, directly or not, with the graphs
// of real programs: for all pairs of objects that both have.
func TestGraphOfPrograms(t *testing.T) {
	same, missed := 0, 0
	for _, c := range readGraphs(t) {
		for tool, edges := range c.Graphs {
			name, release, _ := strings.Cut(tool, "-")
			dialect := hclconfig.OpenTofu
			if name == "terraform" {
				dialect = hclconfig.Terraform
			}
			g := graphOf(t, c.Files, dialect.At(addrs.MustParseVersion(release)))
			dependents := func(a string) iter.Seq[string] { return addresses(g.Dependents(a)) }
			r := graphverdict.JudgeConfiguration(edges, addresses(g.All()), dependents)
			if len(r.Missing)+len(r.Wrong) > 0 {
				t.Errorf("%s: %s: missing %q, wrong %q", c.Name, tool, r.Missing, r.Wrong)
			}
			same += r.Same
			missed += len(graphverdict.JudgeConfiguration(edges[:len(edges)/2], addresses(g.All()), dependents).Wrong)
		}
	}
	if t.Logf("%d pairs are the same", same); same < 8000 {
		t.Errorf("only %d pairs were compared", same)
	}
	if missed < 500 { // in half of the edges
		t.Errorf("the judge found %d faults", missed)
	}
}

// TestGraphEdges: each edge has its mirror, and the place of its reference has the text of
// it.
func TestGraphEdges(t *testing.T) {
	for _, c := range readGraphs(t) {
		g := graphOf(t, c.Files, hclconfig.OpenTofu)
		for n := range g.All() {
			if g.Node(n.Address) != n || !n.Range().IsValid() {
				t.Errorf("%s: node %s", c.Name, n.Address)
			}
			for _, e := range n.Needs {
				if e.From != n || !slices.Contains(e.To.NeededBy, e) {
					t.Errorf("%s: %s needs %s", c.Name, n.Address, e.To.Address)
				}
				if e.Reference == "" {
					if e.Range().IsValid() {
						t.Errorf("%s: %s needs %s: a place without a reference", c.Name, n.Address, e.To.Address)
					}
					continue
				}
				at := e.Range()
				if text := c.Files[at.Filename][at.Start.Offset:at.End.Offset]; text != e.Reference {
					t.Errorf("%s: %s: %q is %q", c.Name, n.Address, text, e.Reference)
				}
			}
		}
		for range g.Cycles() {
			t.Errorf("%s: has a cycle", c.Name)
		}
	}
}

// TestGraphPlaces: where references are.
func TestGraphPlaces(t *testing.T) {
	g := graphOf(t, map[string]string{
		"main.tf": `
provider "aws" { region = local.region }
locals { region = var.regions["eu"].main[0].name }
variable "regions" {}
resource "aws_instance" "a" {
  count = length(var.regions)
  network { subnet = 1 }
  network { subnet = local.region }
  dynamic "disk" {
    for_each = var.regions
    content { size = disk.value + local.region }
  }
  lifecycle { replace_triggered_by = [aws_vpc.v.arn] }
  provisioner "local-exec" { command = local.region }
}
resource "aws_vpc" "v" { depends_on = [module.m, module.gone] }
module "m" {
  source = "./m"
  i      = aws_vpc.v2.id
}
module "gone" {
  source = "./gone"
  j      = local.region
}
resource "aws_vpc" "v2" {}
`, "m/main.tf": "variable \"i\" {}\noutput \"o\" { value = var.i }\n",
	}, hclconfig.OpenTofu)
	var got []string
	for n := range g.All() {
		for _, e := range n.Needs {
			got = append(got, strings.Join([]string{e.From.Address, e.To.Address, e.At, strings.Join(e.Attribute, "/"), e.Reference}, " "))
		}
	}
	want := []string{
		"aws_instance.a local.region disk.size  local.region",
		"aws_instance.a local.region network[1].subnet  local.region",
		"aws_instance.a local.region provisioner  local.region",
		"aws_instance.a provider.aws provider  ",
		"aws_instance.a aws_vpc.v replace_triggered_by arn aws_vpc.v.arn",
		"aws_instance.a var.regions count  var.regions",
		"aws_instance.a var.regions disk  var.regions",
		"aws_vpc.v module.gone depends_on  module.gone",
		"aws_vpc.v module.m.* depends_on  module.m",
		"aws_vpc.v provider.aws provider  ",
		"aws_vpc.v2 provider.aws provider  ",
		"local.region var.regions value eu/main var.regions[\"eu\"].main[0].name",
		"module.gone local.region j  local.region",
		"module.m.* module.m   ",
		"module.m.* module.m.output.o   ",
		"module.m.* module.m.var.i   ",
		"module.m.output.o module.m   ",
		"module.m.output.o module.m.var.i value  var.i",
		"module.m.var.i aws_vpc.v2  id aws_vpc.v2.id",
		"module.m.var.i module.m   ",
		"provider.aws local.region region  local.region",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("differs (-want +got):\n%s", cmp.Diff(want, got))
	}
	kinds := map[string]hclnames.NodeKind{"aws_vpc.v": hclnames.Resource, "module.m": hclnames.Module, "module.m.*": hclnames.Contents, "provider.aws": hclnames.Provider, "local.region": hclnames.Local, "module.m.var.i": hclnames.Variable, "module.m.output.o": hclnames.Output}
	for a, kind := range kinds {
		if n := g.Node(a); n == nil || n.Kind != kind {
			t.Errorf("%s: %v", a, n)
		}
	}
	if n := g.Node("module.m.*"); n.Module != "module.m" || g.Node("module.m").Module != "" || g.Node("aws_vpc.v").Type != "aws_vpc" || g.Node("aws_vpc.v").Mode != addrs.Managed {
		t.Errorf("%+v", n)
	}
	if g.Node("nothing") != nil || len(slices.Collect(g.Dependents("nothing"))) != 0 {
		t.Error("there is something at no address")
	}
	var none *hclnames.Graph
	if len(slices.Collect(none.All())) != 0 || len(slices.Collect(none.Cycles())) != 0 || none.Node("x") != nil {
		t.Error("no graph has nodes")
	}
}

// TestGraphCycles: a cycle is told by its shortest way around.
// Places have a limit: each of many references in nested blocks has one.
func TestPlacesOfDeepBlocks(t *testing.T) {
	const levels = 2000
	text := "variable \"v\" {}\nresource \"a_b\" \"c\" {\n" + strings.Repeat("block {\ny = var.v\n", levels) + strings.Repeat("}\n", levels) + "}\n"
	total, cut := 0, 0
	for n := range treeOf(t, map[string]string{"main.tf": text}).Graph().All() {
		for _, e := range n.Needs {
			total += len(e.At)
			if strings.HasPrefix(e.At, "...block[0].") {
				cut++
			}
		}
	}
	if total == 0 || total > levels*1100 || cut < levels/2 {
		t.Errorf("the places of %d references have %d bytes, %d are cut", levels, total, cut)
	}
}

func TestGraphCycles(t *testing.T) {
	g := graphOf(t, map[string]string{
		"main.tf":   "locals {\n  a = local.b\n  b = [local.c, local.a]\n  c = local.a\n  x = local.x\n  y = module.m.o\n}\nmodule \"m\" {\n  source = \"./m\"\n  i      = local.y\n}\n",
		"m/main.tf": "variable \"i\" {}\noutput \"o\" {\n  value = var.i\n}\n",
	}, hclconfig.OpenTofu)
	var got []string
	for way := range g.Cycles() {
		text := ""
		for i, e := range way {
			if e.To != way[(i+1)%len(way)].From {
				t.Errorf("%s leads to %s", e.To.Address, way[(i+1)%len(way)].From.Address)
			}
			text += " " + e.From.Address
		}
		got = append(got, text)
	}
	if len(got) != 2 || len(strings.Fields(got[0])) != 2 || !strings.Contains(got[0], "local.a") || len(strings.Fields(got[1])) != 3 {
		t.Errorf("%q", got)
	}
}

// largeModule returns the text of a module with n blocks that refer to each other.
func largeModule(n int) string {
	var b strings.Builder
	b.WriteString("variable \"v0\" {\n}\nresource \"terraform_data\" \"r0\" {\n}\n")
	for i := 1; i < n/4; i++ {
		fmt.Fprintf(&b, "variable \"v%d\" {\n}\nlocals {\n  l%[1]d = \"${var.v%[1]d}-${terraform_data.r%[2]d.id}\"\n}\n", i, i-1)
		fmt.Fprintf(&b, "resource \"terraform_data\" \"r%d\" {\n  input = [local.l%[1]d, var.v%[2]d, path.module]\n}\n", i, i-1)
		fmt.Fprintf(&b, "output \"o%d\" {\n  value = { a = terraform_data.r%[1]d.output[\"x\"], b = upper(local.l%[1]d) }\n}\n", i)
	}
	return b.String()
}

// TestLargeGraph counts what the graph of a module of 100,000 blocks costs: not much more
// than twice that of half of it.
func TestLargeGraph(t *testing.T) {
	// That of a square is 4.
	bounds.Growth(t, "blocks", depth.Of(2_000, 50_000, 50_000), 2, 2.5, func(n int) func() {
		tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(largeModule(n))}}, ".")
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			count := 0
			for range tree.Graph().Dependents("terraform_data.r0") {
				count++
			}
			if count < n/2 {
				t.Errorf("%d dependents of %d blocks", count, n)
			}
		}
	})
}
