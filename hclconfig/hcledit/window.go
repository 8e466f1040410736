// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// This file has windows: the lines that an edit of a long block reads. The text of a window is a
// file of its own for HCL's parser. What is around it in the block has a short stand-in, so that an
// edit sees whether something is there: blank lines, commas and comments depend on it.

// A window is a part of a long block: the kids from lo to hi of one.
type windowOf struct {
	of     *longBlock
	in     *kid
	lo, hi int
	// Something new goes next to kid next, or to the end.
	next int
	at   placeKind
	wide bool // also next to large elements
}

// windowAt is a window that has one kid, next to which something new goes.
func windowAt(l *longBlock, in *kid, i int, at placeKind) windowOf {
	w := windowOf{of: l, in: in, lo: i, hi: i, next: i, at: at}
	if in.isFile { // whether there is a blank line depends on both neighbours
		switch at {
		case beforeFirstKid:
			w.lo = max(i-1, 0)
		case afterFirstKid:
			w.hi = min(i+1, len(in.kids)-1)
		}
	}
	return w
}

// A placeKind is where something new goes: next to a part, or behind everything. The two
// differ in comments, because those at the end of a body belong to no part.
type placeKind uint8

const (
	atEnd placeKind = iota
	beforeFirstKid
	afterFirstKid
)

// standIn is written for what is next to a window.
const standIn = "_ {}\n"

// nearText is the size of the largest element that is read because it is next to an edit. Edits next
// to a larger one read the block: to read the large one again and again would take as much time.
const nearText = 1500

// parseText parses text that begins at start.
func (e *longEditor) parseText(start int, text string) *region {
	r := &region{start: start, end: start + len(text), text: text, since: e.d.snap(start, start+len(text))}
	var err error
	e.parsed += len(text)
	if r.file, err = hclconfig.ParseNative(e.f.Filename(), []byte(text), e.f.Dialect()); err != nil {
		return nil
	}
	return r
}

// openWindow reads a window. It is nil if that cannot be read by itself.
func (e *longEditor) openWindow(w windowOf) *region {
	if _, _, ok := e.placeOfKid(&w.of.kid); !ok {
		return nil
	}
	if _, _, ok := e.placeOfKid(w.in); !ok || w.in.isFile && w.lo == 0 && e.d.hasMark() {
		return nil // the line with the mark keeps its layout, whatever comes there
	}
	var r *region
	if w.in.form == "" {
		r = e.openBodyWindow(w)
	} else {
		r = e.openCells(w)
	}
	if r != nil {
		r.win, r.fine = &w, w.of.fine
	}
	return r
}

// endOfLineAfter returns the end of the line of offset, with a comment that begins on it.
func (d *draft) endOfLineAfter(offset, limit int) int {
	if end := min(limit, d.lineEnd(offset)); !bytes.Contains(d.slice(offset, end), []byte("/*")) {
		return end
	}
	return offset + lineEndAt(string(d.slice(offset, limit)), 0)
}

func (e *longEditor) openBodyWindow(w windowOf) *region {
	c := w.in
	from, to, head, tail := c.open+1, c.shut, "", ""
	if !c.isFile {
		to = e.d.lineStart(c.shut)
	}
	if w.hi+1 < len(c.kids) {
		next, _, ok := e.placeOfKid(c.kids[w.hi+1])
		if !ok {
			return nil
		}
		to, tail = e.d.lineStart(next), standIn
	}
	if w.lo > 0 {
		_, end, ok := e.placeOfKid(c.kids[w.lo-1])
		if !ok {
			return nil
		}
		from, head = end, standIn
	}
	if from > to {
		return nil
	}
	// The rest of the line of what is above, or of the brace, is not a part of the
	// window. Its comment is about something else.
	if w.lo > 0 || !c.isFile {
		if from = e.d.endOfLineAfter(from, to); from > to {
			return nil
		}
	}
	// The stand-in has the place of text that is there, so that places in the window
	// and in the draft differ by the same number everywhere.
	return e.parseText(from-len(head), head+string(e.d.slice(from, to))+tail)
}

