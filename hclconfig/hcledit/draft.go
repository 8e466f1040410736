// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"math"
	"slices"
	"sort"
)

// This file has the text of a native file that is edited. A place in it is an offset and a
// number of changes: where something was after that many. Nothing is brought up to date
// when the text changes. A place is followed through the later changes when it is asked
// for, because a caller holds thousands of parts, each edit moves nearly all of them, and
// the next one asks for one or two.

// A gapText is a text with a gap at the last change: many changes near each
// other do not move the whole text each time. Programs edit a file from its beginning to its end, or a
// block at a time, so the next change is nearly always close to the last one.
type gapText struct {
	buf      []byte
	gap, end int // the gap is buf[gap:end]
}

func (g *gapText) len() int { return len(g.buf) - (g.end - g.gap) }

// at returns the byte at offset i.
func (g *gapText) at(i int) byte {
	if i >= g.gap {
		i += g.end - g.gap
	}
	return g.buf[i]
}

// parts returns the text from i to j that is before the gap, and the text behind it.
func (g *gapText) parts(i, j int) (before, behind []byte) {
	shift := g.end - g.gap
	to := max(i, min(j, g.gap))
	return g.buf[i:to:to], g.buf[max(i, g.gap)+shift : max(j, g.gap)+shift : max(j, g.gap)+shift]
}

// index returns the place of the first byte c from i to j, or -1.
func (g *gapText) index(c byte, i, j int) int {
	before, behind := g.parts(i, j)
	if n := bytes.IndexByte(before, c); n >= 0 {
		return i + n
	}
	if n := bytes.IndexByte(behind, c); n >= 0 {
		return j - len(behind) + n
	}
	return -1
}

// lastIndex returns the place of the last byte c before i, or -1.
func (g *gapText) lastIndex(c byte, i int) int {
	before, behind := g.parts(0, i)
	if n := bytes.LastIndexByte(behind, c); n >= 0 {
		return len(before) + n
	}
	return bytes.LastIndexByte(before, c)
}

// appendTo appends the text from i to j to out.
func (g *gapText) appendTo(out []byte, i, j int) []byte {
	before, behind := g.parts(i, j)
	return append(append(out, before...), behind...)
}

// moveGap moves the gap to offset i.
func (g *gapText) moveGap(i int) {
	switch {
	case i < g.gap:
		n := g.gap - i
		copy(g.buf[g.end-n:g.end], g.buf[i:g.gap])
		g.gap, g.end = i, g.end-n
	case i > g.gap:
		n := i - g.gap
		copy(g.buf[g.gap:], g.buf[g.end:g.end+n])
		g.gap, g.end = i, g.end+n
	}
}

// slice returns the text from i to j. It is valid until the next change.
func (g *gapText) slice(i, j int) []byte {
	before, behind := g.parts(i, j)
	switch {
	case len(behind) == 0:
		return before
	case len(before) == 0:
		return behind
	// The shorter side is copied across the gap. Then the whole text asked for is on
	// one side, as it has to be for a slice of the buffer.
	case len(before) < len(behind):
		g.moveGap(i)
	default:
		g.moveGap(j)
	}
	return g.slice(i, j)
}

// replace replaces the text from i to j.
func (g *gapText) replace(i, j int, text []byte) {
	g.moveGap(i)
	g.end += j - i
	if g.end-g.gap < len(text) {
		// The gap grows by a part of the text, so that n insertions copy the text a
		// number of times like the logarithm of n.
		more := max(len(text), min(4096, len(g.buf)), len(g.buf)/8)
		g.buf = slices.Insert(g.buf, g.end, make([]byte, more)...)
		g.end += more
	}
	copy(g.buf[g.gap:], text)
	g.gap += len(text)
}

// bytes returns the whole text, in memory of its own. It is not nil if the text is empty: that is
// the text of a file of which all has been removed.
func (g *gapText) bytes() []byte {
	return g.appendTo(make([]byte, 0, g.len()), 0, g.len())
}

