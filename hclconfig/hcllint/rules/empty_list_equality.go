// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var emptyListEquality = &hcllint.Analyzer{
	Name: "terraform_empty_list_equality",
	Doc: `A comparison with [] says nothing about the length of a list.

[] is a tuple, which is never equal to a list, not even to an empty one.

	var.zones == []          finding
	length(var.zones) == 0   no finding

The rule looks at native syntax only. The fix compares the length, if the other operand can
have one. It changes the result for an empty list, which is its purpose.`,
	URL:      page("terraform_empty_list_equality"),
	Severity: hcllint.Warning,
	Requires: []*hcllint.Analyzer{expressions},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, f := range partsOf(p) {
			for _, c := range f.comparisons {
				other := c.RHS
				if !isEmptyTuple(c.LHS) {
					if other = c.LHS; !isEmptyTuple(c.RHS) {
						continue
					}
				}
				operator := "=="
				if c.Op == hclsyntax.OpNotEqual {
					operator = "!="
				}
				at := f.rangeOf(c.Range())
				d := hcllint.Diagnostic{
					Range:   at,
					Message: "Comparing a collection with an empty list is invalid. To detect an empty collection, check its length.",
				}
				if !f.hasComment(c.Range(), other.Range()) && canHaveLength(p, f, other) {
					d.Fixes = replacing("Compare the length", f.file, at, func() string { return "length(" + f.text(other.Range()) + ") " + operator + " 0" })
				}
				p.Report(d)
			}
		}
		return nil, nil
	},
}

// canHaveLength reports whether nothing shows that the function length would refuse x.
func canHaveLength(p *hcllint.Pass, f *fileParts, x hclsyntax.Expression) bool {
	e, err := hclconfig.ParseExpression(f.file.Filename(), []byte(f.text(x.Range())), hclconfig.NativeSyntax, hclconfig.KindExpression)
	if err != nil {
		return true
	}
	v, _ := p.Evaluate(e).Value.UnmarkDeep()
	t := v.Type()
	return !v.IsNull() && (!t.IsPrimitiveType() || t == cty.String)
}

func isEmptyTuple(x hclsyntax.Expression) bool {
	t, ok := x.(*hclsyntax.TupleConsExpr)
	return ok && len(t.Exprs) == 0
}
