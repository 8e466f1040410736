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

// deleteNative removes the argument or block at offset start of the region, from
// the body of b, or of the region if b is nil.
func (e *nativeEditor) deleteNative(r *region, b *hclconfig.Block, start int, o editOptions) {
	body := r.file.Body()
	if b != nil {
		body = &b.Body
	}
	rows := r.rows(body)
	i := slices.IndexFunc(rows, func(w row) bool { return w.start == start })
	if i < 0 {
		e.editor().failf(nil, textspan.Span{}, "it was removed by an earlier edit: take what is there from Body")
		return
	}
	from, to := r.extent(rows[i], o)
	open := e.d.endsOpen()
	e.editor().rewrite(r.start+from, r.start+to)
	e.layoutAfter(r, o)
	e.leaveEndOpen(open)
}

// extent returns the text to remove with w: whole lines if nothing else is on
// them, and one of the blank lines around.
func (r *region) extent(w row, o editOptions) (from, to int) {
	if !w.alone {
		// Inside the braces of a block on one line.
		return r.inline(w)
	}
	from, to = w.lead, w.after
	if o.keepComments {
		from = w.line
	}
	return blankAround(r.text, from, to)
}

// inline returns the text of an argument or a block that shares its lines with a
// bracket, with the comments and the white space around it on the line.
func (r *region) inline(w row) (from, to int) {
	from, to = w.start, w.end
	for line := lineOf(r.text, from); ; {
		rest := strings.TrimRight(r.text[line:from], " \t")
		from = line + len(rest)
		open := strings.LastIndex(rest, "/*")
		// A comment directly before it on the line is about it: { /* one */ a = 1 }.
		if !strings.HasSuffix(rest, "*/") || open < 0 {
			break
		}
		from = line + open
	}
	for {
		to += len(r.text[to:]) - len(strings.TrimLeft(r.text[to:], " \t"))
		if !strings.HasPrefix(r.text[to:], "/*") {
			return from, to
		}
		to = commentAt(r.text, to, len(r.text))
	}
}

// deletePart removes the text that is now from start to end.
func (e *nativeEditor) deletePart(p Part, start, end int, o editOptions) {
	f, s := spot(p)
	_, isBlock := p.(*hclconfig.Block)
	_, isArgument := p.(*hclconfig.Argument)
	switch {
	case isBlock && around(f.Body(), int(s.Start)) == nil:
		e.deleteTop(start, end, o)
	case isBlock || isArgument:
		if r := e.regionAt(f, int(s.Start), start, end); r != nil {
			e.deleteNative(r, around(r.file.Body(), start-r.start), start-r.start, o)
		}
	default:
		if q, i := e.parentOf(f, s, start, end); q != nil {
			q.remove(e, i, o.keepComments)
			e.layoutAfter(q.r, o)
		}
	}
}

// surroundings returns the text around a block that is in no other, as far as it
// has comments and blank lines, and the lines next to those. The file is not parsed for it: n edits
// of the n blocks of a file would cost n times the file.
func (d *draft) surroundings(start, end int) *region {
	from := d.lineStart(start)
	for from > 0 && endsComment(string(d.slice(from, start))) {
		from = d.lineStart(from - 1) // the line begins in a comment
		for from > 0 && !bytes.Contains(d.slice(from, start), []byte("/*")) {
			from = d.lineStart(from - 1)
		}
	}
	blank := false
	for from > 0 {
		above := d.lineStart(from - 1)
		s := bytes.TrimSpace(bytes.TrimPrefix(d.slice(above, from), []byte("\uFEFF")))
		if bytes.HasSuffix(s, []byte("*/")) && !bytes.Contains(s, []byte("/*")) {
			// The comment begins further up.
			for above > 0 && !bytes.Contains(s, []byte("/*")) {
				last := above
				above = d.lineStart(above - 1)
				s = bytes.TrimSpace(d.slice(above, last))
			}
		}
		from = above
		isComment := len(s) > 0 && (s[0] == '#' || bytes.HasPrefix(s, []byte("//")) || bytes.HasPrefix(s, []byte("/*")) || bytes.HasSuffix(s, []byte("*/")))
		// Above a blank line nothing belongs to the block any more. One line of that is
		// read, which decides about blank lines.
		if len(s) > 0 && (blank || !isComment) {
			break
		}
		blank = len(s) == 0
	}
	to := d.lineEnd(end)
	for n := d.len(); to < n; {
		next := d.lineEnd(to)
		blank := len(bytes.TrimSpace(d.slice(to, next))) == 0
		to = next
		if !blank {
			break
		}
	}
	return &region{start: from, end: to, text: string(d.slice(from, to))}
}

