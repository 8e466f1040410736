// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"bytes"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var styleFormat = &hcllint.Analyzer{
	Name: "style_format",
	Doc: `Files should be formatted as the fmt command does.

Both style guides require it. The finding is at the first line that differs. The rule looks
at native syntax only, as the command does; the fix formats the file.`,
	URL:      page("style_format"),
	Severity: hcllint.Notice,
	Presets:  []string{presetStyle},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, f := range p.Module.Files {
			if f.Syntax() != hclconfig.NativeSyntax || f.Err() != nil {
				continue
			}
			src := f.Bytes()
			out, err := hcledit.Format(src)
			if err != nil || bytes.Equal(out, src) {
				continue
			}
			all := addrs.Range{Filename: f.Filename(), Start: f.Position(0), End: f.Position(int64(len(src)))}
			at := f.Position(int64(firstChange(src, out)))
			p.Report(hcllint.Diagnostic{
				Range: rangeAt(f, at), Message: "the file is not formatted as fmt does",
				Fixes: replacing("Format the file", f, all, constant(string(out))),
			})
		}
		return nil, nil
	},
}

// firstChange returns where the first line begins that differs.
func firstChange(a, b []byte) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return bytes.LastIndexByte(a[:i], '\n') + 1
}
