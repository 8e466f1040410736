// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

// secrets wants variables with a name that says so to be sensitive, and makes them so.
var secrets = &hcllint.Analyzer{
	Name:    "acme_secrets",
	Doc:     "Variables called ..._secret are sensitive.",
	Presets: []string{"acme"},
	Run: func(pass *hcllint.Pass) (any, error) {
		for v := range pass.Blocks("variable") {
			if strings.HasSuffix(v.Labels[0], "_secret") && !v.Is(v.Expression("sensitive"), true) {
				pass.Report(hcllint.Diagnostic{
					At:      v,
					Message: "variable " + v.Labels[0] + " must be sensitive",
					Fixes: []hcllint.Fix{{Message: "Add sensitive", Edit: func(e *hcllint.Edits) {
						e.In(v).Set(v.Block, "sensitive", true)
					}}},
				})
			}
		}
		return nil, nil
	},
}
