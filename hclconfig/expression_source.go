// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// hclStart is where HCL begins to count.
var hclStart = hcl.Pos{Line: 1, Column: 1}

// Source returns the expression spelled in native syntax. For a native file that is
// its text; for JSON it is the meaning of the value: list(string) for the type
// "list(string)", f(x) for "${f(x)}". It returns "" for the zero Expression, and for
// a string that does not parse.
func (e Expression) Source() string {
	switch {
	case e.file == nil:
		return ""
	case e.isNative():
		return e.nativeSource(e.tree(), e.Raw())
	}
	var b strings.Builder
	if !e.jsonSource(&b, "") {
		return ""
	}
	return b.String()
}

// nativeSource returns the spelling of x, whose text is raw.
func (e Expression) nativeSource(x hclsyntax.Expression, raw string) string {
	if e.str() != nil {
		raw = string(jsonscan.AppendUnquote(nil, []byte(`"`+raw+`"`)))
	}
	switch x := x.(type) {
	case *hclsyntax.LiteralValueExpr:
		if s, ok := hcllex.LiteralString(x.Val); ok {
			return hcllex.Quote(s) // a piece of a template
		}
	case *hclsyntax.ObjectConsKeyExpr:
		if t, ok := x.Wrapped.(*hclsyntax.ScopeTraversalExpr); ok && !x.ForceNonLiteral && len(t.Traversal) == 1 {
			return hcllex.Quote(t.Traversal.RootName())
		}
	case *hclsyntax.TemplateExpr, *hclsyntax.ConditionalExpr, *hclsyntax.TemplateJoinExpr, *hclsyntax.TemplateWrapExpr:
		if !strings.HasPrefix(raw, `"`) && !strings.HasPrefix(raw, "<<") && (strings.HasPrefix(raw, "%{") || isTemplate(x)) {
			if isTemplateText(raw) {
				return hcllex.QuoteTemplate(raw)
			}
		}
	}
	return raw
}

// isTemplateText reports whether text is a template, as between the lines of a heredoc.
func isTemplateText(text string) bool {
	if !utf8.ValidString(text) || hcllex.TooDeep([]byte(text), true) >= 0 {
		return false
	}
	_, diags := hcllex.ParseTemplate([]byte(text), "", hcl.InitialPos)
	return !diags.HasErrors()
}

func isTemplate(x hclsyntax.Expression) bool {
	switch x.(type) {
	case *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr:
		return true
	}
	return false
}

// jsonSource writes a JSON value in native syntax. It reports false if a string in it
// does not parse.
func (e Expression) jsonSource(b *strings.Builder, indent string) bool {
	switch e.file.src[e.at.Start] {
	case '"':
		return e.stringSource(b)
	case '[':
		parts := e.Parts()
		b.WriteString("[")
		for i, p := range parts {
			if i > 0 {
				b.WriteString(", ")
			}
			if !p.jsonSource(b, indent) {
				return false
			}
		}
		b.WriteString("]")
		return true
	case '{':
		members, _ := e.Members()
		if len(members) == 0 {
			b.WriteString("{}")
			return true
		}
		b.WriteString("{\n")
		for _, m := range members {
			b.WriteString(indent + "  ")
			marks := e.kind.Templates() && hcllex.HasTemplateMarks(e.file.jsonText(m.Key.at))
			switch {
			case e.kind == hcllang.KindProviderMap, !m.Computed && !marks && hcllex.PlainKey(m.Name):
				b.WriteString(m.Name)
			case !m.Computed && !marks:
				b.WriteString(hcllex.Quote(m.Name))
			case !m.Computed && (m.Key.Form() == FormTemplate || m.Key.Form() == FormLiteral && hcllex.TemplateOf(m.Name) == e.file.jsonText(m.Key.at)):
				if !m.Key.stringSource(b) {
					return false
				}
			default:
				b.WriteString("(")
				if !m.Key.stringSource(b) {
					return false
				}
				b.WriteString(")")
			}
			b.WriteString(" = ")
			if !m.Value.jsonSource(b, indent+"  ") {
				return false
			}
			b.WriteString("\n")
		}
		b.WriteString(indent + "}")
		return true
	}
	b.WriteString(e.Raw())
	return true
}

// stringSource writes a JSON string in native syntax.
func (e Expression) stringSource(b *strings.Builder) bool {
	text := e.file.jsonText(e.at)
	switch {
	case e.kind.Bare():
		b.WriteString(strings.TrimSpace(text))
		return true
	case !e.kind.Templates() || !hcllex.HasTemplateMarks(text):
		b.WriteString(hcllex.Quote(text))
		return true
	}
	in, diags := e.embedded()
	if diags.HasErrors() {
		return false
	}
	w, ok := in.expr.(*hclsyntax.TemplateWrapExpr)
	if !ok {
		b.WriteString(hcllex.QuoteTemplate(text))
		return true
	}
	s := spanOf(w.Wrapped.Range())
	inner := text[s.Start:s.End]
	if _, diags := hcllex.ParseConfig([]byte("a = "+inner+"\n"), "", hclStart); diags.HasErrors() {
		inner = "(" + inner + "\n)"
	}
	b.WriteString(inner)
	return true
}
