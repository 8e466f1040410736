// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// This file reads and sets comments. HCL's syntax tree has none, so the place of a comment
// decides what it is about:
//
//   - On lines of its own directly above a part, it is about the part. A blank line between
//     the two ends that.
//   - Behind a part, on the line where that ends, it is about the part. For a block of
//     several lines that is the line of its opening brace.
//   - In a list, before a comma it is about the element before, and behind one about the
//     next element, if that is on the same line.
//   - Everything else is about what it is in, and stays there when parts come and go.
//
// An edit takes the comments of what it moves or removes along, and no others.

// Comments are the comments of a block, an argument, an element of a list or an
// item of an object: their lines without the marks and the white space around. In
// JSON syntax the block of a body can have them, as its property "//".
type Comments struct {
	// Above has the lines of the comments directly above, without a blank line
	// between. In JSON it is the text of the property "//".
	Above []string
	// Behind is the comment at the end of the last line or, for a block over
	// several lines, at the end of the first line.
	Behind string
	// Inside has the comments within the part that do not belong to an inner
	// part by being above it or at the end of its line.
	Inside []string
}

// CommentsOf returns the comments of p, which must not be a [Named]. For blocks and
// arguments it looks only at the text up to the parts next to p; for an element or
// item, at all of the surrounding block. A JSON block with a syntax error has no
// comments.
func CommentsOf(p Part) Comments {
	if p == nil {
		return Comments{}
	}
	f, _ := spot(p)
	if f == nil {
		return Comments{}
	}
	if f.Syntax() == hclconfig.JSONSyntax {
		b, ok := p.(*hclconfig.Block)
		if !ok {
			return Comments{}
		}
		// A JSON file is read as far as it goes: the blocks before a syntax error are
		// there. The tree of a body needs JSON that is valid.
		if s := placeOf(b.Body.Range()); f.Err() != nil && !json.Valid(f.Bytes()[s.Start:s.End]) {
			return Comments{} // the text breaks off in it
		}
		return Comments{Above: commentsJSON(b)}
	}
	n := readOnly(f).native().notesOf(p, true)
	if n == nil {
		return Comments{}
	}
	return Comments{n.lines(n.above...), n.behindText(), n.lines(n.inside...)}
}

// readOnly returns an editor that reads a file and makes no edits.
func readOnly(f *hclconfig.File) *Editor {
	// The text of the file is not copied: nothing is written into it, and programs ask
	// for the comments of every block of a large file.
	d := newDraft(f.Bytes(), len(f.Bytes())+1)
	return &Editor{f: f, d: d, versions: map[*hclconfig.File]*snapshot{f: d.first}, now: f}
}

// bareComment returns the lines of a comment without its marks.
func bareComment(text string) []string {
	text = strings.TrimRight(text, "\r\n")
	switch {
	case strings.HasPrefix(text, "/*"):
		var out []string
		for line := range strings.Lines(strings.TrimSuffix(text[2:], "*/")) {
			line = strings.TrimSpace(line)
			// A star at the beginning of each line is decoration, as in C.
			out = append(out, strings.TrimSpace(strings.TrimPrefix(line, "*")))
		}
		// The marks usually have lines of their own, which are no lines of the comment.
		for len(out) > 0 && out[0] == "" {
			out = out[1:]
		}
		for len(out) > 0 && out[len(out)-1] == "" {
			out = out[:len(out)-1]
		}
		return out
	case strings.HasPrefix(text, "//"):
		return []string{strings.TrimSpace(text[2:])}
	}
	return []string{strings.TrimSpace(strings.TrimPrefix(text, "#"))}
}

// notes are the places of the comments of a part, in a region.
type notes struct {
	r             *region
	row           row
	above, inside []extent
	behind        extent
	open, shut    int  // the body of a block, or 0
	ofValue       bool // they are those of an argument, of which the expression is asked for
}

