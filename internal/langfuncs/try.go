// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Up to Terraform 1.5, try and can tried no argument that refers to something unknown: the
// result was unknown, even where every value would give an error.
var (
	cautiousTry = cautious(tryfunc.TryFunc, cty.DynamicVal, func(v cty.Value) cty.Value { return v })
	cautiousCan = cautious(tryfunc.CanFunc, cty.UnknownVal(cty.Bool), func(cty.Value) cty.Value { return cty.True })
)

// cautious returns a function that gives what fn gives, unless it meets an argument that
// refers to something unknown before one without an error. Success makes the result from the
// value of the latter.
func cautious(fn function.Function, unknown cty.Value, success func(cty.Value) cty.Value) function.Function {
	result := func(args []cty.Value) (cty.Value, error) {
		for _, arg := range args {
			if refersToUnknown(arg) {
				return unknown, nil
			}
			if v, diags := customdecode.ExpressionClosureFromVal(arg).Value(); !diags.HasErrors() {
				return success(v), nil
			}
		}
		return fn.Call(args)
	}
	return function.New(&function.Spec{
		Params:   fn.Params(),
		VarParam: fn.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			v, err := result(args)
			if err != nil {
				return cty.NilType, err
			}
			return v.Type(), nil
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return result(args) },
	})
}

// refersToUnknown reports whether an argument, an expression, refers to a value with an
// unknown part.
func refersToUnknown(arg cty.Value) bool {
	closure := customdecode.ExpressionClosureFromVal(arg)
	return slices.ContainsFunc(closure.Expression.Variables(), func(t hcl.Traversal) bool {
		v, diags := t.TraverseAbs(closure.EvalContext)
		return !diags.HasErrors() && !v.IsWhollyKnown()
	})
}
