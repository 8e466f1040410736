// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planschema

import (
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// Resource returns the schema of a resource type, or nil. A mode without a name of its own
// is that of a list. The provider is named as a document of any release names it: where
// the name or that in the schemas says no registry, as before Terraform 0.13, the type
// decides; and the registries of both tools have the same providers.
func Resource(s *planjson.Schemas, provider string, mode addrs.Mode, typ string) *planjson.Schema {
	return find(s, provider, byType, func(p *planjson.ProviderSchema) *planjson.Schema {
		switch mode {
		case addrs.Managed:
			return p.ResourceSchemas[typ]
		case addrs.Data:
			return p.DataSourceSchemas[typ]
		case addrs.Ephemeral:
			return p.EphemeralResourceSchemas[typ]
		}
		return p.ListResourceSchemas[typ]
	})
}

// IsBuiltIn reports whether a document's name of a provider means the one in the tools.
func IsBuiltIn(provider string) bool { return recorded(provider).IsBuiltIn() }

// How sure it is that two names mean one provider.
const (
	byType = iota + 1 // one of them says no registry
	byName            // and both have the same type
	surely
)

// find returns what pick takes from the schemas of a provider, nil if they are not there,
// or if several providers could be meant. So sure it must be, at least.
func find[T any](s *planjson.Schemas, name string, least int, pick func(*planjson.ProviderSchema) *T) *T {
	if s == nil {
		return nil
	}
	if p := s.ProviderSchemas[name]; p != nil {
		return pick(p)
	}
	wanted := recorded(name)
	var best *T
	var of addrs.Provider
	rank, several := 0, false
	for _, key := range slices.Sorted(maps.Keys(s.ProviderSchemas)) {
		p := s.ProviderSchemas[key]
		if p == nil {
			continue
		}
		there := recorded(key)
		r := likeness(wanted, there)
		if r < max(rank, least) {
			continue
		}
		found := pick(p)
		if found == nil {
			continue
		}
		if r > rank {
			best, of, rank, several = found, there, r, false
		} else if of.Namespace() != there.Namespace() || of.Type() != there.Type() {
			several = true
		}
	}
	if several {
		return nil
	}
	return best
}

// recorded returns the provider that a name of a document means, zero if it says nothing.
func recorded(name string) addrs.Provider {
	c, _ := addrs.ParseRecordedProvider(name)
	return c.Provider()
}

// likeness says how sure it is, 0 if they do not.
func likeness(a, b addrs.Provider) int {
	ofTool := func(p addrs.Provider) bool { return p.Host() == addrs.DefaultHost || p.Host() == addrs.TerraformHost }
	legacy := !a.IsValid() || !b.IsValid() || a.IsLegacy() || b.IsLegacy()
	switch {
	case a.IsBuiltIn() != b.IsBuiltIn():
		return 0
	case a.IsBuiltIn():
		return surely
	case !legacy && a.Namespace() == b.Namespace() && a.Type() == b.Type() && ofTool(a) && ofTool(b):
		return surely
	case legacy && a.Type() == b.Type():
		return byName
	case legacy:
		return byType
	}
	return 0
}