// lines returns the lines of comments without their marks.
func (n *notes) lines(in ...extent) (out []string) {
	for _, c := range in {
		out = append(out, bareComment(n.r.text[c.start:c.end])...)
	}
	return out
}

// behindText returns the comment behind the part, or "" if there is none.
func (n *notes) behindText() string { return strings.Join(n.lines(n.behind), "\n") }

// ofCell takes the comments of an element.
func (n *notes) ofCell(w cell) {
	// What is before an element on its line is about it just as the lines above are.
	// The two cannot be told apart by a reader, and [Comments] has no third place.
	n.above = slices.Concat(w.above, w.before)
	if k := len(w.behind); k > 0 {
		n.behind.start, n.behind.end = w.behind[0].start, w.behind[k-1].end
	}
}

// notesOf finds the comments of a part. It looks at less text if the file is as read.
func (e *nativeEditor) notesOf(p Part, asRead bool) *notes {
	start, end, ok := e.editor().placePart(p)
	if !ok {
		return nil
	}
	f, s := spot(p)
	n := &notes{}
	// ownRow parses the block around the part, which knows all edits. For a file as it
	// was read the places of the neighbours are known, and nothing has to be parsed: a
	// linter asks this of thousands of parts.
	row := e.ownRow
	if asRead {
		row = readRow
	}
	b, isBlock := p.(*hclconfig.Block)
	if _, isArgument := p.(*hclconfig.Argument); isBlock || isArgument {
		if n.r, n.row, ok = row(p, start, end); !ok {
			return nil
		}
		if isBlock {
			open, shut, ok := e.editor().place(f, placeOf(b.Body.Range()))
			if !ok {
				return nil
			}
			n.open, n.shut = open-n.r.start, shut-n.r.start-1
		}
	} else {
		in, i := e.parentOf(f, s, start, end)
		if in == nil {
			return nil
		}
		n.r, n.row = in.r, in.rowOf(i)
		n.ofCell(in.cells[i])
		n.inside = e.notesInside(p, n)
		return n
	}
	w := n.row
	if w.alone {
		n.above = commentsIn(n.r.text, w.lead, w.line)
	}
	from := n.behindFrom()
	if behind := commentsIn(n.r.text, from, min(lineEndAt(n.r.text, from), len(n.r.text))); len(behind) > 0 && restIsComment(n.r.text[from:lineEndAt(n.r.text, from)]) {
		n.behind = behind[0]
	}
	n.inside = e.notesInside(p, n)
	return n
}

// behindFrom returns where the comment behind the part begins: behind the brace of a block of
// several lines, unless something else is there, and elsewhere behind the part.
//
// A comment behind the closing brace of a long block would be far from the name that it
// explains. So the one behind the opening brace counts, and new ones go there.
func (n *notes) behindFrom() int {
	if n.open > 0 && strings.Contains(n.r.text[n.open:n.shut], "\n") {
		if restIsComment(n.r.text[n.open+1 : lineEndAt(n.r.text, n.open+1)]) {
			return n.open + 1
		}
	}
	return n.row.end
}

// readRow is [Editor.ownRow] for a part of a file as it was read. The region ends where
// the next part begins, and is not parsed.
func readRow(p Part, start, end int) (*region, row, bool) {
	f, _ := spot(p)
	src, body := f.Bytes(), f.Body()
	from, to := 0, len(src)
	inside := around(body, start)
	if inside != nil {
		body = &inside.Body
		s := placeOf(body.Range())
		from, to = int(s.Start)+1, int(s.End)
		for to < len(src) && src[to-1] != '\n' { // what follows the block on its last line
			to++
		}
	}
	first := from
	arguments := sort.Search(len(body.Arguments), func(i int) bool { return int(nameOf(&body.Arguments[i]).Start) >= start })
	if arguments > 0 {
		from = max(from, int(spanOf(body.Arguments[arguments-1].Expression).End))
	}
	blocks := sort.Search(len(body.Blocks), func(i int) bool { return int(entryOf(&body.Blocks[i]).Start) >= start })
	if blocks > 0 {
		from = max(from, int(entryOf(&body.Blocks[blocks-1]).End))
	}
	next := func(at int) {
		if at > start {
			to = min(to, at)
		}
	}
	// The first one at or behind start may be the part itself. Of two, one is behind
	// it.
	for i := arguments; i < min(arguments+2, len(body.Arguments)); i++ {
		next(int(nameOf(&body.Arguments[i]).Start))
	}
	for i := blocks; i < min(blocks+2, len(body.Blocks)); i++ {
		next(int(entryOf(&body.Blocks[i]).Start))
	}
	r := &region{start: from, end: to, text: string(src[from:to])}
	w := row{start: start - from, end: end - from}
	rest := 0
	// The rest of the line of what is above belongs to that, with the comment at its
	// end.
	if inside != nil || from > first {
		rest = lineEndAt(r.text, 0)
	}
	w.measure(r.text, rest)
	return r, w, true
}

