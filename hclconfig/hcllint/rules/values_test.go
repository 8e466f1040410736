// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// A writer makes expressions at random, in which rules have something to mend.
type writer struct{ *rand.Rand }

func (w writer) one(of ...string) string { return of[w.IntN(len(of))] }

// list returns an expression of a list of objects.
func (w writer) list(depth int) string {
	if depth > 0 && w.IntN(3) == 0 {
		return w.one(`"${`+w.list(depth-1)+`}"`, "("+w.list(depth-1)+")", "[for x in "+w.list(depth-1)+" : x]", "local.t ? "+w.list(depth-1)+" : local.o")
	}
	return w.one("local.o", "local.p", "local.o[*]", `"${local.o[*]}"`, `"${local.m[*]}"`, "concat(local.o, local.p)")
}

// scalar returns an expression of anything.
func (w writer) scalar(depth int) string {
	if depth == 0 {
		return w.one("local.n", "local.s", "1", `"a"`, `"${local.s}"`, "true")
	}
	switch w.IntN(8) {
	case 0:
		return w.one("", "(") + w.list(depth-1) // closed below if it was opened
	case 1:
		return `"${` + w.list(depth-1) + `[*].` + w.one("l", "a") + `}"` + w.one("", "[0]", "[1]", "[0][1]", ".0")
	case 2:
		return `"${` + w.list(depth-1) + `.*.` + w.one("l", "a") + `}"` + w.one("", "[0]", ".1")
	case 3:
		return `"${` + w.list(depth-1) + `}"` + w.one("[0]", "[0].a", ".0.l", "[*].a", ".*.l", "[*].l[0]")
	case 4:
		return `"${` + w.scalar(depth-1) + `}" ` + w.one("==", "!=") + " " + w.scalar(0)
	case 5:
		return `"${local.n ` + w.one("+ 1", "* 2", "> 1 ? 2 : 3") + `}" ` + w.one("* 3", "+ 1", "== 4 ? 1 : 2", "- 1")
	case 6:
		return `lookup(local.k, "a")`
	}
	return w.list(0) + w.one(" == []", " != []", ".0.a", "[0].l.1", ".*.l.0")
}

// evaluate returns the value of a local value in a file, by HCL.
func evaluate(t *testing.T, src []byte) (cty.Value, bool) {
	t.Helper()
	f, diags := hclsyntax.ParseConfig(src, "", hcl.InitialPos)
	if diags.HasErrors() {
		return cty.NilVal, false
	}
	object := func(a string, l ...string) cty.Value {
		var list []cty.Value
		for _, s := range l {
			list = append(list, cty.StringVal(s))
		}
		return cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal(a), "l": cty.ListVal(list)})
	}
	o := cty.ListVal([]cty.Value{object("x", "1", "2"), object("y", "3", "4")})
	context := &hcl.EvalContext{
		Variables: map[string]cty.Value{"local": cty.ObjectVal(map[string]cty.Value{
			"o": o, "p": cty.ListVal([]cty.Value{object("z", "5", "6")}), "m": object("w", "7", "8"), "n": cty.NumberIntVal(3), "s": cty.StringVal("s"),
			"t": cty.True, "k": cty.MapVal(map[string]cty.Value{"a": cty.StringVal("v")}),
		})},
		Functions: map[string]function.Function{"concat": stdlib.ConcatFunc, "lookup": stdlib.LookupFunc, "length": stdlib.LengthFunc},
	}
	locals := f.Body.(*hclsyntax.Body).Blocks[0]
	v, diags := locals.Body.Attributes["v"].Expr.Value(context)
	return v, !diags.HasErrors()
}

// A fix never changes a value: HCL evaluates the text of before and after.
func TestFixes_Values(t *testing.T) {
	fixed := 0
	w := writer{rand.New(rand.NewPCG(1, 2))}
	for range 4000 {
		text := w.scalar(2)
		src := []byte(fmt.Sprintf("locals {\n  v = %s\n}\n\noutput \"v\" {\n  value = local.v\n}\n", text))
		before, ok := evaluate(t, src)
		if !ok {
			continue
		}
		tree, err := hclnames.LoadTree(fstest.MapFS{"m/main.tf": {Data: src}}, "m", hclconfig.OpenTofu)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range rules.All() {
			report, err := hcllint.Run(tree, []*hcllint.Analyzer{a}, hcllint.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Fix() {
				fixed++
				after, ok := evaluate(t, f.Bytes())
				if !ok || !after.RawEquals(before) && a.Name != "terraform_empty_list_equality" {
					t.Errorf("%s: %s is %#v, and after the fix %#v: %s", a.Name, text, before, after, f.Bytes())
				}
			}
		}
	}
	if fixed < 800 {
		t.Errorf("only %d fixes", fixed)
	}
}
