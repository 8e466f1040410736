// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A sequence is a list, an object, or the arguments of a call in native syntax, as
// it is written: cells, and the gaps before, between and behind them.
type sequence struct {
	r          *region
	x          hclconfig.Expression
	open, shut int // the brackets
	object     bool
	cells      []cell
	gaps       []gap // gaps[i] is before cells[i]; the last one is before the closing bracket
}

// A cell is an element of a list, an item of an object, or an argument of a call,
// with the comments that belong to it.
type cell struct {
	name       string // the key of an item
	start, end int    // the element itself, with the dots of an expanded argument
	above      []extent
	before     []extent // on its line, directly before it
	behind     []extent // on the line where it ends, before or after its comma
	ended      bool     // nothing else can follow on its last line: it ends with a heredoc
	expanded   bool     // it is the last argument of a call, and has dots
}

// An extent is a piece of a text.
type extent struct{ start, end int }

// A gap is what is between two cells, or between a cell and a bracket, without the
// comments of the cells.
//
// The comma is part of the gap and not of a cell. When cells change places the gaps stay where they
// are, so that a last cell without a comma is still the last one without a comma, and the blank lines
// and comments that divide a list into groups still divide it.
type gap struct {
	comma   int // where the comma is, or -1
	leading bool
	// broken reports that the next cell, or the closing bracket, is on a line of
	// its own; head is what that line begins with.
	broken bool
	head   string
	// note is the rest of the line of the opening bracket, with its comment.
	note extent
	// lines are blank lines and comments that belong to no cell, whole lines.
	lines []freeLine
	space string // the white space before the next cell on the same line
}

// A freeLine is a line between two cells.
type freeLine struct {
	extent
	blank bool
}

// sequenceOf returns the list, object or call whose place is from start to end.
func (e *nativeEditor) sequenceOf(f *hclconfig.File, s textspan.Span, start, end int) *sequence {
	// The window has the cells around the edit, in stand-ins for the brackets of the
	// list.
	if w := e.long().windowNow(); w != nil && w.win.in.form != "" && w.win.in.shut+1 == end {
		return w.sequence()
	}
	r := e.regionAt(f, int(s.Start), start, end)
	if r == nil {
		return nil
	}
	a := r.argumentAt(start - r.start)
	if a == nil {
		e.editor().failf(f, s, "it is not in an argument: take what is there from Body")
		return nil
	}
	c, ok := contextOf(a.Expression, start-r.start, end-r.start)
	if !ok || !isSequence(c.node) {
		e.editor().failf(f, s, "it is not written as a list or an object: use Replace or Wrap")
		return nil
	}
	return newSequence(r, c.node)
}

// isSequence reports whether x is written as a list, an object or a call.
func isSequence(x hclconfig.Expression) bool {
	form := x.Form()
	return form == hclconfig.FormList || form == hclconfig.FormObject || form == hclconfig.FormCall
}

func newSequence(r *region, x hclconfig.Expression) *sequence {
	q := &sequence{r: r, x: x, open: int(spanOf(x).Start), shut: int(spanOf(x).End) - 1, object: x.Form() == hclconfig.FormObject}
	for r.text[q.open] == '(' { // around it
		// The place of an expression in parentheses is that of the parentheses.
		inside := r.text[q.open+1 : q.shut]
		q.open += 1 + len(inside) - len(strings.TrimLeft(inside, " \t\r\n"))
		q.shut = strings.LastIndexAny(r.text[:q.shut], ")]}")
	}
	if x.Form() == hclconfig.FormCall {
		// The name comes first.
		q.open += strings.IndexByte(r.text[q.open:q.shut], '(')
	}
	parts := x.Parts()
	for i := 0; i < len(parts); i++ {
		w := cell{start: int(spanOf(parts[i]).Start), end: int(spanOf(parts[i]).End)}
		if q.object {
			i++
			w.end = int(spanOf(parts[i]).End)
			w.name = keyName(parts[i-1])
		}
		w.ended = hcllex.NeedsNewline(r.text[w.start:w.end])
		q.cells = append(q.cells, w)
	}
	q.findDots()
	q.gaps = make([]gap, len(q.cells)+1)
	for i := range q.gaps {
		q.readGap(i)
	}
	return q
}

