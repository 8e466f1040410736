// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// This file writes lists, objects and calls. Each edit of one is an arrangement of its
// cells and gaps. Most gaps are kept as they stand, byte for byte. Those next to what has
// changed are written anew from what was read of them: the comments of the cells at both
// sides, free lines, the comma, the line break. To change the text in place would take a
// case for each combination of these on both sides, and the combinations are where
// comments get lost.

// An arrangement is a new order of the cells of a sequence, with the gaps around
// them. A gap that is -1 in raw is written anew; others are the text as it stands.
type arrangement struct {
	q     *sequence
	cells []arranged
	gaps  []gap
	raw   []int
	e     *nativeEditor
	nl    string
	out   []textPiece
	// open is set while nothing can follow on the current line but a line break:
	// a comment or a heredoc is at its end.
	open bool
}

// An arranged cell is one of the sequence, or a new text.
type arranged struct {
	*cell
	text string
}

// arrange begins an arrangement that is the sequence as it is.
func (q *sequence) arrange(e *nativeEditor) *arrangement {
	a := &arrangement{q: q, e: e, gaps: slices.Clone(q.gaps), nl: e.editor().nl()}
	// The lines around the edit have more of a say in line breaks than the first line
	// of the file.
	if strings.Contains(q.r.text[q.open:q.shut], "\r\n") {
		a.nl = "\r\n"
	}
	for i := range q.cells {
		a.cells = append(a.cells, arranged{cell: &q.cells[i]})
	}
	for i := range q.gaps {
		a.raw = append(a.raw, i)
	}
	return a
}

// newCell returns a cell for a text that is not in the sequence yet.
func newCell(text string) arranged {
	// The line break that ends a heredoc is a part of the gap, as the arrangement
	// writes it.
	text = strings.TrimRight(text, "\r\n")
	return arranged{cell: &cell{ended: hcllex.NeedsNewline(text)}, text: text}
}

// write makes the change of the text.
func (a *arrangement) write() {
	q, off := a.q, a.q.r.start
	for i := range a.gaps {
		if n := a.raw[i]; n >= 0 {
			from, to := q.open+1, q.shut
			if n > 0 {
				from = q.cells[n-1].end
			}
			if n < len(q.cells) {
				to = q.cells[n].start
			}
			a.keep(extent{from, to})
		} else {
			a.writeGap(i)
		}
		if i == len(a.cells) {
			break
		}
		if w := a.cells[i]; w.text != "" {
			a.add(w.text)
		} else {
			a.keep(extent{w.start, w.end})
		}
	}
	a.e.editor().rewrite(off+q.open+1, off+q.shut, a.out...)
}

// isWritten reports whether the gap before cell i is as it would be written anew.
func (a *arrangement) isWritten(i int) bool {
	a.out = nil
	a.writeGap(i)
	text, from := "", a.q.open+1
	if i > 0 {
		from = a.q.cells[i-1].end
	}
	for _, p := range a.out {
		if text += p.text; p.isKept() {
			text += a.q.r.text[p.from-a.q.r.start : p.to-a.q.r.start]
		}
	}
	return strings.HasPrefix(a.q.r.text[from:], text) && (i == len(a.cells) || from+len(text) == a.cells[i].start)
}

