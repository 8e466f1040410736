// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/zclconf/go-cty/cty"
)

func TestSchemaJSON(t *testing.T) {
	got, err := hclconvert.DecodeSchema([]byte(`{
		"attributes": {
			"id": {"type": "string", "computed": true, "description": "", "description_kind": "plain"},
			"tags": {"type": ["map", "string"], "optional": true},
			"shape": {"type": ["object", {"a": "number", "b": "bool"}, ["b"]], "required": true},
			"later": {"type": ["tensor", "string"]},
			"none": {},
			"one": {"nested_type": {"attributes": {"x": {"type": "dynamic", "required": true}}, "nesting_mode": "single"}},
			"many": {"nested_type": {"attributes": {"x": {"type": "number"}}, "nesting_mode": "list"}},
			"keyed": {"nested_type": {"attributes": {"x": {"type": "number"}}, "nesting_mode": "map"}},
			"bag": {"nested_type": {"attributes": {"x": {"type": "number"}}, "nesting_mode": "set"}},
			"any": {"nested_type": {"attributes": {"x": {"type": "dynamic"}}, "nesting_mode": "list"}},
			"odd": {"nested_type": {"attributes": {}, "nesting_mode": "heap"}}
		},
		"block_types": {"disk": {"nesting_mode": "map", "max_items": 2, "block": {
			"block_types": {"part": {"nesting_mode": "group", "block": {"attributes": {"n": {"type": "number"}}}}}
		}}},
		"description_kind": "plain"
	}`))
	if err != nil {
		t.Fatal(err)
	}
	x := map[string]cty.Type{"x": cty.Number}
	want := hclconvert.Schema{
		Attributes: map[string]hclconvert.Attribute{
			"id":    {Type: cty.String},
			"tags":  {Type: cty.Map(cty.String)},
			"shape": {Type: cty.Object(map[string]cty.Type{"a": cty.Number, "b": cty.Bool}), Required: true},
			"later": {Type: cty.DynamicPseudoType},
			"none":  {Type: cty.DynamicPseudoType},
			"one":   {Type: cty.Object(map[string]cty.Type{"x": cty.DynamicPseudoType}), Nested: true},
			"many":  {Type: cty.List(cty.Object(x)), Nested: true},
			"keyed": {Type: cty.Map(cty.Object(x)), Nested: true},
			"bag":   {Type: cty.Set(cty.Object(x)), Nested: true},
			"any":   {Type: cty.DynamicPseudoType, Nested: true},
			"odd":   {Type: cty.DynamicPseudoType, Nested: true},
		},
		Blocks: map[string]hclconvert.NestedBlock{"disk": {Nesting: hclconvert.NestingMap, Schema: hclconvert.Schema{
			Attributes: map[string]hclconvert.Attribute{},
			Blocks: map[string]hclconvert.NestedBlock{"part": {Nesting: hclconvert.NestingGroup, Schema: hclconvert.Schema{
				Attributes: map[string]hclconvert.Attribute{"n": {Type: cty.Number}}, Blocks: map[string]hclconvert.NestedBlock{},
			}}},
		}}},
	}
	if diff := cmp.Diff(&want, got, cmp.Comparer(cty.Type.Equals)); diff != "" {
		t.Error(diff)
	}
	for text, cause := range map[string]error{
		`[]`: hclconfig.ErrKind, `{"attributes":{"a":1}}`: hclconfig.ErrKind, `{`: hclconfig.ErrSyntax,
		strings.Repeat(`{"block_types":{"a":{"block":`, 400) + `{}` + strings.Repeat(`}}}`, 400): hclconfig.ErrSyntax,
	} {
		got, err := hclconvert.DecodeSchema([]byte(text))
		var own *hclconfig.Error
		if !errors.As(err, &own) || !errors.Is(err, cause) || got != nil {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}
