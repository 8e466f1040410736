// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ctyconv

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Convert returns v converted to a type, as convert.Convert does. Of what the type leaves open, the elements of a
// collection get the type that theirs have in common.
func Convert(v cty.Value, want cty.Type) (cty.Value, error) {
	t := v.Type()
	if text, ok := whole(v, want); ok {
		return text, nil
	}
	if want == cty.DynamicPseudoType || t == cty.DynamicPseudoType || want.IsPrimitiveType() || isFlat(t) && !(want.IsSetType() && t.IsListType()) {
		return convert.Convert(v, want)
	}
	if t.Equals(want.WithoutOptionalAttributesDeep()) {
		return v, nil
	}
	return large(v, want)
}

// whole returns the text of a small whole number that becomes a string. In package big it takes a hundred times as long, because
// numbers have 512 bits.
func whole(v cty.Value, want cty.Type) (cty.Value, bool) {
	if want != cty.String || v.Type() != cty.Number || v.IsMarked() || !v.IsKnown() || v.IsNull() {
		return cty.NilVal, false
	}
	f := v.AsBigFloat()
	n, exact := f.Int64()
	if exact != big.Exact || n == 0 && f.Signbit() {
		return cty.NilVal, false
	}
	return cty.StringVal(strconv.FormatInt(n, 10)), true
}

// large is Convert for a value with many parts.
func large(v cty.Value, want cty.Type) (cty.Value, error) {
	v, marks := v.Unmark()
	var out cty.Value
	var err error
	if v.IsNull() || !v.IsKnown() {
		out, err = absent(v, want)
	} else {
		out, err = known(v, want)
	}
	if err != nil {
		return cty.NilVal, err
	}
	return out.WithMarks(marks), nil
}

// absent converts a value that is null or not known: its type becomes that of one that is known.
func absent(v cty.Value, want cty.Type) (cty.Value, error) {
	out, err := known(example(v.Type()), want)
	switch {
	case err != nil:
		return out, err
	case v.IsNull():
		return cty.NullVal(out.Type()), nil
	}
	r := cty.UnknownVal(out.Type())
	if v.Range().DefinitelyNotNull() {
		r = r.RefineNotNull()
	}
	switch t := v.Type(); {
	case t.IsTupleType() && want.IsListType():
		return r.Refine().CollectionLength(t.Length()).NewValue(), nil
	case t.IsTupleType() && want.IsSetType():
		return r.Refine().CollectionLengthLowerBound(min(t.Length(), 1)).CollectionLengthUpperBound(t.Length()).NewValue(), nil
	case t.IsObjectType() && want.IsMapType():
		return r.Refine().CollectionLength(len(t.AttributeTypes())).NewValue(), nil
	}
	return r, nil
}

// example returns a value of a type, whose parts are not known.
func example(t cty.Type) cty.Value {
	switch {
	case t.IsTupleType():
		parts := make([]cty.Value, t.Length())
		for i, e := range t.TupleElementTypes() {
			parts[i] = cty.UnknownVal(e)
		}
		return cty.TupleVal(parts)
	case t.IsObjectType():
		parts := make(map[string]cty.Value, len(t.AttributeTypes()))
		for name, e := range t.AttributeTypes() {
			parts[name] = cty.UnknownVal(e)
		}
		return cty.ObjectVal(parts)
	case t.IsListType(), t.IsSetType():
		return cty.ListVal([]cty.Value{cty.UnknownVal(t.ElementType())})
	}
	return cty.MapVal(map[string]cty.Value{"": cty.UnknownVal(t.ElementType())})
}

// known converts a value that is known.
func known(v cty.Value, want cty.Type) (cty.Value, error) {
	t := v.Type()
	sequence := t.IsTupleType() || t.IsListType() || t.IsSetType()
	keyed := t.IsObjectType() || t.IsMapType()
	switch {
	case sequence && (want.IsListType() || want.IsSetType()):
		return toSequence(v, want)
	case t.IsTupleType() && want.IsTupleType():
		return toTuple(v, want)
	case keyed && want.IsMapType():
		return toMap(v, want)
	case keyed && want.IsObjectType():
		return toObject(v, want)
	}
	return cty.NilVal, fmt.Errorf("%s required", want.FriendlyNameForConstraint())
}

func toSequence(v cty.Value, want cty.Type) (cty.Value, error) {
	e, word := want.ElementType(), "list"
	empty, make := cty.ListValEmpty, cty.ListVal
	if want.IsSetType() {
		word, empty, make = "set", cty.SetValEmpty, Set
	}
	if v.Type().IsSetType() && !v.Length().IsKnown() && want.IsListType() {
		out, err := toSequence(example(v.Type()), want)
		if err != nil {
			return out, err
		}
		return cty.UnknownVal(out.Type()), nil
	}
	if v.LengthInt() == 0 {
		if e == cty.DynamicPseudoType && v.Type().IsCollectionType() {
			return empty(v.Type().ElementType()), nil
		}
		return empty(e.WithoutOptionalAttributesDeep()), nil
	}
	out := v.AsValueSlice()
	for i, x := range out {
		var err error
		if out[i], err = Convert(x, e); err != nil {
			return cty.NilVal, fmt.Errorf("element %d: %w", i, err)
		}
	}
	if e.HasDynamicTypes() {
		if out = Unified(out); out == nil {
			return cty.NilVal, fmt.Errorf("all %s elements must have the same type", word)
		}
	}
	return make(out), nil
}

func toTuple(v cty.Value, want cty.Type) (cty.Value, error) {
	types := want.TupleElementTypes()
	if v.LengthInt() != len(types) {
		return cty.NilVal, errors.New("tuple required")
	}
	out := v.AsValueSlice()
	for i, x := range out {
		var err error
		if out[i], err = Convert(x, types[i]); err != nil {
			return cty.NilVal, fmt.Errorf("element %d: %w", i, err)
		}
	}
	return cty.TupleVal(out), nil
}

func toMap(v cty.Value, want cty.Type) (cty.Value, error) {
	e := want.ElementType()
	parts := v.AsValueMap()
	if len(parts) == 0 {
		if e == cty.DynamicPseudoType && v.Type().IsMapType() {
			return cty.MapValEmpty(v.Type().ElementType()), nil
		}
		return cty.MapValEmpty(e.WithoutOptionalAttributesDeep()), nil
	}
	names := slices.Sorted(maps.Keys(parts))
	out := make([]cty.Value, len(names))
	for i, name := range names {
		var err error
		if out[i], err = Convert(parts[name], e); err != nil {
			return cty.NilVal, fmt.Errorf("element %q: %w", name, err)
		}
	}
	if e.HasDynamicTypes() {
		if out = Unified(out); out == nil {
			return cty.NilVal, errors.New("all map elements must have the same type")
		}
	}
	for i, name := range names {
		parts[name] = out[i]
	}
	return cty.MapVal(parts), nil
}

func toObject(v cty.Value, want cty.Type) (cty.Value, error) {
	types := want.AttributeTypes()
	parts := v.AsValueMap()
	out := make(map[string]cty.Value, len(types))
	for _, name := range slices.Sorted(maps.Keys(types)) {
		x, ok := parts[name]
		switch {
		case ok:
			converted, err := Convert(x, types[name])
			if err != nil {
				return cty.NilVal, fmt.Errorf("attribute %q: %w", name, err)
			}
			out[name] = converted
		case want.AttributeOptional(name):
			out[name] = cty.NullVal(types[name].WithoutOptionalAttributesDeep())
		default:
			return cty.NilVal, fmt.Errorf("attribute %q is required", name)
		}
	}
	return cty.ObjectVal(out), nil
}
