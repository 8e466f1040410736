// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A region is the piece of the text that an edit is about, usually a block of
// the file with all that is in it, parsed by itself. Places in it count from its
// beginning.
type region struct {
	start, end int
	text       string
	file       *hclconfig.File
	since      int  // how many changes had been made
	outside    bool // whole blocks come or go in it: only the lines around them may have a new layout
	top        int  // a place in it that is in no block
	last       bool // it reaches to the end of the text
	// The lines above and below it whose comments fmt aligns with its own.
	above, below string
	win          *windowOf // it is a part of a long block
}

// regionOf returns the region that b is in, and b as it is now.
func (e *Editor) regionOf(b *hclconfig.Block, start int) (*region, *hclconfig.Block) {
	r := e.regionAt(b.File(), int(entryOf(b).Start), start, start)
	if r == nil {
		return nil, nil
	}
	now := blockAt(r.file.Body(), start-r.start)
	if now == nil {
		e.failf(b.File(), placeOf(b.TypeRange()), "it was removed by an earlier edit: take what is there from Body")
		return nil, nil
	}
	return r, now
}

// regionAt returns the region around the text that was at offset in f and is
// now from start to end.
func (e *Editor) regionAt(f *hclconfig.File, offset, start, end int) *region {
	if e.window.knows(e, start, end) {
		return e.window
	}
	body := f.Body()
	i := sort.Search(len(body.Blocks), func(i int) bool { return int(entryOf(&body.Blocks[i]).Start) > offset }) - 1
	if i >= 0 && len(body.Arguments) == 0 {
		if s, t, _, ok := e.find(f, entryOf(&body.Blocks[i])); ok && s <= start && end <= t {
			e.forget(f, entryOf(&body.Blocks[i]))
			return e.parseRegion(s, t)
		}
	}
	e.forgetAll()
	// It has moved elsewhere, or is outside of all blocks.
	now, err := e.current()
	if err != nil {
		e.fail(nil, textspan.Span{}, err)
		return nil
	}
	body = now.Body()
	i = sort.Search(len(body.Blocks), func(i int) bool { return int(entryOf(&body.Blocks[i]).Start) > start }) - 1
	if i >= 0 && int(entryOf(&body.Blocks[i]).End) >= end {
		return e.parseRegion(int(entryOf(&body.Blocks[i]).Start), int(entryOf(&body.Blocks[i]).End))
	}
	return e.parseRegion(0, e.d.text.len())
}

// parseRegion parses the text from start to end, with the rest of the last line.
func (e *Editor) parseRegion(start, end int) *region {
	if end > start && e.d.text.at(end-1) != '\n' {
		end = e.d.lineEnd(end)
	}
	r := &region{start: start, end: end, text: string(e.d.text.slice(start, end)), since: len(e.d.changes), above: e.chainAbove(start), below: e.chainBelow(end)}
	r.last = start == 0 && end == e.d.text.len() // all of it, also if its first or last line goes
	var err error
	r.file, err = hclconfig.ParseNative(e.f.Filename(), []byte(r.text), e.f.Dialect())
	e.parsed += end - start
	if err != nil {
		e.failf(nil, textspan.Span{}, "the result would not be valid: %v", errors.Unwrap(err))
		return nil
	}
	return r
}

// A row is an argument, a nested block, an element of a list or an item of an
// object, with its text in the lines around, such as comments.
type row struct {
	start, end int // the thing itself
	lead       int // where the comments directly above begin, or the line
	line       int // where its line begins
	after      int // after its last line
	alone      bool
	name       string
	isBlock    bool
}

// rows returns the content of a body, in order.
func (r *region) rows(b *hclconfig.Body) []row {
	var out []row
	for i := range b.Arguments {
		a := &b.Arguments[i]
		out = append(out, row{start: int(nameOf(a).Start), end: int(spanOf(a.Expression).End), name: a.Name})
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		out = append(out, row{start: int(entryOf(n).Start), end: int(entryOf(n).End), name: n.Type, isBlock: true})
	}
	slices.SortFunc(out, func(a, b row) int { return a.start - b.start })
	from := 0
	if b != r.file.Body() {
		from = lineEndAt(r.text, int(placeOf(b.Range()).Start)+1)
	}
	for i := range out {
		out[i].measure(r.text, from)
		from = out[i].after
	}
	return out
}

