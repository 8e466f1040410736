// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/collision"
	"github.com/tofuwire/tofuwire/planjson"
)

func secret(v cty.Value) cty.Value { return v.Mark(planjson.Sensitive) }

// Changes become values, with all shapes that unknown and sensitive parts have.
func TestAfterCty(t *testing.T) {
	str, num := cty.String, cty.Number
	s, n := cty.StringVal, cty.NumberIntVal
	for _, row := range []struct {
		name                      string
		after, unknown, sensitive string
		typ                       cty.Type
		want                      cty.Value
	}{
		{"known", `{"a":"x","b":1}`, `{}`, `{}`, cty.Object(map[string]cty.Type{"a": str, "b": num}),
			cty.ObjectVal(map[string]cty.Value{"a": s("x"), "b": n(1)})},
		{"deleted", `null`, `{}`, `false`, cty.Object(map[string]cty.Type{"a": str}), cty.NullVal(cty.Object(map[string]cty.Type{"a": str}))},
		{"wholly unknown", ``, `true`, `false`, cty.List(str), cty.UnknownVal(cty.List(str))},
		{"wholly unknown object", ``, `{"a":true}`, `false`, cty.Object(map[string]cty.Type{"a": str}), cty.UnknownVal(cty.Object(map[string]cty.Type{"a": str}))},
		{"unknown output", ``, `true`, `true`, cty.DynamicPseudoType, secret(cty.DynamicVal)},
		{"null output", `null`, `false`, `true`, str, secret(cty.NullVal(str))},
		{"sensitive output", `[1]`, `false`, `true`, cty.List(num), secret(cty.ListVal([]cty.Value{n(1)}))},
		{"unknown attribute", `{"b":1}`, `{"a":true}`, `{}`, cty.Object(map[string]cty.Type{"a": str, "b": num}),
			cty.ObjectVal(map[string]cty.Value{"a": cty.UnknownVal(str), "b": n(1)})},
		{"missing attribute", `{"b":1}`, `{}`, `{"a":true}`, cty.Object(map[string]cty.Type{"a": str, "b": num}),
			cty.ObjectVal(map[string]cty.Value{"a": secret(cty.NullVal(str)), "b": n(1)})},
		{"null or unknown in a list", `[null,null,"x"]`, `[true,false,false]`, `[false,false,true]`, cty.List(str),
			cty.ListVal([]cty.Value{cty.UnknownVal(str), cty.NullVal(str), secret(s("x"))})},
		{"unknown and sensitive collections", `[null]`, `[true]`, `[[]]`, cty.List(cty.List(str)), cty.ListVal([]cty.Value{cty.UnknownVal(cty.List(str))})},
		{"empty skeletons", `{"l":[],"m":{},"o":{"x":1}}`, `{"l":[],"m":{},"o":{}}`, `{"l":[],"m":{},"o":{}}`,
			cty.Object(map[string]cty.Type{"l": cty.List(str), "m": cty.Map(str), "o": cty.Object(map[string]cty.Type{"x": num})}),
			cty.ObjectVal(map[string]cty.Value{"l": cty.ListValEmpty(str), "m": cty.MapValEmpty(str), "o": cty.ObjectVal(map[string]cty.Value{"x": n(1)})})},
		{"unknown element of a map", `{"a":"x"}`, `{"b":true,"c":{}}`, `{"b":true}`, cty.Map(str),
			cty.MapVal(map[string]cty.Value{"a": s("x"), "b": secret(cty.UnknownVal(str))})},
		{"sensitive subtree", `{"l":["x",null]}`, `{"l":[false,true]}`, `{"l":true}`, cty.Object(map[string]cty.Type{"l": cty.List(str)}),
			cty.ObjectVal(map[string]cty.Value{"l": secret(cty.ListVal([]cty.Value{s("x"), cty.UnknownVal(str)}))})},
		{"set", `["b","a",null]`, `[false,false,true]`, `[false,true,false]`, cty.Set(str),
			cty.SetVal([]cty.Value{s("b"), secret(s("a")), cty.UnknownVal(str)})},
		{"tuple", `["a",1,null]`, `[false,false,true]`, `[]`, cty.Tuple([]cty.Type{str, num, cty.Bool}),
			cty.TupleVal([]cty.Value{s("a"), n(1), cty.UnknownVal(cty.Bool)})},
		{"empty set and tuple", `[[],[]]`, `[[],[]]`, `[[],[]]`, cty.Tuple([]cty.Type{cty.Set(num), cty.EmptyTuple}),
			cty.TupleVal([]cty.Value{cty.SetValEmpty(num), cty.EmptyTupleVal})},
		{"dynamic", `{"a":[1,"x",{"b":null}]}`, `{"a":[false,false,{"c":true}]}`, `{"a":[false,true,{}]}`, cty.DynamicPseudoType,
			cty.ObjectVal(map[string]cty.Value{"a": cty.TupleVal([]cty.Value{n(1), secret(s("x")),
				cty.ObjectVal(map[string]cty.Value{"b": cty.NullVal(cty.DynamicPseudoType), "c": cty.DynamicVal})})})},
		{"list of any", `[1,"x",true]`, `[false,false,false]`, `[true,false,false]`, cty.List(cty.DynamicPseudoType),
			cty.ListVal([]cty.Value{secret(s("1")), s("x"), s("true")})},
		{"map of any", `{"a":1,"b":"x"}`, `{}`, `{}`, cty.Map(cty.DynamicPseudoType), cty.MapVal(map[string]cty.Value{"a": s("1"), "b": s("x")})},
		{"marks below a scalar", `{"a":"x"}`, `{}`, `{"a":{"b":true}}`, cty.Map(str), cty.MapVal(map[string]cty.Value{"a": secret(s("x"))})},
		{"marks of another length", `["a","b"]`, `[false,false]`, `[true]`, cty.List(str), secret(cty.ListVal([]cty.Value{s("a"), s("b")}))},
		{"marks of another kind", `{"a":"x"}`, `{}`, `[true]`, cty.Map(str), secret(cty.MapVal(map[string]cty.Value{"a": s("x")}))},
		{"optional attributes", `{"a":"x"}`, `{}`, `{}`, cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a": str, "b": str}, []string{"b"}),
			cty.ObjectVal(map[string]cty.Value{"a": s("x"), "b": cty.NullVal(str)})},
		{"no companions", `{"a":"x"}`, ``, ``, cty.Map(str), cty.MapVal(map[string]cty.Value{"a": s("x")})},
		{"composed names", "{\"e\u0301\":\"e\u0301\"}", `{}`, `{}`, cty.Map(str), cty.MapVal(map[string]cty.Value{"\u00e9": s("\u00e9")})},
	} {
		c := planjson.Change{After: value(row.after), AfterUnknown: value(row.unknown), AfterSensitive: value(row.sensitive)}
		got, err := c.AfterCty(row.typ)
		if err != nil || !got.RawEquals(row.want) {
			t.Errorf("%s:\ngot  %#v, %v\nwant %#v", row.name, got, err, row.want)
		}
	}
}

