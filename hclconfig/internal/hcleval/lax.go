// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcleval

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/zclconf/go-cty/cty"
)

// Rules are what releases do in their own way when they evaluate an expression.
type Rules struct {
	// LaxIndexes: an index of an object that is not known gives an unknown value.
	LaxIndexes bool
	// EagerLogic: both sides of && and || are evaluated, whatever the first one is.
	EagerLogic bool
	// Forgets: most operations on something that is not known lose its marks, and with
	// ForgetsMore those that know something of their results do too.
	Forgets, ForgetsMore bool
}

// ValueOf evaluates an expression as the program does. To save time, an index that is
// not text is made lax only after an error.
func ValueOf(e hclconfig.Expression, ctx *hcl.EvalContext, rules Rules) (cty.Value, hclconfig.Diagnostics) {
	raw := e.Raw()
	rules.EagerLogic = rules.EagerLogic && (strings.Contains(raw, "&&") || strings.Contains(raw, "||"))
	if rules.LaxIndexes && hasTextIndex(raw) || rules.EagerLogic {
		return copiedValue(e, ctx, rules)
	}
	v, diags := e.Value(ctx)
	if rules.LaxIndexes && diags.HasErrors() || rules.Forgets && v.ContainsMarked() {
		return copiedValue(e, ctx, rules)
	}
	return v, diags
}

// hasTextIndex reports whether an index with a text may be in an expression: a quote
// in brackets that something comes before.
func hasTextIndex(raw string) bool {
	for i := 1; i+1 < len(raw); i++ {
		n := strings.IndexByte(raw[i:], '[')
		if n < 0 {
			return false
		}
		i += n
		next := strings.TrimLeft(raw[i+1:], " \t\n\\")
		if strings.HasPrefix(next, `"`) && !strings.ContainsRune(" \t\n=([{,:", rune(raw[i-1])) {
			return true
		}
	}
	return false
}

// copiedValue evaluates a copy of an expression that follows the rules. It does not report
// faults of lax indexes in lists and objects in JSON.
func copiedValue(e hclconfig.Expression, ctx *hcl.EvalContext, rules Rules) (cty.Value, hclconfig.Diagnostics) {
	p := hclsource.Piece{File: e.File(), Expr: hclsource.Native(e)}
	switch hclsource.First(e) {
	case '"':
		p = hclsource.PieceOf(e)
	case '[', '{':
		v, diags := e.Value(ctx)
		isIndex := func(d hclconfig.Diagnostic) bool { return rules.LaxIndexes && d.Summary == "Invalid index" }
		if slices.ContainsFunc(diags, isIndex) {
			return cty.DynamicVal, slices.DeleteFunc(diags, isIndex)
		}
		return v, diags
	}
	l := copier{rules: rules}
	if p.Expr != nil {
		p.Expr = l.copy(p.Expr)
	}
	if !l.found {
		return e.Value(ctx)
	}
	v, diags := hclbound.Bounded(p.Expr).Value(ctx)
	return v, p.Diagnostics(diags)
}

// A copier copies expressions and makes them follow the rules.
type copier struct {
	rules Rules
	found bool
}

// isLax reports whether a step may be the index of an object: a number may be one.
func isLax(t hcl.Traverser) bool {
	i, ok := t.(hcl.TraverseIndex)
	return ok && !i.Key.IsNull()
}

func (l *copier) copy(x hclsyntax.Expression) hclsyntax.Expression {
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if l.rules.LaxIndexes && slices.ContainsFunc(x.Traversal, isLax) || l.rules.Forgets && len(x.Traversal) > 2 {
			l.found = true
			return laxTraversal{Expression: x, absolute: x.Traversal, rules: l.rules}
		}
	case *hclsyntax.ObjectConsKeyExpr:
		if t, ok := x.Wrapped.(*hclsyntax.ScopeTraversalExpr); ok && len(t.Traversal) > 1 {
			return x // a reference that is a key without parentheses is refused for its form
		}
	case *hclsyntax.RelativeTraversalExpr:
		source := l.copy(x.Source)
		if l.rules.LaxIndexes && slices.ContainsFunc(x.Traversal, isLax) || l.rules.Forgets {
			l.found = true
			return laxTraversal{Expression: x, source: source, relative: x.Traversal, rules: l.rules}
		}
		n := *x
		n.Source = source
		return &n
	case *hclsyntax.IndexExpr:
		n := *x
		n.Collection, n.Key = l.copy(x.Collection), l.copy(x.Key)
		if !l.rules.LaxIndexes {
			return &n
		}
		l.found = true
		return laxIndex{&n, l.rules.Forgets}
	case *hclsyntax.BinaryOpExpr:
		n := *x
		n.LHS, n.RHS = l.copy(x.LHS), l.copy(x.RHS)
		if l.rules.EagerLogic && (x.Op == hclsyntax.OpLogicalAnd || x.Op == hclsyntax.OpLogicalOr) {
			l.found = true
			return forgetful{eagerLogic{&n}}
		}
		return l.forgetful(x, &n)
	case *hclsyntax.ConditionalExpr:
		n := *x
		n.Condition, n.TrueResult, n.FalseResult = l.copy(x.Condition), l.copy(x.TrueResult), l.copy(x.FalseResult)
		if !l.rules.Forgets {
			return &n
		}
		l.found = true
		return forgetfulChoice{&n, l.rules.ForgetsMore}
	}
	return l.forgetful(x, hclbound.MapParts(x, l.copy))
}

