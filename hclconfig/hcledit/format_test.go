// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
)

// formatCases are texts with what "tofu fmt" makes of them.
var formatCases = []struct{ name, src, want string }{
	{"empty", "", ""},
	{"no line break at the end", "a=1", "a = 1"},
	{"byte order mark", "\uFEFFa=1\n", "a = 1\n"},
	{"CRLF", "a=1\r\nbcd=2\r\n", "a   = 1\r\nbcd = 2\r\n"},
	{"groups", "a=1\nbcd=2\n\nx=1 # one\nxyz=22 # two\n", "a   = 1\nbcd = 2\n\nx   = 1  # one\nxyz = 22 # two\n"},
	{"indentation", "b {\nx {\n    y=1\n    }\n}\n", "b {\n  x {\n    y = 1\n  }\n}\n"},
	{"labels", "resource aws /* c */ a {\n}\nb \"a\" /* x */ \"c\" /* y */ {\n}\n", "resource \"aws\" \"a\" {\n}\nb \"a\" \"c\" /* y */ {\n}\n"},
	{"label with escapes", "b \"a\\tb\" {}\n", "b \"a\\tb\" {}\n"},
	{"label with a dollar sign", "b   \"a$b\"   {}\n", "b \"a$b\" {}\n"},
	{"label with a template mark", "b   \"$${x}\"   {}\n", "b \"$${x}\" {}\n"},
	{"needless template", "a = \"${b}\"\nc = \"${ d }\"\n", "a = b\nc = d\n"},
	{"template of several lines", "a = \"${\n  b\n}\"\nc = \"${\n  d ?\n  e : f\n}\"\n", "a = b\nc = (d ?\ne : f)\n"},
	{"template that is needed", "a = \"${b}${c}\"\nd = \"x${e}\"\nf = [\"${g}\"]\n", "a = \"${b}${c}\"\nd = \"x${e}\"\nf = [\"${g}\"]\n"},
	{"template in a template", "a = \"${f(\"${b}\")}\"\n", "a = f(\"${b}\")\n"},
	{"types", "variable \"a\" {\n  type = \"list\"\n}\nvariable \"b\" {\n  type = map\n}\nvariable \"c\" {\n  type = \"string\"\n}\n",
		"variable \"a\" {\n  type = list(string)\n}\nvariable \"b\" {\n  type = map(any)\n}\nvariable \"c\" {\n  type = string\n}\n"},
	{"type elsewhere", "variable \"a\" {\n  b {\n    type = list\n  }\n}\nx {\n  type = \"string\"\n}\n",
		"variable \"a\" {\n  b {\n    type = list\n  }\n}\nx {\n  type = \"string\"\n}\n"},
	{"heredoc", "a = <<-EOT\n      x\n   EOT\nbc=1\n", "a  = <<-EOT\n      x\n   EOT\nbc = 1\n"},
	{"operators", "a=1+-2\nb=!c&&d\ne=f(1,2...)\n", "a = 1 + -2\nb = !c && d\ne = f(1, 2...)\n"},
}

func TestFormat(t *testing.T) {
	for _, c := range formatCases {
		t.Run(c.name, func(t *testing.T) {
			src := []byte(c.src)
			got, err := hcledit.Format(src)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if string(src) != c.src {
				t.Error("the input was changed")
			}
			if again, err := hcledit.Format(got); err != nil || string(again) != string(got) {
				t.Errorf("formatted again: %v\n%s", err, again)
			}
		})
	}
}

func TestFormatRefusesBrokenText(t *testing.T) {
	var e *hclconfig.Error
	if out, err := hcledit.Format([]byte("a = [\n")); !errors.As(err, &e) || !errors.Is(err, hclconfig.ErrSyntax) || out != nil {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := hcledit.Format([]byte("a = " + strings.Repeat("[", 20000))); !errors.Is(err, hclconfig.ErrLimit) {
		t.Error(err)
	}
}

// TestFormatAsHCL compares with the same changes made by hclwrite's own tree.
func TestFormatAsHCL(t *testing.T) {
	n := 0
	for _, fx := range configshow.Fixtures(t, "../testdata", "../hclconvert/testdata") {
		if name, _ := hclconfig.ParseFilename(fx.Name); name.Syntax == hclconfig.NativeSyntax {
			n += formatAsHCL(t, fx.Src)
		}
	}
	if n < 100 {
		t.Errorf("only %d files", n)
	}
}

func FuzzFormat(f *testing.F) {
	for _, c := range formatCases {
		f.Add([]byte(c.src))
	}
	for _, fx := range configshow.Fixtures(f, "../testdata", "../hclconvert/testdata") {
		if len(fx.Src) < 2048 {
			f.Add(fx.Src)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) < 1<<14 {
			formatAsHCL(t, src)
		}
	})
}

