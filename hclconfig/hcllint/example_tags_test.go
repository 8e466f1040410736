// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint_test

import (
	"fmt"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// A fix adds a tag in the form that the tags have: an object, a call of merge, or anything else.
func ExampleEdits_SetTag() {
	fsys := fstest.MapFS{"main.tf": {Data: []byte(`resource "aws_vpc" "a" {
  tags = {
    env = "prod"
  }
}
resource "aws_vpc" "b" {
  tags = merge(local.tags, { env = "prod" })
}
resource "aws_vpc" "c" {
  tags = local.tags
}
resource "aws_vpc" "d" {
}
locals {
  tags = {}
}
`)}}
	owners := &hcllint.Analyzer{
		Name: "acme_owner",
		Doc:  "Networks have owners.",
		Run: func(pass *hcllint.Pass) (any, error) {
			for b := range pass.Blocks("resource", "aws_vpc") {
				if has, complete := b.HasTag("owner"); !has && complete {
					pass.Report(hcllint.Diagnostic{At: b, Message: "no owner", Fixes: []hcllint.Fix{{
						Message: "Add the owner",
						Edit:    func(e *hcllint.Edits) { e.SetTag(b, "owner", "ops") },
					}}})
				}
			}
			return nil, nil
		},
	}
	tree, err := hclnames.LoadTree(fsys, ".", hclconfig.OpenTofu)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := hcllint.Run(tree, []*hcllint.Analyzer{owners}, hcllint.RunOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Fix() {
		fmt.Printf("%s", f.Bytes())
	}
	// Output:
	// resource "aws_vpc" "a" {
	//   tags = {
	//     env   = "prod"
	//     owner = "ops"
	//   }
	// }
	// resource "aws_vpc" "b" {
	//   tags = merge(local.tags, { env = "prod", owner = "ops" })
	// }
	// resource "aws_vpc" "c" {
	//   tags = merge(local.tags, {
	//     owner = "ops"
	//   })
	// }
	// resource "aws_vpc" "d" {
	//   tags = {
	//     owner = "ops"
	//   }
	// }
	// locals {
	//   tags = {}
	// }
}
