// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// layoutAfter lays out a region of regionAt anew after changes in it: lines that had the
// layout of fmt have it again, and so do new lines. Other lines are unchanged.
//
// Whether a line had that layout is asked of the text before the edit. A line that somebody has laid
// out in another way keeps that, whatever fmt would make of it, because the difference that a
// reviewer sees should be the edit and nothing else.
func (e *nativeEditor) layoutAfter(r *region, o editOptions) {
	if r != nil && r.win != nil && e.err == nil {
		e.long().refresh(r)
		return
	}
	if r == nil || r.file == nil || e.err != nil || o.keepLayout {
		return
	}
	from, to := r.start, r.end
	if from == 0 && (r.outside || r.last) {
		from-- // also if it begins with what came or went
	}
	if r.last {
		to++
	}
	start, end, ok := e.d.find(r.since, from, to)
	if !ok {
		return
	}
	start, end = max(start, 0), min(end, e.d.len())
	// fmt aligns comments of adjacent lines, whatever block they are in. So the lines
	// next to the region have a say, and an edit may move their comments.
	above, below := e.d.chainAbove(start), e.d.chainBelow(end)
	chained := len(above)+len(below)+len(r.above)+len(r.below) > 0 || r.outside || r.top > 0
	oldDepth := -netBrackets(r.above + r.text[:r.top])
	depth := -netBrackets(above + r.text[:r.top])
	// The lines above open a bracket that they do not close. They are a part of
	// something that is not here, and cannot be laid out by themselves.
	if oldDepth < 0 || depth < 0 || start > end {
		return
	}
	if chained {
		r = &region{
			start: r.start - len(r.above), end: r.end + len(r.below), since: r.since, file: r.file,
			text: r.above + r.text + r.below, outside: r.outside,
		}
		start, end = start-len(above), end+len(below)
	}
	old, now := strings.SplitAfter(r.text, "\n"), strings.SplitAfter(string(e.d.slice(start, end)), "\n")
	head, tail := sameLines(old, now)
	if !chained && onlyValues(old[head:len(old)-tail], now[head:len(now)-tail]) {
		return
	}
	w := section{hi: len(old)}
	if !chained {
		w = r.section(old, head, len(old)-tail)
		oldDepth, depth = w.depth, w.depth
	}
	lo, hi := w.lo, w.hi-len(old)+len(now)
	oldWant, want := e.d.formatted(old[lo:w.hi], oldDepth), e.d.formatted(now[lo:hi], depth)
	if len(want) != hi-lo || len(oldWant) != w.hi-lo {
		return // a byte order mark, or invalid text
	}
	other := otherIndent(old[lo:w.hi], oldWant, w.rest)
	before := e.d.linesNow(r, old, start, now)
	had, due := "", "" // the indentation of the old line above, and that of fmt for it
	for i, line := range now[lo:hi] {
		was, in := before[lo+i], leading(want[i])
		// A new line has the indentation of what it came next to. If that is another
		// than that of fmt, it keeps it where most lines have another one, or the line
		// above has just the same.
		if was >= 0 {
			if had, due = leading(line), in; old[was] == oldWant[was-lo] {
				had = in // it gets that
			}
		} else if other || leading(line) == had && in == due {
			want[i] = leading(line) + want[i][len(in):]
		}
		// Whole blocks came or went. Those that came have the layout that they were
		// written or moved with.
		if was < 0 && r.outside || was >= 0 && old[was] != oldWant[was-lo] {
			want[i] = line
		}
	}
	e.long().respaceLines(start+len(strings.Join(now[:lo], "")), now[lo:hi], want)
}

// respaceLines gives lines, the first of which begins at offset at, the spaces that they have in want.
func (e *longEditor) respaceLines(at int, lines, want []string) (changed bool) {
	n := e.d.changes
	for i, line := range lines {
		at = e.d.respace(at, line, want[i])
	}
	if changed = e.d.changes > n; changed {
		e.now = nil
	}
	return changed
}

// sameLines returns how many lines at the beginning and at the end are the same. No line counts
// as both.
func sameLines(old, now []string) (head, tail int) {
	for head < len(old) && head < len(now) && old[head] == now[head] {
		head++
	}
	for tail < len(old)-head && tail < len(now)-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	return head, tail
}

