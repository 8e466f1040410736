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
	}), ".", d)
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
