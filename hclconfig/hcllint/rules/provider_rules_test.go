// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

const testSchemas = `{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/lab": {
	"provider": {"block": {"attributes": {"region": {"type": "string", "optional": true}, "old": {"type": "string", "optional": true, "deprecated": true}}}},
	"resource_schemas": {
		"lab_thing": {"block": {
			"attributes": {
				"id": {"type": "string", "computed": true}, "arn": {"type": "string", "optional": true, "computed": true},
				"name": {"type": "string", "required": true}, "size": {"type": "number", "optional": true},
				"tags": {"type": ["map", "string"], "optional": true}, "old": {"type": "bool", "optional": true, "deprecated": true},
				"rules": {"type": ["list", ["object", {"port": "number"}]], "optional": true}
			},
			"block_types": {
				"disk": {"nesting_mode": "list", "min_items": 1, "max_items": 2, "block": {"attributes": {"gb": {"type": "number", "required": true}, "dev": {"type": "string", "computed": true}}}},
				"net": {"nesting_mode": "single", "block": {"deprecated": true, "attributes": {"ip": {"type": "string", "optional": true}}}},
				"label": {"nesting_mode": "map", "block": {"attributes": {"v": {"type": "string", "optional": true}}}}
			}
		}},
		"lab_legacy": {"block": {"deprecated": true, "attributes": {}}}
	},
	"data_source_schemas": {"lab_thing": {"block": {"attributes": {"id": {"type": "string", "required": true}}}}}
}}}`

// providerFindings runs the rules of providers on a module of one file.
func providerFindings(t *testing.T, file, text, schemas string) []string {
	t.Helper()
	s, err := hclconfig.DecodeSchemas([]byte(schemas))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := hclnames.LoadTree(fstest.MapFS{file: {Data: []byte(text)}}, ".", hclconfig.Terraform)
	if err != nil {
		t.Fatal(err)
	}
	report, err := hcllint.Run(tree, slices.DeleteFunc(All(), func(a *hcllint.Analyzer) bool { return !strings.HasPrefix(a.Name, "provider_") }), hcllint.RunOptions{Schemas: s})
	if err != nil || len(report.Errors) > 0 {
		t.Fatal(err, report.Errors)
	}
	var out []string
	for _, d := range report.Diagnostics {
		out = append(out, fmt.Sprintf("%d,%d: %s (%s)", d.Range.Start.Line, d.Range.Start.Column, d.Message, strings.TrimPrefix(d.Analyzer.Name, "provider_")))
	}
	return out
}

func TestProviderRules(t *testing.T) {
	got := providerFindings(t, "main.tf", `provider "lab" {
  regoin = "x"
  old    = "y"
}
resource "lab_thing" "good" {
  name = var.name
  size = "5"
  tags = { a = 1 }
  arn  = "x"
  disk { gb = 1 }
  dynamic "disk" {
    for_each = var.disks
    content { gb = disk.value }
  }
  rules { port = 1 }
  label "a" { v = "x" }
  count = 2
  lifecycle { prevent_destroy = true }
}
resource "lab_thing" "bad" {
  id    = "x"
  size  = local.text
  tags  = ["a"]
  old   = true
  naem  = "x"
  rules = [{ port = "x" }]
  disk  { dev = "a" }
  disk  { gb = null }
  disk  { gb = 1 }
  net   {}
  net   { ip = [] }
  nett  {}
  name  {}
  label = 1
  dynamic "net" { 
    for_each = [1]
    content { pi = 1 }
  }
  dynamic "other" {
    for_each = []
    content {}
  }
}
resource "lab_thing" "null" {
  name = null
  old  = null
  id   = null
}
resource "lab_legacy" "a" {}
resource "other_x" "a" { b = 1 }
check "c" {
  data "lab_thing" "a" {}
  assert {
    condition     = true
    error_message = "x"
  }
}
locals { text = "many" }
variable "name" {}
variable "disks" {}
`, testSchemas)
	want := []string{
		`2,3: there is no argument "regoin". Did you mean "region"? (unknown_argument)`,
		`3,12: the argument "old" is deprecated (deprecated)`,
		`21,3: the argument "id" is read-only (read_only_argument)`,
		`22,11: the argument "size" has a value of the wrong type: a number is required (wrong_type)`,
		`23,11: the argument "tags" has a value of the wrong type: map of string required (wrong_type)`,
		`24,11: the argument "old" is deprecated (deprecated)`,
		`25,3: there is no argument "naem". Did you mean "name"? (unknown_argument)`,
		`26,11: the argument "rules" has a value of the wrong type: a number is required (wrong_type)`,
		`27,11: the argument "gb" is required (missing_argument)`,
		`27,11: the argument "dev" is read-only (read_only_argument)`,
		`28,16: the argument "gb" is required, but null (missing_argument)`,
		`29,3: there are more than 2 blocks of type "disk" (block_count)`,
		`30,3: blocks of type "net" are deprecated (deprecated)`,
		`31,3: there are more than 1 blocks of type "net" (block_count)`,
		`31,3: blocks of type "net" are deprecated (deprecated)`,
		`31,16: the argument "ip" has a value of the wrong type: string required, but have tuple (wrong_type)`,
		`32,3: there is no block type "nett". Did you mean "net"? (unknown_argument)`,
		`33,3: name is an argument, not a block (unknown_argument)`,
		`34,3: label is a block, not an argument (unknown_argument)`,
		`35,11: blocks of type "net" are deprecated (deprecated)`,
		`37,15: there is no argument "pi". Did you mean "ip"? (unknown_argument)`,
		`39,11: there is no block type "other". (unknown_argument)`,
		`44,29: at least 1 blocks of type "disk" are required (block_count)`,
		`45,10: the argument "name" is required, but null (missing_argument)`,
		`49,1: the resource type "lab_legacy" is deprecated (deprecated)`,
		`52,24: the argument "id" is required (missing_argument)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestProviderRulesInJSON(t *testing.T) {
	got := providerFindings(t, "main.tf.json", `{"resource": {"lab_thing": {"a": {
  "//": "comment", "name": "x", "size": "${[]}",
  "disk": [{"gb": 1}, {"gb": "x"}], "nett": {}, "id": "x", "tags": {"a": 1},
  "label": {"a": {"v": 1, "w": 2}}
}}}}`, testSchemas)
	want := []string{
		`2,41: the argument "size" has a value of the wrong type: number required, but have tuple (wrong_type)`,
		`3,30: the argument "gb" has a value of the wrong type: a number is required (wrong_type)`,
		`3,37: there is no argument "nett". Did you mean "net"? (unknown_argument)`,
		`3,49: the argument "id" is read-only (read_only_argument)`,
		`4,27: there is no argument "w". Did you mean "v"? (unknown_argument)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
