// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/planjson"
)

// The companions have these shapes, as the tools write them.
func TestAfterCtyShapes(t *testing.T) {
	secret := func(v cty.Value) cty.Value { return v.Mark(planjson.Sensitive) }
	obj := func(v cty.Value) cty.Value { return cty.ObjectVal(map[string]cty.Value{"a": v}) }
	anObject := cty.Object(map[string]cty.Type{"x": cty.String})
	some := cty.StringVal("x")
	for _, row := range []struct {
		name                      string
		after                     cty.Value
		value, unknown, sensitive string
	}{
		{"all known", obj(some), `{"a":"x"}`, `{}`, `{}`},
		{"all known, with a list", obj(cty.ListVal([]cty.Value{some})), `{"a":["x"]}`, `{}`, `{"a":[false]}`},
		{"nothing", cty.NullVal(cty.EmptyObject), `null`, `{}`, `false`},
		{"nothing known", cty.UnknownVal(anObject), ``, `true`, `{}`},
		{"sensitive", obj(secret(some)), `{"a":"x"}`, `{}`, `{"a":true}`},
		{"sensitive null", obj(secret(cty.NullVal(cty.String))), `{"a":null}`, `{}`, `{"a":true}`},
		{"sensitive collection", obj(secret(cty.ListVal([]cty.Value{some}))), `{"a":["x"]}`, `{}`, `{"a":true}`},
		{"sensitive element", obj(cty.ListVal([]cty.Value{some, secret(some)})), `{"a":["x","x"]}`, `{}`, `{"a":[false,true]}`},
		{"unknown", obj(cty.UnknownVal(cty.String)), `{}`, `{"a":true}`, `{}`},
		{"unknown and sensitive", obj(secret(cty.UnknownVal(cty.String))), `{}`, `{"a":true}`, `{"a":true}`},
		{"unknown list", obj(cty.UnknownVal(cty.List(cty.String))), `{}`, `{"a":true}`, `{"a":[]}`},
		{"unknown map", obj(cty.UnknownVal(cty.Map(cty.String))), `{}`, `{"a":true}`, `{"a":{}}`},
		{"unknown of any type", obj(cty.DynamicVal), `{}`, `{"a":true}`, `{}`},
		{"unknown element", obj(cty.ListVal([]cty.Value{some, cty.UnknownVal(cty.String)})),
			`{"a":["x",null]}`, `{"a":[false,true]}`, `{"a":[false,false]}`},
		{"unknown object in a list", obj(cty.TupleVal([]cty.Value{cty.UnknownVal(anObject)})), `{"a":[null]}`, `{"a":[true]}`, `{"a":[{}]}`},
		{"unknown member of a map", obj(cty.MapVal(map[string]cty.Value{"k<": cty.UnknownVal(cty.String), "l": some})),
			`{"a":{"l":"x"}}`, `{"a":{"k\u003c":true}}`, `{"a":{}}`},
		{"known containers beside something unknown", cty.ObjectVal(map[string]cty.Value{
			"e": cty.ListValEmpty(cty.String), "l": cty.ListVal([]cty.Value{some}), "m": cty.MapValEmpty(cty.String),
			"n": cty.NullVal(cty.List(cty.String)), "o": cty.ObjectVal(map[string]cty.Value{"x": some}), "u": cty.UnknownVal(cty.Bool)}),
			`{"e":[],"l":["x"],"m":{},"n":null,"o":{"x":"x"}}`, `{"e":[],"l":[false],"m":{},"o":{},"u":true}`, `{"e":[],"l":[false],"m":{},"o":{}}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := planjson.Change{After: planjson.Value(row.value), AfterUnknown: planjson.Value(row.unknown), AfterSensitive: planjson.Value(row.sensitive)}
			if row.value == "" {
				c.After = nil
			}
			got, err := c.AfterCty(row.after.Type())
			if err != nil {
				t.Fatal(err)
			}
			if !got.RawEquals(row.after) {
				t.Errorf("got %#v, not %#v", got, row.after)
			}
		})
	}
}

// The values of every change of the recordings whose schema is also recorded have
// what their text says: what is known comes back in the same bytes, and what is
// marked is marked.
func TestCtyOfRecordings(t *testing.T) {
	schemas := make(map[string]*planjson.Schemas)
	for _, r := range recordings(t, "schemas") {
		s, err := planjson.DecodeSchemas(r.text)
		if err != nil {
			t.Fatal(err)
		}
		schemas[toolOf(r.name)] = s
	}
	n := 0
	for _, r := range recordings(t, "plan") {
		s := schemas[toolOf(r.name)]
		if s == nil {
			continue
		}
		plan, err := planjson.DecodePlan(r.text)
		if err != nil {
			t.Fatal(err)
		}
		for _, rc := range plan.ResourceChanges {
			schema := s.Resource(rc.ProviderName, rc.Mode, rc.Type)
			if schema == nil {
				continue
			}
			typ, err := schema.Block.ImpliedType()
			if err != nil {
				t.Fatal(err)
			}
			before, err := rc.Change.BeforeCty(typ)
			if err != nil {
				t.Fatal(err)
			}
			after, err := rc.Change.AfterCty(typ)
			if err != nil {
				t.Fatal(err)
			}
			n++
			for _, p := range []struct {
				name      string
				got       cty.Value
				want      planjson.Value
				sensitive planjson.Value
			}{
				{"before", before, rc.Change.Before, rc.Change.BeforeSensitive},
				{"after", after, rc.Change.After, rc.Change.AfterSensitive},
			} {
				bare, marks := p.got.UnmarkDeep()
				if len(marks) > 0 != hasTrue(p.sensitive) {
					t.Errorf("%s: %s: %s: marks %v, sensitive %s", r.name, rc.Address, p.name, marks, p.sensitive)
				}
				if unknown := p.name == "after" && hasTrue(rc.Change.AfterUnknown); bare.IsWhollyKnown() == unknown {
					t.Errorf("%s: %s: %s is wholly known, or should be", r.name, rc.Address, p.name)
				} else if unknown {
					continue
				}
				if text, err := planjson.ValueOf(bare); err != nil || string(text) != string(p.want) {
					t.Errorf("%s: %s: %s: %v\n got %s\nwant %s", r.name, rc.Address, p.name, err, text, p.want)
				}
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d changes were compared", n)
	}
}

func TestIdentityTypes(t *testing.T) {
	s := &planjson.IdentitySchema{Attributes: map[string]*planjson.IdentityAttribute{"id": nil}}
	if _, err := s.ImpliedType(); err == nil {
		t.Error("an attribute that is nil has a type")
	}
	s.Attributes["id"] = &planjson.IdentityAttribute{Type: planjson.Value(`"strin"`)}
	if _, err := s.ImpliedType(); err == nil {
		t.Error("an attribute without type has a type")
	}
	s.Attributes["id"].Type = planjson.Value(`"string"`)
	if typ, err := s.ImpliedType(); err != nil || !typ.Equals(cty.Object(map[string]cty.Type{"id": cty.String})) {
		t.Errorf("got %#v, %v", typ, err)
	}
}

// toolOf returns the tool that made a recording.
func toolOf(name string) string {
	tool, _, _ := strings.Cut(name, "/")
	return tool
}
