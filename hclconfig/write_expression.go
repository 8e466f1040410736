// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// hclStart is where HCL begins to count.
var hclStart = hcl.Pos{Line: 1, Column: 1}

// Source returns the expression spelled in native syntax. For a native file that is
// the text of it; for JSON it is what the value means: list(string) for the type
// "list(string)", f(x) for "${f(x)}". It returns "" for the zero Expression, and for
// a string that does not parse.
func (e Expression) Source() string {
	text, err := e.spelled()
	if err != nil {
		return ""
	}
	return text
}

func (e Expression) spelled() (string, error) {
	switch {
	case e.file == nil:
		return "", nil
	case e.native != nil:
		return e.nativeSource(e.native, e.Raw()), nil
	}
	var b strings.Builder
	err := e.jsonSource(&b, "")
	return b.String(), err
}

// nativeSource returns the spelling of x, whose text is raw.
func (e Expression) nativeSource(x hclsyntax.Expression, raw string) string {
	if e.str != nil {
		raw = unquoteJSON([]byte(`"` + raw + `"`))
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
			var b strings.Builder
			if writeTemplate(&b, raw) == nil {
				return b.String()
			}
		}
	}
	return raw
}

func isTemplate(x hclsyntax.Expression) bool {
	switch x.(type) {
	case *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr:
		return true
	}
	return false
}

// jsonSource writes a JSON value in native syntax.
func (e Expression) jsonSource(b *strings.Builder, indent string) error {
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
			if err := p.jsonSource(b, indent); err != nil {
				return err
			}
		}
		b.WriteString("]")
		return nil
	case '{':
		members, _ := e.Members()
		if len(members) == 0 {
			b.WriteString("{}")
			return nil
		}
		b.WriteString("{\n")
		for _, m := range members {
			b.WriteString(indent + unit)
			switch {
			case e.kind == hcllang.KindProviderMap, !m.Computed && hcllex.PlainKey(m.Name):
				b.WriteString(m.Name)
			case !m.Computed:
				b.WriteString(hcllex.Quote(m.Name))
			default:
				b.WriteString("(")
				if err := m.Key.stringSource(b); err != nil {
					return err
				}
				b.WriteString(")")
			}
			b.WriteString(" = ")
			if err := m.Value.jsonSource(b, indent+unit); err != nil {
				return err
			}
			b.WriteString("\n")
		}
		b.WriteString(indent + "}")
		return nil
	}
	b.WriteString(e.Raw())
	return nil
}

// stringSource writes a JSON string in native syntax.
func (e Expression) stringSource(b *strings.Builder) error {
	text := e.file.jsonText(e.at)
	switch {
	case e.kind.Bare():
		b.WriteString(strings.TrimSpace(text))
		return nil
	case !e.kind.Templates() || !hcllex.HasTemplateMarks(text):
		b.WriteString(hcllex.Quote(text))
		return nil
	}
	in, diags := e.embedded()
	if err := e.firstError(diags); err != nil {
		return err
	}
	w, ok := in.expr.(*hclsyntax.TemplateWrapExpr)
	if !ok {
		return writeTemplate(b, text)
	}
	s := spanOf(w.Wrapped.Range())
	inner := text[s.Start:s.End]
	if _, diags := hclsyntax.ParseConfig([]byte("a = "+inner+"\n"), "", hclStart); diags.HasErrors() {
		inner = "(" + inner + "\n)"
	}
	b.WriteString(inner)
	return nil
}

// dedent takes the indentation of the line of e from the other lines of its text.
func (e Expression) dedent(text string) string {
	if e.file == nil || e.file.syntax == JSONSyntax || !strings.Contains(text, "\n") {
		return text
	}
	src := string(e.file.src[:e.at.Start])
	line := src[strings.LastIndexByte(src, '\n')+1:]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return shiftLines(text, indent, "")
}

// shiftLines gives the lines of text, but for the first and for those inside of
// heredocs and strings, another indentation.
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
		return v.expr.native != nil
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
func (e Expression) json(kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
	if e.native == nil && e.kind.Templates() == kind.Templates() && e.kind.Bare() == kind.Bare() {
		return jsonNodeOf(e.file.src, int(e.at.Start)), nil
	}
	switch e.Form() {
	case FormLiteral:
		v, err := e.Constant()
		if err != nil {
			return nil, err
		}
		if s, ok := hcllex.LiteralString(v); ok {
			return String(s).json(kind, d)
		}
		return Source(e.Raw()).json(kind, d)
	case FormList:
		out := jsontree.Array()
		for _, p := range e.Parts() {
			n, err := p.json(kind.Element(), d)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, n)
		}
		return out, nil
	case FormObject:
		if members, _ := e.Members(); !kind.Bare() || kind == hcllang.KindProviderMap {
			return membersJSON(members, kind, d)
		}
	case FormTemplate:
		if text, ok := e.templateText(); ok {
			return Template(text).json(kind, d)
		}
	}
	text, err := e.spelled()
	if err != nil {
		return nil, err
	}
	return sourceJSON(text, kind, d)
}

func membersJSON(members []Member, kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
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
			return nil, fmt.Errorf("%w: the key %q is there twice", ErrEdit, name)
		}
		seen[name] = true
		n, err := m.Value.json(kind.Element(), d)
		if err != nil {
			return nil, err
		}
		out.Members = append(out.Members, jsontree.Property(name, n))
	}
	return out, nil
}

// templateText returns a template as between the lines of a heredoc, if it has no
// directives.
func (e Expression) templateText() (string, bool) {
	var b strings.Builder
	for _, p := range e.Parts() {
		if p.Form() == FormLiteral {
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

// Decode stores the value of a constant expression in the variable that dst points
// to, as [encoding/json.Unmarshal] does; numbers in an any become a [json.Number],
// with all their digits. The error is that of [Expression.Constant], or that of
// Unmarshal in an [*Error].
func (e Expression) Decode(dst any) error {
	v, err := e.Constant()
	if err != nil {
		return err
	}
	w, err := fromCty(v)
	var text []byte
	if err == nil {
		text, err = json.Marshal(w.goValue())
	}
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		err = d.Decode(dst)
	}
	if err != nil {
		return e.file.fault(int(e.at.Start), fmt.Errorf("%w: %w", ErrKind, err))
	}
	return nil
}

func (v Value) goValue() any {
	switch v.form {
	case formString:
		return v.text
	case formNumber:
		return json.Number(v.text)
	case formBool:
		return v.text == "true"
	case formList:
		out := make([]any, len(v.list))
		for i, e := range v.list {
			out[i] = e.goValue()
		}
		return out
	case formObject:
		out := make(map[string]any, len(v.entries))
		for _, e := range v.entries {
			out[e.Key] = e.Value.goValue()
		}
		return out
	}
	return nil
}

// lexComments returns the places of the comments in the text of an expression.
func lexComments(text string) []struct{ start, end int } {
	var out []struct{ start, end int }
	tokens, _ := hclsyntax.LexExpression([]byte(text), "", hclStart)
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenComment {
			out = append(out, struct{ start, end int }{t.Range.Start.Byte, t.Range.Start.Byte + len(strings.TrimRight(string(t.Bytes), "\r\n"))})
		}
	}
	return out
}
