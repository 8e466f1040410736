// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package provideruse

import (
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
)

// Configurations are the provider configurations of one module, by the names
// that they have there: NAME or NAME.ALIAS.
type Configurations struct {
	Configured map[string]*hclconfig.Provider  // with content or a version
	Empty      map[string]*hclconfig.Provider  // without
	Aliases    map[string]hclconfig.Expression // configuration_aliases
	Required   map[string]bool                 // local names in required_providers
	Passed     map[string]hclconfig.ProviderMapping
}

// ConfigurationsOf returns the provider configurations that a module has, requires and is given.
func ConfigurationsOf(t *hclnames.Tree) *Configurations {
	s := &Configurations{map[string]*hclconfig.Provider{}, map[string]*hclconfig.Provider{}, map[string]hclconfig.Expression{}, map[string]bool{}, map[string]hclconfig.ProviderMapping{}}
	for _, p := range t.Module.Providers {
		body := p.Config()
		if len(body.Arguments) > 0 || len(body.Blocks) > 0 || p.Version.IsSet() || p.ForEach.IsSet() {
			s.Configured[p.Address()] = p
		} else {
			s.Empty[p.Address()] = p
		}
	}
	for _, r := range hclsource.Requirements(t.Module.Settings) {
		s.Required[r.Name] = true
		for _, a := range r.ConfigurationAliases {
			s.Aliases[AliasName(a)] = a.Expression
		}
	}
	if t.Call != nil {
		for _, p := range t.Call.ProviderMappings() {
			inner := p.Inner
			inner.Key = ""
			s.Passed[inner.String()] = p
		}
	}
	return s
}

// AliasName returns the name of a configuration that a module must be given.
func AliasName(a hclconfig.ProviderRef) string {
	name := hclsource.ProviderRef(a.Expression)
	name.Key = ""
	return name.String()
}

// Has reports whether the module has a configuration of that name of its own, or
// one that its caller must give it.
func (s *Configurations) Has(name string) bool {
	_, configured := s.Configured[name]
	_, empty := s.Empty[name]
	_, alias := s.Aliases[name]
	_, passed := s.Passed[name]
	return configured || empty || alias || passed
}

// An Alias is a provider configuration without the local name of its provider.
type Alias struct {
	Provider addrs.Provider
	Alias    string
}

// Available returns the configurations that module m, whose scope s is, can pass on:
// those that it has, and those of the providers that it requires.
func (s *Configurations) Available(m *hclconfig.Module) map[Alias]bool {
	out := map[Alias]bool{}
	for name := range s.Required {
		if p, err := m.ProviderOf(name); err == nil {
			out[Alias{Provider: p}] = true
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(s.Configured)), slices.Collect(maps.Keys(s.Empty)), slices.Collect(maps.Keys(s.Aliases)), slices.Collect(maps.Keys(s.Passed))) {
		local, alias, _ := strings.Cut(name, ".")
		if p, err := m.ProviderOf(local); err == nil {
			out[Alias{p, alias}] = true
		}
	}
	return out
}
