// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"slices"
	"sort"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// This file has what is known of long blocks between edits: a tree of their arguments, blocks and
// elements. An edit of one reads the lines around it only, see window.go.
//
// The tree is needed because HCL's parser reads whole files only, and fmt lays out whole files only.
// To read a block of n lines for each of n edits takes time like the square of n. So a block is read
// once, the text of later edits is found in the tree, and lines are laid out when somebody asks for
// the text. That gives the same text as a layout after each edit, because the layout of fmt depends
// on the lines alone and not on the layout that they had. The exceptions are lines that fmt would
// change: an edit elsewhere leaves them as they are. See stray.go for those.

// A longEditor knows the long blocks of the file of an Editor.
type longEditor Editor

func (e *longEditor) editor() *Editor { return (*Editor)(e) }

// longText is the size of a block from which on edits read the lines around them only. To read a
// shorter one as a whole takes less time than to keep a tree of it.
var longText = 1500

// A longBlock is a block that is in no other and is edited again and again, or all of a file that
// has arguments of its own. Its lines get the layout of fmt when the text is needed, and not after
// each edit, unless they had another one; and an edit reads only what is next to it.
type longBlock struct {
	kid          // nothing is in it until it is followed
	edits   int  // how many there were
	off     bool // its layout needs the whole text
	changed bool // lines have to be laid out
	strays  bool // some kids have another layout
	fine    bool // small kids are read too, because some of their lines are strays
	foreign bool // all lines have another indentation than that of fmt
	keep    bool // no line gets another layout, as the last edits wanted
}

// A kid is a block, an argument, an element or an item. A large one has what is in it.
type kid struct {
	first, last, opens mark // of its ends, and of the bracket before kids
	start, end, since  int  // where it was after that many changes
	name               string
	isBlock            bool
	open, shut         int // the brackets around kids
	form               hclconfig.Form
	kids               []*kid
	named              map[string]*kid // the arguments, once one was looked for
	isFile             bool            // it is all of the text
	inline             bool            // its kids are cells on one line
	passage            bool            // its kids are all that is long in its expression
	cellStyle                          // of an element
	shape
}

// A cellStyle is how an element or an item with lines of its own is separated from the others.
type cellStyle struct {
	odd  bool   // a move past it needs more of the text than a window
	head string // the indentation
	// even is set if it has lines of its own that are as an arrangement writes them. comma is set if
	// there is one behind it.
	even, comma bool
	free        int // how many lines above it belong to no cell, and stay if it moves
}

// placeOfKid returns where a kid is now. It also brings the kid up to date.
func (e *longEditor) placeOfKid(u *kid) (start, end int, ok bool) {
	n := e.d.changes
	if u.since == n {
		return u.start, u.end, true
	}
	if u.isFile {
		u.start, u.end, u.open, u.shut, u.since = 0, e.d.len(), -1, e.d.len(), n
		return u.start, u.end, true
	}
	start, end, ok = e.d.span(u.first, u.last)
	if ok && len(u.kids) > 0 && !u.passage {
		u.open, ok = e.d.begins(u.opens)
	}
	if !ok {
		return 0, 0, false
	}
	u.start, u.end, u.shut, u.since = start, end, end-1, n
	return start, end, true
}

// hold keeps the place of a kid that was read from the text as it is.
func (e *longEditor) hold(u *kid) *kid {
	if u.since = e.d.changes; !u.isFile {
		u.first, u.last, u.opens = e.d.mark(u.start), e.d.mark(u.end-1), e.d.mark(u.open)
	}
	return u
}

// kidAround returns the smallest kid around a place, and what the smallest one that can be read by
// itself is in, and which of its kids that is.
func (e *longEditor) kidAround(l *longBlock, start, end int) (u, c *kid, at int) {
	u = &l.kid
	if _, _, ok := e.placeOfKid(u); !ok {
		return u, nil, 0
	}
	for len(u.kids) > 0 {
		i, ok := e.kidAt(u, start, end)
		if !ok {
			break
		}
		if u.isLong() {
			c, at = u, i
		}
		if u = u.kids[i]; u.start == start && u.end == end {
			break
		}
	}
	return u, c, at
}

// isLong reports whether what is in a kid is read by itself. Of a sequence with few elements only the
// strays are known, and those that are long: all may go, and then the text around has a say.
func (u *kid) isLong() bool {
	return !u.passage && (len(u.kids) >= fewCells || len(u.kids) > 0 && u.form == "")
}

