// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package convertdir

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/planjson"
)

// A lookup finds the schemas of the blocks of a module.
type lookup struct {
	schemas   *planjson.Schemas
	providers []hclconfig.RequiredProvider
}

// schema returns the schema of a block, for [hclconvert.Options].
func (l lookup) schema(b *hclconfig.Block) (hclconvert.Schema, bool) {
	if len(b.Labels) == 0 {
		return hclconvert.Schema{}, false
	}
	local := l.localName(b)
	var found *planjson.Schema
	for _, address := range slices.Sorted(maps.Keys(l.schemas.ProviderSchemas)) {
		p := l.schemas.ProviderSchemas[address]
		s := ofBlock(p, b)
		if s == nil || b.Type == "provider" && !l.is(address, local) {
			continue
		}
		if found == nil || l.is(address, local) {
			found = s
		}
	}
	if found == nil || found.Block == nil {
		return hclconvert.Schema{}, false
	}
	// The packages know the JSON form of each other, not the types.
	text, err := json.Marshal(found.Block)
	if err != nil {
		return hclconvert.Schema{}, false
	}
	schema, err := hclconvert.DecodeSchema(text)
	if err != nil {
		return hclconvert.Schema{}, false
	}
	return *schema, true
}

// localName returns the name that the module has for the block's provider.
func (l lookup) localName(b *hclconfig.Block) string {
	if b.Type == "provider" {
		return b.Labels[0]
	}
	if a := b.Argument("provider"); a != nil {
		text := strings.Trim(a.Raw(), `"`)
		return text[:max(0, strings.IndexAny(text+".", ".["))]
	}
	name, _, _ := strings.Cut(b.Labels[0], "_")
	return name
}

// is reports whether the provider at an address is the one of that local name.
func (l lookup) is(address, local string) bool {
	p, err := addrs.ParseProvider(address)
	if err != nil {
		return false
	}
	for _, r := range l.providers {
		if r.Name == local {
			// The registries of OpenTofu and Terraform have the same providers.
			return r.Provider.Namespace() == p.Namespace() && r.Provider.Type() == p.Type()
		}
	}
	return p.Type() == local
}

// ofBlock returns what a provider says of a block, or nil.
func ofBlock(p *planjson.ProviderSchema, b *hclconfig.Block) *planjson.Schema {
	switch b.Type {
	case "provider":
		return &p.Provider
	case "resource":
		return p.ResourceSchemas[b.Labels[0]]
	case "data":
		return p.DataSourceSchemas[b.Labels[0]]
	case "ephemeral":
		return p.EphemeralResourceSchemas[b.Labels[0]]
	case "list":
		return p.ListResourceSchemas[b.Labels[0]]
	case "action":
		if a := p.ActionSchemas[b.Labels[0]]; a != nil {
			return &planjson.Schema{Block: a.Block}
		}
	}
	return nil
}
