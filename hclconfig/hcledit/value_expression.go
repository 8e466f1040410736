// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/detailed"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// dedent takes the indentation of the line of e from the other lines of its text.
func dedent(e hclconfig.Expression, text string) string {
	if e.File() == nil || e.File().Syntax() == hclconfig.JSONSyntax || !strings.Contains(text, "\n") {
		return text
	}
	src := string(e.File().Bytes()[:spanOf(e).Start])
	line := src[strings.LastIndexByte(src, '\n')+1:]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return shiftLines(text, indent, "")
}

// shiftLines changes the indentation of the lines of text, except the first and
// those inside heredocs and strings.
func shiftLines(text, from, to string) string {
	if from == to || !strings.Contains(text, "\n") {
		return text
	}
	inside := insideText(text + "\n")
	var b strings.Builder
	for i, line := range strings.SplitAfter(text, "\n") {
		if rest, ok := strings.CutPrefix(line, from); i > 0 && ok && !inside[i] && strings.TrimSpace(line) != "" {
			line = to + rest
		}
		b.WriteString(line)
	}
	return b.String()
}

// holdsText reports whether the value holds text of a file, whose layout stays.
func (v Value) holdsText() bool {
	if v.form == formExpression {
		return isNative(*v.expr)
	}
	for _, e := range v.list {
		if e.holdsText() {
			return true
		}
	}
	for _, e := range v.entries {
		if e.Value.holdsText() {
			return true
		}
	}
	return false
}

// writeCall writes a call of a function.
func (v Value) writeCall(b *strings.Builder, kind hcllang.Kind) error {
	if _, err := parseSource(v.text + "()"); err != nil {
		return fmt.Errorf("%w: %.40q is not the name of a function", ErrEdit, v.text)
	}
	if kind.Bare() && kind != hcllang.KindType && kind != hcllang.KindSource && kind != hcllang.KindSourceList {
		return fmt.Errorf("%w: a %s cannot be a call", ErrEdit, kind)
	}
	b.WriteString(v.text + "(")
	for i, a := range v.list {
		if i > 0 {
			b.WriteString(", ")
		}
		a.line = v.line
		text, err := a.native(kind)
		if err != nil {
			return err
		}
		b.WriteString(text)
		if hcllex.NeedsNewline(text) {
			b.WriteString("\n")
		}
	}
	b.WriteString(")")
	return nil
}

// json returns the expression as JSON of that kind.
func exprJSON(e hclconfig.Expression, kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
	if !isNative(e) && kindOf(e).Templates() == kind.Templates() && kindOf(e).Bare() == kind.Bare() {
		return jsonNodeOf(e.File().Bytes(), int(spanOf(e).Start)), nil
	}
	switch e.Form() {
	case hclconfig.FormLiteral:
		v, err := e.Constant()
		if err != nil {
			return nil, err
		}
		if s, ok := hcllex.LiteralString(v); ok {
			return String(s).json(kind, d)
		}
		return Source(e.Raw()).json(kind, d)
	case hclconfig.FormList:
		out := jsontree.Array()
		for _, p := range e.Parts() {
			n, err := exprJSON(p, kind.Element(), d)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, n)
		}
		return out, nil
	case hclconfig.FormObject:
		if members, _ := e.Members(); !kind.Bare() || kind == hcllang.KindProviderMap {
			return membersJSON(members, kind, d)
		}
	case hclconfig.FormTemplate:
		if text, ok := templateText(e); ok {
			return Template(text).json(kind, d)
		}
	}
	text, err := spelled(e)
	switch {
	case err != nil:
		return nil, err
	case kind.Templates() && !kind.Bare():
		if _, err := parseSource(text); err != nil {
			return nil, err
		}
		return jsontree.Raw(jsontree.Quote(wrapSource(strings.TrimSpace(text)))), nil
	}
	return sourceJSON(text, kind, d)
}

func membersJSON(members []hclconfig.Member, kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
	out := jsontree.Object()
	seen := map[string]bool{}
	for _, m := range members {
		name := m.Name
		switch {
		case m.Computed && !kind.Templates():
			return nil, notWritable("a key that is computed cannot be written here")
		case m.Computed:
			name = wrapSource(strings.TrimSuffix(strings.TrimPrefix(m.Key.Source(), "("), ")"))
		case kind.Templates():
			name = hcllex.TemplateOf(name)
		}
		if seen[name] {
			return nil, fmt.Errorf("%w: the key %q occurs twice", ErrEdit, name)
		}
		seen[name] = true
		n, err := exprJSON(m.Value, kind.Element(), d)
		if err != nil {
			return nil, err
		}
		out.Members = append(out.Members, jsontree.Property(name, n))
	}
	return out, nil
}

// templateText returns a template as between the lines of a heredoc, if it has no
// directives.
func templateText(e hclconfig.Expression) (string, bool) {
	var b strings.Builder
	for _, p := range e.Parts() {
		if p.Form() == hclconfig.FormLiteral {
			v, err := p.Constant()
			s, ok := hcllex.LiteralString(v)
			if err != nil || !ok {
				return "", false
			}
			b.WriteString(hcllex.EscapeTemplate(s))
			continue
		}
		raw := p.Raw()
		if strings.HasPrefix(raw, "%{") {
			return "", false
		}
		b.WriteString(wrapSource(p.Source()))
	}
	return b.String(), true
}

// jsonNodeOf returns the JSON value at offset, to be laid out anew.
func jsonNodeOf(src []byte, at int) *jsontree.Node {
	s := textspan.Of(int32(at), int32(at))
	switch src[at] {
	case '[':
		out := jsontree.Array()
		for v := range jsontree.Elements(src, s) {
			out.Items = append(out.Items, jsonNodeOf(src, int(v.Start)))
		}
		return out
	case '{':
		out := jsontree.Object()
		for m := range jsontree.Members(src, s) {
			out.Members = append(out.Members, jsontree.Property(unquoteJSON(src[m.Name.Start:m.Name.End]), jsonNodeOf(src, int(m.Value.Start))))
		}
		return out
	}
	return jsontree.Raw(string(src[at:jsontree.End(src, at)]))
}

// lexComments returns the places of the comments in the text of an expression.
func lexComments(text string) []struct{ start, end int } {
	var out []struct{ start, end int }
	tokens, _ := hclsyntax.LexExpression([]byte(text), "", hcl.InitialPos)
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenComment {
			out = append(out, struct{ start, end int }{t.Range.Start.Byte, t.Range.Start.Byte + len(strings.TrimRight(string(t.Bytes), "\r\n"))})
		}
	}
	return out
}

// spelled returns the expression spelled in native syntax. The error is about the first
// string that does not parse.
func spelled(e hclconfig.Expression) (string, error) {
	text := e.Source()
	if text != "" {
		return text, nil
	}
	for x := range e.All() {
		if x.Form() == hclconfig.FormInvalid {
			_, diags := x.HCL()
			for d := range diags.Errors() {
				cause := d.Err
				if cause == nil {
					cause = &detailed.Error{Cause: hclconfig.ErrSyntax, Text: detailed.Text(d.Summary, d.Detail)}
				}
				return "", fault(e.File(), int(d.Subject.Start.Offset), cause)
			}
		}
	}
	return "", nil
}
