// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package provideruse finds the provider configurations that a tree of modules uses.
package provideruse

import (
	"bytes"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A providerConfig is a provider configuration of a module: the module may have a
// block for it, or get it from its caller.
type providerConfig struct {
	tree     *hclnames.Tree
	provider addrs.Provider
	alias    string
}

// A Use has the provider configurations that resources use. The programs leave all others
// out before they look at their arguments.
type Use struct {
	used    map[providerConfig]bool
	modules map[*hclconfig.Module]*declaredProviders
	// all reports that everything may be in use, as modules are missing.
	all bool
}

// declaredProviders are the providers of a module.
type declaredProviders struct {
	m        *hclconfig.Module
	names    map[string]addrs.Provider // by local names
	declared map[providerConfig]bool   // with a block; the tree is not set
	// functions has the local names of providers whose functions may be called.
	functions []string
}

// Has reports whether something uses a provider configuration of t, as far as that is known.
func (u *Use) Has(t *hclnames.Tree, p *hclconfig.Provider) bool {
	provider, ok := u.declared(t.Module).of(p.Name)
	return u.all || !ok || u.used[providerConfig{t, provider, p.Alias.Value}]
}

// Of returns what the modules of a tree use. Imports count if imports is set.
func Of(root *hclnames.Tree, imports bool) *Use {
	u := &Use{used: map[providerConfig]bool{}, modules: map[*hclconfig.Module]*declaredProviders{}}
	for t := range root.All() {
		u.all = u.all || len(t.Missing) > 0
		m := t.Module
		for _, r := range hclsource.AllResources(m) {
			u.mark(root, t, r.ProviderName(), r.Provider.Alias)
		}
		resources := declared(m, imports)
		for _, i := range m.Imports {
			switch target, known := hclsource.ImportAddress(i, hclsource.Program(i.Block.File().Dialect())); {
			case !imports:
			case i.Provider.IsSet():
				u.mark(root, t, i.Provider.Name, i.Provider.Alias)
			case known && target.Module().IsRoot() && !resources[target.Resource()]: // it is to be generated
				u.mark(root, t, target.Resource().ImpliedProvider(), "")
			}
		}
		for _, name := range u.declared(m).functions {
			u.mark(root, t, name, "")
		}
	}
	return u
}

// declared returns the resources that a module has blocks for, if that is wanted and it has imports.
func declared(m *hclconfig.Module, wanted bool) map[addrs.Resource]bool {
	if !wanted || len(m.Imports) == 0 {
		return nil
	}
	out := make(map[addrs.Resource]bool, len(m.Resources))
	for _, r := range m.Resources {
		out[r.Addr()] = true
	}
	return out
}

// mark notes that t uses a configuration, and where it comes from.
func (u *Use) mark(root, t *hclnames.Tree, name, alias string) {
	provider, ok := u.declared(t.Module).of(name)
	for ok {
		c := providerConfig{t, provider, alias}
		if u.used[c] {
			return
		}
		u.used[c] = true
		if t == root || u.declared(t.Module).declared[providerConfig{nil, provider, alias}] {
			return
		}
		outer := u.declared(t.Parent.Module)
		passed := false
		for _, p := range t.Call.ProviderMappings() {
			inner, known := u.declared(t.Module).of(p.Inner.Name)
			if passed = known && inner == provider && p.Inner.Alias == alias; passed {
				provider, ok = outer.of(p.Outer.Name)
				alias = p.Outer.Alias
				break
			}
		}
		if !passed && alias != "" {
			return
		}
		t = t.Parent
	}
}

// declared returns the providers of a module.
func (u *Use) declared(m *hclconfig.Module) *declaredProviders {
	d := u.modules[m]
	if d != nil {
		return d
	}
	d = &declaredProviders{m: m, names: map[string]addrs.Provider{}, declared: map[providerConfig]bool{}}
	u.modules[m] = d
	for _, p := range m.Providers {
		if provider, ok := d.of(p.Name); ok {
			d.declared[providerConfig{nil, provider, p.Alias.Value}] = true
		}
	}
	if len(m.Providers) > 0 && hclsource.Program(m.Dialect()) == hcllang.OpenTofu { // Terraform starts others for functions
		for _, f := range m.Files {
			d.functions = append(d.functions, functionProviders(f.Bytes())...)
		}
	}
	return d
}

// functionProviders returns the names in src that are those of providers if src calls
// their functions.
func functionProviders(src []byte) []string {
	var names []string
	for {
		_, rest, ok := bytes.Cut(src, []byte("provider::"))
		if !ok {
			return names
		}
		name, _, ok := bytes.Cut(rest[:min(len(rest), maxProviderName)], []byte("::"))
		if ok {
			names = append(names, string(name))
		}
		src = rest
	}
}

// maxProviderName is longer than names of providers are.
const maxProviderName = 256

// of returns the provider with a local name.
func (d *declaredProviders) of(name string) (addrs.Provider, bool) {
	p, ok := d.names[name]
	if !ok {
		p, _ = d.m.ProviderOf(name) // the zero Provider if the name implies none
		d.names[name] = p
	}
	return p, p != addrs.Provider{}
}
