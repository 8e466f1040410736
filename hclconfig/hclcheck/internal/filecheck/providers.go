// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package filecheck

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// providerReference checks a reference to a provider configuration: a name, and perhaps an alias and
// the key of an instance. OpenTofu parses a JSON string as an expression since 1.11, so that one in
// quotes of its own is taken, with a warning; Terraform reads a reference only.
//
// OpenTofu 1.12.6, internal/configs/resource.go: decodeProviderConfigRef.
func (c *checker) providerReference(e hclconfig.Expression) {
	p := hclsource.ProviderRef(e)
	x, parsed := hclsource.NativeForm(e)
	if key, ok := x.(*hclsyntax.ObjectConsKeyExpr); ok {
		x = key.Wrapped
	}
	switch _, quoted := x.(*hclsyntax.TemplateExpr); {
	// Keys of provider configurations came with their for_each in OpenTofu 1.9.
	case p.Name != "" && p.Key != "" && !c.has(hclsource.ProviderKeys(p)):
		// OpenTofu 1.12.6, internal/configs/resource.go: decodeProviderConfigRef.
		c.report(e.Range(), "Invalid provider configuration reference", "%s has no provider configurations with instance keys.", c.f.Dialect())
	case p.Name != "" && (!quoted && hclsource.IsProviderReference(x) || quoted && (hclsource.Native(e) != nil || c.dialect == hcllang.OpenTofu)):
		// The name is checked before the quotes are.
		if c.localName(e.Range(), p.Name) && quoted {
			c.quotedReference(e)
		}
	case !parsed && hclsource.Native(e) == nil && c.has(hcllang.Support{OpenTofu: "1.11"}):
		c.source(e)
	default:
		at := e.Range()
		if t, diags := hcl.AbsTraversalForExpr(hclsource.OrNothing(x)); !diags.HasErrors() && len(t) > 1 && len(t) <= 3 {
			// The programs point to the first step that should not be there.
			p := hclsource.PieceOf(e)
			p.FromQuote = p.Str != nil // the programs count from the quote
			if _, ok := t[1].(hcl.TraverseAttr); !ok {
				at = p.At(t[1].SourceRange())
			} else if len(t) == 3 && c.dialect == hcllang.OpenTofu {
				at = p.At(t[2].SourceRange())
			}
		}
		// OpenTofu 1.12.6, internal/configs/resource.go: decodeProviderConfigRef.
		c.report(at, "Invalid provider configuration reference", "A provider configuration is required here, such as aws or aws.west.%s", c.templateHint(e))
	}
}

// providerMap checks the configurations that a call passes on. Each may be given once: which of two
// would win is not defined.
//
// OpenTofu 1.12.6, internal/configs/module_call.go: decodePassedProviderConfigs.
func (c *checker) providerMap(e hclconfig.Expression) {
	members, ok := e.Members()
	if !ok {
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		c.report(e.Range(), "Invalid expression", "A static map of provider configurations is required here: in JSON an object of strings.")
		return
	}
	seen := map[string]addrs.Range{}
	for _, m := range members {
		c.providerReference(m.Key)
		c.providerReference(m.Value)
		inner := hclsource.ProviderRef(m.Key).String()
		if first, ok := seen[inner]; ok && inner != "" {
			// OpenTofu 1.12.6, internal/configs/module_call.go: decodePassedProviderConfigs.
			c.report(m.Value.Range(), "Duplicate provider address", "The provider configuration %s was already mapped at %s.", inner, first)
		}
		seen[inner] = m.Key.Range()
	}
}

