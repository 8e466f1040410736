// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hcleval evaluates expressions within a budget, as the programs do before anything is
// planned.
package hcleval

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

const (
	// largestPerByte is how much the weight of a value may grow for each byte that was read.
	largestPerByte = 4
	// maxDenied is how many places are remembered.
	maxDenied = 1000
)

// A Budget counts the work for the expressions of a configuration: what functions look at, what loops evaluate, and how large
// values are. It grows with the text, so that the work stays in proportion to it.
type Budget struct {
	meter  hclbound.Meter
	denied []addrs.Range
}

// Value evaluates e in a context whose functions are those of [Budget.Metered]. It reports false if the value is not to be kept,
// because the budget does not allow it.
func (b *Budget) Value(e hclconfig.Expression, ctx *hcl.EvalContext, rules Rules) (v cty.Value, diags hclconfig.Diagnostics, kept bool) {
	b.Read(len(e.Raw()))
	v, diags = ValueOf(e, ctx, rules)
	return v, diags, b.Keep(e, v)
}

// ProgramValue is Value for what is checked: the value is unknown if it is not to be kept, and what the programs have of one
// with errors, such as a list without one of its elements. The programs compute with numbers of any size, so one that is out of
// range here is no fault.
func (b *Budget) ProgramValue(e hclconfig.Expression, ctx *hcl.EvalContext, rules Rules) (cty.Value, hclconfig.Diagnostics) {
	v, all, kept := b.Value(e, ctx, rules)
	diags := slices.DeleteFunc(slices.Clone(all), func(d hclconfig.Diagnostic) bool { return d.Summary == hcllex.OutOfRange })
	if len(diags) < len(all) && !isInfinite(v) {
		b.Deny(e)
	}
	if !kept {
		v = cty.DynamicVal.WithMarks(b.Marks(v))
	}
	return v, diags
}

// isInfinite reports whether a number in v is infinite, as one divided by zero is.
func isInfinite(v cty.Value) bool {
	v, _ = v.UnmarkDeep()
	found := false
	_ = cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		found = found || hclsource.HasInfinity(v)
		return !found, nil
	})
	return found
}

// Read adds to the budget for a text of n bytes, or for a value that has n parts.
func (b *Budget) Read(n int) {
	if b.meter.Largest == 0 {
		b.meter.Largest = langfuncs.MaxWeight
		b.meter.Allow(hclbound.Base)
	}
	b.meter.Allow(hclbound.PerByte * min(n, 1<<24))
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