func value(text string) planjson.Value {
	if text == "" {
		return nil
	}
	return planjson.Value(text)
}

func TestAfterCtyErrors(t *testing.T) {
	str := cty.String
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	for _, row := range []struct {
		name, after, unknown, sensitive string
		typ                             cty.Type
		want                            string
	}{
		{"absent", ``, `{}`, `false`, str, "planjson: (/after): the value is absent"},
		{"no type", `1`, ``, ``, cty.NilType, "planjson: line 1, column 1: there is no type"},
		{"another kind", `{"a":[{"b":"x"}]}`, ``, ``, cty.Map(cty.List(cty.Map(cty.Number))),
			"planjson: line 1, column 12 (/a/0/b): number is required, not string"},
		{"object for a list", "{\n\"a\":\n {}}", ``, ``, cty.Map(cty.List(str)), "planjson: line 3, column 2 (/a): list of string is required, not object"},
		{"list for an object", `[]`, ``, ``, cty.EmptyObject, "planjson: line 1, column 1: object is required, not array"},
		{"new attribute", `{"a":{"b":1}}`, ``, ``, cty.Object(map[string]cty.Type{"a": cty.EmptyObject}),
			"planjson: line 1, column 11 (/a/b): the type has no such attribute"},
		{"new unknown attribute", `{}`, `{"z":true}`, ``, cty.EmptyObject, "planjson: line 1, column 1 (/z): the type has no such attribute"},
		{"tuple length", `[1]`, ``, ``, cty.EmptyTuple, "planjson: line 1, column 1: a tuple of 0 elements is required, not of 1"},
		{"unknown of another length", `[null]`, `[false,true]`, ``, cty.List(str),
			"planjson: line 1, column 1: the unknown parts do not have the shape of the value"},
		{"unknown of another kind", `{"a":"x"}`, `[true]`, ``, cty.Map(str),
			"planjson: line 1, column 1: the unknown parts do not have the shape of the value"},
		{"unknown below a scalar", `"x"`, `{"a":true}`, ``, str,
			"planjson: line 1, column 1: the unknown parts do not have the shape of the value"},
		{"too many digits", `[1e100001]`, ``, ``, cty.List(cty.Number), "planjson: line 1, column 2 (/0): limit exceeded: the number has too many digits"},
		{"nothing in common", `[[],{}]`, ``, ``, cty.List(cty.DynamicPseudoType), "planjson: line 1, column 1: the elements have no type in common"},
		{"nothing in common in a map", `{"a":[],"b":{}}`, ``, ``, cty.Map(cty.DynamicPseudoType), "planjson: line 1, column 1: the elements have no type in common"},
		{"broken", `{"a":}`, ``, ``, cty.Map(str), "planjson: line 1, column 6: expected a value"},
		{"broken unknown", `{}`, `{`, ``, cty.Map(str), "planjson: line 1, column 2: unexpected end of JSON text"},
		{"broken sensitive", `{}`, ``, `{]`, cty.Map(str), "planjson: line 1, column 2: expected a member name in double quotes"},
		{"deep", deep, ``, ``, cty.DynamicPseudoType, "planjson: line 1, column 501 (" + strings.Repeat("/0", 500) + "): limit exceeded: nested too deeply"},
		{"bool from text", `"yes"`, ``, ``, cty.Bool, "planjson: line 1, column 1: bool is required, not string"},
		{"number from text", `" 1"`, ``, ``, cty.Number, "planjson: line 1, column 1: number is required, not string"},
		{"hexadecimal number", `"0x10"`, ``, ``, cty.Number, "planjson: line 1, column 1: number is required, not string"},
		{"number with a line", `"1_000"`, ``, ``, cty.Number, "planjson: line 1, column 1: number is required, not string"},
		{"only a point", `"."`, ``, ``, cty.Number, "planjson: line 1, column 1: number is required, not string"},
		{"no exponent", `"1e"`, ``, ``, cty.Number, "planjson: line 1, column 1: number is required, not string"},
		{"infinite number", `"-Inf"`, ``, ``, cty.Number, "planjson: line 1, column 1: limit exceeded: the number is infinite"},
		{"binary exponent", `"+1P+40000"`, ``, ``, cty.Number, "planjson: line 1, column 1: limit exceeded: the number has too many digits"},
		{"huge binary exponent", `"1p99999999999999999999"`, ``, ``, cty.Number, "planjson: line 1, column 1: limit exceeded: the number has too many digits"},
		{"capsule", `1`, ``, ``, cty.Capsule("c", reflect.TypeFor[int]()), "planjson: line 1, column 1: c is required, not number"},
	} {
		c := planjson.Change{After: value(row.after), AfterUnknown: value(row.unknown), AfterSensitive: value(row.sensitive)}
		_, err := c.AfterCty(row.typ)
		var e *planjson.Error
		if !errors.As(err, &e) || err.Error() != row.want {
			t.Errorf("%s: got  %v\nwant %s", row.name, err, row.want)
		}
	}
}

