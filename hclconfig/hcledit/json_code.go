// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// This file has the edits of the code in JSON strings.

// inString reports whether x is written in native syntax in a JSON string: it is a
// part of the string's text, or the string is just one expression.
func inString(x hclconfig.Expression) bool {
	if x.File() == nil || x.File().Syntax() != hclconfig.JSONSyntax {
		return false
	}
	if _, ok := stringAround(x); ok {
		return true
	}
	// A string "${x}" is the expression x itself: package hclconfig drops a template
	// that is nothing but one interpolation.
	return x.File().Bytes()[spanOf(x).Start] == '"' && x.Form() != hclconfig.FormLiteral && x.Form() != hclconfig.FormTemplate
}

// partInString returns an expression of p, if p is in a JSON string.
func partInString(p Part) (hclconfig.Expression, bool) {
	switch p := p.(type) {
	case hclconfig.Expression:
		_, ok := stringAround(p)
		return p, ok
	case hclconfig.Member:
		_, ok := stringAround(p.Key)
		return p.Key, ok
	}
	return hclconfig.Expression{}, false
}

// These surround the code of a JSON string in the native file where it is edited.
const (
	// The parentheses allow line breaks in the code, as the braces of an interpolation
	// do.
	beforeCode = "_ = ("
	afterCode  = "\n)\n"
)

// A stringCode is the code in a JSON string, between ${ and }.
type stringCode struct {
	e        *Editor
	n        *node
	raw      []byte
	from, to int // where the code is in the text of the string
	code     string
	f        *hclconfig.File // beforeCode, the code, afterCode
}

// codeOf finds the code that x is in, which is now at s.
func (e *jsonEditor) codeOf(x hclconfig.Expression, s nodeSpot) (*stringCode, string) {
	c := &stringCode{e: e.editor(), n: s.n, raw: []byte(s.n.String())}
	if c.raw[0] != '"' {
		return nil, notThere // a number, a list or an object has come there
	}
	part, start := s.part, s.from
	text := unquoteJSON(c.raw)
	c.to = len(text)
	// In a bare place, such as the type of a variable, the text of the string is code
	// as a whole.
	if !kindOf(x).Bare() {
		root, diags := hcllex.ParseTemplate([]byte(text), "", hcl.InitialPos)
		if diags.HasErrors() {
			return nil, "the string is not a template any more: take the expression from Body"
		}
		inner := 0
		if part {
			inner = c.offset(start)
		}
		found := false
		switch root := root.(type) {
		// HCL has a type of its own for a template that is one interpolation: its value
		// is that of the expression, and need not be a text.
		case *hclsyntax.TemplateWrapExpr:
			found = c.sequence(text, root.Wrapped, inner, !part)
		case *hclsyntax.TemplateExpr:
			for _, p := range root.Parts {
				found = found || c.sequence(text, p, inner, false)
			}
		}
		if !found {
			return nil, "it is in a directive of a template: use Replace for the whole string"
		}
	}
	c.code = text[c.from:c.to]
	f, err := hclconfig.ParseNative(e.f.Filename(), []byte(beforeCode+c.code+afterCode), e.f.Dialect())
	if err != nil || len(f.Body().Arguments) != 1 {
		return nil, "it cannot be read by itself: use Replace for the whole string"
	}
	c.f = f
	return c, ""
}

// sequence reports whether x is the expression of a sequence ${ } that offset is in,
// and remembers where the sequence is.
func (c *stringCode) sequence(text string, x hclsyntax.Expression, offset int, whole bool) bool {
	r := x.Range()
	if _, ok := x.(*hclsyntax.LiteralValueExpr); ok || !whole && (offset < r.Start.Byte || offset >= r.End.Byte) || strings.HasPrefix(text[r.Start.Byte:], "%{") {
		return false
	}
	from := strings.LastIndex(text[:r.Start.Byte], "${")
	n := strings.IndexByte(text[r.End.Byte:], '}')
	if from < 0 || n < 0 {
		return false
	}
	c.from, c.to = from+2, r.End.Byte+n
	if strings.HasPrefix(text[c.from:], "~") {
		// A strip marker is part of the braces: what it strips is text around the code.
		c.from++
	}
	if c.to > c.from && text[c.to-1] == '~' {
		c.to--
	}
	return true
}

// offset returns which byte of the string's text is at a place of its spelling.
//
// A spelling has escapes, of which each is one character of the text, or half of one.
func (c *stringCode) offset(place int) int {
	return len(unquoteJSON([]byte(`"` + string(c.raw[1:place]) + `"`)))
}

