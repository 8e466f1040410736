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
