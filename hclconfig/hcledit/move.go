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

// This file adds and moves blocks and arguments in native syntax. What moves keeps its text
// and its comments, and the parts in it stay valid, because the change has the old text as
// a piece: a move is not a removal and an addition. Only the indentation is that of the
// new place, and the layout of fmt there, if the lines had it before.

// addNative adds a block to the content of in, or to the file.
func (e *nativeEditor) addNative(in *hclconfig.Block, block *BlockBuilder, o editOptions) {
	text, err := block.native(e.editor().blockSpecIn(in))
	if e.editor().failsIn(in, err) {
		return
	}
	r, at, indent, ok := e.blockPlace(in, block.typ, o)
	if !ok {
		return
	}
	text = indent + formatNative(text, indent, e.editor().nl()) + e.editor().nl()
	above, below := e.d.pads(at)
	above = e.d.spaceAbove(at, above, o)
	if r == nil {
		r = e.linesAround(at, at)
	}
	e.editor().rewrite(at, at, added(above+text+below))
	e.layoutAfter(r, o)
}

// blockPlace returns where in the text a block of that type goes: the beginning of
// a line, and the indentation there.
func (e *nativeEditor) blockPlace(in *hclconfig.Block, typ string, o editOptions) (r *region, at int, indent string, ok bool) {
	if in == nil {
		at, ok = e.topPlace(o)
		return nil, at, "", ok
	}
	start, _, ok := e.editor().placeBlock(in)
	if !ok {
		return nil, 0, "", false
	}
	r, b, body := e.bodyIn(in, start)
	if body == nil {
		return nil, 0, "", false
	}
	if b == nil {
		at, indent, _ = r.placeInWindow(e.editor())
		return r, at + r.start, indent, e.err == nil
	}
	if r, b = e.openBody(r, b, o); b == nil {
		return nil, 0, "", false
	}
	rows := r.rows(&b.Body)
	indent = e.d.indentIn(r, b, rows)
	i, where := blockSlot(len(rows), rowItem(rows), b.Type, typ)
	top, bottom := r.linesOf(b)
	at, ok = e.lineFor(r, rows, o, i, where, top, bottom)
	return r, at + r.start, indent, ok
}

// topPlace returns where a block goes that is in no other.
func (e *nativeEditor) topPlace(o editOptions) (int, bool) {
	n := e.d.len()
	switch o.where {
	case whereBefore, whereAfter:
		p := o.part
		if name, ok := p.(Named); ok {
			now := e.editor().fileNow()
			if now == nil {
				return 0, false
			}
			b := now.Body().Block(string(name))
			if b == nil {
				e.editor().failf(nil, textspan.Span{}, "there is nothing named %q to go next to: use First or Last", string(name))
				return 0, false
			}
			p = b
		}
		start, end, ok := e.editor().placePart(p)
		if !ok {
			return 0, false
		}
		r, w := e.d.topRow(start, end)
		if o.where == whereBefore {
			return r.start + w.lead, true
		}
		return e.endLine(r.start + w.after), true
	case whereFirst:
		// A comment at the head of the file, such as a license, has a blank line below
		// it and stays the first thing: the block comes above the first one and the
		// comments of that.
		start, end, ok := e.firstBlock()
		if e.err != nil {
			return 0, false
		}
		if ok {
			r, w := e.d.topRow(start, end)
			return r.start + w.lead, true
		}
	}
	return e.endLine(n), true
}

// topArgumentPlace returns where a line for a new argument goes that is in no block,
// and the blank lines around it: after the other arguments, or at the end.
func (e *nativeEditor) topArgumentPlace(r *region, o editOptions) (at int, above, below string, ok bool) {
	rows := r.rows(r.file.Body())
	if r.win != nil {
		at, _, _ = r.placeInWindow(e.editor())
		ok = e.err == nil
	} else {
		i, where := argumentSlot(len(rows), rowItem(rows), "", "")
		at, ok = e.lineFor(r, rows, o, i, where, len(r.text), len(r.text))
	}
	if !ok {
		return 0, "", "", false
	}
	above, below = e.d.pads(r.start + at)
	for _, w := range rows {
		switch {
		case w.isBlock:
		// Arguments next to each other are a group, and need no blank line between
		// them. A block next to one does.
		case w.after == at:
			above = ""
		case w.lead == at:
			below = ""
		}
	}
	// A file does not begin with a blank line.
	if r.start == 0 && strings.TrimSpace(r.text[:at]) == "" {
		above = ""
	}
	return e.endLine(r.start + at), above, below, true
}

