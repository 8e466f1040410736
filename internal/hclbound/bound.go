// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclbound evaluates expressions of HCL's within bounds. HCL itself computes with numbers of any size, and
// converts the arguments of functions and the results of conditionals in time that grows with the square of their length.
package hclbound

import (
	"errors"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/numlimit"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Bounded returns an expression that has the value of x, and an error where x computes with a number or has
// a result that is out of range: written out, it could take minutes. Its conversions take time in proportion to
// the values, and its functions, comparisons, templates and loops count against the meter of the context: see [Metered]. If x
// does nothing of all that, it is x itself.
func Bounded(x hclsyntax.Expression) hclsyntax.Expression {
	var computes finder
	if _ = hclsyntax.Walk(x, &computes); !computes {
		return x
	}
	return new(bounder).bound(x)
}

// A finder finds operators on numbers, comparisons, calls, conditionals, templates and loops.
type finder bool

func (f *finder) Enter(n hclsyntax.Node) hcl.Diagnostics {
	switch x := n.(type) {
	case *hclsyntax.FunctionCallExpr, *hclsyntax.ConditionalExpr, *hclsyntax.ForExpr, *hclsyntax.SplatExpr:
		*f = true
	case *hclsyntax.BinaryOpExpr:
		*f = *f || finder(x.Op.Type == cty.Number || compares(x))
	case *hclsyntax.TemplateExpr:
		*f = *f || finder(repeats(x))
	case *hclsyntax.UnaryOpExpr:
		if _, literal := x.Val.(*hclsyntax.LiteralValueExpr); !literal {
			*f = *f || x.Op.Type == cty.Number
		}
	}
	return nil
}

func (f *finder) Exit(hclsyntax.Node) hcl.Diagnostics { return nil }

// compares reports whether an operator compares the parts of values with each other: literal ones have none.
func compares(x *hclsyntax.BinaryOpExpr) bool {
	_, left := x.LHS.(*hclsyntax.LiteralValueExpr)
	_, right := x.RHS.(*hclsyntax.LiteralValueExpr)
	return (x.Op == hclsyntax.OpEqual || x.Op == hclsyntax.OpNotEqual) && !left && !right
}

// repeats reports whether a template has a part that is no literal text: two of them may have the same text, which is
// written as often.
func repeats(x *hclsyntax.TemplateExpr) bool {
	return slices.ContainsFunc(x.Parts, func(p hclsyntax.Expression) bool {
		_, literal := p.(*hclsyntax.LiteralValueExpr)
		return !literal
	})
}

// A bounder makes copies that are bounded.
type bounder struct {
	// nodes is how many nodes were copied, of a loop the loop alone: what is in it counts as often as it is evaluated.
	nodes int
}

func (b *bounder) bound(x hclsyntax.Expression) hclsyntax.Expression {
	before := b.nodes
	b.nodes = 0
	x = MapParts(x, b.bound)
	inside := b.nodes
	b.nodes += before + 1
	switch x := x.(type) {
	case *hclsyntax.ForExpr:
		b.nodes = before + 1
		return loop{x, inside}
	case *hclsyntax.SplatExpr:
		b.nodes = before + 1
		return splat{x, inside}
	case *hclsyntax.FunctionCallExpr:
		return call{x}
	case *hclsyntax.ConditionalExpr:
		return conditional{x}
	case *hclsyntax.BinaryOpExpr:
		if compares(x) {
			return comparison{x}
		}
		x.Op = boundedOperation(x.Op)
	case *hclsyntax.TemplateExpr:
		if repeats(x) {
			return template{x}
		}
	case *hclsyntax.UnaryOpExpr:
		x.Op = boundedOperation(x.Op)
	}
	return x
}

var operations = func() map[*hclsyntax.Operation]*hclsyntax.Operation {
	out := map[*hclsyntax.Operation]*hclsyntax.Operation{}
	for _, op := range []*hclsyntax.Operation{
		hclsyntax.OpAdd, hclsyntax.OpSubtract, hclsyntax.OpMultiply, hclsyntax.OpDivide, hclsyntax.OpModulo, hclsyntax.OpNegate,
	} {
		out[op] = &hclsyntax.Operation{Impl: boundedFunction(op.Impl), Type: op.Type}
	}
	return out
}()

func boundedOperation(op *hclsyntax.Operation) *hclsyntax.Operation {
	if b := operations[op]; b != nil {
		return b
	}
	return op
}

var errOutOfRange = errors.New("a number has too many digits, or is too large or too small")

func boundedFunction(f function.Function) function.Function {
	allowed := func(v cty.Value) bool {
		f := v.AsBigFloat()
		return f.IsInf() || numlimit.Computed(f) // an infinite one, as of 1 / 0, has a short text
	}
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			for _, a := range args {
				if a.IsKnown() && !a.IsNull() && a.Type() == cty.Number && !allowed(a) {
					return cty.DynamicVal, errOutOfRange
				}
			}
			v, err := f.Call(args)
			if err == nil && v.IsKnown() && !v.IsNull() && v.Type() == cty.Number && !allowed(v) {
				return cty.DynamicVal, errOutOfRange
			}
			return v, err
		},
	})
}

