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
	// meteredPerByte is how many parts of values may be looked at for each byte that was read.
	meteredPerByte = 12
	// maxCost is for one expression, and maxCosts for all together that cost more
	// than that. Both are beside freePerByte of all that was read.
	maxCost, maxCosts = 1 << 18, 1 << 21
	// largestPerByte is how much the weight of a value may grow for each byte that was read.
	largestPerByte = 4
)

// A Budget is what was spent on expressions that are not free: on loops, before they are evaluated, and on what
// functions look at, and on large values, while they are.
type Budget struct {
	spent  float64
	meter  hclbound.Meter
	read   int // bytes
	denied []addrs.Range
}

// Read adds to the budget for a text of n bytes, or for a value that has n parts.
func (b *Budget) Read(n int) {
	if b.meter.Largest == 0 {
		b.meter.Largest = langfuncs.MaxWeight
		b.meter.Allow(maxCosts)
	}
	b.read = min(b.read+min(n, 1<<29), 1<<30)
	b.meter.Allow(meteredPerByte * min(n, 1<<24))
	b.meter.Largest = min(b.meter.Largest+largestPerByte*min(n, 1<<24), 1<<30)
}

// ReadValue adds to the budget for a value from outside.
func (b *Budget) ReadValue(v cty.Value) { b.Read(hclbound.Weight(v, 1<<24)) }

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
	ok := b.meter.Fits(v) && !b.meter.Denied
	if b.meter.Denied {
		b.Deny(e)
	}
	b.meter.Denied = false
	return ok
}

// Marks returns the marks of a value that is not kept, with those of its parts as far as the budget allows to look at them.
func (b *Budget) Marks(v cty.Value) cty.ValueMarks {
	return hclbound.Marks(v, min(max(b.meter.Left, 0), langfuncs.MaxWeight))
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
	text := e.Raw()
	b.Read(len(text))
	loops, mayTry := strings.Contains(text, "for") || strings.Contains(text, "*"), strings.Count(text, "try")+strings.Count(text, "can") > maxTries
	if !loops && !mayTry {
		return true
	}
	all := freePerByte * float64(b.read)
	c := costs{ctx: ctx, left: min(maxCost+all, maxCosts+all-b.spent), sizes: map[string]float64{}}
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
	if total > maxCost+all {
		return false
	}
	b.spent += total
	return b.spent <= maxCosts+all
}

// costs finds what an expression costs.
type costs struct {
	ctx *hcl.EvalContext
	// left is how much may be spent on finding the sizes of values, and of what loops are over.
	left float64
	// sizes has those of the variables of ctx that were found.
	sizes map[string]float64
	// loops has the sizes of the variables of the loops around.
	loops []map[string]float64
	// bound reports that a variable of a loop was met, looped that a loop was.
	bound, looped bool
}

// of returns how many parts of expressions are evaluated for x at most, and the size of
// the value: how many parts and bytes of texts it has, as partsOf counts them.
func (c *costs) of(x hclsyntax.Expression) (cost, size float64) {
	switch x := x.(type) {
	case *hclsyntax.LiteralValueExpr:
		return 1, c.partsOf(x.Val)
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
	if size, ok := c.sizes[name]; ok {
		return size
	}
	size := 1.0
	for ctx := c.ctx; ctx != nil; ctx = ctx.Parent() {
		if v, ok := ctx.Variables[name]; ok {
			size = c.partsOf(v)
			break
		}
	}
	c.sizes[name] = size
	return size
}

func (c *costs) loop(x *hclsyntax.ForExpr) (cost, size float64) {
	bound := c.bound
	c.bound, c.looped = false, false
	cost, size = c.of(x.CollExpr)
	element := size
	if c.left > 0 && !c.bound && !c.looped {
		v, _ := hclbound.Bounded(x.CollExpr).Value(c.ctx)
		size, element = c.elements(v)
	}
	c.bound, c.looped = c.bound || bound, true
	c.loops = append(c.loops, map[string]float64{x.KeyVar: maxKey, x.ValVar: element})
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

// elements returns how many elements a loop goes through, and the size of the largest one.
func (c *costs) elements(v cty.Value) (n, largest float64) {
	v, _ = v.Unmark()
	if !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return 1, c.partsOf(v)
	}
	n = float64(v.LengthInt())
	if n > c.left {
		return n, n
	}
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		largest = max(largest, c.partsOf(e))
	}
	return n, max(largest, 1)
}

// partsOf returns how many parts of a value loops go through, with the bytes of its texts. What
// is not known is one. It counts no more than what is left.
func (c *costs) partsOf(v cty.Value) float64 {
	n, most := 0, int(max(c.left, 0))
	var count func(v cty.Value)
	count = func(v cty.Value) {
		n++
		v, _ = v.Unmark()
		if n > most || !v.IsKnown() || v.IsNull() {
			return
		}
		if v.Type() == cty.String {
			n += len(v.AsString())
		} else if v.CanIterateElements() {
			if n+v.LengthInt() > most { // an iterator sorts first
				n += v.LengthInt()
				return
			}
			for it := v.ElementIterator(); n <= most && it.Next(); {
				_, e := it.Element()
				count(e)
			}
		}
	}
	count(v)
	c.left -= float64(n)
	if n > most {
		return max(float64(n), maxCost)
	}
	return float64(n)
}

// maxKey is the size of the key of a loop, as far as there is no reason for another.
const maxKey = 64

// resultSize is how large the result of a function can be, given how large its arguments
// are together. What is larger counts when it is computed.
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
