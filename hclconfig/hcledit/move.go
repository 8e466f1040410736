// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// addNative adds a block to the content of in, or to the file.
func (e *Editor) addNative(in *hclconfig.Block, block *BlockBuilder, o editOptions) {
	spec := rootOf(e.f)
	if in != nil {
		spec = specOf(in)
	}
	text, err := block.native(spec)
	if err != nil {
		f, at := e.f, textspan.Of(-1, -1)
		if in != nil {
			f, at = in.File(), placeOf(in.TypeRange())
		}
		e.fail(f, at, err)
		return
	}
	r, at, indent, ok := e.blockPlace(in, block.typ, o)
	if !ok {
		return
	}
	text = indent + formatNative(text, indent, e.nl()) + e.nl()
	above, below := e.pads(at)
	above = e.spaceAbove(at, above, o)
	if r == nil {
		r = e.linesAround(at, at)
	}
	e.rewrite(at, at, added(above+text+below))
	e.layoutAfter(r, o)
}

// blockPlace returns where in the text a block of that type goes: the beginning of
// a line, and the indentation there.
func (e *Editor) blockPlace(in *hclconfig.Block, typ string, o editOptions) (r *region, at int, indent string, ok bool) {
	if in == nil {
		at, ok = e.topPlace(o)
		return nil, at, "", ok
	}
	start, _, ok := e.placeBlock(in)
	if !ok {
		return nil, 0, "", false
	}
	r, b, body := e.bodyIn(in, start)
	if body == nil {
		return nil, 0, "", false
	}
	if b == nil {
		at, indent, _ = r.placeInWindow(e)
		return r, at + r.start, indent, e.err == nil
	}
	if r, b = e.openBody(r, b, o); b == nil {
		return nil, 0, "", false
	}
	rows := r.rows(&b.Body)
	indent = e.indentIn(r, b, rows)
	top := lineEndAt(r.text, int(placeOf(b.Body.Range()).Start)+1)
	bottom := strings.LastIndexByte(r.text[:int(placeOf(b.Body.Range()).End)-1], '\n') + 1
	if at, done, ok := e.wantedPlace(r, rows, o, top, bottom); done {
		return r, at + r.start, indent, ok
	}
	at = bottom
	for i := len(rows) - 1; i >= 0; i-- {
		w := rows[i]
		if !(w.isBlock && w.name == "lifecycle" && typ != "lifecycle" || !w.isBlock && rank(b.Type, w.name) > 10) {
			break
		}
		at = w.lead
	}
	return r, at + r.start, indent, true
}

// topPlace returns where a block goes that is in no other.
func (e *Editor) topPlace(o editOptions) (int, bool) {
	n := e.d.text.len()
	switch o.where {
	case whereBefore, whereAfter:
		p := o.part
		if name, ok := p.(Named); ok {
			now, err := e.current()
			if err != nil {
				e.fail(nil, textspan.Span{}, err)
				return 0, false
			}
			b := now.Body().Block(string(name))
			if b == nil {
				e.failf(nil, textspan.Span{}, "there is nothing named %q to go next to: use First or Last", string(name))
				return 0, false
			}
			p = b
		}
		start, end, ok := e.placePart(p)
		if !ok {
			return 0, false
		}
		r, w := e.topRow(start, end)
		if o.where == whereBefore {
			return r.start + w.lead, true
		}
		return e.endLine(r.start + w.after), true
	case whereFirst:
		start, end, ok := e.firstBlock()
		if e.err != nil {
			return 0, false
		}
		if ok {
			r, w := e.topRow(start, end)
			return r.start + w.lead, true
		}
	}
	return e.endLine(n), true
}

// firstBlock returns where the first block of the text is, if there is one. It reads the
// beginning of the text only, if the block is short and no argument is above it.
func (e *Editor) firstBlock() (start, end int, ok bool) {
	e.layOutAll()
	for size := 1 << 10; size < e.d.text.len() && size <= 1<<16; size *= 4 {
		head := bytes.TrimPrefix(e.d.text.slice(0, size), []byte(bom))
		tokens, _ := hclsyntax.LexConfig(head, "", hcl.InitialPos)
		if start, end, ok = blockOf(tokens); ok && end < len(head)-1 {
			skip := size - len(head)
			return start + skip, end + skip, true
		}
	}
	now, err := e.current()
	if err != nil {
		e.fail(nil, textspan.Span{}, err)
		return 0, 0, false
	}
	if len(now.Body().Blocks) == 0 {
		return 0, 0, false
	}
	start, end = offsets(entryOf(&now.Body().Blocks[0]))
	return start, end, true
}

