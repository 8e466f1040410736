// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllex

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// The tree of a text with numbers that are out of range is that of the same text with others, apart from them.
func TestParse_numbersOutOfRange(t *testing.T) {
	huge := "1" + strings.Repeat("0", 2000)
	for _, src := range []string{"N", "[a, N, 1]", `"x${N}"`, `"${N}"`, "f(N, -N)", "a ? N : 1", "N + b", "{a = N}", "{(N) = 1}", "[for a in N: N if N]", "a[b + N]", "(N)"} {
		x, diags := ParseExpression([]byte(strings.ReplaceAll(src, "N", huge)), "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Errorf("%s: %v", src, diags)
			continue
		}
		n := 0
		_ = hclsyntax.VisitAll(x, func(n0 hclsyntax.Node) hcl.Diagnostics {
			if e, ok := n0.(*hclsyntax.ExprSyntaxError); ok {
				if n++; string(e.SrcRange.SliceBytes([]byte(strings.ReplaceAll(src, "N", huge)))) != huge {
					t.Errorf("%s: a place is %v", src, e.SrcRange)
				}
			}
			if l, ok := n0.(*hclsyntax.LiteralValueExpr); ok && l.Val.RawEquals(cty.Zero) {
				t.Errorf("%s: a number is zero", src)
			}
			return nil
		})
		if n != strings.Count(src, "N") {
			t.Errorf("%s: %d numbers without a value", src, n)
		}
	}
	x, diags := ParseTemplate([]byte(strings.Repeat("\n", 100)+"${1e1400}$"), "", hcl.InitialPos)
	if _, more := x.Value(nil); diags.HasErrors() || len(more) != 1 || more[0].Subject.Start.Line != 101 {
		t.Errorf("a template: %v, %v", diags, more)
	}
	for _, src := range []string{"a[1e1400]", "a.1" + huge + ".b", "f()[" + huge + "]"} {
		if _, diags := ParseExpression([]byte(src), "", hcl.InitialPos); !diags.HasErrors() || diags[0].Subject.Start.Byte == 0 {
			t.Errorf("%.40s: %v", src, diags)
		}
	}
	for _, src := range []string{"3e123", "a7e9123", `"1e9999"`, "# 1e9999\n1", "1.5e+300"} {
		if text, h := smallNumbers([]byte(src), "", hcl.InitialPos, hclsyntax.LexExpression); h != nil || string(text) != src {
			t.Errorf("%s: %s, %v", src, text, h)
		}
	}
}

// The value is that of the expression itself, and operators that are not on numbers stay.
func TestBounded(t *testing.T) {
	for _, src := range []string{"a == 1", "!true", "[1, -1]", "a"} {
		x, _ := ParseExpression([]byte(src), "", hcl.InitialPos)
		if Bounded(x) != x {
			t.Errorf("%s is copied", src)
		}
	}
	for _, src := range []string{
		"1 + 2 * 3", "-(1 + 2)", `"x${7 % 4}"`, "[for a in [1, 2]: a / 2 if a - 1 == 0]", "{for a in [1, 2]: a + 1 => -a}", "[{a = 1 + 1}][*].a",
		"true ? 1 + 1 : 2", "{(1 + 1) = 2}", "[[1, 2][1 - 1]]", "(1 - 1)", "%{ for a in [1] }${a + 1}%{ endfor }",
	} {
		parse := ParseExpression
		if strings.HasPrefix(src, "%") {
			parse = ParseTemplate
		}
		x, _ := parse([]byte(src), "", hcl.InitialPos)
		want, _ := x.Value(nil)
		b := Bounded(x)
		if got, diags := b.Value(nil); b == x || diags.HasErrors() || !got.RawEquals(want) {
			t.Errorf("%s = %#v, %v, want %#v", src, got, diags, want)
		}
	}
	x, _ := ParseExpression([]byte(`"x${a + 1}"`), "", hcl.InitialPos)
	if v, diags := Bounded(x).Value(&hcl.EvalContext{Variables: map[string]cty.Value{"a": cty.UnknownVal(cty.Number)}}); diags.HasErrors() || v.IsKnown() {
		t.Errorf("of an unknown number: %#v, %v", v, diags)
	}
}
