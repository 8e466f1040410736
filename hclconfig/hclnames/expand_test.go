// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// expanded returns the instances of a configuration.
func expanded(t *testing.T, files map[string]string, given map[string]cty.Value) []*hclnames.Instance {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := hclnames.LoadTree(fsys, ".")
	if err != nil {
		t.Fatal(err)
	}
	variables, errs := tree.Variables(given)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return slices.Collect(hclnames.NewEvaluator(variables).Expand(tree))
}

func TestExpand(t *testing.T) {
	found := expanded(t, map[string]string{
		"terraform.tfvars": `zones = ["b"]`,
		"main.tf": `
variable "zones" { type = list(string) }
variable "none" {}
variable "secret" {
  default   = ["a"]
  sensitive = true
}
resource "t" "one" {}
resource "t" "by" { for_each = toset(concat(var.zones, ["a\"${"$"}{"])) }
resource "t" "n" { count = "2" }
resource "t" "off" {
  lifecycle {
    enabled = length(var.zones) > 1
  }
}
resource "t" "on" {
  lifecycle {
    enabled = true
  }
}
data "d" "x" { for_each = { k = t.one.id } }
ephemeral "e" "none" { count = 2 }
resource "w" "chained" { for_each = t.by }
resource "w" "many" { count = length(t.n[*].id) - sensitive(1) }
resource "w" "outside" { count = try(t.n[2].id, 1) }
resource "w" "ephemeral" { count = length(ephemeral.e.none) }
resource "w" "here" { count = module.here.n }
resource "w" "off" { count = module.off == null ? 1 : try(module.off.n, 7) }
resource "w" "element" { count = t.n[0].id }
resource "w" "unknown" { count = t.one.id }
resource "w" "variable" { count = var.none }
resource "w" "numbers" { for_each = toset([1]) }
resource "w" "list" { for_each = ["a"] }
resource "w" "null" { for_each = null }
resource "w" "nulls" { for_each = toset([tostring(null)]) }
resource "w" "set" { for_each = toset([t.one.id]) }
resource "w" "sensitive" { for_each = toset(var.secret) }
resource "w" "negative" { count = -1 }
resource "w" "absent" { count = local.absent }
resource "w" "half" { count = 0.5 }
resource "w" "broken" { count = 1 + "x" }
resource "w" "odd" {
  lifecycle {
    enabled = "odd"
  }
}
module "m" {
  source   = "./m"
  for_each = { x = 1, "y.z" = 2 }
  n        = each.value
}
module "here" {
  source = "./m"
  n      = 1
  lifecycle {
    enabled = "true"
  }
}
module "off" {
  source = "./m"
  n      = 1
  lifecycle {
    enabled = false
  }
}
module "far" { source = "acme/far/any" }
module "far_none" {
  source = "acme/far/any"
  count  = 0
}
module "unknown" {
  source   = "./m"
  for_each = t.one.set
  n        = 1
}
`,
		"m/main.tf": `
variable "n" {}
output "n" { value = var.n }
resource "t" "in" { count = var.n }
module "far" { source = "acme/far/any" }
`,
	}, nil)
	var got []string
	for _, i := range found {
		line := i.Address()
		if i.Why != "" {
			line += ": " + i.Why
		}
		got = append(got, line)
	}
	want := `t.one
t.by["a\"$${"]
t.by["b"]
t.n[0]
t.n[1]
t.on
w.chained["a\"$${"]
w.chained["b"]
w.many[0]
w.outside[0]
w.ephemeral[?]: count depends on ephemeral.e.none, known after apply
w.here[0]
w.off[0]
w.element[?]: count depends on t.n, known after apply
w.unknown[?]: count depends on t.one, known after apply
w.variable[?]: count depends on var.none, which has no value
w.numbers[?]: for_each is a set of number, not of strings
w.list[?]: for_each is neither a map nor a set of strings, but tuple
w.null[?]: for_each is null
w.nulls[?]: for_each has a null value in the set
w.set[?]: for_each depends on t.one, known after apply
w.sensitive[?]: for_each is sensitive or ephemeral
w.negative[?]: count is not a whole number of instances
w.absent[?]: count depends on local.absent, which is not there
w.half[?]: count is not a whole number of instances
w.broken[?]: count cannot be evaluated: Invalid operand; Unsuitable value for right operand: a number is required.
w.odd[?]: enabled is not a boolean
data.d.x["k"]
module.m["x"].t.in[0]
module.m["x"].module.far[?]: the module is not installed
module.m["y.z"].t.in[0]
module.m["y.z"].t.in[1]
module.m["y.z"].module.far[?]: the module is not installed
module.here.t.in[0]
module.here.module.far[?]: the module is not installed
module.far[?]: the module is not installed
module.unknown[?]: for_each depends on t.one, known after apply`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	for _, i := range found {
		if v, parts := i.Value(); i.Why != "" && (v != cty.DynamicVal || len(parts) != 1 || parts[0].Why != i.Why) {
			t.Errorf("%s: %#v %v", i.Address(), v, parts)
		}
		if i.Block() == nil {
			t.Errorf("%s has no block", i.Address())
		}
	}
}