// blockOf returns where the block is that tokens, the beginning of a file, begin with. It
// reports false if they begin with an argument, or the block does not end.
func blockOf(tokens hclsyntax.Tokens) (start, end int, ok bool) {
	i := slices.IndexFunc(tokens, func(t hclsyntax.Token) bool {
		return t.Type != hclsyntax.TokenNewline && t.Type != hclsyntax.TokenComment
	})
	if i < 0 || tokens[i].Type != hclsyntax.TokenIdent {
		return 0, 0, false
	}
	start = tokens[i].Range.Start.Byte
	depth := 0
	for _, t := range tokens[i:] {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			depth++
		case hclsyntax.TokenCBrace, hclsyntax.TokenTemplateSeqEnd:
			if depth--; depth == 0 {
				return start, t.Range.End.Byte, true
			}
		case hclsyntax.TokenEqual, hclsyntax.TokenNewline:
			if depth == 0 {
				return 0, 0, false
			}
		}
	}
	return 0, 0, false
}

// setTop sets an argument of a native file.
func (e *Editor) setTop(name string, v Value, o editOptions) {
	kind, err := argKind(e.specIn(nil), name)
	if err != nil {
		e.fail(nil, textspan.Span{}, err)
		return
	}
	r, _, body := e.bodyIn(nil, 0)
	if body == nil {
		return
	}
	if a := body.Argument(name); a != nil {
		start, end := offsets(spanOf(a.Expression))
		e.replaceIn(r, target{nil, textspan.Span{}, kind}, start, end, v, o)
		return
	}
	if !hcllex.PlainName(name) {
		e.failf(nil, textspan.Span{}, "%q cannot be the name of an argument", name)
		return
	}
	text, err := e.nativeText(v, kind, "")
	if err != nil {
		e.fail(nil, textspan.Span{}, err)
		return
	}
	at, above, below, ok := e.topArgumentPlace(r, o)
	if !ok {
		return
	}
	e.rewrite(at, at, added(e.spaceAbove(at, above, o)+name+" = "+tidyText(text, kind)+e.nl()+below))
	e.layoutAfter(r, o)
}

// topArgumentPlace returns where a line for a new argument goes that is in no block,
// and the blank lines around it: after the other arguments, or at the end.
func (e *Editor) topArgumentPlace(r *region, o editOptions) (at int, above, below string, ok bool) {
	rows := r.rows(r.file.Body())
	at, done, ok := e.wantedPlace(r, rows, o, len(r.text), len(r.text))
	if !done {
		at, ok = len(r.text), true
		if len(rows) > 0 {
			at = rows[0].lead
		}
		for _, w := range rows {
			if !w.isBlock {
				at = w.after
			}
		}
	}
	if !ok {
		return 0, "", "", false
	}
	above, below = e.pads(at)
	for _, w := range rows {
		switch {
		case w.isBlock:
		case w.after == at:
			above = ""
		case w.lead == at:
			below = ""
		}
	}
	if strings.TrimSpace(r.text[:at]) == "" {
		above = ""
	}
	return e.endLine(at), above, below, true
}

// endLine makes sure that the text before offset, where a line should begin, ends
// with a line break. It returns where the line begins.
func (e *Editor) endLine(at int) int {
	if at > 0 && e.d.text.at(at-1) != '\n' && at == e.d.text.len() && string(e.d.text.slice(0, min(at, 4))) != "\uFEFF" {
		e.rewrite(at, at, added(e.nl()))
		return at + len(e.nl())
	}
	return at
}

