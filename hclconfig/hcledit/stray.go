// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// This file has the lines of a long block that do not have the layout of fmt. They keep the one
// that they have. But a line that an edit elsewhere brings into line with its neighbours has the
// layout of fmt from then on, and follows them: otherwise a sequence of edits would not be the
// same as the edits one by one.

// A shape is the layout of the first line of a kid. fmt aligns the equals signs of a run of lines
// that are next to each other: nothing else in a line depends on another line.
type shape struct {
	stray  bool // the line has not the layout of fmt
	fixed  bool // it has more of another layout than the column of the equals sign
	lead   int  // the width of what is before the equals sign; 0 if it takes part in no run
	gap    int  // the spaces between
	joined bool // the line is directly below that of the kid before
	noted  bool // the line ends with a comment, which fmt aligns as well
	width  int  // of the code before the comment, as fmt has it in a run of one line
	space  int  // the spaces before the comment
}

// measure finds the shapes of kids, which are in a region and each the first thing on a line, and
// of what is in them.
func (e *longEditor) measure(r *region, kids []*kid) {
	for _, k := range kids {
		if k.fixed = true; !k.isBlock {
			k.measure(r.text[k.start-r.start : k.end-r.start])
			line, _, _ := strings.Cut(r.text[k.start-r.start:], "\n")
			k.noted = endsInComment([]byte(line))
			rest := line[min(k.end-k.start, len(line)):]
			k.space = len(rest) - len(strings.TrimLeft(rest, " "))
		}
		e.measure(r, k.kids)
		e.join(k, 0, len(k.kids))
	}
}

// measure finds the shape of an argument or an item.
func (s *shape) measure(text string) {
	want := string(hclwrite.Format([]byte(text)))
	at, to := assignment(text), assignment(want)
	if at < 0 || to < 0 {
		return
	}
	lead := strings.TrimRight(want[:to], " ")
	s.lead = columns(lead)
	own := strings.TrimRight(text[:at], " ")
	s.gap = at - len(own)
	first, _, _ := strings.Cut(want, "\n")
	s.width = columns(first)
	// One space before the equals sign is what fmt has in a run of one line. Everything
	// else must be the same.
	s.fixed = !strings.HasPrefix(own+" "+text[at:]+"\n", first+"\n")
}

// columns returns how many columns a text takes, as fmt counts them.
//
// It counts grapheme clusters, so that names with accents are aligned as a reader sees
// them.
func columns(text string) int { return hclwrite.Tokens{{Bytes: []byte(text)}}.Columns() }

// assignment returns where the equals sign of an argument or an item is, or -1 for one over
// several lines, which fmt does not align: it aligns an equals sign only if all brackets behind it
// on the line are closed there. A heredoc is as one line, because it is one token. HCL's scanner
// counts the line break behind a comment to the comment.
func assignment(text string) int {
	tokens, _ := hclsyntax.LexConfig([]byte(text), "", hcl.InitialPos)
	at := -1
	for i, t := range tokens {
		switch {
		case t.Type == hclsyntax.TokenEqual && i > 0 && at < 0:
			at = t.Range.Start.Byte
		case (t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComment && t.Bytes[len(t.Bytes)-1] == '\n') && t.Range.End.Byte < len(text):
			return -1
		}
	}
	return at
}

// close forgets the cells of a stray that are on its line: its shape depends on them.
func (k *kid) close() {
	if k.inline {
		k.kids, k.form, k.inline = nil, "", false
	}
}

