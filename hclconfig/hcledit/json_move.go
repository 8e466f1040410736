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
	h, ok := e.headNow(b)
	if !ok {
		return
	}
	block := NewBlock(h.names[0], h.names[1:]...)
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
	to.setMoved(b, movedBlock{labels: len(block.labels), inside: o.into != nil})
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

// A movedBlock is a block in JSON that has other labels now, or another place than where it
// was read.
type movedBlock struct {
	labels int  // how many it has
	inside bool // it went to the content of another block
}

func (e *Editor) setMoved(b *hclconfig.Block, m movedBlock) {
	e.nested = len(e.d.changes) + 1 // the next change as well
	if e.moved == nil {
		e.moved, e.movedFrom = map[placeInFile]movedBlock{}, b.File()
	}
	if e.movedFrom != b.File() {
		e.movedFrom = nil // more than one
	}
	e.moved[placeInFile{b.File(), placeOf(b.Body.Range())}] = m
}

// A blockHead is the type and the labels of a block in JSON as they are now.
type blockHead struct {
	names  []string
	places []textspan.Span
	in     []*container // that have the names, if they were looked for
	path   []pathStep   // the way to the body, likewise
}

// A pathStep is an item of a container.
type pathStep struct {
	c *container
	i int
}

// headNow returns the head of a block. It reports false, after an error, if the block is gone.
func (e *Editor) headNow(b *hclconfig.Block) (*blockHead, bool) {
	start, end, ok := e.place(b.File(), placeOf(b.Body.Range()))
	if !ok {
		return nil, false
	}
	if h := e.quickHead(b, start, end); h != nil {
		return h, true
	}
	now, _, ok := e.readBlock(b, start, end)
	if !ok {
		return nil, false
	}
	return headOfBlock(now), true
}

// headOfBlock returns the head of a block as it was read.
func headOfBlock(b *hclconfig.Block) *blockHead {
	h := &blockHead{names: append([]string{b.Type}, b.Labels...), places: []textspan.Span{placeOf(b.TypeRange())}}
	for i := range b.Labels {
		h.places = append(h.places, placeOf(b.LabelRange(i)))
	}
	return h
}

// quickHead is headNow for a block that is in no other, whose body is from start to end. It
// looks only at the containers around. It returns nil if it cannot tell.
func (e *Editor) quickHead(b *hclconfig.Block, start, end int) *blockHead {
	m, is := e.moved[placeInFile{b.File(), placeOf(b.Body.Range())}]
	if !is {
		m.labels = len(b.Labels)
	}
	if e.moved != nil && e.movedFrom != b.File() || m.inside || around(b.File().Body(), int(entryOf(b).Start)) != nil {
		return nil
	}
	path, ok := e.pathTo(start, end)
	h := &blockHead{path: path}
	for _, s := range path {
		if w := s.c.items[s.i]; s.c.object {
			at, _ := s.c.item(s.i)
			h.names = append(h.names, w.name)
			h.places = append(h.places, textspan.Of(int32(at), int32(e.d.stringOn(at))))
			h.in = append(h.in, s.c)
		}
	}
	if !ok || len(h.names) != 1+m.labels {
		return nil
	}
	return h
}

// pathTo returns the way from the root of the document to the value from start to end.
func (e *Editor) pathTo(start, end int) (path []pathStep, ok bool) {
	s, t, ok := e.placeBodyJSON(nil)
	for ok && (e.d.text.at(s) == '{' || e.d.text.at(s) == '[') {
		c := e.containerAt(s, t)
		i := c.at(start)
		if i < 0 {
			return nil, false
		}
		path = append(path, pathStep{c, i})
		if s, t = c.value(i); s == start && t == end {
			return path, true
		}
	}
	return nil, false
}

// alone reports whether the name i of the head has no other block below it. It reports false
// for known if it cannot tell.
func (h *blockHead) alone(i int) (alone, known bool) {
	alone = true
	below := false
	for k, s := range h.path {
		if below && len(s.c.items) > 1 {
			alone = false
			if k < len(h.path)-1 && s.c.object && s.c != h.in[len(h.in)-1] {
				return false, false
			}
			for j, w := range s.c.items {
				if start, _ := s.c.value(j); j != s.i && w.name != "//" && s.c.d.text.at(start) == '{' {
					return false, true
				}
			}
		}
		below = below || s.c == h.in[i]
	}
	return alone, alone
}

// readBlock reads the text to find the block whose body is from start to end, and the block that
// it is in.
func (e *Editor) readBlock(b *hclconfig.Block, start, end int) (now, parent *hclconfig.Block, ok bool) {
	f, err := e.current()
	if err != nil {
		e.fail(b.File(), placeOf(b.TypeRange()), err)
		return nil, nil, false
	}
	if now, parent = blockAround(f.Body(), textspan.Of(int32(start), int32(end))); now == nil {
		e.failf(b.File(), placeOf(b.TypeRange()), "it was removed by an earlier edit: take what is there from Body")
	}
	return now, parent, now != nil
}

