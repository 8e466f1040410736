// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"path"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var standardModuleStructure = &hcllint.Analyzer{
	Name: "terraform_standard_module_structure",
	Doc: `A module should have the files of the standard structure.

These are main.tf, variables.tf with all variables and outputs.tf with all outputs, even if
they are empty. Blocks in JSON syntax may be anywhere, because programs write them, and a
module that is wholly in JSON needs no such files.`,
	URL:      page("terraform_standard_module_structure"),
	Severity: hcllint.Warning,
	Presets:  []string{presetAll},
	Run: func(p *hcllint.Pass) (any, error) {
		m := p.Module
		if hasNativeFile(m) {
			missing := func(name, format string) {
				if fileNamed(m, name) == nil {
					at := addrs.Range{Filename: inModule(m, name), Start: startOfFile, End: startOfFile}
					p.Report(hcllint.Diagnostic{Range: at, Message: strings.ReplaceAll(format, "FILE", name)})
				}
			}
			missing("main.tf", "Module should include a FILE file as the primary entrypoint")
			if len(m.Variables) == 0 {
				missing("variables.tf", "Module should include an empty FILE file")
			}
			if len(m.Outputs) == 0 {
				missing("outputs.tf", "Module should include an empty FILE file")
			}
		}
		for _, v := range m.Variables {
			checkFile(p, v.Block, v.Name, "variables.tf")
		}
		for _, o := range m.Outputs {
			checkFile(p, o.Block, o.Name, "outputs.tf")
		}
		return nil, nil
	},
}

// checkFile reports a block that is not in the file where it should be.
func checkFile(p *hcllint.Pass, b *hclconfig.Block, name, want string) {
	f := b.File()
	if f.Syntax() == hclconfig.NativeSyntax && asTerraform(path.Base(f.Filename())) != want {
		p.Reportf(b, "%s %q should be moved from %s to %s", b.Type, name, f.Filename(), want)
	}
}

func hasNativeFile(m *hclconfig.Module) bool {
	for _, f := range m.Files {
		if f.Syntax() == hclconfig.NativeSyntax {
			return true
		}
	}
	return false
}
