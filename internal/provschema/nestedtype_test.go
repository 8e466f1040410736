// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package provschema

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
)

func TestNestedType(t *testing.T) {
	known := cty.Object(map[string]cty.Type{"a": cty.String})
	dynamic := cty.Object(map[string]cty.Type{"a": cty.DynamicPseudoType})
	for _, test := range []struct {
		mode    string
		t, want cty.Type
	}{
		{"single", known, known},
		{"group", dynamic, dynamic},
		{"list", known, cty.List(known)},
		{"list", dynamic, cty.DynamicPseudoType},
		{"set", known, cty.Set(known)},
		{"set", dynamic, cty.Set(dynamic)},
		{"map", known, cty.Map(known)},
		{"map", dynamic, cty.DynamicPseudoType},
	} {
		if got, ok := NestedType(test.mode, test.t); !ok || !got.Equals(test.want) {
			t.Errorf("NestedType(%q, %#v) = %#v, %v, want %#v", test.mode, test.t, got, ok, test.want)
		}
	}
	for _, mode := range []string{"", "List", "tuple"} {
		if got, ok := NestedType(mode, known); ok || got != cty.DynamicPseudoType {
			t.Errorf("NestedType(%q) = %#v, %v, want none", mode, got, ok)
		}
	}
}