// brackets are those of the forms of sequences.
var brackets = map[hclconfig.Form][2]string{hclconfig.FormList: {"[", "]"}, hclconfig.FormObject: {"{", "}"}, hclconfig.FormCall: {"f(", ")"}}

// openCells reads the cells of a window and one at each side, which have a say in the gaps between: whether
// a comma, a comment or a blank line belongs to a cell can be seen from both cells only.
func (e *longEditor) openCells(w windowOf) *region {
	c, n := w.in, len(w.in.kids)
	from, to, line := c.open+1, c.shut, ""
	if !c.inline {
		line = "\n"
		from = e.d.endOfLineAfter(from, to)
	}
	if w.lo > 0 {
		start, end, ok := e.placeOfKid(c.kids[w.lo-1])
		if !ok || end-start > nearText && !w.wide {
			return nil
		}
		if from = start; !c.inline {
			from = e.d.lineStart(start)
		}
	}
	if w.hi+1 < n {
		start, end, ok := e.placeOfKid(c.kids[w.hi+1])
		if !ok || end-start > nearText && !w.wide {
			return nil
		}
		switch {
		case c.inline:
			to = end
		case w.hi+2 < n:
			limit, _, ok := e.placeOfKid(c.kids[w.hi+2])
			if limit = e.d.lineStart(limit); !ok || limit < end {
				return nil
			}
			// The comment at the end of the line of the last cell belongs to it. Lines
			// below that are in a gap that this edit has no say in.
			to = min(e.d.endOfLineAfter(end, limit), limit)
		}
	}
	if from > to {
		return nil
	}
	if line != "" && from > 1 && e.d.at(from-2) == '\r' {
		line = "\r\n" // it stands for the end of a line of the text, which an edit may keep
	}
	// The stand-in of the bracket has the indentation of its line: a closing bracket,
	// or the first cell, may get it.
	head, tail := e.d.indentAt(c.open)+"_ = "+brackets[c.form][0]+line, brackets[c.form][1]
	if c.inline && c.form == hclconfig.FormObject { // as fmt has them, so that it moves nothing
		if w.lo > 0 {
			head += " "
		}
		if w.hi+1 < n {
			tail = " " + tail
		}
	}
	return e.parseText(from-len(head), head+string(e.d.slice(from, to))+tail+"\n")
}

// sequence returns the elements of a window.
//
// After an edit the window may be no list any more: a comma that is missing, say, is
// found here.
func (r *region) sequence() *sequence {
	body := r.file.Body()
	if len(body.Arguments) != 1 || !isSequence(body.Arguments[0].Expression) {
		return nil
	}
	return newSequence(r, body.Arguments[0].Expression)
}

// refresh reads a window again after an edit in it, so that the tree has what is there now. Only the kids
// of the window are new: what else is in the block has moved at most, and the marks of the kids say
// where to.
func (e *longEditor) refresh(old *region) {
	w := *old.win
	r := e.openWindow(w)
	if r != nil && w.of.foreign && e.layOutNew(old, r) {
		r = e.openWindow(w)
	}
	if r == nil {
		w.of.changed = true
		if e.err == nil {
			e.editor().failf(nil, textspan.Span{}, "the result would not be valid")
		}
		return
	}
	c, lo, hi := w.in, w.lo, w.hi+1
	var kids []*kid
	if c.form != "" {
		lo, hi = max(lo-1, 0), min(hi+1, len(c.kids))
		// The edit may have put the cells of a list on one line on several lines. Then
		// no other cell is as it was.
		if q := r.sequence(); q != nil && (len(q.cells) == 0 || q.inline() == c.inline) {
			kids = e.cellsOf(q, c.kids[0].head)
		}
		if w.lo > 0 && len(kids) > 0 { // what is above it is not in the window
			kids[0].even, kids[0].free = kids[0].even && c.kids[lo].even, c.kids[lo].free
		}
		// A list without elements is written on one line, and the next edit has to see
		// all of it.
		if few := len(c.kids)-(hi-lo)+len(kids) < fewCells; few && !w.of.fine || len(kids) == 0 {
			if w.of.changed = true; w.of.strays {
				e.layOut(w.of)
				w.of.kids = nil
			}
			c.kids = nil // it is small now, or has another layout
			return
		}
	} else {
		kids = e.kidsIn(r, r.file.Body())
		if lo > 0 {
			kids = kids[1:]
		}
		if hi < len(c.kids) {
			kids = kids[:len(kids)-1]
		}
		for _, k := range c.kids[lo:hi] {
			if c.named[k.name] == k {
				delete(c.named, k.name)
			}
		}
		c.note(kids)
	}
	e.keepStrays(old, r, c.kids[lo:hi], kids)
	c.kids = slices.Replace(c.kids, lo, hi, kids...)
	e.align(w.of, c, lo, lo+len(kids)-1)
}