func TestValueCty(t *testing.T) {
	for _, row := range []struct {
		v    string
		typ  cty.Type
		want cty.Value
	}{
		{`"1.5"`, cty.Number, cty.MustParseNumberVal("1.5")},
		{`"+1"`, cty.Number, cty.NumberIntVal(1)},
		{`"-01"`, cty.Number, cty.NumberIntVal(-1)},
		{`"+.5"`, cty.Number, cty.NumberFloatVal(0.5)},
		{`"1."`, cty.Number, cty.NumberIntVal(1)},
		{`"08E+1"`, cty.Number, cty.NumberIntVal(80)},
		{`"3p-2"`, cty.Number, cty.NumberFloatVal(0.75)},
		{`"0p99999999999"`, cty.Number, cty.Zero},
		{`1.50`, cty.String, cty.StringVal("1.50")},
		{`"true"`, cty.Bool, cty.True},
		{`"false"`, cty.Bool, cty.False},
		{`true`, cty.String, cty.StringVal("true")},
		{`1e400`, cty.Number, cty.MustParseNumberVal("1e400")},
		{`12345678901234567890.5`, cty.DynamicPseudoType, cty.MustParseNumberVal("12345678901234567890.5")},
		{` null `, cty.DynamicPseudoType, cty.NullVal(cty.DynamicPseudoType)},
		{`{"a":1,"a":"last"}`, cty.DynamicPseudoType, cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("last")})},
	} {
		got, err := planjson.Value(row.v).Cty(row.typ)
		if err != nil || !got.RawEquals(row.want) {
			t.Errorf("%s: got %#v, %v", row.v, got, err)
		}
	}
	if _, err := planjson.Value(nil).Cty(cty.String); !errors.Is(err, planjson.ErrAbsent) {
		t.Errorf("nil: %v", err)
	}
	w, err := planjson.Value(`{"a":[1,"x"],"b":null}`).Cty(cty.DynamicPseudoType)
	if want := cty.Object(map[string]cty.Type{"a": cty.Tuple([]cty.Type{cty.Number, cty.String}), "b": cty.DynamicPseudoType}); err != nil || !w.Type().Equals(want) {
		t.Errorf("got %#v, %v", w, err)
	}
	if _, err := planjson.Value(`{`).Cty(cty.DynamicPseudoType); err == nil {
		t.Error("a broken value has a type")
	}
	v, err := planjson.ValueOf(cty.ObjectVal(map[string]cty.Value{"z": cty.SetVal([]cty.Value{cty.StringVal("<")}), "a": cty.MustParseNumberVal("1e30")}))
	if err != nil || string(v) != `{"a":1000000000000000000000000000000,"z":["\u003c"]}` {
		t.Errorf("got %s, %v", v, err)
	}
	var e *planjson.Error
	for _, bad := range []cty.Value{cty.UnknownVal(cty.String), secret(cty.True)} {
		if _, err := planjson.ValueOf(bad); !errors.As(err, &e) {
			t.Errorf("%#v: %v", bad, err)
		}
	}
}

