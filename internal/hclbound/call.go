// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbound

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Call returns the call of a function as [Bounded] does, with the arguments as they are.
func Call(x *hclsyntax.FunctionCallExpr) hclsyntax.Expression { return call{x} }

// A call is the call of a function whose arguments HCL need not convert: see docs/upstream/go-cty.md, section 1.
type call struct{ *hclsyntax.FunctionCallExpr }

// UnwrapExpression returns the expression as it is written.
func (x call) UnwrapExpression() hcl.Expression { return x.FunctionCallExpr }

func (x call) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	f, ok := functionIn(ctx, x.Name)
	if !ok && hasOnlyMeter(ctx) {
		return x.FunctionCallExpr.Value(nil)
	}
	if !ok {
		return x.FunctionCallExpr.Value(ctx)
	}
	meter := meterIn(ctx)
	unifies := unifies(x.Name)
	if n := len(x.Args); unifies && !meter.Spend(n*n/quadratic) {
		return cty.DynamicVal, nil
	}
	params := f.Params()
	n := *x.FunctionCallExpr
	n.Args = slices.Clone(x.Args)
	for i, a := range n.Args {
		p := f.VarParam()
		if i < len(params) {
			p = &params[i]
		}
		if p == nil {
			continue
		}
		if customdecode.CustomExpressionDecoderForType(p.Type) != nil {
			if p.Type.Equals(customdecode.ExpressionClosureType) {
				n.Args[i] = Once(a) // try and can evaluate for the type of the result, and again for the result
			}
			continue
		}
		n.Args[i] = &argument{
			Expression: a, param: p, meter: meter, expand: x.ExpandFinal && i == len(n.Args)-1,
			compares: strings.TrimPrefix(x.Name, "core::") == "distinct", unifies: unifies,
		}
	}
	if meter != nil && multiplies(x.Name) && !meter.Spend(multiplied(x.Name, values(n.Args, ctx), meter.most())) {
		return cty.DynamicVal, nil
	}
	v, diags := n.Value(ctx)
	if plain, _ := v.Unmark(); meter != nil && !meter.Denied && f.Description() == Limited && !plain.IsKnown() && !diags.HasErrors() && known(n.Args) {
		meter.deny()
	}
	if multiplies(x.Name) && !diags.HasErrors() && !meter.Fits(v) {
		_, marks := v.Unmark()
		return cty.UnknownVal(v.Type()).WithMarks(marks), diags
	}
	return v, diags
}

// unifies reports whether a function may look for a type that all of its arguments have in common.
func unifies(name string) bool {
	switch strings.TrimPrefix(name, "core::") {
	case "join", "max", "merge", "min", "format", "coalescelist":
		return false
	}
	return true
}

// values evaluates arguments.
func values(args []hclsyntax.Expression, ctx *hcl.EvalContext) []cty.Value {
	var out []cty.Value
	for _, x := range args {
		v, _ := x.Value(ctx)
		if a, ok := x.(*argument); ok && a.expand && length(v) > 0 {
			v, _ = v.Unmark()
			out = append(out, v.AsValueSlice()...)
			continue
		}
		out = append(out, v)
	}
	return out
}

// Limited is the description of a function whose result is unknown if it, or the arguments, are too large.
const Limited = "The result is unknown if it or the arguments are too large."

// known reports whether nothing in the values of the arguments was unknown.
func known(args []hclsyntax.Expression) bool {
	for _, a := range args {
		if a, ok := a.(*argument); ok && !a.v.IsWhollyKnown() {
			return false
		}
	}
	return true
}

func functionIn(ctx *hcl.EvalContext, name string) (f function.Function, ok bool) {
	for ; ctx != nil && !ok; ctx = ctx.Parent() {
		f, ok = ctx.Functions[name]
	}
	return f, ok
}

// quadratic is the part of a step that comparing two elements with each other is.
const quadratic = 64

// An argument is an argument of a function, with the type of its parameter.
type argument struct {
	hclsyntax.Expression
	param *function.Parameter
	meter *Meter
	// expand reports that its elements are the arguments, compares that the function compares them with each other.
	expand, compares bool
	// unifies reports that the function looks for the type that its arguments have in common.
	unifies bool
	v       cty.Value // as it was evaluated
	// done is what Value returned, which returns the same then.
	done *valued
}

// UnwrapExpression returns the expression as it is written.
func (x *argument) UnwrapExpression() hcl.Expression { return x.Expression }

func (x *argument) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if x.done == nil {
		v, diags := x.value(ctx)
		x.done = &valued{x, v, diags}
	}
	return x.done.v, x.done.diags
}

