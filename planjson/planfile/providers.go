// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// providerKeys has the provider configurations of all modules by the keys under which the document
// shows them.
type providerKeys struct {
	release release
	configs map[string]*providerConfig
	paths   map[*hclnames.Tree]string // the module of a key
}

// A providerConfig is a provider configuration as a module has it.
type providerConfig struct {
	name        string // in the module
	provider    addrs.Provider
	alias       string
	constraints string
	module      string
	block       *hclconfig.Provider // nil if there is none
	parent      string              // the key of the configuration of another module that it is
}

func newProviderKeys(r release, root *hclnames.Tree) *providerKeys {
	k := &providerKeys{release: r, configs: make(map[string]*providerConfig), paths: make(map[*hclnames.Tree]string)}
	k.visit(root)
	return k
}

// shown returns the keys of the configurations that are not those of another module.
func (k *providerKeys) shown() []string {
	keys := slices.Sorted(maps.Keys(k.configs))
	return slices.DeleteFunc(keys, func(key string) bool { return k.configs[key].parent != "" })
}

// keyOf returns the key of the configuration of a resource.
func (k *providerKeys) keyOf(t *hclnames.Tree, r *hclconfig.Resource) string {
	name := r.ProviderName()
	if r.Provider.Alias != "" {
		name += "." + r.Provider.Alias
	}
	path := k.paths[t]
	if k.release.before(2) && t.Call != nil { // which had the name of the call alone
		path = t.Call.Name
	}
	key := providerKey(name, path)
	if c := k.configs[key]; c != nil && k.configs[c.parent] != nil {
		return c.parent
	}
	return key
}

func providerKey(name, path string) string {
	if path == "" {
		return name
	}
	return path + ":" + name
}

// providerOf returns the provider that a name means in a module.
func (k *providerKeys) providerOf(m *hclconfig.Module, name string) (addrs.Provider, error) {
	p, err := m.ProviderOf(name)
	if err == nil && !k.release.terraform() && p.Host() == addrs.TerraformHost && !k.isWritten(m, name) {
		p, err = p.WithHost(addrs.DefaultHost)
	}
	return p, err
}

// isWritten reports whether a module names the host of a provider. OpenTofu before 1.8 is read in a
// dialect with the other registry.
func (k *providerKeys) isWritten(m *hclconfig.Module, name string) bool {
	for _, s := range m.Settings {
		for _, r := range s.RequiredProviders {
			if r.Name == name && strings.HasPrefix(r.Source.Value, addrs.TerraformHost+"/") {
				return true
			}
		}
	}
	return false
}

// visit adds the configurations of a module and of those that it calls, in the order of the tools:
// blocks, then required providers, then providers that are used only, then what calls pass.
func (k *providerKeys) visit(t *hclnames.Tree) {
	path := ""
	if t.Parent != nil {
		path = strings.TrimPrefix(k.paths[t.Parent]+".module."+t.Call.Name, ".")
	}
	k.paths[t] = path
	required := k.required(t.Module)
	for _, p := range t.Module.Providers {
		provider, _ := k.providerOf(t.Module, p.Name)
		k.configs[providerKey(p.Address(), path)] = &providerConfig{
			name: p.Name, provider: provider, alias: p.Alias.Value, constraints: required[provider], module: path, block: p,
		}
	}
	for _, r := range t.Module.RequiredProviders() {
		if r.Requirement != nil {
			k.require(t, r, required)
		}
	}
	for provider := range required {
		k.add(t, provider.Type(), &providerConfig{name: provider.Type(), provider: provider, module: path}, provider.Type())
	}
	for _, child := range t.Children {
		if !k.release.before(2) {
			k.pass(t, child)
		}
		k.visit(child)
	}
}

// require adds what an entry of required_providers needs.
func (k *providerKeys) require(t *hclnames.Tree, r hclconfig.RequiredProvider, required map[addrs.Provider]string) {
	provider, _ := k.providerOf(t.Module, r.Name)
	config := providerConfig{name: r.Name, provider: provider, constraints: required[provider], module: k.paths[t]}
	if !k.release.before(2) {
		for _, alias := range r.Requirement.ConfigurationAliases {
			c := config
			k.add(t, alias.String(), &c, "")
		}
	}
	k.add(t, r.Name, &config, r.Name)
}

// add adds a configuration unless there is one. It is that of the caller if it has one of this name
// for the same provider.
func (k *providerKeys) add(t *hclnames.Tree, name string, c *providerConfig, inherited string) {
	key := providerKey(name, k.paths[t])
	if k.configs[key] != nil {
		return
	}
	if t.Parent != nil && inherited != "" && !k.release.before(2) {
		c.parent = k.origin(providerKey(inherited, k.paths[t.Parent]), c.provider)
	}
	k.configs[key] = c
}

// pass adds the configurations that a call passes to a module.
func (k *providerKeys) pass(t, child *hclnames.Tree) {
	path := strings.TrimPrefix(k.paths[t]+".module."+child.Call.Name, ".")
	for _, p := range child.Call.ProviderMappings() {
		inner := p.Inner.String()
		outer, _, _ := strings.Cut(p.Outer.String(), "[") // the key of an instance is not told
		provider, _ := k.providerOf(child.Module, p.Inner.Name)
		k.configs[providerKey(inner, path)] = &providerConfig{
			name: inner, provider: provider, module: path, parent: k.origin(providerKey(outer, k.paths[t]), provider),
		}
	}
}

// origin follows a configuration to the module that has it.
func (k *providerKeys) origin(key string, provider addrs.Provider) (origin string) {
	for key != "" {
		c := k.configs[key]
		if c == nil || c.provider != provider {
			break
		}
		origin, key = key, c.parent
	}
	return origin
}

// required returns the constraints of the providers that a module needs, by itself.
func (k *providerKeys) required(m *hclconfig.Module) map[addrs.Provider]string {
	constraints := make(map[addrs.Provider][]addrs.Constraints)
	add := func(name string, c addrs.Constraints) {
		if p, err := k.providerOf(m, name); err == nil {
			constraints[p] = append(constraints[p], c)
		}
	}
	for _, r := range m.RequiredProviders() {
		if r.Requirement != nil || slices.ContainsFunc(m.Providers, func(p *hclconfig.Provider) bool { return p.Name == r.Name }) {
			add(r.Name, r.Constraints)
		}
	}
	for _, list := range [][]*hclconfig.Resource{m.Resources, m.Data, m.Ephemeral} {
		for _, r := range list {
			if r.Mode != addrs.Ephemeral || k.release.tofu(11) || k.release.terraform() {
				add(r.ProviderName(), addrs.Constraints{})
			}
		}
	}
	for _, c := range m.Checks {
		if c.Data != nil {
			add(c.Data.ProviderName(), addrs.Constraints{})
		}
	}
	for _, i := range m.Imports {
		if i.Provider.IsSet() {
			add(i.Provider.Name, addrs.Constraints{})
		} else if a, err := i.To.Address(); err == nil {
			if r, err := addrs.ParseAbsResourceInstance(a); err == nil {
				name, _, _ := strings.Cut(r.Resource().Type(), "_")
				add(name, addrs.Constraints{})
			}
		}
	}
	out := make(map[addrs.Provider]string, len(constraints))
	for p, list := range constraints {
		out[p] = addrs.JoinConstraints(list...).String()
	}
	return out
}
