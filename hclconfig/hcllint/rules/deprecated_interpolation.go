// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var deprecatedInterpolation = &hcllint.Analyzer{
	Name: "terraform_deprecated_interpolation",
	Doc: `A string that is only one interpolation needs no quotes.

Since Terraform 0.12, an expression needs no quotes.

	name = "${var.name}"     finding
	name = var.name          no finding
	name = "${var.name}-a"   no finding

The rule looks at native syntax only: in JSON the quotes are needed. The fix takes the
expression out of the string; as the key of an object it gets parentheses.`,
	URL:      page("terraform_deprecated_interpolation"),
	Severity: hcllint.Warning,
	Requires: []*hcllint.Analyzer{expressions},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, f := range partsOf(p) {
			for _, w := range f.wraps {
				d := hcllint.Diagnostic{
					Range:   f.rangeOf(w.SrcRange),
					Message: "Interpolation-only expressions are deprecated in Terraform v0.12.14",
				}
				if !f.hasComment(w.SrcRange, w.Wrapped.Range()) {
					d.Fixes = replacing("Remove the quotes", f.file, d.Range, func() string { return f.unwrapped(w) })
				}
				p.Report(d)
			}
		}
		return nil, nil
	},
}

// unwrapped returns the text of the expression in w, in parentheses where it needs them.
func (f *fileParts) unwrapped(w wrap) string {
	text := f.text(w.Wrapped.Range())
	needs := w.key
	if w.source { // what follows would belong to the last splat inside, or bind in another way
		switch w.Wrapped.(type) {
		case *hclsyntax.ScopeTraversalExpr, *hclsyntax.FunctionCallExpr, *hclsyntax.ParenthesesExpr:
		default:
			needs = true
		}
	}
	switch w.Wrapped.(type) {
	case *hclsyntax.BinaryOpExpr, *hclsyntax.UnaryOpExpr, *hclsyntax.ConditionalExpr:
		needs = needs || w.operand || strings.Contains(text, "\n")
	case *hclsyntax.RelativeTraversalExpr, *hclsyntax.ScopeTraversalExpr, *hclsyntax.SplatExpr, *hclsyntax.IndexExpr:
		needs = needs || strings.Contains(text, "\n")
	}
	if needs {
		return "(" + text + ")"
	}
	return text
}
