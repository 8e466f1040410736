// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllex

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// sameTrees checks that src has HCL's trees and diagnostics, when every text gets a
// stand-in.
func sameTrees(t *testing.T, src []byte) (read int) {
	t.Helper()
	start := hcl.Pos{Line: 3, Column: 5, Byte: 100}
	type result struct {
		tree  any
		diags hcl.Diagnostics
	}
	one := func(x hclsyntax.Expression, diags hcl.Diagnostics) result { return result{x, diags} }
	file := func(f *hcl.File, diags hcl.Diagnostics) result { return result{f, diags} }
	pairs := [][2]result{
		{one(ParseExpression(src, "x", start)), one(hclsyntax.ParseExpression(src, "x", start))},
		{one(ParseTemplate(src, "x", start)), one(hclsyntax.ParseTemplate(src, "x", start))},
		{file(ParseConfig(src, "x", start)), file(hclsyntax.ParseConfig(src, "x", start))},
	}
	for i, p := range pairs {
		got, want := p[0], p[1]
		if len(got.diags) == 0 && len(want.diags) == 0 {
			read++
			if !reflect.DeepEqual(got.tree, want.tree) {
				t.Fatalf("%d: other tree for %q", i, src)
			}
			continue
		}
		if len(got.diags) != len(want.diags) {
			t.Fatalf("%d: %q:\ngot  %v\nwant %v", i, src, got.diags, want.diags)
		}
		for k, d := range got.diags {
			w := want.diags[k]
			if d.Summary != w.Summary || words(d.Detail) != words(w.Detail) || !reflect.DeepEqual(d.Subject, w.Subject) || !reflect.DeepEqual(d.Context, w.Context) {
				t.Fatalf("%d: %q:\ngot  %v\nwant %v", i, src, d, w)
			}
		}
	}
	return read
}

// words returns a sentence without the end of the range that it names: HCL means the end
// of a first token there or of the last one, as it happens.
func words(s string) string { return rangeInWords().ReplaceAllString(s, ":$1,$2") }

func FuzzParse(f *testing.F) {
	manyTokens = 0
	for _, s := range []string{"a", "\"${x}y\"", "a = <<-E\n  x\n ${y}\nE\n", "%{ if a ~}\n x\n%{ endif }", "b \"$x$\" {}\n", "a[\"$b$\"]", "\"\\q $ $\"", "$$${a} %%{b}", "$0${0", "%{ if(000}$0000000000000", "<<E\n${<<F\n  $\nF\n}\nE\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) { sameTrees(t, []byte(src)) })
}

// Random templates have the trees that HCL makes of them.
func TestParse(t *testing.T) {
	defer func(n int) { manyTokens = n }(manyTokens)
	manyTokens = 0
	pieces := []string{
		"\n", "\n", "\n", "  ", "    ", "\t", " ", "x", "y z", "$", "%", "$ {", "${a}", "${b.c[0]}", "${f(\"}\", 1)}", "${\n  a\n}", "${\"x${y}$z\"}", "$${a}", "%%{a}",
		"%{ if a }", "%{ else ~}", "%{ endif }", "%{~ for x, y in z }", "%{ endfor ~}", "${~ a ~}", "EOT", "EOT\n", " EOT x\n", "\r\n", "\\n", "\"", "#", "// x\n",
		"\u00e9", "e\u0301", "\u0301", "\u00a0", "\v", "${a # c\n}", "${a / 2}", "}", "{", "a = ", "b \"$c$\" \"d\" {\n", "<<EOT\n", "<<-EOT\n", "${a[\"$b\"]}", "${a[\"b\"].c[*].d}", "\\q", "\\u12", "[", "]", "/* \n */",
		"{ a = 1\n \"$b$\" = 2 }", "a ? b : \"$$\"",
	}
	r := rand.New(rand.NewPCG(7, 7))
	read := 0
	for range 10000 {
		var b strings.Builder
		open := r.IntN(6)
		b.WriteString([]string{"", "\"", "<<EOT\n", "<<-EOT\n", "a = <<-EOT\n", "b \"$x$\" {\n a = \""}[open])
		some := pieces[:3+r.IntN(len(pieces)-2)]
		for range r.IntN(14) {
			b.WriteString(some[r.IntN(len(some))])
		}
		b.WriteString([]string{"", "\"", "\n  EOT\n", "\nEOT\n", "\nEOT\n", "\"\n}\n"}[open])
		read += sameTrees(t, []byte(b.String()))
	}
	if read < 4000 {
		t.Errorf("only %d texts were read", read)
	}
}

// HCL's parser gets one token for each text, however many lines it has.
func TestStandIn(t *testing.T) {
	text := strings.Repeat("  a $b\n %{c $${d} \n", 1000)
	src := strings.ReplaceAll(text, "%{c", "%c") + "${x}" + strings.ReplaceAll(text, "%{c", "%%{c") + "%{ if y }\n\n\n%{ endif }\n"
	for open, shut := range map[string]string{"": "", "<<E\n": "E\n", "<<-E\n": "E\n", "\"${<<E\n": "E\n}\""} {
		lex := hclsyntax.LexExpression
		if open == "" {
			lex = hclsyntax.LexTemplate
		}
		in := standIn([]byte(open+src+shut), "", hcl.InitialPos, lex)
		if in == nil {
			t.Fatalf("%q: no stand-in", open)
		}
		tokens, _ := lex(in.text, "", hcl.InitialPos)
		texts := 0
		for _, tok := range tokens {
			if tok.Type == hclsyntax.TokenStringLit {
				texts++
			}
		}
		if texts != 4 || len(in.text) != len(open+src+shut) {
			t.Errorf("%q: %d tokens of text, want 4; %d bytes, want %d", open, texts, len(in.text), len(open+src+shut))
		}
	}
}

// What would end the process is an error with its place.
func TestParse_tooDeep(t *testing.T) {
	deep := "\n" + strings.Repeat("(", MaxNesting+1) + "1"
	_, inExpression := ParseExpression([]byte(deep), "x", hcl.InitialPos)
	_, inTemplate := ParseTemplate([]byte("${"+deep), "x", hcl.InitialPos)
	f, inConfig := ParseConfig([]byte("a = "+deep), "x", hcl.InitialPos)
	for what, diags := range map[string]hcl.Diagnostics{"expression": inExpression, "template": inTemplate, "config": inConfig} {
		if len(diags) != 1 || !diags.HasErrors() || diags[0].Subject.Start.Line != 2 || diags[0].Subject.Start.Byte < MaxNesting {
			t.Errorf("%s: %v", what, diags)
		}
	}
	if _, ok := f.Body.(*hclsyntax.Body); !ok {
		t.Errorf("the body of a file that nests too deeply is a %T", f.Body)
	}
}