// Move moves a block or an argument with its comments: within its body, to
// another block, or with [Into] to another file, where it gets the place that
// [Editor.Set] or [Editor.Add] would give it. Elements of lists and items of
// objects move within their list or object, to the end unless an option names
// another place. Both files must have the same syntax.
func (e *Editor) Move(p Part, opts ...MoveOption) *Editor {
	o := with(e, opts)
	to := e
	if o.to != nil {
		to = o.to
	}
	if a, ok := p.(*hclconfig.Argument); p != nil && !(ok && a == nil) && e.native().moveLong(p, to, o) {
		return e
	}
	// From here on lines are compared with the layout of fmt, so none may be left that
	// is still to get it.
	e.long().layOutAll()
	to.long().layOutAll()
	start, end, ok := e.placePart(p)
	if !ok {
		return e
	}
	if to.err != nil {
		e.err = to.err
		return e
	}
	// The text moves as it is, with its comments, and those of native syntax have no
	// place in JSON.
	if to.f.Syntax() != e.f.Syntax() {
		e.failf(nil, textspan.Span{}, "a file of the other syntax cannot take it: use Set or Add there, with the Expression or a BlockBuilder, and Delete here")
		return e
	}
	b, isBlock := p.(*hclconfig.Block)
	_, isArgument := p.(*hclconfig.Argument)
	switch {
	case !isBlock && !isArgument:
		e.native().moveElement(p, start, end, o)
	case e.f.Syntax() == hclconfig.JSONSyntax && isBlock:
		e.json().moveBlockJSON(b, to, o)
	case e.f.Syntax() == hclconfig.JSONSyntax:
		e.json().moveArgumentJSON(p.(*hclconfig.Argument), to, o)
	default:
		e.native().moveNative(p, to, o)
	}
	return e
}

// moveNative moves a block or an argument.
func (e *nativeEditor) moveNative(p Part, to *Editor, o editOptions) {
	// The place where it goes to comes first: to write a block on one line over several lines may
	// move what is to be moved.
	d, ok := e.destinationOf(p, to, o)
	if !ok {
		e.editor().takeError(to)
		return
	}
	start, end, ok := e.editor().placePart(p)
	if !ok {
		return
	}
	open := e.d.endsOpen()
	if r, w, ok := e.ownRow(p, start, end); ok {
		e.moveRow(p, r, w, to, d, o)
	}
	e.leaveEndOpen(open)
}

// moveRow moves the row w of r, which is a block or an argument.
func (e *nativeEditor) moveRow(p Part, r *region, w row, to *Editor, d destination, o editOptions) {
	f, s := spot(p)
	r2, at, indent := d.r, d.at, d.indent
	if !w.alone {
		if d.isBlock {
			e.editor().failf(f, s, "it shares its lines with something else: use Add there, and Delete here")
			return
		}
		e.moveInline(r, w, to, d, o)
		return
	}
	lead := w.lead
	if o.keepComments {
		lead = w.line
	}
	cutFrom, cutTo := blankAround(r.text, lead, w.after)
	old := w.indent(r.text)
	lead, after, cutFrom, cutTo := lead+r.start, w.after+r.start, cutFrom+r.start, cutTo+r.start
	// Its new place is the old one, or among the blank lines around that.
	if to == e.editor() && at >= cutFrom && at <= cutTo {
		return // it is there
	}
	if e.d.at(after-1) != '\n' {
		// The last line of the file has no end yet.
		e.endLine(after)
		if to == e.editor() && at >= after {
			at += len(e.editor().nl())
		}
		after += len(e.editor().nl())
		cutTo = max(cutTo, after)
	}
	above, below := "", ""
	if d.isBlock {
		above, below = to.d.pads(at)
	}
	above = to.d.spaceAbove(at, above, o)
	var had []bool
	if r.file == nil {
		// A block that is in no other is not parsed. Which of its lines have the layout
		// of fmt can be asked here only, where their old neighbours are still next to
		// them.
		had = e.d.cleanLines(lead, after)
		r = e.linesAround(cutFrom, cutTo)
	}
	if r2 == nil {
		r2 = to.native().linesAround(at, at)
	}
	at = e.carry(to, at, extent{lead, after}, extent{cutFrom, cutTo}, above, below)
	// From now on a part of an earlier file may be in another block than the one that
	// it was read in, so that this has to be looked up. What came from another editor says
	// itself where it is.
	if to != e.editor() {
		if to.sunk = max(to.sunk, e.sunk); d.target != nil {
			to.sunk = to.d.changes
		}
	} else if !e.editor().isAsRead(f) || around(f.Body(), int(s.Start)) != d.target {
		if to.nested = to.d.changes; d.isBlock {
			to.sunk = to.nested
		}
	}
	to.native().reindent(at+len(above), after-lead, old, indent)
	to.native().layoutLines(at+len(above), had)
	switch {
	case d.within != nil:
		e.long().moved(r.win.of, d.within, d.kid, d.slot)
		return
	case to != e.editor() || r2 != r:
		e.layoutAfter(r, o)
	}
	to.native().layoutAfter(r2, o)
	e.editor().takeError(to)
}

