// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcleval

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/zclconf/go-cty/cty"
)

// keepers are the functions whose results keep the marks of unknown arguments in all releases,
// and refiners those of the releases whose unknown values have refinements.
var (
	keepers  = []string{"length", "keys", "formatlist", "coalesce", "coalescelist", "flatten", "sum", "alltrue", "anytrue", "sensitive", "transpose", "zipmap"}
	refiners = []string{"format", "jsonencode", "sort", "setproduct"}
)

// forgets reports whether the value of an expression is without the marks of what is not known
// in it.
func (l *copier) forgets(x hclsyntax.Expression) bool {
	if !l.rules.Forgets {
		return false
	}
	switch x := x.(type) {
	case *hclsyntax.ForExpr:
		return true
	case *hclsyntax.SplatExpr:
		return l.rules.ForgetsMore
	case *hclsyntax.FunctionCallExpr:
		return !slices.Contains(keepers, x.Name) && (l.rules.ForgetsMore || !slices.Contains(refiners, x.Name))
	case *hclsyntax.BinaryOpExpr:
		switch x.Op {
		case hclsyntax.OpEqual, hclsyntax.OpNotEqual:
			return false
		case hclsyntax.OpGreaterThan, hclsyntax.OpGreaterThanOrEqual, hclsyntax.OpLessThan, hclsyntax.OpLessThanOrEqual:
			return l.rules.ForgetsMore
		}
		return true
	}
	return false
}

// forgetful returns the copy of x, which follows the rules where x forgets marks.
func (l *copier) forgetful(x, copied hclsyntax.Expression) hclsyntax.Expression {
	if !l.forgets(x) {
		return copied
	}
	l.found = true
	return forgetful{copied}
}

// A forgetful expression has no marks if its value is not known; a call only if that is because
// of an argument that is not.
type forgetful struct{ hclsyntax.Expression }

func (x forgetful) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	call, ok := x.Expression.(*hclsyntax.FunctionCallExpr)
	if !ok {
		v, diags := x.Expression.Value(ctx)
		plain, _ := v.Unmark()
		if plain.IsKnown() || diags.HasErrors() {
			return v, diags
		}
		return plain, diags
	}
	n := *call
	n.Args = make([]hclsyntax.Expression, len(call.Args))
	for i, arg := range call.Args {
		n.Args[i] = hclbound.Once(arg)
	}
	v, diags := hclbound.Call(&n).Value(ctx)
	plain, _ := v.Unmark()
	if plain.IsKnown() || diags.HasErrors() || !v.IsMarked() {
		return v, diags
	}
	isUnknown := func(arg hclsyntax.Expression) bool {
		v, _ := arg.Value(ctx)
		return !v.IsKnown()
	}
	if !slices.ContainsFunc(n.Args, isUnknown) {
		return v, diags
	}
	return plain, diags
}

// UnwrapExpression returns the expression as it is written.
func (x forgetful) UnwrapExpression() hcl.Expression { return x.Expression }

// MapParts makes the operation one of other parts. A call is made anew when it is evaluated.
func (x forgetful) MapParts(f func(hclsyntax.Expression) hclsyntax.Expression) hclsyntax.Expression {
	if call, ok := x.Expression.(*hclsyntax.FunctionCallExpr); ok {
		return forgetful{hclbound.MapParts(call, f)}
	}
	return forgetful{f(x.Expression)}
}

// A forgetfulChoice has the marks of the value that it chooses, and of its condition only if
// that is not known.
type forgetfulChoice struct {
	*hclsyntax.ConditionalExpr
	more bool // or not even then
}

func (x forgetfulChoice) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	n := *x.ConditionalExpr
	n.Condition, n.TrueResult, n.FalseResult = hclbound.Once(x.Condition), hclbound.Once(x.TrueResult), hclbound.Once(x.FalseResult)
	v, diags := n.Value(ctx)
	if diags.HasErrors() || !v.IsMarked() {
		return v, diags
	}
	condition, _ := n.Condition.Value(ctx)
	condition, _ = condition.Unmark()
	plain, _ := v.Unmark()
	if !condition.IsKnown() {
		if x.more {
			v = plain
		}
		return v, diags
	}
	chosen, _ := n.FalseResult.Value(ctx)
	if text, err := TextOf(condition); err == nil && text == "true" {
		chosen, _ = n.TrueResult.Value(ctx)
	}
	return plain.WithSameMarks(chosen), diags
}

// UnwrapExpression returns the expression as it is written.
func (x forgetfulChoice) UnwrapExpression() hcl.Expression { return x.ConditionalExpr }

// MapParts makes the choice one of other parts.
func (x forgetfulChoice) MapParts(f func(hclsyntax.Expression) hclsyntax.Expression) hclsyntax.Expression {
	return forgetfulChoice{hclbound.MapParts(x.ConditionalExpr, f).(*hclsyntax.ConditionalExpr), x.more}
}
