// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// native returns the value as an argument of that kind in native syntax. The
// text is not indented; [formatNative] does that.
func (v Value) native(kind hcllang.Kind) (string, error) {
	var b strings.Builder
	if err := v.writeNative(&b, kind); err != nil {
		return "", err
	}
	return b.String(), nil
}

func (v Value) writeNative(b *strings.Builder, kind hcllang.Kind) error {
	switch v.form {
	case formNull:
		b.WriteString("null")
	case formBool:
		b.WriteString(v.text)
	case formNumber:
		if err := checkNumber(v.text); err != nil {
			return err
		}
		// Native numbers have no sign of their own, but an operator.
		b.WriteString(v.text)
	case formString:
		if kind.Bare() {
			return Source(v.text).writeNative(b, kind)
		}
		b.WriteString(hcllex.Quote(v.text))
	case formSource:
		x, err := parseSource(v.text)
		if err != nil {
			return err
		}
		text := strings.TrimSpace(v.text)
		if _, diags := hclsyntax.ParseConfig([]byte("a = "+text+"\n"), "", hcl.InitialPos); diags.HasErrors() {
			// A line break outside of brackets would end the argument.
			if kind.Bare() {
				return fmt.Errorf("%w: %q cannot be written on one line", ErrEdit, text)
			}
			text = "(" + text + "\n)"
		}
		_ = x
		b.WriteString(text)
	case formTemplate:
		if kind.Bare() {
			return fmt.Errorf("%w: a %s cannot be a template", ErrEdit, kind)
		}
		return writeTemplate(b, v.text)
	case formList:
		return v.writeNativeList(b, kind)
	case formObject:
		return v.writeNativeObject(b, kind)
	}
	return nil
}

// writeNativeList writes short lists on one line, others with one element on
// each.
func (v Value) writeNativeList(b *strings.Builder, kind hcllang.Kind) error {
	parts := make([]string, len(v.list))
	width, lines := 0, false
	for i, e := range v.list {
		text, err := e.native(kind.Element())
		if err != nil {
			return err
		}
		parts[i] = text
		width += len(text) + 2
		lines = lines || strings.Contains(text, "\n") || hcllex.NeedsNewline(text)
	}
	if !lines && width <= 80 {
		b.WriteString("[" + strings.Join(parts, ", ") + "]")
		return nil
	}
	b.WriteString("[\n")
	for _, p := range parts {
		b.WriteString(p)
		if hcllex.NeedsNewline(p) {
			b.WriteString("\n")
		}
		b.WriteString(",\n")
	}
	b.WriteString("]")
	return nil
}

func (v Value) writeNativeObject(b *strings.Builder, kind hcllang.Kind) error {
	if len(v.entries) == 0 {
		b.WriteString("{}")
		return nil
	}
	seen := make(map[string]bool, len(v.entries))
	b.WriteString("{\n")
	for _, e := range v.entries {
		if seen[e.Key] {
			return fmt.Errorf("%w: the key %q is there twice", ErrEdit, e.Key)
		}
		seen[e.Key] = true
		key := e.Key
		if kind != hcllang.KindProviderMap && !hcllex.PlainKey(key) {
			key = hcllex.Quote(key)
		}
		text, err := e.Value.native(kind.Element())
		if err != nil {
			return err
		}
		b.WriteString(key + " = " + text + "\n")
	}
	b.WriteString("}")
	return nil
}

// checkNumber checks that text is a number in both syntaxes.
func checkNumber(text string) error {
	if !hcllex.IsNumber(text) {
		return fmt.Errorf("%w: %.40q is not a number", ErrEdit, text)
	}
	return nil
}

// parseSource checks native source.
func parseSource(text string) (hclsyntax.Expression, error) {
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%w: the expression %.40q is not UTF-8", ErrSyntax, text)
	}
	if hcllex.TooDeep([]byte(text), false) >= 0 {
		return nil, fmt.Errorf("%w: the expression %.40q", ErrTooDeep, text)
	}
	x, diags := hclsyntax.ParseExpression([]byte(text), "", hcl.InitialPos)
	for d := range fromHCL(diags).Errors() {
		return nil, fmt.Errorf("%w: the expression %.80q: %s", ErrSyntax, text, d.text())
	}
	return x, nil
}

// parseTemplate checks a template.
func parseTemplate(text string) (hclsyntax.Expression, error) {
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%w: the template %.40q is not UTF-8", ErrSyntax, text)
	}
	if hcllex.TooDeep([]byte(text), true) >= 0 {
		return nil, fmt.Errorf("%w: the template %.40q", ErrTooDeep, text)
	}
	x, diags := hclsyntax.ParseTemplate([]byte(text), "", hcl.InitialPos)
	for d := range fromHCL(diags).Errors() {
		return nil, fmt.Errorf("%w: the template %.80q: %s", ErrSyntax, text, d.text())
	}
	return x, nil
}

// writeTemplate writes a template as a quoted string.
func writeTemplate(b *strings.Builder, text string) error {
	if _, err := parseTemplate(text); err != nil {
		return err
	}
	b.WriteString(hcllex.QuoteTemplate(text))
	return nil
}

// formatNative formats a piece of native text as "tofu fmt" does and indents
// its lines, but the first. Lines inside heredocs are not touched.
func formatNative(text, indent, newline string) string {
	out := string(hclwrite.Format([]byte(text)))
	if !strings.Contains(out, "\n") {
		return out
	}
	// Which lines begin inside of a heredoc or a quoted template?
	inside := map[int]bool{}
	tokens, _ := hclsyntax.LexConfig([]byte(out), "", hcl.InitialPos)
	open := 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOHeredoc:
			open++
		case hclsyntax.TokenCHeredoc:
			for line := t.Range.Start.Line; open > 0 && line <= t.Range.End.Line; line++ {
				inside[line] = true
			}
			open--
		default:
			if open > 0 && t.Type != hclsyntax.TokenEOF {
				inside[t.Range.Start.Line] = true
			}
		}
	}
	var b strings.Builder
	for i, line := range strings.Split(out, "\n") {
		if i > 0 {
			b.WriteString(newline)
			if line != "" && !inside[i+1] {
				b.WriteString(indent)
			}
		}
		b.WriteString(line)
	}
	return b.String()
}