// measure finds the lines of the row. Text before from is not part of it.
func (w *row) measure(text string, from int) {
	w.line = lineOf(text, w.start)
	w.after = lineEndAt(text, w.end)
	if endsComment(text[w.line:w.start]) {
		// The line begins in a comment, which begins on a line further up.
		for _, n := range commentsIn(text, from, w.start) {
			if n.start < w.line && w.line < n.end {
				w.line = lineOf(text, n.start)
			}
		}
	}
	w.alone = w.line >= from && isInlineOnly(text[w.line:w.start]) && restIsComment(text[w.end:w.after])
	w.lead = w.line
	if !w.alone {
		w.lead = w.start
		return
	}
	notes := commentsIn(text, from, w.line)
	for i := len(notes) - 1; i >= 0; i-- {
		n := notes[i]
		line := lineOf(text, n.start)
		if strings.Count(text[n.end:max(n.end, w.lead)], "\n") > 1 || line < from || !isInlineOnly(text[line:n.start]) {
			break
		}
		w.lead = line
	}
}

// endsComment reports whether a comment ends in s, the beginning of a line, that begins
// on a line above.
func endsComment(s string) bool {
	shut := strings.Index(s, "*/")
	return shut >= 0 && !strings.Contains(s[:shut], "/*")
}

// indent returns the white space that the line of the row begins with.
func (w *row) indent(text string) string { return leading(text[w.line:w.start]) }

// openBody makes sure that the body of a block is written over several lines.
func (e *Editor) openBody(r *region, b *hclconfig.Block, o editOptions) (*region, *hclconfig.Block) {
	open, shut := int(placeOf(b.Body.Range()).Start), int(placeOf(b.Body.Range()).End)-1
	if line := strings.LastIndexByte(r.text[:shut], '\n') + 1; line > open && strings.TrimSpace(r.text[line:shut]) == "" {
		return r, b
	}
	outer := e.d.indentAt(r.start + int(entryOf(b).Start))
	content := strings.Trim(r.text[open+1:shut], " \t")
	from := open + 1 + strings.Index(r.text[open+1:shut], content)
	to := from + len(content)
	pieces := []textPiece{added(e.nl())}
	if content != "" {
		pieces = append(pieces, added(outer+unit), kept(r.start+from, r.start+to), added(e.nl()))
	}
	n := len(e.d.changes)
	clean := content == "" || isClean(r.text[open-len(lineBefore(r.text, open)):shut+1], outer)
	e.rewrite(r.start+open+1, r.start+shut, append(pieces, added(outer))...)
	if !clean {
		// What is in the block stays as it is, further to the right.
		o.keepLayout = true
		if i := strings.IndexByte(content, '\n') + 1; i > 0 {
			at := r.start + open + 1 + len(e.nl()+outer+unit)
			e.reindent(at+i, len(content)-i, outer, outer+unit)
		}
	}
	e.layoutAfter(r, o) // comments around lose the one of this line, or get it
	start, _ := e.d.begins(r.start, n)
	end, _ := e.d.ends(r.end, n)
	at, _ := e.d.begins(r.start+int(entryOf(b).Start), n)
	if r.win != nil {
		c, i := e.unitAt(r.win.of, at, at)
		if c == nil {
			return nil, nil
		}
		e.window = e.openWindow(windowOf{of: r.win.of, in: c, lo: i, hi: i})
		if e.window == nil {
			return nil, nil
		}
		return e.window, blockAt(e.window.file.Body(), at-e.window.start)
	}
	now := e.parseRegion(start, end)
	if now == nil {
		return nil, nil
	}
	return now, blockAt(now.file.Body(), at-start)
}

// lineBefore returns the part of a line that is before offset.
func lineBefore(text string, at int) string {
	return text[strings.LastIndexByte(text[:at], '\n')+1 : at]
}

// isClean reports whether lines with that indentation have the layout of fmt.
func isClean(text, indent string) bool {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, indent)
	}
	return slices.Equal(formatted(lines, 0), lines)
}

