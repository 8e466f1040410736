// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Lint checks a module for a handful of bad habits, in native and JSON files
// alike.
//
//	lint DIR
//
// It prints one line for each finding, with its file, line and column. The exit
// status is 1 if there are findings and 2 if the folder cannot be read.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: lint DIR")
		os.Exit(2)
	}
	n, err := run(os.Stdout, os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(2)
	}
	if n > 0 {
		os.Exit(1)
	}
}

// A finding is one thing that a rule does not like.
type finding struct {
	at   hclconfig.Range
	text string
}

// rules are all that is checked. A rule calls report for each finding.
var rules = []func(m *hclconfig.Module, report func(at hclconfig.Range, format string, args ...any)){
	unpinnedProvider, missingDescription, interpolationOnly, sensitiveOutput, moduleVersion,
}

// run checks the module in dir and returns how many findings there are.
func run(w io.Writer, dir string) (int, error) {
	m, err := hclconfig.LoadModule(os.DirFS(dir), ".")
	if err != nil {
		return 0, err
	}
	var found []finding
	report := func(at hclconfig.Range, format string, args ...any) {
		found = append(found, finding{at, fmt.Sprintf(format, args...)})
	}
	for _, d := range m.Validate() {
		report(d.Subject, "%s", d.Summary)
	}
	for _, rule := range rules {
		rule(m, report)
	}
	for _, f := range found {
		fmt.Fprintf(w, "%s:%d,%d: %s\n", f.at.Filename, f.at.Start.Line, f.at.Start.Column, f.text)
	}
	return len(found), nil
}

// unpinnedProvider wants a version constraint for each provider.
func unpinnedProvider(m *hclconfig.Module, report func(hclconfig.Range, string, ...any)) {
	for _, p := range m.RequiredProviders() {
		if p.Provider.IsBuiltIn() || !p.Constraints.IsEmpty() {
			continue
		}
		at := hclconfig.Range{Filename: m.Dir}
		if p.Requirement != nil {
			at = p.Requirement.Argument.Range()
		} else if len(m.Files) > 0 {
			at = hclconfig.Range{Filename: m.Files[0].Filename(), Start: m.Files[0].Position(0)}
		}
		report(at, "provider %s has no version constraint", p.Name)
	}
}

// missingDescription wants every input and output of the module explained.
func missingDescription(m *hclconfig.Module, report func(hclconfig.Range, string, ...any)) {
	for _, v := range m.Variables {
		if v.Description.Value == "" {
			report(v.Block.DefRange(), "variable %s has no description", v.Name)
		}
	}
	for _, o := range m.Outputs {
		if o.Description.Value == "" {
			report(o.Block.DefRange(), "output %s has no description", o.Name)
		}
	}
}

// interpolationOnly wants var.x instead of "${var.x}". JSON has no other way.
func interpolationOnly(m *hclconfig.Module, report func(hclconfig.Range, string, ...any)) {
	for b := range m.AllBlocks() {
		if b.File().Syntax() == hclconfig.JSONSyntax {
			continue
		}
		for a := range b.Body.AllArguments() {
			raw := a.Raw()
			if strings.HasPrefix(raw, `"${`) && strings.HasSuffix(raw, `}"`) && strings.Count(raw, "${") == 1 && strings.Count(raw, "}") == 1 {
				report(a.Expression.Range(), "%s needs no quotes and braces", a.Name)
			}
		}
	}
}

// sensitiveOutput wants outputs marked that show a sensitive variable.
func sensitiveOutput(m *hclconfig.Module, report func(hclconfig.Range, string, ...any)) {
	secret := map[addrs.Reference]bool{}
	for _, v := range m.Variables {
		if r, err := addrs.ParseReference("var." + v.Name); err == nil && v.Sensitive.Value {
			secret[r] = true
		}
	}
	for _, o := range m.Outputs {
		for _, r := range o.Value.References() {
			if secret[r.Addr.Subject()] && !o.Sensitive.Value {
				report(r.Range(), "output %s shows %s and is not marked sensitive", o.Name, r)
			}
		}
	}
}

// moduleVersion wants a version for each module from a registry.
func moduleVersion(m *hclconfig.Module, report func(hclconfig.Range, string, ...any)) {
	for _, c := range m.Calls {
		source, err := c.SourceAddr()
		if err == nil && source.Kind() == addrs.RegistrySource && !c.Version.IsSet() {
			report(c.Block.DefRange(), "module %s has no version", c.Name)
		}
	}
}
