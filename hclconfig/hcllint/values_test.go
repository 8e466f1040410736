// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/zclconf/go-cty/cty"
)

// pass runs a function as an analyzer on the module in the root of some files.
func pass(t *testing.T, files map[string]string, f func(*hcllint.Pass)) *hcllint.Report {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := hclnames.LoadTree(fsys, ".", hclconfig.OpenTofu)
	if err != nil {
		t.Fatal(err)
	}
	a := &hcllint.Analyzer{Name: "test", Doc: "Test.", Run: func(p *hcllint.Pass) (any, error) { f(p); return nil, nil }}
	report, err := hcllint.Run(tree, []*hcllint.Analyzer{a}, hcllint.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range report.Errors {
		t.Error(err)
	}
	return report
}

const valuesModule = `
variable "known" {
  default = "k"
}
variable "map" {
  type = map(string)
}
variable "list" {
  type = list(string)
}
variable "flag" {
  type = bool
}
locals {
  tags = { owner = "ops", x = var.list }
  long = merge(local.tags, var.map)
  self = local.self
}
`

// TestValues asks all short questions about expressions, in both syntaxes.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		x       string
		strings string
		has     string // of the key owner
		is      any    // what it is, or what it is not
		not     bool
	}{
		{`"a"`, "[a] true", "false true", "a", false},
		{`"${var.known}b"`, "[kb] true", "false true", "kb", false},
		{`1`, "[1] true", "false true", 1, false},
		{`true`, "[true] true", "false true", true, false},
		{`"true"`, "[true] true", "false true", true, false},
		{`1.5`, "[1.5] true", "false true", 1.5, false},
		{`1`, "[1] true", "false true", int64(2), true},
		{`null`, "[] true", "false true", nil, false},
		{`var.known`, "[k] true", "false true", cty.StringVal("k"), false},
		{`var.known`, "[k] true", "false true", struct{}{}, true},
		{`var.flag`, "[] false", "false true", true, true},
		{`["a", var.known, [1]]`, "[a k 1] true", "false true", "a", true},
		{`["a", var.map]`, "[a] false", "false true", "a", true},
		{`concat(["a"], var.list)`, "[a] false", "false false", "a", true},
		{`concat(["a"], var.flag ? ["b"] : ["c"])`, "[a b c] false", "false true", "a", true},
		{`(var.flag ? ["b"] : var.list)`, "[b] false", "false true", "a", true},
		{`format("%s", var.list[0])`, "[] false", "false true", "a", true},
		{`local.tags`, "[ops] false", "true true", "a", true},
		{`local.long`, "[ops] false", "true true", "a", true},
		{`var.map`, "[] false", "false false", "a", true},
		{`merge({ a = 1 }, var.map)`, "[1] false", "false false", "a", true},
		{`merge({ a = 1 }, { b = var.flag })`, "[1] false", "false true", "a", true},
		{`(merge({ owner = 1 }, var.map))`, "[1] false", "true true", "a", true},
		{`var.flag ? local.tags : merge(local.tags, var.map)`, "[ops ops] false", "true true", "a", true},
		{`var.flag ? { a = 1 } : merge(local.tags, var.map)`, "[1 ops] false", "false false", "a", true},
		{`var.known == "k" ? local.tags : {}`, "[ops] false", "true true", "a", true},
		{`{ (var.list[0]) = 1, owner = 2 }`, "[] false", "true true", "a", true},
		{`{ (var.list[0]) = 1 }`, "[] false", "false false", "a", true},
		{`{ for k in var.list : k => 1 }`, "[] false", "false false", "a", true},
		{`tomap({ owner = "x" })`, "[x] true", "true true", "a", true},
		{`local.self`, "[] false", "false false", "a", true},
		{`local.none`, "[] false", "false false", "a", true},
		{`module.none.x`, "[] false", "false false", "a", true},
	} {
		escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(c.x)
		for _, files := range []map[string]string{
			{"main.tf": valuesModule, "x.tf": "output \"x\" {\n  value = " + c.x + "\n}\n"},
			{"main.tf": valuesModule, "x.tf.json": `{"output": {"x": {"value": "${` + escaped + `}"}}}`},
		} {
			pass(t, files, func(p *hcllint.Pass) {
				for b := range p.Blocks("output") {
					x := b.Expression("value")
					texts, complete := b.Strings(x)
					if got := fmt.Sprint(texts, " ", complete); got != c.strings {
						t.Errorf("Strings(%s) = %s, not %s", x, got, c.strings)
					}
					has, complete := b.HasKey(x, "owner")
					if got := fmt.Sprint(has, " ", complete); got != c.has {
						t.Errorf("HasKey(%s) = %s, not %s", x, got, c.has)
					}
					if b.Is(x, c.is) == c.not {
						t.Errorf("Is(%s, %v) = %v", x, c.is, !c.not)
					}
				}
			})
		}
	}
	var zero hcllint.Values
	if texts, complete := zero.Strings(hclconfig.Expression{}); texts != nil || complete {
		t.Error(texts, complete)
	}
	if has, complete := zero.HasKey(hclconfig.Expression{}, "x"); has || !complete {
		t.Error(has, complete)
	}
}

