// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package schematype has the types of nested blocks and nested attributes in the
// schemas of providers.
package schematype

import "github.com/zclconf/go-cty/cty"

// Nested returns the type of objects of type t that nest in a mode: "single", "group",
// "list", "set" or "map", as "nesting_mode" spells them. It reports false for others.
func Nested(mode string, t cty.Type) (cty.Type, bool) {
	switch mode {
	case "single", "group":
		return t, true
	case "set":
		return cty.Set(t), true
	case "list", "map":
		if t.HasDynamicTypes() {
			return cty.DynamicPseudoType, true // a list or map would need one type for all
		}
		if mode == "map" {
			return cty.Map(t), true
		}
		return cty.List(t), true
	}
	return cty.DynamicPseudoType, false
}
