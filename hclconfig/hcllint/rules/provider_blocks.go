// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"cmp"
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// A providerBlock is a block that uses providers.
type providerBlock struct {
	block     *hclconfig.Block
	providers []string // local names
}

// providerBlocks returns the blocks of a module that use providers, in the order of each
// file.
func providerBlocks(m *hclconfig.Module) []providerBlock {
	var out []providerBlock
	resource := func(r *hclconfig.Resource) {
		out = append(out, providerBlock{r.Block, []string{r.ProviderName()}})
	}
	for _, list := range [][]*hclconfig.Resource{m.Resources, m.Ephemeral, m.Data} {
		for _, r := range list {
			resource(r)
		}
	}
	for _, c := range m.Checks {
		if c.Data != nil {
			resource(c.Data)
		}
	}
	for _, b := range m.Providers {
		if !b.Block.File().IsOverride() {
			out = append(out, providerBlock{b.Block, []string{b.Name}})
		}
	}
	for _, c := range m.Calls {
		b := providerBlock{block: c.Block}
		for _, mapping := range c.ProviderMappings() {
			if mapping.Outer.Name != "" {
				b.providers = append(b.providers, mapping.Outer.Name)
			}
		}
		out = append(out, b)
	}
	slices.SortStableFunc(out, func(a, b providerBlock) int {
		_, i, _ := a.block.Place()
		_, j, _ := b.block.Place()
		return cmp.Compare(i, j)
	})
	return out
}
