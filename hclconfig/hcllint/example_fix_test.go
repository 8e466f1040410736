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

// A fix makes an edit and leaves the rest of the file as it is.
func ExampleReport_Fix() {
	fsys := fstest.MapFS{"main.tf": {Data: []byte("variable \"token\" {\n  type = string # of the API\n}\n")}}
	tokens := &hcllint.Analyzer{
		Name: "acme_token",
		Doc:  "The variable token is sensitive.",
		Run: func(pass *hcllint.Pass) (any, error) {
			for v := range pass.Blocks("variable", "token") {
				if !v.Is(v.Expression("sensitive"), true) {
					pass.Report(hcllint.Diagnostic{
						At:      v,
						Message: "token must be sensitive",
						Fixes: []hcllint.Fix{{Message: "Add sensitive", Edit: func(e *hcllint.Edits) {
							e.In(v).Set(v.Block, "sensitive", true)
						}}},
					})
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
	report, err := hcllint.Run(tree, []*hcllint.Analyzer{tokens}, hcllint.RunOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Fix() {
		fmt.Printf("%s", f.Bytes())
	}
	// Output:
	// variable "token" {
	//   type      = string # of the API
	//   sensitive = true
	// }
}