// firstBlock returns where the first line of the first block of the text begins and ends, if there is
// one. It reads the beginning of the text only, if no argument is above the block.
func (e *nativeEditor) firstBlock() (start, end int, ok bool) {
	e.long().layOutAll()
	// A block nearly always begins within the first screen. To parse the file for each
	// block that comes first would make n of them cost n times the file.
	for size := 1 << 10; size < e.d.len() && size <= 1<<16 && !ok; size *= 4 {
		head := bytes.TrimPrefix(e.d.slice(0, size), []byte(bom))
		tokens, _ := hclsyntax.LexConfig(head, "", hcl.InitialPos)
		if start, ok = blockOf(tokens); ok {
			start += size - len(head)
		}
	}
	if !ok {
		now := e.editor().fileNow()
		if now == nil || len(now.Body().Blocks) == 0 {
			return 0, 0, false
		}
		start = int(entryOf(&now.Body().Blocks[0]).Start)
	}
	if end = e.d.lineEnd(start); e.d.at(end-1) == '\n' {
		end--
	}
	return start, end, true
}

// blockOf returns where the block begins that is the first thing in tokens, the beginning of a file.
// It reports false if they begin with an argument, or do not say what they begin with.
func blockOf(tokens hclsyntax.Tokens) (start int, ok bool) {
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenIdent:
			if !ok {
				start, ok = t.Range.Start.Byte, true
			}
		case hclsyntax.TokenOBrace:
			return start, ok
		case hclsyntax.TokenEqual, hclsyntax.TokenEOF:
			return 0, false
		// The header of a block is on one line.
		case hclsyntax.TokenNewline, hclsyntax.TokenComment:
			if ok {
				return 0, false
			}
		default:
			if !ok { // such as the rest of a comment that is cut off
				return 0, false
			}
		}
	}
	return 0, false
}

// endLine makes sure that the text before offset, where a line should begin, ends
// with a line break. It returns where the line begins.
func (e *nativeEditor) endLine(at int) int {
	if at > 0 && e.d.at(at-1) != '\n' && at == e.d.len() && !(at == len(bom) && e.d.hasMark()) {
		e.editor().rewrite(at, at, added(e.editor().nl()))
		return at + len(e.editor().nl())
	}
	return at
}

// endsOpen reports whether the last line has no line break.
func (d *draft) endsOpen() bool {
	n := d.len()
	return n > 0 && d.at(n-1) != '\n'
}

// leaveEndOpen takes the last line break away if there was none before something went. The
// end of a heredoc needs one.
func (e *nativeEditor) leaveEndOpen(was bool) {
	n := e.d.len()
	if !was || n == 0 || e.d.endsOpen() || e.err != nil {
		return
	}
	// HCL's scanner ends a heredoc only at a line break. Nothing but the end marker of one is a
	// name alone on the last line.
	if hclsyntax.ValidIdentifier(strings.TrimSpace(string(e.d.slice(e.d.lineStart(n-1), n)))) {
		return
	}
	from := n - 1
	if from > 0 && e.d.at(from-1) == '\r' {
		from--
	}
	e.editor().rewrite(from, n)
}

// pads returns the blank lines that a block needs above and below at offset. The style guides of the
// tools want one between two blocks; fmt does not add it.
func (d *draft) pads(at int) (above, below string) {
	if up := d.lineUp(at); !up.none && !up.blank && !up.opens {
		above = d.newline()
	}
	if down := lineBelow(string(d.slice(at, d.lineEnd(at))), 0); !down.none && !down.blank && !down.shuts {
		below = d.newline()
	}
	return above, below
}

// lineUp returns the line above offset, where a line begins. At the beginning of a file
// there is none, also behind a byte order mark.
func (d *draft) lineUp(at int) textLine {
	from := d.lineStart(max(at-1, 0))
	text := string(d.slice(from, at))
	up := lineAbove(text, at-from)
	up.none = up.none || text == bom
	return up
}

// spaceAbove returns the blank line above a part that comes to offset, if the options want
// one: by default that is above.
func (d *draft) spaceAbove(at int, above string, o editOptions) string {
	switch o.blank {
	case blankNo:
		return ""
	case blankYes:
		if up := d.lineUp(at); up.none || up.blank {
			return ""
		}
		return d.newline()
	}
	return above
}

