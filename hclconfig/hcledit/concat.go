// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// Concat returns the text that consists of parts: of strings, which are literal, and of
// expressions, such as a [Source] or an [hclconfig.Expression]:
//
//	Concat("arn:", local, "/${name}") // "arn:${local.arn}/$${name}"
//
// where local is Source("local.arn"). A part is anything that [ValueOf] takes; a text, a
// number, a boolean, a [Template] or another Concat becomes a piece of the text, anything else
// an interpolation. Lists, objects and null have no text: they are an error when the value is
// written. Without expressions the result is the same as that of [String].
func Concat(parts ...any) Value {
	v := Value{form: formConcat}
	for i, p := range parts {
		w, err := valueOf(p)
		if err != nil {
			w = Value{form: formBroken, text: fmt.Sprintf("part %d of the text: a %T cannot be written as a value", i+1, p)}
		}
		v.list = append(v.list, w)
	}
	return v
}

// joined returns a Concat as a String or a Template.
//
// Without code it is a String and not a Template: where a reference or a keyword has to
// be, a String is one, and a Template is refused.
func (v Value) joined() (Value, error) {
	var b templateBuilder
	if err := v.addTo(&b); err != nil {
		return v, err
	}
	if !b.code {
		return String(b.literal.String()), nil
	}
	out := Template(b.text())
	out.line = v.line
	return out, nil
}

// A templateBuilder joins pieces of a template. Literal text is escaped when it is known what
// comes next to it.
type templateBuilder struct {
	out string
	// Two literal texts in a row are escaped as one: "$" and "{x}" have no marks to
	// escape by themselves, and are an interpolation together.
	literal strings.Builder // text that is not in out yet
	code    bool            // there is more than literal text
}

// add adds a piece that is a template.
func (b *templateBuilder) add(template string) {
	b.text()
	b.code = true
	b.out = joinTemplates(b.out, template)
}

// text returns what has been added so far.
func (b *templateBuilder) text() string {
	if b.literal.Len() > 0 {
		b.out = joinTemplates(b.out, hcllex.TemplateOf(b.literal.String()))
		b.literal.Reset()
	}
	return b.out
}

// joinTemplates returns two templates, one after the other, which keep their meaning: "a$"
// before "${b}" must not become the escape "$${", nor "$" before "{b}" a sequence.
func joinTemplates(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	mark := first[len(first)-1]
	if (mark == '$' || mark == '%') && strings.HasPrefix(strings.TrimLeft(second, string(mark)), "{") {
		head := strings.TrimRight(first, string(mark))
		// "$${" is an escape, and there is no other spelling of a literal dollar sign
		// before an interpolation: a backslash escape works in quotes only, and not in
		// a heredoc or in JSON. In an interpolation of its own it is only text.
		first = head + wrapSource(hcllex.Quote(first[len(head):]))
	}
	return first + second
}

// addTo adds a value to a template, as a piece of its text if it is one.
func (v Value) addTo(b *templateBuilder) error {
	switch v.form {
	case formString, formBool:
		b.literal.WriteString(v.text)
		return nil
	case formNumber:
		b.literal.WriteString(v.text)
		return checkNumber(v.text)
	case formTemplate:
		if _, err := parseTemplate(v.text); err != nil {
			return err
		}
		b.add(v.text)
		return nil
	case formConcat:
		for _, p := range v.list {
			if err := p.addTo(b); err != nil {
				return err
			}
		}
		return nil
	case formExpression, formSource:
		return v.addCode(b)
	case formCall:
		text, err := v.onLine().native(hcllang.KindExpression)
		if err == nil {
			b.add(wrapSource(text))
		}
		return err
	case formBroken:
		return notWritable("%s", v.text)
	}
	return notWritable("null, a list or an object has no text that could be joined")
}

// addCode adds an expression to a template.
func (v Value) addCode(b *templateBuilder) error {
	text := v.text
	if v.form == formExpression {
		var err error
		if text, err = spelled(*v.expr); err != nil {
			return err
		}
		text = dedent(*v.expr, text)
	}
	if _, err := parseSource(text); err != nil {
		return err
	}
	x := treeOf(text)
	switch x.Form() {
	case hclconfig.FormLiteral:
		c, err := x.Constant()
		if s, ok := hcllex.LiteralString(c); err == nil && ok {
			b.literal.WriteString(s)
			return nil
		}
	case hclconfig.FormTemplate:
		// A template in a template would be "${"..."}". Its pieces come directly into
		// the text.
		if inner, ok := templateText(x); ok {
			b.add(inner)
			return nil
		}
	case hclconfig.FormList, hclconfig.FormObject:
		return notWritable("null, a list or an object has no text that could be joined")
	}
	b.add(wrapSource(strings.TrimSpace(text)))
	return nil
}

