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

// A call is the call of a function whose arguments HCL need not convert.
type call struct{ *hclsyntax.FunctionCallExpr }

// UnwrapExpression returns the expression as it is written.
func (x call) UnwrapExpression() hcl.Expression { return x.FunctionCallExpr }

func (x call) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	f, ok := functionIn(ctx, x.Name)
	if !ok {
		return x.FunctionCallExpr.Value(ctx)
	}
	meter := meterIn(ctx)
	// Functions of many arguments look for a type that all of them have in common.
	if n := len(x.Args); !meter.spend(n * n / quadratic) {
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
		if p == nil || customdecode.CustomExpressionDecoderForType(p.Type) != nil {
			continue
		}
		n.Args[i] = &argument{
			Expression: a, param: p, meter: meter, expand: x.ExpandFinal && i == len(n.Args)-1,
			compares: strings.TrimPrefix(x.Name, "core::") == "distinct",
		}
	}
	v, diags := n.Value(ctx)
	if plain, _ := v.Unmark(); f.Description() == Limited && !plain.IsKnown() && !diags.HasErrors() && known(n.Args) {
		meter.deny()
	}
	return v, diags
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
	v                cty.Value // as it was evaluated
}

// UnwrapExpression returns the expression as it is written.
func (x *argument) UnwrapExpression() hcl.Expression { return x.Expression }

func (x *argument) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	v, diags := x.Expression.Value(ctx)
	x.v = v
	if diags.HasErrors() {
		return v, diags
	}
	n := parts(v)
	if x.compares || x.expand {
		n += n * n / quadratic
	}
	if !x.meter.spend(n) {
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
	if parts(yes.v)+parts(no.v) < few || yes.v.Type() == cty.DynamicPseudoType || no.v.Type() == cty.DynamicPseudoType {
		return n.Value(ctx)
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

// most is how many parts of a value are counted.
const most = 1 << 14

// parts counts the parts of a value and the bytes of its texts, up to most.
func parts(v cty.Value) int {
	n := 0
	count(v, &n)
	return n
}

func count(v cty.Value, n *int) {
	*n++
	v, _ = v.Unmark()
	switch t := v.Type(); {
	case !v.IsKnown() || v.IsNull():
		countType(t, n)
	case t == cty.Number:
		*n += 16 // what it costs to write or to compare one
	case t == cty.String:
		*n += len(v.AsString())
	case t.IsTupleType() || t.IsObjectType() || t.IsCollectionType():
		for it := v.ElementIterator(); *n < most && it.Next(); {
			_, e := it.Element()
			count(e, n)
		}
	}
}

// countType counts the parts of the type of a value that is not known.
func countType(t cty.Type, n *int) {
	if *n++; *n >= most {
		return
	}
	switch {
	case t.IsCollectionType():
		countType(t.ElementType(), n)
	case t.IsTupleType():
		for _, e := range t.TupleElementTypes() {
			countType(e, n)
		}
	case t.IsObjectType():
		for _, e := range t.AttributeTypes() {
			countType(e, n)
		}
	}
}
