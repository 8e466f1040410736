// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"iter"
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
}

// measure finds the shapes of kids, which are in a region and each the first thing on a line, and
// of what is in them.
func measure(r *region, kids []*kid) {
	for _, k := range kids {
		if k.fixed = true; !k.isBlock {
			k.measure(r.text[k.start-r.start : k.end-r.start])
			line, _, _ := strings.Cut(r.text[k.start-r.start:], "\n")
			k.noted = endsInComment([]byte(line))
		}
		measure(r, k.kids)
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
	s.lead = hclwrite.Tokens{{Bytes: []byte(lead)}}.Columns()
	own := strings.TrimRight(text[:at], " ")
	s.gap = at - len(own)
	first, _, _ := strings.Cut(want, "\n")
	s.fixed = !strings.HasPrefix(own+" "+text[at:]+"\n", first+"\n")
}

// assignment returns where the equals sign of an argument or an item is, or -1 for one over
// several lines, which fmt does not align. A heredoc is as one line.
func assignment(text string) int {
	tokens, _ := hclsyntax.LexConfig([]byte(text), "", hcl.InitialPos)
	at := -1
	for i, t := range tokens {
		switch {
		case t.Type == hclsyntax.TokenEqual && i > 0 && at < 0:
			at = t.Range.Start.Byte
		case t.Type == hclsyntax.TokenNewline && t.Range.End.Byte < len(text):
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
func (e longEditor) findStrays(l *longBlock, r *region, lines, want []string) bool {
	if strings.Join(lines, "") == strings.Join(want, "") {
		return true
	}
	if strings.Contains(r.text, "/*") {
		return false
	}
	at := r.start
	stray := map[int]bool{} // where the lines begin
	for i, line := range lines {
		if line != want[i] {
			if leading(line) != leading(want[i]) {
				return false
			}
			stray[at+len(leading(line))] = true
		}
		at += len(line)
	}
	measure(r, l.kids)
	var mark func(u *kid)
	mark = func(u *kid) {
		for _, k := range u.kids {
			if stray[k.start] && !k.isBlock {
				k.stray, l.strays = true, true
				k.close()
				delete(stray, k.start)
			}
			mark(k)
		}
		e.join(u, 0, len(u.kids))
	}
	mark(&l.kid)
	return len(stray) == 0
}

// join finds out which of the kids from lo to hi are directly below the one before.
func (e longEditor) join(u *kid, lo, hi int) {
	for i := max(lo, 1); i < min(hi, len(u.kids)); i++ {
		_, end, ok1 := e.placeOfKid(u.kids[i-1])
		start, _, ok2 := e.placeOfKid(u.kids[i])
		u.kids[i].joined = ok1 && ok2 && e.d.endOfLineAfter(end, start) == e.d.lineStart(start)
	}
}

// align finds the strays that have the layout of fmt now, after a change of the kids from lo to hi.
func (e longEditor) align(l *longBlock, u *kid, lo, hi int) {
	l.changed = true
	if !l.strays {
		return
	}
	e.join(u, lo, hi+2)
	inRun := func(i int) bool {
		return i > 0 && i < len(u.kids) && u.kids[i].joined && u.kids[i].lead > 0 && u.kids[i-1].lead > 0
	}
	from := max(lo-1, 0)
	for inRun(from) {
		from--
	}
	for from < len(u.kids) && from <= hi+1 {
		to, widest := from+1, u.kids[from].lead
		for ; inRun(to); to++ {
			widest = max(widest, u.kids[to].lead)
		}
		for _, k := range u.kids[from:to] {
			if k.stray && !k.fixed && k.gap == widest-k.lead+1 {
				k.stray = k.noted && !e.isLaidOut(u.kids[from], u.kids[to-1], k)
			}
		}
		from = to
	}
}

// isLaidOut reports whether the line of a kid has the layout of fmt. It is in a run of lines from that of
// first to that of last, and fmt aligns its comment also with those of the lines next to the run.
func (e longEditor) isLaidOut(first, last, k *kid) bool {
	start, _, ok1 := e.placeOfKid(first)
	_, end, ok2 := e.placeOfKid(last)
	offset, _, ok3 := e.placeOfKid(k)
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	start, end = e.d.lineStart(start), e.d.lineEnd(end)
	above := e.d.chainAbove(start)
	lines := strings.SplitAfter(above+string(e.d.text.slice(start, end))+e.d.chainBelow(end), "\n")
	want := formatted(lines, 0)
	at := start - len(above)
	for i, line := range lines {
		if at += len(line); offset < at {
			return len(want) == len(lines) && strings.TrimLeft(want[i], " ") == strings.TrimLeft(line, " ")
		}
	}
	return false
}

// keepStrays makes those of kids strays that were among old, which they replace in a region.
func (e longEditor) keepStrays(l *longBlock, r *region, old, kids []*kid) {
	if !l.strays {
		return
	}
	measure(r, kids)
	stray := map[int]bool{}
	for k := range all(old) {
		if at, ok := e.d.begins(k.start, k.since); ok && k.stray {
			stray[at] = true
		}
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
func (e longEditor) strayLines(l *longBlock, lines []string, start int) map[int]bool {
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
		if at, ok := e.d.begins(k.start, k.since); ok && k.stray {
			out[sort.SearchInts(ends, at+1)] = true
		}
	}
	return out
}
