// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/hclconfig/internal/provideruse"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A providerChecker checks how the modules of a tree get the configurations of providers.
type providerChecker struct {
	*treeChecker
	// requirements has the first entry of required_providers for each local name.
	requirements map[*hclconfig.Module]map[string]*hclconfig.ProviderRequirement
	// faults has the offsets of the errors in each file, sorted, once they were asked for.
	faults map[string][]int64
}

// providers checks how modules get their provider configurations: the facts are
// those of opentofu: internal/configs/provider_validation.go. single is the
// argument that makes several instances of the module, or one above it.
func (c *providerChecker) providers(t *hclnames.Tree, single *hclconfig.Expression) {
	s := provideruse.ConfigurationsOf(t)
	c.withoutFaulty(t.Module, s)
	for _, child := range t.Children {
		below, call := single, child.Call
		switch {
		case call.Count.IsSet():
			below = &call.Count
		case call.ForEach.IsSet():
			below = &call.ForEach
		case call.Enabled.IsSet():
			below = &call.Enabled
		case call.DependsOn.IsSet():
			first := call.DependsOn
			if list, ok := first.Elements(); ok && len(list) > 0 {
				first = list[0]
			}
			below = &first
		}
		c.providers(child, below)
	}
	for _, call := range t.Module.Calls {
		for _, p := range call.ProviderMappings() {
			// A module gets one configuration by each name: which instance it is says the outer side.
			if p.Inner.Key != "" {
				// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigs.
				c.fail(p.Inner.Expression, "Invalid module provider configuration", "Instance keys are not allowed on the left side of a provider configuration assignment.")
			}
			c.providerKey(s, p.Outer, "module", call.ForEach)
		}
	}
	for _, r := range hclsource.AllResources(t.Module) {
		if r.Provider.IsSet() {
			each := r.ForEach
			if r.Mode != addrs.Managed {
				each = hclconfig.Expression{}
			}
			c.providerKey(s, r.Provider, "resource", each)
		}
	}
	c.providerNames(t, s)
	c.undefined(t, s)
	if t.Parent == nil {
		return
	}
	call := t.Call
	c.redundant(s)
	// A configuration inside of a module would be gone with the last instance of it, before its objects could be
	// destroyed.
	if len(s.Configured) > 0 && single != nil {
		// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigs.
		c.fail(*single, c.words("Module is incompatible with count, for_each, enabled and depends_on", "Module is incompatible with count, for_each, and depends_on"),
			"The module at %s is a legacy module which contains its own local provider configurations, and so calls to it may not use the count, for_each, or depends_on arguments.", t.Path())
	}
	for _, name := range slices.Sorted(maps.Keys(s.Configured)) {
		if p, ok := s.Passed[name]; ok {
			// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigs.
			c.fail(p.Inner.Expression, "Cannot override provider configuration",
				"The configuration of %s has its own local configuration for %s, and so it cannot accept an overridden configuration provided by its caller.", t.Path(), name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Aliases)) {
		if _, ok := s.Configured[name]; ok {
			continue
		}
		if _, ok := s.Passed[name]; !ok {
			// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigs.
			c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(call.Block), "Missing required provider configuration",
				"The child module requires an additional provider configuration with the local name %q. Add an entry for it to the providers argument of module %q.", name, call.Name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Passed)) {
		c.passed(t, s, name)
	}
}

// providerKey checks that a configuration with for_each is named with a key, and
// another without.
func (c *providerChecker) providerKey(s *provideruse.Configurations, p hclconfig.ProviderRef, what string, forEach hclconfig.Expression) {
	if c.dialect != hcllang.OpenTofu {
		return
	}
	summary := "Invalid " + what + " provider configuration"
	name := p
	name.Key = ""
	each := s.Configured[name.String()]
	keyed := each != nil && each.ForEach.IsSet()
	switch {
	case p.Key == "" && keyed:
		// OpenTofu 1.12.6, internal/configs/resource.go: ProviderConfigRef.InstanceValidation.
		c.fail(p.Expression, summary, "A reference to a provider configuration which uses for_each requires an instance key. Passing a collection of provider instances into a child module is not allowed.")
	case p.Key == "" || keyed:
	// OpenTofu 1.12.6, internal/configs/resource.go: ProviderConfigRef.InstanceValidation.
	case p.Alias == "":
		c.fail(p.Expression, summary, "An instance key can be specified only for a provider configuration which has an alias and uses for_each.")
	// OpenTofu 1.12.6, internal/configs/resource.go: ProviderConfigRef.InstanceValidation.
	case each == nil:
		c.fail(p.Expression, summary, "This module doesn't declare a provider %q block with alias = %q, which is required for use with for_each.", p.Name, p.Alias)
	default:
		at := p.Expression.Range()
		if i := strings.Index(p.Expression.Raw(), "["); i >= 0 {
			at.Start = p.Expression.File().Position(at.Start.Offset + int64(i))
		}
		// OpenTofu 1.12.6, internal/configs/resource.go: ProviderConfigRef.InstanceValidation.
		c.out = append(c.out, hclsource.ErrorAt(at, summary, "An instance key can be specified only for a provider configuration that uses for_each."))
	}
	if p.Key != "" && keyed && forEach.IsSet() && len(forEach.References()) > 0 && len(each.ForEach.References()) > 0 && sameTokens(forEach, each.ForEach) {
		// OpenTofu 1.12.6, internal/configs/provider_validation.go: providerIterationIdenticalWarning.
		c.out = append(c.out, hclsource.WarningAt(forEach.Range(), "Provider configuration for_each matches "+what,
			"This provider configuration uses the same for_each expression as a %s, which means that subsequent removal of elements from this collection would cause a planning error.", what))
	}
}

// sameTokens reports whether two native expressions are written with the same tokens.
func sameTokens(a, b hclconfig.Expression) bool {
	return hclsource.Native(a) != nil && hclsource.Native(b) != nil && strings.Join(strings.Fields(a.Raw()), " ") == strings.Join(strings.Fields(b.Raw()), " ")
}

// providerNames checks the names of providers that are required or implied.
func (c *providerChecker) providerNames(t *hclnames.Tree, s *provideruse.Configurations) {
	warn := func(at addrs.Range, format string, args ...any) {
		// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigs.
		c.out = append(c.out, hclsource.WarningAt(at, "Duplicate required provider", format, args...))
	}
	names, providers := map[addrs.Provider]string{}, map[string]addrs.Provider{}
	for _, r := range t.Module.RequiredProviders() {
		providers[r.Name] = r.Provider
	}
	for _, r := range hclsource.Requirements(t.Module.Settings) {
		p := providers[r.Name]
		if !p.IsValid() || !s.Required[r.Name] {
			continue
		}
		if first, ok := names[p]; ok {
			warn(r.Argument.Expression.Range(), "Provider %s with the local name %q was previously required as %q. A provider can only be required once within required_providers.", p, r.Name, first)
			continue
		}
		names[p] = r.Name
		if implied := p.Type(); r.Name != implied && providers[implied] == p && slices.ContainsFunc(t.Module.Providers, func(c *hclconfig.Provider) bool { return c.Name == implied }) {
			warn(r.Argument.Expression.Range(), "Provider %s with the local name %q is also configured as %q, which is not its name in required_providers.", p, r.Name, implied)
		}
	}
	for _, r := range hclsource.AllResources(t.Module) {
		if r.Provider.IsSet() {
			continue
		}
		local := r.ProviderName()
		if _, err := addrs.ImpliedProvider(local); err != nil {
			// OpenTofu 1.12.6, internal/configs/provider.go: checkProviderNameNormalized.
			c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(r.Block), "Invalid provider local name", "%q is an invalid implied provider local name.", local))
			continue
		}
		// The name of a type implies a provider, which may be required by another name.
		if implied := providers[local]; !s.Required[local] && names[implied] != "" {
			warn(hclsource.DefRange(r.Block), "Provider %q was implicitly required via resource %q, but listed in required_providers as %q.", implied, hclsource.Address(r), names[implied])
		}
	}
}