// findStrays finds the kids whose first lines are not those of fmt. It reports false if another line
// is not, or differs in more than the space around an equals sign.
func (e *longEditor) findStrays(l *longBlock, r *region, lines, want []string) bool {
	if strings.Join(lines, "") == strings.Join(want, "") {
		return true
	}
	if slices.ContainsFunc(lines, func(line string) bool { return strings.HasSuffix(strings.TrimSpace(line), "*/") }) {
		return false // fmt aligns those comments too, and shapes do not know them
	}
	if l.foreign = isForeign(lines, want); l.foreign {
		e.measure(r, l.kids)
		e.join(&l.kid, 0, len(l.kids))
		return true
	}
	at := r.start
	stray := map[int]bool{} // where the lines begin
	for i, line := range lines {
		if line != want[i] {
			// The indentation of new lines depends on how many lines have another one
			// than that of fmt: see otherIndent. That is counted over the whole block.
			if leading(line) != leading(want[i]) {
				return false
			}
			stray[at+len(leading(line))] = true
		}
		at += len(line)
	}
	e.measure(r, l.kids)
	e.join(&l.kid, 0, len(l.kids))
	var mark func(u *kid)
	mark = func(u *kid) {
		for _, k := range u.kids {
			// The header of a block can be no stray, as nothing in it is aligned, and what is known for
			// something long in it is not known any more when that has gone.
			if stray[k.start] && !k.isBlock && !u.passage {
				k.stray, l.strays = true, true
				k.close()
				// What is left in the end is a line that no kid begins on, such as one
				// with a closing bracket.
				delete(stray, k.start)
			}
			mark(k)
		}
	}
	mark(&l.kid)
	return len(stray) == 0
}

// join finds out which of the kids from lo to hi are directly below the one before.
//
// A comment or a blank line between two lines parts their runs, as it does for fmt.
func (e *longEditor) join(u *kid, lo, hi int) {
	for i := max(lo, 1); i < min(hi, len(u.kids)); i++ {
		_, end, ok1 := e.placeOfKid(u.kids[i-1])
		start, _, ok2 := e.placeOfKid(u.kids[i])
		u.kids[i].joined = ok1 && ok2 && e.d.endOfLineAfter(end, start) == e.d.lineStart(start)
	}
}

// align finds the strays that have the layout of fmt now, after a change of the kids from lo to hi.
func (e *longEditor) align(l *longBlock, u *kid, lo, hi int) {
	l.changed = true
	if !l.strays && !l.foreign {
		return
	}
	e.join(u, lo, hi+2)
	if l.foreign {
		return
	}
	inRun := func(i int) bool {
		return i > 0 && i < len(u.kids) && u.kids[i].joined && u.kids[i].lead > 0 && u.kids[i-1].lead > 0
	}
	from := max(lo-1, 0)
	for inRun(from) {
		from--
	}
	// The change may have joined or parted the runs above and below, so these are
	// looked at as well.
	for from < len(u.kids) && from <= hi+1 {
		to, widest := from+1, u.kids[from].lead
		for ; inRun(to); to++ {
			widest = max(widest, u.kids[to].lead)
		}
		e.alignRun(u.kids[from:to], widest)
		from = to
	}
}

// alignRun is align for a run of lines, the widest name of which is known. fmt aligns the comments of
// lines that follow each other. That is computed here, since each edit of the run asks for it: to let
// fmt lay out the run each time would take time like the square of its length.
func (e *longEditor) alignRun(run []*kid, widest int) {
	for lo := 0; lo < len(run); {
		hi, column, due := lo+1, 0, false // the comments from lo to hi are in one column
		for ; hi < len(run) && run[hi].noted && run[lo].noted; hi++ {
		}
		for _, k := range run[lo:hi] {
			column = max(column, widest-k.lead+k.width+1)
			due = due || k.stray && !k.fixed && k.gap == widest-k.lead+1
		}
		var isLaidOut func(k *kid) bool
		// Lines above and below with comments of their own have a say in the column
		// too, and no shape knows them.
		byItself := due && run[lo].noted && !(lo == 0 && e.chained(run[0], true) || hi == len(run) && e.chained(run[hi-1], false))
		for _, k := range run[lo:hi] {
			switch {
			case !k.stray || k.fixed || k.gap != widest-k.lead+1:
			case !k.noted:
				k.stray = false
			case byItself:
				k.stray = k.space != column-(widest-k.lead+k.width)
			default:
				if isLaidOut == nil {
					isLaidOut = e.laidOut(run[0], run[len(run)-1])
				}
				k.stray = !isLaidOut(k)
			}
		}
		lo = hi
	}
}