// argumentAt returns the argument whose expression offset is in.
func (r *region) argumentAt(offset int) *hclconfig.Argument {
	b := r.file.Body()
	for {
		i := sort.Search(len(b.Arguments), func(i int) bool { return int(nameOf(&b.Arguments[i]).Start) > offset }) - 1
		if i >= 0 && offset < int(spanOf(b.Arguments[i].Expression).End) {
			return &b.Arguments[i]
		}
		i = sort.Search(len(b.Blocks), func(i int) bool { return int(entryOf(&b.Blocks[i]).Start) > offset }) - 1
		if i < 0 || offset >= int(entryOf(&b.Blocks[i]).End) {
			return nil
		}
		b = &b.Blocks[i].Body
	}
}

// bodyIn returns the region that a block is in, with the block and its content.
func (e *Editor) bodyIn(in *hclconfig.Block, start int) (*region, *hclconfig.Block, *hclconfig.Body) {
	if in != nil {
		if r := e.window; r != nil && r.since == len(e.d.changes) && r.win.in.isBlock && r.win.in.start == start {
			return r, nil, r.file.Body()
		}
		r, b := e.regionOf(in, start)
		if b == nil {
			return nil, nil, nil
		}
		return r, b, &b.Body
	}
	e.forgetAll()
	r := e.parseRegion(0, e.d.text.len())
	if r == nil {
		return nil, nil, nil
	}
	return r, nil, r.file.Body()
}

// longText is the size of a block from which on edits read the lines around them only.
var longText = 1500

// nearText is the size of the largest element that is read because it is next to an edit.
const nearText = 1500

// A longBlock is a block that is in no other and is edited again and again. Its lines have
// the layout of fmt. They get it anew when the text of the block is needed, and not after
// each edit; and an edit reads only what is next to it.
type longBlock struct {
	kid        // nothing is in it until it is followed
	edits int  // how many there were
	off   bool // its layout is another one
	loose bool // lines have to be laid out
}

// A kid is a block, an argument, an element or an item, where it was before all changes
// but the first since. A large one has what is in it.
type kid struct {
	start, end, since int
	name              string
	isBlock           bool
	open, shut        int // the brackets around kids
	form              hclconfig.Form
	kids              []*kid
	cells             cellStyle       // of the elements
	named             map[string]*kid // the arguments, once one was looked for
}

// A window is a part of a long block: the kids from lo to hi of a unit.
type windowOf struct {
	of     *longBlock
	in     *kid
	lo, hi int
	at     placeKind // where something new goes: next to the first kid, or at the end
}

type placeKind uint8

const (
	atEnd placeKind = iota
	beforeFirstKid
	afterFirstKid
)

// placeOfUnit returns where a unit is now. It also brings the unit up to date.
func (e *Editor) placeOfUnit(u *kid) (start, end int, ok bool) {
	n := len(e.d.changes)
	if u.since == n {
		return u.start, u.end, true
	}
	start, end, ok = e.d.span(u.start, u.end, u.since, n)
	if !ok {
		return 0, 0, false
	}
	if len(u.kids) > 0 {
		open, ok1 := e.d.begins(u.open, u.since)
		shut, ok2 := e.d.begins(u.shut, u.since)
		if !ok1 || !ok2 {
			return 0, 0, false
		}
		u.open, u.shut = open, shut
	}
	u.start, u.end, u.since = start, end, n
	return start, end, true
}

// unitAt returns the kid of which unit the smallest one around a place is.
func (e *Editor) unitAt(l *longBlock, start, end int) (c *kid, at int) {
	if _, _, ok := e.placeOfUnit(&l.kid); !ok {
		return nil, 0
	}
	next := &l.kid
	for len(next.kids) > 0 {
		i, ok := e.kidAt(next, start, end)
		if !ok {
			break
		}
		c, at = next, i
		next = c.kids[i]
		if next.start == start && next.end == end {
			break
		}
	}
	return c, at
}

// kidAt returns which kid of a unit a place is in.
func (e *Editor) kidAt(u *kid, start, end int) (int, bool) {
	i := sort.Search(len(u.kids), func(i int) bool {
		from, _, ok := e.placeOfUnit(u.kids[i])
		return ok && from > start
	}) - 1
	if i < 0 {
		return 0, false
	}
	_, to, ok := e.placeOfUnit(u.kids[i])
	return i, ok && end <= to
}

