// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"math/big"

	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/numlimit"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// MaxWeight is the weight from which on a value counts as unknown: see
// [Weight]. Without a limit, a few lines of configuration could describe values
// that no memory can hold.
const MaxWeight = 1 << 13

// bounded returns f with an unknown result where computing it could be
// expensive: where the arguments together are too large.
func bounded(f function.Function) function.Function { return limit(f, sum(Weight), hclbound.Limited) }

// boundedCheck is bounded for a function whose result can be unknown for other reasons too.
func boundedCheck(f function.Function) function.Function { return limit(f, sum(Weight), "") }

// multiplied is bounded for a function whose result can be as large as the
// product of its arguments.
func multiplied(f function.Function) function.Function {
	return limit(f, product(Weight), hclbound.Limited)
}

// padded is bounded for a function whose numbers count characters, and may be in a text
// as well.
func padded(f function.Function) function.Function { return limit(f, sum(load), hclbound.Limited) }

// multiplyPadded is both.
func multiplyPadded(f function.Function) function.Function {
	return limit(f, product(load), hclbound.Limited)
}

// limit returns f with an unknown result where the measure of its arguments is
// above MaxWeight, and with a description.
func limit(f function.Function, measure func([]cty.Value) int, description string) function.Function {
	return function.New(&function.Spec{
		Description: description, Params: f.Params(), VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if measure(args) > MaxWeight {
				return cty.DynamicPseudoType, nil
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			if measure(args) > MaxWeight {
				return cty.UnknownVal(t), nil
			}
			v, err := f.Call(args)
			if err == nil && Weight(v) > MaxWeight {
				return cty.UnknownVal(t), nil
			}
			return v, err
		},
	})
}

func sum(weight func(cty.Value) int) func([]cty.Value) int {
	return func(args []cty.Value) int {
		n := 0
		for _, a := range args {
			n = min(n+weight(a), MaxWeight+1)
		}
		return n
	}
}

func product(weight func(cty.Value) int) func([]cty.Value) int {
	return func(args []cty.Value) int {
		n := 1
		for _, a := range args {
			n = min(n*max(weight(a), 1), MaxWeight+1)
		}
		return n
	}
}

// load is the weight of an argument of such a function. A number weighs what it counts,
// and a number in a text, which may be the width of a verb of format.
func load(v cty.Value) int {
	w := Weight(v)
	v, _ = v.Unmark()
	if !v.IsKnown() || v.IsNull() {
		return w
	}
	switch v.Type() {
	case cty.Number:
		if big.NewFloat(MaxWeight).Cmp(new(big.Float).Abs(v.AsBigFloat())) < 0 {
			return MaxWeight + 1
		}
		i, _ := v.AsBigFloat().Int64()
		return int(max(i, -i, 1))
	case cty.String:
		return max(w, width(v.AsString()))
	}
	return w
}

// width is the largest number of up to nine digits behind a percent sign of s.
func width(s string) int {
	most := 0
	for i := range len(s) {
		if s[i] != '%' {
			continue
		}
		n := 0
		for j := i + 1; j < len(s) && n <= MaxWeight && (s[j] < 'a' || s[j] > 'z') && s[j] != '%'; j++ {
			if '0' <= s[j] && s[j] <= '9' {
				n = n*10 + int(s[j]-'0')
			} else {
				n = 0
			}
			most = max(most, n)
		}
	}
	return most
}

// maxDepth is how deep a value may nest. Each of a thousand values may be in the next
// one, and is gone through with each of them.
const maxDepth = 100

// Weight returns how large a value is: the bytes of its texts and the number
// of its parts and of the parts of its type. It stops counting above MaxWeight, which is
// also exceeded by a number that is out of range, and by a value that nests deeper than any that means something.
func Weight(v cty.Value) int {
	n := 0
	weigh(v, &n, maxDepth)
	return n
}

// Parts returns how many parts of a value loops go through, with the bytes of its texts. What
// is not known is one. It stops counting as Weight does.
func Parts(v cty.Value) int {
	n := 0
	var count func(v cty.Value, depth int)
	count = func(v cty.Value, depth int) {
		if n++; depth == 0 {
			n = MaxWeight + 1
		}
		v, _ = v.Unmark()
		if n > MaxWeight || !v.IsKnown() || v.IsNull() {
			return
		}
		if v.Type() == cty.String {
			n += len(v.AsString())
		} else if v.CanIterateElements() {
			for it := v.ElementIterator(); it.Next() && n <= MaxWeight; {
				_, e := it.Element()
				count(e, depth-1)
			}
		}
	}
	count(v, maxDepth)
	return n
}

func weigh(v cty.Value, n *int, depth int) {
	if depth == 0 {
		*n = MaxWeight
	}
	if *n++; *n > MaxWeight {
		return
	}
	v, _ = v.Unmark()
	t := v.Type()
	if !v.IsKnown() || v.IsNull() {
		weighType(t, n, depth)
		return
	}
	switch {
	case t == cty.Number && !numlimit.Computed(v.AsBigFloat()):
		*n = MaxWeight + 1
	case t == cty.String:
		*n += len(v.AsString())
	case t.IsListType() || t.IsSetType() || t.IsMapType() || t.IsTupleType() || t.IsObjectType():
		if v.LengthInt() == 0 {
			weighType(t, n, depth)
		}
		for it := v.ElementIterator(); it.Next() && *n <= MaxWeight; {
			k, e := it.Element()
			if k, _ = k.Unmark(); !t.IsSetType() && k.Type() == cty.String {
				*n += len(k.AsString())
			}
			weigh(e, n, depth-1)
		}
	}
}

func weighType(t cty.Type, n *int, depth int) {
	if depth == 0 {
		*n = MaxWeight
	}
	if *n++; *n > MaxWeight {
		return
	}
	switch {
	case t.IsCollectionType():
		weighType(t.ElementType(), n, depth-1)
	case t.IsTupleType():
		for _, e := range t.TupleElementTypes() {
			weighType(e, n, depth-1)
		}
	case t.IsObjectType():
		for name, e := range t.AttributeTypes() {
			*n += len(name)
			weighType(e, n, depth-1)
		}
	}
}
