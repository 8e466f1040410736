// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/agreement"
	"github.com/zclconf/go-cty/cty"
)

// evaluated is the tree of the tests of evaluation.
func evaluatedTree(t testing.TB, d hclconfig.Dialect) *hclnames.Tree {
	t.Helper()
	tree, err := hclnames.LoadTree(files(map[string]string{
		"main.tf": `
variable "zone" {}
variable "size" {
  type    = number
  default = 3
}
variable "tags" {
  type    = map(string)
  default = { Name = "a" }
}
variable "key" {
  default   = "s3cret"
  sensitive = true
}
variable "wrong" {
  type    = number
  default = "many"
}
locals {
  twice  = var.size * 2
  names  = [for i in range(local.twice) : "n${i}"]
  mixed  = { a = local.twice, b = var.zone }
  circle = local.circle
}
data "aws_ami" "base" {}
module "one" {
  source = "./m"
  in     = local.twice
}
module "many" {
  source = "./m"
  count  = 2
  in     = count.index
}
module "gone" {
  source = "example/gone/x"
}
`,
		"m/main.tf": "variable \"in\" {\n  type = string\n}\noutput \"out\" {\n  value = \"<${var.in}>\"\n}\noutput \"id\" {\n  value = aws_vpc.v.id\n}\nresource \"aws_vpc\" \"v\" {}\n",
	}), ".", hclconfig.Workspace("default"), d)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestEvaluator has the value of each kind of reference, and why it is not known.
func TestEvaluator(t *testing.T) {
	tree := evaluatedTree(t, hclconfig.OpenTofu)
	values := hclnames.NewEvaluator(nil)
	for _, c := range []struct {
		src     string
		want    cty.Value
		early   bool
		unknown []string
	}{
		{`var.size`, cty.NumberIntVal(3), true, nil},
		{`local.twice + 1`, cty.NumberIntVal(7), true, nil},
		{`join(",", slice(local.names, 0, 2))`, cty.StringVal("n0,n1"), true, nil},
		{`merge(var.tags, { B = "c" }).B`, cty.StringVal("c"), true, nil},
		{`path.root`, cty.StringVal("."), true, nil},
		{`tofu.workspace`, cty.StringVal("default"), true, nil},
		{`module.one.out`, cty.StringVal("<6>"), false, nil},
		{`[module.one.out, module.one.id][0]`, cty.StringVal("<6>"), false, nil},
		{`local.mixed.a`, cty.NumberIntVal(6), false, nil},
		{`local.mixed.b`, cty.DynamicVal, false, []string{"var.zone has no value"}},
		{`var.zone`, cty.DynamicVal, false, []string{"var.zone has no value"}},
		{`"${var.zone}-${var.size}"`, cty.UnknownVal(cty.String).RefineNotNull(), false, []string{"var.zone has no value"}},
		{`data.aws_ami.base.id`, cty.DynamicVal, false, []string{"data.aws_ami.base is known only in a plan"}},
		{`[data.aws_ami.base.id, 1]`, cty.TupleVal([]cty.Value{cty.DynamicVal, cty.NumberIntVal(1)}), false, []string{"data.aws_ami.base is known only in a plan"}},
		{`module.one.id`, cty.DynamicVal, false, []string{"module.one.aws_vpc.v is known only in a plan"}},
		{`module.many[0].out`, cty.DynamicVal, false, []string{"module.many differs between instances"}},
		{`module.gone.out`, cty.DynamicVal, false, []string{"module.gone is not there"}},
		{`count.index`, cty.DynamicVal, false, []string{"count.index differs between instances"}},
		{`var.wrong`, cty.DynamicVal, true, []string{"var.wrong has an unsuitable default"}},
		{`var.none`, cty.DynamicVal, false, []string{"var.none is not there"}},
		{`local.circle`, cty.DynamicVal, false, []string{"local.circle is not computed"}},
		{`provider::lab::f(1)`, cty.DynamicVal, false, []string{"provider::lab::f is not computed"}},
		{`[for a in range(1000) : [for b in range(1000) : a * b]]`, cty.DynamicVal, false, []string{"the expression is not computed"}},
		{`upper([])`, cty.DynamicVal, true, []string{"the expression is not computed"}},
	} {
		e, err := hclconfig.ParseExpression("x.tf", []byte(c.src), hclconfig.NativeSyntax, hclconfig.KindExpression)
		if err != nil {
			t.Fatal(err)
		}
		got := values.Evaluate(tree, e)
		var unknown []string
		for _, u := range got.Unknown {
			unknown = append(unknown, u.String())
		}
		if !got.Value.RawEquals(c.want) || got.Early != c.early || !slices.Equal(unknown, c.unknown) {
			t.Errorf("%s: %#v, early %v, %q", c.src, got.Value, got.Early, unknown)
		}
		if got.Diagnostics.HasErrors() != strings.HasPrefix(c.src, "upper") {
			t.Errorf("%s: %v", c.src, got.Diagnostics)
		}
	}
	e, _ := hclconfig.ParseExpression("x.tf", []byte(`"k-${var.key}"`), hclconfig.NativeSyntax, hclconfig.KindExpression)
	if v := values.Evaluate(tree, e).Value; !v.IsMarked() {
		t.Errorf("the value of a sensitive variable has no mark: %#v", v)
	}
}

// TestEvaluator_override has a call whose arguments are those of override files.
func TestEvaluator_override(t *testing.T) {
	tree, err := hclnames.LoadTree(files(map[string]string{
		"main.tf":       "module \"m\" {\n  source = \"./m\"\n  a = 1\n  b = 2\n  c = 3\n}\n",
		"a_override.tf": "module \"m\" {\n  a = 10\n  b = 20\n}\n",
		"b_override.tf": "module \"m\" {\n  b = 200\n  d = 400\n}\n",
		"m/main.tf":     "variable \"a\" {}\nvariable \"b\" {}\nvariable \"c\" {}\nvariable \"d\" {\n  default = 4\n}\noutput \"sum\" {\n  value = var.a + var.b + var.c + var.d\n}\n",
	}), ".", hclconfig.OpenTofu)
	if err != nil {
		t.Fatal(err)
	}
	x, err := hclconfig.ParseExpression("x.tf", []byte("module.m.sum"), hclconfig.NativeSyntax, hclconfig.KindExpression)
	if err != nil {
		t.Fatal(err)
	}
	if got := hclnames.NewEvaluator(nil).Evaluate(tree, x).Value; !got.RawEquals(cty.NumberIntVal(613)) {
		t.Errorf("%#v", got)
	}
}

// TestEvaluator_variables gives variables of the root values. They are converted.
func TestEvaluator_variables(t *testing.T) {
	tree := evaluatedTree(t, hclconfig.Terraform)
	values := hclnames.NewEvaluator(map[string]cty.Value{"size": cty.StringVal("5"), "zone": cty.StringVal("z")})
	e, _ := hclconfig.ParseExpression("x.tf", []byte(`"${var.zone}${module.one.out}"`), hclconfig.NativeSyntax, hclconfig.KindExpression)
	if v := values.Evaluate(tree, e); !v.Value.RawEquals(cty.StringVal("z<10>")) {
		t.Errorf("%#v %v", v.Value, v.Unknown)
	}
}

// TestEvaluator_concurrent checks that several goroutines get the same values.
func TestEvaluator_concurrent(t *testing.T) {
	tree := evaluatedTree(t, hclconfig.OpenTofu)
	values := hclnames.NewEvaluator(nil)
	agreement.Concurrently(t, func() string {
		var b strings.Builder
		for _, l := range tree.Module.Locals {
			fmt.Fprintln(&b, l.Name, values.Evaluate(tree, l.Argument.Expression).Value.GoString())
		}
		return b.String()
	})
}

// TestEvaluator_calls has the values that go in and out of called modules, with their
// types, defaults and marks.
func TestEvaluator_calls(t *testing.T) {
	texts := map[string]string{
		"main.tf": `
module "m" {
  source = "./m"
  sized  = "4"
  object = { a = 1 }
  filled = null
  number = "x"
  broken = upper([])
}
module "n" {
  source = "./m"
  object = null
  number = 1
}
`,
		"m/main.tf": `
variable "sized" {
  type    = number
  default = 2
}
variable "object" {
  type = object({ a = string, b = optional(number, 7) })
}
variable "filled" {
  default  = "full"
  nullable = false
}
variable "number" {
  type = number
}
variable "broken" {
  default = 1
}
variable "later" {
  default   = "now"
  ephemeral = true
}
output "sized" {
  value = var.sized
}
output "object" {
  value = var.object
}
output "filled" {
  value = var.filled
}
output "number" {
  value = var.number
}
output "broken" {
  value = var.broken
}
output "secret" {
  value     = "s"
  sensitive = true
}
output "later" {
  value     = var.later
  ephemeral = true
}
output "dir" {
  value = path.module
}
`,
	}
	tree, err := hclnames.LoadTree(files(texts), ".")
	if err != nil {
		t.Fatal(err)
	}
	values := hclnames.NewEvaluator(nil)
	for src, want := range map[string]struct {
		value   cty.Value
		unknown string
	}{
		"module.m.sized":                {cty.NumberIntVal(4), ""},
		"module.n.sized":                {cty.NumberIntVal(2), ""},
		"module.m.object":               {cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("1"), "b": cty.NumberIntVal(7)}), ""},
		"module.n.object":               {cty.NullVal(cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.Number})), ""},
		"module.m.filled":               {cty.StringVal("full"), ""},
		"module.m.number":               {cty.UnknownVal(cty.Number), "module.m.var.number has no value"},
		"module.m.broken":               {cty.DynamicVal, "the expression is not computed"},
		"module.m.none":                 {cty.DynamicVal, "module.m.none is not there"},
		"keys(module.n)[0]":             {cty.StringVal("broken"), ""},
		"module.n[0].sized":             {cty.DynamicVal, "module.n differs between instances"},
		"module.m.dir":                  {cty.StringVal("m"), ""},
		"path.module":                   {cty.StringVal("."), ""},
		"path.cwd":                      {cty.UnknownVal(cty.String), "path.cwd is known only in a plan"},
		"terraform.applying":            {cty.DynamicVal, "terraform.applying is known only in a plan"},
		"each.value":                    {cty.DynamicVal, "each.value differs between instances"},
		"self.id":                       {cty.DynamicVal, "self differs between instances"},
		"[path.cwd, path.cwd]":          {cty.TupleVal([]cty.Value{cty.UnknownVal(cty.String), cty.UnknownVal(cty.String)}), "path.cwd is known only in a plan"},
		"timestamp()":                   {cty.UnknownVal(cty.String), "timestamp is not computed"},
		"var":                           {cty.DynamicVal, "var is not there"},
		"nonsensitive(module.m.secret)": {cty.StringVal("s"), ""},
	} {
		e, err := hclconfig.ParseExpression("x.tf", []byte(src), hclconfig.NativeSyntax, hclconfig.KindExpression)
		if err != nil {
			t.Fatal(err)
		}
		got := values.Evaluate(tree, e)
		var unknown []string
		for _, u := range got.Unknown {
			unknown = append(unknown, u.String())
		}
		plain, _ := got.Value.UnmarkDeep()
		if !plain.RawEquals(want.value) || strings.Join(unknown, ", ") != want.unknown {
			t.Errorf("%s: %#v, %q", src, got.Value, unknown)
		}
	}
	for src, marked := range map[string]bool{"module.m.secret": true, "module.m.later": true, "module.m.sized": false} {
		e, _ := hclconfig.ParseExpression("x.tf", []byte(src), hclconfig.NativeSyntax, hclconfig.KindExpression)
		if v := values.Evaluate(tree, e).Value; v.IsMarked() != marked {
			t.Errorf("%s: %#v", src, v)
		}
	}
}