// TestExpandValues expands dynamic blocks in dynamic blocks.
func TestExpandValues(t *testing.T) {
	files := map[string]string{
		"main.tf": `
variable "rules" {
  default = [{ port = 1, cidrs = ["a", "b"] }, { port = 2, cidrs = [] }]
}
resource "t" "a" {
  for_each = { k = t.b.id }
  provider = p.west
  name     = each.key
  id_of    = "x-${each.value}"
  replaced = 1
  rule {
    port = 0
  }
  dynamic "rule" {
    for_each = var.rules
    iterator = r
    content {
      port = r.value.port
      key  = r.key
      dynamic "cidr" {
        for_each = toset(r.value.cidrs)
        content {
          text = "${each.key}/${r.key}/${cidr.key}/${cidr.value}"
        }
      }
    }
  }
  dynamic "list" {
    for_each = [t.b.id, "c"]
    content {
      v = list.value
    }
  }
  dynamic "later" {
    for_each = t.b.list
    content {}
  }
  dynamic "null" {
    for_each = null
    content {}
  }
  dynamic "bare" {
    content {}
  }
  wrong = each.key + 1
  lifecycle {
    create_before_destroy = true
  }
}
`,
		"main_override.tf": `
resource "t" "a" {
  replaced = 2
}
`}
	i := expanded(t, files, nil)[0]
	v, parts := i.Value()
	rule := func(port, key int64, texts ...string) cty.Value {
		cidrs := []cty.Value{}
		for _, text := range texts {
			cidrs = append(cidrs, cty.ObjectVal(map[string]cty.Value{"text": cty.StringVal(text)}))
		}
		return cty.ObjectVal(map[string]cty.Value{"port": cty.NumberIntVal(port), "key": cty.NumberIntVal(key), "cidr": cty.TupleVal(cidrs)})
	}
	want := map[string]cty.Value{
		"name": cty.StringVal("k"), "replaced": cty.NumberIntVal(2),
		"rule":  cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"port": cty.NumberIntVal(0)}), rule(1, 0, "k/0/a/a", "k/0/b/b"), rule(2, 1)}),
		"list":  cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"v": cty.DynamicVal}), cty.ObjectVal(map[string]cty.Value{"v": cty.StringVal("c")})}),
		"later": cty.DynamicVal, "null": cty.DynamicVal, "bare": cty.DynamicVal, "wrong": cty.DynamicVal,
	}
	got := v.AsValueMap()
	if text := got["id_of"]; text.IsKnown() {
		t.Errorf("id_of is %#v", text)
	}
	delete(got, "id_of")
	for name, w := range want {
		if g, ok := got[name]; !ok || !g.RawEquals(w) {
			t.Errorf("%s: got %#v, want %#v", name, g, w)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("also %v", got)
	}
	var why []string
	for _, p := range parts {
		why = append(why, p.Path+": "+p.Why)
	}
	if text, want := strings.Join(why, "\n"), `id_of: t.b, known after apply
wrong: Invalid operand; Unsuitable value for left operand: a number is required.
bare: the dynamic block has no for_each
later: for_each depends on t.b, known after apply
list[0].v: t.b, known after apply
null: for_each is null`; text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// TestExpandJSON expands the dynamic blocks of JSON syntax.
func TestExpandJSON(t *testing.T) {
	v, _ := expanded(t, map[string]string{"main.tf.json": `{"resource": {"t": {"a": {"//": "x", "plain": [{"a": 1}], "dynamic": {"rule": {"for_each": ["x", "y"], "content": {"v": "${rule.value}"}}}}}}}`}, nil)[0].Value()
	want := cty.ObjectVal(map[string]cty.Value{
		"plain": cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"a": cty.NumberIntVal(1)})}),
		"rule":  cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"v": cty.StringVal("x")}), cty.ObjectVal(map[string]cty.Value{"v": cty.StringVal("y")})}),
	})
	if !v.RawEquals(want) {
		t.Errorf("got %#v", v)
	}
}

