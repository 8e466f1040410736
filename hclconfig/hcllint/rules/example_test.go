// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"fmt"
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
