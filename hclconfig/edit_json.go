// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"strings"

	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A layout is how a JSON object or array is written.
type layout struct {
	style  jsontree.Style
	indent string // of the line that the container begins on
}

// layoutOf returns the layout of the container whose bracket is at open.
func (e *Editor) layoutOf(open int) layout {
	l := layout{style: jsontree.Pretty, indent: e.indentAt(open)}
	l.style.Newline = e.newline
	text := e.p.text
	s := textspan.Of(int32(open), int32(jsontree.End(text, open)))
	first, last := -1, -1
	if text[open] == '{' {
		for m := range jsontree.Members(text, s) {
			if first < 0 {
				first = int(m.Name.Start)
				l.style.Colon = string(text[m.Name.End:m.Value.Start])
			}
			last = int(m.Name.Start)
		}
	} else {
		for v := range jsontree.Elements(text, s) {
			if first < 0 {
				first = int(v.Start)
			}
			last = int(v.Start)
		}
		l.style.Colon = e.colonNear(open)
	}
	if !bytes.Contains(text, []byte("\n")) || first >= 0 && e.lineStart(first) <= open {
		// All on one line.
		l.style.Newline = ""
		if last > first {
			before := jsontree.Back(text, last)
			l.style.Comma = "," + string(text[before:last])
		} else if l.style.Colon == ":" {
			l.style.Comma = ","
		}
		return l
	}
	if first >= 0 {
		if unit, ok := strings.CutPrefix(e.indentAt(first), l.indent); ok && unit != "" {
			l.style.Unit = unit
		}
	} else if indent := l.indent; indent != "" && strings.Trim(indent, "\t") == "" {
		l.style.Unit = "\t"
	}
	return l
}

// colonNear returns how the file writes colons, by the first one.
func (e *Editor) colonNear(open int) string {
	text := e.p.text
	if i := bytes.IndexByte(text[:open], ':'); i >= 0 {
		end := jsonscan.Space(text, i+1)
		if s := string(text[i:end]); !strings.Contains(s, "\n") {
			return s
		}
	}
	return ": "
}

// jsonValueText returns a value laid out like the container that it goes into,
// with its line being that of offset.
func (e *Editor) jsonValueText(v Value, kind hcllang.Kind, offset int) (string, error) {
	n, err := v.json(kind, e.f.dialect)
	if err != nil {
		return "", err
	}
	style := jsontree.Pretty
	style.Newline = e.newline
	indent := e.indentAt(offset)
	switch {
	case strings.Contains(indent, "\t"):
		style.Unit = "\t"
	case !bytes.Contains(e.p.text, []byte("\n")):
		style.Newline = ""
		if style.Colon = e.colonNear(offset); style.Colon == ":" {
			style.Comma = ","
		}
	}
	var b strings.Builder
	n.Write(&b, style, indent)
	return b.String(), nil
}

// insert adds an item, as the last one, to the object or array at open.
func (e *Editor) insert(open int, item func(b *strings.Builder, l layout, inner string)) {
	text := e.p.text
	l := e.layoutOf(open)
	shut := jsontree.End(text, open) - 1
	last := jsontree.Back(text, shut)
	var b strings.Builder
	inner := l.indent + l.style.Unit
	empty := last == open+1
	switch {
	case l.style.Newline == "" && empty:
		item(&b, l, l.indent)
	case l.style.Newline == "":
		b.WriteString(l.style.Comma)
		item(&b, l, l.indent)
	default:
		if !empty {
			b.WriteByte(',')
		}
		b.WriteString(l.style.Newline + inner)
		item(&b, l, inner)
	}
	if empty {
		if l.style.Newline != "" {
			b.WriteString(l.style.Newline + l.indent)
		}
		e.p.replace(open+1, shut, b.String())
		return
	}
	e.p.replace(last, last, b.String())
}

// insertMember adds a member to the object at open.
func (e *Editor) insertMember(open int, name string, n *jsontree.Node) {
	e.insert(open, func(b *strings.Builder, l layout, inner string) {
		b.WriteString(jsontree.Quote(name) + l.style.Colon)
		n.Write(b, l.style, inner)
	})
}

// insertElement adds an element to the array at open.
func (e *Editor) insertElement(open int, n *jsontree.Node) {
	e.insert(open, func(b *strings.Builder, l layout, inner string) { n.Write(b, l.style, inner) })
}

// bodyObject returns the object that holds, or can hold, the properties of a
// body: the body itself, or the last object of the array that it is.
func (e *Editor) bodyObject(body *Body) (open int, ok bool) {
	start, end, ok := e.locate(body.at)
	if !ok {
		return 0, false
	}
	if body == &e.f.body {
		start = jsonscan.Space(e.p.text, 0)
		end = jsontree.End(e.p.text, start)
	}
	switch e.p.text[start] {
	case '{':
		return start, true
	case '[':
		last := -1
		for s := range jsontree.Elements(e.p.text, textspan.Of(int32(start), int32(end))) {
			if e.p.text[s.Start] == '{' {
				last = int(s.Start)
			}
		}
		if last >= 0 {
			return last, true
		}
		e.insertElement(start, jsontree.Object())
		return e.bodyObject(body)
	case 'n':
		e.p.replace(start, end, "{}")
		return start, true
	}
	e.failf(body.at, "the body is not an object")
	return 0, false
}

