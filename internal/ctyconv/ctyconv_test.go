// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ctyconv

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// A maker makes random types and values.
type maker struct{ *rand.Rand }

func (m maker) value(depth int) cty.Value {
	n := m.IntN(4)
	if depth == 0 {
		n = m.IntN(3)
	}
	k := m.IntN(10)
	if depth == 0 && k > 5 {
		k = m.IntN(6)
	}
	switch k {
	case 0, 1:
		return cty.StringVal([]string{"a", "1", "true"}[m.IntN(3)])
	case 2:
		return cty.NumberIntVal(int64(n))
	case 3:
		return cty.BoolVal(n == 0)
	case 4:
		return cty.NullVal([]cty.Type{cty.String, cty.DynamicPseudoType, cty.List(cty.Number)}[m.IntN(3)])
	case 5:
		return cty.UnknownVal([]cty.Type{cty.String, cty.Number, cty.Tuple([]cty.Type{cty.String, cty.Number}), cty.Object(map[string]cty.Type{"a": cty.Number})}[m.IntN(4)])
	case 6, 7:
		parts := make([]cty.Value, n)
		for i := range parts {
			parts[i] = m.value(depth - 1)
		}
		if n > 0 && m.IntN(2) == 0 {
			for i := range parts {
				parts[i] = parts[0]
			}
			if m.IntN(2) == 0 {
				return cty.SetVal(parts)
			}
			return cty.ListVal(parts)
		}
		return cty.TupleVal(parts)
	}
	parts := make(map[string]cty.Value, n)
	first := m.value(depth - 1)
	same := m.IntN(3) == 0
	for i := range n {
		parts[string(rune('a'+i))] = first
		if !same {
			parts[string(rune('a'+i))] = m.value(depth - 1)
		}
	}
	if same && n > 0 {
		return cty.MapVal(parts)
	}
	return cty.ObjectVal(parts)
}

func (m maker) want(depth int) cty.Type {
	k := m.IntN(8)
	if depth == 0 {
		k = m.IntN(4)
	}
	switch k {
	case 0:
		return cty.String
	case 1:
		return []cty.Type{cty.Number, cty.Bool}[m.IntN(2)]
	case 2, 3:
		return cty.DynamicPseudoType
	case 4:
		return cty.List(m.want(depth - 1))
	case 5:
		return []func(cty.Type) cty.Type{cty.Set, cty.Map}[m.IntN(2)](m.want(depth - 1))
	case 6:
		return cty.Map(m.want(depth - 1))
	}
	return cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a": m.want(depth - 1), "b": m.want(depth - 1)}, []string{"b"})
}

// What is found is what go-cty finds.
func TestUnify(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 2))}
	// Where parts of the types are not known, few results depend on the order in which go-cty looks at them.
	different, vague := 0, 0
	for range 20_000 {
		types := make([]cty.Type, 1+m.IntN(4))
		for i := range types {
			types[i] = m.value(3).Type()
		}
		want, _ := convert.UnifyUnsafe(types)
		tab := newTable()
		nodes := make([]*node, len(types))
		for i, typ := range types {
			nodes[i] = tab.of(typ)
			if !nodes[i].typ.Equals(typ) {
				t.Fatalf("the node of %#v is %#v", typ, nodes[i].typ)
			}
		}
		got := cty.NilType
		if n := tab.union(nodes); n != nil {
			got = n.typ
		}
		if got == cty.NilType != (want == cty.NilType) || got != cty.NilType && !got.Equals(want) {
			if open := slices.ContainsFunc(types, cty.Type.HasDynamicTypes); open {
				vague++
			} else if different++; different < 5 {
				t.Errorf("of %#v:\n%#v, want\n%#v", types, got, want)
			}
		}
	}
	if different > 0 || vague > 10 {
		t.Errorf("%d differ, and %d with types that are not known", different, vague)
	}
}

