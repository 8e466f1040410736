// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// TestTwins runs everything that is on by default, and wants nothing twice.
func TestTwins(t *testing.T) {
	s, err := hclconfig.DecodeSchemas([]byte(testSchemas))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(`terraform {
  required_version = ">= 1.5"
  required_providers {
    lab = {
      source  = "hashicorp/lab"
      version = "1.0"
    }
  }
}
resource "lab_thing" "a" {
  naem = "x"
  size = "many"
  old  = true
  tags = { a = "${local.a}" }
}
locals { a = "x" }
`)}}, ".", hclconfig.Terraform)
	if err != nil {
		t.Fatal(err)
	}
	report, err := hcllint.Run(tree, Recommended(), hcllint.RunOptions{Schemas: s})
	if err != nil || len(report.Errors) > 0 {
		t.Fatal(err, report.Errors)
	}
	var got []string
	for _, d := range report.Diagnostics {
		got = append(got, d.Analyzer.Name)
	}
	want := []string{
		"provider_block_count", "provider_missing_argument", "provider_unknown_argument", "provider_wrong_type",
		"provider_deprecated", "terraform_deprecated_interpolation",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
		for _, d := range report.Diagnostics {
			t.Log(d.Range, d.Severity, d.Message, d.Analyzer.Name)
		}
	}
}