// kidPlace returns before which kid of a unit the options want a part.
func (e *Editor) kidPlace(c *kid, o editOptions) (int, bool) {
	return o.slot(len(c.kids), func() int {
		if name, ok := o.part.(Named); ok {
			return slices.IndexFunc(c.kids, func(k *kid) bool { return k.name == string(name) })
		}
		if start, end, _, ok := e.findPart(o.part); ok {
			if i, ok := e.kidAt(c, start, end); ok && c.kids[i].start == start && c.kids[i].end == end {
				return i
			}
		}
		return -1
	})
}

// kidNamed returns which kid is the argument of that name, or -1.
func (e *Editor) kidNamed(u *kid, name string) int {
	if u.named == nil {
		u.named = map[string]*kid{}
		u.note(u.kids)
	}
	k := u.named[name]
	if k == nil {
		return -1
	}
	start, end, _ := e.placeOfUnit(k)
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
func (e *Editor) longAt(f *hclconfig.File, s textspan.Span) *longBlock {
	body := f.Body()
	i := sort.Search(len(body.Blocks), func(i int) bool { return entryOf(&body.Blocks[i]).Start > s.Start }) - 1
	if i < 0 || len(body.Arguments) > 0 {
		e.layOutAll()
		return nil
	}
	entry := entryOf(&body.Blocks[i])
	from, to, _, ok := e.find(f, entry)
	start, end, _, ok2 := e.find(f, s)
	if !ok || !ok2 || start < from || end > to {
		e.layOutAll()
		return nil
	}
	key := placeInFile{f, entry}
	l := e.longs[key]
	if l == nil && to-from >= longText {
		if e.longFile == nil {
			e.longFile = f
		}
		e.longFiles = e.longFiles || e.longFile != f
		if e.longFiles { // it may be known as one of another file
			for _, other := range e.longs {
				if at, _, ok := e.placeOfUnit(&other.kid); ok && at == from {
					l = other
				}
			}
		}
		if l == nil {
			l = &longBlock{kid: kid{start: from, end: to, since: len(e.d.changes)}}
		}
		if e.longs == nil {
			e.longs = map[placeInFile]*longBlock{}
		}
		e.longs[key] = l
	}
	if l == nil {
		return nil
	}
	if l.edits++; l.edits == 1 || l.off {
		return nil
	}
	if l.kids == nil {
		e.follow(l)
	}
	if l.off {
		return nil
	}
	return l
}

// follow reads a long block. It is off if it has not the layout of fmt.
func (e *Editor) follow(l *longBlock) {
	l.off = true
	start, end, ok := e.placeOfUnit(&l.kid)
	if !ok {
		return
	}
	if end < e.d.text.len() {
		end = e.d.lineEnd(end)
	}
	text := string(e.d.text.slice(start, end))
	lines := strings.SplitAfter(text, "\n")
	last := e.d.lineStart(l.end)
	if e.opts.keepLayout || strings.Contains(text, "\r") || endsInComment([]byte(lines[0])) || endsInComment(e.d.text.slice(last, end)) || e.d.lineStart(start) != start || strings.Join(formatted(lines, 0), "") != text {
		return
	}
	r := e.parseText(start, text)
	if r == nil || len(r.file.Body().Blocks) != 1 {
		return
	}
	e.fillBody(r, &l.kid, &r.file.Body().Blocks[0])
	l.off = len(l.kids) == 0
}

// fillBody gives a unit what is in the body of a block.
func (e *Editor) fillBody(r *region, u *kid, b *hclconfig.Block) {
	open, shut := int(placeOf(b.Body.Range()).Start), int(placeOf(b.Body.Range()).End)-1
	if u.start, u.end, u.since = r.start+int(entryOf(b).Start), r.start+int(entryOf(b).End), r.since; u.end-u.start < longText || !strings.Contains(r.text[open:shut], "\n") {
		return
	}
	u.open, u.shut, u.isBlock, u.name, u.named = r.start+open, r.start+shut, true, b.Type, nil
	u.kids = e.unitsIn(r, &b.Body)
}

// unitsIn returns what is in a body.
func (e *Editor) unitsIn(r *region, b *hclconfig.Body) []*kid {
	var out []*kid
	for i := range b.Arguments {
		a := &b.Arguments[i]
		u := &kid{start: r.start + int(nameOf(a).Start), end: r.start + int(spanOf(a.Expression).End), since: r.since, name: a.Name}
		e.fillSequence(r, u, a.Expression)
		out = append(out, u)
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		u := &kid{start: r.start + int(entryOf(n).Start), end: r.start + int(entryOf(n).End), since: r.since, name: n.Type, isBlock: true}
		e.fillBody(r, u, n)
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b *kid) int { return a.start - b.start })
	return out
}