func (x *argument) value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	v, diags := x.Expression.Value(ctx)
	x.v = v
	if diags.HasErrors() {
		return v, diags
	}
	most := x.meter.most()
	n := parts(v, most)
	if x.expand && x.unifies || x.compares && !isPlain(v) {
		n += times(length(v), n/quadratic, most)
	}
	if !x.meter.Spend(n) {
		return cty.DynamicVal, diags
	}
	if x.expand {
		return x.expanded(v), diags
	}
	converted, err := ctyconv.Convert(v, x.param.Type)
	if err == nil {
		return converted, diags
	}
	if n < few {
		return v, diags // HCL says so
	}
	return cty.UnknownVal(x.param.Type), append(diags, &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: "Invalid function argument", Detail: fmt.Sprintf("Invalid value for %q parameter: %s.", x.param.Name, err),
		Subject: x.StartRange().Ptr(), Expression: x.Expression, EvalContext: ctx,
	})
}

// isPlain reports whether the elements of a list are texts, numbers or truth values, which a function compares by a table.
func isPlain(v cty.Value) bool {
	t := v.Type()
	if !t.IsTupleType() {
		return t.IsCollectionType() && t.ElementType().IsPrimitiveType()
	}
	for _, e := range t.TupleElementTypes() {
		if !e.IsPrimitiveType() {
			return false
		}
	}
	return true
}

// few is how many parts a value has that HCL may convert.
const few = 64

// expanded converts the elements of v.
func (x *argument) expanded(v cty.Value) cty.Value {
	plain, marks := v.Unmark()
	if !plain.IsKnown() || plain.IsNull() || !plain.CanIterateElements() || plain.Type().IsMapType() || plain.Type().IsObjectType() {
		return v
	}
	elements := plain.AsValueSlice()
	for i, e := range elements {
		if converted, err := ctyconv.Convert(e, x.param.Type); err == nil {
			elements[i] = converted
		}
	}
	return cty.TupleVal(elements).WithMarks(marks)
}

// A conditional is a conditional expression whose results HCL need not convert.
type conditional struct{ *hclsyntax.ConditionalExpr }

// UnwrapExpression returns the expression as it is written.
func (x conditional) UnwrapExpression() hcl.Expression { return x.ConditionalExpr }

func (x conditional) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	n := *x.ConditionalExpr
	yes, no := evaluated(x.TrueResult, ctx), evaluated(x.FalseResult, ctx)
	n.TrueResult, n.FalseResult = yes, no
	if meter := meterIn(ctx); parts(yes.v, few)+parts(no.v, few) < few || yes.v.Type() == cty.DynamicPseudoType || no.v.Type() == cty.DynamicPseudoType {
		return n.Value(ctx)
	} else if meter != nil && !meter.spendParts(yes.v, no.v) {
		return cty.DynamicVal, append(slices.Clone(yes.diags), no.diags...)
	}
	if t := ctyconv.Unify([]cty.Type{yes.v.Type(), no.v.Type()}); t != cty.NilType {
		condition := evaluated(x.Condition, ctx)
		n.Condition = condition
		c, _ := condition.v.Unmark()
		yes.convert(t, c.IsKnown())
		no.convert(t, c.IsKnown())
		return n.Value(ctx)
	}
	return cty.DynamicVal, hcl.Diagnostics{{
		Severity: hcl.DiagError, Summary: "Inconsistent conditional result types",
		Detail:  "The true and false result expressions must have consistent types.",
		Subject: hcl.RangeBetween(x.TrueResult.Range(), x.FalseResult.Range()).Ptr(), Context: &x.SrcRange,
		Expression: x.ConditionalExpr, EvalContext: ctx,
	}}
}

// A valued expression has been evaluated.
type valued struct {
	hclsyntax.Expression
	v     cty.Value
	diags hcl.Diagnostics
}

func evaluated(x hclsyntax.Expression, ctx *hcl.EvalContext) *valued {
	v, diags := x.Value(ctx)
	return &valued{x, v, diags}
}

// convert converts the value to a type. If it does not matter what it is, only its type remains: HCL would say more of a
// result of which it knows how long both alternatives are.
func (x *valued) convert(t cty.Type, matters bool) {
	v, err := ctyconv.Convert(x.v, t)
	if err != nil {
		return
	}
	if !matters {
		plain, marks := v.Unmark()
		v = cty.UnknownVal(t)
		if plain.IsNull() {
			v = cty.NullVal(t)
		} else if plain.Range().DefinitelyNotNull() {
			v = v.RefineNotNull()
		}
		v = v.WithMarks(marks)
	}
	x.v = v
}

// UnwrapExpression returns the expression as it is written.
func (x *valued) UnwrapExpression() hcl.Expression { return x.Expression }

func (x *valued) Value(*hcl.EvalContext) (cty.Value, hcl.Diagnostics) { return x.v, x.diags }
