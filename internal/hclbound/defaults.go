// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbound

import (
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/zclconf/go-cty/cty"
)

// WithDefaults returns v with the defaults of optional attributes where it leaves them out, as the method Apply of
// [typeexpr.Defaults] does. The result may have another type than v.
func WithDefaults(d *typeexpr.Defaults, v cty.Value) cty.Value {
	if d == nil || !v.IsKnown() || v.IsNull() || len(d.DefaultValues) == 0 && len(d.Children) == 0 {
		return v
	}
	v, marks := v.Unmark()
	switch t := v.Type(); {
	case t.IsListType(), t.IsSetType(), t.IsTupleType():
		v = elementsWithDefaults(d, v)
	case t.IsMapType(), t.IsObjectType():
		v = attributesWithDefaults(d, v)
	}
	return v.WithMarks(marks)
}

// childOf returns the defaults of an element.
func childOf(d *typeexpr.Defaults, key string, is func(cty.Type) bool) *typeexpr.Defaults {
	if is(d.Type) {
		return d.Children[key]
	}
	return d.Children[""]
}

func elementsWithDefaults(d *typeexpr.Defaults, v cty.Value) cty.Value {
	elements := v.AsValueSlice()
	if len(elements) == 0 {
		return v
	}
	for i, e := range elements {
		elements[i] = WithDefaults(childOf(d, strconv.Itoa(i), cty.Type.IsTupleType), e)
	}
	if !v.Type().IsTupleType() {
		if unified := ctyconv.Unified(elements); unified != nil && v.Type().IsSetType() {
			return ctyconv.Set(unified)
		} else if unified != nil {
			return cty.ListVal(unified)
		}
	}
	return cty.TupleVal(elements)
}

func attributesWithDefaults(d *typeexpr.Defaults, v cty.Value) cty.Value {
	parts := make(map[string]cty.Value, v.LengthInt()+len(d.DefaultValues))
	for name, e := range v.AsValueMap() {
		parts[name] = WithDefaults(childOf(d, name, cty.Type.IsObjectType), e)
	}
	for name, value := range d.DefaultValues {
		if had, ok := parts[name]; !ok || had.IsNull() {
			parts[name] = WithDefaults(d.Children[name], value)
		} else if value.Range().DefinitelyNotNull() && had.Type() != cty.DynamicPseudoType {
			parts[name] = had.RefineNotNull()
		}
	}
	if !v.Type().IsMapType() {
		return cty.ObjectVal(parts)
	}
	if len(parts) == 0 {
		return v
	}
	names := slices.Sorted(maps.Keys(parts))
	elements := make([]cty.Value, len(names))
	for i, name := range names {
		elements[i] = parts[name]
	}
	if elements = ctyconv.Unified(elements); elements == nil {
		return cty.ObjectVal(parts)
	}
	for i, name := range names {
		parts[name] = elements[i]
	}
	return cty.MapVal(parts)
}