// writeGap writes the gap before cell i, with the comments of the cells around.
func (a *arrangement) writeGap(i int) {
	g := &a.gaps[i]
	if i > 0 && a.q.object && a.cells[i-1].ended && (g.comma >= 0 || !g.broken) {
		// The line break that ends a heredoc separates items, and HCL refuses a comma behind it.
		g.comma, g.leading = -1, false
		if !g.broken {
			g.broken, g.head = true, a.q.indent()
			if i == len(a.cells) {
				g.head = a.q.outer()
			}
		}
	}
	a.open = false
	comma := g.comma >= 0
	if i > 0 {
		a.endCell(a.cells[i-1], comma && !g.leading, i < len(a.cells) && !g.broken && len(g.lines)+len(a.cells[i].above) == 0)
	} else if g.note.end > g.note.start {
		a.keep(extent{g.note.start, g.note.start + len(strings.TrimRight(a.q.r.text[g.note.start:g.note.end], " \t\r\n"))})
		a.open = g.broken || strings.ContainsAny(a.q.r.text[g.note.start:g.note.end], "#/")
		if !g.broken && strings.HasSuffix(strings.TrimRight(a.q.r.text[g.note.start:g.note.end], " \t"), "*/") {
			a.open = false
		}
	}
	last := i == len(a.cells)
	var above []extent
	if !last {
		above = a.cells[i].above
	}
	head := g.head
	// Something here ends the line, so the next cell begins a new one, whatever the gap
	// was before.
	if g.broken || a.open || len(above) > 0 || len(g.lines) > 0 {
		if !g.broken {
			head = a.q.indent()
			if last {
				head = a.q.outer()
			}
		}
		a.add(a.nl)
		for _, l := range g.lines {
			a.keep(l.extent)
		}
		if n := len(g.lines); n > 0 && last && !strings.HasSuffix(a.q.r.text[g.lines[n-1].start:g.lines[n-1].end], "\n") {
			head = g.head // a comment before the bracket
		}
		for _, c := range above {
			a.add(head)
			a.keep(c)
			a.add(a.nl)
		}
		a.add(head)
	} else if !(g.leading && comma) {
		a.add(g.space)
	}
	if g.leading && comma {
		a.add("," + g.space)
	}
	if !last {
		for _, c := range a.cells[i].before {
			a.keep(c)
			a.add(" ")
		}
	}
}

// endCell writes the comments behind a cell, and its comma. If another cell follows on the
// line, the comments come before the comma: behind it they would be those of the other.
func (a *arrangement) endCell(w arranged, comma, follows bool) {
	text := a.q.r.text
	rest := w.behind
	from := w.end
	comma = comma || w.ended && len(rest) > 0 // they cannot be on the line of the marker
	follows = follows && !slices.ContainsFunc(rest, func(c extent) bool { return !isInline(text, c) })
	note := func(c extent) {
		gap := text[from:c.start]
		space := gap[len(strings.TrimRight(gap, " \t")):]
		a.add(space)
		a.keep(c)
		from = c.end
	}
	if n := commentsBeforeComma(text, w); n > 0 && n < len(rest) && !isInline(text, rest[n-1]) {
		// The comma is on a line of its own, with a comment.
		for _, c := range rest[:n] {
			note(c)
		}
		a.add(a.nl + a.q.indent() + ",")
		comma, rest = false, rest[n:]
	}
	for comma && len(rest) > 0 && isInline(text, rest[0]) && (follows || !strings.Contains(text[from:rest[0].start], ",")) {
		note(rest[0])
		rest = rest[1:]
	}
	if comma {
		if w.ended {
			a.add(a.nl + a.q.indent())
		}
		a.add(",")
	}
	a.open = w.ended && !comma
	for _, c := range rest {
		note(c)
		a.open = !isInline(text, c)
	}
}

// commentsBeforeComma returns how many comments of a cell are before its comma.
func commentsBeforeComma(text string, w arranged) int {
	from := w.end
	for i, c := range w.behind {
		if strings.Contains(text[from:c.start], ",") {
			return i
		}
		from = c.end
	}
	return len(w.behind)
}

// isInline reports whether a comment can have something behind it on its line.
func isInline(text string, c extent) bool { return strings.HasPrefix(text[c.start:c.end], "/*") }

// keep writes text of the region as it stands.
func (a *arrangement) keep(p extent) {
	off, n := a.q.r.start, len(a.out)
	switch {
	case p.start >= p.end:
	case n > 0 && a.out[n-1].isKept() && a.out[n-1].to == off+p.start:
		a.out[n-1].to = off + p.end // so that a long list is not cut at each cell
	default:
		a.out = append(a.out, kept(off+p.start, off+p.end))
	}
}

// add writes new text.
func (a *arrangement) add(s string) {
	if s != "" {
		a.out = append(a.out, added(s))
	}
}

// permute puts the cells into another order. The gaps stay where they are. Those between cells that were
// next to each other before are kept as they stand, byte for byte; the others are written anew, since
// the comments of the cells at both sides are in them.
func (q *sequence) permute(e *nativeEditor, order []int) {
	if slices.IsSorted(order) {
		return
	}
	a := q.arrange(e)
	for slot, i := range order {
		a.cells[slot] = arranged{cell: &q.cells[i]}
	}
	for i := range a.gaps {
		before := i == 0 || order[i-1] == i-1
		behind := i == len(order) || order[i] == i
		if !before || !behind {
			a.raw[i] = -1
		}
	}
	a.write()
}

