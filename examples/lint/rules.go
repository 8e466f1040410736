// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
)

// A finding is one thing that a rule does not like.
type finding struct {
	rule    string
	at      addrs.Range
	text    string
	isError bool
	// fix repairs it in the file that it is in, if that is possible.
	fix func(*hclconfig.Editor)
}

// A rule looks at a module and calls report for each finding.
type rule struct {
	id, text string
	check    func(m *hclconfig.Module, report func(finding))
}

// rules are all that is checked.
var rules = []rule{
	{"valid", "The configuration is valid.", valid},
	{"provider-version", "Each provider has a version constraint.", unpinnedProvider},
	{"description", "Variables and outputs have descriptions.", missingDescription},
	{"interpolation", "Expressions have no needless quotes and braces.", interpolationOnly},
	{"sensitive", "Outputs that show sensitive variables are marked.", sensitiveOutput},
	{"version", "Modules from a registry have a version.", moduleVersion},
}

// valid wants what the package itself wants.
func valid(m *hclconfig.Module, report func(finding)) {
	for _, d := range hclcheck.ValidateModule(m) {
		report(finding{at: d.Subject, text: d.Summary, isError: d.Severity == hclconfig.SeverityError})
	}
}

// unpinnedProvider wants a version constraint for each provider.
func unpinnedProvider(m *hclconfig.Module, report func(finding)) {
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

// missingDescription wants every input and output of the module explained.
func missingDescription(m *hclconfig.Module, report func(finding)) {
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

// interpolationOnly wants var.x instead of "${var.x}". JSON has no other way.
func interpolationOnly(m *hclconfig.Module, report func(finding)) {
	for _, f := range m.Files {
		if f.Syntax() == hclconfig.JSONSyntax {
			continue
		}
		for a := range f.Body().AllArguments() {
			needless(a.Expression, func(x, inner hclconfig.Expression) {
				report(finding{at: x.Range(), text: a.Name + " needs no quotes and braces", fix: func(e *hclconfig.Editor) {
					e.Replace(x, inner)
				}})
			})
		}
	}
}

// needless calls found for each quoted template in x that is nothing but an
// expression, with that. Keys of objects need their quotes.
func needless(x hclconfig.Expression, found func(x, inner hclconfig.Expression)) {
	parts := x.Parts()
	if x.Form() == hclconfig.FormTemplate && len(parts) == 1 && x.Raw()[0] == '"' && !strings.HasPrefix(parts[0].Raw(), "%{") {
		found(x, parts[0])
		return // what is in it comes next time
	}
	for i, p := range parts {
		if p.IsSet() && (x.Form() != hclconfig.FormObject || i%2 == 1) {
			needless(p, found)
		}
	}
}

// sensitiveOutput wants outputs marked that show a sensitive variable.
func sensitiveOutput(m *hclconfig.Module, report func(finding)) {
	secret := map[addrs.Reference]bool{}
	for _, v := range m.Variables {
		if r, err := addrs.ParseReference("var." + v.Name); err == nil && v.Sensitive.Value {
			secret[r] = true
		}
	}
	for _, o := range m.Outputs {
		for _, r := range o.Value.References() {
			if secret[r.Addr.Subject()] && !o.Sensitive.Value {
				report(finding{at: r.Range(), text: fmt.Sprintf("output %s shows %s and is not marked sensitive", o.Name, r), fix: func(e *hclconfig.Editor) {
					e.Set(o.Block, "sensitive", true)
				}})
			}
		}
	}
}

// moduleVersion wants a version for each module from a registry.
func moduleVersion(m *hclconfig.Module, report func(finding)) {
	for _, c := range m.Calls {
		source, err := c.SourceAddr()
		if err == nil && source.Kind() == addrs.RegistrySource && !c.Version.IsSet() {
			report(finding{at: c.Block.DefRange(), text: fmt.Sprintf("module %s has no version", c.Name)})
		}
	}
}