// fillSequence gives a unit the elements of its expression, if those have lines of their
// own.
func (e *Editor) fillSequence(r *region, u *kid, x hclconfig.Expression) {
	if u.end-u.start < longText || !isSequence(x) || strings.HasPrefix(x.Raw(), "(") {
		return
	}
	q := newSequence(r, x)
	if kids := e.cellsOf(q); len(kids) >= fewCells {
		u.open, u.shut, u.kids, u.form, u.cells = r.start+q.open, r.start+q.shut, kids, x.Form(), q.cellStyle()
	}
}

// cellsOf returns the cells of a sequence as units, or nil if they do not have lines of
// their own.
func (e *Editor) cellsOf(q *sequence) []*kid {
	if !q.lines() || slices.ContainsFunc(q.gaps, func(g gap) bool { return g.leading }) {
		return nil
	}
	parts := q.x.Parts()
	var out []*kid
	for i, w := range q.cells {
		u := &kid{start: q.r.start + w.start, end: q.r.start + w.end, since: q.r.since, name: w.name}
		value := i
		if q.object {
			value = 2*i + 1
		}
		if !w.expanded {
			e.fillSequence(q.r, u, parts[value])
		}
		out = append(out, u)
	}
	return out
}

// fewCells is how many elements a sequence has at least whose parts are read by themselves.
const fewCells = 4

// parseText parses text that begins at start.
func (e *Editor) parseText(start int, text string) *region {
	r := &region{start: start, end: start + len(text), text: text, since: len(e.d.changes)}
	var err error
	e.parsed += len(text)
	if r.file, err = hclconfig.ParseNative(e.f.Filename(), []byte(text), e.f.Dialect()); err != nil {
		return nil
	}
	return r
}

// standIn is written for what is next to a window.
const standIn = "_ {}\n"

// openWindow reads a window. It is nil if that cannot be read by itself.
func (e *Editor) openWindow(w windowOf) *region {
	if _, _, ok := e.placeOfUnit(&w.of.kid); !ok {
		return nil
	}
	if _, _, ok := e.placeOfUnit(w.in); !ok {
		return nil
	}
	var r *region
	if w.in.form == "" {
		r = e.openBodyWindow(w)
	} else {
		r = e.openCells(w)
	}
	if r != nil {
		r.win = &w
	}
	return r
}

// endOfLineAfter returns the end of the line of offset, with a comment that begins on it.
func (e *Editor) endOfLineAfter(offset, limit int) int {
	return offset + lineEndAt(string(e.d.text.slice(offset, limit)), 0)
}

func (e *Editor) openBodyWindow(w windowOf) *region {
	c := w.in
	from, to, head, tail := c.open+1, e.d.lineStart(c.shut), "", ""
	if w.hi+1 < len(c.kids) {
		next, _, ok := e.placeOfUnit(c.kids[w.hi+1])
		if !ok {
			return nil
		}
		to, tail = e.d.lineStart(next), standIn
	}
	if w.lo > 0 {
		_, end, ok := e.placeOfUnit(c.kids[w.lo-1])
		if !ok {
			return nil
		}
		from, head = end, standIn
	}
	if from > to {
		return nil
	}
	if from = e.endOfLineAfter(from, to); from > to {
		return nil
	}
	return e.parseText(from-len(head), head+string(e.d.text.slice(from, to))+tail)
}

// brackets are those of the forms of sequences.
var brackets = map[hclconfig.Form][2]string{hclconfig.FormList: {"[", "]"}, hclconfig.FormObject: {"{", "}"}, hclconfig.FormCall: {"f(", ")"}}

