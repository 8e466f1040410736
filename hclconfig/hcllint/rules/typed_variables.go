// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/tofuwire/tofuwire/hclconfig/hcllint"

var typedVariables = &hcllint.Analyzer{
	Name: "terraform_typed_variables",
	Doc: `A variable should have a type.

Without a type, every value is accepted, and a wrong value fails only where it is used.

	variable "zone" {
	  default = "a"
	}`,
	URL:      page("terraform_typed_variables"),
	Severity: hcllint.Warning,
	Run: func(p *hcllint.Pass) (any, error) {
		for _, v := range p.Module.Variables {
			if !v.Type.IsSet() {
				p.Reportf(v.Block, "`%s` variable has no type", v.Name)
			}
		}
		return nil, nil
	},
}
