// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// testProviders checks that the provider configurations of test files are of the
// providers that the modules want which get them.
func (c *treeChecker) testProviders(m *hclconfig.Module) {
	for _, f := range m.Tests {
		t := testProviders{c: c, m: m, claimed: map[string]addrs.Provider{}, byName: map[string][]*hclconfig.Provider{}}
		for _, p := range f.Config().Providers {
			t.byName[p.Name] = append(t.byName[p.Name], p)
		}
		runs := f.Config().Runs
		for _, r := range runs {
			if !t.claim(r) {
				return // a module that is not there
			}
		}
		for _, r := range runs {
			if r.Module == nil {
				t.compare(r)
			}
		}
	}
}

// testProviders are the provider configurations of one test file.
type testProviders struct {
	c      *treeChecker
	m      *hclconfig.Module
	byName map[string][]*hclconfig.Provider
	// claimed says which provider the configurations with a local name are for: the
	// first run that uses them decides.
	claimed map[string]addrs.Provider
	// wrong has the configurations that a run passes on although they are of
	// another provider.
	wrong []hclconfig.ProviderRef
}

// claim gives the configurations that a run uses their providers. It reports false
// if the module of the run is not known.
func (t *testProviders) claim(r *hclconfig.Run) bool {
	m := t.m
	if r.Module != nil {
		call := hclconfig.ModuleCall{Block: r.Module.Block, Source: r.Module.Source}
		if !call.IsLocal() || t.c.root.FS == nil {
			return false
		}
		var err error
		if m, err = hclconfig.LoadModule(t.c.root.FS, call.LocalDir(t.m.Dir), t.m.Dialect()); err != nil {
			return false
		}
	}
	call := hclconfig.ModuleCall{Block: r.Block, Providers: r.Providers}
	mappings := call.ProviderMappings()
	for _, p := range mappings {
		inner, err := m.ProviderOf(p.Inner.Name)
		if err != nil {
			return false
		}
		outer, ok := t.claimed[p.Outer.Name]
		if !ok {
			outer = inner
			if t.byName[p.Outer.Name] != nil {
				t.claimed[p.Outer.Name] = outer
			}
		}
		if outer != inner && r.Module == nil {
			t.wrong = append(t.wrong, p.Outer)
		}
	}
	if len(mappings) > 0 {
		return true
	}
	names := map[string]bool{}
	for _, s := range m.Settings {
		for _, p := range s.RequiredProviders {
			names[p.Name] = true
		}
	}
	for _, p := range m.Providers {
		names[p.Name] = true
	}
	for _, res := range hclsource.AllResources(m) {
		names[res.ProviderName()] = true
	}
	for name := range names {
		if _, ok := t.claimed[name]; ok || t.byName[name] == nil {
			continue
		}
		p, err := m.ProviderOf(name)
		if err != nil {
			return false
		}
		t.claimed[name] = p
	}
	return true
}

// compare compares the provider configurations that a run passes to the module
// under test with those that the module wants.
func (t *testProviders) compare(r *hclconfig.Run) {
	const summary = "Provider type mismatch"
	for _, p := range t.wrong {
		t.c.fail(p.Expression, summary, "The configuration %s of the test file is of another provider than the one that it is passed for.", p.String())
	}
	t.wrong = nil
	call := hclconfig.ModuleCall{Block: r.Block, Providers: r.Providers}
	if len(call.ProviderMappings()) > 0 {
		return
	}
	wanted := map[string]bool{} // the addresses of configurations
	for _, s := range t.m.Settings {
		for _, p := range s.RequiredProviders {
			wanted[p.Name] = true
			for _, a := range p.ConfigurationAliases {
				wanted[a.String()] = true
			}
		}
	}
	for _, p := range t.m.Providers {
		wanted[p.Address()] = true
	}
	for name, list := range t.byName {
		want, err := t.m.ProviderOf(name)
		has, ok := t.claimed[name]
		if err != nil || !ok || has == want {
			continue
		}
		for _, p := range list {
			if wanted[p.Address()] {
				t.c.out = append(t.c.out, hclsource.ErrorAt(hclsource.DefRange(p.Block), summary, "The configuration %s of the test file is of provider %q, as another run uses it, but %q of the module is %q.", p.Address(), has, name, want))
			}
		}
	}
}

// overrideTarget checks that the target of an override is the address of what the
// block is for. That it is a reference is checked already. instances says whether it can
// be that of instances, where OpenTofu did not allow keys at first.
func (c *checker) overrideTarget(a *hclconfig.Argument, block string, instances bool) {
	p := hclsource.PieceOf(a.Expression)
	if p.Expr == nil {
		return
	}
	t := hclsource.Pattern(p.Expr)
	if len(t) == 0 || !instances && slices.ContainsFunc(t, hclsource.IsSplat) {
		return
	}
	fail := func(step hcl.Traverser, summary string) {
		c.report(p.At(step.SourceRange()), summary, "The target of an %s block must be the address of a %s.", block, strings.TrimPrefix(block, "override_"))
	}
	terraform := c.dialect == hcllang.Terraform
	form := hclsource.AddressForm{Terraform: terraform, Keys: terraform || instances}
	if i := hclsource.AfterModules(t); !terraform && block == "override_module" && i < len(t) && form.Read(t[:i]).Fault == "" {
		fail(t[i], "Module address expected")
		return
	}
	target := form.Read(t)
	switch {
	case target.Fault != "":
		fail(target.At, target.Fault)
	case terraform:
		of := "module"
		if target.Kind == hclsource.ResourceAddress {
			of = map[addrs.Mode]string{addrs.Managed: "resource", addrs.Data: "data", addrs.Ephemeral: "ephemeral"}[target.Mode]
		}
		if "override_"+of != block {
			c.report(a.NameRange(), "Invalid override target", "An %s block cannot have the address of a %s as its target.", block, of)
		}
	case target.Kind == hclsource.ModuleAddress && block != "override_module":
		if instances {
			fail(t[0], "Invalid address")
		} else {
			fail(t[0], "Module address is not allowed")
		}
	}
}