// notesInside finds the comments in a part that are not those of something in it.
func (e *nativeEditor) notesInside(p Part, n *notes) []extent {
	text := n.r.text
	var out []extent
	if n.open == 0 {
		start, end := n.row.start, n.row.end
		// The comments of an expression are found by the scanner, as a number sign in a
		// string is none.
		for _, c := range lexComments(text[start:end]) {
			out = append(out, extent{c.start + start, c.end + start})
		}
		return out
	}
	start, _, ok := e.editor().placeBlock(p.(*hclconfig.Block))
	if !ok {
		return nil
	}
	r := e.parseRegion(n.r.start+n.row.start, n.r.start+n.row.end)
	if r == nil {
		return nil
	}
	b := blockAt(r.file.Body(), start-r.start)
	if b == nil {
		return nil
	}
	from := lineEndAt(text, n.open+1)
	for _, w := range r.rows(&b.Body) {
		shift := r.start - n.r.start
		if from < w.lead+shift {
			out = append(out, commentsIn(text, from, w.lead+shift)...)
		}
		from = w.after + shift
	}
	if from < n.shut {
		out = append(out, commentsIn(text, from, n.shut)...)
	}
	return out
}

// SetComments replaces the comments of p. Unchanged comments keep their spelling. New ones
// begin with a number sign; in JSON they become the property "//" of a block, and other parts
// cannot have comments. The comments inside of an argument or element are those of its
// expression and must not be changed. A part that ends with a heredoc can have no comment
// behind it.
func (e *Editor) SetComments(p Part, c Comments) *Editor {
	e.long().preparePart(p, e.opts)
	start, end, ok := e.placePart(p)
	if !ok {
		return e
	}
	f, s := spot(p)
	for _, line := range append(append(slices.Clone(c.Above), c.Inside...), c.Behind) {
		// The second line would have no number sign, and would be code.
		if strings.ContainsAny(line, "\r\n") {
			e.failf(f, s, "a line of a comment has a line break: give SetComments one string for each line")
			return e
		}
	}
	if e.f.Syntax() == hclconfig.JSONSyntax {
		e.json().setCommentsJSON(p, c)
		return e
	}
	n := e.native().notesOf(p, false)
	// In { a = 1 } a comment would end the line before the brace. An argument in a
	// block on one line gets a line of its own first.
	if n != nil && !n.row.alone && (len(c.Above) > 0 || c.Behind != "") && e.native().openAround(p) {
		if start, end, ok = e.placePart(p); !ok {
			return e
		}
		n = e.native().notesOf(p, false)
	}
	if n == nil {
		return e
	}
	if !n.row.alone && (len(c.Above) > 0 || c.Behind != "") {
		e.failf(f, s, "it shares its lines with something else, and has no place for a comment: use SetComments for the block")
		return e
	}
	around := e.d.withLineAbove(e.native().regionAt(f, int(s.Start), start, end), n.r.start+n.row.lead)
	indent := n.row.indent(n.r.text)
	off := n.r.start
	// From the end to the beginning, to keep the places valid.
	sameInside := slices.Equal(n.lines(n.inside...), c.Inside)
	// Which comment of an expression explains which of its parts only the elements
	// themselves say. To write them all anew could put one next to another element.
	if !sameInside && n.open == 0 {
		e.failf(f, s, "comments inside of an expression cannot be set: use SetComments for its elements, or Replace")
		return e
	}
	if !sameInside {
		e.native().setInside(n, c.Inside, indent)
	}
	if n.behindText() != c.Behind {
		from := n.behindFrom()
		to := from
		if n.behind.end > 0 {
			to = n.behind.end
		}
		text := ""
		if c.Behind != "" {
			// HCL's scanner takes the end marker of a heredoc only if it is alone on
			// its line.
			if hcllex.NeedsNewline(n.r.text[n.row.start:from]) {
				e.failf(f, s, "no comment can follow the end of a heredoc on its line: put it in Above")
				return e
			}
			text = " # " + c.Behind
		}
		e.rewrite(off+from, off+to, added(text))
	}
	if !slices.Equal(n.lines(n.above...), c.Above) {
		e.rewrite(off+n.row.lead, off+n.row.line, added(e.d.commentLines(c.Above, indent)))
	}
	e.native().layoutAfter(around, e.opts)
	return e
}