// TestExpandLimits has more instances than there may be, and ends early.
func TestExpandLimits(t *testing.T) {
	found := expanded(t, map[string]string{"main.tf": `
resource "t" "big" { count = 100001 }
resource "t" "few" { count = 99990 }
module "big" {
  source = "./m"
  count  = 1e18
}
module "m" {
  source = "./m"
  count  = 6
}
`, "m/main.tf": `resource "t" "a" {}`}, nil)
	last := found[len(found)-1]
	if first := found[0]; len(found) != 1+99990+1+6 || first.Address() != "t.big[?]" || first.Why == "" || last.Address() != "module.m[5].t.a[?]" || found[len(found)-3].Address() != "module.m[3].t.a" {
		t.Errorf("%d instances, the first is %s: %s, the last is %s: %s", len(found), first.Address(), first.Why, last.Address(), last.Why)
	}
	tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte("resource \"t\" \"a\" {\n  count = 5\n}\nmodule \"m\" {\n  source = \"./m\"\n  count = 3\n}\n")}, "m/m.tf": {Data: []byte(`resource "t" "b" {}`)}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	for stop := 1; stop <= 8; stop++ {
		n := 0
		for range hclnames.NewEvaluator(nil).Expand(tree) {
			if n++; n == stop {
				break
			}
		}
		if n != stop {
			t.Errorf("ended after %d instead of %d", n, stop)
		}
	}
	for range hclnames.NewEvaluator(nil).Expand(nil) {
		t.Error("nothing has instances")
	}
}

// TestFunctions gives an evaluator functions of its own.
func TestFunctions(t *testing.T) {
	tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(`resource "t" "a" { for_each = toset([file("x")]) }`)}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	e := hclnames.NewEvaluator(nil)
	e.Functions = map[string]function.Function{"file": stdlib.UpperFunc, "toset": stdlib.MakeToFunc(cty.Set(cty.String))}
	for i := range e.Expand(tree) {
		if i.Address() != `t.a["X"]` {
			t.Errorf("%s: %s", i.Address(), i.Why)
		}
	}
}

func TestVariables(t *testing.T) {
	tree, err := hclnames.LoadTree(fstest.MapFS{
		"main.tf":            {Data: []byte("variable \"a\" {}\nvariable \"b\" {}\nvariable \"c\" {}\nvariable \"d\" {\n  default = 1\n}\nvariable \"e\" {}\n")},
		"z.auto.tfvars":      {Data: []byte("a = \"z\"")},
		"y.auto.tfvars.json": {Data: []byte(`{"a": "y", "b": "y"}`)},
		"terraform.tfvars":   {Data: []byte("a = \"t\"\nc = \"t\"\n")},
	}, ".")
	if err != nil {
		t.Fatal(err)
	}
	got, errs := tree.Variables(map[string]cty.Value{"c": cty.StringVal("given")})
	want := map[string]cty.Value{"a": cty.StringVal("z"), "b": cty.StringVal("y"), "c": cty.StringVal("given"), "d": cty.NumberIntVal(1)}
	if len(errs) > 0 || len(got) != len(want) {
		t.Errorf("got %v, %v", got, errs)
	}
	for name, w := range want {
		if !got[name].RawEquals(w) {
			t.Errorf("%s is %#v", name, got[name])
		}
	}
	tree.VariableFiles = []string{"none.tfvars"}
	if _, errs := tree.Variables(nil); len(errs) != 1 {
		t.Errorf("got %v", errs)
	}
	into, err := hclnames.ParseValues("any.json", []byte(`{"a": [1], "b": "x"}`))
	if err != nil || len(into) != 2 {
		t.Errorf("%v, %v", into, err)
	}
	into, err = hclnames.ParseValues("any", []byte("a = var.x\nb = 2\n"))
	if err == nil || !into["b"].RawEquals(cty.NumberIntVal(2)) {
		t.Errorf("%v, %v", into, err)
	}
	if _, err := hclnames.ParseValues("any", []byte("a = {")); err == nil {
		t.Error("a faulty file is read")
	}
}

// TestTreeResource finds blocks by address.
func TestTreeResource(t *testing.T) {
	tree, err := hclnames.LoadTree(fstest.MapFS{
		"main.tf":          {Data: []byte("resource \"t\" \"a\" {}\n\ndata \"t\" \"a\" {}\n\nephemeral \"t\" \"a\" {}\n\nmodule \"m\" {\n  source = \"./m\"\n}\n")},
		"main_override.tf": {Data: []byte("resource \"t\" \"a\" {\n  x = 1\n}\n")},
		"m/m.tf":           {Data: []byte("\n\nresource \"t\" \"b\" {}\n")},
	}, ".")
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{"t.a": "main.tf:1", "data.t.a": "main.tf:3", "ephemeral.t.a": "main.tf:5", "module.m.t.b": "m/m.tf:3", "t.b": "", "module.n.t.b": "", "module.m.module.m.t.b": ""} {
		c, err := addrs.ParseConfigResource(address)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if r := tree.Resource(c); r != nil {
			at := r.Block.DefRange()
			got = fmt.Sprintf("%s:%d", at.Filename, at.Start.Line)
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
	if (*hclnames.Tree)(nil).Resource(addrs.ConfigResource{}) != nil {
		t.Error("nothing has a resource")
	}
}