// carry takes some text out of what is cut, and puts it between two others at an offset of the text
// of an editor. It returns where that is then.
func (e *nativeEditor) carry(to *Editor, at int, text, cut extent, before, behind string) int {
	e.editor().rewrite(text.end, cut.end)
	// Who holds a part of the text can still edit it, because its pieces move.
	moved := textPiece{to: -1, guest: e.editor().rewrite(text.start, text.end)}
	e.editor().rewrite(cut.start, text.start)
	if to != e.editor() {
		to.d.changes = max(to.d.changes, e.d.changes) // all changes of what comes are before those to come
		if !slices.Contains(to.guests, e.editor()) {
			to.guests = append(to.guests, e.editor())
		}
	} else if at > cut.start { // what was cut was above the new place
		at -= cut.end - cut.start
	}
	to.rewrite(at, at, added(before), moved, added(behind))
	return at
}

// A destination is where a block or an argument goes.
type destination struct {
	target  *hclconfig.Block // what it will be in, or nil for the file
	r       *region          // the text around, if it is parsed
	at      int              // the beginning of a line
	indent  string
	isBlock bool
	// within is what kid goes to slot of, if it stays there and that is in a long block.
	within    *kid
	kid, slot int
}

// destinationOf finds where p goes in the file of to.
func (e *nativeEditor) destinationOf(p Part, to *Editor, o editOptions) (d destination, ok bool) {
	if d.target, ok = e.targetOf(p, to, o); !ok {
		return d, false
	}
	switch q := p.(type) {
	case *hclconfig.Block:
		d.isBlock = true
		if q == d.target {
			e.editor().failf(q.File(), entryOf(q), "a block cannot move into itself: use Add and Delete")
			return d, false
		}
		d.r, d.at, d.indent, ok = to.native().blockPlace(d.target, q.Type, o)
	case *hclconfig.Argument:
		d.r, d.at, d.indent, ok = to.native().rowPlace(d.target, e.long().nameNow(q), p, o)
	}
	return d, ok
}

// moveInline moves an argument out of a block on one line to a line of its own.
func (e *nativeEditor) moveInline(r *region, w row, to *Editor, d destination, o editOptions) {
	from, end := r.inline(w)
	text := r.text[from:end]
	start, stop := r.start+from+len(text)-len(strings.TrimLeft(text, " \t")), r.start+from+len(strings.TrimRight(text, " \t"))
	from, end = from+r.start, end+r.start
	e.carry(to, d.at, extent{start, stop}, extent{from, end}, d.indent, to.nl())
	to.nested = to.d.changes
	e.layoutAfter(r, o)
	if d.r != nil && d.r != r {
		to.native().layoutAfter(d.r, o)
	}
	e.editor().takeError(to)
}