// insert puts a new text before cell i.
//
// It gets the form of the others: a line of its own if they have one, a comma at the
// end of the list if the last one had one. The comments above cell i stay with that.
func (q *sequence) insert(e *nativeEditor, i int, text string) {
	a := q.arrange(e)
	n := len(q.cells)
	w := newCell(text)
	before, behind := q.gaps[i], q.gaps[i]
	switch {
	case n == 0:
		before, behind = q.firstGaps(w)
	case i < n && q.lines():
		before.lines = nil // they stay above
		behind = gap{comma: 0, broken: true, head: before.head}
		before.lines = q.gaps[i].lines
		if q.style().leading {
			behind.leading, behind.space = true, q.style().space
		} else if q.object && !q.commas() {
			behind.comma = -1
		}
	case i < n:
		behind = gap{comma: 0, space: " "}
	case q.lines() || n > 1 && q.gaps[n-1].broken:
		before = q.style()
		before.broken, before.lines, before.note = true, nil, extent{}
		if n == 1 || !q.gaps[n-1].broken {
			before.head = q.indent()
		} else {
			before.head = q.gaps[n-1].head
		}
		if !q.object || q.commas() {
			before.comma = max(before.comma, 0)
		}
		if q.object && q.cells[n-1].ended {
			before.comma = -1 // its line break separates items
		}
	default:
		before = gap{comma: 0, space: " "}
		if q.object && q.cells[n-1].ended {
			before = gap{comma: -1, broken: true, head: q.indent()}
		}
	}
	if w.ended && q.object && behind.comma >= 0 {
		behind.comma = -1
		behind.broken = true
		if behind.head == "" && i < n {
			behind.head = q.indent()
		} else if behind.head == "" {
			behind.head = q.outer()
		}
	}
	a.cells = slices.Insert(a.cells, i, w)
	a.gaps = slices.Replace(a.gaps, i, i+1, before, behind)
	a.raw = slices.Replace(a.raw, i, i+1, -1, -1)
	a.write()
}

// style returns the gap that is typical of those between two cells: the last one, because most lists
// grow at the end, and what was written last shows best how the next cell should be.
func (q *sequence) style() gap {
	if len(q.cells) < 2 {
		return gap{comma: -1}
	}
	g := q.gaps[len(q.cells)-1]
	g.lines = nil
	return g
}

// firstGaps returns the gaps around the first cell of a sequence that has none.
//
// The text between the brackets is all there is to go by. Empty brackets are on one
// line, and so is their first cell; a comment in them has a line, and so does the cell.
func (q *sequence) firstGaps(w arranged) (before, behind gap) {
	g := q.gaps[0]
	text := q.r.text[q.open+1 : q.shut]
	behind = gap{comma: -1}
	if strings.TrimSpace(text) == "" && !g.broken {
		if q.object || w.ended && strings.Contains(text, "\n") {
			before.space, behind.space = " ", " "
		}
		before.comma = -1
		if w.ended {
			before = gap{comma: -1, broken: true, head: q.outer() + unit}
			behind.broken, behind.head = true, q.outer()
		}
		return before, behind
	}
	before = g
	before.comma = -1
	if !g.broken && len(g.lines) == 0 {
		// A comment, and the bracket behind it.
		before.space = " "
		if strings.TrimRight(text, " \t") != text {
			before.space = text[len(strings.TrimRight(text, " \t")):]
		}
		if q.object {
			behind.space = " "
		}
		return before, behind
	}
	before.broken, before.head = true, q.outer()+unit
	behind.broken, behind.head = true, g.head
	if n := len(g.lines); n > 0 && !strings.HasSuffix(q.r.text[g.lines[n-1].start:g.lines[n-1].end], "\n") {
		// The last comment is before the bracket, on its line: the cell goes above it.
		behind.lines, before.lines = g.lines[n-1:], g.lines[:n-1]
		behind.broken = false
	}
	if !q.object {
		behind.comma = 0
	}
	return before, behind
}

