// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// This file has moves of what is in a long block.

// moveLong moves a part of a long block, or into one, if that can be done by reading the lines
// around it and those where it goes. Otherwise it reports false.
func (e *nativeEditor) moveLong(p Part, to *Editor, o editOptions) bool {
	if e.window, to.window = nil, nil; e.err != nil || to.err != nil || e.f.Syntax() == hclconfig.JSONSyntax || to.f.Syntax() == hclconfig.JSONSyntax {
		return false
	}
	f, s := spot(p)
	if _, _, _, ok := e.editor().find(f, s); !ok {
		return false
	}
	a, isArgument := p.(*hclconfig.Argument)
	b, isBlock := p.(*hclconfig.Block)
	if !isArgument && !isBlock {
		return e.long().moveCell(p, o)
	}
	e.long().unshuffle()
	switch {
	// A block that is in no other is in no long block either. Its lines are found
	// without any parsing.
	case (isBlock || e.whole == nil) && around(f.Body(), int(s.Start)) == nil:
		return false
	case !o.hasInto:
		return o.to == nil && e.moveWithin(p, o)
	// The first is an error, and the second makes a file with arguments of its own. The
	// way through the whole text knows both.
	case isBlock && b == o.into || isArgument && o.into == nil:
		return false
	case isArgument:
		name := e.long().nameNow(a)
		to.long().prepareArgument(o.into, name, o, true)
		// The other argument of that name makes the move an error, which the way
		// through the whole block reports.
		if w := to.window; w != nil && to.long().kidNamed(w.win.in, name) >= 0 {
			return false
		}
	case o.into != nil:
		to.long().prepareBlock(o.into, b.Type, o)
	}
	n := to.d.changes
	d, ok := e.destinationOf(p, to, o)
	if !ok {
		e.editor().takeError(to)
		return true
	}
	l, c, i := e.long().kidOf(p, o)
	if to == e.editor() && o.into != nil && (d.r == nil || d.r.win == nil) && e.inLong(l, o.into) {
		return false // it would not know what came
	}
	// The two places are read one after the other, so the second one must not change
	// what the first one has read. Of two windows in one body, or in one foreign block,
	// neither would know what the other one changes.
	if c == nil || c.form != "" || to.d.changes != n || d.r != nil && d.r.win != nil && (d.r.win.in == c || d.r.win.of == l && l.foreign) {
		return false
	}
	for k := range all(c.kids[i : i+1]) {
		if k.stray && d.r != nil && d.r.win != nil && d.r.win.of == l {
			return false // it stays one in the other place
		}
	}
	r, w, ok := e.kidRow(l, c, i)
	if ok {
		e.moveRow(p, r, w, to, d, o)
	}
	return ok
}

// inLong reports whether a block is in a long block, as far as that is known.
//
// If that is not known, it says so too: to read the whole block is always right.
func (e *nativeEditor) inLong(l *longBlock, b *hclconfig.Block) bool {
	if l == nil {
		return true
	}
	at, _, _, ok1 := e.editor().findPart(b)
	start, end, ok2 := e.long().placeOfKid(&l.kid)
	return !ok1 || !ok2 || start <= at && at < end
}

// nameNow returns the name of a native argument, which may have another one than where it was read.
func (e *longEditor) nameNow(a *hclconfig.Argument) string {
	start, end, _, ok := e.editor().findPart(a)
	if !ok {
		return a.Name
	}
	text := e.d.slice(start, end)
	if i := bytes.IndexAny(text, " \t="); i > 0 {
		return string(text[:i])
	}
	return a.Name
}

// kidRow reads a kid of a long block. It reports false if it is not alone on its lines.
func (e *nativeEditor) kidRow(l *longBlock, c *kid, i int) (*region, row, bool) {
	r := e.long().openWindow(windowOf{of: l, in: c, lo: i, hi: i})
	if r == nil {
		return nil, row{}, false
	}
	// A change without a window makes the editor forget what it knows of the arguments
	// of a file.
	if e.window == nil {
		e.window = r
	}
	for _, w := range r.rows(r.file.Body()) {
		if w.start+r.start == c.kids[i].start {
			return r, w, w.alone
		}
	}
	return nil, row{}, false
}

