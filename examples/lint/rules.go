// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// A finding is one violation of a rule.
type finding struct {
	rule    string
	at      addrs.Range
	text    string
	isError bool
	// fix repairs the finding in its file, or is nil if that is not possible.
	fix func(*hcledit.Editor)
}

// A rule looks at a module and calls report for each finding.
type rule struct {
	id, text string
	check    func(t *hclnames.Tree, report func(finding))
}

// rules are all rules.
var rules = []rule{
	{"valid", "The configuration is valid.", valid},
	{"provider-version", "Each provider has a version constraint.", unpinnedProvider},
	{"description", "Variables and outputs have descriptions.", missingDescription},
	{"interpolation", "Expressions have no needless quotes and braces.", interpolationOnly},
	{"sensitive", "Outputs that show sensitive variables are marked.", sensitiveOutput},
	{"unused", "What is declared is used.", unused},
	{"type", "Variables have types.", missingType},
	{"version", "Modules from a registry have a version.", moduleVersion},
}

// valid requires a module without errors of the package itself.
func valid(t *hclnames.Tree, report func(finding)) {
	m := t.Module
	for _, d := range hclcheck.ValidateModule(m) {
		report(finding{at: d.Subject, text: d.Summary, isError: d.Severity == hclconfig.SeverityError})
	}
}

// unpinnedProvider requires a version constraint for each provider.
func unpinnedProvider(t *hclnames.Tree, report func(finding)) {
	m := t.Module
	for _, p := range m.RequiredProviders() {
		if p.Provider.IsBuiltIn() || !p.Constraints.IsEmpty() {
			continue
		}
		at := addrs.Range{Filename: m.Dir}
		if p.Requirement != nil {
			at = p.Requirement.Argument.Range()
		} else if len(m.Files) > 0 {
			at = addrs.Range{Filename: m.Files[0].Filename(), Start: m.Files[0].Position(0)}
		}
		report(finding{at: at, text: fmt.Sprintf("provider %s has no version constraint", p.Name)})
	}
}

// missingDescription requires a description of each input and output of the
// module.
func missingDescription(t *hclnames.Tree, report func(finding)) {
	m := t.Module
	for _, v := range m.Variables {
		if v.Description.Value == "" {
			report(finding{at: v.Block.DefRange(), text: fmt.Sprintf("variable %s has no description", v.Name)})
		}
	}
	for _, o := range m.Outputs {
		if o.Description.Value == "" {
			report(finding{at: o.Block.DefRange(), text: fmt.Sprintf("output %s has no description", o.Name)})
		}
	}
}

// interpolationOnly requires var.x instead of "${var.x}". JSON has no other
// way.
func interpolationOnly(t *hclnames.Tree, report func(finding)) {
	m := t.Module
	for _, f := range m.Files {
		if f.Syntax() == hclconfig.JSONSyntax {
			continue
		}
		for a := range f.Body().AllArguments() {
			needless(a.Expression, func(x, inner hclconfig.Expression) {
				report(finding{at: x.Range(), text: a.Name + " needs no quotes and braces", fix: func(e *hcledit.Editor) {
					e.Replace(x, inner)
				}})
			})
		}
	}
}

// needless calls found for each quoted template in x that is only one
// expression, with that expression. Keys of objects need their quotes.
func needless(x hclconfig.Expression, found func(x, inner hclconfig.Expression)) {
	parts := x.Parts()
	if x.Form() == hclconfig.FormTemplate && len(parts) == 1 && x.Raw()[0] == '"' && !strings.HasPrefix(parts[0].Raw(), "%{") {
		found(x, parts[0])
		return // its parts come in later calls
	}
	object := x.Form() == hclconfig.FormObject
	for i, p := range parts {
		if p.IsSet() && (!object || i%2 == 1) {
			needless(p, found)
		}
	}
}

// unused requires a use of each variable, local value and data source.
func unused(t *hclnames.Tree, report func(finding)) {
	for _, d := range hclnames.NamesOf(t.Module).Unused() {
		report(finding{at: d.Range(), text: d.Address + " is not used"})
	}
}

// missingType requires a type for each variable.
func missingType(t *hclnames.Tree, report func(finding)) {
	for _, v := range t.Module.Variables {
		if !v.Type.IsSet() {
			report(finding{at: v.Block.DefRange(), text: fmt.Sprintf("variable %s has no type", v.Name)})
		}
	}
}

// moduleVersion requires a version for each module from a registry.
func moduleVersion(t *hclnames.Tree, report func(finding)) {
	m := t.Module
	for _, c := range m.Calls {
		source, err := c.SourceAddr()
		if err == nil && source.Kind() == addrs.RegistrySource && !c.Version.IsSet() {
			report(finding{at: c.Block.DefRange(), text: fmt.Sprintf("module %s has no version", c.Name)})
		}
	}
}
