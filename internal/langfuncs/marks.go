// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"errors"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

type mark string

// The marks of values.
const (
	Sensitive = mark("sensitive")
	Ephemeral = mark("ephemeral")
)

// Has reports whether v, or a value in it, has the mark.
func Has(v cty.Value, m any) bool {
	if !v.ContainsMarked() {
		return false
	}
	_, marks := v.UnmarkDeep()
	_, ok := marks[m]
	return ok
}

// anyValue is a parameter that takes whatever there is, as it is.
var anyValue = []function.Parameter{
	{Name: "value", Type: dyn, AllowUnknown: true, AllowNull: true, AllowMarked: true, AllowDynamicType: true},
}

func sameType(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil }

var sensitiveFunc = function.New(&function.Spec{
	Params: anyValue, Type: sameType,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return args[0].Mark(Sensitive), nil },
})

// forgetful returns f without the marks of an argument that is not known.
func forgetful(f function.Function) function.Function {
	params := slices.Clone(f.Params())
	for i := range params {
		params[i].AllowUnknown, params[i].AllowMarked = true, true
	}
	return function.New(&function.Spec{Description: f.Description(), Params: params,
		Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			for _, a := range args {
				if a, _ := a.Unmark(); !a.IsKnown() {
					return cty.UnknownVal(t), nil
				}
			}
			return f.Call(args)
		},
	})
}

// newNonsensitive returns nonsensitive. Its first releases are strict: they refuse what is
// not sensitive.
func newNonsensitive(strict bool) function.Function {
	return function.New(&function.Spec{
		Params: anyValue, Type: sameType,
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			if strict && args[0].IsKnown() && !args[0].HasMark(Sensitive) {
				return cty.UnknownVal(t), function.NewArgErrorf(0, "the given value is not sensitive, so this call is redundant")
			}
			v, marks := args[0].Unmark()
			delete(marks, Sensitive)
			return v.WithMarks(marks), nil
		},
	})
}

// publicPath returns f with a first argument that must not be sensitive, which the first releases
// of templatefile could not read.
func publicPath(f function.Function) function.Function { return unmarked(f, 0) }

// publicVariables returns f with a second argument that must not be sensitive as a whole, on which
// the first releases of templatestring panic.
func publicVariables(f function.Function) function.Function { return unmarked(f, 1) }

// unmarked returns f with a parameter that must have no marks.
func unmarked(f function.Function, i int) function.Function {
	params := slices.Clone(f.Params())
	params[i].AllowMarked = true
	return function.New(&function.Spec{Params: params,
		Type: func(args []cty.Value) (cty.Type, error) {
			if args[i].IsMarked() {
				return dyn, errors.New("panic in function implementation")
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}