// chained reports whether the line above that of a kid, or below it, ends with a comment.
func (e *longEditor) chained(k *kid, above bool) bool {
	start, end, ok := e.placeOfKid(k)
	switch {
	case !ok:
		return true
	case above:
		start = e.d.lineStart(start)
		return start > 0 && endsInComment(e.d.slice(e.d.lineStart(start-1), start))
	}
	end = e.d.lineEnd(end)
	return end < e.d.len() && endsInComment(e.d.slice(end, e.d.lineEnd(end)))
}

// laidOut returns a function that reports whether the line of a kid has the layout of fmt. The kid is in a
// run of lines from that of first to that of last, and fmt aligns its comment also with those of the lines
// next to the run.
func (e *longEditor) laidOut(first, last *kid) func(k *kid) bool {
	start, _, ok1 := e.placeOfKid(first)
	_, end, ok2 := e.placeOfKid(last)
	fine := map[int]bool{} // by where the lines begin
	if ok1 && ok2 {
		start, end = e.d.lineStart(start), e.d.lineEnd(end)
		above := e.d.chainAbove(start)
		lines := strings.SplitAfter(above+string(e.d.slice(start, end))+e.d.chainBelow(end), "\n")
		want := e.d.formatted(lines, 0)
		at := start - len(above)
		for i, line := range lines {
			fine[at] = len(want) == len(lines) && strings.TrimLeft(want[i], " ") == strings.TrimLeft(line, " ")
			at += len(line)
		}
	}
	return func(k *kid) bool {
		start, _, ok := e.placeOfKid(k)
		return ok && fine[e.d.lineStart(start)]
	}
}

// keepStrays makes those of kids, which are in a region, strays that were among old. They replace those, which
// were in was. An edit of a line that somebody has laid out in another way changes what it is about, and not
// the layout.
func (e *longEditor) keepStrays(was, r *region, old, kids []*kid) {
	l := was.win.of
	if l.foreign || l.strays {
		e.measure(r, kids)
	}
	if !l.strays {
		return
	}
	before, now := strings.SplitAfter(was.text, "\n"), strings.SplitAfter(r.text, "\n")
	head, tail := sameLines(before, now)
	top, bottom := was.start+len(strings.Join(before[:head], "")), was.end-len(strings.Join(before[len(before)-tail:], ""))
	stray := map[int]bool{}
	for k := range all(old) {
		if !k.stray {
			continue
		}
		at, ok := e.d.begins(k.first)
		if !ok && k.since == was.since.changes { // the same line may have been written once more
			if at = k.start - was.start + r.start; k.start >= bottom {
				at = r.end - was.end + k.start
			}
			ok = k.start < top || k.start >= bottom
		}
		stray[at] = stray[at] || ok
	}
	for k := range all(kids) {
		if stray[k.start] {
			k.stray = true
			k.close()
		}
	}
}

// all yields kids and all that is in them.
func all(kids []*kid) iter.Seq[*kid] {
	return func(yield func(*kid) bool) {
		for _, k := range kids {
			if !yield(k) {
				return
			}
			for in := range all(k.kids) {
				if !yield(in) {
					return
				}
			}
		}
	}
}

// strayLines returns which lines of a long block, whose text begins at start, are strays.
//
// They are found by where their kids begin now. Lines have no identity of their own.
func (e *longEditor) strayLines(l *longBlock, lines []string, start int) map[int]bool {
	if !l.strays {
		return nil
	}
	ends := make([]int, len(lines))
	for i, line := range lines {
		start += len(line)
		ends[i] = start
	}
	out := map[int]bool{}
	for k := range all(l.kids) {
		if at, ok := e.d.begins(k.first); ok && k.stray {
			out[sort.SearchInts(ends, at+1)] = true
		}
	}
	return out
}

