// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Linter is a linter with one rule.
package main

import "github.com/tofuwire/tofuwire/hclconfig/hcllint"

func main() {
	hcllint.Main(&hcllint.Analyzer{
		Name: "example_described",
		Doc:  "Variables have a description.",
		Run: func(pass *hcllint.Pass) (any, error) {
			for v := range pass.Blocks("variable") {
				if v.Argument("description") == nil {
					pass.Reportf(v, "variable %s has no description", v.Labels[0])
				}
			}
			return nil, nil
		},
	})
}