// TestBlocks has nested blocks, dynamic ones, instances and override files.
// Local values that name others twice are looked into once, and have at most 65,536 strings.
func TestDoublingLocals(t *testing.T) {
	text := "variable \"v\" {}\nlocals {\n  a0 = concat([\"s\"], var.v)\n  b0 = merge({ k = 1 }, var.v)\n"
	for i := range 40 {
		text += fmt.Sprintf("  a%d = concat(local.a%d, local.a%d)\n  b%d = merge(local.b%d, local.b%d, local.b%d)\n", i+1, i, i, i+1, i, i, i)
	}
	pass(t, map[string]string{"main.tf": text + "}\n"}, func(p *hcllint.Pass) {
		for _, l := range p.Module.Locals {
			x := l.Argument.Expression
			if texts, complete := p.Strings(x); complete || len(texts) > 65536 || l.Name == "a3" && len(texts) != 8 {
				t.Errorf("%s has %d strings, all: %t", l.Name, len(texts), complete)
			}
			if has, complete := p.HasKey(x, "k"); has != complete || l.Name == "b3" && !has {
				t.Errorf("%s has the key: %t, certain: %t", l.Name, has, complete)
			}
		}
	})
}

func TestBlocks(t *testing.T) {
	files := map[string]string{
		"main.tf": `
variable "open" {}
locals {
  ports = { ssh = 22, web = 80 }
}
resource "t" "a" {
  name = "first"
  rule {
    port = 1
  }
  dynamic "rule" {
    for_each = local.ports
    iterator = it
    content {
      port = it.value
      name = it.key
      sub {
        port = it.value + 1
      }
    }
  }
  dynamic "rule" {
    for_each = toset(["x"])
    content {
      port = rule.key
    }
  }
}
resource "t" "b" {
  count = "2"
  name  = "b${count.index}"
}
resource "t" "c" {
  for_each = { x = "1", y = "2" }
  name     = "${each.key}${each.value}"
  dynamic "rule" {
    for_each = var.open
    content {
      port = rule.value
      name = "always"
    }
  }
}
resource "t" "d" {
  count = var.open
  name  = "d${count.index}"
}
resource "t" "e" {
  for_each = var.open
}
resource "t" "f" {
  name = "f"
  lifecycle {
    enabled = false
  }
}
resource "t" "g" {
  lifecycle {
    enabled = var.open
  }
}
resource "t" "h" {
  name = "h"
  rule {
    port = 1
  }
  lifecycle {
    enabled = true
  }
}
resource "t" {
}
check "c" {
  data "d" "x" {
    name = "in a check"
  }
}
data "d" "y" {
}
`,
		"override.tf": "resource \"t\" \"h\" {\n  name = \"overridden\"\n  rule {\n    port = 5\n  }\n  rule {\n    port = 6\n  }\n}\n",
		"j.tf.json": `{"resource": {"t": {"j": {"for_each": "${toset([\"q\"])}", "name": "${each.key}", "rule": [{"port": 1}, {"port": "2"}],
			"dynamic": {"rule": {"for_each": [7, 8], "content": {"port": "${rule.value}"}}}}}}, "terraform": {}}`,
	}
	var got []string
	report := pass(t, files, func(p *hcllint.Pass) {
		for b := range p.Blocks("resource", "t") {
			instances, all := b.Instances()
			line := fmt.Sprint(b.Labels[1], " ", all)
			for _, i := range instances {
				texts, _ := i.Strings(i.Expression("name"))
				line += fmt.Sprint(" ", i.Key, texts)
			}
			rules, all := b.Nested("rule")
			line += fmt.Sprint(" ", all)
			for _, r := range rules {
				texts, complete := r.Strings(r.Expression("port"))
				names, _ := r.Strings(r.Expression("name"))
				line += fmt.Sprint(" ", texts, complete, names)
				subs, _ := r.Nested("sub")
				for _, s := range subs {
					texts, _ := s.Strings(s.Expression("port"))
					line += fmt.Sprint("+", texts)
				}
			}
			got = append(got, strings.Join(strings.Fields(strings.ReplaceAll(line, "[", " [")), " "))
		}
		for _, typ := range []string{"data", "terraform", "locals", "check", "variable", "output", "module", "provider", "ephemeral"} {
			n := 0
			for range p.Blocks(typ) {
				n++
			}
			got = append(got, fmt.Sprint(typ, n))
		}
		for b := range p.Blocks("data", "d", "x") {
			p.Reportf(b, "a check")
			p.Reportf(b.Argument("name"), "an argument")
			p.Reportf(b.Block, "a block")
		}
		for b := range p.Blocks("resource", "t", "j") {
			p.Reportf(b, "JSON")
		}
		for range p.Blocks("resource") {
			break
		}
	})
	want := []string{
		`a true [first] true [1] true [] [22] true [ssh]+ [23] [80] true [web]+ [81] [x] true []`,
		`b true [0] [b0] [1] [b1] true`,
		`c true ["x"] [x1] ["y"] [y2] false [] false [always]`,
		`d false [] true`,
		`e false [] true`,
		`f true true`,
		`g false [] true`,
		`h true [overridden] true [5] true [] [6] true []`,
		`j true ["q"] [q] true [1] true [] [2] true [] [7] true [] [8] true []`,
		"data2", "terraform1", "locals1", "check1", "variable1", "output0", "module0", "provider0", "ephemeral0",
	}
	slices.Sort(got[:9])
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var places []string
	for _, d := range report.Diagnostics {
		places = append(places, fmt.Sprint(d.Range, " ", d.Message))
	}
	if diff := cmp.Diff([]string{"j.tf.json:1,26-27 JSON", "main.tf:74,3-15 a block", "main.tf:74,3-15 a check", "main.tf:75,5-24 an argument"}, places); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var none hcllint.Block
	if n, complete := none.Nested("x"); n != nil || !complete || none.Argument("x") != nil {
		t.Error(n)
	}
	if n, complete := none.Instances(); n != nil || !complete {
		t.Error(n)
	}
}

