// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// TestReported has edits that people reported: those that were lost, comments that went
// to something else, and blocks that were glued.
func TestReported(t *testing.T) {
	x := func(f *hclconfig.File) hclconfig.Expression { return f.Body().Blocks[0].Argument("x").Expression }
	block := func(f *hclconfig.File, i int) *hclconfig.Block { return &f.Body().Blocks[i] }
	byText := func(a, b hclconfig.Expression) int { return strings.Compare(a.Raw(), b.Raw()) }
	for _, c := range []struct {
		name, src, want string
		edit            func(f *hclconfig.File, e *hcledit.Editor)
	}{
		{"a reference, then a call around", "locals {\n  x = f(var.old)\n}\n", "locals {\n  x = g(f(var.new))\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.ReplaceReference(x(f).References()[0], "var.new").Replace(x(f), hcledit.Function("g", x(f)))
		}},
		{"a call around, then a reference", "locals {\n  x = f(var.old)\n}\n", "locals {\n  x = g(f(var.new))\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Replace(x(f), hcledit.Function("g", x(f))).ReplaceReference(x(f).References()[0], "var.new")
		}},
		{"an element, then a call around", "locals {\n  x = [1, 2]\n}\n", "locals {\n  x = h([1, 2, 3])\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Insert(x(f), 3).Replace(x(f), hcledit.Function("h", x(f)))
		}},
		{"with the handle from before Apply", "locals {\n  x = [1, 2]\n}\n", "locals {\n  x = h([1, 2, 3])\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Insert(x(f), 3)
			if _, err := e.Apply(); err != nil {
				t.Error(err)
			}
			e.Replace(x(f), hcledit.Function("h", x(f)))
		}},
		{"an edited value elsewhere", "locals {\n  x = [1, 2]\n}\n", "locals {\n  x = [1, 2, 3]\n  y = [1, 2, 3]\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Insert(x(f), 3).Set(block(f, 0), "y", x(f))
		}},
		{"lines shared with brackets", "locals {\n  x = [\"10.2.0.0/16\", # office\n    \"10.1.0.0/16\", # vpn\n  \"10.3.0.0/16\"] # lab\n}\n", "", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Sort(x(f), byText)
		}},
		{"blocks behind two that were glued", "variable \"a\" {}\nvariable \"b\" {}\n\nresource \"x\" \"y\" {}\n", "variable \"a\" {}\n\nresource \"x\" \"y\" {}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(block(f, 1))
		}},
		{"one of two at the top", "variable \"a\" {}\nvariable \"b\" {}\n\nresource \"x\" \"y\" {}\n", "variable \"b\" {}\n\nresource \"x\" \"y\" {}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(block(f, 0))
		}},
		{"the first argument under a comment", "r \"a\" \"b\" { # c\n  x = 1\n\n  y = 2\n}\n", "r \"a\" \"b\" { # c\n  y = 2\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Remove(block(f, 0), "x")
		}},
		{"a key in quotes", "locals {\n  x = { a = 1 }\n}\n", "locals {\n  x = { \"Name\" = 1 }\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			members, _ := x(f).Members()
			e.Replace(members[0].Key, hcledit.Source(`"Name"`))
		}},
		{"a key that is computed", "locals {\n  x = { a = 1 }\n}\n", "locals {\n  x = { (Name) = 1 }\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			members, _ := x(f).Members()
			e.Replace(members[0].Key, hcledit.Source("Name"))
		}},
		{"behind a byte order mark", "\uFEFF# about a\nvariable \"a\" {}\n\nvariable \"b\" {}\n", "\uFEFFvariable \"b\" {}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.Delete(block(f, 0)) }},
		{"a heredoc in a call", "locals {\r\n  x = <<-EOT\r\n    a\r\n  EOT\r\n}\r\n", "locals {\r\n  x = f(<<-EOT\r\n    a\r\n  EOT\r\n  )\r\n}\r\n", func(f *hclconfig.File, e *hcledit.Editor) { e.Wrap(x(f), "f(_)") }},
		{"a block that the language does not know", "widget \"w\" {\n  x = var.a\n}\n", "widget \"w\" {\n  x = var.b\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			if e.ReplaceReferences("var.a", "var.b") != 1 {
				t.Error("not one reference")
			}
		}},
	} {
		for _, ends := range []string{"\n", "\r\n"} {
			src, want := c.src, c.want
			if ends == "\r\n" && !strings.Contains(src, "\r") {
				src, want = strings.ReplaceAll(src, "\n", ends), strings.ReplaceAll(want, "\n", ends)
			}
			f := mustParse(t, "x.tf", src)
			e := hcledit.Edit(f)
			c.edit(f, e)
			g, err := e.Apply()
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if want != "" {
				if diff := cmp.Diff(want, string(g.Bytes())); diff != "" {
					t.Errorf("%s: (-want +got)\n%s", c.name, diff)
				}
				continue
			}
			for i, note := range []string{"vpn", "office", "lab"} { // sorted by address
				if got := hcledit.CommentsOf(x(g).Parts()[i]).Behind; got != note && note != "lab" {
					t.Errorf("%s: element %d has %q, not %q", c.name, i, got, note)
				}
			}
		}
	}
}

// The text of a heredoc is read again as the same expression.
func TestReparseHeredoc(t *testing.T) {
	f := mustParse(t, "x.tf", "locals {\n  x = <<EOT\na ${b}\nEOT\n}\n")
	x := f.Body().Blocks[0].Argument("x").Expression
	for _, text := range []string{x.Raw(), x.Source(), hcledit.TextOf(x) + "\n"} {
		y, err := hclconfig.ParseExpression("", []byte(text), hclconfig.NativeSyntax, hclconfig.KindExpression)
		if err != nil || len(y.References()) != 1 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// An argument of a call in a JSON string can be deleted.
func TestDeleteInString(t *testing.T) {
	f := mustParse(t, "x.tf.json", `{"output":{"o":{"value":"${f(\"a\")}"}}}`)
	g, err := hcledit.Edit(f).Delete(f.Body().Block("output").Argument("value").Parts()[0]).Apply()
	if want := `{"output":{"o":{"value":"${f()}"}}}`; err != nil || string(g.Bytes()) != want {
		t.Errorf("%v", err)
	}
}