// TestEvaluator_variableFiles: a file with values of variables may change each of them, which
// only a value that is given settles.
func TestEvaluator_variableFiles(t *testing.T) {
	tree, err := hclnames.LoadTree(files(map[string]string{
		"main.tf":          "variable \"a\" {\n  type    = number\n  default = 1\n}\nvariable \"b\" {\n  type    = nonsense\n  default = 2\n}\n",
		"terraform.tfvars": "a = 3\n",
	}), ".")
	if err != nil {
		t.Fatal(err)
	}
	e, _ := hclconfig.ParseExpression("x.tf", []byte("[var.a, var.b]"), hclconfig.NativeSyntax, hclconfig.KindExpression)
	got := hclnames.NewEvaluator(nil).Evaluate(tree, e)
	if want := cty.TupleVal([]cty.Value{cty.UnknownVal(cty.Number), cty.DynamicVal}); !got.Value.RawEquals(want) || len(got.Unknown) != 2 {
		t.Errorf("%#v %v", got.Value, got.Unknown)
	}
	got = hclnames.NewEvaluator(map[string]cty.Value{"a": cty.StringVal("4"), "b": cty.True}).Evaluate(tree, e)
	if want := cty.TupleVal([]cty.Value{cty.NumberIntVal(4), cty.True}); !got.Value.RawEquals(want) || !got.Early {
		t.Errorf("%#v %v", got.Value, got.Unknown)
	}
}
