// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var commentSyntax = &hcllint.Analyzer{
	Name: "terraform_comment_syntax",
	Doc: `Comments should begin with #.

Both style guides use # for comments. The rule finds // comments, and /* */ comments of several
lines. A comment within a line, as in x = 1 /* why */ + 2, has no other form, so it is allowed.

	// The network.     finding
	# The network.      no finding

Files in JSON syntax have no comments. The fix changes the marks: each line of a /* */
comment gets its own #.`,
	URL:      page("terraform_comment_syntax"),
	Severity: hcllint.Warning,
	Presets:  []string{presetAll},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, f := range p.Module.Files {
			for at, text := range hcllint.Comments(f) {
				if fix, ok := commentFix(f, at, text); ok {
					p.Report(hcllint.Diagnostic{Range: at, Message: "Comments should begin with #", Fixes: fix})
				}
			}
		}
		return nil, nil
	},
}

// commentFix returns the fix of a comment, and reports whether it needs one.
func commentFix(f *hclconfig.File, at addrs.Range, comment string) ([]hcllint.Fix, bool) {
	text := "#"
	switch {
	case strings.HasPrefix(comment, "//"):
		at.End = f.Position(at.Start.Offset + 2)
	case strings.HasPrefix(comment, "/*") && strings.Contains(comment, "\n"):
		inner := strings.TrimSuffix(strings.TrimPrefix(comment, "/*"), "*/")
		text = "#" + strings.ReplaceAll(inner, "\n", "\n#")
		if !endsLine(f, at.End) {
			return nil, true // the rest of the line would be a part of the comment
		}
	default:
		return nil, false
	}
	return replacing("Begin the comment with #", f, at, constant(text)), true
}

// endsLine reports whether nothing follows on the line.
func endsLine(f *hclconfig.File, at addrs.Pos) bool {
	rest, _, _ := strings.Cut(string(f.Bytes()[at.Offset:]), "\n")
	return strings.TrimSpace(rest) == ""
}