// TestTree asks about called modules, sources, origins and descriptions.
func TestTree(t *testing.T) {
	files := map[string]string{
		"main.tf": `
provider "aws" {
  default_tags {
    tags = { owner = "ops" }
  }
}
provider "aws" {
  alias = "bare"
}
provider "google" {
  default_labels = { owner = "ops" }
}
variable "in" {
  default = "in"
}
locals {
  a = var.in
}
module "one" {
  source = "./m"
  name   = local.a
}
module "two" {
  source    = "./m"
  name      = "two"
  providers = { aws = aws.bare }
}
module "git" {
  source = "git::https://example.com/x.git?ref=v1"
}
module "branch" {
  source = "git::https://example.com/x.git?ref=main"
}
module "hg" {
  source = "hg::https://example.com/x.hg?rev=abc"
}
module "registry" {
  source  = "a/b/c"
  version = "1.2.3"
}
module "range" {
  source  = "a/b/c"
  version = "~> 1.2"
}
module "computed" {
  source = "./${var.none}"
}
# Above.
output "commented" {
  value = module.one.out
}
output "described" {
  description = "Described."
  value       = local.a
}
resource "google_x" "a" {
}
`,
		"m/main.tf": "variable \"name\" {}\nresource \"aws_x\" \"a\" {\n  name = var.name\n}\noutput \"out\" {\n  value = aws_x.a.id\n}\n",
	}
	var got []string
	pass(t, files, func(p *hcllint.Pass) {
		for t := range p.Tree.All() {
			in := p.In(t)
			for b := range in.Blocks("resource") {
				texts, _ := in.Strings(b.Expression("name"))
				has, complete := b.HasTag("owner")
				got = append(got, fmt.Sprint(t.Path(), " ", b.Labels[0], texts, has, complete))
			}
		}
		for _, c := range p.Module.Calls {
			s := p.SourceOf(c)
			got = append(got, fmt.Sprint(c.Name, " ", s.Ref, " ", s.Version, " ", s.Pinned))
		}
		for _, o := range p.Module.Outputs {
			var nodes []string
			for _, n := range p.Origins(o.Value) {
				nodes = append(nodes, n.Address)
			}
			got = append(got, fmt.Sprint(o.Name, nodes))
		}
		for b := range p.Blocks("output") {
			got = append(got, hcllint.Documentation(b))
		}
		got = append(got, fmt.Sprint(len(p.Names().Uses("var.in"))), p.SourceOf(nil).Text, hcllint.Documentation(hcllint.Block{}))
	})
	want := []string{
		" google_x[] true true", "module.one aws_x[in] true true", "module.two aws_x[two] false true",
		"one   true", "two   true", "git v1  true", "branch main  false", "hg abc  true", "registry  1.2.3 true", "range  ~> 1.2 false", "computed   false",
		"commented[module.one.output.out module.one.aws_x.a module.one module.one.var.name provider.aws local.a var.in]", "described[local.a var.in]",
		"Above.", "Described.", "1", "", "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNames has the small questions.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		name, convention string
		want             bool
	}{
		{"a_b", "snake_case", true}, {"a__b", "snake_case", false}, {"A_b", "snake_case", false}, {"A_b", "mixed_snake_case", true},
		{"a-b", "kebab-case", true}, {"!", "none", true}, {"abc", "^a", true}, {"bc", "^a", false},
	} {
		if got, err := hcllint.FollowsConvention(c.name, c.convention); got != c.want || err != nil {
			t.Error(c, got, err)
		}
	}
	if _, err := hcllint.FollowsConvention("a", "("); err == nil {
		t.Error("no error")
	}
	for text, want := range map[string]string{"1.2.3": "1.2.3", "= 1.2.3": "1.2.3", "~> 1.0": "", ">= 1, < 2": "", "": ""} {
		c, err := addrs.ParseConstraints(text)
		if err != nil && text != "" {
			t.Fatal(err)
		}
		if got, ok := hcllint.Exact(c); ok != (want != "") || ok && got.String() != want {
			t.Error(text, got, ok)
		}
	}
}