// isForeign reports whether no line has the indentation of fmt that is in something, and the other
// lines have the layout of fmt: then no old line ever gets another layout.
func isForeign(lines, want []string) bool {
	found := false
	fixed := fixedLines(strings.Join(lines, ""))
	for i, line := range lines {
		switch in, due := leading(line), leading(want[i]); {
		case fixed[i], strings.TrimSpace(line) == "":
		// With less indentation than that of fmt, what is new has the one of fmt by chance: a list on one
		// line indents its values from the line that it is on, by two levels.
		case due == "" && line != want[i], due != "" && strings.HasPrefix(due, in):
			return false
		default:
			found = found || due != ""
		}
	}
	return found
}

// layOutNew lays out what an edit has added in a window of a foreign block, which was read before
// and after. New lines get the layout of fmt there, except for the indentation. That is done once: as
// lines with another indentation than that of fmt they are none that an edit elsewhere lays out.
//
// In such a block the indentation of a line says nothing about whether somebody chose
// it. So a line that is new is only known as that right after the edit.
func (e *longEditor) layOutNew(old, r *region) (changed bool) {
	now := strings.SplitAfter(r.text, "\n")
	fresh, noted := map[int]bool{}, false // where new lines begin
	at := r.start
	for i, was := range e.d.linesNow(old, strings.SplitAfter(old.text, "\n"), r.start, now) {
		if was < 0 {
			fresh[at], noted = true, noted || endsInComment([]byte(now[i]))
		}
		at += len(now[i])
	}
	lines, want, start := now, []string(nil), r.start
	// fmt aligns comments with those of other lines, and what begins on the line of a list on one line with that.
	if noted || old.win.in.inline && len(fresh) > 0 {
		l := old.win.of
		_, end, ok := e.placeOfKid(&l.kid)
		if !ok {
			return false
		}
		start = l.start
		lines = strings.SplitAfter(string(e.d.slice(start, e.d.lineEnd(end))), "\n")
		want = e.d.formatted(lines, 0)
	} else if len(fresh) > 0 {
		want = e.formattedInRun(old.win, now)
	}
	if len(want) != len(lines) {
		return false
	}
	at = start
	for i, line := range lines {
		if want[i] = leading(line) + strings.TrimLeft(want[i], " \t"); !fresh[at] {
			want[i] = line
		}
		at += len(line)
	}
	return e.respaceLines(start, lines, want)
}

// formattedInRun returns the lines of a window as fmt has them below and above the kids around: a
// line with a name as long as the longest of a run does for all of the run.
//
// To lay out the whole run for each line that comes to it would take time like the
// square of its length.
func (e *longEditor) formattedInRun(w *windowOf, lines []string) []string {
	c, n, lines := w.in, len(w.in.kids), slices.Clone(lines)
	switch {
	case c.inline:
		return e.d.formatted(lines, 0)
	case c.form == "":
		if w.lo > 0 {
			lines[0] = c.standIn(w.lo-1, -1)
		}
		if w.hi+1 < n {
			lines[len(lines)-2] = c.standIn(w.hi+1, 1)
		}
		return e.d.formatted(lines, 0)
	}
	above := w.lo > 1 && c.kids[w.lo-1].joined
	if w.hi+2 < n && c.kids[w.hi+2].joined {
		lines = slices.Insert(lines, len(lines)-2, c.standIn(w.hi+2, 1))
	}
	if above {
		lines = slices.Insert(lines, 1, c.standIn(w.lo-2, -1))
	}
	want := e.d.formatted(lines, 0)
	if len(want) == len(lines) && above {
		want = slices.Delete(want, 1, 2)
	}
	return want
}

// standIn returns a line that does for kid i and those that are in one run with it in a direction.
func (c *kid) standIn(i, step int) string {
	width := c.kids[i].lead
	if width == 0 {
		return standIn
	}
	for i+step >= 0 && i+step < len(c.kids) && c.kids[max(i, i+step)].joined && c.kids[i+step].lead > 0 {
		i += step
		width = max(width, c.kids[i].lead)
	}
	// fmt looks at nothing of a neighbour but the width of its name.
	return strings.Repeat("x", width) + " = 0\n"
}
