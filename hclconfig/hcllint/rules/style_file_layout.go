// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"path"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var styleFileLayout = &hcllint.Analyzer{
	Name: "style_file_layout",
	Doc: `Settings and providers should be in the files where readers look for them.

The style guides put required_version and required_providers in terraform.tf (many modules use
versions.tf), and provider blocks in providers.tf. The rule
terraform_standard_module_structure is about main.tf, variables.tf and outputs.tf. The rule looks at native
syntax only.`,
	URL:      page("style_file_layout"),
	Severity: hcllint.Notice,
	Presets:  []string{presetStyle},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, s := range p.Module.Settings {
			if s.RequiredVersion.IsSet() || len(s.RequiredProviders) > 0 {
				wantFile(p, s.Block, "terraform.tf", "versions.tf")
			}
		}
		for _, c := range p.Module.Providers {
			wantFile(p, c.Block, "providers.tf")
		}
		return nil, nil
	},
}

// wantFile reports a block that is in none of the files.
func wantFile(p *hcllint.Pass, b *hclconfig.Block, files ...string) {
	f := b.File()
	if f.Syntax() != hclconfig.NativeSyntax || f.IsOverride() {
		return
	}
	for _, name := range files {
		if asTerraform(path.Base(f.Filename())) == name {
			return
		}
	}
	p.Reportf(b, "the %s block should be in %s", b.Type, files[0])
}