// findDots makes the dots of an expanded argument a part of it. HCL's syntax tree has no place for
// them, only that the call has some.
func (q *sequence) findDots() {
	n := len(q.cells)
	if n == 0 || q.x.Form() != hclconfig.FormCall {
		return
	}
	w := &q.cells[n-1]
	for i := w.end; i < q.shut; i++ {
		switch stop := commentAt(q.r.text, i, q.shut); {
		// Three dots in a comment are none of the language.
		case stop > i:
			i = stop - 1
		case q.r.text[i] == ',':
			return
		case strings.HasPrefix(q.r.text[i:], "..."):
			w.end, w.expanded, w.ended = i+3, true, false
			return
		}
	}
}

// readGap reads the gap before cell i, and the comments of the cells at both sides.
func (q *sequence) readGap(i int) {
	from, to := q.open+1, q.shut
	var a, b *cell
	if i > 0 {
		a = &q.cells[i-1]
		from = a.end
	}
	if i < len(q.cells) {
		b = &q.cells[i]
		to = b.start
	}
	g := gap{comma: -1}
	first := q.firstLine(&g, a, b, from, to)
	if first < 0 {
		// All on one line.
		q.gaps[i] = g
		return
	}
	if a == nil {
		g.note = extent{from, first}
	}
	g.broken = true
	q.readLines(&g, a, b, first, to)
	q.gaps[i] = g
}

// firstLine reads the rest of the line that a gap begins on, and shares its comments
// out: those before the comma are about the cell before, and those behind it about the next cell, if
// that is on the same line, because there people write "a, /* about b */ b". It returns where the next line begins, or -1 if there is none.
func (q *sequence) firstLine(g *gap, a, b *cell, from, to int) (next int) {
	text := q.r.text
	var notes []extent
	space := from // where the white space before the current place begins
	i := from
	afterComma := 0 // how many comments are before the comma
	for i < to {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == '\n':
			if a != nil {
				a.behind = append(a.behind, notes...)
			}
			return i + 1
		case c == ',':
			g.comma = i
			afterComma = len(notes)
			i++
		default:
			stop := max(commentAt(text, i, to), i+1) // valid text has nothing else here
			notes = append(notes, extent{i, stop})
			i = stop
		}
		space = i
	}
	g.space = text[space:to]
	switch {
	case b == nil && a != nil:
		a.behind = append(a.behind, notes...)
	case b == nil:
		g.note = extent{from, to}
		g.space = ""
	case a == nil:
		b.before = notes
	case g.comma < 0:
		a.behind = append(a.behind, notes...)
	default:
		a.behind = append(a.behind, notes[:afterComma]...)
		b.before = notes[afterComma:]
	}
	if b != nil && len(b.before) > 0 {
		g.space = text[max(from, g.comma+1):b.before[0].start]
	}
	return -1
}

// readLines reads the lines of a gap from the second one on.
//
// A line with nothing but comments belongs to nobody at first. Which of them are about
// the next cell is known only when that is reached.
func (q *sequence) readLines(g *gap, a, b *cell, from, to int) {
	text := q.r.text
	var notes []extent // comments of the current line
	line, i, space := from, from, from
	for i < to {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == '\n':
			i++
			if g.comma >= line {
				// A comma on a line of its own, as behind a heredoc.
				a.behind = append(a.behind, notes...)
			} else {
				g.lines = append(g.lines, freeLine{extent{line, i}, len(notes) == 0})
			}
			notes, line, space = nil, i, i
			continue
		case c == ',':
			g.comma = i
			i++
		default:
			stop := max(commentAt(text, i, to), i+1) // valid text has nothing else here
			notes = append(notes, extent{i, stop})
			i = stop
		}
		space = i
	}
	g.leading = g.comma >= line
	head := line
	for head < to && (text[head] == ' ' || text[head] == '\t') {
		head++
	}
	g.head, g.space = text[line:head], text[space:to]
	if b == nil {
		if len(notes) > 0 {
			// Comments on the line of the closing bracket.
			g.lines = append(g.lines, freeLine{extent: extent{line, notes[len(notes)-1].end}})
			g.head = text[notes[len(notes)-1].end:to]
			g.broken = false
		}
		return
	}
	if b.before = notes; len(notes) > 0 {
		g.space = text[max(head, g.comma+1):notes[0].start]
	}
	// Comments directly above the next cell are about it. A blank line ends them, as
	// for arguments: see [row.measure].
	for n := len(g.lines); n > 0 && !g.lines[n-1].blank; n-- {
		w := g.lines[n-1].extent
		for w.start < w.end && (text[w.start] == ' ' || text[w.start] == '\t') {
			w.start++
		}
		w.end = w.start + len(strings.TrimRight(text[w.start:w.end], " \t\r\n"))
		b.above = slices.Insert(b.above, 0, w)
		g.lines = g.lines[:n-1]
	}
}

