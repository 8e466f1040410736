// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllex

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/zclconf/go-cty/cty"
)

// Quote returns s as a quoted string of native syntax that means s: the
// marks of templates are escaped.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	WriteEscaped(&b, EscapeTemplate(s))
	b.WriteByte('"')
	return b.String()
}

// WriteEscaped writes the text s as it is between quotes, with the
// escapes of quoted strings. The marks of templates stay what they are.
func WriteEscaped(b *strings.Builder, s string) {
	for i, r := range s {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case utf8.RuneError:
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				b.WriteString(`\ufffd`) // not UTF-8
				continue
			}
			b.WriteRune(r)
		case '\uFEFF', '\u2028', '\u2029':
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				fmt.Fprintf(b, `\u%04x`, r)
				continue
			}
			b.WriteRune(r)
		}
	}
}

// EscapeTemplate returns the template that means s: "${" becomes "$${" and
// "%{" becomes "%%{". A dollar sign before that needs nothing: "$${" becomes
// "$$${", which means "$${".
func EscapeTemplate(s string) string {
	if !strings.Contains(s, "${") && !strings.Contains(s, "%{") {
		return s
	}
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(s)
}

// PlainName reports whether a name can stand in native syntax.
// HCL's check ignores a byte order mark, which cannot.
func PlainName(name string) bool {
	if isASCIIName(name) {
		return true
	}
	return hclsyntax.ValidIdentifier(name) && !strings.HasPrefix(name, "\uFEFF")
}

// isASCIIName reports whether a name is one of ASCII letters, digits, underscores and
// dashes that begins with a letter: nearly all are.
func isASCIIName(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '_' || c == '-'):
		default:
			return false
		}
	}
	return name != ""
}

// PlainKey reports whether a key can stand without quotes.
func PlainKey(key string) bool {
	return PlainName(key) && key != "for"
}

// NeedsNewline reports whether nothing may follow an expression on its last
// line, because it ends in a heredoc or a comment.
func NeedsNewline(text string) bool {
	tokens, _ := hclsyntax.LexExpression([]byte(text+"\n"), "", hcl.InitialPos)
	for i := len(tokens) - 1; i >= 0; i-- {
		switch tokens[i].Type {
		case hclsyntax.TokenEOF, hclsyntax.TokenNewline:
		case hclsyntax.TokenCHeredoc, hclsyntax.TokenComment:
			return true
		default:
			return false
		}
	}
	return false
}

// TemplateOf returns a template that means the text s. Two kinds of text need
// more than escapes, because HCL's scanner changes them: it drops U+FEFF at
// the beginning, and takes everything behind a lone carriage return for text.
func TemplateOf(s string) string {
	if strings.HasPrefix(s, "\uFEFF") || HasLoneCR(s) {
		return "${" + Quote(s) + "}"
	}
	return EscapeTemplate(s)
}

// HasLoneCR reports whether s has a carriage return without a line feed.
func HasLoneCR(s string) bool {
	for i := range len(s) {
		if s[i] == '\r' && (i+1 == len(s) || s[i+1] != '\n') {
			return true
		}
	}
	return false
}

// IsNumber reports whether text is a number in both syntaxes.
func IsNumber(text string) bool {
	end, fault := jsonscan.Value([]byte(text), 0, 1)
	return fault == jsonscan.OK && end == len(text) && (text[0] == '-' || '0' <= text[0] && text[0] <= '9')
}

// HasTemplateMarks reports whether a template could be more than plain text.
func HasTemplateMarks(s string) bool {
	return strings.Contains(s, "${") || strings.Contains(s, "%{") || strings.HasPrefix(s, "\uFEFF")
}

// LiteralString returns the text of a literal. It has no text if it is unknown, as
// HCL has it for a template that does not parse.
func LiteralString(v cty.Value) (string, bool) {
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return "", false
	}
	return v.AsString(), true
}

// SoleReference is a short cut for the most common template, ${a.b.c}.
func SoleReference(raw string) (string, bool) {
	inner, ok := strings.CutPrefix(raw, "${")
	if !ok || len(inner) < 2 || inner[len(inner)-1] != '}' {
		return "", false
	}
	inner = inner[:len(inner)-1]
	start, dots := true, 0
	for i := range len(inner) {
		c := inner[i]
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_':
			start = false
		case ('0' <= c && c <= '9' || c == '-') && !start:
		case c == '.' && !start:
			start = true
			dots++
		default:
			return "", false
		}
	}
	// A bare word may be a keyword, such as true, which has no parts.
	root, _, _ := strings.Cut(inner, ".")
	return inner, !start && dots > 0 && root != "true" && root != "false" && root != "null"
}

// TraversalText spells a traversal in the normal way.
func TraversalText(t hcl.Traversal) string {
	var b strings.Builder
	for _, step := range t {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			b.WriteString(s.Name)
		case hcl.TraverseAttr:
			b.WriteByte('.')
			b.WriteString(s.Name)
		case hcl.TraverseIndex:
			switch {
			case s.Key.IsNull() || !s.Key.IsKnown():
				return b.String() // it does not parse
			case s.Key.Type() == cty.Number:
				b.WriteByte('[')
				b.WriteString(indexText(s.Key.AsBigFloat()))
				b.WriteByte(']')
			case s.Key.Type() == cty.String:
				b.WriteByte('[')
				b.WriteString(Quote(s.Key.AsString()))
				b.WriteByte(']')
			default:
				return b.String()
			}
		default:
			return b.String()
		}
	}
	return b.String()
}

