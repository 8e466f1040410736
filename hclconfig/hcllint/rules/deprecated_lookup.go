// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var deprecatedLookup = &hcllint.Analyzer{
	Name: "terraform_deprecated_lookup",
	Doc: `A call of lookup without a default should be an index.

The form with two arguments has been deprecated since Terraform 0.7.

	lookup(var.zones, "a")         finding
	var.zones["a"]                 no finding
	lookup(var.zones, "a", null)   no finding

The rule looks at native syntax only. The fix writes the index.`,
	URL:      page("terraform_deprecated_lookup"),
	Severity: hcllint.Warning,
	Requires: []*hcllint.Analyzer{expressions},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, f := range partsOf(p) {
			for _, c := range f.lookups {
				at := f.rangeOf(c.Range())
				d := hcllint.Diagnostic{Range: at, Message: "Lookup with 2 arguments is deprecated"}
				if !c.ExpandFinal && !f.hasComment(c.Range(), c.Args[0].Range(), c.Args[1].Range()) {
					d.Fixes = replacing("Write an index", f.file, at, func() string { return f.operand(c.Args[0]) + "[" + f.text(c.Args[1].Range()) + "]" })
				}
				p.Report(d)
			}
		}
		return nil, nil
	},
}

// operand returns the text of an expression that an index can follow.
func (f *fileParts) operand(x hclsyntax.Expression) string {
	text := f.text(x.Range())
	switch x.(type) {
	case *hclsyntax.BinaryOpExpr, *hclsyntax.UnaryOpExpr, *hclsyntax.ConditionalExpr, *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr, *hclsyntax.SplatExpr:
		return "(" + text + ")"
	}
	return text
}
