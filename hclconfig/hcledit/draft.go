// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"slices"
	"sort"
)

// A gapText is a text with a gap at the last change: many changes near each
// other do not move the whole text each time.
type gapText struct {
	buf      []byte
	gap, end int // the gap is buf[gap:end]
}

func newGapText(src []byte) *gapText {
	return &gapText{buf: slices.Clone(src), gap: len(src), end: len(src)}
}

func (g *gapText) len() int { return len(g.buf) - (g.end - g.gap) }

// at returns the byte at offset i.
func (g *gapText) at(i int) byte {
	if i >= g.gap {
		i += g.end - g.gap
	}
	return g.buf[i]
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
	switch {
	case j <= g.gap:
		return g.buf[i:j:j]
	case i < g.gap:
		if g.gap-i < j-g.gap {
			g.moveGap(i)
		} else {
			g.moveGap(j)
			return g.buf[i:j:j]
		}
	}
	shift := g.end - g.gap
	return g.buf[i+shift : j+shift : j+shift]
}

// replace replaces the text from i to j.
func (g *gapText) replace(i, j int, text []byte) {
	g.moveGap(i)
	g.end += j - i
	if g.end-g.gap < len(text) {
		more := max(len(text), 4096, len(g.buf)/8)
		g.buf = slices.Insert(g.buf, g.end, make([]byte, more)...)
		g.end += more
	}
	copy(g.buf[g.gap:], text)
	g.gap += len(text)
}

// bytes returns the whole text, in memory of its own.
func (g *gapText) bytes() []byte {
	return append(slices.Clone(g.buf[:g.gap]), g.buf[g.end:]...)
}

// A textPiece is a part of the text that a change makes: old text that stays or
// moves, old text that is replaced, or new text.
type textPiece struct {
	// from and to are the place of the old text, if there is any. to is less
	// than from for new text.
	from, to int
	text     string
	replaced bool // the old text is replaced by text
	at       int  // where the piece is in the new text
	size     int
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

// begins returns where the thing that began at offset begins after the change.
func (c *change) begins(offset int) (int, bool) {
	switch {
	case offset < c.start:
		return offset, true
	case offset >= c.end:
		return offset + c.delta, true
	}
	i := sort.Search(len(c.byOld), func(i int) bool { return c.pieces[c.byOld[i]].to > offset })
	if i == len(c.byOld) {
		return 0, false
	}
	switch p := &c.pieces[c.byOld[i]]; {
	case p.from > offset:
		return 0, false
	case p.replaced && p.from != offset:
		return 0, false
	default:
		return p.at + offset - p.from, true
	}
}

// ends returns where the thing that ended at offset ends after the change.
func (c *change) ends(offset int) (int, bool) {
	switch {
	case offset <= c.start:
		return offset, true
	case offset > c.end:
		return offset + c.delta, true
	}
	i := sort.Search(len(c.byOld), func(i int) bool { return c.pieces[c.byOld[i]].to >= offset })
	if i == len(c.byOld) {
		return 0, false
	}
	switch p := &c.pieces[c.byOld[i]]; {
	case p.from >= offset:
		return 0, false
	case p.replaced && p.to != offset:
		return 0, false
	case p.replaced:
		return p.at + p.size, true
	default:
		return p.at + offset - p.from, true
	}
}

// A draft is a text that is being edited. It keeps all changes, to find places
// of earlier texts in it.
type draft struct {
	text    *gapText
	changes []change
	breaks  int // how many line breaks the text has
	skips   [len(skipSizes)][]skip
	steps   int // how many changes and skips were looked at, for tests
}

func newDraft(src []byte) draft {
	return draft{text: newGapText(src), breaks: bytes.Count(src, []byte("\n"))}
}

// newline returns how the text ends its lines, by the first one.
func (d *draft) newline() string {
	if d.breaks > 0 {
		for i := 0; ; i++ {
			if d.text.at(i) == '\n' {
				if i > 0 && d.text.at(i-1) == '\r' {
					return "\r\n"
				}
				break
			}
		}
	}
	return "\n"
}

// rewrite replaces the text from start to end by pieces.
func (d *draft) rewrite(start, end int, pieces ...textPiece) {
	var out []byte
	c := change{start: start, end: end}
	for _, p := range pieces {
		if p.size == 0 && !p.replaced {
			continue
		}
		p.at = start + len(out)
		if p.to >= p.from && !p.replaced {
			out = append(out, d.text.slice(p.from, p.to)...)
		} else {
			out = append(out, p.text...)
		}
		if p.to >= p.from {
			c.byOld = append(c.byOld, len(c.pieces))
		}
		p.text = ""
		c.pieces = append(c.pieces, p)
	}
	sort.SliceStable(c.byOld, func(i, j int) bool { return c.pieces[c.byOld[i]].from < c.pieces[c.byOld[j]].from })
	c.delta = len(out) - (end - start)
	d.breaks += bytes.Count(out, []byte("\n")) - bytes.Count(d.text.slice(start, end), []byte("\n"))
	d.text.replace(start, end, out)
	d.changes = append(d.changes, c)
	d.remember(len(d.changes) - 1)
}

// skipSizes are the numbers of changes that can be skipped at once, if they did
// not touch the place in question.
var skipSizes = [...]int{32, 32 * 32, 32 * 32 * 32}

// A skip describes the effect of consecutive changes on the text around them: text
// before lo has not moved, and text after hi has moved with hi, to now.
type skip struct{ lo, hi, now int }

// remember adds change n to the skips that it is in.
func (d *draft) remember(n int) {
	c := &d.changes[n]
	for level, size := range skipSizes {
		if n%size == 0 {
			d.skips[level] = append(d.skips[level], skip{c.start, c.end, c.end + c.delta})
			continue
		}
		k := &d.skips[level][n/size]
		k.lo = min(k.lo, c.start)
		if c.end > k.now {
			k.hi += c.end - k.now
			k.now = c.end
		}
		k.now += c.delta
	}
}

// follow returns the place of the text at offset after the changes from n to upto.
func (d *draft) follow(offset, n, upto int, ends bool) (int, bool) {
next:
	for n < upto {
		for level, size := range slices.Backward(skipSizes[:]) {
			if n%size != 0 || n+size > upto {
				continue
			}
			d.steps++
			switch k := &d.skips[level][n/size]; {
			case offset < k.lo, ends && offset == k.lo:
				n += size
				continue next
			case offset > k.hi, !ends && offset == k.hi:
				offset += k.now - k.hi
				n += size
				continue next
			}
		}
		d.steps++
		ok := false
		if c := &d.changes[n]; ends {
			offset, ok = c.ends(offset)
		} else {
			offset, ok = c.begins(offset)
		}
		if !ok {
			return 0, false
		}
		n++
	}
	return offset, true
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
	for offset > 0 && d.text.at(offset-1) != '\n' {
		offset--
	}
	return offset
}

// lineEnd returns the end of the line of offset, after its line break.
func (d *draft) lineEnd(offset int) int {
	for n := d.text.len(); offset < n; {
		offset++
		if d.text.at(offset-1) == '\n' {
			break
		}
	}
	return offset
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