// kidAt returns which kid of another one a place is in.
func (e *longEditor) kidAt(u *kid, start, end int) (int, bool) {
	kids := u.kids
	if e.shuffled.c == u {
		kids = e.shuffled.written
	}
	i := sort.Search(len(kids), func(i int) bool {
		from, _, ok := e.placeOfKid(kids[i])
		return ok && from > start
	}) - 1
	if i < 0 {
		return 0, false
	}
	_, to, ok := e.placeOfKid(kids[i])
	if e.shuffled.c == u {
		// The text has the old order, by which places are found. The number is that of
		// the new one.
		i = slices.Index(u.kids, kids[i])
	}
	return i, ok && end <= to
}

// kidPlace returns before which kid of another one the options want a part.
func (e *longEditor) kidPlace(c *kid, o editOptions) (int, bool) {
	return o.slot(len(c.kids), func() int {
		if name, ok := o.part.(Named); ok {
			return slices.IndexFunc(c.kids, func(k *kid) bool { return k.name == string(name) })
		}
		if start, end, _, ok := e.editor().findPart(o.part); ok {
			if i, ok := e.kidAt(c, start, end); ok && c.kids[i].start == start && c.kids[i].end == end {
				return i
			}
		}
		return -1
	})
}

// kidNamed returns which kid is the argument of that name, or -1. There is a table, since n searches
// among n arguments would take time like the square of n.
func (e *longEditor) kidNamed(u *kid, name string) int {
	if u.named == nil {
		u.named = map[string]*kid{}
		u.note(u.kids)
	}
	k := u.named[name]
	if k == nil {
		return -1
	}
	start, end, _ := e.placeOfKid(k)
	if i, ok := e.kidAt(u, start, end); ok && u.kids[i] == k {
		return i
	}
	return slices.Index(u.kids, k)
}

// note makes arguments known by their names, if they are asked for.
func (u *kid) note(kids []*kid) {
	for _, k := range kids {
		if !k.isBlock && u.named != nil {
			u.named[k.name] = k
		}
	}
}

// longAt returns the long block that is around a place of a file, or nil. If it cannot
// tell, all long blocks are laid out.
func (e *longEditor) longAt(f *hclconfig.File, s textspan.Span, o editOptions) *longBlock {
	if e.whole != nil {
		return e.followed(e.whole, o)
	}
	b := blockBefore(f.Body(), int(s.Start)+1)
	if b == nil || len(f.Body().Arguments) > 0 {
		e.layOutAll()
		return nil
	}
	from, to, _, ok := e.editor().find(f, entryOf(b))
	start, end, _, ok2 := e.editor().find(f, s)
	if !ok || !ok2 || start < from || end > to {
		e.layOutAll()
		return nil
	}
	l := e.longs[e.d.mark(from)]
	if l == nil && to-from >= longText {
		if e.longs == nil {
			e.longs = map[mark]*longBlock{}
		}
		l = &longBlock{kid: kid{start: from, end: to}}
		e.longs[e.hold(&l.kid).first] = l
	}
	if l == nil {
		return nil
	}
	return e.followed(l, o)
}

// followed returns a long block that is read, or nil if it is not: before its second edit, or
// if its layout needs the whole text.
//
// With the option KeepLayout there is nothing to lay out. Lines that edits with and without it have
// left are told apart by a new reading only.
func (e *longEditor) followed(l *longBlock, o editOptions) *longBlock {
	if l.keep != o.keepLayout {
		e.unshuffle()
		e.layOut(l)
		l.kids, l.off, l.keep = nil, false, o.keepLayout
	}
	// Most blocks of a file are edited once, if at all.
	if l.edits++; l.edits == 1 || l.off {
		return nil
	}
	if len(l.kids) == 0 {
		e.follow(l)
	}
	if l.off || len(l.kids) == 0 {
		return nil
	}
	return l
}

