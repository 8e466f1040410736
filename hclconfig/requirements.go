// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A RequiredProvider is a provider that a module needs, by its local name.
type RequiredProvider struct {
	Name     string         // the local name
	Provider addrs.Provider // the zero Provider if the source is not valid
	// Constraints are those of the entry and of deprecated version
	// arguments in provider blocks, together. Those that are not valid are
	// left out.
	Constraints addrs.Constraints
	// Requirement is the entry of required_providers, or nil if the module
	// only uses the provider.
	Requirement *ProviderRequirement
}

// RequiredProviders returns the providers that the module needs, sorted by local name: those
// in required_providers, and those that its resources and provider
// configurations imply. The built-in provider is among them.
//
// The default host of sources follows the dialect.
func (m *Module) RequiredProviders() []RequiredProvider {
	if m == nil {
		return nil
	}
	byName := map[string]*RequiredProvider{}
	for _, s := range m.Settings {
		for _, p := range s.RequiredProviders {
			r := &RequiredProvider{Name: p.Name, Requirement: p}
			r.Provider, _ = p.Provider()
			r.Provider = m.onDefaultHost(r.Provider, p.Source.Value)
			r.Constraints, _ = p.Constraints()
			byName[p.Name] = r
		}
	}
	implied := func(name string) *RequiredProvider {
		r := byName[name]
		if r == nil && name != "" {
			r = &RequiredProvider{Name: name}
			r.Provider, _ = addrs.ImpliedProvider(name)
			r.Provider = m.onDefaultHost(r.Provider, name)
			byName[name] = r
		}
		return r
	}
	for _, p := range m.Providers {
		r := implied(p.Name)
		if c, err := p.Version.constraints(strictConstraints); err == nil && r != nil && p.Version.IsSet() {
			r.Constraints = addrs.JoinConstraints(r.Constraints, c)
		}
	}
	for _, list := range [][]*Resource{m.Resources, m.Data, m.Ephemeral} {
		for _, r := range list {
			implied(r.ProviderName())
		}
	}
	for _, c := range m.Checks {
		if c.Data != nil {
			implied(c.Data.ProviderName())
		}
	}
	for _, i := range m.Imports {
		if i.Provider.IsSet() {
			implied(i.Provider.Name)
		}
	}
	for _, c := range m.Calls {
		for _, p := range c.ProviderMappings() {
			implied(p.Outer.Name)
		}
	}
	out := make([]RequiredProvider, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		out = append(out, *byName[name])
	}
	return out
}

// onDefaultHost moves a provider whose source names no host to the registry of
// the dialect.
func (m *Module) onDefaultHost(p addrs.Provider, source string) addrs.Provider {
	slashes := 0
	for i := range len(source) {
		if source[i] == '/' {
			slashes++
		}
	}
	if m.dialect != hcllang.Terraform || slashes > 1 || !p.IsValid() || p.IsBuiltIn() {
		return p
	}
	moved, err := p.WithHost(addrs.TerraformHost)
	if err != nil {
		return p
	}
	return moved
}

// ProviderOf returns the address of the provider that a local name stands for
// in this module: the source in required_providers, or what the name implies.
// The default host follows the dialect. The error is an [*Error] that wraps the
// *addrs.Error; it has no place for a name that implies nothing.
func (m *Module) ProviderOf(localName string) (addrs.Provider, error) {
	if m == nil {
		return addrs.Provider{}, nil
	}
	for _, s := range m.Settings {
		for _, p := range s.RequiredProviders {
			if p.Name == localName && p.Source.IsSet() {
				a, err := p.Provider()
				return m.onDefaultHost(a, p.Source.Value), err
			}
		}
	}
	a, err := addrs.ImpliedProvider(localName)
	if err != nil {
		return a, &Error{Err: err}
	}
	return m.onDefaultHost(a, localName), nil
}