// undefined warns of default configurations that are passed on and not declared.
func (c *providerChecker) undefined(t *hclnames.Tree, s *provideruse.Configurations) {
	for _, call := range t.Module.Calls {
		for _, p := range call.ProviderMappings() {
			name := p.Outer.Name
			// One with an alias is reported as an error, when the graph is made, and one that is no reference when it is read.
			if p.Outer.Alias != "" || name == "" {
				continue
			}
			_, configured := s.Configured[name]
			_, passed := s.Passed[name]
			d := hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning}
			switch {
			case !configured && !s.Required[name]:
				// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigs.
				d.Summary, d.Subject = "Reference to undefined provider", p.Outer.Expression.Range()
				d.Detail = fmt.Sprintf("There is no explicit declaration for local provider name %q in this module.", name)
			case t.Parent != nil && !configured && !passed:
				// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigs.
				d.Summary, d.Subject = "Missing required provider configuration", hclsource.DefRange(t.Call.Block)
				d.Detail = fmt.Sprintf("The configuration for %s expects to inherit a configuration for the provider with local name %q, but its caller doesn't pass a configuration under that name.", t.Path(), name)
			default:
				continue
			}
			c.out = append(c.out, d)
		}
	}
}

// redundant warns of empty provider blocks in a called module, once for each name.
func (c *providerChecker) redundant(s *provideruse.Configurations) {
	first := map[string]addrs.Range{}
	for _, name := range slices.Sorted(maps.Keys(s.Empty)) {
		p := s.Empty[name]
		at := hclsource.DefRange(p.Block)
		if had, ok := first[p.Name]; !ok || at.Filename < had.Filename || at.Filename == had.Filename && at.Start.Offset < had.Start.Offset {
			first[p.Name] = at
		}
	}
	for _, name := range slices.Sorted(maps.Keys(first)) {
		// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigs.
		c.out = append(c.out, hclsource.WarningAt(first[name], "Redundant empty provider block", "Earlier versions of %s used empty provider blocks for child modules to declare their need to be passed a provider configuration by their callers. An entry %q in required_providers says the same.", c.dialect, name))
	}
}