func (e *Editor) openCells(w windowOf) *region {
	c := w.in
	from, to := c.open+1, c.shut
	if w.hi+1 < len(c.kids) {
		start, end, ok := e.placeOfUnit(c.kids[w.hi+1])
		if !ok || end-start > nearText {
			return nil
		}
		limit := c.shut
		if w.hi+2 < len(c.kids) {
			if limit, _, ok = e.placeOfUnit(c.kids[w.hi+2]); !ok {
				return nil
			}
			limit = e.d.lineStart(limit)
		}
		if limit < end {
			return nil
		}
		to = min(e.endOfLineAfter(end, limit), limit)
		if w.hi+2 >= len(c.kids) {
			to = c.shut
		}
	}
	if w.lo > 0 {
		start, end, ok := e.placeOfUnit(c.kids[w.lo-1])
		if !ok || end-start > nearText {
			return nil
		}
		from = e.d.lineStart(start)
	} else if from = e.endOfLineAfter(from, to); from > to {
		return nil
	}
	indent := e.d.indentAt(c.open)
	head, tail := indent+"_ = "+brackets[c.form][0]+"\n", brackets[c.form][1]
	return e.parseText(from-len(head), head+string(e.d.text.slice(from, to))+tail+"\n")
}

// sequence returns the elements of a window.
func (r *region) sequence() *sequence {
	body := r.file.Body()
	if len(body.Arguments) != 1 || !isSequence(body.Arguments[0].Expression) {
		return nil
	}
	return newSequence(r, body.Arguments[0].Expression)
}

// refresh reads a window again after an edit in it.
func (e *Editor) refresh(w windowOf) {
	w.of.loose = true
	r := e.openWindow(w)
	if r == nil {
		if e.err == nil {
			e.failf(nil, textspan.Span{}, "the result would not be valid")
		}
		return
	}
	c := w.in
	if c.form != "" {
		q := r.sequence()
		lo, hi := max(w.lo-1, 0), min(w.hi+2, len(c.kids))
		var cells []*kid
		if q != nil {
			cells = e.cellsOf(q)
		}
		if len(c.kids)-(hi-lo)+len(cells) < fewCells || len(cells) == 0 {
			c.kids = nil // it is small now, or has another layout
			return
		}
		c.cells = c.cells.with(q.cellStyle(), hi == len(c.kids))
		c.kids = slices.Replace(c.kids, lo, hi, cells...)
		return
	}
	units := e.unitsIn(r, r.file.Body())
	if w.lo > 0 {
		units = units[1:]
	}
	if w.hi+1 < len(c.kids) {
		units = units[:len(units)-1]
	}
	for _, k := range c.kids[w.lo : w.hi+1] {
		if c.named[k.name] == k {
			delete(c.named, k.name)
		}
	}
	c.note(units)
	c.kids = slices.Replace(c.kids, w.lo, w.hi+1, units...)
}

// layOut lays out the lines of a long block.
func (e *Editor) layOut(l *longBlock) {
	if !l.loose {
		return
	}
	l.loose = false
	start, end, ok := e.placeOfUnit(&l.kid)
	if !ok {
		return
	}
	end = e.d.lineEnd(end)
	lines := strings.SplitAfter(string(e.d.text.slice(start, end)), "\n")
	want := formatted(lines, 0)
	if len(want) != len(lines) {
		return
	}
	var pieces []textPiece
	at, done := start, start
	for i, line := range lines {
		if line != want[i] {
			pieces = append(append(pieces, kept(done, at)), respace(at, line, want[i])...)
			done = at + len(line)
		}
		at += len(line)
	}
	if len(pieces) > 0 {
		e.rewrite(start, end, append(pieces, kept(done, end))...)
	}
}

// layOutAll lays out the lines of all long blocks: before the text is needed, or an edit
// is made that does not know them.
func (e *Editor) layOutAll() {
	e.window = nil
	for _, l := range e.longs {
		e.layOut(l)
	}
}

// forget makes the editor read a long block again before the next edit that knows it.
func (e *Editor) forget(f *hclconfig.File, entry textspan.Span) {
	if l := e.longs[placeInFile{f, entry}]; l != nil {
		l.kids = nil
	}
}

func (e *Editor) forgetAll() {
	for _, l := range e.longs {
		l.kids = nil
	}
}

// knows reports whether the window is around a place.
func (r *region) knows(e *Editor, start, end int) bool {
	return r != nil && r.since == len(e.d.changes) && r.start <= start && end <= r.end
}