// What is converted is what go-cty converts, for large values as for small ones.
func TestConvert(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(3, 4))}
	different, vague, good := 0, 0, 0
	for range 20_000 {
		v, want := m.value(3), m.want(3)
		if m.IntN(10) == 0 {
			v = v.Mark("secret")
		}
		expected, err := func() (v2 cty.Value, err error) {
			defer func() {
				if r := recover(); r != nil {
					err = fmt.Errorf("%v", r)
				}
			}()
			return convert.Convert(v, want)
		}()
		if want == cty.DynamicPseudoType || want.IsPrimitiveType() || v.Type() == cty.DynamicPseudoType || v.Type().IsPrimitiveType() {
			continue
		}
		got, failed := large(v, want)
		switch {
		case err == nil && failed == nil && !expected.Type().Equals(expected.Type().WithoutOptionalAttributesDeep()):
			// go-cty makes a value of a type with optional attributes, which values do not have.
		case ((err == nil) != (failed == nil) || err == nil && !got.RawEquals(expected)) && v.Type().HasDynamicTypes():
			vague++
		case (err == nil) != (failed == nil), err == nil && !got.RawEquals(expected):
			if different++; different < 5 {
				t.Errorf("%#v to %#v:\n%#v, %v, want\n%#v, %v", v, want, got, failed, expected, err)
			}
		case err == nil:
			good++
		}
	}
	if different > 0 || vague > 10 || good < 800 {
		t.Errorf("%d differ, and %d with types that are not known; %d are converted", different, vague, good)
	}
}

// The number of types that are looked at grows with the input.
func TestConvert_large(t *testing.T) {
	const n = 20_000
	mixed, objects := make([]cty.Value, n), make([]cty.Value, n)
	for i := range n {
		mixed[i] = cty.NumberIntVal(int64(i))
		if i%3 == 0 {
			mixed[i] = cty.StringVal("x")
		}
		objects[i] = cty.ObjectVal(map[string]cty.Value{fmt.Sprintf("a%d", i): mixed[i]})
	}
	for _, tt := range []struct {
		v    cty.Value
		want cty.Type
		good bool
	}{
		{cty.TupleVal(mixed), cty.List(cty.String), true}, {cty.TupleVal(mixed), cty.Set(cty.DynamicPseudoType), true},
		{cty.TupleVal(objects), cty.List(cty.DynamicPseudoType), true}, {cty.TupleVal(append(objects[:n-1:n-1], cty.True)), cty.List(cty.DynamicPseudoType), false},
		{cty.TupleVal(mixed), cty.List(cty.Number), false}, {cty.TupleVal(objects), cty.List(cty.Map(cty.String)), true}, {cty.TupleVal(objects), cty.Map(cty.String), false},
	} {
		if v, err := Convert(tt.v, tt.want); (err == nil) != tt.good || tt.good && v.LengthInt() == 0 {
			t.Errorf("to %#v: %v", tt.want, err)
		}
	}
	if Unified(objects) == nil || Unified(append(objects[:5:5], cty.True)) != nil {
		t.Error("objects are not unified")
	}
}

// Numbers become the same text as in go-cty.
func TestConvert_numbers(t *testing.T) {
	for _, text := range []string{"0", "-0", "1", "-1", "10", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1.5", "1e300", "0.1", "123456789012345678901234567890"} {
		v := cty.MustParseNumberVal(text)
		for _, v := range []cty.Value{v, v.Mark("x"), cty.UnknownVal(cty.Number), cty.NullVal(cty.Number), cty.NumberVal(v.AsBigFloat().Neg(v.AsBigFloat()))} {
			got, err := Convert(v, cty.String)
			want, err2 := convert.Convert(v, cty.String)
			if err != nil || err2 != nil || !got.RawEquals(want) {
				t.Errorf("%#v becomes %#v, not %#v: %v, %v", v, got, want, err, err2)
			}
		}
	}
}
