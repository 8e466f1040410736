// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	ctymsgpack "github.com/zclconf/go-cty/cty/msgpack"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
)

func bytesOf(t testing.TB, text string) []byte {
	t.Helper()
	out, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestValues reads values that go-cty writes, with their types and without them.
func TestValues(t *testing.T) {
	open := cty.Object(map[string]cty.Type{"a": cty.DynamicPseudoType, "n": cty.Number})
	for _, v := range []cty.Value{
		cty.NullVal(cty.String), cty.True, cty.StringVal("é\u2028<"), cty.NumberIntVal(-129), cty.NumberIntVal(math.MaxInt64), cty.NumberFloatVal(0.5),
		cty.MustParseNumberVal("12345678901234567890"), cty.MustParseNumberVal("0.1"),
		cty.ListVal([]cty.Value{cty.StringVal("a"), cty.UnknownVal(cty.String)}), cty.SetVal([]cty.Value{cty.NumberIntVal(2), cty.NumberIntVal(1)}),
		cty.MapVal(map[string]cty.Value{"b": cty.True, "a": cty.False}), cty.EmptyTupleVal, cty.EmptyObjectVal,
		cty.TupleVal([]cty.Value{cty.StringVal("x"), cty.NullVal(cty.DynamicPseudoType)}),
		cty.UnknownVal(cty.String).Refine().NotNull().StringPrefix("ami-").NewValue(), cty.UnknownVal(cty.Number).Refine().NotNull().NumberRangeLowerBound(cty.Zero, true).NewValue(),
		cty.ObjectVal(map[string]cty.Value{"a": cty.ListVal([]cty.Value{cty.True}), "n": cty.NumberIntVal(1 << 40)}),
	} {
		types := []cty.Type{v.Type(), cty.DynamicPseudoType}
		if v.Type().IsObjectType() && v.Type().HasAttribute("n") {
			types = append(types, open)
		}
		for _, typ := range types {
			text, err := ctymsgpack.Marshal(v, typ)
			if err != nil {
				t.Fatal(err)
			}
			got, err := dynamic{text: text}.value(typ)
			if err != nil || !got.RawEquals(v) && typ != open {
				t.Errorf("%#v as %#v: got %#v, %v", v, typ, got, err)
			}
			untyped, err := dynamic{text: text}.value(cty.NilType)
			if err != nil {
				t.Errorf("%#v without a type: %v", v, err)
			} else if !v.IsWhollyKnown() != !untyped.IsWhollyKnown() {
				t.Errorf("%#v without a type: %#v", v, untyped)
			} else if v.IsKnown() && v.Type() != cty.Number {
				if a, b := string(known{}.append(nil, v)), string(known{}.append(nil, untyped)); a != b {
					t.Errorf("%#v without a type: %s, want %s", v, b, a)
				}
			}
		}
	}
}

// TestBadValues refuses what no tool writes, with the place, and in no time.
func TestBadValues(t *testing.T) {
	object := cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.String})
	for what, tt := range map[string]struct {
		hex string
		t   cty.Type
		at  int64
	}{
		"nothing":                        {"", cty.String, 0},
		"a cut text":                     {"a3 61", cty.String, 0},
		"no such byte":                   {"c1", cty.String, 0},
		"bytes behind":                   {"01 01", cty.Number, 1},
		"an array of 2^32":               {"dd ffffffff 01", cty.List(cty.Number), 0},
		"a map of 2^31":                  {"df 80000000", cty.Map(cty.Number), 0},
		"a text of 2^32":                 {"db ffffffff 61", cty.String, 0},
		"binary data":                    {"c4 01 61", cty.NilType, 0},
		"not UTF-8":                      {"a1 ff", cty.String, 0},
		"infinite":                       {"cb 7ff0000000000000", cty.Number, 0},
		"not a number":                   {"cb 7ff8000000000001", cty.Number, 0},
		"hexadecimal":                    {"a4 30783130", cty.Number, 0},
		"an empty number":                {"a0", cty.Number, 0},
		"a number of a billion digits":   {"aa 31653939393939393939", cty.Number, 0},
		"an extension":                   {"c7 02 07 0000", cty.String, 0},
		"a refinement that is no map":    {"c7 02 0c 0101", cty.String, 3},
		"a key that is no number":        {"c7 04 0c 81 a1 61 c0", cty.String, 4},
		"a member twice":                 {"82 a161 a178 a161 a179", object, 5},
		"a member too few":               {"81 a161 a178", object, 0},
		"another member":                 {"82 a161 a178 a163 a179", object, 5},
		"a number as a key":              {"82 01 a178 02 a179", object, 1},
		"a text in the place of a list":  {"a161", cty.List(cty.String), 0},
		"a bool in the place of a text":  {"c3", cty.String, 0},
		"a tuple too long":               {"92 c3 c3", cty.Tuple([]cty.Type{cty.Bool}), 0},
		"no wrapper":                     {"c3", cty.DynamicPseudoType, 0},
		"a wrapper with a type too many": {"93 c4 06 22626f6f6c22 c3 c3", cty.DynamicPseudoType, 0},
		"a wrapper without a type":       {"92 a1 61 c3", cty.DynamicPseudoType, 1},
		"a type that does not exist":     {"92 c4 03 227822 c3", cty.DynamicPseudoType, 1},
	} {
		_, err := dynamic{text: bytesOf(t, tt.hex), at: 100}.value(tt.t)
		if e, ok := errors.AsType[*Error](err); !ok || e.Offset != 100+tt.at {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, text := range []string{strings.Repeat("\x91", 100_000), strings.Repeat("\x81\xa0", 100_000)} {
		bounds.AtMost(t, "nested deeply", 10*len(text), func() {
			if _, err := (dynamic{text: []byte(text)}).value(cty.NilType); !errors.Is(err, ErrLimit) {
				t.Errorf("nested deeply: %v", err)
			}
		})
	}
}

// FuzzValue reads values, with a type and without one.
func FuzzValue(f *testing.F) {
	for _, text := range []string{"c0", "82 a161 a178 a162 c0", "92 c4 08 22737472696e6722 a161", "93 01 cb 3fe0000000000000 a3 302e31", "c7 03 0c 81 01 c2", "d4 00 00"} {
		f.Add(bytesOf(f, text))
	}
	types := []cty.Type{
		cty.NilType, cty.DynamicPseudoType, cty.String, cty.Number, cty.List(cty.Number), cty.Set(cty.DynamicPseudoType), cty.Map(cty.String),
		cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.DynamicPseudoType}), cty.Tuple([]cty.Type{cty.Bool, cty.Set(cty.Object(map[string]cty.Type{"a": cty.Number}))}),
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, typ := range types {
			v, err := dynamic{text: src}.value(typ)
			if err != nil {
				if e, ok := errors.AsType[*Error](err); !ok || e.Offset < 0 || e.Offset > int64(len(src)) {
					t.Fatalf("%#v: %v", typ, err)
				}
				continue
			}
			if v.IsKnown() {
				known{}.append(nil, v)
			}
			appendUnknown(nil, v)
			marker{}.append(nil, v, nil)
		}
	})
}

// TestNumbers pins texts of numbers, which hang on math/big.
func TestNumbers(t *testing.T) {
	for _, tt := range []struct{ hex, want string }{
		{"cb 43f0000000000000", "18446744073709550000"},
		{"cb 3e70000000000000", "0.00000005960464477539062"},
		{"cf ffffffffffffffff", "18446744073709551615"},
		{"ca 3f000000", "0.5"},
		{"a5 31322e3530", "12.5"},
		{"a3 316533", "1000"},
		{"a2 2b35", "5"},
		{"00", "0"},
		{"d3 8000000000000000", "-9223372036854775808"},
	} {
		v, err := dynamic{text: bytesOf(t, tt.hex)}.value(cty.Number)
		if err != nil {
			t.Errorf("%s: %v", tt.hex, err)
		} else if got := string(known{}.append(nil, v)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.hex, got, tt.want)
		}
	}
}