// pads returns the blank lines that a block needs above and below at offset.
func (e *Editor) pads(at int) (above, below string) {
	if up := e.lineUp(at); !up.none && !up.blank && !up.opens {
		above = e.nl()
	}
	if down := lineBelow(string(e.d.text.slice(at, e.d.lineEnd(at))), 0); !down.none && !down.blank && !down.shuts {
		below = e.nl()
	}
	return above, below
}

// lineUp returns the line above offset, where a line begins. At the beginning of a file
// there is none, also behind a byte order mark.
func (e *Editor) lineUp(at int) textLine {
	from := at
	if at > 0 {
		from = e.d.lineStart(at - 1)
	}
	text := string(e.d.text.slice(from, at))
	up := lineAbove(text, at-from)
	up.none = up.none || text == bom
	return up
}

// spaceAbove returns the blank line above a part that comes to offset, if the options want
// one: by default that is above.
func (e *Editor) spaceAbove(at int, above string, o editOptions) string {
	switch o.blank {
	case blankNo:
		return ""
	case blankYes:
		if up := e.lineUp(at); up.none || up.blank {
			return ""
		}
		return e.nl()
	}
	return above
}

// Move moves a block or an argument with its comments: within its body, to
// another block, or with [Into] to another file, where it gets the place that
// [Editor.Set] or [Editor.Add] would give it. Elements of lists and items of
// objects move within their list or object, to the end unless an option names
// another place. Both files must have the same syntax.
func (e *Editor) Move(p Part, opts ...EditOption) *Editor {
	e.layOutAll()
	start, end, ok := e.placePart(p)
	if !ok {
		return e
	}
	o := e.with(opts)
	to := e
	if o.to != nil {
		to = o.to
		to.layOutAll()
	}
	if to.err != nil {
		e.err = to.err
		return e
	}
	if to.f.Syntax() != e.f.Syntax() {
		e.failf(nil, textspan.Span{}, "a file of the other syntax cannot take it: use Set or Add there, with the Expression or a BlockBuilder, and Delete here")
		return e
	}
	b, isBlock := p.(*hclconfig.Block)
	_, isArgument := p.(*hclconfig.Argument)
	switch {
	case !isBlock && !isArgument:
		e.moveElement(p, start, end, o)
	case e.f.Syntax() == hclconfig.JSONSyntax && isBlock:
		e.moveBlockJSON(b, to, o)
	case e.f.Syntax() == hclconfig.JSONSyntax:
		e.moveArgumentJSON(p.(*hclconfig.Argument), to, o)
	default:
		e.moveNative(p, to, o)
	}
	return e
}

