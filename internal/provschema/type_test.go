// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package provschema

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

func TestTypeOf(t *testing.T) {
	object := map[string]cty.Type{"x": cty.String, "y": cty.Number}
	for _, test := range []struct {
		text string
		want cty.Type
	}{
		{`"number"`, cty.Number},
		{`["list",["object",{"x":"string","y":"number"},["y"]]]`, cty.List(cty.ObjectWithOptionalAttrs(object, []string{"y"}))},
		{`["map",["object",{"x":"string","y":"number"}]]`, cty.Map(cty.Object(object))},
		{`["object",{"x":"string","y":"number"},["z","y"]]`, cty.ObjectWithOptionalAttrs(object, []string{"y"})},
		{`["set","dynamic"]`, cty.Set(cty.DynamicPseudoType)},
		{`["tuple",["string",["list","bool"]]]`, cty.Tuple([]cty.Type{cty.String, cty.List(cty.Bool)})},
		{`["object",1]`, cty.DynamicPseudoType},
		{`["list"]`, cty.DynamicPseudoType},
		{`"text"`, cty.DynamicPseudoType},
		{``, cty.DynamicPseudoType},
		{strings.Repeat(`["list",`, MaxDepth+2) + `"string"` + strings.Repeat(`]`, MaxDepth+2), cty.NilType},
	} {
		if got := typeOf([]byte(test.text), 0); test.want != cty.NilType && !got.Equals(test.want) {
			t.Errorf("%s: %#v, want %#v", test.text, got, test.want)
		}
	}
}

// TestInWriteOnly follows paths into a nested attribute of each mode.
func TestInWriteOnly(t *testing.T) {
	inner := map[string]*Attribute{"w": {WriteOnly: true, Nested: &Parts{Nesting: Single, Attributes: map[string]*Attribute{"x": {}}}}, "v": {}}
	for _, test := range []struct {
		mode string
		path cty.Path
		want bool
	}{
		{Single, cty.GetAttrPath("w"), true},
		{Single, cty.GetAttrPath("w").GetAttr("x"), true},
		{Single, cty.GetAttrPath("v"), false},
		{Single, nil, false},
		{List, cty.IndexIntPath(1).GetAttr("w"), true},
		{List, cty.IndexIntPath(1), false},
		{Map, cty.GetAttrPath("v").GetAttr("w"), true},
		{Map, cty.GetAttrPath("w").GetAttr("v"), false},
		{Set, cty.IndexIntPath(0).GetAttr("w"), false},
	} {
		a := &Attribute{Nested: &Parts{Nesting: test.mode, Attributes: inner}}
		if got := a.InWriteOnly(test.path); got != test.want {
			t.Errorf("%s, %#v: %v", test.mode, test.path, got)
		}
	}
}
