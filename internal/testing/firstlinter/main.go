// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Firstlinter is the program of the guide docs/write-a-linter.md.
package main

import (
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var secrets = &hcllint.Analyzer{
	Name: "acme_secrets",
	Doc:  "Variables called ..._secret are sensitive.",
	Run: func(pass *hcllint.Pass) (any, error) {
		for v := range pass.Blocks("variable") {
			if !strings.HasSuffix(v.Labels[0], "_secret") || v.Is(v.Expression("sensitive"), true) {
				continue
			}
			pass.Report(hcllint.Diagnostic{
				At: v, Message: "this variable must be sensitive",
				Fixes: []hcllint.Fix{{Message: "set sensitive", Edit: func(e *hcllint.Edits) { e.In(v).Set(v.Block, "sensitive", true) }}},
			})
		}
		return nil, nil
	},
}

func main() { hcllint.Main(secrets) }