// rowOf returns the lines of a cell, as those of an argument.
//
// So the comments of an element are found and set as those of an argument are.
func (q *sequence) rowOf(i int) row {
	w, g, next := &q.cells[i], &q.gaps[i], &q.gaps[i+1]
	text := q.r.text
	out := row{name: w.name, start: w.start, end: w.end}
	if next.comma >= 0 && !next.leading {
		out.end = next.comma + 1
	}
	out.line = strings.LastIndexByte(text[:w.start], '\n') + 1
	out.after = lineEndAt(text, out.end)
	out.alone = g.broken && !g.leading && len(w.before) == 0 && next.broken
	out.lead = out.line
	switch {
	case !out.alone:
		out.lead = w.start
	case len(w.above) > 0:
		out.lead = strings.LastIndexByte(text[:w.above[0].start], '\n') + 1
	}
	return out
}

func keyName(key hclconfig.Expression) string {
	name, err := key.Text()
	if err != nil {
		return key.Raw()
	}
	return name
}

// lines reports whether each cell has lines of its own.
//
// If so, a new cell gets lines too. In a list of mixed form it goes to the line of its
// neighbour, because that is the smaller change.
func (q *sequence) lines() bool {
	return !slices.ContainsFunc(q.gaps, func(g gap) bool { return !g.broken })
}

// commas reports whether the cells are separated by commas.
//
// An object needs none between items on lines of their own. One comma is enough to say
// that this object has them.
func (q *sequence) commas() bool {
	return !q.object || slices.ContainsFunc(q.gaps, func(g gap) bool { return g.comma >= 0 })
}

// indent returns the indentation of the cells.
//
// The list may be indented in another way than fmt does, and a new cell should not
// stand out.
func (q *sequence) indent() string {
	for _, g := range q.gaps[:len(q.cells)] {
		if g.broken {
			return g.head
		}
	}
	return q.outer() + unit
}

// outer returns the indentation of the line of the opening bracket.
func (q *sequence) outer() string {
	line := strings.LastIndexByte(q.r.text[:q.open], '\n') + 1
	rest := strings.TrimLeft(q.r.text[line:q.open], " \t")
	return q.r.text[line : q.open-len(rest)]
}

// parentOf returns the list, object or call that the part from start to end is in,
// and which of its cells it is.
//
// The part is looked for by its place in the text of now. It may have got a call around
// it since it was read, and is then an argument of that.
func (e *nativeEditor) parentOf(f *hclconfig.File, s textspan.Span, start, end int) (*sequence, int) {
	r := e.regionAt(f, int(s.Start), start, end)
	if r == nil {
		return nil, 0
	}
	a := r.argumentAt(start - r.start)
	if a == nil {
		e.editor().failf(f, s, "it is not in an argument: take what is there from Body")
		return nil, 0
	}
	for x := a.Expression; x.IsSet(); {
		var next hclconfig.Expression
		for _, p := range x.Parts() {
			if from, to := offsets(spanOf(p)); p.IsSet() && from <= start-r.start && start-r.start < to {
				next = p
			}
		}
		if isSequence(x) {
			if i := partAt(x, start-r.start, end-r.start); i >= 0 {
				return newSequence(r, x), i
			}
		}
		x = next
	}
	e.editor().failf(f, s, "it is not an element of a list, an item of an object or an argument of a call: use Replace, or Remove for an argument of a block")
	return nil, 0
}

// partAt returns which cell of the sequence x is from start to end, or -1.
func partAt(x hclconfig.Expression, start, end int) int {
	parts := x.Parts()
	for i, p := range parts {
		s, t := offsets(spanOf(p))
		if x.Form() != hclconfig.FormObject {
			if s == start && t == end {
				return i
			}
			continue
		}
		// The part of an object is an item: from its key to the end of its value.
		if i%2 == 0 && s == start && int(spanOf(parts[i+1]).End) == end {
			return i / 2
		}
	}
	return -1
}