// ownRow returns the row of a block or an argument, and the text around.
func (e *nativeEditor) ownRow(p Part, start, end int) (*region, row, bool) {
	f, s := spot(p)
	if b, ok := p.(*hclconfig.Block); ok && around(b.File().Body(), int(entryOf(b).Start)) == nil {
		// It may have moved into a block.
		if e.editor().isAsRead(f) || e.isTop(start) {
			r, w := e.d.topRow(start, end)
			return r, w, true
		}
	}
	r := e.regionAt(f, int(s.Start), start, end)
	if r == nil {
		return nil, row{}, false
	}
	body := r.file.Body()
	if b := around(body, start-r.start); b != nil {
		body = &b.Body
	}
	for _, w := range r.rows(body) {
		if w.start == start-r.start {
			// It was read in a block, and is in none any more. Its comments and blank
			// lines are found as for any block of the file.
			if _, ok := p.(*hclconfig.Block); ok && body == r.file.Body() {
				r, w := e.d.topRow(start, end)
				return r, w, true
			}
			return r, w, true
		}
	}
	e.editor().failf(f, s, "it was removed by an earlier edit: take what is there from Body")
	return nil, row{}, false
}

// isTop reports whether the block that begins at offset is in no other.
func (e *nativeEditor) isTop(offset int) bool {
	f, err := e.editor().current()
	return err == nil && around(f.Body(), offset) == nil
}

// targetOf returns the block whose content p moves to, or nil for the file.
//
// Without Into it stays in its body, or goes next to the part that the options name, in
// the body of that. A part of an earlier file may be in another block by now, and then
// only the text says in which.
func (e *nativeEditor) targetOf(p Part, to *Editor, o editOptions) (*hclconfig.Block, bool) {
	if o.hasInto {
		return o.into, true
	}
	q := p
	if o.where == whereBefore || o.where == whereAfter {
		if _, named := o.part.(Named); !named {
			q = o.part
		}
	}
	start, _, ok := to.placePart(q)
	if !ok {
		e.editor().takeError(to)
		return nil, false
	}
	if f, s := spot(q); to.isAsRead(f) {
		return around(f.Body(), int(s.Start)), true
	}
	now, err := to.current()
	if e.editor().fails(nil, textspan.Span{}, err) {
		return nil, false
	}
	return around(now.Body(), start), true
}

// rowPlace returns where an argument goes in the content of a block, or in no block.
func (e *nativeEditor) rowPlace(in *hclconfig.Block, name string, p Part, o editOptions) (r *region, at int, indent string, ok bool) {
	start, ok := e.editor().placeBody(in)
	if !ok {
		return nil, 0, "", false
	}
	r, b, body := e.bodyIn(in, start)
	if body == nil {
		return nil, 0, "", false
	}
	if a := body.Argument(name); a != nil {
		// The argument of that name may be the one that moves.
		if from, _, _, ok := e.editor().findPart(p); !ok || from != r.start+int(nameOf(a).Start) {
			f, head := headOf(in)
			e.editor().failf(f, head, "there is already an argument %q: use Remove first, or Set", name)
			return nil, 0, "", false
		}
	}
	if in != nil {
		r, at, indent, _, ok = e.argumentLine(r, b, name, o)
		return r, at, indent, ok
	}
	at, _, below, ok := e.topArgumentPlace(r, o)
	// The block below keeps a blank line above it.
	if ok && below != "" {
		e.editor().rewrite(at, at, added(below))
	}
	return r, at, "", ok
}

// argumentLine returns where a line for an argument goes in the body of b, or in a window if b is
// nil. It reports whether the line is before a block with which the body begins: then a blank line
// comes between.
func (e *nativeEditor) argumentLine(r *region, b *hclconfig.Block, name string, o editOptions) (now *region, at int, indent string, before, ok bool) {
	if b == nil {
		at, indent, first := r.placeInWindow(e.editor())
		return r, at + r.start, indent, o.where == whereDefault && r.win.at == beforeFirstKid && first.isBlock, e.err == nil
	}
	if r, b = e.openBody(r, b, o); b == nil {
		return nil, 0, "", false, false
	}
	rows := r.rows(&b.Body)
	indent = e.d.indentIn(r, b, rows)
	before = o.where == whereDefault
	// The argument that moves is no neighbour of its new place.
	rows = slices.DeleteFunc(rows, func(w row) bool { return w.name == name && !w.isBlock && before })
	i, where := argumentSlot(len(rows), rowItem(rows), b.Type, name)
	top, bottom := r.linesOf(b)
	at, ok = e.lineFor(r, rows, o, i, where, top, bottom)
	return r, r.start + at, indent, before && beforeFirstBlock(rows, at), ok
}

