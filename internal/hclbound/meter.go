// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbound

import (
	"maps"
	"reflect"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// A Meter counts what functions look at, in parts of values, and what loops evaluate, in nodes of expressions. Expressions that
// refer to a large value are short: without a meter, the work grows with the number of references times the size of the value,
// and with the size of one loop times that of the loop in it.
//
// A Meter is not safe for concurrent use.
type Meter struct {
	// Left is how much may still be spent. Below zero the results of functions are unknown.
	Left int
	// Largest is the weight from which on the result of a function is unknown: see [Weight]. Zero means that there is no
	// such weight.
	Largest int
	// Denied reports that something was not computed. The reader resets it.
	Denied bool
}

// Allow adds to what may be spent.
func (m *Meter) Allow(n int) { m.Left = min(m.Left+n, 1<<30) }

// Spend subtracts from what may be spent. It reports false if that is not enough.
func (m *Meter) Spend(n int) bool {
	if m == nil || n == 0 {
		return true
	}
	if m.Left = max(m.Left-n, -1); m.Left < 0 {
		m.Denied = true
	}
	return m.Left >= 0
}

// Fits reports whether a value is not too large to be kept. It spends the weight of the value.
func (m *Meter) Fits(v cty.Value) bool {
	if m == nil || m.Largest == 0 {
		return true
	}
	// Nobody looks at more than what can be paid for.
	w := weigher{most: min(m.Largest, max(m.Left, free))}
	w.value(v, maxDepth)
	if w.endless || w.n <= free {
		m.Denied = m.Denied || w.huge
		return !w.endless
	}
	if !m.Spend(w.n) {
		return false
	}
	if w.n > m.Largest {
		m.Denied = true
	}
	return w.n <= m.Largest
}

// free is the weight of values that cost nothing.
const free = 32

// most is how many parts of a value are counted: those that can be paid for.
func (m *Meter) most() int {
	if m == nil {
		return 1 << 14
	}
	return max(m.Left, 0) + 1
}

// deny notes that something was not computed.
func (m *Meter) deny() {
	if m != nil {
		m.Denied = true
	}
}

// meterName is the name of a function that nobody can write. HCL's context has no other place for a meter: one with
// variables would allow references.
const meterName = "\x00 the meter of the evaluation, which has no name in the language"

type holder struct{ meter *Meter }

var meterType = cty.Capsule("meter", reflect.TypeFor[holder]())

// Metered returns functions whose calls count against m, if they are the ones of the context in which an expression of
// [Bounded] is evaluated. It does not change functions.
func Metered(functions map[string]function.Function, m *Meter) map[string]function.Function {
	out := maps.Clone(functions)
	if out == nil {
		out = map[string]function.Function{}
	}
	v := cty.CapsuleVal(meterType, &holder{m})
	out[meterName] = function.New(&function.Spec{
		Type: function.StaticReturnType(meterType),
		Impl: func([]cty.Value, cty.Type) (cty.Value, error) { return v, nil },
	})
	return out
}

// What all expressions together may cost, apart from what is allowed for each byte that was read. No honest configuration that
// was measured comes near: the base alone is enough for 250 loops over a thousand elements.
const (
	Base    = 1 << 21
	PerByte = 32
)

// Constant returns a context without variables and functions, and its meter, for the evaluation of a constant expression of n
// bytes.
func Constant(n int) (*hcl.EvalContext, *Meter) {
	m := &Meter{Left: Base + PerByte*min(n, 1<<24)}
	return &hcl.EvalContext{Functions: Metered(nil, m)}, m
}

// hasOnlyMeter reports whether a context has no function but that of [Metered].
func hasOnlyMeter(ctx *hcl.EvalContext) bool {
	n := 0
	for ; ctx != nil; ctx = ctx.Parent() {
		n += len(ctx.Functions)
	}
	return n == 1
}

// IsMetered reports whether what is evaluated in a context counts against a meter.
func IsMetered(ctx *hcl.EvalContext) bool {
	_, ok := functionIn(ctx, meterName)
	return ok
}

// meterIn returns the meter of a context, or nil.
func meterIn(ctx *hcl.EvalContext) *Meter {
	f, ok := functionIn(ctx, meterName)
	if !ok {
		return nil
	}
	v, err := f.Call(nil)
	if err != nil {
		return nil
	}
	return v.EncapsulatedValue().(*holder).meter
}