func TestParseType(t *testing.T) {
	for text, want := range map[string]cty.Type{
		`"string"`:               cty.String,
		`"number"`:               cty.Number,
		`"bool"`:                 cty.Bool,
		`"dynamic"`:              cty.DynamicPseudoType,
		`["list","string"]`:      cty.List(cty.String),
		`["set",["map","x"]]`:    cty.NilType,
		`["set",["map","bool"]]`: cty.Set(cty.Map(cty.Bool)),
		`["tuple",[]]`:           cty.EmptyTuple,
		`[ "tuple" , ["number", ["list","dynamic"]] ]`: cty.Tuple([]cty.Type{cty.Number, cty.List(cty.DynamicPseudoType)}),
		`["object",{}]`:                   cty.EmptyObject,
		`["object",{"a":"string"}]`:       cty.Object(map[string]cty.Type{"a": cty.String}),
		`["object",{"a":"string"},["a"]]`: cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a": cty.String}, []string{"a"}),
		`["object",{"a":"string"},["b"]]`: cty.NilType,
		`["object",{"a":"str"}]`:          cty.NilType,
		`["tuple",["str"]]`:               cty.NilType,
		`["list"]`:                        cty.NilType,
		`["list","string","string"]`:      cty.NilType,
		`["capsule","string"]`:            cty.NilType,
		`"any"`:                           cty.NilType,
		`{}`:                              cty.NilType,
		`null`:                            cty.NilType,
		`["list",`:                        cty.NilType,
		strings.Repeat(`["list",`, 300) + `"bool"` + strings.Repeat("]", 300): cty.NilType,
	} {
		got, err := planjson.ParseType(planjson.Value(text))
		if (err == nil) != (want != cty.NilType) || err == nil && !got.Equals(want) {
			t.Errorf("%.60s: got %#v, %v", text, got, err)
		}
		var e *planjson.Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%.60s: %v", text, err)
		}
	}
	if _, err := planjson.ParseType(nil); !errors.Is(err, planjson.ErrAbsent) {
		t.Errorf("nil: %v", err)
	}
}

// schemas returns the schemas of all recorded providers, by the names of
// OpenTofu and Terraform.
func schemas(t testing.TB) *planjson.Schemas {
	t.Helper()
	all := &planjson.Schemas{ProviderSchemas: make(map[string]*planjson.ProviderSchema)}
	for _, tool := range []string{"tofu-1.12.6", "terraform-1.11.4"} {
		text, err := os.ReadFile("testdata/" + tool + "/commands/providers-schema.json")
		if err != nil {
			t.Fatal(err)
		}
		s, err := planjson.DecodeSchemas(text)
		if err != nil {
			t.Fatal(err)
		}
		for name, p := range s.ProviderSchemas {
			all.ProviderSchemas[name] = p
		}
	}
	return all
}