// openAround writes the block on one line that an argument is in over several lines. It
// reports whether it has changed the text.
func (e *nativeEditor) openAround(p Part) bool {
	a, ok := p.(*hclconfig.Argument)
	if !ok || e.err != nil {
		return false
	}
	start, end, ok := e.editor().placePart(a)
	if !ok {
		return false
	}
	before := e.d.changes
	if r := e.regionAt(a.File(), int(nameOf(a).Start), start, end); r != nil {
		e.openLines(r, start, end, "\n", e.opts)
	}
	return e.d.changes > before
}

// setInside replaces the comments in a block.
func (e *nativeEditor) setInside(n *notes, lines []string, indent string) {
	off := n.r.start
	for _, old := range slices.Backward(n.inside) {
		from, to := old.start, old.end
		// A comment with lines of its own goes with them, and with a blank line around
		// it. One in the rest of a line leaves that line as it is.
		if line := strings.LastIndexByte(n.r.text[:from], '\n') + 1; strings.TrimSpace(n.r.text[line:from]) == "" {
			from, to = blankAround(n.r.text, line, lineEndAt(n.r.text, to))
		}
		e.editor().rewrite(off+from, off+to)
	}
	if len(lines) == 0 {
		return
	}
	at := off + lineEndAt(n.r.text, n.open+1)
	text := e.d.commentLines(lines, indent+unit)
	// Without a blank line the comment would be one of the argument below: see
	// [row.measure].
	if line := lineBelow(n.r.text, at-off); !line.none && !line.blank && !line.shuts {
		text += e.editor().nl()
	}
	e.editor().rewrite(at, at, added(text))
}

// commentLines returns lines as comments.
func (d *draft) commentLines(lines []string, indent string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(indent+commentOf(line), " ") + d.newline())
	}
	return b.String()
}

// commentOf returns a line as a comment. A banner of number signs is one already: its lines are read
// without the first sign, so that they come back as they were.
func commentOf(line string) string {
	if line != "" && strings.Trim(line, "#") == "" {
		return "#" + line
	}
	return "# " + line
}

// TextOf returns the text of a part as it is written, with its comments: those of
// [CommentsOf]. All lines except the first have the indentation of the file, and the last
// has no line end; [Layout] lays the text out again. The text of a body is that between
// its braces, or all of the file, and that of an argument's expression includes the
// comment after it. JSON has no comments around parts. The text of a [Named] is empty.
func TextOf(p Part) string {
	f, start, end := placeIn(p)
	if f == nil {
		return ""
	}
	if b, ok := p.(*hclconfig.Body); ok {
		return bodyText(b)
	}
	from, to := start, end
	if n := notesAround(p); n != nil {
		if len(n.above) > 0 && !n.ofValue {
			from = min(from, n.r.start+n.above[0].start)
		}
		to = max(to, n.r.start+n.behind.end)
	}
	return cut(f, from, to)
}