// passedType returns the provider with this local name where configurations are
// passed. Without a declaration it is one of the default namespace.
func (c *providerChecker) passedType(m *hclconfig.Module, name string) (addrs.Provider, bool) {
	if p, err := c.declaredProvider(m, name); err != nil || p != (addrs.Provider{}) {
		return p, err == nil
	}
	p, err := addrs.ImpliedProvider(name)
	if err == nil && p.IsBuiltIn() {
		p, err = addrs.ParseProvider("hashicorp/" + name)
	}
	return p, err == nil
}

// isFaulty reports whether an entry of required_providers has an error, with which the programs
// take no notice of it.
func (c *providerChecker) isFaulty(r *hclconfig.ProviderRequirement) bool {
	if c.faults == nil {
		c.faults = map[string][]int64{}
		// All that was found so far is in the files, and there may be much of it.
		for _, d := range c.out {
			if d.Severity == hclconfig.SeverityError {
				c.faults[d.Subject.Filename] = append(c.faults[d.Subject.Filename], d.Subject.Start.Offset)
			}
		}
		for _, list := range c.faults {
			slices.Sort(list)
		}
	}
	at := r.Argument.Expression.Range()
	list := c.faults[at.Filename]
	i, _ := slices.BinarySearch(list, at.Start.Offset)
	return i < len(list) && list[i] < at.End.Offset
}

// withoutFaulty removes what entries with errors declare.
func (c *providerChecker) withoutFaulty(m *hclconfig.Module, s *provideruse.Configurations) {
	for _, r := range hclsource.Requirements(m.Settings) {
		if c.isFaulty(r) {
			delete(s.Required, r.Name)
			for _, a := range r.ConfigurationAliases {
				delete(s.Aliases, provideruse.AliasName(a))
			}
		}
	}
}

// declaredProvider returns the provider that required_providers gives a local name,
// or the zero Provider.
func (c *providerChecker) declaredProvider(m *hclconfig.Module, name string) (addrs.Provider, error) {
	first, ok := c.requirements[m]
	if !ok {
		first = map[string]*hclconfig.ProviderRequirement{}
		for _, r := range slices.Backward(hclsource.Requirements(m.Settings)) {
			first[r.Name] = r
		}
		c.requirements[m] = first
	}
	if r := first[name]; r != nil && !c.isFaulty(r) {
		return r.Provider()
	}
	return addrs.Provider{}, nil
}

