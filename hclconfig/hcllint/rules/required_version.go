// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
)

var requiredVersion = &hcllint.Analyzer{
	Name: "terraform_required_version",
	Doc: `A module should say which releases it works with.

With required_version, a release that does not support everything in the module refuses it at once.

	terraform {
	  required_version = ">= 1.6"
	}

The finding is at the first terraform block or, if there is none, at the beginning of the only
file, of terraform.tf or of main.tf. If none of these exists, it names terraform.tf.`,
	URL:      page("terraform_required_version"),
	Severity: hcllint.Warning,
	Run: func(p *hcllint.Pass) (any, error) {
		m := p.Module
		if len(m.Files) == 0 || brokenHas(p, "required_version") {
			return nil, nil
		}
		var first *hclconfig.Block
		for _, s := range m.Settings {
			if s.RequiredVersion.IsSet() {
				return nil, nil
			}
			if first == nil && !s.Block.File().IsOverride() {
				first = s.Block
			}
		}
		at := addrs.Range{Filename: versionFile(m), Start: startOfFile, End: startOfFile}
		if first != nil {
			at = hclsource.DefRange(first)
		}
		p.Report(hcllint.Diagnostic{Range: at, Message: `terraform "required_version" attribute is required`})
		return nil, nil
	},
}

// versionFile returns the file in which a required_version is missing.
func versionFile(m *hclconfig.Module) string {
	if len(m.Files) == 1 {
		return m.Files[0].Filename()
	}
	for _, name := range []string{"terraform.tf", "main.tf"} {
		if f := fileNamed(m, name); f != nil {
			return f.Filename()
		}
	}
	return inModule(m, "terraform.tf")
}
