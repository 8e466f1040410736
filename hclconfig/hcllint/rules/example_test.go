// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

func ExampleRecommended() {
	fsys := fstest.MapFS{"main.tf": {Data: []byte(`terraform {
  required_version = ">= 1.6"
}

variable "zone" {}

output "zone" {
  value = "${var.zone}"
}
`)}}
	tree, err := hclnames.LoadTree(fsys, ".", hclconfig.OpenTofu)
	if err != nil {
		panic(err)
	}
	report, err := hcllint.Run(tree, rules.Recommended(), hcllint.RunOptions{})
	if err != nil {
		panic(err)
	}
	for _, d := range report.Diagnostics {
		fmt.Println(d.Range, d.Message)
	}
	// Output:
	// main.tf:5,1-16 `zone` variable has no type
	// main.tf:8,11-24 Interpolation-only expressions are deprecated in Terraform v0.12.14
}

// All has the rules that are off by default as well: here those of the style guides.
func ExampleAll() {
	fsys := fstest.MapFS{"main.tf": {Data: []byte(`resource "aws_vpc" "main_vpc" {
  cidr_block = "10.0.0.0/16"
  count      = 1
}
`)}}
	tree, err := hclnames.LoadTree(fsys, ".", hclconfig.OpenTofu)
	if err != nil {
		panic(err)
	}
	var style []*hcllint.Analyzer
	for _, a := range rules.All() {
		if strings.HasPrefix(a.Name, "style_") {
			style = append(style, a)
		}
	}
	report, err := hcllint.Run(tree, style, hcllint.RunOptions{})
	if err != nil {
		panic(err)
	}
	for _, d := range report.Diagnostics {
		fmt.Println(d.Range, d.Message)
	}
	// Output:
	// main.tf:1,1-30 the name "main_vpc" repeats the type "aws_vpc"
	// main.tf:3,3-8 count should come before cidr_block
}

// A fix changes only what it is about.
func Example_fix() {
	fsys := fstest.MapFS{"main.tf": {Data: []byte(`locals {
  zone  = "${var.zone}" # of the network
  first = var.zones.0
}
`)}}
	tree, err := hclnames.LoadTree(fsys, ".", hclconfig.OpenTofu)
	if err != nil {
		panic(err)
	}
	report, err := hcllint.Run(tree, []*hcllint.Analyzer{rule("terraform_deprecated_index"), rule("terraform_deprecated_interpolation")}, hcllint.RunOptions{})
	if err != nil {
		panic(err)
	}
	for _, f := range report.Fix() {
		fmt.Printf("%s", f.Bytes())
	}
	// Output:
	// locals {
	//   zone  = var.zone # of the network
	//   first = var.zones[0]
	// }
}

func rule(name string) *hcllint.Analyzer {
	for _, a := range rules.All() {
		if a.Name == name {
			return a
		}
	}
	return nil
}
