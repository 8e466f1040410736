// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
)

// tokenDepth returns how deep brackets and template sequences nest, by HCL's
// own scanner.
func tokenDepth(src []byte, template bool) int {
	lex := hclsyntax.LexConfig
	if template {
		lex = hclsyntax.LexTemplate
	}
	tokens, _ := lex(src, "", hcl.InitialPos)
	depth, deepest := 0, 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp,
			hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			depth++
			deepest = max(deepest, depth)
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd,
			hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			depth = max(depth-1, 0)
		}
	}
	return deepest
}

// guardDepth is the largest total that the guard reaches.
func guardDepth(src []byte, template bool) int {
	g := hcllex.Guard{Src: src}
	g.Stack = append(g.Buffer[:0], hcllex.Level{Mode: 'n'})
	if template {
		g.Stack[0].Mode = 't'
	}
	deepest := 0
	for g.I < len(g.Src) {
		top := &g.Stack[len(g.Stack)-1]
		if top.Mode == 'n' {
			g.Code(top)
		} else {
			g.Text(top)
		}
		deepest = max(deepest, g.Total)
	}
	return deepest
}

var nestingCases = []string{
	"a = [[[[", "a = ((((", `a = "${"${"${`, "a = {b={c={", "a = <<E\n${[<<F\n${[\n", "a = \"]]]]\" # [[[[\nb = [[",
	"a = \"$${[[[[\"", "a = \"%%{[[[[\"", "a = \"$$${[[[[", "a = \"\\\"[[[[\"", "a = \"\\\\\" [[[[", "a = /* [[[ */ [", "a = <<-EOT\n  [[ \n  EOT\nb = [[[",
	"a = <<E\r\n[[\r\nE\r\nb = [[[", "a = \"${{}}[[[[", "a = \"${(}[[[[", "a { b { c {", "a = \"%{ if x }%{ if y }", "a = <<é\n[\né\nb = [[[",
	"a = x ? y : z ? w : v", "a = !!!!!!x", "a = 1 +\n 2 +\n 3", "a = \"\n[[[", "a = <<E \n[[", "a = <<1\n[[[", "a = b[c[d[e", "a = \"${~ [[[ ~}\"",
	"a = <<A\n<<B\n[[\nB\nA\nb = [[[",
}

func TestNestingGuardAgainstTokens(t *testing.T) {
	for _, c := range nestingCases {
		checkGuard(t, c)
	}
}

func FuzzNestingGuard(f *testing.F) {
	for _, c := range nestingCases {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 4096 || !utf8.ValidString(src) {
			return // the guard is given UTF-8 only
		}
		checkGuard(t, src)
	})
}

// checkGuard requires that the guard never sees less hcllex.Level than there is.
func checkGuard(t *testing.T, src string) {
	t.Helper()
	for _, template := range []bool{false, true} {
		if got, want := guardDepth([]byte(src), template), tokenDepth([]byte(src), template); got < want {
			t.Errorf("%q (template: %v): the guard counts %d, the tokens %d", src, template, got, want)
		}
	}
}

// TestDeepNesting feeds what would end the process to every way in.
func TestDeepNesting(t *testing.T) {
	const n = 1_000_000
	for name, src := range map[string]string{
		"brackets":    "a = " + strings.Repeat("[", n),
		"parentheses": "a = " + strings.Repeat("(", n),
		"objects":     "a = " + strings.Repeat("{a=", n),
		"blocks":      strings.Repeat("a {\n", n),
		"templates":   "a = " + strings.Repeat(`"${`, n),
		"not":         "a = " + strings.Repeat("!", n) + "x",
		"minus":       "a = " + strings.Repeat("-", n) + "1",
		"minus lines": "a = (" + strings.Repeat("-\n", n) + "1)",
		"for object":  "a = {for x in y : x =>" + strings.Repeat("!\n", n) + "x}",
		"sum":         "a = 1" + strings.Repeat("+1", n),
		"conditions":  "a = " + strings.Repeat("x ? y : ", n) + "z",
		"indexes":     "a = x" + strings.Repeat("[y]", n),
		"splats":      "a = x" + strings.Repeat("[*]", n),
		"old splats":  "a = x" + strings.Repeat(".*", n),
		"directives":  "a = \"" + strings.Repeat("%{if x}", n) + "\"",
		"calls":       "a = " + strings.Repeat("f(", n),
		"and":         "a = (x" + strings.Repeat("\n&& x", n) + ")",
		"for":         "a = " + strings.Repeat("[for x in y : ", n),
	} {
		t.Run(name, func(t *testing.T) {
			f, err := ParseNative("deep.tf", []byte(src))
			if err == nil {
				t.Fatal("no error")
			}
			if len(f.Body().Arguments)+len(f.Body().Blocks) > 0 {
				t.Error("something was read")
			}
			// The same inside a JSON string, and by itself.
			expr, _ := strings.CutPrefix(src, "a = ")
			j, err := ParseJSON("deep.tf.json", []byte(`{"output":{"o":{"value":`+jsontree.Quote("${"+expr+"}")+`}}}`))
			if err != nil {
				t.Fatal(err)
			}
			o := j.Config().Outputs[0]
			if _, diags := o.Value.Value(nil); !diags.HasErrors() {
				t.Error("the template was evaluated")
			}
			if refs := o.Value.References(); len(refs) != 0 {
				t.Error("the template has references")
			}
			if _, err := ParseExpression("", []byte(expr), NativeSyntax, KindExpression); !errors.Is(err, ErrLimit) {
				t.Errorf("by itself: %v", err)
			}
		})
	}
}

// TestFlatIsNotDeep shows that size alone is no hcllex.Level.
func TestFlatIsNotDeep(t *testing.T) {
	for name, src := range map[string]string{
		"list":       "a = [" + strings.Repeat("-1, [2], {a = 1},\n", 20000) + "]",
		"arguments":  strings.Repeat("a = !b.c[0] + 1\n", 20000),
		"blocks":     strings.Repeat("a \"b\" {\n  c = [1]\n}\n", 20000),
		"object":     "a = {\n" + strings.Repeat("  b = !x ? -1 : 2 # c\n  (y) = z\n", 20000) + "}",
		"heredoc":    "a = <<E\n" + strings.Repeat("[[[ ${x} %{ if y }z%{ endif }\n", 20000) + "E\n",
		"quoted":     "a = \"" + strings.Repeat("((( ${x}", 20000) + "\"",
		"comments":   strings.Repeat("# ((((\n// [[[[\n/* {{{ */\n", 20000),
		"arguments2": "a = f(" + strings.Repeat("-1, !x,\n", 20000) + ")",
	} {
		if at := hcllex.TooDeep([]byte(src), false); at >= 0 {
			t.Errorf("%s: too deep at %d of %d", name, at, len(src))
		}
	}
}
