// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A region is the piece of the text that an edit is about, usually a block of
// the file with all that is in it, parsed by itself. Places in it count from its
// beginning.
type region struct {
	start, end int
	text       string
	file       *hclconfig.File
	since      int  // how many changes had been made
	outside    bool // whole blocks come or go in it: only the lines around them may have a new layout
	top        int  // a place in it that is in no block
	last       bool // it reaches to the end of the text
	// The lines above and below it whose comments fmt aligns with its own.
	above, below string
}

// regionOf returns the region that b is in, and b as it is now.
func (e *Editor) regionOf(b *hclconfig.Block, start int) (*region, *hclconfig.Block) {
	r := e.regionAt(b.File(), int(entryOf(b).Start), start, start)
	if r == nil {
		return nil, nil
	}
	now := blockAt(r.file.Body(), start-r.start)
	if now == nil {
		e.failf(b.File(), placeOf(b.TypeRange()), "it was removed by an earlier edit")
		return nil, nil
	}
	return r, now
}

// regionAt returns the region around the text that was at offset in f and is
// now from start to end.
func (e *Editor) regionAt(f *hclconfig.File, offset, start, end int) *region {
	body := f.Body()
	i := sort.Search(len(body.Blocks), func(i int) bool { return int(entryOf(&body.Blocks[i]).Start) > offset }) - 1
	if i >= 0 && len(body.Arguments) == 0 {
		if s, t, _, ok := e.find(f, entryOf(&body.Blocks[i])); ok && s <= start && end <= t {
			return e.parseRegion(s, t)
		}
	}
	// It has moved elsewhere, or is outside of all blocks.
	now, err := e.current()
	if err != nil {
		e.fail(nil, textspan.Span{}, err)
		return nil
	}
	body = now.Body()
	i = sort.Search(len(body.Blocks), func(i int) bool { return int(entryOf(&body.Blocks[i]).Start) > start }) - 1
	if i >= 0 && int(entryOf(&body.Blocks[i]).End) >= end {
		return e.parseRegion(int(entryOf(&body.Blocks[i]).Start), int(entryOf(&body.Blocks[i]).End))
	}
	return e.parseRegion(0, e.d.text.len())
}

// parseRegion parses the text from start to end, with the rest of the last line.
func (e *Editor) parseRegion(start, end int) *region {
	if end > start && e.d.text.at(end-1) != '\n' {
		end = e.d.lineEnd(end)
	}
	r := &region{start: start, end: end, text: string(e.d.text.slice(start, end)), since: len(e.d.changes), above: e.chainAbove(start), below: e.chainBelow(end)}
	var err error
	r.file, err = hclconfig.ParseNative(e.f.Filename(), []byte(r.text), e.f.Dialect())
	e.parsed += end - start
	if err != nil {
		e.failf(nil, textspan.Span{}, "the result would not be valid: %v", errors.Unwrap(err))
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
	for i := range b.Arguments {
		a := &b.Arguments[i]
		out = append(out, row{start: int(nameOf(a).Start), end: int(spanOf(a.Expression).End), name: a.Name})
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		out = append(out, row{start: int(entryOf(n).Start), end: int(entryOf(n).End), name: n.Type, isBlock: true})
	}
	slices.SortFunc(out, func(a, b row) int { return a.start - b.start })
	from := 0
	if b != r.file.Body() {
		from = lineEndAt(r.text, int(placeOf(b.Range()).Start)+1)
	}
	for i := range out {
		out[i].measure(r.text, from)
		from = out[i].after
	}
	return out
}

// measure finds the lines of the row. Text before from is not part of it.
func (w *row) measure(text string, from int) {
	w.line = lineOf(text, w.start)
	w.after = lineEndAt(text, w.end)
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
		if strings.Count(text[n.end:w.lead], "\n") > 1 || line < from || strings.TrimSpace(text[line:n.start]) != "" {
			break
		}
		w.lead = line
	}
}

// indent returns the white space that the line of the row begins with.
func (w *row) indent(text string) string { return leading(text[w.line:w.start]) }

// nativeText returns a value as it goes into a line with that indentation. If
// it is the value of an argument, name and in identify the argument.
func (e *Editor) nativeText(v Value, kind hcllang.Kind, indent string) (string, error) {
	text, err := v.native(kind)
	if err != nil {
		return "", err
	}
	if v.holdsText() {
		return breakLines(shiftLines(text, "", indent), e.newlineOf(text)), nil
	}
	return formatNative(text, indent, e.nl()), nil
}

// newlineOf returns the line break to write for each one of text.
func (e *Editor) newlineOf(text string) string {
	if e.nl() == "\r\n" && !strings.Contains(text, "\r\n") {
		return e.nl()
	}
	return "\n"
}

// tidyText makes the changes of fmt in the value of an argument.
func tidyText(text string, kind hcllang.Kind) string {
	if legacy, ok := legacyTypes[text]; ok && kind == hcllang.KindType {
		return legacy
	}
	tokens, _ := hclsyntax.LexExpression([]byte(text), "", hcl.InitialPos)
	if n := len(tokens); n > 0 {
		tokens = tokens[:n-1]
	}
	if inner, ok := unwrapTemplate([]byte(text), tokens); ok {
		return inner
	}
	return text
}