func (e *Editor) addJSONArgument(in *Block, name string, v Value) {
	kind, err := argKind(in.Body.spec, name)
	if err != nil {
		e.fail(in.typeAt, err)
		return
	}
	n, err := v.json(kind, e.f.dialect)
	if err != nil {
		e.fail(in.typeAt, err)
		return
	}
	open, ok := e.bodyObject(&in.Body)
	if !ok {
		return
	}
	// An argument that this editor added before is replaced.
	if at := e.member(open, name); at.Value.End > 0 && in.Argument(name) == nil {
		text, err := e.jsonValueText(v, kind, int(at.Value.Start))
		if err != nil {
			e.fail(in.typeAt, err)
			return
		}
		e.p.replace(int(at.Value.Start), int(at.Value.End), text)
		return
	}
	e.insertMember(open, name, n)
}

// member returns the last member of that name of the object at open; the zero
// jsontree.Pair if there is none.
func (e *Editor) member(open int, name string) jsontree.Pair {
	var found jsontree.Pair
	for m := range jsontree.Members(e.p.text, textspan.Of(int32(open), int32(open))) {
		if unquoteJSON(e.p.text[m.Name.Start:m.Name.End]) == name {
			found = m
		}
	}
	return found
}

// removeJSON removes the member or element from start to end, with the comma
// that separates it from its neighbours.
func (e *Editor) removeJSON(start, end int) {
	text := e.p.text
	before, after := jsontree.Back(text, start), jsonscan.Space(text, end)
	switch {
	case text[before-1] == ',':
		e.p.replace(before-1, end, "")
	case text[after] == ',':
		// The first of several: the next one takes its place.
		e.p.replace(start, jsonscan.Space(text, after+1), "")
	default:
		// The only one.
		e.p.replace(before, after, "")
	}
}

// removeJSONBlock removes the property or element that is a block, and then
// what is left empty around it, up to the property of the block's type, whose
// name is at typeAt.
func (e *Editor) removeJSONBlock(start, end, typeAt int) {
	for {
		text := e.p.text
		before, after := jsontree.Back(text, start), jsonscan.Space(text, end)
		open, shut := text[before-1], text[after]
		alone := (open == '{' || open == '[') && (shut == '}' || shut == ']')
		if !alone || start == typeAt {
			e.removeJSON(start, end)
			return
		}
		// The container goes as a whole, and it is a value of something.
		start, end = before-1, after+1
		if back := jsontree.Back(text, start); back > 0 && text[back-1] == ':' {
			name := jsontree.Back(text, back-1)
			start = jsontree.StringStart(text, name)
		} else if back == 0 {
			e.p.replace(before, after, "")
			return
		}
	}
}

func (e *Editor) addJSONBlock(body *Body, block *BlockBuilder) {
	at := body.at
	spec, err := block.inner(body.spec)
	if err != nil {
		e.fail(at, err)
		return
	}
	own, err := block.jsonBody(spec, e.f.dialect)
	if err != nil {
		e.fail(at, err)
		return
	}
	open, ok := e.bodyObject(body)
	if !ok {
		return
	}
	m := e.member(open, block.typ)
	if m.Value.End == 0 {
		n := block.nest(own, 0)
		if ordered(block.typ) {
			n = jsontree.Array(n)
		}
		e.insertMember(open, block.typ, n)
		return
	}
	e.addBelow(int(m.Value.Start), block, own, 0)
}

// addBelow adds a block to the value of its type, or of its labels before
// level.
func (e *Editor) addBelow(at int, block *BlockBuilder, own *jsontree.Node, level int) {
	text := e.p.text
	switch text[at] {
	case '[':
		e.insertElement(at, block.nest(own, level))
		return
	case '{':
	default:
		// null stands for no block.
		var b strings.Builder
		l := e.layoutOf(e.enclosing(at))
		block.nest(own, level).Write(&b, l.style, e.indentAt(at))
		e.p.replace(at, jsontree.End(text, at), b.String())
		return
	}
	if level == len(block.labels) {
		e.makeArray(at, own)
		return
	}
	m := e.member(at, block.labels[level])
	switch {
	case m.Value.End == 0:
		e.insertMember(at, block.labels[level], block.nest(own, level+1))
	case ordered(block.typ):
		e.makeArray(at, block.nest(own, level))
	default:
		e.addBelow(int(m.Value.Start), block, own, level+1)
	}
}

// makeArray puts the value at offset and another one into an array. The value
// keeps its lines as they are.
func (e *Editor) makeArray(at int, n *jsontree.Node) {
	l := e.layoutOf(at)
	end := jsontree.End(e.p.text, at)
	var b strings.Builder
	if l.style.Newline == "" {
		b.WriteString(l.style.Comma)
	} else {
		b.WriteString(", ")
	}
	n.Write(&b, l.style, l.indent)
	b.WriteString("]")
	e.p.replace(end, end, b.String())
	e.p.replace(at, at, "[")
}

// enclosing returns the bracket of the container that the value at offset is in.
func (e *Editor) enclosing(offset int) int {
	open := 0
	for i := jsonscan.Space(e.p.text, 0); i < offset; {
		switch e.p.text[i] {
		case '"':
			i = jsontree.StringEnd(e.p.text, i)
			continue
		case '{', '[':
			if jsontree.End(e.p.text, i) > offset {
				open = i
			} else {
				i = jsontree.End(e.p.text, i)
				continue
			}
		}
		i++
	}
	return open
}

// unquoteJSON returns the meaning of a JSON string that is known to be valid.
func unquoteJSON(tok []byte) string {
	if bytes.IndexByte(tok, '\\') < 0 {
		return string(tok[1 : len(tok)-1])
	}
	return string(jsonscan.AppendUnquote(nil, tok))
}
