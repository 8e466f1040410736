// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"math"
	"math/big"

	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// A refinement says more of a value that is not known.
type refinement func(b *cty.RefinementBuilder, args []cty.Value) *cty.RefinementBuilder

// assuming returns a function that refines its first argument, of type t, by the others.
// It fails if what is assumed is known to be wrong, or by check if that is not nil.
func assuming(t cty.Type, refine refinement, check func(args []cty.Value) error, more ...cty.Type) function.Function {
	value := function.Parameter{Name: "value", Type: t, AllowNull: true, AllowUnknown: true, AllowDynamicType: true}
	return function.New(&function.Spec{
		Params: append([]function.Parameter{value}, params(more)...), Type: function.StaticReturnType(t),
		Impl: func(args []cty.Value, t cty.Type) (result cty.Value, err error) {
			if check != nil {
				if err := check(args); err != nil {
					return cty.UnknownVal(t), err
				}
			}
			defer func() {
				if recover() != nil { // cty says so that the value contradicts the refinement
					result, err = cty.UnknownVal(t), function.NewArgErrorf(0, "the assumption is wrong")
				}
			}()
			return args[0].RefineWith(func(b *cty.RefinementBuilder) *cty.RefinementBuilder { return refine(b, args[1:]) }), nil
		},
	})
}

func minLength(b *cty.RefinementBuilder, args []cty.Value) *cty.RefinementBuilder {
	return b.CollectionLengthLowerBound(length(args[0]))
}

func maxLength(b *cty.RefinementBuilder, args []cty.Value) *cty.RefinementBuilder {
	return b.CollectionLengthUpperBound(length(args[0]))
}

func minMaxLength(b *cty.RefinementBuilder, args []cty.Value) *cty.RefinementBuilder {
	return maxLength(minLength(b, args), args[1:])
}

func length(n cty.Value) int {
	i, _ := n.AsBigFloat().Int64()
	return int(i)
}

// assumingLength returns a function that assumes bounds of the length of a collection, one
// for each of the parameters more.
func assumingLength(collection func(cty.Type) cty.Type, refine refinement, more ...cty.Type) function.Function {
	return assuming(collection(dyn), refine, func(args []cty.Value) error {
		for i, n := range args[1:] {
			if n, exact := n.AsBigFloat().Int64(); exact != big.Exact || n >= math.MaxInt {
				at := 0 // as the program does if there is one bound
				if len(more) > 1 {
					at = i + 1
				}
				return function.NewArgErrorf(at, "a length must be a whole number")
			}
		}
		return nil
	}, more...)
}

// assumenotnullFunc fails in the program if the type of its argument is not known, which
// may be known to the program alone.
var assumenotnullFunc = assuming(dyn, func(b *cty.RefinementBuilder, _ []cty.Value) *cty.RefinementBuilder { return b.NotNull() }, nil)

var assumestringprefixFunc = assuming(str, func(b *cty.RefinementBuilder, args []cty.Value) *cty.RefinementBuilder {
	return b.StringPrefix(args[0].AsString())
}, nil, str)

// assumeequalFunc returns its second argument, unless the first one is another one.
var assumeequalFunc = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "actual", Type: dyn, AllowNull: true, AllowUnknown: true, AllowDynamicType: true, AllowMarked: true},
		{Name: "assumed", Type: dyn, AllowNull: true, AllowUnknown: true, AllowDynamicType: true, AllowMarked: true},
	},
	Type: func(args []cty.Value) (cty.Type, error) { return args[1].Type(), nil },
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if Weight(args[0]) > MaxWeight || Weight(args[1]) > MaxWeight {
			return args[1], nil
		}
		actual, err := ctyconv.Convert(args[0], args[1].Type())
		if err != nil {
			return cty.DynamicVal, function.NewArgErrorf(0, "the value cannot be the assumed one, which is %s", args[1].Type().FriendlyName())
		}
		if equal, _ := actual.Equals(args[1]).Unmark(); equal.IsKnown() && equal.False() {
			return cty.DynamicVal, function.NewArgErrorf(0, "the value is not the assumed one")
		}
		return args[1], nil
	},
})