// moveWithin moves an argument or a block within the body that it is in, which is a long one.
func (e *nativeEditor) moveWithin(p Part, o editOptions) bool {
	l, c, i := e.long().kidOf(p, o)
	// The last line of a file may have no line break. A move past it has to share out
	// the one that there is.
	if c == nil || c.form != "" || c.isFile && e.d.endsOpen() {
		return false
	}
	f, s := spot(p)
	d := destination{target: around(f.Body(), int(s.Start)), within: c, kid: i}
	_, d.isBlock = p.(*hclconfig.Block)
	at, where := e.long().wantedKid(c, o, func() (int, placeKind) {
		if b, ok := p.(*hclconfig.Block); ok {
			return blockSlot(len(c.kids), c.item, typeOf(d.target), b.Type)
		}
		if c.isFile {
			return argumentSlot(len(c.kids), c.item, "", "") // its own place, if it is the last one
		}
		// By default it goes where Set would put it if it were not there: its old place
		// has no say.
		at, where := argumentSlot(len(c.kids)-1, func(k int) (string, bool) { return c.item(without(i, k)) }, typeOf(d.target), e.long().nameNow(p.(*hclconfig.Argument)))
		return without(i, at), where
	})
	if len(c.kids) == 1 || at < 0 || at >= len(c.kids) {
		return false
	}
	r, w, ok := e.kidRow(l, c, i)
	if !ok {
		return false
	}
	lead := w.lead
	if o.keepComments {
		lead = w.line
	}
	if c.isFile && o.keepLayout && e.d.cleanLines(r.start+lead, r.start+w.after) != nil {
		return false // it leaves a run of comments, and is laid out by itself
	}
	if d.r = e.long().openWindow(windowAt(l, c, at, where)); d.r == nil {
		return false
	}
	if c.isFile {
		below := ""
		if d.at, _, below, ok = e.topArgumentPlace(d.r, o); !ok || below != "" {
			return false
		}
	} else {
		d.at, d.indent, _ = d.r.placeInWindow(e.editor())
		d.at += d.r.start
	}
	if d.slot = at; where != beforeFirstKid {
		d.slot++
	}
	// Slots are counted without the kid that moves.
	if d.slot > i {
		d.slot--
	}
	e.moveRow(p, r, w, e.editor(), d, o)
	return true
}

// without returns the number of an item that is number k if one is not counted.
func without(one, k int) int {
	if k >= one {
		return k + 1
	}
	return k
}

// kidOf returns what a part of a long block is in, and which of its kids the part is.
func (e *longEditor) kidOf(p Part, o editOptions) (l *longBlock, c *kid, at int) {
	f, s := spot(p)
	if l = e.longAt(f, s, o); l == nil {
		return nil, nil, 0
	}
	start, end, _, ok := e.editor().find(f, s)
	if !ok {
		return l, nil, 0
	}
	if _, c, at = e.kidAround(l, start, end); c != nil && (c.kids[at].start != start || c.kids[at].end != end) {
		c = nil
	}
	return l, c, at
}

// moveCell moves an element of a long list with its lines. It reports false if more than that
// must be read.
func (e *longEditor) moveCell(p Part, o editOptions) bool {
	l, c, i := e.kidOf(p, o)
	if c != nil && e.shuffled.c != c && e.shuffled.c != nil {
		e.unshuffle()
		l, c, i = e.kidOf(p, o) // it may be in what was written
	}
	if c == nil || c.form == "" || o.to != nil || o.hasInto {
		return false
	}
	slot, ok := e.kidPlace(c, o)
	if !ok {
		return false
	}
	if slot > i {
		slot--
	}
	if slot == i {
		return true
	}
	if e.carryCell(l, c, i, slot) {
		return true
	}
	from, to := min(i, slot), max(i, slot)
	if slices.ContainsFunc(c.kids[from:to+1], func(k *kid) bool { return k.odd }) {
		return false
	}
	if e.shuffled.c == nil {
		e.shuffled = shuffle{l: l, c: c, written: slices.Clone(c.kids), lo: from, hi: to}
	}
	// A move puts nothing out of order but what is between its two places.
	e.shuffled.lo, e.shuffled.hi = min(e.shuffled.lo, from), max(e.shuffled.hi, to)
	c.moveKid(i, slot)
	e.now = nil
	if l.strays && c.form == hclconfig.FormObject {
		e.unshuffle() // which are strays depends on the order of equals signs
	}
	return true
}