// follow reads a long block. It is off if its layout cannot be left to the end.
func (e *longEditor) follow(l *longBlock) {
	l.off, l.strays, l.fine, l.foreign = true, false, false, false
	start, end, ok := e.placeOfKid(&l.kid)
	if !ok {
		return
	}
	if end < e.d.len() {
		end = e.d.lineEnd(end)
	}
	text := string(e.d.slice(start, end))
	if head := e.d.slice(e.d.lineStart(start), start); len(head) > 0 && string(head) != bom {
		return // something is before it on its line
	}
	r := e.parseText(start, text)
	if r == nil {
		return
	}
	e.fill(l, r)
	if l.keep {
		l.off = false
		return
	}
	// fmt aligns a comment at the end of the first or the last line with those of the blocks
	// around, which are not in the tree.
	lines := strings.SplitAfter(text, "\n")
	want := e.d.formatted(lines, 0)
	if strings.HasPrefix(text, bom) {
		want[0] = lines[0] // fmt drops the mark, and so this line is never one of its own
	}
	if len(want) != len(lines) || !l.isFile && (endsInComment([]byte(lines[0])) || endsInComment(e.d.slice(e.d.lineStart(l.end), end))) {
		return
	}
	// A stray that is in a small kid makes a tree of small kids, too: only kids can be strays.
	if l.off = !e.findStrays(l, r, lines, want); l.off {
		l.fine, r.fine = true, true
		e.fill(l, r)
		l.off = !e.findStrays(l, r, lines, want)
	}
}

// fill gives a long block, which is all of a region, what is in it.
func (e *longEditor) fill(l *longBlock, r *region) {
	l.kids, l.named = nil, nil
	if body := r.file.Body(); l.isFile {
		l.kids = e.kidsIn(r, body)
	} else if len(body.Blocks) == 1 {
		e.fillBody(r, &l.kid, &body.Blocks[0])
		e.hold(&l.kid)
	}
}

// fillBody gives a kid what is in the body of a block.
func (e *longEditor) fillBody(r *region, u *kid, b *hclconfig.Block) {
	open, shut := int(placeOf(b.Body.Range()).Start), int(placeOf(b.Body.Range()).End)-1
	// A body on one line has no lines that could be read by themselves.
	if u.start, u.end = r.start+int(entryOf(b).Start), r.start+int(entryOf(b).End); u.end-u.start < r.least() || !strings.Contains(r.text[open:shut], "\n") {
		return
	}
	u.open, u.shut, u.isBlock, u.name, u.named = r.start+open, r.start+shut, true, b.Type, nil
	u.kids = e.kidsIn(r, &b.Body)
}

// kidsIn returns what is in a body.
func (e *longEditor) kidsIn(r *region, b *hclconfig.Body) []*kid {
	var out []*kid
	eachPart(b, func(a *hclconfig.Argument, n *hclconfig.Block) {
		u := &kid{isBlock: a == nil}
		if a != nil {
			u.start, u.end, u.name = r.start+int(nameOf(a).Start), r.start+int(spanOf(a.Expression).End), a.Name
			e.fillSequence(r, u, a.Expression)
		} else {
			u.start, u.end, u.name = r.start+int(entryOf(n).Start), r.start+int(entryOf(n).End), n.Type
			e.fillBody(r, u, n)
		}
		out = append(out, e.hold(u))
	})
	return out
}

// fillSequence gives a kid the elements of its expression, if those have lines of their
// own. Otherwise it gives it what is long in that.
func (e *longEditor) fillSequence(r *region, u *kid, x hclconfig.Expression) {
	if u.end-u.start < r.least() {
		return
	}
	kids := []*kid(nil)
	// Parentheses around a list may hold comments too, which belong to none of its
	// gaps.
	if isSequence(x) && !strings.HasPrefix(x.Raw(), "(") {
		q := newSequence(r, x)
		if kids = e.cellsOf(q, q.indent()); len(kids) >= fewCells || r.fine && len(kids) > 0 {
			u.open, u.shut, u.kids, u.form, u.inline = r.start+q.open, r.start+q.shut, kids, x.Form(), q.inline()
			return
		}
	}
	if len(kids) == 0 {
		for _, p := range x.Parts() {
			start, end := offsets(spanOf(p))
			v := &kid{start: r.start + start, end: r.start + end}
			e.fillSequence(r, v, p)
			kids = append(kids, e.hold(v))
		}
	}
	u.kids = slices.DeleteFunc(kids, func(k *kid) bool { return len(k.kids) == 0 })
	u.passage = len(u.kids) > 0
}

// inline reports whether the cells are on one line, without comments.
//
// Comments between cells of one line belong to one of the two, which depends on commas:
// such a line is read as a whole.
func (q *sequence) inline() bool {
	return !strings.Contains(q.r.text[q.open:q.shut], "\n") && !slices.ContainsFunc(q.cells, func(w cell) bool { return len(w.before)+len(w.behind) > 0 }) &&
		q.gaps[0].note.end == 0
}