// passed checks one configuration that a module gets.
func (c *providerChecker) passed(t *hclnames.Tree, s *provideruse.Configurations, name string) {
	p := s.Passed[name]
	inner, ok := c.passedType(t.Module, p.Inner.Name)
	outer, ok2 := c.passedType(t.Parent.Module, p.Outer.Name)
	if !ok || !ok2 {
		return
	}
	if p, err := c.declaredProvider(t.Parent.Module, name); err == nil && p != (addrs.Provider{}) {
		outer = p // the programs look for the name that the module has for it
	}
	_, empty := s.Empty[name]
	_, alias := s.Aliases[name]
	if !s.Required[name] && !alias && !empty {
		// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigs.
		d := hclsource.ErrorAt(p.Inner.Expression.Range(), "Reference to undefined provider", "There is no explicit declaration for local provider name %q in %s.", name, t.Path())
		if inner.Namespace() == "hashicorp" {
			d.Severity = hclconfig.SeverityWarning
		}
		c.out = append(c.out, d)
	}
	if inner != outer {
		at := p.Outer.Expression
		if sameProvider(t.Module, outer) {
			at = p.Inner.Expression
		}
		// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigs and validateProviderConfigsForTests.
		c.fail(at, "Provider type mismatch", "The local name %q in the calling module represents provider %q, but %q in %s represents %q.", p.Outer.String(), outer, p.Inner.String(), t.Path(), inner)
	}
}

// sameProvider reports whether the module has another local name for a provider.
func sameProvider(m *hclconfig.Module, p addrs.Provider) bool {
	for _, r := range m.RequiredProviders() {
		if r.Requirement != nil && r.Provider == p {
			return true
		}
	}
	return false
}

// configurations checks that each configuration that is named is there, which
// the programs do when they make their graph: first what calls pass on.
func (c *providerChecker) configurations() {
	if !c.passedOn(c.root) {
		return
	}
	for t := range c.root.All() {
		s := c.available(t)
		for _, r := range hclsource.AllResources(t.Module) {
			p := r.Provider
			p.Key = ""
			if p.Alias != "" && !s.Has(p.String()) {
				// OpenTofu 1.12.6, internal/tofu/transform_provider.go: ProviderTransformer.Transform.
				c.fail(r.Provider.Expression, "Provider configuration not present", "The configuration of %s names %s, which the module does not have.", hclsource.Address(r), p.String())
			}
		}
	}
}

// passedOn checks what calls of t and below pass on, up to the first that is not there.
func (c *providerChecker) passedOn(t *hclnames.Tree) bool {
	available := c.available(t).Available(t.Module)
	for _, child := range t.Children {
		for _, p := range child.Call.ProviderMappings() {
			wanted, err := child.Module.ProviderOf(p.Inner.Name)
			// OpenTofu 1.12.6, internal/tofu/transform_provider.go: ProviderTransformer.Transform has no place for it.
			if err == nil && !available[provideruse.Alias{Provider: wanted, Alias: p.Outer.Alias}] {
				c.fail(p.Outer.Expression, strings.TrimSuffix(fmt.Sprintf("missing provider %sprovider[%q].%s", hclsource.Dotted(t.Path()), wanted, p.Outer.Alias), "."), "")
				return false
			}
		}
	}
	return !slices.ContainsFunc(t.Children, func(child *hclnames.Tree) bool { return !c.passedOn(child) })
}

// available returns the configurations of a module. The root has no caller that could give it others: OpenTofu makes them up
// for a provider without a configuration of its own.
//
// OpenTofu 1.12.6, internal/tofu/transform_provider.go: ProviderConfigTransformer.transformSingle.
func (c *providerChecker) available(t *hclnames.Tree) *provideruse.Configurations {
	s := provideruse.ConfigurationsOf(t)
	if t.Parent == nil {
		maps.DeleteFunc(s.Aliases, func(name string, _ hclconfig.Expression) bool {
			local, _, _ := strings.Cut(name, ".")
			return c.has(hclsource.AbsentConfigurations) || s.Has(local)
		})
	}
	return s
}