// onlyValues reports whether lines differ in nothing but the values of arguments that are in
// one line and have the layout of fmt there: then no line has another layout than before. It
// is a quick look that saves many edits of a long block from formatting it each time. It
// may be wrong only in saying no.
func onlyValues(old, now []string) bool {
	if len(old) != len(now) {
		return false
	}
	for i, line := range now {
		was, is := valueAt(old[i]), valueAt(line)
		if was < 0 || was != is || old[i][:was] != line[:is] {
			return false
		}
		// The equals sign may be in another column in its run. The rest of the line has
		// one layout only.
		if want := formatted([]string{line}, 0); len(want) != 1 || !strings.HasSuffix(want[0], line[is:]) {
			return false
		}
	}
	return true
}

// valueAt returns where the equals sign of an argument or item is in a line that has all of it and
// nothing else, or where the element of a list begins, or -1 if it cannot tell: fmt aligns equals
// signs and comments, which are not looked at, and nothing in the rest of a line.
func valueAt(line string) int {
	if !strings.HasSuffix(line, "\n") || strings.TrimSpace(line) == "" || strings.ContainsAny(line, "#\r") || strings.Contains(line, "//") || strings.Contains(line, "/*") ||
		strings.Contains(line, "<<") {
		return -1
	}
	// The value goes on in other lines, whose indentation depends on it.
	if netBrackets(line) != 0 {
		return -1
	}
	tokens, _ := hclsyntax.LexConfig([]byte(line), "", hcl.InitialPos)
	for i, t := range tokens {
		if t.Type == hclsyntax.TokenEqual && i > 0 {
			return t.Range.Start.Byte
		}
	}
	return len(leading(line))
}

// chainAbove returns the lines directly above offset whose layout depends on the line there, and the
// text from there to offset. fmt aligns the comments at the end of adjacent lines, also those of several blocks: it looks at
// lines and not at the structure, so that the comment behind the closing brace of one block and that
// behind the opening brace of the next one are in one column. What is in front of such a comment depends
// on the equals signs of the lines around.
func (d *draft) chainAbove(offset int) string {
	first := d.lineStart(offset)
	from := first
	for from > 0 && aligned(d.slice(d.lineStart(from-1), from), d.slice(from, d.lineEnd(from))) {
		from = d.lineStart(from - 1)
	}
	if from == first {
		return ""
	}
	return string(d.slice(from, offset))
}

// chainBelow is chainAbove for the lines from offset, where a line begins.
func (d *draft) chainBelow(offset int) string {
	to := offset
	for to < d.len() && aligned(d.slice(to, d.lineEnd(to)), d.slice(d.lineStart(max(to-1, 0)), to)) {
		to = d.lineEnd(to)
	}
	return string(d.slice(offset, to))
}

// aligned reports whether the layout of a line next to line may depend on that.
func aligned(line, next []byte) bool {
	return endsInComment(line) || isArgument(line) && (isArgument(next) || endsInComment(next))
}

// isArgument reports whether a line is an argument, the equals sign of which fmt may align.
func isArgument(line []byte) bool {
	tokens, _ := hclsyntax.LexConfig(line, "", hcl.InitialPos)
	has := func(typ hclsyntax.TokenType) bool {
		return slices.ContainsFunc(tokens, func(t hclsyntax.Token) bool { return t.Type == typ })
	}
	return has(hclsyntax.TokenEqual) && !has(hclsyntax.TokenOHeredoc) && netBrackets(string(line)) == 0
}

// linesAround returns, for layoutAfter, the lines from start to end with the ones
// above and below, before whole blocks come there or go. It is nil if no comment is
// at the end of those two lines, and one of them is no argument: then no layout depends on the text between.
//
// A block that goes may have stood between two lines with comments, which are adjacent
// from then on, and one that comes may part two.
func (e *nativeEditor) linesAround(start, end int) *region {
	from, to := e.d.lineStart(max(start-1, 0)), e.d.lineEnd(end)
	if above, below := e.d.slice(from, start), e.d.slice(end, to); !aligned(above, below) && !endsInComment(below) {
		return nil
	}
	r := e.d.read(from, to)
	r.file, r.outside, r.top, r.last = e.f, true, start-from, to == e.d.len()
	return r
}

