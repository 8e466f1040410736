// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var documentedOutputs = &hcllint.Analyzer{
	Name: "terraform_documented_outputs",
	Doc: `An output should have a description.

Users of a module and registries see the description of an output. An empty one counts as
missing.

	output "id" {
	  value = aws_vpc.main.id
	}`,
	URL:      page("terraform_documented_outputs"),
	Severity: hcllint.Notice,
	Presets:  []string{presetAll},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, o := range p.Module.Outputs {
			if lacksDescription(o.Description) {
				p.Reportf(o.Block, "`%s` output has no description", o.Name)
			}
		}
		return nil, nil
	},
}

var documentedVariables = &hcllint.Analyzer{
	Name: "terraform_documented_variables",
	Doc: `A variable should have a description.

Registries, and the prompt for a value, show the description of a variable. An empty one counts
as missing.

	variable "zone" {
	  type = string
	}`,
	URL:      page("terraform_documented_variables"),
	Severity: hcllint.Notice,
	Presets:  []string{presetAll},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, v := range p.Module.Variables {
			if lacksDescription(v.Description) {
				p.Reportf(v.Block, "`%s` variable has no description", v.Name)
			}
		}
		return nil, nil
	},
}

// lacksDescription reports whether a description is absent or empty. One that is not a
// constant is an error that other rules report.
func lacksDescription(t hclconfig.Text) bool {
	if !t.IsSet() || t.Argument.IsNull() {
		return true
	}
	s, err := t.Argument.Text()
	return err == nil && s == ""
}
