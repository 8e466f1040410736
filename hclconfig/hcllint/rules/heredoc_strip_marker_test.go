// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

// TestHeredocStripMarker compares the findings with what HCL makes of the text: a line keeps its blanks
// behind a marker, and others lose theirs.
func TestHeredocStripMarker(t *testing.T) {
	for text, want := range map[string]struct {
		found int
		value string
	}{
		"    a\n    %{ if true ~}\n    b\n    %{ endif ~}\n    c\n":     {2, "a\n    b\n    c\n"},
		"    a\n    %{ if true }\n    b\n    %{ endif }\n    c\n":       {0, "a\n\nb\n\nc\n"},
		"    a ${1 ~}\n      d\n    e\n":                                {1, "a 1      d\ne\n"},
		"    a\n    %{~ if true ~}\n    b\n    %{~ endif ~}\n\n    c\n": {0, "    a\n    b\n\n    c\n"},
		"   a\n b ${1 ~}\n    c\nd\n":                                   {0, "   a\n b 1    c\nd\n"},
		"    ${1 ~}\n    ${2 ~}\n":                                      {1, "1    2"},
		"    a ${1 ~}\nb\n":                                             {0, "a 1b\n"},
		"    a ${1 ~} x\n    b\n":                                       {0, "a 1x\nb\n"},
		"\ta ${\"${2 ~}\" ~}  \n\tb\n":                                  {1, "a 2\tb\n"},
		"    a\n    ${1 ~}\n\n    b\n":                                  {0, "a\n1\nb\n"},
	} {
		for _, mark := range []string{"<<-", "<<"} {
			src := "x = " + mark + "EOT\n" + text + "EOT\n"
			found := keptIndents([]byte(src))
			if mark == "<<" {
				if len(found) > 0 {
					t.Errorf("%q: %v", src, found)
				}
				continue
			}
			f, diags := hclsyntax.ParseConfig([]byte(src), "", hcl.InitialPos)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			attrs, _ := f.Body.JustAttributes()
			value, diags := attrs["x"].Expr.Value(nil)
			if diags.HasErrors() || value.AsString() != want.value {
				t.Errorf("%q is %q, %v", src, value.AsString(), diags)
			}
			if len(found) != want.found {
				t.Errorf("%q: %d findings, want %d", src, len(found), want.found)
			}
			for _, at := range found {
				if !strings.HasPrefix(src[at:], "~}") {
					t.Errorf("%q: the finding is at %q", src, src[at:])
				}
			}
		}
	}
}

func TestHeredocStripMarker_report(t *testing.T) {
	dir := t.TempDir()
	src := "output \"x\" {\n  value = <<-EOT\n    a ${1 ~}\n    b\n  EOT\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{"": "", "-only heredoc_strip_marker ": "/main.tf:3,11: notice: the line behind this strip marker keeps its indentation (heredoc_strip_marker)\n"} {
		var out strings.Builder
		status := hcllint.Command(append(strings.Fields(args), dir), nil, &out, &out, heredocStripMarker)
		if !strings.HasSuffix(out.String(), want) || (status == 0) != (want == "") {
			t.Errorf("%s: %d, %s", args, status, out.String())
		}
	}
}
