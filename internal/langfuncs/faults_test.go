// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
)

// Which calls the programs refuse: OpenTofu 1.12.6 and Terraform 1.11.4 said so of
// each of them.
func TestTable_faultsOfValues(t *testing.T) {
	for src, fails := range map[string]bool{
		`sum([1, 2])`: false, `sum(["1", 2])`: false, `sum(toset([1]))`: false,
		`sum([])`: true, `sum(5)`: true, `sum({})`: true, `sum([null])`: true, `sum([true])`: true, `sum(["a", 1])`: true,
		`index(["a"], "a")`: false, `index(["a"], "b")`: true, `index([], "a")`: true, `index("a", "a")`: true, `index(toset([1]), 1)`: true, `index([1], "1")`: true,
		`replace("a", "/a/", "b")`: false, `replace("a", "/[", "b")`: false, `replace("a", "//", "b")`: false, `replace("a", "/[/", "b")`: true, `replace("a", "/(?=a)/", "b")`: true,
		`timecmp("2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z")`: false, `timecmp("2020-01-01T00:00:00Z", "x")`: true, `timecmp("2020-01-01", "x")`: true,
		`cidrhost("10.0.0.0/8", 1)`: false, `cidrhost("10.0.0.0/31", -2)`: false, `cidrhost("010.0.0.0/8", 1)`: false, `cidrhost("fe80::/64", 5)`: false,
		`cidrhost("10.0.0.0/31", -3)`: true, `cidrhost("10.0.0.0/31", 2)`: true, `cidrhost("10.0.0.0", 1)`: true, `cidrhost("10.0.0.0/8", 1.5)`: true,
		`cidrnetmask("10.0.0.0/8")`: false, `cidrnetmask("fe80::/64")`: true, `cidrnetmask("x")`: true,
		`cidrsubnet("10.0.0.0/8", 8, 255)`: false, `cidrsubnet("fe80::/48", 80, 1)`: false, `cidrsubnet("10.0.0.0/8", 24, 0)`: false,
		`cidrsubnet("10.0.0.0/8", 8, 256)`: true, `cidrsubnet("10.0.0.0/8", 25, 0)`: true, `cidrsubnet("10.0.0.0/8", 8.5, 1)`: true, `cidrsubnet("10.0.0.0/8", 8, 1.5)`: true, `cidrsubnet("x", 8, 1)`: true,
		`cidrsubnets("10.0.0.0/8")`: false, `cidrsubnets("10.0.0.0/8", 1, 1)`: false, `cidrsubnets("10.0.0.0/8", 2, 1, 2)`: true, `cidrsubnets("fe80::/48", 32)`: false,
		`cidrsubnets("10.0.0.0/8", 1, 1, 1)`: true, `cidrsubnets("10.0.0.0/8", 25)`: true, `cidrsubnets("10.0.0.0/8", -1)`: true, `cidrsubnets("x", 1)`: true, `cidrsubnets("fe80::/48", 33)`: true, `cidrsubnets("10.0.0.0/8", 1.5)`: true,
	} {
		x, diags := hclsyntax.ParseExpression([]byte(src), "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, program := range []langfuncs.Program{langfuncs.OpenTofu, langfuncs.Terraform} {
			if _, diags := x.Value(&hcl.EvalContext{Functions: langfuncs.Table(program, -1)}); diags.HasErrors() != fails {
				t.Errorf("%s: %v", src, diags)
			}
		}
	}
	// A long pattern is looked at as well.
	long := `replace("a", "/` + strings.Repeat("(", 2*langfuncs.MaxWeight) + `/", "b")`
	x, diags := hclsyntax.ParseExpression([]byte(long), "", hcl.InitialPos)
	if _, more := x.Value(&hcl.EvalContext{Functions: langfuncs.Table(langfuncs.OpenTofu, -1)}); diags.HasErrors() || !more.HasErrors() {
		t.Error(diags, more)
	}
}

// tofu 1.12.6 wants something that becomes a string; terraform 1.11.4 a string, once it
// is known.
func TestTemplateString(t *testing.T) {
	list := cty.List(cty.String)
	for _, c := range []struct {
		template        cty.Value
		tofu, terraform bool // fails
	}{
		{cty.StringVal("a"), false, false},
		{cty.UnknownVal(cty.String), false, false},
		{cty.DynamicVal, false, false},
		{cty.True, false, true},
		{cty.ListVal([]cty.Value{cty.StringVal("a")}), true, true},
		{cty.UnknownVal(list), true, false},
		{cty.NullVal(cty.String), true, true},
	} {
		for program, fails := range map[langfuncs.Program]bool{langfuncs.OpenTofu: c.tofu, langfuncs.Terraform: c.terraform} {
			ctx := &hcl.EvalContext{Functions: langfuncs.Table(program, -1), Variables: map[string]cty.Value{"x": c.template}}
			x, diags := hclsyntax.ParseExpression([]byte("templatestring(x, {})"), "", hcl.InitialPos)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			if _, diags = x.Value(ctx); diags.HasErrors() != fails {
				t.Errorf("%v, %#v: %v", program, c.template, diags)
			}
		}
	}
}