// topRow returns the row of a block that is in no other, and the text around it.
func (d *draft) topRow(start, end int) (*region, row) {
	r := d.surroundings(start, end)
	w := row{start: start - r.start, end: end - r.start, isBlock: true}
	w.measure(r.text, 0)
	return r, w
}

func (e *nativeEditor) deleteTop(start, end int, o editOptions) {
	r, w := e.d.topRow(start, end)
	from, to := r.extent(w, o)
	lines := e.linesAround(r.start+from, r.start+to)
	open := e.d.endsOpen()
	e.editor().rewrite(r.start+from, r.start+to)
	e.layoutAfter(lines, o)
	e.leaveEndOpen(open)
}

func (e *nativeEditor) renameNative(in *hclconfig.Block, start int, from, to string) {
	r, _, body := e.bodyIn(in, start)
	if body == nil {
		return
	}
	f, at := headOf(in)
	a := body.Argument(from)
	switch {
	case a == nil:
		e.editor().failf(f, at, "there is no argument %q to rename: add one with Set", from)
		return
	case from == to:
		return
	case body.Argument(to) != nil:
		e.editor().failf(f, at, "there is already an argument %q: use Remove first, or Set", to)
		return
	case !hcllex.PlainName(to):
		e.editor().failf(f, at, "%q cannot be the name of an argument", to)
		return
	}
	s, t := offsets(nameOf(a))
	s, t = s+r.start, t+r.start
	// The equals sign keeps its column if it can, unless it has one of its own.
	gap := e.d.gapAt(t)
	// With one space nobody can tell whether the equals sign is in a column with others
	// or just behind its name.
	if gap > 1 || gap == 1 && e.sharesColumn(r, body, t) {
		e.editor().rewrite(s, t+gap, replaced(s, t, to), added(strings.Repeat(" ", max(1, gap+len(from)-len(to)))))
	} else {
		e.editor().rewrite(s, t, replaced(s, t, to))
	}
	e.layoutAfter(r, e.opts)
}

// gapAt returns how many spaces are between a name that ends at offset and its
// equals sign, or 0 if anything else is.
func (d *draft) gapAt(offset int) int {
	gap := 0
	for d.at(offset+gap) == ' ' {
		gap++
	}
	if d.at(offset+gap) != '=' {
		return 0
	}
	return gap
}

// sharesColumn reports whether the equals sign of another line of the body is below or above that
// of the argument whose name ends at an offset.
func (e *nativeEditor) sharesColumn(r *region, b *hclconfig.Body, offset int) bool {
	line := e.d.lineStart(offset)
	at := offset + e.d.gapAt(offset) - line
	shares := func(end int) bool {
		l := e.d.lineStart(end)
		return l != line && end+e.d.gapAt(end)-l == at
	}
	if r.win != nil {
		return slices.ContainsFunc(r.win.in.kids, func(k *kid) bool {
			start, _, ok := e.long().placeOfKid(k)
			return ok && !k.isBlock && shares(start+len(k.name))
		})
	}
	for i := range b.Arguments {
		if shares(r.start + int(nameOf(&b.Arguments[i]).End)) {
			return true
		}
	}
	return false
}

// rewriteHeader writes the header of a block of a region.
//
// Each part that stays is kept, with the comments around it, so that it can still be
// edited as it was read.
func (e *nativeEditor) rewriteHeader(r *region, now *hclconfig.Block, typ string, labels []string) {
	from, last := offsets(placeOf(now.TypeRange()))
	shift := r.start
	edit := func(from, to int, p textPiece) {
		e.editor().rewrite(from+shift, to+shift, p)
		shift += len(p.text) - (to - from)
	}
	if now.Type != typ {
		edit(from, last, replaced(from+shift, last+shift, typ))
	}
	for i, label := range labels {
		if i >= len(now.Labels) {
			edit(last, last, added(" "+hcllex.Quote(label)))
			continue
		}
		s, t := offsets(placeOf(now.LabelRange(i)))
		if last = t; label != now.Labels[i] {
			edit(s, t, replaced(s+shift, t+shift, hcllex.Quote(label)))
		}
	}
	// Labels that are too many go with the spaces before them. Comments there stay.
	for i := len(labels); i < len(now.Labels); i++ {
		s, t := offsets(placeOf(now.LabelRange(i)))
		edit(last+len(strings.TrimRight(r.text[last:s], " \t")), t, added(""))
		last = t
	}
}
