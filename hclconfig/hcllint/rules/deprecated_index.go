// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import "github.com/tofuwire/tofuwire/hclconfig/hcllint"

var deprecatedIndex = &hcllint.Analyzer{
	Name: "terraform_deprecated_index",
	Doc: `List items should be accessed using square brackets.

Indexes and splats with a dot are an old spelling, which is hard to read and cannot be
nested.

	aws_instance.a.0.id     finding
	aws_instance.a.*.id     finding
	aws_instance.a[0].id    no finding

In JSON syntax the rule finds indexes only. The fix writes brackets, but not for a splat with
an index after it, which would then be an index of each element.`,
	URL:      page("terraform_deprecated_index"),
	Severity: hcllint.Warning,
	Requires: []*hcllint.Analyzer{expressions},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, f := range partsOf(p) {
			for _, s := range f.dotted {
				at := f.place(s.at)
				d := hcllint.Diagnostic{Range: at, Message: "List items should be accessed using square brackets"}
				if s.text != "" {
					d.Fixes = replacing("Write "+s.text, f.file, at, constant(s.text))
				}
				p.Report(d)
			}
		}
		return nil, nil
	},
}
