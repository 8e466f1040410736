// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// This file has regions, which edits in native syntax read and change. Each edit goes
// the same way:
//
//  1. A prepare function of longEditor finds the window of the edit, if it is in a long
//     block that is known. That comes first because it may lay out lines, and so moves
//     what is asked for next.
//  2. Editor.place finds where the part is now.
//  3. nativeEditor.regionAt reads the text around: the window, or the whole block of the
//     file. HCL has no parser for less than a body.
//  4. The edit finds the pieces of the new text in the syntax tree of the region, and
//     makes one change of them. Then the places in the region are those of an old text.
//  5. nativeEditor.layoutAfter compares the lines before and after, and lays out those
//     that fmt would. A window is read again instead, and laid out in the end.

// A nativeEditor makes the edits of an Editor in native syntax. It reads the text around an edit,
// changes it, and lays it out.
type nativeEditor Editor

func (e *nativeEditor) editor() *Editor { return (*Editor)(e) }

func (e *nativeEditor) long() *longEditor { return (*longEditor)(e) }

// A region is the piece of the text that an edit is about, usually a block of
// the file with all that is in it, parsed by itself. Places in it count from its
// beginning.
type region struct {
	start, end int
	text       string
	file       *hclconfig.File
	since      *snapshot // the marks of it
	outside    bool      // whole blocks come or go in it: only the lines around them may have a new layout
	top        int       // a place in it that is in no block
	last       bool      // it reaches to the end of the text
	// The lines above and below it whose comments fmt aligns with its own.
	above, below string
	win          *windowOf // it is a part of a long block
	fine         bool      // small kids are read too
}

// regionOf returns the region that b is in, and b as it is now.
func (e *nativeEditor) regionOf(b *hclconfig.Block, start int) (*region, *hclconfig.Block) {
	r := e.regionAt(b.File(), int(entryOf(b).Start), start, start)
	if r == nil {
		return nil, nil
	}
	now := blockAt(r.file.Body(), start-r.start)
	if now == nil {
		e.editor().failf(b.File(), placeOf(b.TypeRange()), "it was removed by an earlier edit: take what is there from Body")
		return nil, nil
	}
	return r, now
}

// regionAt returns the region around the text that was at offset in f and is
// now from start to end.
func (e *nativeEditor) regionAt(f *hclconfig.File, offset, start, end int) *region {
	if e.window.knows(e.editor(), start, end) {
		return e.window
	}
	// The block of the file as it was read is asked first. It is nearly always still
	// there, with the part in it, and then nothing else of the file has to be parsed.
	if b := blockBefore(f.Body(), offset+1); b != nil && len(f.Body().Arguments) == 0 {
		if s, t, _, ok := e.editor().find(f, entryOf(b)); ok && s <= start && end <= t {
			// This edit reads the block as a whole and writes into it, so what was
			// known of its lines may not be so afterwards.
			e.long().forget(s)
			return e.parseRegion(s, t)
		}
	}
	e.long().forgetAll()
	// It has moved elsewhere, or is outside of all blocks.
	now := e.editor().fileNow()
	if now == nil {
		return nil
	}
	if b := blockBefore(now.Body(), start+1); b != nil && int(entryOf(b).End) >= end {
		return e.parseRegion(offsets(entryOf(b)))
	}
	return e.parseRegion(0, e.d.len())
}

// read returns the text from start to end, which is not parsed.
func (d *draft) read(start, end int) *region {
	r := &region{start: start, end: end, text: string(d.slice(start, end)), above: d.chainAbove(start), below: d.chainBelow(end)}
	r.since = d.snap(start-len(r.above), end+len(r.below))
	return r
}

// parseRegion parses the text from start to end, with the rest of the last line.
func (e *nativeEditor) parseRegion(start, end int) *region {
	if end > start && e.d.at(end-1) != '\n' {
		// What follows the block on its last line is laid out with it.
		end = e.d.lineEnd(end)
	}
	r := e.d.read(start, end)
	r.last = start == 0 && end == e.d.len() // all of it, also if its first or last line goes
	var err error
	r.file, err = hclconfig.ParseNative(e.f.Filename(), []byte(r.text), e.f.Dialect())
	e.parsed += end - start
	if err != nil {
		e.editor().failf(nil, textspan.Span{}, "the result would not be valid: %v", errors.Unwrap(err))
		return nil
	}
	return r
}

// A row is an argument, a nested block, an element of a list or an item of an
// object, with its text in the lines around, such as comments.
type row struct {
	start, end int // the thing itself
	lead       int // where the comments directly above begin, or the line
	line       int // where its line begins
	after      int // after its last line
	alone      bool
	name       string
	isBlock    bool
}

// rows returns the content of a body, in order.
func (r *region) rows(b *hclconfig.Body) []row {
	var out []row
	eachPart(b, func(a *hclconfig.Argument, n *hclconfig.Block) {
		if a != nil {
			out = append(out, row{start: int(nameOf(a).Start), end: int(spanOf(a.Expression).End), name: a.Name})
		} else {
			out = append(out, row{start: int(entryOf(n).Start), end: int(entryOf(n).End), name: n.Type, isBlock: true})
		}
	})
	from := 0
	if b != r.file.Body() {
		// The rest of the line of the brace belongs to the block.
		from = lineEndAt(r.text, int(placeOf(b.Range()).Start)+1)
	}
	for i := range out {
		out[i].measure(r.text, from)
		from = out[i].after
	}
	return out
}

