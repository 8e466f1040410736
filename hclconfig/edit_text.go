// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"math"
	"slices"
	"sort"

	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A gapText is a text with a gap where it was changed last, so that many changes
// near each other do not move the whole text each time.
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

// replace puts text in the place of what is from i to j.
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

// A change says what became of the text from start to end. Old text that is in
// none of the pieces is gone.
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

// A draft is a text that is being edited, with all changes that were made, so
// that places in earlier texts can be found in it.
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

// skipSizes are how many changes can be skipped at once, where they did not touch
// what is looked for.
var skipSizes = [...]int{32, 32 * 32, 32 * 32 * 32}

// A skip says what became of the text around some changes in a row: what was before
// lo is where it was, and what was behind hi has moved with hi, to now.
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

// follow returns where what was at offset is after the changes from n to upto.
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

// stillValid reports whether src, the text with all changes, has no syntax errors. It
// parses only what is between the blocks that are as they were. If it reports false,
// that tells nothing.
func (e *Editor) stillValid(src []byte) bool {
	if e.f.syntax == JSONSyntax || len(e.f.body.Arguments) > 0 || bytes.Contains(src, []byte("\uFEFF")) || len(src) > math.MaxInt32 {
		return false
	}
	// Text that is in the file from one block to the next one is valid by itself,
	// wherever it is now.
	at := 0
	known := e.f.segments()
	for i := 0; i < len(known); i++ {
		if bytes.HasPrefix(src[at:], known[i]) {
			at += len(known[i])
			continue
		}
		n, next := nextSegment(src[at:], known[i:])
		if n < 0 || !e.f.validPiece(src[at:at+n]) {
			return false
		}
		at, i = at+n, i+next-1
	}
	return e.f.validPiece(src[at:])
}

// segments cuts the text at the lines where blocks begin.
func (f *File) segments() [][]byte {
	var out [][]byte
	from := 0
	for i := range f.body.Blocks {
		start := int(f.body.Blocks[i].entry.Start)
		line := bytes.LastIndexByte(f.src[from:start], '\n') + 1 + from
		if line > from && len(bytes.TrimLeft(f.src[line:start], " \t")) == 0 {
			out = append(out, f.src[from:line])
			from = line
		}
	}
	if bytes.HasSuffix(f.src, []byte("\n")) {
		out = append(out, f.src[from:])
	}
	return out
}

// nextSegment returns where one of the segments after the first one begins in src,
// and which one. It does not look far, and returns -1 if there is none.
func nextSegment(src []byte, known [][]byte) (at, which int) {
	const ahead = 8
	window := 4096 + 4*len(known[0])
	for i := 1; i < min(len(known), ahead); i++ {
		window += 4 * len(known[i])
		near := src[:min(len(src), window)]
		for from := 0; ; {
			n := bytes.Index(near[from:], known[i])
			if n < 0 {
				break
			}
			if from += n; from == 0 || src[from-1] == '\n' {
				return from, i
			}
			from++
		}
	}
	return -1, 0
}

// validPiece reports whether src has whole lines with blocks, as a part of f.
func (f *File) validPiece(src []byte) bool {
	piece := f.lateFile(src)
	piece.late = false
	piece.body.spec = hcllang.Ignored
	piece.readNative()
	return piece.err == nil && len(piece.body.Arguments) == 0
}

// lineStart returns where the line of offset begins.
func (d *draft) lineStart(offset int) int {
	for offset > 0 && d.text.at(offset-1) != '\n' {
		offset--
	}
	return offset
}

// lineEnd returns where the line of offset ends, behind its line break.
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