// moveNative moves a block or an argument.
func (e *Editor) moveNative(p Part, to *Editor, o editOptions) {
	f, s := spot(p)
	// The place where it goes to comes first: that may open a body.
	d, ok := e.destinationOf(p, to, o)
	if !ok {
		e.takeError(to)
		return
	}
	r2, at, indent := d.r, d.at, d.indent
	start, end, ok := e.placePart(p)
	if !ok {
		return
	}
	r, w, ok := e.ownRow(p, start, end)
	if !ok {
		return
	}
	if !w.alone {
		if d.isBlock {
			e.failf(f, s, "it shares its lines with something else: use Add there, and Delete here")
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
	if to == e && at >= cutFrom && at <= cutTo {
		return // it is there
	}
	if e.d.text.at(after-1) != '\n' {
		// The last line of the file has no end yet.
		e.endLine(after)
		if to == e && at >= after {
			at += len(e.nl())
		}
		after += len(e.nl())
		cutTo = max(cutTo, after)
	}
	above, below := "", ""
	if d.isBlock {
		above, below = to.pads(at)
	}
	above = to.spaceAbove(at, above, o)
	var had []bool
	if r.file == nil {
		had = e.cleanLines(lead, after)
		r = e.linesAround(cutFrom, cutTo)
	}
	if r2 == nil {
		r2 = to.linesAround(at, at)
	}
	switch {
	case to != e:
		text := string(e.d.text.slice(lead, after))
		to.rewrite(at, at, added(above), added(text), added(below))
		to.guests = append(to.guests, guest{from: e, upto: len(e.d.changes), start: lead, end: after, at: at + len(above), since: len(to.d.changes)})
		e.rewrite(cutFrom, cutTo)
	case at < cutFrom:
		e.rewrite(at, cutTo, added(above), kept(lead, after), added(below), kept(at, cutFrom))
	default:
		e.rewrite(cutFrom, at, kept(cutTo, at), added(above), kept(lead, after), added(below))
		at -= cutTo - cutFrom
	}
	if to != e || !e.isAsRead(f) || around(f.Body(), int(s.Start)) != d.target {
		to.nested = len(to.d.changes)
	}
	to.reindent(at+len(above), after-lead, old, indent)
	to.layoutLines(at+len(above), had)
	if to != e || r2 != r {
		e.layoutAfter(r, o)
	}
	to.layoutAfter(r2, o)
	e.takeError(to)
}

// A destination is where a block or an argument goes.
type destination struct {
	target  *hclconfig.Block // what it will be in, or nil for the file
	r       *region          // the text around, if it is parsed
	at      int              // the beginning of a line
	indent  string
	isBlock bool
}

// destinationOf finds where p goes in the file of to.
func (e *Editor) destinationOf(p Part, to *Editor, o editOptions) (d destination, ok bool) {
	if d.target, ok = e.targetOf(p, to, o); !ok {
		return d, false
	}
	switch q := p.(type) {
	case *hclconfig.Block:
		d.isBlock = true
		if q == d.target {
			e.failf(q.File(), entryOf(q), "a block cannot move into itself: use Add and Delete")
			return d, false
		}
		d.r, d.at, d.indent, ok = to.blockPlace(d.target, q.Type, o)
	case *hclconfig.Argument:
		if d.target == nil {
			d.r, d.at, ok = to.topRowPlace(q.Name, p, o)
		} else {
			d.r, d.at, d.indent, ok = to.rowPlace(d.target, q.Name, p, o)
		}
	}
	return d, ok
}

// moveInline moves an argument out of a block on one line to a line of its own.
func (e *Editor) moveInline(r *region, w row, to *Editor, d destination, o editOptions) {
	from, end := r.inline(w)
	text := r.text[from:end]
	start, stop := r.start+from+len(text)-len(strings.TrimLeft(text, " \t")), r.start+from+len(strings.TrimRight(text, " \t"))
	from, end = from+r.start, end+r.start
	switch at, indent := d.at, added(d.indent); {
	case to != e:
		text := string(e.d.text.slice(start, stop))
		to.rewrite(at, at, indent, added(text), added(to.nl()))
		to.guests = append(to.guests, guest{from: e, upto: len(e.d.changes), start: start, end: stop, at: at + len(d.indent), since: len(to.d.changes)})
		e.rewrite(from, end)
	case at <= from:
		e.rewrite(at, end, indent, kept(start, stop), added(e.nl()), kept(at, from))
	default:
		e.rewrite(from, at, kept(end, at), indent, kept(start, stop), added(e.nl()))
	}
	to.nested = len(to.d.changes)
	e.layoutAfter(r, o)
	if d.r != nil && d.r != r {
		to.layoutAfter(d.r, o)
	}
	e.takeError(to)
}

// reindent gives size bytes of text, which begin with a line, another indentation.
func (e *Editor) reindent(at, size int, old, indent string) {
	if old == indent {
		return
	}
	text := string(e.d.text.slice(at, at+size))
	inside := insideText(text)
	var pieces []textPiece
	from := at
	for i, line := range strings.SplitAfter(text, "\n") {
		skip := len(line) - len(strings.TrimPrefix(line, old))
		if strings.TrimSpace(line) != "" && !inside[i] && (skip > 0 || old == "") {
			pieces = append(pieces, added(indent), kept(from+skip, from+len(line)))
		} else {
			pieces = append(pieces, kept(from, from+len(line)))
		}
		from += len(line)
	}
	e.rewrite(at, at+size, pieces...)
}

// ownRow returns the row of a block or an argument, and the text around.
func (e *Editor) ownRow(p Part, start, end int) (*region, row, bool) {
	f, s := spot(p)
	if b, ok := p.(*hclconfig.Block); ok && around(b.File().Body(), int(entryOf(b).Start)) == nil {
		// It may have moved into a block.
		if e.isAsRead(f) || e.isTop(start) {
			r, w := e.topRow(start, end)
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
			if body == r.file.Body() {
				r, w := e.topRow(start, end)
				return r, w, true
			}
			return r, w, true
		}
	}
	e.failf(f, s, "it was removed by an earlier edit: take what is there from Body")
	return nil, row{}, false
}

// isTop reports whether the block that begins at offset is in no other.
func (e *Editor) isTop(offset int) bool {
	f, err := e.current()
	return err == nil && around(f.Body(), offset) == nil
}

// targetOf returns the block whose content p moves to, or nil for the file.
func (e *Editor) targetOf(p Part, to *Editor, o editOptions) (*hclconfig.Block, bool) {
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
		e.takeError(to)
		return nil, false
	}
	if f, s := spot(q); to.isAsRead(f) {
		return around(f.Body(), int(s.Start)), true
	}
	now, err := to.current()
	if err != nil {
		e.fail(nil, textspan.Span{}, err)
		return nil, false
	}
	return around(now.Body(), start), true
}

// rowPlace returns where an argument goes in the content of a block.
func (e *Editor) rowPlace(in *hclconfig.Block, name string, p Part, o editOptions) (r *region, at int, indent string, ok bool) {
	start, _, ok := e.placeBlock(in)
	if !ok {
		return nil, 0, "", false
	}
	r, b := e.regionOf(in, start)
	if b == nil {
		return nil, 0, "", false
	}
	if a := b.Argument(name); a != nil {
		if from, _, _, ok := e.find2(p); !ok || from != r.start+int(nameOf(a).Start) {
			e.failf(in.File(), placeOf(in.TypeRange()), "there is already an argument %q: use Remove first, or Set", name)
			return nil, 0, "", false
		}
	}
	if r, b = e.openBody(r, b, o); b == nil {
		return nil, 0, "", false
	}
	rows := r.rows(&b.Body)
	indent = e.indentIn(r, b, rows)
	rows = slices.DeleteFunc(rows, func(w row) bool { return w.name == name && !w.isBlock && o.where == whereDefault })
	at, ok = e.argumentPlace(r, b, rows, name, o)
	return r, r.start + at, indent, ok
}

// topRowPlace returns where an argument goes that is to be in no block.
func (e *Editor) topRowPlace(name string, p Part, o editOptions) (r *region, at int, ok bool) {
	r, _, body := e.bodyIn(nil, 0)
	if body == nil {
		return nil, 0, false
	}
	if a := body.Argument(name); a != nil {
		if from, _, _, ok := e.find2(p); !ok || from != int(nameOf(a).Start) {
			e.failf(nil, textspan.Span{}, "there is already an argument %q: use Remove first, or Set", name)
			return nil, 0, false
		}
	}
	at, _, below, ok := e.topArgumentPlace(r, o)
	if ok && below != "" {
		e.rewrite(at, at, added(below))
	}
	return r, at, ok
}

// find2 is find for a part.
func (e *Editor) find2(p Part) (start, end int, known, ok bool) {
	f, s := spot(p)
	return e.find(f, s)
}

func (e *Editor) setNative(in *hclconfig.Block, start int, name string, v Value, o editOptions) {
	r, b, body := e.bodyIn(in, start)
	if body == nil {
		return
	}
	kind, err := argKind(specOf(in), name)
	if err != nil {
		e.fail(in.File(), placeOf(in.TypeRange()), err)
		return
	}
	if a := body.Argument(name); a != nil {
		old := target{in.File(), placeOf(in.TypeRange()), kind}
		if own := in.Argument(name); own != nil {
			old.at = spanOf(own.Expression)
		}
		s, t := offsets(spanOf(a.Expression))
		e.replaceIn(r, old, s+r.start, t+r.start, v, o)
		return
	}
	if !hcllex.PlainName(name) {
		e.failf(in.File(), placeOf(in.TypeRange()), "%q cannot be the name of an argument", name)
		return
	}
	var rows []row
	var at int
	indent, before := "", false
	if b == nil {
		var first row
		if at, indent, first = r.placeInWindow(e); e.err != nil {
			return
		}
		before = r.win.at == beforeFirstKid && first.isBlock
	} else {
		if r, b = e.openBody(r, b, o); b == nil {
			return
		}
		rows = r.rows(&b.Body)
		indent = e.indentIn(r, b, rows)
		var ok bool
		if at, ok = e.argumentPlace(r, b, rows, name, o); !ok {
			return
		}
		before = o.where == whereDefault && beforeFirstBlock(rows, at)
	}
	text, err := e.nativeText(v, kind, indent)
	if err != nil {
		e.fail(in.File(), placeOf(in.TypeRange()), err)
		return
	}
	text = indent + name + " = " + tidyText(text, kind) + e.nl()
	if before {
		text += e.nl()
	}
	at += r.start
	e.rewrite(at, at, added(e.spaceAbove(at, "", o)+text))
	e.layoutAfter(r, o)
}

// indentIn returns the indentation of the content of b, whose rows are known.
func (e *Editor) indentIn(r *region, b *hclconfig.Block, rows []row) string {
	for _, w := range rows {
		if w.alone {
			return w.indent(r.text)
		}
	}
	return e.d.indentAt(r.start+int(entryOf(b).Start)) + unit
}

// rank says where the arguments of a block belong that come first or last: the
// lower, the earlier. Others have rank 10.
func rank(block, name string) int {
	switch block {
	case "resource", "data", "ephemeral", "module":
		switch name {
		case "source":
			return 0
		case "version":
			return 1
		case "count", "for_each":
			return 2
		case "provider", "providers":
			return 3
		case "depends_on":
			return 30
		}
	case "output":
		if name == "depends_on" {
			return 30
		}
	}
	return 10
}

// argumentPlace returns where a line for a new argument goes.
func (e *Editor) argumentPlace(r *region, b *hclconfig.Block, rows []row, name string, o editOptions) (int, bool) {
	top := lineEndAt(r.text, int(placeOf(b.Body.Range()).Start)+1)
	bottom := strings.LastIndexByte(r.text[:int(placeOf(b.Body.Range()).End)-1], '\n') + 1
	if at, done, ok := e.wantedPlace(r, rows, o, top, bottom); done {
		return at, ok
	}
	own := rank(b.Type, name)
	if own > 10 || len(rows) == 0 {
		return bottom, true
	}
	at := rows[0].lead
	for _, w := range rows {
		other := rank(b.Type, w.name)
		if own < 10 && (w.isBlock || other > own) {
			break
		}
		if !w.isBlock && other <= 10 {
			at = w.after
		}
	}
	return at, true
}

// beforeFirstBlock reports whether a place is before a block, with which the content of
// a body begins.
func beforeFirstBlock(rows []row, at int) bool {
	return len(rows) > 0 && rows[0].isBlock && rows[0].alone && at <= rows[0].lead
}

// wantedPlace returns where the options say that a line goes.
func (e *Editor) wantedPlace(r *region, rows []row, o editOptions, top, bottom int) (at int, done, ok bool) {
	switch o.where {
	case whereFirst:
		if len(rows) > 0 {
			return rows[0].lead, true, true
		}
		return top, true, true
	case whereLast:
		return bottom, true, true
	case whereBefore, whereAfter:
		w, ok := e.rowOf(r, rows, o.part)
		switch {
		case !ok:
			return 0, true, false
		case o.where == whereBefore:
			return w.lead, true, true
		}
		return w.after, true, true
	}
	return 0, false, false
}

// rowOf returns the row of a part.
func (e *Editor) rowOf(r *region, rows []row, p Part) (row, bool) {
	if name, ok := p.(Named); ok {
		for _, w := range rows {
			if w.name == string(name) {
				return w, true
			}
		}
		e.failf(nil, textspan.Span{}, "there is nothing named %q to go next to: use First or Last", string(name))
		return row{}, false
	}
	start, _, ok := e.placePart(p)
	if !ok {
		return row{}, false
	}
	for _, w := range rows {
		if w.start+r.start == start {
			return w, true
		}
	}
	f, s := spot(p)
	e.failf(f, s, "it is not in that block: use Into for the block it is in, or First or Last")
	return row{}, false
}