// expression returns the expression that is now at s, in the native file.
func (c *stringCode) expression(s nodeSpot) (hclconfig.Expression, bool) {
	root := c.f.Body().Arguments[0].Expression
	if !s.part {
		y := root
		for y.Form() == hclconfig.FormParentheses {
			y = y.Parts()[0]
		}
		return y, true
	}
	shift := len(beforeCode) - c.from
	got, ok := contextOf(root, c.offset(s.from)+shift, c.offset(s.to)+shift)
	return got.node, ok
}

// part returns a part of the same string in the native file.
func (c *stringCode) part(p Part) (Part, bool) {
	if _, ok := p.(Named); ok {
		return p, true
	}
	x, ok := partInString(p)
	if !ok {
		return nil, false
	}
	s, ok := c.e.json().spotOf(x.File(), spanOf(x))
	if !ok || s.n != c.n {
		return nil, false
	}
	if _, isMember := p.(hclconfig.Member); !isMember {
		return c.expression(s)
	}
	at := int32(c.offset(s.from) + len(beforeCode) - c.from)
	// An item of an object is no expression. It is found by its key.
	for y := range c.f.Body().Arguments[0].All() {
		members, ok := y.Members()
		if !ok {
			continue
		}
		for _, m := range members {
			if spanOf(m.Key).Start == at {
				return m, true
			}
		}
	}
	return nil, false
}

// editString makes an edit of x, or of p if that is set, in the JSON string that it is
// in. The rest of the string stays as it is spelled. The code is edited as a native file of its own, so
// that lists in strings follow the same rules as other lists; its layout is kept, because fmt never sees
// the inside of a JSON string.
func (e *jsonEditor) editString(x hclconfig.Expression, p Part, o editOptions, edit func(sub *Editor, y hclconfig.Expression, p Part, o option)) {
	s, ok := e.spotOf(x.File(), spanOf(x))
	if !ok {
		return
	}
	c, why := e.codeOf(x, s)
	if c == nil {
		if e.err == nil {
			e.editor().failf(x.File(), spanOf(x), "%s", why)
		}
		return
	}
	var y hclconfig.Expression
	switch {
	case p != nil:
		p, ok = c.part(p)
	default:
		y, ok = c.expression(s)
	}
	if ok && o.part != nil {
		o.part, ok = c.part(o.part)
	}
	if !ok {
		if e.err == nil {
			e.editor().failf(x.File(), spanOf(x), "it is not in that string: use Replace for the whole string")
		}
		return
	}
	o.keepLayout = true
	sub := Edit(c.f, KeepLayout())
	edit(sub, y, p, option(func(to *editOptions) { *to = o }))
	out, err := sub.Apply()
	if err != nil {
		// The place of the error is in the file that was made for the code. The caller
		// knows that of the string.
		if own, ok := err.(*hclconfig.Error); ok {
			err = own.Err
		}
		e.editor().fail(x.File(), spanOf(x), err)
		return
	}
	code, ok1 := strings.CutPrefix(string(out.Bytes()), beforeCode)
	code, ok2 := strings.CutSuffix(code, afterCode)
	if !ok1 || !ok2 {
		e.editor().failf(x.File(), spanOf(x), "it cannot be written in a string: use Replace for the whole string")
		return
	}
	c.replace(code)
}