// asPiece returns a value as a piece of the template that it becomes a part of. It reports false
// if it is no text.
func (v Value) asPiece() (template string, ok bool) {
	switch v.form {
	case formString, formTemplate, formConcat:
	case formExpression, formSource:
		text := v.text
		if v.form == formExpression {
			text = v.expr.Source()
		}
		switch x := treeOf(text); x.Form() {
		case hclconfig.FormTemplate:
			// A heredoc with a hyphen loses the indentation that its lines share when
			// it is evaluated.
			if strings.HasPrefix(strings.TrimSpace(text), "<<") {
				return "", false // its lines have an indentation that is not part of the text
			}
		case hclconfig.FormLiteral:
			if !isQuoted(text) {
				return "", false
			}
		default:
			return "", false
		}
	default:
		return "", false
	}
	var b templateBuilder
	if err := v.addTo(&b); err != nil {
		return "", false
	}
	return b.text(), true
}

// splice returns the text of v as a piece of the template that the node is a part of, and the
// place in the file of the node that the piece takes: with the braces around the node, if there
// are any. It reports false if the node is in no template, or v is no text.
func (c context) splice(v Value) (from, to int, piece string, ok bool) {
	if !c.parent.IsSet() || c.parent.Form() != hclconfig.FormTemplate {
		return 0, 0, "", false
	}
	if piece, ok = v.asPiece(); !ok {
		return 0, 0, "", false
	}
	src := string(c.node.File().Bytes())
	from, to = offsets(spanOf(c.node))
	if !c.isText() {
		head, tail := strings.TrimRight(src[:from], " \t\r\n"), strings.TrimLeft(src[to:], " \t\r\n")
		if !strings.HasSuffix(head, "${") || !strings.HasPrefix(tail, "}") {
			return 0, 0, "", false // comments and strip markers stay
		}
		from, to = len(head)-len("${"), len(src)-len(tail)+len("}")
		if strings.Contains(piece, "\n") && strings.HasPrefix(c.parent.Raw(), "<<") {
			return 0, 0, "", false // the line breaks of a heredoc are those of its text
		}
		// The text before has a percent sign, which was no mark in front of the dollar
		// sign of the interpolation. In front of a brace it begins a directive.
		if from > 0 && src[from-1] == '%' && strings.HasPrefix(piece, "{") {
			piece = wrapSource(`"{"`) + piece[1:]
		}
	}
	rest := src[to:]
	// The last characters of the piece may make a mark with the text that follows, as
	// in joinTemplates. Only the piece is written, and the rest is left as it is.
	piece = strings.TrimSuffix(joinTemplates(piece, rest), rest)
	if !c.unquoted() {
		quoted := hcllex.QuoteTemplate(piece)
		piece = quoted[1 : len(quoted)-1]
	}
	return from, to, piece, true
}

// isText reports whether the node, a part of a template, is text and not an expression in braces.
//
// A literal in a template is nearly always text. But ${"a"}, ${1} and ${true} are
// literals too, with braces around them that a replacement must not double.
func (c context) isText() bool {
	raw := c.node.Raw()
	return c.node.Form() == hclconfig.FormLiteral && !(raw != "" && strings.IndexByte(`"0123456789tfn`, raw[0]) >= 0 && c.inBraces())
}

// requireConstant returns an error if a value is none that can stand where the language wants a
// constant. JSON has no way to write another one there, and the tools refuse it in native syntax.
func (v Value) requireConstant(kind hcllang.Kind) error {
	if kind != hcllang.KindLiteral && kind != hcllang.KindProviderRequirement {
		return nil
	}
	text := v.text
	var x hclsyntax.Expression
	var err error
	switch v.form {
	case formList, formConcat, formObject:
		for _, e := range v.parts() {
			if err := e.requireConstant(kind.Element()); err != nil {
				return err
			}
		}
		return nil
	case formCall:
		return fmt.Errorf("%w: a call of %s is not a constant, and only a %s can be here", ErrEdit, v.text, kind)
	case formSource:
		x, err = parseSource(text)
	case formTemplate:
		x, err = parseTemplate(text)
	case formExpression:
		if text, err = spelled(*v.expr); err == nil {
			x, err = parseSource(text)
		}
	default:
		return nil
	}
	if err != nil || kind == hcllang.KindProviderRequirement && isReference(x) {
		return err
	}
	if _, diags := x.Value(nil); diags.HasErrors() {
		return fmt.Errorf("%w: %.80q is not a constant, and only a %s can be here", ErrEdit, text, kind)
	}
	return nil
}
