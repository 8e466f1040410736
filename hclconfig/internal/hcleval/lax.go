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

// ValueOf evaluates an expression as the program does. To save time, an index that is
// not text is made lax only after an error.
func ValueOf(e hclconfig.Expression, ctx *hcl.EvalContext, lax bool) (cty.Value, hclconfig.Diagnostics) {
	raw := e.Raw()
	if lax && hasTextIndex(raw) {
		return laxValue(e, ctx)
	}
	v, diags := e.Value(ctx)
	if lax && diags.HasErrors() {
		return laxValue(e, ctx)
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

// laxValue evaluates an expression with lax indexes. It does not report faults of
// indexes in lists and objects in JSON.
func laxValue(e hclconfig.Expression, ctx *hcl.EvalContext) (cty.Value, hclconfig.Diagnostics) {
	p := hclsource.Piece{File: e.File(), Expr: hclsource.Native(e)}
	switch hclsource.First(e) {
	case '"':
		p = hclsource.PieceOf(e)
	case '[', '{':
		v, diags := e.Value(ctx)
		isIndex := func(d hclconfig.Diagnostic) bool { return d.Summary == "Invalid index" }
		if slices.ContainsFunc(diags, isIndex) {
			return cty.DynamicVal, slices.DeleteFunc(diags, isIndex)
		}
		return v, diags
	}
	var l laxer
	if p.Expr != nil {
		p.Expr = l.copy(p.Expr)
	}
	if !l.found {
		return e.Value(ctx)
	}
	v, diags := hclbound.Bounded(p.Expr).Value(ctx)
	return v, p.Diagnostics(diags)
}

// A laxer copies expressions and makes their indexes lax.
type laxer struct{ found bool }

// isLax reports whether a step may be the index of an object: a number may be one.
func isLax(t hcl.Traverser) bool {
	i, ok := t.(hcl.TraverseIndex)
	return ok && !i.Key.IsNull()
}

func (l *laxer) copy(x hclsyntax.Expression) hclsyntax.Expression {
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if slices.ContainsFunc(x.Traversal, isLax) {
			l.found = true
			return laxTraversal{Expression: x, absolute: x.Traversal}
		}
	case *hclsyntax.RelativeTraversalExpr:
		source := l.copy(x.Source)
		if slices.ContainsFunc(x.Traversal, isLax) {
			l.found = true
			return laxTraversal{Expression: x, source: source, relative: x.Traversal}
		}
		n := *x
		n.Source = source
		return &n
	case *hclsyntax.IndexExpr:
		n := *x
		n.Collection, n.Key, l.found = l.copy(x.Collection), l.copy(x.Key), true
		return laxIndex{&n}
	}
	return hclbound.MapParts(x, l.copy)
}

// isUnknownObject reports whether v is an object that is not known.
func isUnknownObject(v cty.Value) bool { return v.Type().IsObjectType() && !v.IsKnown() }

// A laxIndex is an index whose key is computed.
type laxIndex struct{ *hclsyntax.IndexExpr }

func (x laxIndex) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if v, diags := x.Collection.Value(ctx); !diags.HasErrors() && isUnknownObject(v) {
		key, diags := x.Key.Value(ctx)
		if !diags.HasErrors() && !key.IsNull() && (key.Type() == cty.DynamicPseudoType || key.Type().IsPrimitiveType()) {
			return cty.DynamicVal.WithSameMarks(v, key), diags
		}
	}
	return x.IndexExpr.Value(ctx)
}

// UnwrapExpression returns the expression as it is written.
func (x laxIndex) UnwrapExpression() hcl.Expression { return x.IndexExpr }

// A laxTraversal is a reference with a constant index, or what follows source.
type laxTraversal struct {
	hclsyntax.Expression
	absolute hcl.Traversal
	source   hclsyntax.Expression
	relative hcl.Traversal
}

func (x laxTraversal) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	var v cty.Value
	var diags hcl.Diagnostics
	steps := x.relative
	if x.source != nil {
		v, diags = x.source.Value(ctx)
	} else {
		i := slices.IndexFunc(x.absolute, isLax)
		steps = x.absolute[i:]
		v, diags = x.absolute[:i].TraverseAbs(ctx)
	}
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	v, more := LaxSteps(v, steps, true)
	return v, append(diags, more...)
}

// UnwrapExpression returns the expression as it is written.
func (x laxTraversal) UnwrapExpression() hcl.Expression { return x.Expression }

// LaxSteps returns the value at the end of steps, with lax indexes if lax is set.
func LaxSteps(v cty.Value, steps hcl.Traversal, lax bool) (cty.Value, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	for _, s := range steps {
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		if lax && isLax(s) && isUnknownObject(v) {
			v = cty.DynamicVal.WithSameMarks(v)
			continue
		}
		var more hcl.Diagnostics
		v, more = s.TraversalStep(v)
		diags = append(diags, more...)
	}
	return v, diags
}
