// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/provschema"
)

// merged returns the names of the arguments and blocks in blocks that override files
// change, and in those that change them. The programs accept any there.
func merged(m *hclconfig.Module, in hclconfig.Diagnostics) map[addrs.Range]bool {
	if !slices.ContainsFunc(in, isUnsupported) {
		return nil
	}
	out := map[addrs.Range]bool{}
	add := func(base *hclconfig.Block, overrides []*hclconfig.Block) {
		if len(overrides) == 0 {
			return
		}
		for _, b := range append([]*hclconfig.Block{base}, overrides...) {
			for i := range b.Body.Arguments {
				out[b.Body.Arguments[i].NameRange()] = true
			}
			for i := range b.Body.Blocks {
				out[b.Body.Blocks[i].TypeRange()] = true
			}
		}
	}
	for _, c := range m.Calls {
		add(c.Block, c.OverriddenBy)
	}
	for _, r := range hclsource.AllResources(m) {
		add(r.Block, r.OverriddenBy)
	}
	for _, p := range m.Providers {
		add(p.Block, p.OverriddenBy)
	}
	return out
}

// merge says that a body is that of base with what override files changed.
func (at *setting) merge(body *hclconfig.Body, base *hclconfig.Block, overrides []*hclconfig.Block) {
	if len(overrides) > 0 {
		at.merged, at.base = body, base.Body.Own()
	}
}

// mergedFaults returns the faults of the arguments in a body that override files
// changed. The programs do not look at what the schema does not have, and want what
// is required where the block is declared.
func (at *setting) mergedFaults(schema *provschema.Block, c *hclconfig.Content) hclconfig.Diagnostics {
	c.Extra, c.ExtraBlocks = nil, nil
	isMissing := func(d hclconfig.Diagnostic) bool { return d.Summary == "Missing required argument" }
	out := slices.DeleteFunc(slices.Clone(c.Diagnostics), func(d hclconfig.Diagnostic) bool {
		return isMissing(d) || d.Summary == "Unsupported argument"
	})
	for _, d := range contentOf(schema, at.base).Diagnostics {
		if isMissing(d) {
			out = append(out, d)
		}
	}
	return out
}
