// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbound

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A loop evaluates its nodes for each element of a collection. Loops in loops multiply, so the work is counted before it is
// done: one for each node and element. A loop in it counts once, and then for itself.
type loop struct {
	*hclsyntax.ForExpr
	nodes int
}

// UnwrapExpression returns the expression as it is written.
func (x loop) UnwrapExpression() hcl.Expression { return x.ForExpr }

func (x loop) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	meter := meterIn(ctx)
	if meter == nil {
		return x.ForExpr.Value(ctx)
	}
	n := *x.ForExpr
	collection := evaluated(x.CollExpr, ctx)
	n.CollExpr = collection
	if !meter.spendElements(collection.v, x.nodes) {
		return unknownLike(collection.v), collection.diags
	}
	return n.Value(ctx)
}

// A splat is a loop over the elements of its source.
type splat struct {
	*hclsyntax.SplatExpr
	nodes int
}

// UnwrapExpression returns the expression as it is written.
func (x splat) UnwrapExpression() hcl.Expression { return x.SplatExpr }

func (x splat) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	meter := meterIn(ctx)
	if meter == nil {
		return x.SplatExpr.Value(ctx)
	}
	n := *x.SplatExpr
	source := evaluated(x.Source, ctx)
	n.Source = source
	if !meter.spendElements(source.v, x.nodes) {
		return unknownLike(source.v), source.diags
	}
	return n.Value(ctx)
}

// perElement is what HCL's own work for an element of a loop costs, in nodes: it makes a context for each.
const perElement = 4

// spendElements spends what it takes to evaluate nodes for each element of a collection.
func (m *Meter) spendElements(collection cty.Value, nodes int) bool {
	return m.Spend(times(length(collection)+1, nodes+perElement, 1<<30))
}

// unknownLike returns an unknown value with the marks of v.
func unknownLike(v cty.Value) cty.Value { return cty.DynamicVal.WithSameMarks(v) }

// Once returns an expression that is evaluated once, in one context: an operand that is looked at again. If it were
// evaluated again, each level of a nested expression would double the work.
func Once(x hclsyntax.Expression) hclsyntax.Expression { return &once{Expression: x} }

type once struct {
	hclsyntax.Expression
	done *valued
}

func (x *once) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if x.done == nil {
		x.done = evaluated(x.Expression, ctx)
	}
	return x.done.v, x.done.diags
}

// UnwrapExpression returns the expression as it is written.
func (x *once) UnwrapExpression() hcl.Expression { return x.Expression }