func (e *Editor) setNative(in *hclconfig.Block, start int, name string, v Value, o editOptions) {
	r, b := e.regionOf(in, start)
	if b == nil {
		return
	}
	kind, err := argKind(specOf(in), name)
	if err != nil {
		e.fail(in.File(), placeOf(in.TypeRange()), err)
		return
	}
	if a := b.Argument(name); a != nil {
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
	r, b = e.openBody(r, b, o)
	if b == nil {
		return
	}
	rows := r.rows(&b.Body)
	indent := e.indentIn(r, b, rows)
	text, err := e.nativeText(v, kind, indent)
	if err != nil {
		e.fail(in.File(), placeOf(in.TypeRange()), err)
		return
	}
	at, ok := e.argumentPlace(r, b, rows, name, o)
	if !ok {
		return
	}
	text = indent + name + " = " + tidyText(text, kind) + e.nl()
	if o.where == whereDefault && beforeFirstBlock(rows, at) {
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

// openBody makes sure that the body of a block is written over several lines.
func (e *Editor) openBody(r *region, b *hclconfig.Block, o editOptions) (*region, *hclconfig.Block) {
	open, shut := int(placeOf(b.Body.Range()).Start), int(placeOf(b.Body.Range()).End)-1
	if line := strings.LastIndexByte(r.text[:shut], '\n') + 1; line > open && strings.TrimSpace(r.text[line:shut]) == "" {
		return r, b
	}
	outer := e.d.indentAt(r.start + int(entryOf(b).Start))
	content := strings.Trim(r.text[open+1:shut], " \t")
	from := open + 1 + strings.Index(r.text[open+1:shut], content)
	to := from + len(content)
	pieces := []textPiece{added(e.nl())}
	if content != "" {
		pieces = append(pieces, added(outer+unit), kept(r.start+from, r.start+to), added(e.nl()))
	}
	n := len(e.d.changes)
	e.rewrite(r.start+open+1, r.start+shut, append(pieces, added(outer))...)
	e.layoutAfter(r, o) // comments around lose the one of this line, or get it
	start, _ := e.d.begins(r.start, n)
	end, _ := e.d.ends(r.end, n)
	at, _ := e.d.begins(r.start+int(entryOf(b).Start), n)
	now := e.parseRegion(start, end)
	if now == nil {
		return nil, nil
	}
	return now, blockAt(now.file.Body(), at-start)
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
		e.failf(nil, textspan.Span{}, "there is nothing named %q", string(name))
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
	e.failf(f, s, "it is not in that block")
	return row{}, false
}

// replaceNative replaces the expression x, which is now from start to end.
func (e *Editor) replaceNative(x hclconfig.Expression, start, end int, v Value, o editOptions) {
	if r := e.layoutBefore(x.File(), spanOf(x).Start, start, end); r != nil {
		e.replaceIn(r, target{x.File(), spanOf(x), kindOf(x)}, start, end, v, o)
	}
}

// A target is an expression that is replaced: its place, for errors, and its kind.
type target struct {
	f    *hclconfig.File
	at   textspan.Span
	kind hcllang.Kind
}

// replaceIn is replaceNative in a region that is known.
func (e *Editor) replaceIn(r *region, x target, start, end int, v Value, o editOptions) {
	text, err := e.nativeText(v, x.kind, e.d.indentAt(start))
	if err != nil {
		e.fail(x.f, x.at, err)
		return
	}
	if r, start, end = e.openLines(r, start, end, text, o); r == nil {
		return
	}
	a := r.argumentAt(start - r.start)
	if a == nil {
		e.failf(x.f, x.at, "it is not in an argument")
		return
	}
	c, ok := contextOf(a.Expression, start-r.start, end-r.start)
	if !ok {
		e.failf(x.f, x.at, "it is not an expression any more")
		return
	}
	whole := !c.parent.IsSet()
	if whole {
		text = tidyText(text, x.kind)
	} else if text, err = c.fit(text, v); err != nil {
		e.fail(x.f, x.at, err)
		return
	} else if hcllex.NeedsNewline(text) {
		text = "(" + strings.TrimSuffix(text, e.nl()) + e.nl() + ")"
	}
	if stop := lineEndAt(r.text, end-r.start); hcllex.NeedsNewline(text) && !strings.HasSuffix(text, "\n") {
		// Nothing may follow the end of a heredoc. A comment goes above.
		rest := r.text[end-r.start : stop]
		switch note := strings.TrimSpace(rest); {
		case note == "":
		case whole && (note[0] == '#' || note[0] == '/'):
			line := r.start + strings.LastIndexByte(r.text[:int(nameOf(a).Start)], '\n') + 1
			from := end + strings.Index(rest, note)
			e.rewrite(line, r.start+stop, added(e.d.indentAt(line)), kept(from, from+len(note)), added(e.nl()),
				kept(line, start), replaced(start, end, text), kept(from+len(note), r.start+stop))
			e.layoutAfter(r, o)
			return
		default:
			text += e.nl()
		}
	}
	old := string(e.d.text.slice(start, end))
	e.rewrite(start, end, replacedAround(start, end, text, v.holds(old, start, text)))
	e.layoutAfter(r, o)
}

// openLines makes sure that text of several lines can take the place from start to
// end: a block on one line is written over several lines first.
func (e *Editor) openLines(r *region, start, end int, text string, o editOptions) (*region, int, int) {
	b := around(r.file.Body(), start-r.start)
	if b == nil || !strings.Contains(text, "\n") {
		return r, start, end
	}
	n := len(e.d.changes)
	if r, b = e.openBody(r, b, o); b == nil {
		return nil, 0, 0
	}
	start, _ = e.d.begins(start, n)
	end, _ = e.d.ends(end, n)
	return r, start, end
}

// argumentAt returns the argument whose expression offset is in.
func (r *region) argumentAt(offset int) *hclconfig.Argument {
	b := r.file.Body()
	for {
		i := sort.Search(len(b.Arguments), func(i int) bool { return int(nameOf(&b.Arguments[i]).Start) > offset }) - 1
		if i >= 0 && offset < int(spanOf(b.Arguments[i].Expression).End) {
			return &b.Arguments[i]
		}
		i = sort.Search(len(b.Blocks), func(i int) bool { return int(entryOf(&b.Blocks[i]).Start) > offset }) - 1
		if i < 0 || offset >= int(entryOf(&b.Blocks[i]).End) {
			return nil
		}
		b = &b.Blocks[i].Body
	}
}

func (e *Editor) renameNative(in *hclconfig.Block, start int, from, to string) {
	r, _, body := e.bodyIn(in, start)
	if body == nil {
		return
	}
	f, at := headOf(in)
	a := body.Argument(from)
	switch {
	case a == nil:
		e.failf(f, at, "there is no argument %q to rename", from)
		return
	case from == to:
		return
	case body.Argument(to) != nil:
		e.failf(f, at, "there is already an argument %q", to)
		return
	case !hcllex.PlainName(to):
		e.failf(f, at, "%q cannot be the name of an argument", to)
		return
	}
	s, t := offsets(nameOf(a))
	s, t = s+r.start, t+r.start
	// The equals sign keeps its column if it can, unless it has one of its own.
	gap := r.gapAt(t - r.start)
	if gap > 1 || gap == 1 && r.sharesColumn(body, a) {
		e.rewrite(s, t+gap, replaced(s, t, to), added(spaces(max(1, gap+len(from)-len(to)))))
	} else {
		e.rewrite(s, t, replaced(s, t, to))
	}
	e.layoutAfter(r, e.opts)
}

// gapAt returns how many spaces are between a name that ends at offset and its
// equals sign, or 0 if anything else is.
func (r *region) gapAt(offset int) int {
	gap := 0
	for r.text[offset+gap] == ' ' {
		gap++
	}
	if r.text[offset+gap] != '=' {
		return 0
	}
	return gap
}

// bodyIn returns the region that a block is in, with the block and its content.
func (e *Editor) bodyIn(in *hclconfig.Block, start int) (*region, *hclconfig.Block, *hclconfig.Body) {
	if in != nil {
		r, b := e.regionOf(in, start)
		if b == nil {
			return nil, nil, nil
		}
		return r, b, &b.Body
	}
	r := e.parseRegion(0, e.d.text.len())
	if r == nil {
		return nil, nil, nil
	}
	r.last = true
	return r, nil, r.file.Body()
}

// sharesColumn reports whether the equals sign of another line of the body is below
// or above that of a.
func (r *region) sharesColumn(b *hclconfig.Body, a *hclconfig.Argument) bool {
	column := func(x *hclconfig.Argument) (line, column int) {
		end := int(nameOf(x).End)
		line = strings.LastIndexByte(r.text[:end], '\n') + 1
		return line, end + r.gapAt(end) - line
	}
	line, at := column(a)
	for i := range b.Arguments {
		if l, c := column(&b.Arguments[i]); l != line && c == at {
			return true
		}
	}
	return false
}

// rewriteHeader writes the header of a block of a region.
func (e *Editor) rewriteHeader(r *region, now *hclconfig.Block, typ string, labels []string) {
	from, to := offsets(placeOf(now.TypeRange()))
	from, to = from+r.start, to+r.start
	pieces := []textPiece{kept(from, to)}
	if now.Type != typ {
		pieces = []textPiece{replaced(from, to, typ)}
	}
	last := to
	for i, label := range labels {
		if i >= len(now.Labels) {
			pieces = append(pieces, added(" "+hcllex.Quote(label)))
			continue
		}
		s, t := offsets(placeOf(now.LabelRange(i)))
		s, t = s+r.start, t+r.start
		pieces = append(pieces, kept(last, s))
		if label == now.Labels[i] {
			pieces = append(pieces, kept(s, t))
		} else {
			pieces = append(pieces, replaced(s, t, hcllex.Quote(label)))
		}
		last = t
	}
	end := last
	if n := len(now.Labels); n > len(labels) {
		end = r.start + int(placeOf(now.LabelRange(n-1)).End)
	}
	e.rewrite(from, end, pieces...)
}