// The values of all recorded resources fit the type of their schema, and what
// is known of them is what the text says.
func TestRecordingsCty(t *testing.T) {
	all := schemas(t)
	n, unknown, marked := 0, 0, 0
	typeOf := func(provider string, mode addrs.Mode, typ string) cty.Type {
		s := all.Resource(provider, mode, typ)
		if s == nil {
			return cty.NilType
		}
		ty, err := s.Block.ImpliedType()
		if err != nil {
			t.Fatal(err)
		}
		return ty
	}
	check := func(name string, v cty.Value, err error, raw planjson.Value) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		n++
		bare, marks := v.UnmarkDeep()
		if len(marks) > 0 {
			marked++
		}
		if !bare.IsWhollyKnown() {
			unknown++
			return
		}
		// Sets may have been sorted in another way.
		back, err := planjson.ValueOf(bare)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		again, err := back.Cty(bare.Type())
		if err != nil || !again.RawEquals(bare) {
			t.Errorf("%s: %#v became %#v, %v", name, bare, again, err)
		}
		if len(back) < len(raw)/2 {
			t.Errorf("%s: only %s of %s", name, back, raw)
		}
	}
	for _, r := range recordings(t, "plan", "state") {
		doc, err := decodeAs(r.kind, r.text)
		if err != nil {
			t.Fatal(err)
		}
		state, _ := doc.value.(*planjson.State)
		if plan, ok := doc.value.(*planjson.Plan); ok {
			state = plan.PriorState
			for list, c := range plan.AllChanges() {
				name := r.name + " " + list + " " + c.Address
				typ := cty.DynamicPseudoType
				if rc := c.Resource; rc != nil {
					if typ = typeOf(rc.ProviderName, rc.Mode, rc.Type); typ == cty.NilType {
						typ = cty.DynamicPseudoType
					}
				}
				v, err := c.Change.AfterCty(typ)
				check(name+" after", v, err, c.Change.After)
				v, err = c.Change.BeforeCty(typ)
				check(name+" before", v, err, c.Change.Before)
			}
			for name, o := range plan.PlannedValues.Outputs {
				v, err := o.Cty()
				check(r.name+" planned output "+name, v, err, o.Value)
			}
		}
		for res := range state.AllResources() {
			typ := typeOf(res.ProviderName, res.Mode, res.Type)
			if typ == cty.NilType {
				typ = cty.DynamicPseudoType
			}
			v, err := res.Cty(typ)
			check(r.name+" "+res.Address, v, err, res.Values)
		}
	}
	if n < 1000 || unknown < 100 || marked < 50 {
		t.Errorf("only %d values, %d unknown, %d sensitive", n, unknown, marked)
	}
}

func TestOutputCty(t *testing.T) {
	for _, row := range []struct {
		o    planjson.Output
		want cty.Value
	}{
		{planjson.Output{Type: value(`["list","number"]`), Value: value(`[1]`)}, cty.ListVal([]cty.Value{cty.NumberIntVal(1)})},
		{planjson.Output{Value: value(`[1]`), Sensitive: true}, secret(cty.TupleVal([]cty.Value{cty.NumberIntVal(1)}))},
		{planjson.Output{Type: value(`"dynamic"`), Value: value(`null`)}, cty.NullVal(cty.DynamicPseudoType)},
		{planjson.Output{Sensitive: true}, secret(cty.DynamicVal)},
	} {
		if got, err := row.o.Cty(); err != nil || !got.RawEquals(row.want) {
			t.Errorf("got %#v, %v, want %#v", got, err, row.want)
		}
	}
	for _, o := range []planjson.Output{{Type: value(`"x"`)}, {Type: value(`"bool"`), Value: value(`[]`)}} {
		if _, err := o.Cty(); err == nil {
			t.Errorf("%s %s: no error", o.Type, o.Value)
		}
	}
}

