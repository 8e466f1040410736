// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"slices"
)

// This file has the text of a native file that is edited. See mark.go for how a part of an earlier text is found
// in it.

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
	inner    inner
	guest    *piece // what comes from another draft
}

// An inner is the part of an old text that the new text, which replaces it, has again:
// x in f(x). Who held x before the call came around it can still edit it.
type inner struct {
	from, to int // of the old text; empty if there is none
	at       int // where it is in the new text of the piece
}

// replacedAround is replaced for a text that has a part of the old one again.
func replacedAround(from, to int, text string, in inner) textPiece {
	return textPiece{from: from, to: to, text: text, replaced: true, inner: in}
}

func kept(from, to int) textPiece { return textPiece{from: from, to: to} }

func replaced(from, to int, text string) textPiece {
	return replacedAround(from, to, text, inner{})
}

func added(text string) textPiece { return textPiece{from: 0, to: -1, text: text} }

// isKept reports whether the piece is old text.
func (p *textPiece) isKept() bool { return p.to >= p.from && !p.replaced }

// A buffer is text that came into a draft at once. It never changes.
type buffer struct {
	text   []byte
	pieces []*piece // in its order, wherever they are now
}

// A piece is a part of a buffer. The pieces of a draft are in a tree, which is one of search by their order in the text,
// and a heap by rank: that looks like chance, and so the tree is never deep.
type piece struct {
	mark            // of its first byte
	size            int
	all             int // the size of it and of what is below
	rank            uint32
	up, left, right *piece
	heir            *heir      // that begins with it
	tombstone       *tombstone // that it is in, if it was replaced
	at              int        // where in that
}

func newPiece(m mark, size int, rank uint32) *piece {
	return &piece{mark: m, size: size, all: size, rank: rank}
}

// newText returns a piece that is all of a text.
func newText(text []byte, rank uint32) *piece {
	b := &buffer{text: text}
	b.pieces = []*piece{newPiece(mark{b, 0}, len(text), rank)}
	return b.pieces[0]
}

// total returns the size of a tree.
func (p *piece) total() int {
	if p == nil {
		return 0
	}
	return p.all
}

// join makes two trees what is before and behind a piece.
func (p *piece) join(left, right *piece) *piece {
	p.up, p.left, p.right, p.all = nil, left, right, left.total()+p.size+right.total()
	if left != nil {
		left.up = p
	}
	if right != nil {
		right.up = p
	}
	return p
}

// merge makes one tree of two, the one before the other.
func merge(a, b *piece) *piece {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.rank > b.rank:
		return a.join(a.left, merge(a.right, b))
	}
	return b.join(merge(a, b.left), b.right)
}

// split makes two trees of one. The first gets that many bytes, and the piece that goes on in the second is cut.
func split(p *piece, size int) (a, b *piece) {
	if p == nil {
		return nil, nil
	}
	left, right := p.left, p.right
	switch n := size - left.total(); {
	case n <= 0:
		a, b = split(left, size)
		return a, p.join(b, right)
	case n >= p.size:
		a, b = split(right, n-p.size)
		return p.join(left, a), b
	default:
		rest := newPiece(p.plus(n), p.size-n, scatter(p.rank))
		p.size = n
		p.of.pieces = slices.Insert(p.of.pieces, p.of.index(p.n)+1, rest)
		return p.join(left, nil), merge(rest, right)
	}
}

// locate returns the piece of a tree that the byte at offset is in, and where that begins.
func (p *piece) locate(offset int) (*piece, int) {
	for at := 0; ; {
		switch begin := at + p.left.total(); {
		case offset < begin:
			p = p.left
		case offset < begin+p.size:
			return p, begin
		default:
			p, at = p.right, begin+p.size
		}
	}
}

// A draft is a text that is being edited.
type draft struct {
	root    *piece
	first   *snapshot
	changes int // how many there were
	ranks   uint32
	steps   int // how many pieces were looked at, for tests
	laidOut int // how many bytes were laid out as fmt does, for tests
}

// newDraft returns a draft of a text, in buffers of that size. One that is cut into thousands of pieces would be slow. A
// line break stands before and behind the text, so that there is always a byte next to a place.
func newDraft(src []byte, size int) *draft {
	d := &draft{}
	d.root = newText([]byte("\n"), d.rank())
	for text := range slices.Chunk(src, size) {
		d.root = merge(d.root, newText(text, d.rank()))
	}
	d.root = merge(d.root, newText([]byte("\n"), d.rank()))
	d.first = d.snap(0, len(src))
	return d
}