// windowNow returns the window of the edit, unless the text has changed since it was read.
func (e *longEditor) windowNow() *region {
	if r := e.window; r != nil && r.since.changes == e.d.changes {
		return r
	}
	return nil
}

// knows reports whether the window is around a place.
func (r *region) knows(e *Editor, start, end int) bool {
	return r != nil && r.since.changes == e.d.changes && r.start <= start && end <= r.end
}

// prepare finds the lines that an edit of a part of a long block needs. Edits of other
// blocks read the whole block. It must come before the places of the edit are asked for, since it
// lays out the block if the edit cannot do with a window, and so moves them.
func (e *longEditor) prepare(f *hclconfig.File, s textspan.Span, o editOptions, pick func(l *longBlock, start, end int) *region) {
	e.window = nil
	e.unshuffle()
	if e.err != nil || e.f.Syntax() == hclconfig.JSONSyntax {
		return
	}
	l := e.longAt(f, s, o)
	if l == nil {
		return
	}
	start, end, _, ok := e.editor().find(f, s)
	var r *region
	if ok {
		r = pick(l, start, end)
	}
	e.use(l, r)
}

// use makes a window that of the edit. Without one, the edit reads all of the long block.
func (e *longEditor) use(l *longBlock, r *region) {
	if e.window = r; r == nil || e.endsDue(r.win) {
		e.window = nil
		e.layOut(l)
		l.kids = nil
	} else if l.strays {
		for k := range all(r.win.in.kids[r.win.lo : r.win.hi+1]) {
			e.placeOfKid(k)
		}
	}
}

// endsDue reports whether a stray of a window ends on another line than its first, with a comment that may
// have to be laid out. If the edit makes one line of it, the comment is on the line of the stray, which is
// never laid out.
func (e *longEditor) endsDue(w *windowOf) bool {
	return w.of.changed && slices.ContainsFunc(w.in.kids[w.lo:min(w.hi+1, len(w.in.kids))], func(k *kid) bool {
		start, end, ok := e.placeOfKid(k)
		return ok && k.stray && e.d.lineStart(end) > start && endsInComment(e.d.slice(e.d.lineStart(end), e.d.lineEnd(end)))
	})
}

// prepareAt is prepare for an edit of what is at s and nothing around.
func (e *longEditor) prepareAt(f *hclconfig.File, s textspan.Span, o editOptions) {
	e.prepare(f, s, o, e.windowAround)
}

// windowAround returns the window of the smallest kid around a place.
func (e *longEditor) windowAround(l *longBlock, start, end int) *region {
	_, c, i := e.kidAround(l, start, end)
	if c == nil {
		return nil
	}
	return e.openWindow(windowOf{of: l, in: c, lo: i, hi: i})
}

// kidOfBlock returns the kid that is the block from start to end, if it is a long one.
func (e *longEditor) kidOfBlock(l *longBlock, start, end int) *kid {
	if s, t, ok := e.placeOfKid(&l.kid); ok && s == start && t == end && !l.isFile {
		return &l.kid
	}
	if u, _, _ := e.kidAround(l, start, end); u.isBlock && len(u.kids) > 0 && u.start == start && u.end == end {
		return u
	}
	return nil
}

