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

// inString reports whether x is written in native syntax in a JSON string: it is a
// part of the string's text, or the string is just one expression.
func inString(x hclconfig.Expression) bool {
	if x.File() == nil || x.File().Syntax() != hclconfig.JSONSyntax {
		return false
	}
	if _, ok := stringAround(x); ok {
		return true
	}
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
	beforeCode = "_ = ("
	afterCode  = "\n)\n"
)

// A stringCode is the code in a JSON string, between ${ and }.
type stringCode struct {
	e        *Editor
	at       int // where the string is now
	raw      []byte
	from, to int // where the code is in the text of the string
	code     string
	f        *hclconfig.File // beforeCode, the code, afterCode
}

// codeOf finds the code that x, now from start to end, is in.
func (e *Editor) codeOf(x hclconfig.Expression, start, end int) (*stringCode, string) {
	s, t := start, end
	at, part := stringAround(x)
	if part {
		var ok bool
		if s, t, ok = e.place(x.File(), at); !ok {
			return nil, ""
		}
	}
	c := &stringCode{e: e, at: s, raw: append([]byte(nil), e.d.text.slice(s, t)...)}
	text := unquoteJSON(c.raw)
	c.to = len(text)
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
		c.from++
	}
	if c.to > c.from && text[c.to-1] == '~' {
		c.to--
	}
	return true
}

// offset returns which byte of the string's text is now at a place of the editor's.
func (c *stringCode) offset(place int) int {
	return len(unquoteJSON([]byte(`"` + string(c.raw[1:place-c.at]) + `"`)))
}

// expression returns the expression that is now from start to end, in the native file.
func (c *stringCode) expression(x hclconfig.Expression, start, end int) (hclconfig.Expression, bool) {
	root := c.f.Body().Arguments[0].Expression
	if _, part := stringAround(x); !part {
		y := root
		for y.Form() == hclconfig.FormParentheses {
			y = y.Parts()[0]
		}
		return y, true
	}
	shift := len(beforeCode) - c.from
	got, ok := contextOf(root, c.offset(start)+shift, c.offset(end)+shift)
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
	start, end, ok := c.e.place(x.File(), spanOf(x))
	if !ok || start < c.at || end > c.at+len(c.raw) {
		return nil, false
	}
	if _, isMember := p.(hclconfig.Member); !isMember {
		return c.expression(x, start, end)
	}
	at := int32(c.offset(start) + len(beforeCode) - c.from)
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
// in. The rest of the string stays as it is spelled.
func (e *Editor) editString(x hclconfig.Expression, p Part, o editOptions, edit func(sub *Editor, y hclconfig.Expression, p Part, o EditOption)) {
	start, end, ok := e.place(x.File(), spanOf(x))
	if !ok {
		return
	}
	c, why := e.codeOf(x, start, end)
	if c == nil {
		if e.err == nil {
			e.failf(x.File(), spanOf(x), "%s", why)
		}
		return
	}
	var y hclconfig.Expression
	switch {
	case p != nil:
		p, ok = c.part(p)
	default:
		y, ok = c.expression(x, start, end)
	}
	if ok && o.part != nil {
		o.part, ok = c.part(o.part)
	}
	if !ok {
		if e.err == nil {
			e.failf(x.File(), spanOf(x), "it is not in that string: use Replace for the whole string")
		}
		return
	}
	o.keepLayout = true
	sub := Edit(c.f, KeepLayout())
	edit(sub, y, p, editOption(func(to *editOptions) { *to = o }))
	out, err := sub.Apply()
	if err != nil {
		if own, ok := err.(*hclconfig.Error); ok {
			err = own.Err
		}
		e.fail(x.File(), spanOf(x), err)
		return
	}
	code, ok1 := strings.CutPrefix(string(out.Bytes()), beforeCode)
	code, ok2 := strings.CutSuffix(code, afterCode)
	if !ok1 || !ok2 {
		e.failf(x.File(), spanOf(x), "it cannot be written in a string: use Replace for the whole string")
		return
	}
	c.replace(code)
}

// replace puts other code in the place of the string's.
func (c *stringCode) replace(code string) {
	head, tail := 0, 0
	for head < min(len(c.code), len(code)) && c.code[head] == code[head] {
		head++
	}
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
	start := c.at + int(str.Place(int32(c.from+head)))
	end := c.at + int(str.Place(int32(c.to-tail)))
	quoted := jsontree.Quote(code[head : len(code)-tail])
	c.e.rewrite(start, end, replaced(start, end, quoted[1:len(quoted)-1]))
}