// setNative sets an argument of a block, which begins at start, or of the file.
func (e *nativeEditor) setNative(in *hclconfig.Block, start int, name string, v Value, o editOptions) {
	r, b, body := e.bodyIn(in, start)
	if body == nil {
		return
	}
	f, head := headOf(in)
	kind, err := argKind(e.editor().specIn(in), name)
	if e.editor().fails(f, head, err) {
		return
	}
	if a := body.Argument(name); a != nil {
		old := target{f, head, kind}
		if in != nil && in.Argument(name) != nil {
			// An error is best shown at the old value.
			old.at = spanOf(in.Argument(name).Expression)
		}
		s, t := offsets(spanOf(a.Expression))
		e.replaceIn(r, old, s+r.start, t+r.start, v, o)
		return
	}
	if !hcllex.PlainName(name) {
		e.editor().failf(f, head, "%q cannot be the name of an argument", name)
		return
	}
	at, indent, above, below, ok := 0, "", "", "", false
	if in == nil {
		at, above, below, ok = e.topArgumentPlace(r, o)
	} else {
		var before bool
		if r, at, indent, before, ok = e.argumentLine(r, b, name, o); before {
			below = e.editor().nl()
		}
	}
	if !ok {
		return
	}
	text, err := e.nativeText(v, kind, indent)
	if e.editor().fails(f, head, err) {
		return
	}
	e.editor().rewrite(at, at, added(e.d.spaceAbove(at, above, o)+indent+name+" = "+tidyText(text, kind)+e.editor().nl()+below))
	e.layoutAfter(r, o)
}

// indentIn returns the indentation of the content of b, whose rows are known.
//
// It is that of the first line in it, whatever fmt would have: a new line should look
// like the others.
func (d *draft) indentIn(r *region, b *hclconfig.Block, rows []row) string {
	for _, w := range rows {
		if w.alone {
			return w.indent(r.text)
		}
	}
	return d.indentAt(r.start+int(entryOf(b).Start)) + unit
}

// rowItem returns what argumentSlot and blockSlot ask for, of rows.
func rowItem(rows []row) func(i int) (name string, isBlock bool) {
	return func(i int) (string, bool) { return rows[i].name, rows[i].isBlock }
}

// beforeFirstBlock reports whether a place is before a block, with which the content of
// a body begins.
//
// The style guides of the tools want a blank line between the arguments of a block and
// its first nested block. Without arguments there was none.
func beforeFirstBlock(rows []row, at int) bool {
	return len(rows) > 0 && rows[0].isBlock && rows[0].alone && at <= rows[0].lead
}

// linesOf returns where the lines in a block of several lines begin and end.
func (r *region) linesOf(b *hclconfig.Block) (top, bottom int) {
	open, shut := offsets(placeOf(b.Body.Range()))
	return lineEndAt(r.text, open+1), strings.LastIndexByte(r.text[:shut-1], '\n') + 1
}

// lineFor returns where in a region a line goes among rows from top to bottom: where the options say
// or, by default, next to row i or to the bottom. Before a part is above its comments too: between
// the two a new line would take them for its own.
func (e *nativeEditor) lineFor(r *region, rows []row, o editOptions, i int, where placeKind, top, bottom int) (at int, ok bool) {
	switch o.where {
	case whereFirst:
		if len(rows) == 0 {
			return top, true
		}
		i, where = 0, beforeFirstKid
	case whereLast:
		where = atEnd
	case whereBefore, whereAfter:
		w, ok := e.rowOf(r, rows, o.part)
		if o.where == whereBefore {
			return w.lead, ok
		}
		return w.after, ok
	}
	switch where {
	case beforeFirstKid:
		return rows[i].lead, true
	case afterFirstKid:
		return rows[i].after, true
	}
	return bottom, true
}

// rowOf returns the row of a part.
func (e *nativeEditor) rowOf(r *region, rows []row, p Part) (row, bool) {
	if name, ok := p.(Named); ok {
		for _, w := range rows {
			if w.name == string(name) {
				return w, true
			}
		}
		e.editor().failf(nil, textspan.Span{}, "there is nothing named %q to go next to: use First or Last", string(name))
		return row{}, false
	}
	start, _, ok := e.editor().placePart(p)
	if !ok {
		return row{}, false
	}
	for _, w := range rows {
		if w.start+r.start == start {
			return w, true
		}
	}
	f, s := spot(p)
	e.editor().failf(f, s, "it is not in that block: use Into for the block it is in, or First or Last")
	return row{}, false
}
