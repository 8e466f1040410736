// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"math/big"
	"slices"

	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/numlimit"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// MaxWeight is the weight from which on a value counts as unknown: see
// [Weight]. Without a limit, a few lines of configuration could describe values
// that no memory can hold.
const MaxWeight = 1 << 13

// mostParts is how many parts of values a call of a function that multiplies may look at and make.
const mostParts = 1 << 22

// bounded returns f, which takes time in proportion to its arguments and its result, with a description: where the
// result is not known though the arguments are, it is too large.
func bounded(f function.Function) function.Function {
	return function.New(&function.Spec{
		Description: hclbound.Limited, Params: f.Params(), VarParam: f.VarParam(), Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}

// multiplied returns a function whose result can be larger than its arguments, with an unknown result where its cost is
// mostParts or more. A meter allows less: see [hclbound.Meter].
func multiplied(name string, f function.Function) function.Function {
	costly := func(args []cty.Value) bool { return hclbound.Cost(name, args, mostParts) >= mostParts }
	return function.New(&function.Spec{
		Description: hclbound.Limited, Params: f.Params(), VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if costly(args) {
				return cty.DynamicPseudoType, nil
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			if costly(args) {
				return cty.UnknownVal(t), nil
			}
			return f.Call(args)
		},
	})
}

// setproductFunc is setproduct, for which large tuples are lists: it looks for the type that the elements of a tuple have in
// common, in time with the square of their number.
var setproductFunc = function.New(&function.Spec{
	Description: hclbound.Limited, VarParam: stdlib.SetProductFunc.VarParam(),
	Type: func(args []cty.Value) (cty.Type, error) {
		return stdlib.SetProductFunc.ReturnTypeForValues(asLists(args))
	},
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		return stdlib.SetProductFunc.Call(asLists(args))
	},
})

func asLists(args []cty.Value) []cty.Value {
	out := slices.Clone(args)
	for i, a := range args {
		if t := a.Type(); !t.IsTupleType() || t.Length() < 64 || a.IsNull() {
			continue
		}
		if list, err := ctyconv.Convert(a, cty.List(dyn)); err == nil {
			out[i] = list
		}
	}
	return out
}

// powFunc is pow with an unknown result where a number is large.
var powFunc = function.New(&function.Spec{
	Description: hclbound.Limited, Params: stdlib.PowFunc.Params(), Type: function.StaticReturnType(num),
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		for _, a := range args {
			if big.NewFloat(MaxWeight).Cmp(new(big.Float).Abs(a.AsBigFloat())) < 0 {
				return cty.UnknownVal(t), nil
			}
		}
		v, err := stdlib.PowFunc.Call(args)
		if err == nil && !numlimit.Computed(v.AsBigFloat()) {
			return cty.UnknownVal(t), nil
		}
		return v, err
	},
})

// distinctFunc is distinct, which compares texts, numbers and truth values by a table.
var distinctFunc = function.New(&function.Spec{
	Description: hclbound.Limited, Params: stdlib.DistinctFunc.Params(),
	Type: func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		if !t.ElementType().IsPrimitiveType() || !args[0].IsWhollyKnown() || args[0].LengthInt() == 0 {
			return stdlib.Distinct(args[0])
		}
		seen := map[string]bool{}
		var out []cty.Value
		for it := args[0].ElementIterator(); it.Next(); {
			_, v := it.Element()
			text, err := convert.Convert(v, str)
			if err != nil || v.IsNull() {
				return stdlib.Distinct(args[0])
			}
			if key := text.AsString(); !seen[key] {
				seen[key] = true
				out = append(out, v)
			}
		}
		return cty.ListVal(out), nil
	},
})

// Weight returns how large a value is, as [hclbound.Weight] does. It stops counting above MaxWeight.
func Weight(v cty.Value) int { return hclbound.Weight(v, MaxWeight) }
