// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// moveItemJSON moves the item from start to end among its neighbours.
func (e *Editor) moveItemJSON(start, end int, o editOptions) {
	c, i := e.around(start, end)
	if c == nil {
		return
	}
	if at, ok := e.itemPlace(c, o); ok {
		c.move(i, at, e.rewrite)
	}
}

func (e *Editor) sortJSON(x hclconfig.Expression, start int, compare func(a, b hclconfig.Expression) int) {
	_, end, _ := e.place(x.File(), spanOf(x))
	if b := e.d.text.at(start); b != '[' && b != '{' {
		e.failf(x.File(), spanOf(x), "it is not written as a list or an object: use Replace or Wrap")
		return
	}
	c := e.containerAt(start, end)
	src := slices.Clone(e.d.text.slice(c.open, c.shut))
	root, err := hclconfig.ParseExpression(e.f.Filename(), src, hclconfig.JSONSyntax, x.Kind())
	if err != nil {
		e.fail(x.File(), spanOf(x), err)
		return
	}
	keys := root.Parts()
	order := make([]int, len(c.items))
	for i := range order {
		order[i] = i
		if c.object {
			keys[i] = keys[2*i]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(keys[a], keys[b]) })
	c.permute(order, e.rewrite)
}

// hole keeps the place of text that is about to move there.
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
		e.failf(nil, textspan.Span{}, "there is no place for it: use Add or Set there, and Delete here")
		return
	}
	old, indent, size := e.indentOf(start), to.indentOf(at), end-start
	style := to.style()
	other := to != e && style != e.style()
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
	if other {
		to.rewrite(at, at+size, restyle(to.d.text.slice(at, at+size), at, style, indent, e.d.flat())...)
		return
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

// restyle returns the pieces that lay out a JSON value, which is at offset at, in a
// style. If flat is set, it comes from a file of one line. In other files, a value
// on one line stays on one line.
func restyle(text []byte, at int, style jsontree.Style, indent string, flat bool) []textPiece {
	var pieces []textPiece
	done := 0
	var inline []bool // of each open bracket: its items share a line
	for i := 0; i < len(text); {
		c := text[i]
		switch c {
		case '"':
			i = jsontree.StringEnd(text, i)
		case '{', '[':
			i++
			inline = append(inline, style.Newline == "" || c == '[' && !style.Expand && scalars(text[i:]))
		case '}', ']':
			i++
			inline = inline[:len(inline)-1]
		default:
			i++
		}
		if !bytes.ContainsRune([]byte("{[}],:"), rune(c)) && c != '"' && i < len(text) && bytes.IndexByte([]byte("}], \t\r\n"), text[i]) < 0 {
			continue // in a number or a word
		}
		end := i
		for end < len(text) && isSpaceJSON(text[end]) {
			end++
		}
		if end == len(text) {
			break
		}
		was, next, depth := string(text[i:end]), text[end], len(inline)
		shuts := next == '}' || next == ']'
		opens := c == '{' || c == '['
		onLine := depth == 0 || inline[depth-1]
		if shuts {
			depth--
		}
		line := style.Newline + indent + strings.Repeat(style.Unit, max(depth, 0))
		want := was
		switch {
		case c == ':':
			want = strings.TrimPrefix(style.Colon, ":")
		case next == ':' || next == ',' || opens && shuts:
			want = ""
		case style.Newline == "":
			if want = ""; c == ',' {
				want = strings.TrimPrefix(style.Comma, ",")
			}
		case strings.Contains(was, "\n"):
			want = strings.Repeat(style.Newline, strings.Count(was, "\n")-1) + line
		case !flat:
		case onLine && c == ',':
			want = " "
		case !onLine && (opens || shuts || c == ','):
			want = line
		}
		if want != was {
			pieces = append(pieces, kept(at+done, at+i), added(want))
			done = end
		}
		i = end
	}
	return append(pieces, kept(at+done, at+len(text)))
}

// scalars reports whether an array, whose bracket is before text, holds only texts,
// numbers and the like.
func scalars(text []byte) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = jsontree.StringEnd(text, i) - 1
		case '{', '[':
			return false
		case ']':
			return true
		}
	}
	return true
}

