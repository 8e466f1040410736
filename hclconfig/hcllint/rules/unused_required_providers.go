// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/tofuwire/tofuwire/hclconfig/hcllint"

var unusedRequiredProviders = &hcllint.Analyzer{
	Name: "terraform_unused_required_providers",
	Doc: `An entry of required_providers should be used by the module.

Each entry is downloaded. A provider is used by resources, provider blocks, module calls with
an argument providers, and calls of its functions; use by a called module does not count. There
is no fix, because the entry may constrain the versions that called modules get.`,
	URL:      page("terraform_unused_required_providers"),
	Severity: hcllint.Warning,
	Presets:  []string{presetAll},
	Requires: []*hcllint.Analyzer{providerUses},
	Run: func(p *hcllint.Pass) (any, error) {
		uses := hcllint.ResultOf[*providerUse](p, providerUses)
		seen := map[string]bool{}
		for b := range p.Blocks("terraform") {
			for r := range b.Body.BlocksOfType("required_providers") {
				for i := range r.Body.Arguments {
					a := &r.Body.Arguments[i]
					if _, used := uses.at[a.Name]; used || seen[a.Name] || brokenHas(p, a.Name) {
						continue
					}
					seen[a.Name] = true
					p.Reportf(a, "provider '%s' is declared in required_providers but not used by the module", a.Name)
				}
			}
		}
		return nil, nil
	},
}