// withLineAbove returns r from the line above offset on, where the comments above
// its block begin, if that line ends with a comment.
//
// New comments above the block part it from that line, or bring it next to it.
func (d *draft) withLineAbove(r *region, offset int) *region {
	if r == nil || r.win != nil || offset == 0 || offset > r.start {
		return r
	}
	from := d.lineStart(offset - 1)
	if !endsInComment(d.slice(from, offset)) {
		return r
	}
	now := d.read(from, r.end)
	now.file, now.top = r.file, offset-from
	return now
}

// cleanLines reports which lines from start to end, which are a block that is in no
// other, have the layout of fmt. It is nil if no line around has a say in that: then the lines have the
// same layout wherever they go, and a move need not look at them.
func (d *draft) cleanLines(start, end int) []bool {
	above, below := d.chainAbove(start), d.chainBelow(end)
	depth := -netBrackets(above)
	if above == "" && below == "" || depth < 0 {
		return nil
	}
	lines := strings.SplitAfter(above+string(d.slice(start, end))+below, "\n")
	want := d.formatted(lines, depth)
	if len(want) != len(lines) {
		return nil
	}
	var out []bool
	at := start - len(above)
	for i, line := range lines {
		if at >= start && at < end {
			out = append(out, line == want[i])
		}
		at += len(line)
	}
	return out
}

// layoutLines lays out those lines from start, where a moved block begins, that had
// the layout of fmt. Nothing around it has a say in that any more.
func (e *nativeEditor) layoutLines(start int, had []bool) {
	end := start
	for range had {
		end = e.d.lineEnd(end)
	}
	lines := strings.SplitAfter(string(e.d.slice(start, end)), "\n")
	want := e.d.formatted(lines, 0)
	if len(had) == 0 || len(want) != len(lines) {
		return
	}
	for i, line := range lines {
		if i >= len(had) || !had[i] {
			want[i] = line
		}
	}
	e.long().respaceLines(start, lines, want)
}

// reindent gives size bytes of text, which begin with a line, another indentation.
func (e *nativeEditor) reindent(at, size int, old, indent string) {
	if old == indent {
		return
	}
	text := string(e.d.slice(at, at+size))
	fixed := fixedLines(text)
	for i, line := range strings.SplitAfter(text, "\n") {
		skip := len(line) - len(strings.TrimPrefix(line, old))
		// A line that does not begin with the old indentation stands out on purpose,
		// and stays where it is.
		if strings.TrimSpace(line) != "" && !fixed[i] && (skip > 0 || old == "") {
			e.editor().rewrite(at, at+skip, added(indent))
			at += len(indent) - skip
		}
		at += len(line)
	}
}

// endsInComment reports whether there may be something and a comment behind it in a
// line.
func endsInComment(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	for at := 0; ; {
		rest := line[at:]
		open := bytes.Index(rest, []byte("/*"))
		before := rest
		if open >= 0 {
			before = rest[:open]
		}
		for _, mark := range []string{"#", "//"} {
			// It may be within a string. To say yes costs a longer look and no more. A
			// comment with nothing before it is one that fmt indents and does not
			// align.
			if i := bytes.Index(before, []byte(mark)); i > 0 || i == 0 && at > 0 {
				return true
			}
		}
		if open < 0 {
			return false
		}
		n := bytes.Index(rest[open+2:], []byte("*/"))
		if n < 0 {
			return false // it goes on in the next line
		}
		at += open + n + 4
	}
}

// netBrackets returns how many more brackets text opens than it closes.
//
// fmt indents by the same count: it looks at brackets line by line, and has no syntax
// tree.
func netBrackets(text string) (net int) {
	if text == "" {
		return 0
	}
	tokens, _ := hclsyntax.LexConfig([]byte(text), "", hcl.InitialPos)
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			net++
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
			net--
		}
	}
	return net
}

// A section is the lines of a region that fmt must see to lay out some of them.
type section struct {
	lo, hi int
	depth  int      // how deep in blocks the lines are
	rest   []string // the first lines of the arguments and blocks elsewhere in the block
}