// moveArgumentJSON moves a property.
func (e *Editor) moveArgumentJSON(a *hclconfig.Argument, to *Editor, o editOptions) {
	f, s := spot(a)
	start, end, ok := e.place(f, s)
	if !ok {
		return
	}
	if !o.hasInto {
		e.moveItemJSON(start, end, o)
		return
	}
	from, i := e.around(start, end)
	if from == nil {
		return
	}
	if _, j := to.holding(o.into, from.items[i].name); j >= 0 {
		at, span := headOf(o.into)
		to.failf(at, span, "there is already an argument %q: use Remove first, or Set", from.items[i].name)
	}
	c := to.bodyOf(o.into)
	if c == nil {
		e.takeError(to)
		return
	}
	at, ok := to.argumentItem(c, o.into, from.items[i].name, o)
	if e.takeError(to); !ok || e.err != nil {
		return
	}
	w := to.insertAt(c, at, from.items[i].name, func(b *strings.Builder, _ layout, _ string) { b.WriteString(hole) })
	w.key = 0 // the hole is all of the property
	to.nested = len(to.d.changes) + 1
	start, end, _, _ = e.find(f, s)
	if to != e {
		e.transplant(to, start, end, "")
		e.removeJSON(start, end)
		c.readKey(w)
		return
	}
	n := len(e.d.changes)
	const filler = `"":0`
	e.transplant(to, start, end, filler)
	if at := e.filler(n); at >= 0 {
		e.removeJSON(at, at+len(filler))
	}
	c.readKey(w)
}

// moveBlockJSON moves a block.
func (e *Editor) moveBlockJSON(b *hclconfig.Block, to *Editor, o editOptions) {
	start, end, ok := e.place(b.File(), placeOf(b.Body.Range()))
	if !ok {
		return
	}
	if !o.hasInto {
		if s, t, _, ok := e.find(b.File(), entryOf(b)); ok {
			start, end = s, t
		}
		e.moveItemJSON(start, end, o)
		return
	}
	spec := rootOf(to.f)
	if o.into != nil {
		spec = specOf(o.into)
	}
	labels := b.Labels
	if now := e.movedNow(b); now != nil {
		labels = now.Labels
	}
	block := NewBlock(b.Type, labels...)
	if _, err := block.inner(spec); err != nil {
		e.fail(b.File(), placeOf(b.TypeRange()), err)
		return
	}
	e.replant(b, to, block, o)
}