// cellsOf returns the cells of a sequence, which have that indentation, as kids, or nil if they
// have neither lines of their own nor one line.
func (e *longEditor) cellsOf(q *sequence, head string) []*kid {
	// In a list of mixed form, or with commas at the beginning of lines, what an edit
	// writes depends on cells far away: on how most of them are written, or on the last
	// one.
	if !q.inline() && !q.lines() || slices.ContainsFunc(q.gaps, func(g gap) bool { return g.leading }) {
		return nil
	}
	parts, a := q.x.Parts(), q.arrange(e.editor().native())
	var out []*kid
	for i := range q.cells {
		w := &q.cells[i]
		u := &kid{start: q.r.start + w.start, end: q.r.start + w.end, name: w.name, cellStyle: q.styleOf(a, i, head)}
		value := i
		if q.object {
			value = 2*i + 1
		}
		if !w.expanded {
			e.fillSequence(q.r, u, parts[value])
		}
		out = append(out, e.hold(u))
	}
	return out
}

// styleOf returns how a cell is separated from the others.
func (q *sequence) styleOf(a *arrangement, i int, head string) cellStyle {
	w, above, below := &q.cells[i], &q.gaps[i], &q.gaps[i+1]
	if q.inline() {
		return cellStyle{odd: w.expanded}
	}
	from := q.open + 1
	if i > 0 {
		from = q.cells[i-1].end
	}
	c := cellStyle{head: head, comma: below.comma >= 0, free: len(above.lines)}
	lines := func(n extent) bool { return strings.Contains(q.r.text[n.start:n.end], "\n") }
	// A comment of several lines may begin on the line of one cell and end on that of
	// the next one. Behind a heredoc, and in front of the dots of a call, not
	// everything can follow.
	c.odd = above.head != head || w.ended || w.expanded || below.comma > w.end && lines(extent{w.end, below.comma}) ||
		slices.ContainsFunc(commentsIn(q.r.text, from, w.start), lines) || slices.ContainsFunc(w.behind, lines)
	c.even = !c.odd && above.broken && below.broken && a.isWritten(i) && a.isWritten(i+1)
	return c
}

// least is the size from which on what is in a kid is read.
func (r *region) least() int {
	if r.fine {
		return 0
	}
	return longText
}

// fewCells is how many elements a sequence has at least whose parts are read by themselves.
const fewCells = 4

// layOut lays out the lines of a long block, except for those that had another layout.
func (e *longEditor) layOut(l *longBlock) {
	if !l.changed {
		return
	}
	l.changed = false
	start, end, ok := e.placeOfKid(&l.kid)
	// Lines of a foreign block are laid out when they come, see layOutNew. Only those
	// directly in a file have the indentation of fmt.
	if !ok || l.keep || l.foreign && !l.isFile {
		return
	}
	if end < e.d.len() {
		end = e.d.lineEnd(end)
	}
	lines := strings.SplitAfter(string(e.d.slice(start, end)), "\n")
	want := e.d.formatted(lines, 0)
	if len(want) != len(lines) {
		return
	}
	strays := e.strayLines(l, lines, start)
	for i, line := range lines {
		if strays[i] || l.foreign && leading(want[i]) != "" {
			want[i] = line
		}
	}
	e.respaceLines(start, lines, want)
}

// layOutAll lays out the lines of all long blocks: before the text is needed, or an edit
// is made that does not know them. Such an edit compares lines before and after it with the layout
// of fmt, and would take lines that are still to be laid out for strays.
func (e *longEditor) layOutAll() {
	e.window = nil
	e.unshuffle()
	if e.whole != nil {
		e.layOut(e.whole)
	}
	for _, l := range e.longs {
		e.layOut(l)
	}
}

// forget makes the editor read the long block at offset at again before the next edit that knows it.
func (e *longEditor) forget(at int) {
	if l := e.longs[e.d.mark(at)]; l != nil {
		l.kids = nil
	}
	if e.whole != nil {
		e.whole.kids = nil
	}
}

// forgetAll is forget for all long blocks.
func (e *longEditor) forgetAll() {
	if e.whole != nil {
		e.whole.kids = nil
	}
	for _, l := range e.longs {
		l.kids = nil
	}
}