// scatter returns a number that looks like chance, and is another one for each n.
func scatter(n uint32) uint32 {
	n = (n ^ n>>16) * 0x7feb352d
	n = (n ^ n>>15) * 0x846ca68b
	return n ^ n>>16 + 1
}

// rank returns that of the next text. It is no real chance, so that equal edits take equal steps.
func (d *draft) rank() uint32 {
	d.ranks++
	return scatter(d.ranks)
}

func (d *draft) len() int { return d.root.all - 2 }

// locate returns the piece that the byte at offset is in, and where that begins.
func (d *draft) locate(offset int) (p *piece, at int) {
	p, at = d.root.locate(offset + 1)
	return p, at - 1
}

// place returns where a piece begins, if it is in the text.
func (d *draft) place(p *piece) (int, bool) {
	at := p.left.total() - 1
	for ; p.up != nil; p = p.up {
		if d.steps++; p == p.up.right {
			at += p.up.left.total() + p.up.size
		}
	}
	return at, p == d.root
}

// rewrite replaces the text from start to end by pieces. It returns what has no place any more.
func (d *draft) rewrite(start, end int, pieces ...textPiece) (gone *piece) {
	d.changes++
	text, rest := split(d.root, start+1)
	gone, rest = split(rest, end-start)
	var later []func()
	for i := range pieces {
		p, at := &pieces[i], text.all-1
		moved := p.guest
		if p.to > p.from {
			before, behind := split(gone, p.from-start)
			moved, behind = split(behind, p.to-p.from)
			// The others keep their places in the old text.
			gone = merge(merge(before, newPiece(mark{}, p.to-p.from, d.rank())), behind)
		}
		if p.isKept() || p.guest != nil {
			text = merge(text, moved)
			continue
		}
		fresh := newText([]byte(p.text), d.rank())
		if moved != nil {
			s := d.forward(moved, p, fresh)
			later = append(later, func() { s.first, s.last = d.mark(at), d.mark(at+fresh.size-1) })
		}
		if fresh.size > 0 {
			text = merge(text, fresh)
		}
	}
	d.root = merge(text, rest)
	for _, f := range later {
		f()
	}
	return gone
}

// slice returns the text from i to j.
func (d *draft) slice(i, j int) []byte {
	p, at := d.locate(i)
	if j <= at+p.size {
		return p.of.text[p.n+i-at : p.n+j-at : p.n+j-at]
	}
	out := make([]byte, 0, j-i)
	for from := i; ; p, at = d.locate(from) {
		if out = append(out, p.of.text[p.n+from-at:p.n+min(p.size, j-at)]...); len(out) == j-i {
			return out
		}
		from = at + p.size
	}
}

// at returns the byte at offset i.
func (d *draft) at(i int) byte { return d.slice(i, i+1)[0] }

// newline returns how the text ends its lines, by the first one.
//
// A file with both kinds of line breaks gets those of its first line. To ask the lines
// next to each edit would cost more, and no other answer is better for such a file.
func (d *draft) newline() string {
	if i := d.lineEnd(0); i > 1 && string(d.slice(i-2, i)) == "\r\n" {
		return "\r\n"
	}
	return "\n"
}

// lineStart returns where the line of offset begins.
func (d *draft) lineStart(offset int) int {
	for {
		p, at := d.locate(offset - 1)
		if n := bytes.LastIndexByte(p.of.text[p.n:p.n+offset-at], '\n'); n >= 0 {
			return at + n + 1
		}
		offset = at
	}
}

// lineEnd returns the end of the line of offset, after its line break.
func (d *draft) lineEnd(offset int) int {
	for {
		p, at := d.locate(offset)
		if n := bytes.IndexByte(p.of.text[p.n+offset-at:p.n+p.size], '\n'); n >= 0 {
			return min(offset+n+1, d.len())
		}
		offset = at + p.size
	}
}

// hasMark reports whether the text begins with a byte order mark.
func (d *draft) hasMark() bool {
	return string(d.slice(0, min(len(bom), d.len()))) == bom
}

// indentAt returns the white space that the line of offset begins with.
func (d *draft) indentAt(offset int) string {
	start := d.lineStart(offset)
	end := start
	for n := d.len(); end < n && (d.at(end) == ' ' || d.at(end) == '\t'); {
		end++
	}
	return string(d.slice(start, end))
}

func isSpaceJSON(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