// formatAsHCL returns how many files it compared: none if it is not valid.
func formatAsHCL(t *testing.T, src []byte) int {
	got, err := hcledit.Format(src)
	if err != nil {
		return 0
	}
	if _, err := hclconfig.ParseNative("", got); err != nil {
		t.Errorf("%q becomes %q: %v", src, got, err)
	}
	want, ok := treeFormat(src)
	if ok && string(want) != string(got) {
		t.Errorf("%q (-hclwrite +ours):\n%s", src, cmp.Diff(string(want), string(got)))
	}
	return 1
}

// treeFormat sets every label and every expression anew.
func treeFormat(src []byte) ([]byte, bool) {
	f, diags := hclwrite.ParseConfig(src, "", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, false
	}
	g, _ := hclconfig.ParseNative("", src)
	for b := range g.Body().All() {
		if strings.ContainsAny(strings.Join(b.Labels, ""), "$%") {
			return nil, false // fmt would drop it
		}
	}
	treeBody(f.Body(), "")
	return f.Bytes(), true
}

func treeBody(b *hclwrite.Body, in string) {
	for name, a := range b.Attributes() {
		tokens := a.Expr().BuildTokens(nil)
		text := strings.TrimSpace(string(tokens.Bytes()))
		legacy := map[string]string{"list": "list(any)", "map": "map(any)", "set": "set(any)", `"string"`: "string", `"list"`: "list(string)", `"map"`: "map(string)"}
		switch to := legacy[text]; {
		case in == "variable" && name == "type":
			if to != "" && (len(tokens) == 1 || len(tokens) == 3) {
				b.SetAttributeRaw(name, hclwrite.Tokens{{Type: hclsyntax.TokenIdent, Bytes: []byte(to)}})
			}
		default:
			b.SetAttributeRaw(name, inside(tokens))
		}
	}
	for _, n := range b.Blocks() {
		n.SetLabels(n.Labels())
		inner := n.Type()
		if in != "" {
			inner = "/"
		}
		treeBody(n.Body(), inner)
	}
}

// inside returns the tokens in "${ }", or all.
func inside(all hclwrite.Tokens) hclwrite.Tokens {
	n := len(all)
	if n < 5 || all[0].Type != hclsyntax.TokenOQuote || all[1].Type != hclsyntax.TokenTemplateInterp || all[n-1].Type != hclsyntax.TokenCQuote {
		return all
	}
	depth := 0
	for i, t := range all[:n-1] {
		switch t.Type {
		case hclsyntax.TokenOQuote:
			depth++
		case hclsyntax.TokenCQuote:
			depth--
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenQuotedLit:
			if depth == 1 && i != 1 && i != n-2 {
				return all
			}
		}
	}
	if all[n-2].Type != hclsyntax.TokenTemplateSeqEnd {
		return all
	}
	in := all[2 : n-2]
	for len(in) > 0 && in[0].Type == hclsyntax.TokenNewline {
		in = in[1:]
	}
	for len(in) > 0 && in[len(in)-1].Type == hclsyntax.TokenNewline {
		in = in[:len(in)-1]
	}
	for i, t := range in {
		if t.Type == hclsyntax.TokenNewline && i > 0 && (in[0].Type != hclsyntax.TokenOParen || in[len(in)-1].Type != hclsyntax.TokenCParen) {
			out := hclwrite.Tokens{{Type: hclsyntax.TokenOParen, Bytes: []byte("(")}}
			return append(append(out, in...), &hclwrite.Token{Type: hclsyntax.TokenCParen, Bytes: []byte(")")})
		}
	}
	return in
}
