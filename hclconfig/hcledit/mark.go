// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import "sort"

// This file finds parts of earlier texts. A caller holds thousands of them, and each edit moves nearly all.
// So a part is known by its first and last byte, which are in pieces that know where they are, and nothing is
// brought up to date when the text changes. What is added next to a part does not belong to it.

// A mark is a byte of a buffer, wherever that is now.
type mark struct {
	of *buffer
	n  int
}

// plus returns the mark of a byte further on.
func (m mark) plus(n int) mark { return mark{m.of, m.n + n} }

// index returns the number of the piece that a byte is in.
func (b *buffer) index(n int) int {
	return sort.Search(len(b.pieces), func(i int) bool { return b.pieces[i].n > n }) - 1
}

// A tombstone is the text from start to end that was replaced, as a whole, by one change.
type tombstone struct {
	change, start, end int
	inner              inner
	again              mark // where inner begins in the new text
	heir               *heir
}

// An heir is the text that stands for those that it replaced, one after the other.
type heir struct{ first, last mark }

// forward makes a tombstone of pieces that fresh has replaced. It returns what stands for their text.
//
// A part may be replaced a thousand times. So the text that replaces one which itself stands for others is
// what stands for those, too.
func (d *draft) forward(old *piece, p *textPiece, fresh *piece) *heir {
	first, _ := old.locate(0)
	last, _ := old.locate(old.all - 1)
	if fresh.heir = first.heir; first.heir == nil || first.heir.last != last.plus(last.size-1) {
		fresh.heir = &heir{}
	}
	old.forward(&tombstone{d.changes, p.from, p.to, p.inner, fresh.plus(p.inner.at), fresh.heir}, p.from)
	return fresh.heir
}

func (p *piece) forward(g *tombstone, at int) {
	if p != nil {
		p.left.forward(g, at)
		p.tombstone, p.at = g, at+p.left.total()
		p.right.forward(g, p.at+p.size)
	}
}

// mark returns the mark of the byte at offset.
func (d *draft) mark(offset int) mark {
	p, at := d.locate(offset)
	return p.plus(offset - at)
}

// span returns where the thing is now that began and ended with two bytes.
func (d *draft) span(first, last mark) (start, end int, ok bool) {
	for {
		p, q := first.of.pieces[first.of.index(first.n)], last.of.pieces[last.of.index(last.n)]
		from, to, g, h := first.n-p.n, last.n-q.n+1, p.tombstone, q.tombstone
		if d.steps++; g == nil && h == nil {
			start, ok1 := d.place(p)
			end, ok2 := start, ok1
			if p != q {
				end, ok2 = d.place(q)
			}
			return start + from, end + to, ok1 && ok2 && start+from <= end+to
		}
		// A text that is replaced has no places inside any more, only a beginning and an end. A part of
		// it is lost, unless it is the inner one.
		switch from, to = p.at+from, q.at+to; {
		case g == h && (from > g.start || to < g.end):
			if from < g.inner.from || to > g.inner.to {
				return 0, 0, false
			}
			first, last = g.again.plus(from-g.inner.from), g.again.plus(to-1-g.inner.from)
		// What went first is followed first: the other one was there then.
		case h == nil || g != nil && g.change <= h.change:
			if from > g.start {
				return 0, 0, false
			}
			first = g.heir.first
		case to < h.end:
			return 0, 0, false
		default:
			last = h.heir.last
		}
	}
}

// begins returns where the thing begins that began with a byte.
func (d *draft) begins(first mark) (int, bool) {
	start, _, ok := d.span(first, d.mark(d.len()))
	return start, ok
}

// A snapshot has the marks of a text, or a part of it, as it was after some changes.
type snapshot struct {
	changes int
	base    int // what offsets count from
	parts   []part
}

// A part is bytes with marks that follow each other.
type part struct {
	at int
	mark
}

// snap returns the marks of the text from one place to another, and of a byte on each side.
func (d *draft) snap(from, to int) *snapshot {
	s := &snapshot{changes: d.changes}
	for next := max(from, 0) - 1; next <= min(to, d.len()); {
		p, at := d.locate(next)
		next = at + p.size
		if n := len(s.parts); n == 0 || s.parts[n-1].plus(at-s.parts[n-1].at) != p.mark {
			s.parts = append(s.parts, part{at, p.mark})
		}
	}
	return s
}

// mark returns the mark of the byte that was at offset.
func (s *snapshot) mark(offset int) mark {
	offset = max(offset+s.base, s.parts[0].at)
	p := s.parts[sort.Search(len(s.parts), func(i int) bool { return s.parts[i].at > offset })-1]
	return p.plus(offset - p.at)
}

// find returns where what was from start to end in an earlier text is now.
func (d *draft) find(s *snapshot, start, end int) (int, int, bool) {
	return d.span(s.mark(start), s.mark(end-1))
}
