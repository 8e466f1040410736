// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// permute puts the items of a container into another order.
func (c *container) permute(e *Editor, order []int) {
	if slices.IsSorted(order) {
		return
	}
	var pieces []textPiece
	for slot, i := range order {
		if slot > 0 {
			pieces = append(pieces, kept(c.at+c.items[slot-1].end, c.at+c.items[slot].start))
		}
		pieces = append(pieces, kept(c.at+c.items[i].start, c.at+c.items[i].end))
	}
	e.rewrite(c.at+c.items[0].start, c.at+c.items[len(c.items)-1].end, pieces...)
}

// moveItemJSON moves what is from start to end among its neighbours.
func (e *Editor) moveItemJSON(start, end int, o editOptions) {
	c, i := e.around(start, end)
	if c == nil {
		return
	}
	if at, ok := e.itemPlace(c, o); ok {
		c.permute(e, moved(len(c.items), i, at))
	}
}

func (e *Editor) sortJSON(x Expression, start int, compare func(a, b Expression) int) {
	_, end, _ := e.place(x.file, x.at)
	if b := e.d.text.at(start); b != '[' && b != '{' {
		e.failf(x.file, x.at, "it is not written as a list or an object")
		return
	}
	c := e.containerAt(start, end)
	src := slices.Clone(c.text)
	f := &File{name: e.f.name, syntax: JSONSyntax, dialect: e.f.dialect, src: src, text: string(src)}
	keys := Expression{file: f, at: textspan.Of(0, int32(len(src))), kind: x.kind}.Parts()
	order := make([]int, len(c.items))
	for i := range order {
		order[i] = i
		if c.object {
			keys[i] = keys[2*i]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(keys[a], keys[b]) })
	c.permute(e, order)
}

// hole is what keeps the place of text that is about to move there.
const hole = "\x00"

// transplant moves the text from start to end to the hole in the text of to, which
// was made by the last change there, and leaves filler where it was.
func (e *Editor) transplant(to *Editor, start, end int, filler string) {
	last := to.d.changes[len(to.d.changes)-1]
	at := -1
	for i := last.start; i < last.end+last.delta; i++ {
		if to.d.text.at(i) == hole[0] {
			at = i
		}
	}
	if at < 0 {
		e.failf(nil, textspan.Span{}, "there is no place for it")
		return
	}
	old, indent, size := e.indentOf(start), to.indentOf(at), end-start
	switch {
	case to != e:
		text := string(e.d.text.slice(start, end))
		to.rewrite(at, at+1, added(text))
		to.guests = append(to.guests, guest{from: e, upto: len(e.d.changes), start: start, end: end, at: at, since: len(to.d.changes)})
	case at < start:
		e.rewrite(at, end, kept(start, end), kept(at+1, start), added(filler))
	default:
		e.rewrite(start, at+1, added(filler), kept(end, at), kept(start, end))
		at += len(filler) - size
	}
	if old == indent {
		return
	}
	var pieces []textPiece
	from := at
	for i, line := range strings.SplitAfter(string(to.d.text.slice(at, at+size)), "\n") {
		skip := len(line) - len(strings.TrimPrefix(line, old))
		if i > 0 && (skip > 0 || old == "") {
			pieces = append(pieces, added(indent), kept(from+skip, from+len(line)))
		} else {
			pieces = append(pieces, kept(from, from+len(line)))
		}
		from += len(line)
	}
	to.rewrite(at, at+size, pieces...)
}

// moveArgumentJSON moves a property.
func (e *Editor) moveArgumentJSON(a *Argument, to *Editor, o editOptions) {
	f, s := a.spot()
	start, end, ok := e.place(f, s)
	if !ok {
		return
	}
	if !o.hasInto {
		e.moveItemJSON(start, end, o)
		return
	}
	if o.into == nil {
		e.failf(f, s, "an argument needs a block to be in")
		return
	}
	from, i := e.around(start, end)
	if from == nil {
		return
	}
	if _, j := to.holding(o.into, from.items[i].name); j >= 0 {
		to.failf(o.into.file, o.into.typeAt, "there is already an argument %q", from.items[i].name)
	}
	c := to.bodyOf(o.into)
	if c == nil {
		e.takeError(to)
		return
	}
	at, ok := to.itemPlace(c, o)
	if e.takeError(to); !ok || e.err != nil {
		return
	}
	to.insertAt(c, at, func(b *strings.Builder, _ layout, _ string) { b.WriteString(hole) })
	start, end, _, _ = e.find(f, s)
	if to != e {
		e.transplant(to, start, end, "")
		e.removeJSON(start, end)
		return
	}
	n := len(e.d.changes)
	const filler = `"":0`
	e.transplant(to, start, end, filler)
	if at := e.filler(n); at >= 0 {
		e.removeJSON(at, at+len(filler))
	}
}

// moveBlockJSON moves a block.
func (e *Editor) moveBlockJSON(b *Block, to *Editor, o editOptions) {
	start, end, ok := e.place(b.file, b.Body.at)
	if !ok {
		return
	}
	if !o.hasInto {
		if s, t, _, ok := e.find(b.file, b.entry); ok {
			start, end = s, t
		}
		e.moveItemJSON(start, end, o)
		return
	}
	spec := to.f.body.spec
	if o.into != nil {
		spec = o.into.Body.spec
	}
	block := NewBlock(b.Type, b.Labels...)
	if _, err := block.inner(spec); err != nil {
		e.fail(b.file, b.typeAt, err)
		return
	}
	to.addBodyJSON(o.into, block, jsontree.Raw(hole), o)
	if e.takeError(to); e.err != nil {
		return
	}
	start, end, _, _ = e.find(b.file, b.Body.at)
	typeAt, _, _, _ := e.find(b.file, b.typeAt)
	if to != e {
		e.transplant(to, start, end, "")
		e.removeBlockJSON(start, end, typeAt)
		return
	}
	n := len(e.d.changes)
	e.transplant(to, start, end, "0")
	at := e.filler(n)
	typeAt, _ = e.d.begins(typeAt, n)
	if at >= 0 {
		e.removeBlockJSON(at, at+1, typeAt)
	}
}

// filler returns where the filler is that the change n left.
func (e *Editor) filler(n int) int {
	for _, p := range e.d.changes[n].pieces {
		if p.to < p.from {
			if at, ok := e.d.begins(p.at, n+1); ok {
				return at
			}
		}
	}
	return -1
}