// providerRequirement checks an entry of required_providers: a version, or an object with a source, a
// version and aliases. The programs stop at the first member of an object that they do not know.
//
// OpenTofu 1.12.6, internal/configs/provider_requirements.go: decodeRequiredProvidersBlock.
func (c *checker) providerRequirement(a *hclconfig.Argument) {
	at := a.Expression.Range()
	members, ok := a.Members()
	if !ok {
		if v, err := a.Constant(); err == nil && v.Type().IsPrimitiveType() {
			// The short form: a text alone is the version.
			c.constraint(c.requirement(a).Version, addrs.ParseConfigConstraints)
			if _, err := addrs.ImpliedProvider(a.Name); err != nil {
				// OpenTofu 1.12.6, internal/configs/provider_requirements.go: decodeRequiredProvidersBlock.
				c.report(at, "Invalid provider name", "%q is not a valid local name of a provider.", a.Name)
			}
			return
		}
	}
	if !c.localName(at, a.Name) {
		return
	}
	if !ok {
		// OpenTofu 1.12.6, internal/configs/provider_requirements.go: decodeRequiredProvidersBlock.
		c.report(at, "Invalid required_providers object", "required_providers entries must be strings or objects.")
		return
	}
	p := c.requirement(a)
members:
	for _, m := range members {
		switch m.Name {
		case "version":
			if !isText(m.Value) {
				// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
				c.report(m.Value.Range(), "Invalid version constraint", "The version of a provider must be a string.")
			}
		case "source":
			if text, err := m.Value.Text(); err != nil || !isText(m.Value) {
				// OpenTofu 1.12.6, internal/configs/provider_requirements.go: decodeRequiredProvidersBlock.
				c.report(m.Value.Range(), "Invalid source", "The source of a provider must be a string.")
			} else if p.Source.IsSet() {
				if _, err := p.Provider(); err != nil {
					c.reportError(m.Value.Range(), sourceSummary(text), err)
				}
			}
		case "configuration_aliases":
			c.configurationAliases(a.Name, m.Value)
		default:
			// OpenTofu 1.12.6, internal/configs/provider_requirements.go: decodeRequiredProvidersBlock.
			c.report(m.Key.Range(), "Invalid required_providers object", "required_providers objects can only have source, version and configuration_aliases. A provider is configured with a provider block.")
			break members
		}
	}
	c.constraint(p.Version, addrs.ParseConfigConstraints)
}

// configurationAliases checks the configurations that a module must be given.
func (c *checker) configurationAliases(name string, e hclconfig.Expression) {
	// OpenTofu 1.12.6, internal/configs/provider_requirements.go: decodeRequiredProvidersBlock. Each is NAME.ALIAS,
	// without quotes.
	c.list(e, func(x hclconfig.Expression) {
		var t hcl.Traversal
		var diags hcl.Diagnostics
		switch {
		case hclsource.Native(x) != nil:
			t, diags = hcl.AbsTraversalForExpr(hclsource.Native(x))
		case hclsource.StrictTraversal(x):
			t, diags = hclsyntax.ParseTraversalAbs([]byte(hclsource.JSONText(x)), "", hcl.InitialPos)
		}
		switch {
		case diags.HasErrors() || len(t) == 0:
			// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
			c.report(x.Range(), "Invalid expression", "A reference to a provider configuration is required here, such as aws.west.")
		case len(t) > 1 && hclsource.StepName(t[1]) == "" || t.RootName() != name:
			// OpenTofu 1.12.6, internal/configs/provider_requirements.go: decodeRequiredProvidersBlock.
			c.report(e.Range(), "Invalid configuration_aliases value", "Configuration aliases have the form %s.NAME.", name)
		}
	})
}

// sourceSummary says in the programs' words which part of the source address of a
// provider is wrong.
func sourceSummary(text string) string {
	parts := strings.Split(text, "/")
	name := parts[len(parts)-1]
	_, err := addrs.ImpliedProvider(name)
	switch {
	// OpenTofu 1.12.6, internal/addrs/provider.go: ParseProviderSourceString reads the parts from the end, and stops at
	// the first fault.
	case len(parts) > 3 || slices.Contains(parts, ""):
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		return "Invalid provider source string"
	case err != nil:
		return "Invalid provider type"
	}
	if len(parts) > 1 {
		if _, err := addrs.ImpliedProvider(parts[len(parts)-2]); err != nil {
			// As recorded of Terraform 1.5.7 to 1.11.4: testdata/releases.txt, testdata/meaning.
			return "Invalid provider namespace"
		}
	}
	if strings.HasPrefix(name, "terraform-") {
		return "Invalid provider type"
	}
	return "Invalid provider source hostname"
}

// requirement returns the declaration of an entry of required_providers.
func (c *checker) requirement(a *hclconfig.Argument) *hclconfig.ProviderRequirement {
	if c.requirements == nil {
		c.requirements = map[*hclconfig.Argument]*hclconfig.ProviderRequirement{}
		for _, p := range hclsource.Requirements(c.f.Config().Settings) {
			c.requirements[p.Argument] = p
		}
	}
	if p := c.requirements[a]; p != nil {
		return p
	}
	return &hclconfig.ProviderRequirement{Argument: a, Name: a.Name}
}

// constraint checks a version constraint.
func (c *checker) constraint(t hclconfig.Text, parse func(string) (addrs.Constraints, error)) {
	if !t.IsSet() {
		return
	}
	if _, err := t.Argument.Text(); err != nil {
		return
	}
	if _, err := parse(t.Value); err != nil {
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		c.reportError(t.Argument.Expression.Range(), "Invalid version constraint", err)
	}
}
