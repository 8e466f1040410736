// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hcleval evaluates expressions within a budget, as the programs do before anything is
// planned.
package hcleval

import (
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Limits of evaluation, in parts of expressions that are evaluated: see cheap.
const (
	maxTries = 6
	// freePerByte and free are what an expression may cost in any case.
	freePerByte, free = 32, 1 << 10
	// maxCost is for one expression, and maxCosts for all together that cost more
	// than that.
	maxCost, maxCosts = 1 << 18, 1 << 21
)

// A Budget is what was spent on expressions that are not free: on loops, before they are evaluated, and on what
// functions look at, and on large values, while they are.
type Budget struct {
	spent  float64
	meter  hclbound.Meter
	begun  bool
	denied []addrs.Range
}

// Metered returns functions that count against the budget, where they are those of the context of an expression.
func (b *Budget) Metered(functions map[string]function.Function) map[string]function.Function {
	return hclbound.Metered(functions, &b.meter)
}

// Denied returns the places of the expressions whose values are unknown because the budget was spent,
// because one expression would take too much of it, or because of a number that is out of range.
func (b *Budget) Denied() []addrs.Range { return b.denied }

// Keep reports whether the value of e, which was evaluated, is to be kept: it, and what was computed for it, is within
// the budget.
func (b *Budget) Keep(e hclconfig.Expression, v cty.Value) bool {
	if n := langfuncs.Weight(v); n > freePerByte {
		b.meter.Spend(n)
	}
	if b.meter.Denied {
		b.Deny(e)
	}
	ok := !b.meter.Denied
	b.meter.Denied = false
	return ok
}

// Spend counts work for the value of e. It reports false if the budget does not allow it.
func (b *Budget) Spend(e hclconfig.Expression, n int) bool {
	ok := b.meter.Spend(n)
	b.meter.Denied = false
	if !ok {
		b.Deny(e)
	}
	return ok
}

// Deny remembers an expression whose value is not computed for another reason.
func (b *Budget) Deny(e hclconfig.Expression) {
	if at := e.Range(); len(b.denied) < maxDenied && (len(b.denied) == 0 || b.denied[len(b.denied)-1] != at) {
		b.denied = append(b.denied, at)
	}
}

// maxDenied is how many places are remembered.
const maxDenied = 1000

// Cheap reports whether evaluating e takes time in proportion to its length, apart from
// what the budget is for. It does not if loops are in loops, or tries in tries: both
// multiply.
func (b *Budget) Cheap(e hclconfig.Expression, ctx *hcl.EvalContext) bool {
	ok := b.cheap(e, ctx)
	if !ok {
		b.Deny(e)
	}
	return ok
}

func (b *Budget) cheap(e hclconfig.Expression, ctx *hcl.EvalContext) bool {
	if !b.begun {
		b.begun = true
		b.meter.Allow(maxCosts)
	}
	text := e.Raw()
	b.meter.Allow(freePerByte * len(text))
	loops, mayTry := strings.Contains(text, "for") || strings.Contains(text, "*"), strings.Count(text, "try")+strings.Count(text, "can") > maxTries
	if !loops && !mayTry {
		return true
	}
	c := costs{ctx: ctx, exact: b.spent <= maxCosts}
	var total float64
	for _, p := range hclsource.Pieces(e) {
		if mayTry && hclbound.Nesting(p.Expr, tries) > maxTries {
			return false
		}
		n, _ := c.of(p.Expr)
		total += n
	}
	if total <= freePerByte*float64(len(text))+free {
		return true
	}
	if total > maxCost {
		return false
	}
	b.spent += total
	return b.spent <= maxCosts
}

// costs finds what an expression costs.
type costs struct {
	ctx *hcl.EvalContext
	// exact reports that what a loop is over may be evaluated to learn its size.
	exact bool
	// loops has the sizes of the variables of the loops around.
	loops []map[string]float64
	// bound reports that a variable of a loop was met, looped that a loop was.
	bound, looped bool
}

// of returns how many parts of expressions are evaluated for x at most, and the size of
// the value: how many parts and bytes of texts it has, as [langfuncs.Parts] counts them.
func (c *costs) of(x hclsyntax.Expression) (cost, size float64) {
	switch x := x.(type) {
	case *hclsyntax.LiteralValueExpr:
		return 1, float64(langfuncs.Parts(x.Val))
	case *hclsyntax.TemplateExpr:
		return c.sum(x.Parts)
	case *hclsyntax.TemplateWrapExpr:
		return c.of(x.Wrapped)
	case *hclsyntax.TemplateJoinExpr:
		return c.of(x.Tuple)
	case *hclsyntax.ParenthesesExpr:
		return c.of(x.Expression)
	case *hclsyntax.ObjectConsKeyExpr:
		if !x.ForceNonLiteral && hcl.ExprAsKeyword(x.Wrapped) != "" {
			return 1, 1
		}
		return c.of(x.Wrapped)
	case *hclsyntax.ScopeTraversalExpr:
		return 1, c.variable(x.Traversal.RootName())
	case *hclsyntax.RelativeTraversalExpr:
		cost, size = c.of(x.Source)
		return cost + 1, size
	case *hclsyntax.IndexExpr:
		cost, size = c.of(x.Collection)
		key, _ := c.of(x.Key)
		return cost + key + 1, size
	case *hclsyntax.FunctionCallExpr:
		cost, size = c.sum(x.Args)
		if tries(x) {
			cost *= 2
		}
		return cost + size, resultSize(x.Name, size)
	case *hclsyntax.ConditionalExpr:
		return c.sum([]hclsyntax.Expression{x.Condition, x.TrueResult, x.FalseResult})
	case *hclsyntax.BinaryOpExpr:
		cost, size = c.sum([]hclsyntax.Expression{x.LHS, x.RHS})
		return cost + size, 1 // it may compare
	case *hclsyntax.UnaryOpExpr:
		cost, _ = c.of(x.Val)
		return cost + 1, 1
	case *hclsyntax.TupleConsExpr:
		return c.sum(x.Exprs)
	case *hclsyntax.ObjectConsExpr:
		parts := make([]hclsyntax.Expression, 0, 2*len(x.Items))
		for _, item := range x.Items {
			parts = append(parts, item.KeyExpr, item.ValueExpr)
		}
		return c.sum(parts)
	case *hclsyntax.ForExpr:
		return c.loop(x)
	case *hclsyntax.SplatExpr:
		cost, size = c.of(x.Source)
		each, _ := c.of(x.Each)
		c.looped = true
		return cost + (size+1)*(each+1), size + 1 // splats in it go down the same parts
	case *hclsyntax.AnonSymbolExpr:
		return 1, 1
	}
	return 1, langfuncs.MaxWeight
}

// sum is for a value of the given parts.
func (c *costs) sum(parts []hclsyntax.Expression) (cost, size float64) {
	cost, size = 1, 1
	for _, x := range parts {
		n, s := c.of(x)
		cost, size = cost+n, size+s
	}
	return cost, size
}

func (c *costs) variable(name string) float64 {
	for i := len(c.loops) - 1; i >= 0; i-- {
		if size, ok := c.loops[i][name]; ok {
			c.bound = true
			return size
		}
	}
	for ctx := c.ctx; ctx != nil; ctx = ctx.Parent() {
		if v, ok := ctx.Variables[name]; ok {
			return float64(langfuncs.Parts(v))
		}
	}
	return 1
}

func (c *costs) loop(x *hclsyntax.ForExpr) (cost, size float64) {
	bound := c.bound
	c.bound, c.looped = false, false
	cost, size = c.of(x.CollExpr)
	if c.exact && !c.bound && !c.looped {
		v, _ := hclbound.Bounded(x.CollExpr).Value(c.ctx)
		size = float64(langfuncs.Parts(v))
	}
	c.bound, c.looped = c.bound || bound, true
	c.loops = append(c.loops, map[string]float64{x.KeyVar: maxKey, x.ValVar: size})
	var each, out float64
	for _, part := range []hclsyntax.Expression{x.KeyExpr, x.ValExpr, x.CondExpr} {
		if part != nil {
			n, s := c.of(part)
			each, out = each+n, out+s
		}
	}
	c.loops = c.loops[:len(c.loops)-1]
	return cost + size*(each+1), size*out + 1
}

// maxKey is the size of the key of a loop, as far as there is no reason for another.
const maxKey = 64

// resultSize is how large the result of a function can be, given how large its arguments
// are together. All functions have results below MaxWeight.
func resultSize(name string, arguments float64) float64 {
	switch name = strings.TrimPrefix(name, "core::"); {
	case name == "range":
		return 1024 // which is the function's own limit
	case name == "chunklist", name == "format", name == "formatlist", name == "indent", name == "join", name == "pow", name == "replace", name == "setproduct", strings.Contains(name, "::"):
		return langfuncs.MaxWeight
	}
	return min(8*arguments+64, langfuncs.MaxWeight)
}

// tries reports whether a node is a call of try or can.
func tries(n hclsyntax.Node) bool {
	x, ok := n.(*hclsyntax.FunctionCallExpr)
	if !ok {
		return false
	}
	switch path.Base(x.Name) {
	case "try", "can", "core::try", "core::can":
		return true
	}
	return false
}
