// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/tofuwire/tofuwire/hclconfig/hcllint"

var deprecatedInterpolation = &hcllint.Analyzer{
	Name: "terraform_deprecated_interpolation",
	Doc: `A string that is only one interpolation needs no quotes.

Since Terraform 0.12 an expression can stand by itself.

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
				at, text := f.rangeOf(w.SrcRange), f.text(w.Wrapped.Range())
				if w.key {
					text = "(" + text + ")"
				}
				p.Report(hcllint.Diagnostic{
					Range: at, Message: "Interpolation-only expressions are deprecated in Terraform v0.12.14",
					Fixes: replacing("Remove the quotes", f.file, at, text),
				})
			}
		}
		return nil, nil
	},
}
