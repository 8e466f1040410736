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

// Nested blocks are the same whether they are written one by one, in JSON, or made by a
// dynamic block from something that is known.
func ExampleBlock_Nested() {
	fsys := fstest.MapFS{
		"main.tf": {Data: []byte(`
locals {
  open = { ssh = 22, web = 443 }
}
resource "aws_security_group" "a" {
  dynamic "ingress" {
    for_each = local.open
    content {
      from_port = ingress.value
    }
  }
}
`)},
		"more.tf.json": {Data: []byte(`{"resource": {"aws_security_group": {"b": {"ingress": [{"from_port": 80}, {"from_port": 22}]}}}}`)},
	}
	ssh := &hcllint.Analyzer{
		Name: "acme_ssh",
		Doc:  "No group opens SSH.",
		Run: func(pass *hcllint.Pass) (any, error) {
			for group := range pass.Blocks("resource", "aws_security_group") {
				rules, _ := group.Nested("ingress")
				for _, rule := range rules {
					if x := rule.Expression("from_port"); rule.Is(x, 22) {
						pass.Reportf(x, "group %s opens SSH", group.Labels[1])
					}
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
	report, err := hcllint.Run(tree, []*hcllint.Analyzer{ssh}, hcllint.RunOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range report.Diagnostics {
		fmt.Println(d.Range, d.Message)
	}
	// Output:
	// main.tf:9,19-32 group a opens SSH
	// more.tf.json:1,89-91 group b opens SSH
}
