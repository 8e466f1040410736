// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import "github.com/tofuwire/tofuwire/hclconfig/hclnames"

// HasTag reports whether a resource has a tag, and whether that is certain, as
// [Values.HasKey] does. It looks in the arguments tags and labels, and in default_tags
// and default_labels of the resource's provider configuration, which may be inherited
// from a calling module. A module without a caller is treated as the root.
func (b Block) HasTag(key string) (has, complete bool) {
	x := b.Expression("tags")
	if !x.IsSet() {
		x = b.Expression("labels")
	}
	if has, complete = b.HasKey(x, key); has || b.pass == nil {
		return has, complete
	}
	r := b.pass.shared.resources()[b.Block]
	if r == nil {
		return has, complete
	}
	p, known := providerFor(b.pass, b.pass.Tree, r.ProviderName(), r.Provider.Alias)
	if p.Block == nil {
		return false, complete && known
	}
	tags := p.Expression("default_labels")
	if nested, all := p.Nested("default_tags"); len(nested) > 0 {
		p.Values = nested[0].Values
		tags = nested[0].Expression("tags")
		complete = complete && all
	}
	has, certain := p.HasKey(tags, key)
	return has, has || complete && certain
}

// providerFor returns the block of a configuration of a provider that a module uses, and
// reports whether it is known which one it is.
func providerFor(p *Pass, t *hclnames.Tree, name, alias string) (Block, bool) {
	for _, c := range t.Module.Providers {
		if c.Name == name && c.Alias.Value == alias {
			return Block{Block: c.Block, Values: Values{evaluator: p.evaluator, tree: t}, overrides: c.OverriddenBy}, true
		}
	}
	if t.Parent == nil {
		return Block{}, alias == "" // without a block the configuration is empty
	}
	for _, m := range t.Call.ProviderMappings() {
		if m.Inner.Name == name && m.Inner.Alias == alias {
			return providerFor(p, t.Parent, m.Outer.Name, m.Outer.Alias)
		}
	}
	if alias != "" {
		return Block{}, false
	}
	return providerFor(p, t.Parent, name, "")
}