func TestBlockImpliedType(t *testing.T) {
	attr := func(typ string) *planjson.Attribute { return &planjson.Attribute{Type: value(typ)} }
	nested := func(mode planjson.NestingMode, typ string) *planjson.Attribute {
		return &planjson.Attribute{NestedType: &planjson.NestedType{NestingMode: mode, Attributes: map[string]*planjson.Attribute{"x": attr(typ)}}}
	}
	block := func(mode planjson.NestingMode, typ string) *planjson.BlockType {
		return &planjson.BlockType{NestingMode: mode, Block: &planjson.Block{Attributes: map[string]*planjson.Attribute{"y": attr(typ)}}}
	}
	b := &planjson.Block{
		Attributes: map[string]*planjson.Attribute{
			"a": attr(`"string"`), "opt": attr(`["object",{"p":"bool"},["p"]]`),
			"single": nested("single", `"number"`), "list": nested("list", `"number"`), "set": nested("set", `"number"`),
			"map": nested("map", `"number"`), "any": nested("list", `"dynamic"`),
		},
		BlockTypes: map[string]*planjson.BlockType{
			"bsingle": block("single", `"bool"`), "bgroup": block("group", `"bool"`), "blist": block("list", `"bool"`),
			"bset": block("set", `"bool"`), "bmap": block("map", `"bool"`), "bany": block("map", `"dynamic"`),
		},
	}
	x, y := cty.Object(map[string]cty.Type{"x": cty.Number}), cty.Object(map[string]cty.Type{"y": cty.Bool})
	want := cty.Object(map[string]cty.Type{
		"a": cty.String, "opt": cty.Object(map[string]cty.Type{"p": cty.Bool}), "single": x, "list": cty.List(x), "set": cty.Set(x),
		"map": cty.Map(x), "any": cty.DynamicPseudoType, "bsingle": y, "bgroup": y, "blist": cty.List(y), "bset": cty.Set(y),
		"bmap": cty.Map(y), "bany": cty.DynamicPseudoType,
	})
	if got, err := b.ImpliedType(); err != nil || !got.Equals(want) {
		t.Errorf("got %#v, %v", got, err)
	}
	if got, err := (*planjson.Block)(nil).ImpliedType(); err != nil || !got.Equals(cty.EmptyObject) {
		t.Errorf("got %#v, %v", got, err)
	}
	loop := &planjson.Block{}
	loop.BlockTypes = map[string]*planjson.BlockType{"b": {NestingMode: "single", Block: loop}}
	for want, bad := range map[string]*planjson.Block{
		"planjson: (/attributes/a/type): there is no type \"x\"":                                                         {Attributes: map[string]*planjson.Attribute{"a": attr(`"x"`)}},
		"planjson: (/attributes/a~1b/type): the value is absent":                                                         {Attributes: map[string]*planjson.Attribute{"a/b": {}}},
		"planjson: (/attributes/a): there is no attribute":                                                               {Attributes: map[string]*planjson.Attribute{"a": nil}},
		"planjson: (/attributes/n/nested_type/attributes/x/type): it is not a type":                                      {Attributes: map[string]*planjson.Attribute{"n": nested("list", `{}`)}},
		"planjson: (/attributes/n/nested_type/nesting_mode): there is no nesting mode \"odd\"":                           {Attributes: map[string]*planjson.Attribute{"n": nested("odd", `"bool"`)}},
		"planjson: (/block_types/b): there is no block type":                                                             {BlockTypes: map[string]*planjson.BlockType{"b": nil}},
		"planjson: (/block_types/b/nesting_mode): there is no nesting mode \"invalid\"":                                  {BlockTypes: map[string]*planjson.BlockType{"b": block("invalid", `"bool"`)}},
		"planjson: (/block_types/b/block/attributes/y/type): it is not a type":                                           {BlockTypes: map[string]*planjson.BlockType{"b": block("list", `1`)}},
		"planjson: (" + strings.Repeat("/block_types/b/block", 201) + "): limit exceeded: the type is nested too deeply": loop,
	} {
		if _, err := bad.ImpliedType(); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// A set whose elements have all the same hash of cty is an error: it takes time with the square of their number.
func TestCty_hashes(t *testing.T) {
	of := func(n int) planjson.Value {
		return planjson.Value(`["` + strings.Join(collision.Texts(n), `","`) + `"]`)
	}
	if v, err := of(64).Cty(cty.Set(cty.String)); err != nil || v.LengthInt() != 64 {
		t.Error(v, err)
	}
	if _, err := of(65).Cty(cty.Set(cty.String)); !errors.Is(err, planjson.ErrLimit) {
		t.Error(err)
	}
}