// isUnknownObject reports whether v is an object that is not known.
func isUnknownObject(v cty.Value) bool { return v.Type().IsObjectType() && !v.IsKnown() }

// An eagerLogic is an operation whose sides are both evaluated.
type eagerLogic struct{ *hclsyntax.BinaryOpExpr }

func (x eagerLogic) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	n := *x.BinaryOpExpr
	n.LHS, n.RHS = hclbound.Once(x.LHS), hclbound.Once(x.RHS)
	_, diags := n.LHS.Value(ctx)
	if _, more := n.RHS.Value(ctx); diags.HasErrors() || more.HasErrors() {
		return cty.DynamicVal, append(diags, more...)
	}
	return n.Value(ctx)
}

// MapParts makes the operation one of other parts.
func (x eagerLogic) MapParts(f func(hclsyntax.Expression) hclsyntax.Expression) hclsyntax.Expression {
	return eagerLogic{hclbound.MapParts(x.BinaryOpExpr, f).(*hclsyntax.BinaryOpExpr)}
}

// A laxIndex is an index whose key is computed.
type laxIndex struct {
	*hclsyntax.IndexExpr
	forgets bool
}

func (x laxIndex) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	n := *x.IndexExpr
	n.Collection, n.Key = hclbound.Once(x.Collection), hclbound.Once(x.Key)
	collection, diags := n.Collection.Value(ctx)
	v, found := cty.DynamicVal, false
	if !diags.HasErrors() && isUnknownObject(collection) {
		var key cty.Value
		key, diags = n.Key.Value(ctx)
		if found = !diags.HasErrors() && !key.IsNull() && (key.Type() == cty.DynamicPseudoType || key.Type().IsPrimitiveType()); found {
			v = v.WithSameMarks(collection, key)
		}
	}
	if !found {
		v, diags = n.Value(ctx)
	}
	if x.forgets && collection.IsMarked() && !collection.IsKnown() {
		v, _ = v.Unmark()
	}
	return v, diags
}

// MapParts makes the index one of other parts.
func (x laxIndex) MapParts(f func(hclsyntax.Expression) hclsyntax.Expression) hclsyntax.Expression {
	return laxIndex{hclbound.MapParts(x.IndexExpr, f).(*hclsyntax.IndexExpr), x.forgets}
}

// UnwrapExpression returns the expression as it is written.
func (x laxIndex) UnwrapExpression() hcl.Expression { return x.IndexExpr }

// A laxTraversal is a reference with a constant index, or what follows source.
type laxTraversal struct {
	hclsyntax.Expression
	absolute hcl.Traversal
	source   hclsyntax.Expression
	relative hcl.Traversal
	rules    Rules
}

func (x laxTraversal) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	var v cty.Value
	var diags hcl.Diagnostics
	steps := x.relative
	if x.source != nil {
		v, diags = x.source.Value(ctx)
	} else {
		i := slices.IndexFunc(x.absolute, isLax)
		if x.rules.Forgets {
			i = 1
		}
		steps = x.absolute[i:]
		v, diags = x.absolute[:i].TraverseAbs(ctx)
	}
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, more := stepsOf(v, steps, x.rules)
	return v, append(diags, more...)
}

// MapParts makes the traversal one of another source.
func (x laxTraversal) MapParts(f func(hclsyntax.Expression) hclsyntax.Expression) hclsyntax.Expression {
	if x.source != nil {
		x.source = f(x.source)
	}
	return x
}

// UnwrapExpression returns the expression as it is written.
func (x laxTraversal) UnwrapExpression() hcl.Expression { return x.Expression }

// LaxSteps returns the value at the end of steps, with lax indexes if lax is set.
func LaxSteps(v cty.Value, steps hcl.Traversal, lax bool) (cty.Value, hcl.Diagnostics) {
	return stepsOf(v, steps, Rules{LaxIndexes: lax})
}

func stepsOf(v cty.Value, steps hcl.Traversal, rules Rules) (cty.Value, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	for _, s := range steps {
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		if rules.Forgets && v.IsMarked() && !v.IsKnown() {
			v, _ = v.Unmark()
		}
		if rules.LaxIndexes && isLax(s) && isUnknownObject(v) {
			v = cty.DynamicVal.WithSameMarks(v)
			continue
		}
		var more hcl.Diagnostics
		v, more = s.TraversalStep(v)
		diags = append(diags, more...)
	}
	return v, diags
}