// section returns the section around the lines from head to tail: up to blank lines
// between two parts of a block. Lines beyond them have a layout of their own.
func (r *region) section(lines []string, head, tail int) section {
	w := section{hi: len(lines)}
	body := r.file.Body()
	// A comment over several lines may have blank lines in it, which end no section.
	if len(body.Blocks) != 1 || len(body.Arguments) > 0 || head == len(lines) || strings.Contains(r.text, "/*") {
		return w
	}
	in := &body.Blocks[0].Body
	open, rows := int(placeOf(in.Range()).Start), r.rows(in)
	ends := make([]int, len(lines)) // of the lines
	at, found, row := 0, false, 0
	for i, line := range lines {
		for row < len(rows) && rows[row].start <= at {
			row++
		}
		between := at > open && (row == 0 || rows[row-1].end <= at)
		if between && strings.TrimSpace(line) == "" && !found {
			if i < head {
				w.lo, w.depth = i, 1
			} else if i >= tail {
				w.hi, found = i+1, true
			}
		}
		at += len(line)
		ends[i] = at
	}
	for _, row := range rows {
		if i := sort.SearchInts(ends, row.start+1); i < w.lo || i >= w.hi {
			w.rest = append(w.rest, lines[i])
		}
	}
	return w
}

// otherIndent reports whether most lines have another indentation than that of fmt. A file of a
// project that does not use fmt should not get single lines that stand out from the others.
// New lines then keep to it. Those of rest are directly in a block.
func otherIndent(lines, want, rest []string) bool {
	same, other := 0, 0
	fixed := fixedLines(strings.Join(lines, "")) // they say nothing, since fmt leaves them alone
	for i, line := range lines {
		switch in := leading(line); {
		case fixed[i]:
		case in == "" && leading(want[i]) == "" || strings.TrimSpace(line) == "":
		case in == leading(want[i]):
			same++
		default:
			other++
		}
	}
	for _, line := range rest {
		if leading(line) == "  " {
			same++
		} else {
			other++
		}
	}
	return other > same
}

// linesNow returns which line of old, which is all of the region, each line of now is, or -1 if it
// is new. The lines of now begin at offset start.
//
// A line is known again by the first thing in it, wherever that has gone: the white space before it
// changes with the indentation, and what comes behind may be what the edit is about.
func (d *draft) linesNow(r *region, old []string, start int, now []string) []int {
	head, tail := sameLines(old, now)
	out := make([]int, len(now))
	ends := make([]int, len(now)) // where the lines end
	for i, line := range now {
		start += len(line)
		out[i], ends[i] = -1, start
		if i < head {
			out[i] = i
		} else if i >= len(now)-tail {
			out[i] = i - len(now) + len(old)
		}
	}
	at := r.start
	for i, line := range old {
		if i >= head && i < len(old)-tail && strings.TrimSpace(line) != "" {
			if to, ok := d.begins(r.since.mark(at + len(leading(line)))); ok {
				if j := sort.SearchInts(ends, to+1); j >= head && j < len(now)-tail && out[j] < 0 {
					out[j] = i
				}
			}
		}
		at += len(line)
	}
	return out
}

// formatted is formatted that counts what it costs.
func (d *draft) formatted(lines []string, depth int) []string {
	for _, line := range lines {
		d.laidOut += len(line)
	}
	return formatted(lines, depth)
}

// formatted returns lines, which are that deep in blocks, as fmt has them. The blocks around are
// opened, because fmt indents by the brackets that it has seen.
func formatted(lines []string, depth int) []string {
	const block = "block {\n"
	text := strings.Repeat(block, depth) + strings.Join(lines, "")
	text = strings.Join(strings.SplitAfter(string(hclwrite.Format([]byte(text))), "\n")[depth:], "")
	out := strings.SplitAfter(text, "\n")
	if len(out) == len(lines)+1 && out[len(lines)] == "" {
		out = out[:len(lines)] // they end with a line break
	}
	return out
}

// noSpaces takes the white space out of a line.
var noSpaces = strings.NewReplacer(" ", "", "\t", "")

// respace makes want of the line at offset at, if they differ in white space only. It returns where the line ends then.
func (d *draft) respace(at int, line, want string) int {
	if line == want || noSpaces.Replace(line) != noSpaces.Replace(want) {
		return at + len(line)
	}
	for line != want {
		if line != "" && want != "" && line[0] == want[0] {
			line, want, at = line[1:], want[1:], at+1
			continue
		}
		skip, gap := leading(line), leading(want)
		d.rewrite(at, at+len(skip), added(gap))
		line, want, at = line[len(skip):], want[len(gap):], at+len(gap)
	}
	return at + len(line)
}
