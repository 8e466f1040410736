// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"errors"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
)

// The presets of tflint. The first one is on by default.
const (
	recommended = "recommended"
	allRules    = "all"
)

// checker is what Checker returns: analyzers are the same if their pointers are.
var checker = &Analyzer{
	Name: "validate",
	Doc: "The configuration should be valid, as hclcheck.Validate and the validate command of the dialect's program " +
		"check it. Faults in called modules are reported there.",
	Severity: Error,
	Presets:  []string{recommended, "all"},
	Run: func(p *Pass) (any, error) {
		names := map[string]bool{}
		for _, f := range p.Module.Files {
			names[f.Filename()] = true
		}
		t := p.Tree
		if p.evaluator.given {
			// The checker knows only that files may give values.
			t = instanceOf(t, t.Parent)
			t.VariableFiles = append(slices.Clone(t.VariableFiles), "given.tfvars")
		}
		for _, d := range hclcheck.Validate(t, hclcheck.Validation{Schemas: p.Schemas}) {
			if !names[d.Subject.Filename] || errors.Is(d.Err, hclconfig.ErrSyntax) {
				continue
			}
			text := d.Summary
			if d.Detail != "" {
				text += "; " + strings.ReplaceAll(d.Detail, "\n", " ")
			}
			severity := Error
			if d.Severity == hclconfig.SeverityWarning {
				severity = Warning
			}
			p.Report(Diagnostic{Range: d.Subject, Message: text, Severity: severity})
		}
		return nil, nil
	},
}

// Checker returns the analyzer "validate": the faults that package hclcheck finds, as
// findings. Each call returns the same analyzer. If an analyzer of package rules about
// providers or about deprecated syntax reports the same fault at the same position, only that
// finding is reported.
func Checker() *Analyzer { return checker }

// withoutTwins returns the findings without those of Checker that a rule reports too.
func withoutTwins(list []Diagnostic) []Diagnostic {
	type position struct {
		file     string
		offset   int64
		severity Severity
	}
	positionOf := func(d Diagnostic) position { return position{d.Range.Filename, d.Range.Start.Offset, d.Severity} }
	said := map[position]bool{}
	for _, d := range list {
		if strings.HasPrefix(d.Analyzer.Name, "provider_") || strings.HasPrefix(d.Analyzer.Name, "terraform_deprecated_") {
			said[positionOf(d)] = true
		}
	}
	if len(said) == 0 {
		return list
	}
	return slices.DeleteFunc(list, func(d Diagnostic) bool { return d.Analyzer == checker && said[positionOf(d)] })
}
