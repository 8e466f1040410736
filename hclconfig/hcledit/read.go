// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// This file has the text as it is now, read again for who asks for it.

// Body returns the content of a block as it is now, with all edits so far, or that of the file if in is nil. It
// returns nil if the block is gone, or after an error.
//
// If there were edits since the last time, it parses the text again: for a block, only the block of the file that it
// is in. That is then a file of its own, from which the places in the result count.
func (e *Editor) Body(in *hclconfig.Block) *hclconfig.Body {
	if e == nil || e.f == nil || e.err != nil {
		return nil
	}
	if in == nil {
		if f, err := e.current(); err == nil {
			return f.Body()
		}
		return nil
	}
	if e.doc != nil {
		return e.json().bodyJSON(in)
	}
	e.long().layOutAll()
	at, _, ok := e.place(in.File(), entryOf(in))
	if !ok {
		return nil
	}
	if f, from := e.readAround(in, at); f != nil {
		if b := blockAt(f.Body(), at-from); b != nil {
			return &b.Body
		}
	}
	return nil
}

// readAround returns the block of the file that is around in, which is now at offset at, as a file
// that begins at from. It reads all of the text if that block may be in another one by now.
func (e *Editor) readAround(in *hclconfig.Block, at int) (f *hclconfig.File, from int) {
	f, start, _ := in.Place()
	// A file with arguments of its own is one long block, which is read as a whole. Where the text has
	// been read as it is now, that serves all.
	if top := blockBefore(f.Body(), start+1); e.now == nil && len(f.Body().Arguments) == 0 && e.version(f).changes >= e.sunk {
		from, to, _, ok := e.find(f, entryOf(top))
		if ok && from <= at && at < to {
			if r := e.long().parseText(from, string(e.d.slice(from, to))); r != nil {
				r.since.base = from
				e.versions[r.file] = r.since
				return r.file, from
			}
		}
	}
	f, _ = e.current()
	return f, 0
}

// inText returns the text as it is now, and where what was read at a place of a file is in it, if that
// file was only a block of the text.
func (e *Editor) inText(f *hclconfig.File, at textspan.Span) (*hclconfig.File, int) {
	if !e.isPiece(f) {
		return f, int(at.Start)
	}
	now, err := e.current()
	start, _, _, ok := e.find(f, at)
	if e.doc != nil && ok {
		s, _, _ := e.doc.find(f, at)
		start = int(s.n.span().Start) + s.from
	}
	if err != nil || !ok {
		return e.f, -1
	}
	return now, start
}

// isPiece reports whether a file that was read is one block of the text. A block at the very beginning
// has the same places in both, so it need not count as one.
func (e *Editor) isPiece(f *hclconfig.File) bool {
	if e.doc != nil {
		r := e.doc.readings[f]
		return r != nil && r.piece
	}
	v := e.version(f)
	return v != nil && v.base > 0
}

// bodyJSON is Body for a block of a JSON file.
func (e *jsonEditor) bodyJSON(in *hclconfig.Block) *hclconfig.Body {
	n, ok := e.bodyNode(in)
	if !ok {
		return nil
	}
	f := e.now
	if f == nil {
		if b := e.readPiece(n); b != nil {
			return &b.Body
		}
		f = e.editor().fileNow()
	}
	if f == nil {
		return nil
	}
	if b, _ := blockAround(f.Body(), n.span()); b != nil {
		return &b.Body
	}
	return nil
}

// readPiece reads the block whose body is n, with the types around it, which say what it is. It returns
// nil for a body in pieces: what they are depends on the array around.
func (e *jsonEditor) readPiece(n *node) *hclconfig.Block {
	text, start := n.String(), 0
	size := len(text)
	for k := n; k.up != nil; k = k.up {
		if k.up.kind == propertyNode {
			head := "{" + k.up.kids[0].text + ":"
			text, start = head+text+"}", start+len(head)
		}
	}
	e.parsed += len(text)
	f, err := hclconfig.ParseJSON(e.f.Filename(), []byte(text), e.f.Dialect())
	if err != nil {
		return nil
	}
	r := &reading{src: text, piece: true}
	n.places(r, start, -1)
	e.doc.readings[f] = r
	b, _ := blockAround(f.Body(), textspan.Of(int32(start), int32(start+size)))
	return b
}
