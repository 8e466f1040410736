// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbound

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A comparison looks at all parts of the values that it compares.
type comparison struct{ *hclsyntax.BinaryOpExpr }

// UnwrapExpression returns the expression as it is written.
func (x comparison) UnwrapExpression() hcl.Expression { return x.BinaryOpExpr }

func (x comparison) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	meter := meterIn(ctx)
	if meter == nil {
		return x.BinaryOpExpr.Value(ctx)
	}
	n := *x.BinaryOpExpr
	left, right := evaluated(x.LHS, ctx), evaluated(x.RHS, ctx)
	n.LHS, n.RHS = left, right
	if !meter.spendParts(left.v, right.v) {
		return cty.UnknownVal(cty.Bool), append(slices.Clone(left.diags), right.diags...)
	}
	return n.Value(ctx)
}

// spendParts spends the parts of values that are large.
func (m *Meter) spendParts(values ...cty.Value) bool {
	sum := 0
	for _, v := range values {
		sum += parts(v, m.most())
	}
	return sum <= few || m.Spend(sum)
}

// A template has as many copies of a text as there are references to it.
type template struct{ *hclsyntax.TemplateExpr }

// UnwrapExpression returns the expression as it is written.
func (x template) UnwrapExpression() hcl.Expression { return x.TemplateExpr }

func (x template) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	meter := meterIn(ctx)
	if meter == nil {
		return x.TemplateExpr.Value(ctx)
	}
	n := *x.TemplateExpr
	n.Parts = slices.Clone(x.Parts)
	var diags hcl.Diagnostics
	ok, size := true, 0
	for i, p := range n.Parts {
		if _, literal := p.(*hclsyntax.LiteralValueExpr); literal {
			continue
		}
		v := evaluated(p, ctx)
		n.Parts[i] = v
		diags = append(diags, v.diags...)
		size += parts(v.v, meter.most())
		if size > few {
			ok = meter.Spend(size) && ok
			size = 0
		}
	}
	if !ok {
		return cty.UnknownVal(cty.String), diags
	}
	return n.Value(ctx)
}
