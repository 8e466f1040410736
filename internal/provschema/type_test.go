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

// TestDeepestName follows paths into nested attributes.
func TestDeepestName(t *testing.T) {
	leaf := map[string]*Attribute{"x": {}}
	inner := map[string]*Attribute{"deep": {Nested: &Parts{Nesting: List, Attributes: leaf}}, "plain": {}}
	for _, test := range []struct {
		mode string
		path cty.Path
		want string
	}{
		{Single, nil, ""},
		{Single, cty.GetAttrPath("plain"), "plain"},
		{Single, cty.GetAttrPath("plain").IndexInt(0), "plain"},
		{Single, cty.GetAttrPath("deep").IndexInt(0).GetAttr("x"), "x"},
		{Single, cty.GetAttrPath("nothing"), ""},
		{List, cty.IndexIntPath(0), ""},
		{List, cty.IndexIntPath(0).GetAttr("deep"), "deep"},
		{Map, cty.IndexStringPath("k").GetAttr("plain"), "plain"},
		{Set, cty.IndexIntPath(0).GetAttr("plain"), ""},
	} {
		a := &Attribute{Nested: &Parts{Nesting: test.mode, Attributes: inner}}
		if got := a.DeepestName(test.path); got != test.want {
			t.Errorf("%s, %#v: %q, want %q", test.mode, test.path, got, test.want)
		}
	}
	if got := (&Attribute{}).DeepestName(cty.IndexIntPath(0)); got != "" {
		t.Errorf("an attribute without parts: %q", got)
	}
}

// TestHasKit has a provider of each kit, of both, and such as no kit makes.
func TestHasKit(t *testing.T) {
	const (
		id        = `"id":{"type":"string","optional":true,"computed":true}`
		text      = `"a":{"type":"string","optional":true}`
		sdk       = `"p_old":{"block":{"attributes":{` + id + `},"block_types":{"b":{"nesting_mode":"list","min_items":1,"max_items":2,"block":{"attributes":{` + text + `}}}}}}`
		framework = `"p_new":{"block":{"attributes":{"n":{"nested_type":{"nesting_mode":"map","attributes":{` + text + `}},"optional":true}},"block_types":{"b":{"nesting_mode":"single","block":{}}}}}`
	)
	for name, test := range map[string]struct {
		resources string
		want, sdk bool
	}{
		"none":                    {"", true, false},
		"SDK":                     {sdk, true, true},
		"framework":               {framework, true, false},
		"both":                    {sdk + "," + framework, true, true},
		"an id of the framework":  {`"p_a":{"block":{"attributes":{` + id + `,"n":{"nested_type":{"nesting_mode":"list","attributes":{` + text + `}},"optional":true}}}}`, true, false},
		"a map of blocks":         {sdk + `,"p_a":{"block":{"block_types":{"b":{"nesting_mode":"map","block":{}}}}}`, false, true},
		"a group in a block":      {`"p_a":{"block":{"block_types":{"b":{"nesting_mode":"list","block":{"block_types":{"c":{"nesting_mode":"group","block":{}}}}}}}}`, false, false},
		"numbers without the SDK": {`"p_a":{"block":{"block_types":{"b":{"nesting_mode":"list","max_items":1,"block":{}}}}}`, false, false},
		"required and computed":   {`"p_a":{"block":{"attributes":{"a":{"type":"string","required":true,"computed":true}}}}`, false, false},
	} {
		s, err := Decode([]byte(`{"format_version":"1.0","provider_schemas":{"a/b/p":{"provider":{"block":{"block_types":{"e":{"nesting_mode":"list","block":{}}}}},"resource_schemas":{` + test.resources + `}}}}`))
		if err != nil {
			t.Fatal(name, err)
		}
		p := s.Providers()["a/b/p"]
		if p.HasKit() != test.want || p.HasSDK() != test.sdk {
			t.Errorf("%s: %v, %v, want %v, %v", name, p.HasKit(), p.HasSDK(), test.want, test.sdk)
		}
	}
}