// measure finds the lines of the row. Text before from is not part of it. A comment belongs to the row
// if no blank line is between the two: with a blank line it is a heading, or about nothing that is there.
func (w *row) measure(text string, from int) {
	w.line = lineOf(text, w.start)
	w.after = lineEndAt(text, w.end)
	if endsComment(text[w.line:w.start]) {
		// The line begins in a comment, which begins on a line further up.
		for _, n := range commentsIn(text, from, w.start) {
			if n.start < w.line && w.line < n.end {
				w.line = lineOf(text, n.start)
			}
		}
	}
	w.alone = w.line >= from && isInlineOnly(text[w.line:w.start]) && restIsComment(text[w.end:w.after])
	w.lead = w.line
	if !w.alone {
		w.lead = w.start
		return
	}
	notes := commentsIn(text, from, w.line)
	for i := len(notes) - 1; i >= 0; i-- {
		n := notes[i]
		line := lineOf(text, n.start)
		// A comment behind the part above is on a line with that.
		if strings.Count(text[n.end:max(n.end, w.lead)], "\n") > 1 || line < from || !isInlineOnly(text[line:n.start]) {
			break
		}
		w.lead = line
	}
}

// endsComment reports whether a comment ends in s, the beginning of a line, that begins
// on a line above.
func endsComment(s string) bool {
	shut := strings.Index(s, "*/")
	return shut >= 0 && !strings.Contains(s[:shut], "/*")
}

// indent returns the white space that the line of the row begins with.
func (w *row) indent(text string) string { return leading(text[w.line:w.start]) }

// openBody makes sure that the body of a block is written over several lines. HCL allows one
// argument, and no block, in a body on one line.
func (e *nativeEditor) openBody(r *region, b *hclconfig.Block, o editOptions) (*region, *hclconfig.Block) {
	open, shut := int(placeOf(b.Body.Range()).Start), int(placeOf(b.Body.Range()).End)-1
	// The brace that closes it has a line of its own.
	if line := strings.LastIndexByte(r.text[:shut], '\n') + 1; line > open && strings.TrimSpace(r.text[line:shut]) == "" {
		return r, b
	}
	outer := e.d.indentAt(r.start + int(entryOf(b).Start))
	content := strings.Trim(r.text[open+1:shut], " \t")
	from := open + 1 + strings.Index(r.text[open+1:shut], content)
	to := from + len(content)
	pieces := []textPiece{added(e.editor().nl())}
	if content != "" {
		// The content is kept and not written anew: it may be what the edit is about.
		pieces = append(pieces, added(outer+unit), kept(r.start+from, r.start+to), added(e.editor().nl()))
	}
	clean := content == "" || isClean(r.text[strings.LastIndexByte(r.text[:open], '\n')+1:shut+1], outer)
	e.editor().rewrite(r.start+open+1, r.start+shut, append(pieces, added(outer))...)
	if !clean {
		// What is in the block stays as it is, further to the right.
		o.keepLayout = true
		if i := strings.IndexByte(content, '\n') + 1; i > 0 {
			at := r.start + open + 1 + len(e.editor().nl()+outer+unit)
			e.reindent(at+i, len(content)-i, outer, outer+unit)
		}
	}
	e.layoutAfter(r, o) // comments around lose the one of this line, or get it
	start, end, _ := e.d.find(r.since, r.start, r.end)
	at, _ := e.d.begins(r.since.mark(r.start + int(entryOf(b).Start)))
	if r.win != nil {
		_, c, i := e.long().kidAround(r.win.of, at, at)
		if c == nil {
			return nil, nil
		}
		e.window = e.long().openWindow(windowOf{of: r.win.of, in: c, lo: i, hi: i})
		if e.window == nil {
			return nil, nil
		}
		return e.window, blockAt(e.window.file.Body(), at-e.window.start)
	}
	now := e.parseRegion(start, end)
	if now == nil {
		return nil, nil
	}
	return now, blockAt(now.file.Body(), at-start)
}

// isClean reports whether lines with that indentation have the layout of fmt.
func isClean(text, indent string) bool {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, indent)
	}
	return slices.Equal(formatted(lines, 0), lines)
}

// argumentAt returns the argument whose expression offset is in.
func (r *region) argumentAt(offset int) *hclconfig.Argument {
	b := r.file.Body()
	for {
		i := sort.Search(len(b.Arguments), func(i int) bool { return int(nameOf(&b.Arguments[i]).Start) > offset }) - 1
		if i >= 0 && offset < int(spanOf(b.Arguments[i].Expression).End) {
			return &b.Arguments[i]
		}
		in := blockBefore(b, offset+1)
		if in == nil || offset >= int(entryOf(in).End) {
			return nil
		}
		b = &in.Body
	}
}

// bodyIn returns the region that a block is in, with the block and its content.
//
// Arguments of the file itself are in no block, so the region is all of the text. In a
// window there is no block: its stand-ins have no header.
func (e *nativeEditor) bodyIn(in *hclconfig.Block, start int) (*region, *hclconfig.Block, *hclconfig.Body) {
	if in != nil {
		if r := e.long().windowNow(); r != nil && r.win.in.isBlock && r.win.in.start == start {
			return r, nil, r.file.Body()
		}
		r, b := e.regionOf(in, start)
		if b == nil {
			return nil, nil, nil
		}
		return r, b, &b.Body
	}
	if r := e.long().windowNow(); r != nil && r.win.in.isFile {
		return r, nil, r.file.Body()
	}
	e.long().forgetAll()
	r := e.parseRegion(0, e.d.len())
	if r == nil {
		return nil, nil, nil
	}
	return r, nil, r.file.Body()
}