// remove takes cell i away, with its comments.
//
// Nothing is left behind that was about it alone: not its comments, not its comma, not
// a second blank line. What was about its neighbours or about the list stays.
func (q *sequence) remove(e *nativeEditor, i int, keepComments bool) {
	a := q.arrange(e)
	n := len(q.cells)
	w, before, behind := q.cells[i], q.gaps[i], q.gaps[i+1]
	note := strings.TrimSpace(q.r.text[before.note.start:max(before.note.start, before.note.end)])
	if n == 1 && note == "" && !slices.ContainsFunc(slices.Concat(before.lines, behind.lines), func(l freeLine) bool { return !l.blank }) && !(keepComments && len(w.above) > 0) {
		e.editor().rewrite(q.r.start+q.open+1, q.r.start+q.shut)
		return
	}
	g := q.merge(i, before, behind)
	a.cells = slices.Delete(a.cells, i, i+1)
	a.gaps = slices.Replace(a.gaps, i, i+2, g)
	a.raw = slices.Replace(a.raw, i, i+2, -1)
	switch {
	case len(w.above) == 0:
	case i < n-1 && (!behind.broken && !strings.Contains(q.r.text[w.start:w.end], "\n") || keepComments):
		// They may be about the line, of which something is left.
		// The cells of the sequence stay as they were read. The comments are those of a
		// copy.
		next := *a.cells[i].cell
		next.above = slices.Concat(w.above, next.above)
		a.cells[i].cell = &next
	case keepComments:
		for _, c := range w.above {
			line := strings.LastIndexByte(q.r.text[:c.start], '\n') + 1
			a.gaps[i].lines = append(a.gaps[i].lines, freeLine{extent: extent{line, lineEndAt(q.r.text, c.start)}})
		}
	}
	a.write()
}

// merge returns the gap that is left when cell i goes. Next to a bracket it is the gap that was there:
// whether the first cell is on the line of the bracket is a matter of the list, and not of the cell.
// Between two cells it is the one behind, unless that was on the line of the cell that goes.
func (q *sequence) merge(i int, before, behind gap) gap {
	n := len(q.cells)
	g := behind
	g.note = before.note
	g.lines = q.mergeLines(i, before.lines, behind.lines)
	first, last := i == 0, i == n-1
	switch {
	case first && last:
		g.comma, g.leading = -1, false
		if !behind.broken && len(behind.lines) == 0 {
			g.broken = before.broken
			g.head = q.outer()
		}
	case first:
		g = before
		g.note, g.lines = before.note, q.mergeLines(i, before.lines, behind.lines)
		if !before.broken && len(g.lines) > 0 {
			g.broken, g.head = true, behind.head
		}
	case last:
		if !behind.broken && len(before.lines) > 0 {
			g.broken = len(behind.lines) == 0
			g.head = q.outer()
		}
	default:
		if !behind.broken && before.broken {
			g.broken, g.head = true, before.head
			g.leading = before.leading
			if before.leading {
				g.space = before.space
			}
		}
		// Commas at the beginning of lines need a line to begin.
		if before.leading != behind.leading && !before.broken {
			g.leading = false
		}
		switch {
		case !q.object || before.comma >= 0 || !g.broken:
			// Two elements always have a comma between them. Two items on lines of
			// their own need none.
			g.comma = max(before.comma, behind.comma, 0)
			if q.object && before.comma < 0 && g.broken {
				g.comma = -1
			}
		default:
			g.comma = -1
		}
	}
	if q.object && g.comma >= 0 && !first && q.cells[i-1].ended {
		g.comma, g.broken = -1, true
		if g.head == "" {
			g.head = q.indent()
		}
	}
	return g
}

// mergeLines joins the free lines above and below cell i: of the blank lines next to
// it the longer run stays, and none next to a bracket. That is the rule of [blankAround] for the lines of
// a body: two groups are still divided by one run of blank lines, and not by two.
func (q *sequence) mergeLines(i int, above, below []freeLine) []freeLine {
	up := len(above)
	for up > 0 && above[up-1].blank {
		up--
	}
	down := 0
	for down < len(below) && below[down].blank {
		down++
	}
	run := above[up:]
	if down > len(run) {
		run = below[:down]
	}
	if i == 0 && up == 0 || i == len(q.cells)-1 && down == len(below) {
		run = nil
	}
	return slices.Concat(above[:up], run, below[down:])
}
