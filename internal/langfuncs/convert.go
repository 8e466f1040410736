// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"reflect"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// A typeConstraint is the second argument of convert.
type typeConstraint struct {
	typ      cty.Type
	defaults *typeexpr.Defaults
}

// typeArgument is the type of an argument that is written as a type and not
// evaluated.
var typeArgument = newTypeArgument()

func newTypeArgument() (t cty.Type) {
	decode := func(expr hcl.Expression, _ *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
		typ, defaults, diags := typeexpr.TypeConstraintWithDefaults(expr)
		if diags.HasErrors() {
			return cty.NilVal, diags
		}
		return cty.CapsuleVal(t, &typeConstraint{typ, defaults}), nil
	}
	t = cty.CapsuleWithOps("type", reflect.TypeFor[typeConstraint](), &cty.CapsuleOps{ExtensionData: func(key any) any {
		if key == customdecode.CustomExpressionDecoder {
			return customdecode.CustomExpressionDecoderFunc(decode)
		}
		return nil
	}})
	return t
}

// convertFunc converts a value to a type.
var convertFunc = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "value", Type: dyn, AllowNull: true, AllowUnknown: true, AllowDynamicType: true},
		{Name: "type", Type: typeArgument},
	},
	Type: func(args []cty.Value) (cty.Type, error) {
		v, err := converted(args)
		return v.Type(), err
	},
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return converted(args) },
})

func converted(args []cty.Value) (cty.Value, error) {
	v := args[0]
	if Weight(v) > MaxWeight {
		return cty.DynamicVal, nil
	}
	to := args[1].EncapsulatedValue().(*typeConstraint)
	if to.defaults != nil && v.IsKnown() && !v.IsNull() {
		v = to.defaults.Apply(v)
	}
	v, err := convert.Convert(v, to.typ)
	if err != nil {
		return cty.DynamicVal, function.NewArgError(0, err)
	}
	return v, nil
}

// IsTypeName reports whether a name that is used alone is a type in an argument of
// convert, and so refers to nothing.
func IsTypeName(p Program, minor int, name string) bool {
	switch name {
	case "string", "number", "bool", "any":
		return minor >= convertSince[p]
	}
	return false
}