// prepareIn is prepare for an edit of the content of a block, or of the file if in is nil.
func (e *longEditor) prepareIn(in *hclconfig.Block, o editOptions, pick func(l *longBlock, u *kid) *region) {
	if in == nil {
		e.unshuffle()
		e.window = nil
		switch {
		case e.doc != nil:
		case e.whole == nil: // from now on the file has arguments
			e.layOutAll()
			e.whole, e.longs = &longBlock{kid: kid{isFile: true, since: -1}}, nil
		default:
			if l := e.followed(e.whole, o); l != nil {
				e.use(l, pick(l, &l.kid))
			}
		}
		return
	}
	e.prepare(in.File(), entryOf(in), o, func(l *longBlock, start, end int) *region {
		u := e.kidOfBlock(l, start, end)
		switch {
		case u == nil:
			return e.windowAround(l, start, end)
		case len(u.kids) == 0:
			return nil
		}
		return pick(l, u)
	})
}

// prepareArgument is prepare for an edit of an argument of a block.
//
// Only the argument of that name is read, or what is next to the place of a new one. To
// know that there is none of the name takes a table, see kidNamed, and no reading.
func (e *longEditor) prepareArgument(in *hclconfig.Block, name string, o editOptions, isNew bool) {
	e.prepareIn(in, o, func(l *longBlock, u *kid) *region {
		if i := e.kidNamed(u, name); i >= 0 {
			return e.openWindow(windowOf{of: l, in: u, lo: i, hi: i})
		}
		if !isNew {
			return e.openWindow(windowOf{of: l, in: u})
		}
		i, at := e.wantedKid(u, o, func() (int, placeKind) { return argumentSlot(len(u.kids), u.item, typeOf(in), name) })
		if i < 0 {
			return nil
		}
		return e.openWindow(windowAt(l, u, i, at))
	})
}

// typeOf returns the type of a block, or "" for the file.
func typeOf(in *hclconfig.Block) string {
	if in == nil {
		return ""
	}
	return in.Type
}

// wantedKid returns next to which kid the options want something, or -1. By default it is that
// of usual.
func (e *longEditor) wantedKid(u *kid, o editOptions, usual func() (int, placeKind)) (int, placeKind) {
	if o.where == whereDefault {
		return usual()
	}
	i, ok := e.kidPlace(u, o)
	switch {
	case !ok:
		return -1, atEnd
	case o.where == whereLast:
		return i - 1, atEnd
	case o.where == whereAfter:
		return i - 1, afterFirstKid
	}
	return i, beforeFirstKid
}

// item returns the name of a kid, and whether it is a block.
func (u *kid) item(i int) (name string, isBlock bool) { return u.kids[i].name, u.kids[i].isBlock }

// argumentSlot returns next to which of n items of the body of a block, or of a file for "", a new
// argument goes.
func argumentSlot(n int, item func(i int) (name string, isBlock bool), block, name string) (int, placeKind) {
	own := rank(block, name)
	switch {
	case n == 0:
		return 0, atEnd
	case block != "" && own > 10:
		return n - 1, afterFirstKid // comments at the end are not about it
	// Behind the last argument that is not one of those at the end of a block: a new
	// argument between blocks would be hard to find. A file of values has no blocks,
	// and no such order.
	case block == "" || own == 10:
		for i := n - 1; i >= 0; i-- {
			if k, isBlock := item(i); !isBlock && (block == "" || rank(block, k) <= 10) {
				return i, afterFirstKid
			}
		}
		return 0, beforeFirstKid
	}
	at, where := 0, beforeFirstKid
	for i := range n {
		// Those that come first are in the order of their ranks. The first one that
		// comes later ends them, wherever others of the same rank may be further down.
		if k, isBlock := item(i); isBlock || rank(block, k) > own {
			break
		}
		at, where = i, afterFirstKid
	}
	return at, where
}

// blockSlot returns before which of n items of the body of a block a new block goes, if it does not
// go to the end: the arguments and blocks about the block itself come last.
func blockSlot(n int, item func(i int) (name string, isBlock bool), block, typ string) (int, placeKind) {
	at := n
	for at > 0 {
		k, isBlock := item(at - 1)
		if !(isBlock && k == "lifecycle" && typ != "lifecycle" || !isBlock && rank(block, k) > 10) {
			break
		}
		at--
	}
	if at == n {
		return n - 1, atEnd
	}
	return at, beforeFirstKid
}