// replant moves the body of a block to where block, whose labels it gets, would be
// added.
func (e *Editor) replant(b *hclconfig.Block, to *Editor, block *BlockBuilder, o editOptions) {
	start, _, ok := e.place(b.File(), placeOf(b.Body.Range()))
	if !ok {
		return
	}
	typeAt := e.typeAtJSON(b)
	n := len(e.d.changes)
	to.addBodyJSON(o.into, block, jsontree.Raw(hole), e.d.text.at(start) == '[', o)
	if e.takeError(to); e.err != nil {
		return
	}
	to.setMoved(placeInFile{b.File(), placeOf(b.Body.Range())})
	start, end, _, _ := e.find(b.File(), placeOf(b.Body.Range()))
	if to != e {
		e.transplant(to, start, end, "")
		e.removeBlockJSON(start, end, typeAt)
		return
	}
	typeAt, _ = e.d.begins(typeAt, n)
	n = len(e.d.changes)
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

// movedNow returns the block as it is now, if it has other labels or another place
// than where it was read. Otherwise it is nil.
func (e *Editor) movedNow(b *hclconfig.Block) *hclconfig.Block {
	at := placeOf(b.Body.Range())
	if !e.moved[placeInFile{b.File(), at}] {
		return nil
	}
	start, end, _, ok := e.find(b.File(), at)
	now, err := e.current()
	if !ok || err != nil {
		return nil
	}
	return bodyAt(now, textspan.Of(int32(start), int32(end)))
}

func (e *Editor) setMoved(at placeInFile) {
	e.nested = len(e.d.changes) + 1 // the next change as well
	if e.moved == nil {
		e.moved = map[placeInFile]bool{}
	}
	e.moved[at] = true
}

// hasSibling reports whether the object of the property at offset has another one of
// that name.
func (e *Editor) hasSibling(offset int, name string) bool {
	open, shut := e.d.enclosing(offset)
	return open >= 0 && e.containerAt(open, shut).find(name) >= 0
}

// bodyAt returns the block whose body is at s.
func bodyAt(f *hclconfig.File, s textspan.Span) *hclconfig.Block {
	for b := range f.Body().All() {
		if placeOf(b.Body.Range()) == s {
			return b
		}
	}
	return nil
}

// typeAtJSON returns where the name of the property for the type of b is now.
func (e *Editor) typeAtJSON(b *hclconfig.Block) int {
	if now := e.movedNow(b); now != nil {
		return int(placeOf(now.TypeRange()).Start)
	}
	at, _, _, _ := e.find(b.File(), placeOf(b.TypeRange()))
	return at
}

// relabelJSON changes label i of a block.
func (e *Editor) relabelJSON(b *hclconfig.Block, i int, label string) {
	start, end, ok := e.place(b.File(), placeOf(b.Body.Range()))
	if !ok {
		return
	}
	key := placeInFile{b.File(), placeOf(b.Body.Range())}
	if !e.moved[key] {
		if from, to, _, ok := e.find(b.File(), placeOf(b.LabelRange(i))); ok && e.d.labelsOnly(to, start, end) && !e.mayBeTaken(b, i, label) {
			e.rewrite(from, to, replaced(from, to, jsontree.Quote(label)))
			e.setMoved(key)
			return
		}
	}
	f, err := e.current()
	if err != nil {
		e.fail(b.File(), placeOf(b.TypeRange()), err)
		return
	}
	now := bodyAt(f, textspan.Of(int32(start), int32(end)))
	if now == nil || i >= len(now.Labels) {
		e.failf(b.File(), placeOf(b.TypeRange()), "it was removed by an earlier edit: take what is there from Body")
		return
	}
	at, shared := now.LabelRange(i), 0
	for other := range f.Body().All() {
		if other.LabelRange(i) == at {
			shared++
		}
	}
	if from, _ := offsets(placeOf(at)); shared <= 1 && !e.hasSibling(from, label) {
		start, end := offsets(placeOf(at))
		e.rewrite(start, end, replaced(start, end, jsontree.Quote(label)))
		e.setMoved(key)
		return
	}
	top := false
	for j := range f.Body().Blocks {
		top = top || &f.Body().Blocks[j] == now
	}
	if !top {
		e.failf(b.File(), placeOf(b.LabelRange(i)), "other blocks share this label, or have the new one: use SetHeader")
		return
	}
	labels := slices.Clone(now.Labels)
	labels[i] = label
	e.replant(b, e, NewBlock(now.Type, labels...), e.opts)
}

// setHeaderJSON is SetHeader in a JSON file.
func (e *Editor) setHeaderJSON(b *hclconfig.Block, typ string, labels []string) {
	start, end, ok := e.place(b.File(), placeOf(b.Body.Range()))
	if !ok {
		return
	}
	f, err := e.current()
	if err != nil {
		e.fail(b.File(), placeOf(b.TypeRange()), err)
		return
	}
	now, parent := blockAround(f.Body(), textspan.Of(int32(start), int32(end)))
	if now == nil {
		e.failf(b.File(), placeOf(b.TypeRange()), "it was removed by an earlier edit: take what is there from Body")
		return
	}
	spec := rootOf(e.f)
	if parent != nil {
		spec = specOf(parent)
	}
	block := NewBlock(typ, labels...)
	if _, err := block.inner(spec); err != nil {
		e.fail(b.File(), placeOf(b.TypeRange()), err)
		return
	}
	if len(labels) == len(now.Labels) && e.renameHeaderJSON(now, start, end, typ, labels) {
		e.setMoved(placeInFile{b.File(), placeOf(b.Body.Range())})
		return
	}
	o := e.opts
	o.to, o.into, o.hasInto = e, parent, true
	e.replant(now, e, block, o)
	e.setMoved(placeInFile{b.File(), placeOf(b.Body.Range())})
}

// renameHeaderJSON renames the properties of a block's type and labels where they
// stand. It reports false if other blocks share one that would change, or have the new
// name.
func (e *Editor) renameHeaderJSON(now *hclconfig.Block, start, end int, typ string, labels []string) bool {
	names := append([]string{typ}, labels...)
	old := append([]string{now.Type}, now.Labels...)
	first := 0
	for first < len(names) && names[first] == old[first] {
		first++
	}
	if first == len(names) {
		return true
	}
	at := func(i int) textspan.Span {
		if i == 0 {
			return placeOf(now.TypeRange())
		}
		return placeOf(now.LabelRange(i - 1))
	}
	if !e.d.labelsOnly(int(at(first).End), start, end) || e.hasSibling(int(at(first).Start), names[first]) {
		return false
	}
	if first == 0 && ordered(now.Type) != ordered(typ) {
		return false
	}
	for i := len(names) - 1; i >= first; i-- {
		if names[i] != old[i] {
			s, t := offsets(at(i))
			e.rewrite(s, t, replaced(s, t, jsontree.Quote(names[i])))
		}
	}
	return true
}

// blockAround returns the block whose body is at s, and the block that it is in.
func blockAround(body *hclconfig.Body, s textspan.Span) (found, parent *hclconfig.Block) {
	for i := range body.Blocks {
		b := &body.Blocks[i]
		if placeOf(b.Body.Range()) == s {
			return b, nil
		}
		if in, outer := blockAround(&b.Body, s); in != nil {
			if outer == nil {
				outer = b
			}
			return in, outer
		}
	}
	return nil, nil
}