// hasSibling reports whether the object of the property at offset has another one of
// that name.
func (e *Editor) hasSibling(offset int, name string) bool {
	e.kept = slices.DeleteFunc(e.kept, func(c *container) bool { return !c.sync() })
	for _, c := range e.kept {
		if i := c.at(offset); c.object && offset > c.open && offset < c.shut && i >= 0 {
			if start, _ := c.item(i); start == offset {
				return c.find(name) >= 0
			}
		}
	}
	open, shut := e.d.enclosing(offset)
	return open >= 0 && e.containerAt(open, shut).find(name) >= 0
}

// typeAtJSON returns where the name of the property for the type of b is now.
func (e *Editor) typeAtJSON(b *hclconfig.Block) int {
	if _, is := e.moved[placeInFile{b.File(), placeOf(b.Body.Range())}]; is {
		if h, ok := e.headNow(b); ok {
			return int(h.places[0].Start)
		}
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
	if _, is := e.moved[placeInFile{b.File(), placeOf(b.Body.Range())}]; !is {
		if from, to, _, ok := e.find(b.File(), placeOf(b.LabelRange(i))); ok && e.d.labelsOnly(to, start, end) && !e.mayBeTaken(b, i, label) {
			e.rewrite(from, to, replaced(from, to, jsontree.Quote(label)))
			e.setMoved(b, movedBlock{labels: len(b.Labels)})
			return
		}
	}
	h, top := e.quickHead(b, start, end), true
	alone, known := false, false
	if h != nil && i+1 < len(h.names) {
		alone, known = h.alone(i + 1)
	}
	if !known {
		now, parent, ok := e.readBlock(b, start, end)
		if !ok {
			return
		}
		h, top, alone = headOfBlock(now), parent == nil, true
		for other := range e.now.Body().All() {
			alone = alone && (other == now || other.LabelRange(i) != now.LabelRange(i))
		}
	}
	if i+1 >= len(h.names) {
		e.failf(b.File(), placeOf(b.TypeRange()), "it was removed by an earlier edit: take what is there from Body")
		return
	}
	labels := slices.Clone(h.names[1:])
	if from, to := offsets(h.places[i+1]); alone && !e.hasSibling(from, label) {
		e.rewrite(from, to, replaced(from, to, jsontree.Quote(label)))
		e.setMoved(b, movedBlock{labels: len(labels), inside: !top})
		return
	}
	if !top {
		e.failf(b.File(), placeOf(b.LabelRange(i)), "other blocks share this label, or have the new one: use SetHeader")
		return
	}
	labels[i] = label
	e.replant(b, e, NewBlock(h.names[0], labels...), e.opts)
}

// setHeaderJSON is SetHeader in a JSON file.
func (e *Editor) setHeaderJSON(b *hclconfig.Block, typ string, labels []string) {
	start, end, ok := e.place(b.File(), placeOf(b.Body.Range()))
	if !ok {
		return
	}
	h, spec := e.quickHead(b, start, end), rootOf(e.f)
	o := e.opts
	o.to, o.into, o.hasInto = e, nil, true
	if h == nil {
		var now *hclconfig.Block
		if now, o.into, ok = e.readBlock(b, start, end); !ok {
			return
		}
		if h = headOfBlock(now); o.into != nil {
			spec = specOf(o.into)
		}
	}
	block := NewBlock(typ, labels...)
	if _, err := block.inner(spec); err != nil {
		e.fail(b.File(), placeOf(b.TypeRange()), err)
		return
	}
	if len(labels)+1 == len(h.names) && e.renameHeaderJSON(h, start, end, typ, labels) {
		e.setMoved(b, movedBlock{labels: len(labels), inside: o.into != nil})
		return
	}
	e.replant(b, e, block, o)
}

// renameHeaderJSON renames the properties of a block's type and labels where they
// stand. It reports false if other blocks share one that would change, or have the new
// name.
func (e *Editor) renameHeaderJSON(h *blockHead, start, end int, typ string, labels []string) bool {
	names := append([]string{typ}, labels...)
	first := 0
	for first < len(names) && names[first] == h.names[first] {
		first++
	}
	if first == len(names) {
		return true
	}
	if at := h.places[first]; !e.d.labelsOnly(int(at.End), start, end) || e.hasSibling(int(at.Start), names[first]) {
		return false
	}
	if first == 0 && ordered(h.names[0]) != ordered(typ) {
		return false
	}
	for i := len(names) - 1; i >= first; i-- {
		if names[i] != h.names[i] {
			s, t := offsets(h.places[i])
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
