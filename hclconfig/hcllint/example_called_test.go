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

// A rule looks into all instances of all calls, however deep, with the values of each.
func ExamplePass_In() {
	fsys := fstest.MapFS{
		"main.tf": {Data: []byte(`
module "env" {
  source   = "./env"
  for_each = toset(["prod", "test"])
  name     = each.key
}
`)},
		"env/main.tf": {Data: []byte(`
variable "name" {}
module "bucket" {
  source = "./bucket"
  count  = 2
  name   = "${var.name}-${count.index}"
}
`)},
		"env/bucket/main.tf": {Data: []byte(`
variable "name" {}
resource "aws_s3_bucket" "this" {
  bucket = var.name
}
`)},
	}
	names := &hcllint.Analyzer{
		Name: "acme_bucket_name",
		Doc:  "Lists the names of buckets.",
		Run: func(pass *hcllint.Pass) (any, error) {
			var visit func(pass *hcllint.Pass, path string)
			visit = func(pass *hcllint.Pass, path string) {
				for b := range pass.Blocks("resource", "aws_s3_bucket") {
					if texts, complete := b.Strings(b.Expression("bucket")); complete {
						pass.Reportf(b.Argument("bucket"), "%s%s: %s", path, b.Labels[1], texts)
					}
				}
				for _, child := range pass.Tree.Children {
					for call := range pass.Blocks("module", child.Call.Name) {
						instances, _ := call.Instances()
						for _, i := range instances {
							visit(pass.In(child, i.Key), path+child.Call.Name+i.Key.String()+".")
						}
					}
				}
			}
			visit(pass, "")
			return nil, nil
		},
	}
	tree, err := hclnames.LoadTree(fsys, ".", hclconfig.OpenTofu)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := hcllint.Run(tree, []*hcllint.Analyzer{names}, hcllint.RunOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range report.Diagnostics {
		fmt.Println(d.Range.Filename, d.Message)
	}
	for _, err := range report.Errors {
		fmt.Println("not everything was checked:", err)
	}
	// Output:
	// env/bucket/main.tf env["prod"].bucket[0].this: [prod-0]
	// env/bucket/main.tf env["prod"].bucket[1].this: [prod-1]
	// env/bucket/main.tf env["test"].bucket[0].this: [test-0]
	// env/bucket/main.tf env["test"].bucket[1].this: [test-1]
}