// AddressText spells a traversal like [TraversalText], but with keys that no object can
// have, such as true and null, so that it is not taken for the address of another object.
func AddressText(t hcl.Traversal) string {
	for i, step := range t {
		if s, ok := step.(hcl.TraverseIndex); ok && !IsKey(s.Key) {
			text := "null"
			if s.Key.IsKnown() && !s.Key.IsNull() && s.Key.Type() == cty.Bool {
				text = strconv.FormatBool(s.Key.True())
			}
			return TraversalText(t[:i]) + "[" + text + "]"
		}
	}
	return TraversalText(t)
}

// IsKey reports whether a value without marks is a string or a number.
func IsKey(v cty.Value) bool {
	return v.IsKnown() && !v.IsNull() && (v.Type() == cty.String || v.Type() == cty.Number)
}

// NumberText spells a finite number with as many digits as tell it apart from its
// neighbours.
func NumberText(f *big.Float) string {
	if e := f.MantExp(nil); -128 < e && e < 1024 {
		return f.Text('f', -1)
	}
	return f.Text('g', -1)
}

// indexText spells a number that is an index. One that is far beyond any index
// is not written out, which would take as many digits as its exponent says.
func indexText(f *big.Float) string {
	if e := f.MantExp(nil); f.IsInf() || e > 1024 || e < -1024 {
		return f.Text('g', -1)
	}
	return f.Text('f', -1)
}

// QuoteTemplate returns a template, which must be valid, as a quoted string: what is text gets the
// escapes of quoted strings, what is in braces stays as it is.
func QuoteTemplate(text string) string {
	tokens, _ := hclsyntax.LexTemplate([]byte(text), "", hcl.InitialPos)
	apart := linesApart(tokens)
	inner, _ := MapTemplate(text, tokens, func(b *strings.Builder, t hclsyntax.Token) bool {
		line, ok := apart[t.Range.Start.Byte]
		switch {
		case !ok:
			WriteEscaped(b, escapeBehindCR(string(t.Bytes)))
		case line != "":
			b.WriteString(`${"`)
			WriteEscaped(b, escapeBehindCR(line))
			b.WriteString(`"}`)
		}
		return true
	})
	return `"` + inner + `"`
}

// escapeBehindCR escapes what looks like a template behind a lone carriage return in s, which is a literal of
// one: it is text, and in quotes it would not be.
func escapeBehindCR(s string) string {
	if HasLoneCR(s) {
		if x, diags := ParseTemplate([]byte(s), "", hcl.InitialPos); !diags.HasErrors() {
			if v, _ := x.Value(nil); v.Type() == cty.String {
				return EscapeTemplate(v.AsString())
			}
		}
	}
	return s
}

// linesApart returns, by their offsets, the lines of text that may not be one literal with the line next
// to them, as they are trimmed. A ~ trims up to the end of a line only, but all of a quoted string.
func linesApart(tokens hclsyntax.Tokens) map[int]string {
	out := map[int]string{}
	isText := func(i int) bool { return i >= 0 && i < len(tokens) && tokens[i].Type == hclsyntax.TokenStringLit }
	left := func(i int) bool { return i > 0 && string(tokens[i-1].Bytes) == "~}" }
	right := func(i int) bool {
		return i+1 < len(tokens) && !isText(i+1) && bytes.HasSuffix(tokens[i+1].Bytes, []byte("{~"))
	}
	trimmed := func(i int) string {
		s := string(tokens[i].Bytes)
		if left(i) {
			s = strings.TrimLeftFunc(s, unicode.IsSpace)
		}
		if right(i) {
			s = strings.TrimRightFunc(s, unicode.IsSpace)
		}
		return s
	}
	for i, t := range tokens {
		if !isText(i) || len(bytes.TrimSpace(t.Bytes)) > 0 {
			continue
		}
		for _, next := range []int{i + 1, i - 1} {
			if !isText(next) || next > i && !left(i) || next < i && !right(i) {
				continue
			}
			// A line that begins with something else ends the trimming by itself.
			if s := trimmed(next); next < i || s != strings.TrimLeftFunc(s, unicode.IsSpace) {
				out[tokens[next].Range.Start.Byte] = s
			}
		}
	}
	return out
}

// MapTemplate returns the text of a template with its literal parts as f writes them. What is in
// braces stays as it is. It reports false if f does, or if braces are open at the end.
func MapTemplate(text string, tokens hclsyntax.Tokens, f func(*strings.Builder, hclsyntax.Token) bool) (string, bool) {
	var b strings.Builder
	done, depth := 0, 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			if depth == 0 {
				done = t.Range.Start.Byte
			}
			depth++
		case hclsyntax.TokenTemplateSeqEnd:
			if depth--; depth == 0 {
				b.WriteString(text[done:t.Range.End.Byte])
			}
		case hclsyntax.TokenStringLit, hclsyntax.TokenQuotedLit:
			if depth == 0 && !f(&b, t) {
				return "", false
			}
		}
	}
	return b.String(), depth == 0
}