// CodeOf is [TextOf] without any comments, including those in the part. A line that
// contains only a comment becomes blank.
func CodeOf(p Part) string {
	f, start, end := placeIn(p)
	if f == nil {
		return ""
	}
	text := ""
	if b, ok := p.(*hclconfig.Body); ok {
		text = bodyText(b)
	} else {
		text = cut(f, start, end)
	}
	if f.Syntax() == hclconfig.JSONSyntax {
		return text
	}
	_, isExpression := p.(hclconfig.Expression)
	return withoutComments(text, isExpression)
}

// placeIn returns where p is, or no file for nothing.
func placeIn(p Part) (f *hclconfig.File, start, end int) {
	if p == nil {
		return nil, 0, 0
	}
	return p.Place()
}

// notesAround returns the comments of p, or nil if it has none.
//
// An expression that is all of an argument has the comment behind that: "a = 1 # one"
// is about the one as much as about the a. The comments above are those of the argument
// alone.
func notesAround(p Part) *notes {
	f, start, _ := p.Place()
	if f.Syntax() == hclconfig.JSONSyntax {
		return nil
	}
	e := readOnly(f)
	if x, ok := p.(hclconfig.Expression); ok {
		body := f.Body()
		if b := around(body, start); b != nil {
			body = &b.Body
		}
		for i := range body.Arguments {
			if a := &body.Arguments[i]; spanOf(a.Expression) == spanOf(x) {
				n := e.native().notesOf(a, true)
				if n != nil {
					n.ofValue = true
				}
				return n
			}
		}
	}
	return e.native().notesOf(p, true)
}

// cut returns the text of a file from start to end, without the line end of a heredoc.
func cut(f *hclconfig.File, start, end int) string {
	return strings.TrimRight(string(f.Bytes()[start:end]), "\r\n")
}

// bodyText returns the text of a body.
func bodyText(b *hclconfig.Body) string {
	f, start, end := b.Place()
	if f.Syntax() == hclconfig.JSONSyntax || b == f.Body() || end-start < 2 {
		return string(f.Bytes()[start:end])
	}
	text := string(f.Bytes()[start+1 : end-1])
	first, rest, lines := strings.Cut(text, "\n")
	switch {
	case !lines:
		return strings.TrimSpace(text)
	case strings.TrimSpace(first) == "":
		text = rest
	}
	return strings.TrimRight(text, " \t\r\n")
}

// withoutComments takes the comments out of native source.
func withoutComments(text string, isExpression bool) string {
	lex := hclsyntax.LexConfig
	if isExpression {
		lex = hclsyntax.LexExpression
	}
	tokens, _ := lex([]byte(text), "", hcl.InitialPos)
	var out strings.Builder
	done := 0
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenComment {
			continue
		}
		from := t.Range.Start.Byte
		// HCL's scanner counts the line break to a comment that begins with a number
		// sign. It ends the argument, and has to stay.
		to := from + len(strings.TrimRight(string(t.Bytes), "\r\n"))
		rest := text[to:]
		// A comment at the end of a line takes the white space before it along, or each
		// line would end with some.
		if eol := strings.TrimLeft(rest, " \t\r"); eol == "" || eol[0] == '\n' {
			from = done + len(strings.TrimRight(text[done:from], " \t"))
		} else if inside := strings.TrimLeft(rest, " \t"); len(inside) < len(rest) {
			to += len(rest) - len(inside) // of the spaces at both sides, those before it stay
		}
		out.WriteString(text[done:from])
		// a/**/b are two names, and ab is one: a comment separates tokens.
		if from > 0 && to < len(text) && !isBlank(text[from-1]) && !isBlank(text[to]) {
			out.WriteByte(' ')
		}
		done = to
	}
	out.WriteString(text[done:])
	return out.String()
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