// A textPiece is a part of the text that a change makes: old text that stays or
// moves, old text that is replaced, or new text.
//
// What replaces a text stands for it: a caller who holds the expression of an argument can replace it
// twice, and the second edit is about what the first one wrote. That is why a piece that is replaced
// is not simply old text that goes and new text that comes.
type textPiece struct {
	// from and to are the place of the old text, if there is any. to is less
	// than from for new text.
	from, to int
	text     string
	replaced bool // the old text is replaced by text
	at       int  // where the piece is in the new text
	size     int
	inner    inner
}

// An inner is the part of an old text that the new text, which replaces it, has again:
// x in f(x). Who held x before the call came around it can still edit it.
type inner struct {
	from, to int // of the old text; empty if there is none
	at       int // where it is in the new text of the piece
}

// replacedAround is replaced for a text that has a part of the old one again.
func replacedAround(from, to int, text string, in inner) textPiece {
	p := replaced(from, to, text)
	p.inner = in
	return p
}

func kept(from, to int) textPiece { return textPiece{from: from, to: to, size: to - from} }

func replaced(from, to int, text string) textPiece {
	return textPiece{from: from, to: to, text: text, replaced: true, size: len(text)}
}

func added(text string) textPiece { return textPiece{from: 0, to: -1, text: text, size: len(text)} }

// A change maps the text from start to end to its new place. Old text outside
// the pieces is gone.
type change struct {
	start, end int
	delta      int
	pieces     []textPiece
	byOld      []int // the pieces with old text, in its order
}

// follow returns where the thing that began or ended at offset does so after the change. What is
// added at a place goes between the two: an argument does not grow by a line that comes next to it.
func (c *change) follow(offset int, ends bool) (int, bool) {
	at := offset // of the byte that belongs to the thing
	if ends {
		at--
	}
	switch {
	case at < c.start:
		return offset, true
	case at >= c.end:
		return offset + c.delta, true
	}
	i := sort.Search(len(c.byOld), func(i int) bool { return c.pieces[c.byOld[i]].to > at })
	if i == len(c.byOld) {
		return 0, false
	}
	switch p := &c.pieces[c.byOld[i]]; {
	// It was between two pieces, and so is gone.
	case p.from > at:
		return 0, false
	case !p.replaced:
		return p.at + offset - p.from, true
	case ends:
		// A text that is replaced has no places inside any more, only a beginning and
		// an end. A part of it is lost, unless it is the inner one: see span.
		return p.at + p.size, p.to == offset
	default:
		return p.at, p.from == offset
	}
}

// span returns where the thing that was from start to end is after the change.
func (c *change) span(start, end int) (int, int, bool) {
	if start >= c.start && end <= c.end && start < end {
		i := sort.Search(len(c.byOld), func(i int) bool { return c.pieces[c.byOld[i]].to > start })
		if i < len(c.byOld) {
			if p := &c.pieces[c.byOld[i]]; p.replaced && p.from <= start && end <= p.to && (start != p.from || end != p.to) {
				// Both ends are in one piece that was replaced, and they are not those
				// of the piece: this is a part of the old text. It is there again only
				// if the new text has it.
				in := p.inner
				if start < in.from || end > in.to {
					return 0, 0, false
				}
				shift := p.at + in.at - in.from
				return start + shift, end + shift, true
			}
		}
	}
	from, ok1 := c.follow(start, false)
	to, ok2 := c.follow(end, true)
	return from, to, ok1 && ok2 && from <= to
}

// A draft is a text that is being edited. It keeps all changes, to find places
// of earlier texts in it.
type draft struct {
	text    *gapText
	changes []change
	skips   [len(skipSizes)][]skip
	steps   int // how many changes and skips were looked at, for tests
	laidOut int // how many bytes were laid out as fmt does, for tests
}

func newDraft(src []byte) draft {
	return draft{text: &gapText{buf: slices.Clone(src), gap: len(src), end: len(src)}}
}

// newline returns how the text ends its lines, by the first one.
//
// A file with both kinds of line breaks gets those of its first line. To ask the lines
// next to each edit would cost more, and no other answer is better for such a file.
func (d *draft) newline() string {
	if i := d.text.index('\n', 0, d.text.len()); i > 0 && d.text.at(i-1) == '\r' {
		return "\r\n"
	}
	return "\n"
}