// prepareBlock is prepare for a new block in another one.
func (e *longEditor) prepareBlock(in *hclconfig.Block, typ string, o editOptions) {
	if in == nil {
		e.layOutAll()
		return
	}
	e.prepareIn(in, o, func(l *longBlock, u *kid) *region {
		i, at := e.wantedKid(u, o, func() (int, placeKind) { return blockSlot(len(u.kids), u.item, in.Type, typ) })
		if i < 0 {
			return nil
		}
		return e.openWindow(windowAt(l, u, i, at))
	})
}

// placeInWindow returns where something new goes in a window, and the indentation there.
// The text of the window has stand-ins for what is around it.
func (r *region) placeInWindow(e *Editor) (at int, indent string, first row) {
	c := r.win.in
	rows := r.rows(r.file.Body())
	k := c.kids[r.win.next]
	start, _, _ := e.long().placeOfKid(k)
	i := slices.IndexFunc(rows, func(w row) bool { return w.start+r.start == start })
	if i < 0 {
		e.failf(nil, textspan.Span{}, "there is no place for it: take the block from Body or Apply")
		return 0, "", first
	}
	first = rows[i]
	switch r.win.at {
	case beforeFirstKid:
		at = first.lead
	case afterFirstKid:
		at = first.after
	default:
		at = len(r.text)
	}
	return at, e.long().indentOfKids(c), first
}

// indentOfKids returns the indentation of what is in a kid: that of the first one that is alone on
// its lines, as indentIn.
//
// Of all kids and not of those in the window: what is new looks like the first one,
// however the edit came to it.
func (e *longEditor) indentOfKids(c *kid) string {
	for _, k := range c.kids {
		start, end, ok := e.placeOfKid(k)
		head := string(e.d.slice(e.d.lineStart(start), start))
		if ok && isInlineOnly(head) && restIsComment(string(e.d.slice(end, e.d.lineEnd(end)))) {
			return leading(head)
		}
	}
	return e.d.indentAt(c.start) + unit
}

// prepareElement is prepare for a new element of x, or an item with a key.
func (e *longEditor) prepareElement(x hclconfig.Expression, key string, isEntry bool, o editOptions) {
	e.prepare(x.File(), spanOf(x), o, func(l *longBlock, start, end int) *region {
		u, c, _ := e.kidAround(l, start, end)
		if c == nil {
			return nil
		}
		// The list is a part of the kid only, such as one in a call. Then the kid is
		// read as a whole.
		if !u.isLong() || u.form == "" || u.shut+1 != end || start < u.start {
			return e.windowAround(l, start, end)
		}
		w := windowOf{of: l, in: u}
		w.lo, _ = e.wantedKid(u, o, func() (int, placeKind) { return len(u.kids) - 1, atEnd })
		if isEntry {
			if i := slices.IndexFunc(u.kids, func(k *kid) bool { return k.name == key }); i >= 0 {
				w.lo = i
			}
		}
		if w.hi = w.lo; w.lo < 0 {
			return nil
		}
		return e.openWindow(w)
	})
}

// prepareName is prepare for another name of an argument.
func (e *longEditor) prepareName(in *hclconfig.Block, from, to string) {
	e.prepareIn(in, e.opts, func(l *longBlock, u *kid) *region {
		i := e.kidNamed(u, from)
		// That the name is there already, or not, is an error that the edit finds when
		// it reads the whole block.
		if i < 0 || e.kidNamed(u, to) >= 0 {
			return nil
		}
		return e.openWindow(windowOf{of: l, in: u, lo: i, hi: i})
	})
}

// preparePart is prepare for an edit of a part.
func (e *longEditor) preparePart(p Part, o editOptions) {
	if a, ok := p.(*hclconfig.Argument); p == nil || ok && a == nil {
		return
	}
	// Edits of a whole block that is in no other look at the text around it, so that
	// must be laid out.
	if b, ok := p.(*hclconfig.Block); ok && (b == nil || around(b.File().Body(), int(entryOf(b).Start)) == nil) {
		e.layOutAll()
		return
	}
	if f, s := spot(p); f != nil {
		e.prepareAt(f, s, o)
	}
}
