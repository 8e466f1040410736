// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint_test

import (
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// A rule about the names of buckets, which finds them through local values.
func ExampleRun() {
	fsys := fstest.MapFS{"main.tf": {Data: []byte(`
locals {
  prefix = "test"
}
resource "aws_s3_bucket" "logs" {
  bucket = "${local.prefix}-logs"
}
`)}}
	buckets := &hcllint.Analyzer{
		Name: "acme_bucket_name",
		Doc:  "Buckets have names that begin with acme-.",
		Run: func(pass *hcllint.Pass) (any, error) {
			for b := range pass.Blocks("resource", "aws_s3_bucket") {
				name := b.Expression("bucket")
				if texts, _ := b.Strings(name); len(texts) == 1 && !strings.HasPrefix(texts[0], "acme-") {
					pass.Reportf(name, "bucket %q must be called acme-...", texts[0])
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
	report, err := hcllint.Run(tree, []*hcllint.Analyzer{buckets}, hcllint.RunOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range report.Diagnostics {
		fmt.Println(d.Range.Start.Line, d.Severity, d.Message)
	}
	// Output: 6 warning bucket "test-logs" must be called acme-...
}