// rewrite replaces the text from start to end by pieces.
func (d *draft) rewrite(start, end int, pieces ...textPiece) {
	c := change{start: start, end: end}
	size, big := 0, -1
	var texts []string // of the pieces that are new
	for _, p := range pieces {
		// A piece of no text changes nothing. One that is replaced by nothing is kept,
		// as callers may ask for it.
		if p.size == 0 && !p.replaced {
			continue
		}
		p.at = start + size
		size += p.size
		if p.to >= p.from {
			c.byOld = append(c.byOld, len(c.pieces))
		}
		if p.isKept() && (big < 0 || p.size > c.pieces[big].size) {
			big = len(c.pieces)
		}
		texts = append(texts, p.text)
		// The text is in the draft from now on. Changes are kept for good, and should
		// not keep a second copy of it.
		p.text = ""
		c.pieces = append(c.pieces, p)
	}
	sort.SliceStable(c.byOld, func(i, j int) bool { return c.pieces[c.byOld[i]].from < c.pieces[c.byOld[j]].from })
	c.delta = size - (end - start)
	if big < 0 {
		d.text.replace(start, end, d.appendPieces(nil, c.pieces, texts))
	} else {
		// The largest piece stays in the text, and what is around it is written: to move one argument
		// past a thousand others costs what the one is long.
		p := &c.pieces[big]
		before, after := d.appendPieces(nil, c.pieces[:big], texts), d.appendPieces(nil, c.pieces[big+1:], texts[big+1:])
		d.text.replace(p.to, end, after)
		d.text.replace(start, p.from, before)
	}
	d.changes = append(d.changes, c)
	d.remember(len(d.changes) - 1)
}

// isKept reports whether the piece is old text.
func (p *textPiece) isKept() bool { return p.to >= p.from && !p.replaced }

// appendPieces appends the text of pieces.
func (d *draft) appendPieces(out []byte, pieces []textPiece, texts []string) []byte {
	for i := range pieces {
		if p := &pieces[i]; p.isKept() {
			out = d.text.appendTo(out, p.from, p.to)
		} else {
			out = append(out, texts[i]...)
		}
	}
	return out
}

// skipSizes are the numbers of changes that can be followed at once. A caller may keep
// parts of the file as it was read for any number of edits. To find the place of one
// through all changes, one after the other, would make n edits cost like the square of
// n. Changes are followed from the first of a skip to its last only, and the largest
// skips come first.
var skipSizes = [...]int{8, 8 * 8, 8 * 8 * 8, 8 * 8 * 8 * 8, 8 * 8 * 8 * 8 * 8}

// A skip describes the effect of consecutive changes on the text around them: text
// before lo has not moved, and text after hi has moved with hi, to now.
type skip struct {
	lo, hi, now int
	// kept has the effect on the text between, once that was asked for.
	kept []segment
}

// A segment is text that was from one place to another before some changes, and is in one
// piece after them, where it begins at another place. Segments are sorted.
type segment struct{ from, to, at int }

// remember adds change n to the skips that it is in.
func (d *draft) remember(n int) {
	c := &d.changes[n]
	for level, size := range skipSizes {
		if n%size == 0 {
			d.skips[level] = append(d.skips[level], skip{lo: c.start, hi: c.end, now: c.end + c.delta})
			continue
		}
		k := &d.skips[level][n/size]
		k.lo = min(k.lo, c.start)
		// The change reaches beyond those before. What is beyond has only moved so far,
		// so the distance is the same in the text that the skip begins with.
		if c.end > k.now {
			k.hi += c.end - k.now
			k.now = c.end
		}
		k.now += c.delta
	}
}

// segments returns the text that the change keeps.
func (c *change) segments() []segment {
	out := []segment{{0, c.start, 0}}
	for _, i := range c.byOld {
		if p := &c.pieces[i]; p.isKept() {
			out = append(out, segment{p.from, p.to, p.at})
		}
	}
	return append(out, segment{c.end, math.MaxInt / 2, c.end + c.delta})
}

// segmentsOf returns the text that the changes of skip i of a level keep. There must be as
// many changes as it can have.
func (d *draft) segmentsOf(level, i int) []segment {
	k := &d.skips[level][i]
	if k.kept != nil {
		return k.kept
	}
	// Each level is made of the one below, and not of all changes, so that a change is
	// looked at once a level.
	const children = 8
	for j := range children {
		var next []segment
		if level == 0 {
			next = d.changes[i*children+j].segments()
		} else {
			next = d.segmentsOf(level-1, i*children+j)
		}
		if j > 0 {
			next = following(k.kept, next)
		}
		k.kept = next
		d.steps += len(next)
	}
	return k.kept
}

