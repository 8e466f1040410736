// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"reflect"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
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
		if hclbound.IsTypeTooDeep(expr) {
			return cty.UnknownVal(t), nil
		}
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
	if hclbound.Weight(v, mostParts) > mostParts {
		return cty.DynamicVal, nil
	}
	to := args[1].EncapsulatedValue().(*typeConstraint)
	if to.defaults != nil && v.IsKnown() && !v.IsNull() {
		v = hclbound.WithDefaults(to.defaults, v)
	}
	v, err := ctyconv.Convert(v, to.typ)
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

// conversionTo returns the function that converts to a type: [stdlib.MakeToFunc] for what is large. A value of a large
// tuple or object is converted twice: for its type, and for itself.
func conversionTo(want cty.Type) function.Function {
	f := stdlib.MakeToFunc(want)
	if want.IsPrimitiveType() {
		return f
	}
	few := func(v cty.Value) bool { return Weight(v) < 1<<6 }
	wrong := func(v cty.Value) error {
		return function.NewArgErrorf(0, "cannot convert %s to %s", v.Type().FriendlyName(), want.FriendlyNameForConstraint())
	}
	return function.New(&function.Spec{
		Params: f.Params(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if few(args[0]) {
				return f.ReturnTypeForValues(args)
			}
			if _, err := ctyconv.Convert(args[0], want); err != nil {
				return cty.NilType, wrong(args[0])
			}
			return want, nil
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			if few(args[0]) {
				return f.Call(args)
			}
			v, err := ctyconv.Convert(args[0], t)
			if err != nil {
				return cty.NilVal, wrong(args[0])
			}
			return v, nil
		},
	})
}