// TestRequires has results of other analyzers, and one that fails.
func TestRequires(t *testing.T) {
	tree, err := hclnames.LoadTree(fstest.MapFS{"a.tf": {Data: []byte("locals {\n  a = 1\n}\n")}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	fail := false
	base := &hcllint.Analyzer{Name: "base", Doc: "Counts.", Run: func(p *hcllint.Pass) (any, error) {
		if fail {
			return nil, fmt.Errorf("no")
		}
		p.Reportf(p.Module.Locals[0].Argument, "not asked for")
		return len(p.Module.Locals), nil
	}}
	user := &hcllint.Analyzer{Name: "user", Doc: "Uses.", Requires: []*hcllint.Analyzer{base}, Run: func(p *hcllint.Pass) (any, error) {
		p.Reportf(p.Module.Locals[0].Argument, "%d %q", hcllint.ResultOf[int](p, base), hcllint.ResultOf[string](p, base))
		return nil, nil
	}}
	report, err := hcllint.Run(tree, []*hcllint.Analyzer{user}, hcllint.RunOptions{})
	if err != nil || len(report.Diagnostics) != 1 || report.Diagnostics[0].Message != `1 ""` {
		t.Error(report, err)
	}
	fail = true
	report, err = hcllint.Run(tree, []*hcllint.Analyzer{user}, hcllint.RunOptions{})
	if err != nil || len(report.Diagnostics) != 0 || len(report.Errors) != 2 {
		t.Error(report, err)
	}
	run := func(*hcllint.Pass) (any, error) { return nil, nil }
	cycle := &hcllint.Analyzer{Name: "cycle", Doc: "Cycle.", Run: run}
	cycle.Requires = []*hcllint.Analyzer{{Name: "other", Doc: "Other.", Run: run, Requires: []*hcllint.Analyzer{cycle}}}
	for want, list := range map[string][]*hcllint.Analyzer{
		"hcllint: an analyzer is nil":                                 {nil},
		"hcllint: analyzer cycle requires itself":                     {cycle},
		"hcllint: \"a b\" is not a valid name of an analyzer":         {{Name: "a b", Doc: "x", Run: run}},
		"hcllint: two analyzers are called a":                         {{Name: "a", Doc: "x", Run: run}, {Name: "a", Doc: "x", Run: run}},
		"hcllint: analyzer a has no Doc":                              {{Name: "a", Run: run}},
		"hcllint: analyzer a has no Run":                              {{Name: "a", Doc: "x"}},
		"hcllint: the options of analyzer a are a *int, not a struct": {{Name: "a", Doc: "x", Run: run, Options: new(int)}},
	} {
		if _, err := hcllint.Run(tree, list, hcllint.RunOptions{}); err == nil || err.Error() != want {
			t.Errorf("%v, not %s", err, want)
		}
	}
	if _, err := hcllint.Run(nil, nil, hcllint.RunOptions{}); err == nil {
		t.Error("no error for no module")
	}
	var none *hcllint.Report
	if none.Fix() != nil {
		t.Error("a fix of nothing")
	}
}

// TestIgnore has comments that turn rules off, as tflint reads them.
func TestIgnore(t *testing.T) {
	all := &hcllint.Analyzer{Name: "all_locals", Doc: "Each local value.", Run: func(p *hcllint.Pass) (any, error) {
		for _, l := range p.Module.Locals {
			p.Reportf(l.Argument, "%s", l.Name)
		}
		return nil, nil
	}}
	for _, c := range []struct{ name, text, want string }{
		{"a.tf", "locals {\n  # tflint-ignore: all_locals\n  a = 1\n  b = 1\n}\n", "b"},
		{"a.tf", "locals {\n  a = 1 # tflint-ignore: all_locals\n  b = 1\n  c = 1\n}\n", "c"},
		{"a.tf", "locals {\n  a = 1 // tflint-ignore: x, all_locals\n\n  c = 1\n}\n", "c"},
		{"a.tf", "locals {\n  /* see tflint-ignore: all */ a = 1\n\n  c = 1\n}\n", "c"},
		{"a.tf", "locals {\n  a = 1 #tflint-ignore:all_locals\n  b = 1 # tflint-ignore: all_locals because\n  c = 1\n}\n", "a b c"},
		{"a.tf", "# tflint-ignore-file: all_locals\nlocals {\n  a = 1\n}\n", ""},
		{"a.tf", "\n# tflint-ignore-file: all_locals\nlocals {\n  a = 1\n}\n", "a"},
		{"a.tf", "locals {\n  a = \"# tflint-ignore: all\"\n}\n", "a"},
		{"a.tf.json", `{"//": "tflint-ignore-file: all_locals", "locals": {"a": 1}}`, ""},
		{"a.tf.json", `{"//": "see tflint-ignore-file: all_locals", "locals": {"a": 1}}`, "a"},
		{"a.tf.json", `{"//": ["tflint-ignore-file: all_locals"], "locals": {"a": 1}}`, "a"},
		{"a.tf.json", `{"locals": {"a": "tflint-ignore-file: all_locals"}}`, "a"},
	} {
		tree, err := hclnames.LoadTree(fstest.MapFS{c.name: {Data: []byte(c.text)}}, ".")
		if err != nil {
			t.Fatal(err)
		}
		report, err := hcllint.Run(tree, []*hcllint.Analyzer{all}, hcllint.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range report.Diagnostics {
			got = append(got, d.Message)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, not %s", c.text, got, c.want)
		}
	}
}

// TestInInstance looks into the instances of a module call, one by one and together.
func TestInInstance(t *testing.T) {
	var got []string
	report := pass(t, map[string]string{
		"main.tf": `
module "m" {
  source   = "./m"
  for_each = { a = "x", b = "y" }
  name     = each.value
  env      = "prod"
}`,
		"m/main.tf": `
variable "name" {}
variable "env" {}
module "inner" {
  source = "./inner"
  name   = "${var.env}-${var.name}"
}`,
		"m/inner/main.tf": `
variable "name" {}
resource "t" "x" {
  name = var.name
}`,
	}, func(p *hcllint.Pass) {
		ask := func(who string, in *hcllint.Pass) {
			for tree := range in.Tree.All() {
				inner := in.In(tree)
				for b := range inner.Blocks("resource") {
					texts, all := b.Strings(b.Expression("name"))
					got = append(got, fmt.Sprint(who, texts, all))
					inner.Reportf(b, "found")
				}
			}
		}
		ask("all", p)
		for call := range p.Blocks("module") {
			instances, _ := call.Instances()
			for _, i := range instances {
				ask(i.Key.String(), p.In(p.Tree.Children[0], i.Key))
			}
		}
	})
	want := []string{"all[] false", `["a"][prod-x] true`, `["b"][prod-y] true`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(report.Diagnostics) != 1 {
		t.Errorf("the same finding counts %d times", len(report.Diagnostics))
	}
}

// TestDeprecated asks for deprecated syntax, in both syntaxes.
func TestDeprecated(t *testing.T) {
	var got []string
	report := pass(t, map[string]string{
		"a.tf": `
provider "t" {
  version = "1.0"
}
variable "v" { type = list(map(string)) }
resource "t" "x" {
  a          = "${var.a}"
  b          = [t.y.0.id, t.y.*.id, t.y[*].id, "${"x"}-y"]
  c          = lookup(var.a, lookup(var.b, "k"))
  d          = list("a", "$${map()}")
  depends_on = ["t.y"]
  lifecycle {
    ignore_changes = ["a"]
  }
}
`,
		"b.tf.json": `{"resource": {"t": {"z": {"a": "${t.y.0.id}", "b": "\u0024{lookup(var.a, \"x\")}", "depends_on": ["t.y"], "c": "${map(\"a\", t.y[0])}"}}}}`,
	}, func(p *hcllint.Pass) {
		for _, d := range p.Deprecated() {
			text, _, _ := strings.Cut(d.Message, ";")
			got = append(got, fmt.Sprintf("%s:%d,%d %s", d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column, text))
			p.Report(d)
		}
	})
	want := []string{
		"a.tf:3,13 Version constraints inside provider configuration blocks are deprecated",
		"a.tf:7,16 a string that is only one interpolation is deprecated",
		"a.tf:8,20 the index .0 is deprecated",
		"a.tf:8,30 the splat .* is deprecated",
		"a.tf:9,16 lookup without a default is deprecated",
		"a.tf:9,30 lookup without a default is deprecated",
		"a.tf:10,16 the function list is deprecated",
		"a.tf:11,17 Quoted references are deprecated",
		"a.tf:13,23 Quoted references are deprecated",
		"b.tf.json:1,38 the index .0 is deprecated",
		"b.tf.json:1,60 lookup without a default is deprecated",
		"b.tf.json:1,115 the function map is deprecated",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(report.Diagnostics) != len(want) {
		t.Errorf("%d findings", len(report.Diagnostics))
	}
}

// TestIgnoredInCalled turns off findings in the files of a module that is called.
func TestIgnoredInCalled(t *testing.T) {
	report := pass(t, map[string]string{
		"main.tf":   "module \"m\" {\n  source = \"./m\"\n}\n",
		"m/main.tf": "# tflint-ignore: test\nvariable \"a\" {}\n\nvariable \"b\" {}\n",
		"m/all.tf":  "# tflint-ignore-file: all\nvariable \"c\" {}\n",
	}, func(p *hcllint.Pass) {
		for v := range p.In(p.Tree.Children[0]).Blocks("variable") {
			p.Reportf(v, "variable %s", v.Labels[0])
		}
	})
	if len(report.Diagnostics) != 1 || report.Diagnostics[0].Message != "variable b" {
		t.Error(report.Diagnostics)
	}
}