// following returns the segments of two series of changes, the one after the other.
func following(first, second []segment) []segment {
	var out []segment
	for _, s := range first {
		end := s.at + s.to - s.from
		i := sort.Search(len(second), func(i int) bool { return second[i].to > s.at })
		for ; i < len(second) && second[i].from < end; i++ {
			t := second[i]
			from, to := max(t.from, s.at), min(t.to, end)
			out = append(out, segment{s.from + from - s.at, s.from + to - s.at, t.at + from - t.from})
		}
	}
	return out
}

// over returns the place of the text at offset after skip i of a level, as far as that can tell.
func (d *draft) over(level, i, offset int, ends bool) (int, bool) {
	switch k := &d.skips[level][i]; {
	case offset < k.lo, ends && offset == k.lo:
		return offset, true
	case offset > k.hi, !ends && offset == k.hi:
		return offset + k.now - k.hi, true
	}
	at := offset // of the byte that belongs to the place: the one behind, or the one before
	if ends {
		at--
	}
	all := d.segmentsOf(level, i)
	j := sort.Search(len(all), func(j int) bool { return all[j].to > at })
	if j == len(all) || all[j].from > at {
		return 0, false
	}
	return offset + all[j].at - all[j].from, true
}

// follow returns the place of the text at offset after the changes from n to upto.
func (d *draft) follow(offset, n, upto int, ends bool) (int, bool) {
next:
	for n < upto {
		d.steps++
		for level, size := range slices.Backward(skipSizes[:]) {
			if n%size > 0 || n+size > upto {
				continue
			}
			if at, ok := d.over(level, n/size, offset, ends); ok {
				offset, n = at, n+size
				continue next
			}
		}
		ok := false
		if offset, ok = d.changes[n].follow(offset, ends); !ok {
			return 0, false
		}
		n++
	}
	return offset, true
}

// span returns where the thing that was from start to end before all changes but the
// first n is after the first upto.
func (d *draft) span(start, end, n, upto int) (int, int, bool) {
next:
	for n < upto {
		d.steps++
		for level, size := range slices.Backward(skipSizes[:]) {
			if n%size > 0 || n+size > upto {
				continue
			}
			// A skip knows nothing of text that was replaced, which keeps its two ends:
			// then the changes are followed one by one.
			from, ok1 := d.over(level, n/size, start, false)
			to, ok2 := d.over(level, n/size, end, true)
			if ok1 && ok2 && start < end && from <= to {
				start, end, n = from, to, n+size
				continue next
			}
		}
		ok := false
		if start, end, ok = d.changes[n].span(start, end); !ok {
			return 0, 0, false
		}
		n++
	}
	return start, end, true
}

// begins returns where the thing that began at offset begins now, if that was
// before all changes but the first n.
func (d *draft) begins(offset, n int) (int, bool) {
	return d.follow(offset, n, len(d.changes), false)
}

// ends is begins for where a thing ends.
func (d *draft) ends(offset, n int) (int, bool) {
	return d.follow(offset, n, len(d.changes), true)
}

// lineStart returns where the line of offset begins.
func (d *draft) lineStart(offset int) int {
	return d.text.lastIndex('\n', offset) + 1
}

// lineEnd returns the end of the line of offset, after its line break.
func (d *draft) lineEnd(offset int) int {
	n := d.text.len()
	if i := d.text.index('\n', offset, n); i >= 0 {
		return i + 1
	}
	return n
}

// hasMark reports whether the text begins with a byte order mark.
func (d *draft) hasMark() bool {
	return string(d.text.slice(0, min(len(bom), d.text.len()))) == bom
}

// indentAt returns the white space that the line of offset begins with.
func (d *draft) indentAt(offset int) string {
	start := d.lineStart(offset)
	end := start
	for n := d.text.len(); end < n && (d.text.at(end) == ' ' || d.text.at(end) == '\t'); {
		end++
	}
	return string(d.text.slice(start, end))
}

func isSpaceJSON(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