// carryCell moves an element with its lines, if those of all elements between its old and its new place
// are as an arrangement would write them, and so stay as they are. Blank lines and comments that belong to
// none stay where they are. Moves that alternate with other
// edits would read all of these elements each time if each order had to be written as a shuffle.
func (e *longEditor) carryCell(l *longBlock, c *kid, i, slot int) bool {
	lo, hi, n := min(i, slot), max(i, slot), len(c.kids)-1
	// Of a list without a comma behind its last cell, the one that is last now gets a comma, and the
	// one that comes last gives it.
	give := i
	if i == n {
		give = n - 1
	}
	gets, gives := c.kids[n], c.kids[give]
	open := hi == n && !gets.comma && gives.comma
	if e.shuffled.c != nil || slices.ContainsFunc(c.kids[max(lo-1, 0):hi+1], func(k *kid) bool {
		return !k.even || k.comma != gives.comma && !(open && k == gets)
	}) {
		return false
	}
	from, _, to, ok1 := e.cellLines(c, i)
	first, _, _, ok2 := e.cellLines(c, lo)
	_, _, last, ok3 := e.cellLines(c, hi)
	_, comma, _, ok4 := e.cellLines(c, give)
	var free []int // lines of each place, such as blank lines, which come before the cell that comes there
	groups := 0
	for k := lo; k <= hi; k++ {
		if free = append(free, c.kids[k].free); k > lo && free[k-lo] > 0 {
			groups++
		}
	}
	// To move past many of them takes a step for each, which a shuffle takes once for many moves.
	if !ok1 || !ok2 || !ok3 || !ok4 || open && e.d.at(comma) != ',' || groups > 8 || groups > 0 && (l.strays || l.foreign) {
		return false
	}
	// Nothing is written anew, so that what was read of the other cells stays true.
	swap := func(from, mid, to int) { e.d.rewrite(from, to, kept(mid, to), kept(from, mid)) }
	for k := hi; k > lo; k-- {
		if free[k-lo] == 0 {
			continue
		}
		start, _, end, _ := e.cellLines(c, k)
		above, _, below, _ := e.cellLines(c, k-1)
		if slot < i {
			swap(above, below, start)
		} else {
			swap(below, start, end)
		}
	}
	if slot < i {
		swap(first, from, to)
	} else {
		swap(from, to, last)
	}
	if open {
		_, end, _ := e.placeOfKid(gets)
		e.d.rewrite(end, end, added(","))
		_, end, _ = e.placeOfKid(gives)
		e.d.rewrite(end, end+1)
		gets.comma, gives.comma = true, false
	}
	e.now = nil
	e.moved(l, c, i, slot)
	for k := lo; k <= hi; k++ {
		c.kids[k].free = free[k-lo]
	}
	return true
}

// cellLines returns where the lines of kid i begin, where the kid ends, and where they end.
func (e *longEditor) cellLines(c *kid, i int) (from, end, to int, ok bool) {
	_, end, ok = e.placeOfKid(c.kids[i])
	from = c.open
	if i > 0 {
		_, at, ok2 := e.placeOfKid(c.kids[i-1])
		from, ok = at, ok && ok2
	}
	from = e.d.lineEnd(from)
	for range c.kids[i].free {
		from = e.d.lineEnd(from)
	}
	return from, end, e.d.lineEnd(end), ok
}

// A shuffle is a new order of the kids of a sequence, some of which are not written yet: many moves
// in a row are written at once.
type shuffle struct {
	l       *longBlock
	c       *kid
	written []*kid // the old order
	lo, hi  int    // only the order of these has changed
}

// unshuffle writes the order of the sequence whose elements have been moved. It reads them once for
// all the moves.
func (e *longEditor) unshuffle() {
	s := e.shuffled
	if e.shuffled = (shuffle{}); s.c == nil {
		return
	}
	now := s.c.kids
	s.c.kids = s.written
	was := make(map[*kid]int, s.hi-s.lo+1)
	for i := s.lo; i <= s.hi; i++ {
		was[s.written[i]] = i
	}
	first := max(s.lo-1, 0) // a window has a cell at each side
	r := e.openWindow(windowOf{of: s.l, in: s.c, lo: s.lo, hi: s.hi, wide: true})
	q := (*sequence)(nil)
	if r != nil {
		q = r.sequence()
	}
	if q == nil || len(q.cells) <= s.hi-first {
		e.editor().failf(nil, textspan.Span{}, "the elements cannot be moved: take what is there from Body")
		return
	}
	order := inOrder(len(q.cells))
	for i := s.lo; i <= s.hi; i++ {
		order[i-first] = was[now[i]] - first
	}
	e.window = r
	q.permute(e.editor().native(), order)
	e.refresh(r)
	e.window = nil
}

// moved is moveKid for one whose lines have moved.
func (e *longEditor) moved(l *longBlock, c *kid, i, slot int) {
	c.moveKid(i, slot)
	lo, hi := min(i, slot), max(i, slot)
	e.join(c, hi-1, hi+2) // a run that begins above may reach as far
	e.align(l, c, lo, lo+1)
	e.align(l, c, hi-1, hi)
}

// moveKid moves a kid among the others.
func (c *kid) moveKid(i, slot int) {
	k := c.kids[i]
	if slot > i {
		copy(c.kids[i:slot], c.kids[i+1:slot+1])
	} else {
		copy(c.kids[slot+1:i+1], c.kids[slot:i])
	}
	c.kids[slot] = k
}