// replace puts other code in the place of the string's. What is the same at both ends stays as it is
// spelled: a JSON string may have escapes that are not needed, and those are not part of the edit.
func (c *stringCode) replace(code string) {
	head, tail := 0, 0
	for head < min(len(c.code), len(code)) && c.code[head] == code[head] {
		head++
	}
	// Two characters may begin with the same bytes. Only whole ones can be spelled in
	// JSON.
	for head > 0 && (head < len(c.code) && !utf8.RuneStart(c.code[head]) || head < len(code) && !utf8.RuneStart(code[head])) {
		head--
	}
	for tail < min(len(c.code), len(code))-head && c.code[len(c.code)-1-tail] == code[len(code)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(c.code[len(c.code)-tail]) {
		tail--
	}
	if head+tail == len(c.code) && head+tail == len(code) {
		return
	}
	str := jsontree.NewString(c.raw, textspan.Of(0, int32(len(c.raw))))
	start, end := int(str.Place(int32(c.from+head))), int(str.Place(int32(c.to-tail)))
	quoted := jsontree.Quote(code[head : len(code)-tail])
	c.e.json().setCode(c.n, start, end, replaced(start, end, quoted[1:len(quoted)-1]))
}

// replaceInString replaces an expression in the template that a string holds.
func (e *jsonEditor) replaceInString(x hclconfig.Expression, s nodeSpot, v Value) {
	root, err := hclconfig.ParseExpression(e.f.Filename(), []byte(s.n.text), hclconfig.JSONSyntax, x.Kind())
	if e.editor().fails(x.File(), spanOf(x), err) {
		return
	}
	c, ok := contextOf(root, s.from, s.to)
	// A line break in a JSON string is spelled "\n", and nobody could read a list of
	// many lines there.
	text, err := v.onLine().native(kindOf(x))
	start, end, open, shut := s.from, s.to, "", ""
	if err == nil && ok {
		if from, to, piece, is := c.splice(v); is {
			start, end, text = from, to, piece
		} else if text, err = c.fit(text, v); err == nil {
			open, text, shut = c.inBracesNow(text)
		}
	}
	if err == nil && hcllex.NeedsNewline(text) {
		text += "\n"
	}
	if err == nil && !ok {
		err = notWritable("%s", notThere)
	}
	if e.editor().fails(x.File(), spanOf(x), err) {
		return
	}
	quoted := jsontree.Quote(text)
	e.setCode(s.n, start, end, added(open), replaced(start, end, quoted[1:len(quoted)-1]), added(shut))
}

// replaceReferenceJSON is ReplaceReference in a string.
func (e *jsonEditor) replaceReferenceJSON(r hclconfig.Reference, text string) {
	at := placeOf(r.Range())
	s, ok := e.spotOf(r.File(), at)
	if !ok {
		return
	}
	// A part of the spelling of a string is one too, since a part begins and ends
	// between two characters.
	raw := []byte(`"` + s.n.text[s.from:s.to] + `"`)
	str := jsontree.NewString(raw, textspan.Of(0, int32(len(raw))))
	old := unquoteJSON(raw)
	text, to, err := asWritten(r, old, text)
	if e.editor().fails(r.File(), at, err) {
		return
	}
	place := func(at int32) int { return s.from - 1 + int(str.Place(at)) }
	e.setCode(s.n, s.from, s.to, referencePieces(s.from, s.to, old, text, to, place, func(s string) string {
		q := jsontree.Quote(s)
		return q[1 : len(q)-1]
	})...)
}

// wrapJSON is Wrap in a JSON file.
func (e *jsonEditor) wrapJSON(x hclconfig.Expression, before, after string) *Editor {
	now, ok := e.expressionNow(x)
	if !ok {
		return e.editor()
	}
	text, err := onLineOf(now)
	if e.editor().fails(x.File(), spanOf(x), err) {
		return e.editor()
	}
	if hcllex.NeedsNewline(text) {
		text += "\n"
	}
	around := Source(before + text + after)
	around.again = true
	e.replaceJSON(x, around)
	return e.editor()
}

// textNow returns the text of an expression as it is now, as native source if it is in a string.
func (s nodeSpot) textNow() (string, hclconfig.Syntax) {
	if s.part {
		return unquoteJSON([]byte(`"` + s.n.text[s.from:s.to] + `"`)), hclconfig.NativeSyntax
	}
	return s.n.String(), hclconfig.JSONSyntax
}

// expressionNow returns an expression of a JSON file as it is in the current text.
func (e *jsonEditor) expressionNow(x hclconfig.Expression) (hclconfig.Expression, bool) {
	s, ok := e.spotOf(x.File(), spanOf(x))
	if !ok {
		return hclconfig.Expression{}, false
	}
	if e.now == x.File() {
		return x, true
	}
	// A block that has moved may have another schema, and so its arguments other kinds.
	// Then the whole file is read.
	if !e.doc.moved {
		// It is of the same kind as it was.
		text, syntax := s.textNow()
		if y, err := hclconfig.ParseExpression(e.f.Filename(), []byte(text), syntax, x.Kind()); err == nil {
			return y, true
		}
	}
	now := e.editor().fileNow()
	if now == nil {
		return hclconfig.Expression{}, false
	}
	start, end := offsets(s.n.span())
	if s.part {
		start, end = start+s.from, start+s.to
	}
	for a := range now.Body().AllArguments() {
		if from, to := offsets(spanOf(a.Expression)); from > start || to < end {
			continue
		}
		if c, ok := contextOf(a.Expression, start, end); ok {
			return c.node, true
		}
	}
	e.editor().failf(x.File(), spanOf(x), notThere)
	return hclconfig.Expression{}, false
}