// A Mapper is an expression of another package that has parts: see [MapParts].
type Mapper interface {
	MapParts(f func(hclsyntax.Expression) hclsyntax.Expression) hclsyntax.Expression
}

// MapParts returns a copy of x with the results of f for its parts. What has no parts that are expressions is x itself.
func MapParts(x hclsyntax.Expression, f func(hclsyntax.Expression) hclsyntax.Expression) hclsyntax.Expression {
	list := func(in []hclsyntax.Expression) []hclsyntax.Expression {
		out := make([]hclsyntax.Expression, len(in))
		for i, x := range in {
			out[i] = f(x)
		}
		return out
	}
	switch x := x.(type) {
	case *hclsyntax.RelativeTraversalExpr:
		n := *x
		n.Source = f(x.Source)
		return &n
	case *hclsyntax.IndexExpr:
		n := *x
		n.Collection, n.Key = f(x.Collection), f(x.Key)
		return &n
	case *hclsyntax.ParenthesesExpr:
		n := *x
		n.Expression = f(x.Expression)
		return &n
	case *hclsyntax.TemplateExpr:
		n := *x
		n.Parts = list(x.Parts)
		return &n
	case *hclsyntax.TemplateWrapExpr:
		n := *x
		n.Wrapped = f(x.Wrapped)
		return &n
	case *hclsyntax.TemplateJoinExpr:
		n := *x
		n.Tuple = f(x.Tuple)
		return &n
	case *hclsyntax.FunctionCallExpr:
		n := *x
		n.Args = list(x.Args)
		return &n
	case *hclsyntax.ConditionalExpr:
		n := *x
		n.Condition, n.TrueResult, n.FalseResult = f(x.Condition), f(x.TrueResult), f(x.FalseResult)
		return &n
	case *hclsyntax.BinaryOpExpr:
		n := *x
		n.LHS, n.RHS = f(x.LHS), f(x.RHS)
		return &n
	case *hclsyntax.UnaryOpExpr:
		n := *x
		n.Val = f(x.Val)
		return &n
	case *hclsyntax.TupleConsExpr:
		n := *x
		n.Exprs = list(x.Exprs)
		return &n
	case *hclsyntax.ObjectConsExpr:
		n := *x
		n.Items = slices.Clone(x.Items)
		for i := range n.Items {
			n.Items[i].KeyExpr, n.Items[i].ValueExpr = f(n.Items[i].KeyExpr), f(n.Items[i].ValueExpr)
		}
		return &n
	case *hclsyntax.ObjectConsKeyExpr:
		n := *x
		n.Wrapped = f(x.Wrapped)
		return &n
	case *hclsyntax.ForExpr:
		return mapLoop(x, f)
	case *hclsyntax.SplatExpr:
		n := *x
		n.Source, n.Each = f(x.Source), f(x.Each) // Item is one symbol for both
		return &n
	case Mapper:
		return x.MapParts(f)
	}
	return x
}

func mapLoop(x *hclsyntax.ForExpr, f func(hclsyntax.Expression) hclsyntax.Expression) hclsyntax.Expression {
	n := *x
	n.CollExpr, n.ValExpr = f(x.CollExpr), f(x.ValExpr)
	if x.KeyExpr != nil {
		n.KeyExpr = f(x.KeyExpr)
	}
	if x.CondExpr != nil {
		n.CondExpr = f(x.CondExpr)
	}
	return &n
}
