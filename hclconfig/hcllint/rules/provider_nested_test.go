// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const nestedSchemas = `{"provider_schemas": {"registry.terraform.io/hashicorp/lab": {
	"provider": {"block": {"attributes": {"region": {"type": "string", "optional": true}}}},
	"resource_schemas": {
		"lab_tree": {"block": {
			"attributes": {
				"inner": {"optional": true, "nested_type": {"nesting_mode": "map", "attributes": {
					"name": {"type": "string", "required": true}, "note": {"type": "string", "optional": true},
					"old": {"type": "string", "optional": true, "deprecated": true, "deprecation_message": "Use note."},
					"id": {"type": "string", "computed": true},
					"port": {"optional": true, "nested_type": {"nesting_mode": "single", "attributes": {"n": {"type": "number", "optional": true}}}}}}},
				"list": {"optional": true, "nested_type": {"nesting_mode": "list", "attributes": {"n": {"type": "number", "required": true}}}},
				"objs": {"type": ["list", ["object", {"x": "string", "y": "string"}, ["y", "z"]]], "optional": true}
			},
			"block_types": {
				"need": {"nesting_mode": "single", "block": {"attributes": {"o": {"type": "string", "optional": true}},
					"block_types": {"in": {"nesting_mode": "single", "block": {"attributes": {"r": {"type": "string", "required": true}}}}}}},
				"timeouts": {"nesting_mode": "single", "block": {"attributes": {"create": {"type": "string", "optional": true}}}}
			}
		}},
		"lab_old": {"block": {"deprecated": true, "deprecation_message": "Use lab_tree.", "attributes": {}}}
	}
}}}`

// TestNestedProviderRules is about the parts of values: members that may be missing, those that nobody knows, and those that are refused.
func TestNestedProviderRules(t *testing.T) {
	got := providerFindings(t, "main.tf", `provider "lab" {
  alias  = "other"
  regoin = "x"
}
resource "lab_tree" "good" {
  inner = { a = { name = "n" }, b = { name = "m", port = {} } }
  list  = [{ n = "1" }]
  objs  = [{ x = "1" }]
  need { 
    in { r = "x" }
  }
}
resource "lab_tree" "bad" {
  inner = {
    a = { name = "n", nmae = "n" }
    b = { name = null, old = "x", id = "y", port = { m = 1 } }
  }
  list = [{ n = 1 }, { n = 2, m = 3 }]
  objs = [{ x = "1", w = 1 }]
}
resource "lab_tree" "wrong" {
  inner = { a = { note = "n" } }
  list  = [{ n = "x" }]
  objs  = [{ y = "1" }]
  need {}
}
resource "lab_old" "a" {}
`, nestedSchemas)
	want := []string{
		`3,3: there is no argument "regoin". Did you mean "region"?; nothing uses this provider configuration (unknown_argument)`,
		`13,27: the block "need.in" is missing, whose argument "r" is required (missing_argument)`,
		`15,23: there is no attribute "nmae": the value is dropped. Did you mean "name"? (unknown_nested_argument)`,
		`16,18: the argument "name" is required, but null (missing_argument)`,
		`16,30: the argument "old" is deprecated: Use note. (deprecated)`,
		`16,35: the argument "id" is read-only (read_only_argument)`,
		`16,54: there is no attribute "m": the value is dropped. Did you mean "n"? (unknown_nested_argument)`,
		`18,31: there is no attribute "m": the value is dropped. Did you mean "n"? (unknown_nested_argument)`,
		`19,22: there is no attribute "w": the value is dropped. Did you mean "x"? (unknown_nested_argument)`,
		`22,11: the argument "inner" has a value of the wrong type: element "a": attribute "name" is required (wrong_type)`,
		`23,11: the argument "list" has a value of the wrong type: a number is required (wrong_type)`,
		`24,11: the argument "objs" has a value of the wrong type: element 0: attribute "x" is required (wrong_type)`,
		`25,8: the block "in" is missing, whose argument "r" is required (missing_argument)`,
		`27,1: the resource type "lab_old" is deprecated: Use lab_tree. (deprecated)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestProviderFunctions: functions that a provider does not have; one without any may make them.
func TestProviderFunctions(t *testing.T) {
	const schemas = `{"provider_schemas": {
		"registry.terraform.io/hashicorp/lab": {"functions": {"twice": {"return_type": "number", "parameters": [{"name": "n", "type": "number"}]}}},
		"registry.terraform.io/hashicorp/lua": {}}}`
	got := providerFindings(t, "main.tf", `locals {
  a = provider::lab::twice(1)
  b = provider::lab::twise(1)
  c = provider::lua::any(1)
  d = "${provider::lab::west::own(1)}"
  e = provider::other::f(1)
}
`, schemas)
	if diff := cmp.Diff([]string{`3,7: the provider "lab" has no function "twise". Did you mean "twice"? (unknown_function)`}, got); diff != "" {
		t.Error(diff)
	}
	got = providerFindings(t, "main.tf.json", `{"locals": {"b": "${provider::lab::twise(1)}"}}`, schemas)
	if len(got) != 1 {
		t.Errorf("in JSON: %q", got)
	}
}
