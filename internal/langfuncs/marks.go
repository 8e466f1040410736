// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
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

var nonsensitiveFunc = function.New(&function.Spec{
	Params: anyValue, Type: sameType,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		v, marks := args[0].Unmark()
		delete(marks, Sensitive)
		return v.WithMarks(marks), nil
	},
})
