// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/planjson"
)

// A Line is one line of a text that differs.
type Line struct {
	Status Status // added, removed, or unchanged
	Text   string // without the line feed
}

// Lines compares the lines of the values of d, if they are strings and at least
// one of them has several lines. It returns nil otherwise. It takes time
// proportional to the texts, unless the same lines occur over and over.
func (d *Attribute) Lines() []Line {
	if d == nil {
		return nil
	}
	if !bytes.Contains(d.Before, []byte(`\`)) && !bytes.Contains(d.After, []byte(`\`)) {
		return nil // no escape, no line feed
	}
	b, bOK := d.Before.Text()
	a, aOK := d.After.Text()
	if !bOK && !aOK || d.Before != nil && !bOK || d.After != nil && !aOK || !strings.Contains(b, "\n") && !strings.Contains(a, "\n") {
		return nil
	}
	var lines []Line
	eachLine(b, a, bOK, aOK, func(l Line) bool {
		lines = append(lines, l)
		return true
	})
	return lines
}

// maxLines is how many lines that differ are compared one by one. Of longer
// texts all are removed and added.
const maxLines = 1 << 17

// eachLine compares two texts line by line until yield returns false. One of
// the texts can be missing. A line feed at the end begins no line.
func eachLine(b, a string, hasBefore, hasAfter bool, yield func(Line) bool) {
	b, a = strings.TrimSuffix(b, "\n"), strings.TrimSuffix(a, "\n")
	all := func(s string, i, end int, status Status) bool {
		for i < end {
			line, next := nextLine(s, i)
			if !yield(Line{status, line}) {
				return false
			}
			i = next
		}
		return true
	}
	switch {
	case !hasBefore:
		all(a, 0, len(a)+1, Added)
		return
	case !hasAfter:
		all(b, 0, len(b)+1, Removed)
		return
	}
	// A line begins at each of bi and ai, if they are below be and ae.
	bi, ai, be, ae := 0, 0, len(b)+1, len(a)+1
	for bi < be && ai < ae {
		x, bNext := nextLine(b, bi)
		y, aNext := nextLine(a, ai)
		if x != y {
			break
		}
		if !yield(Line{Unchanged, x}) {
			return
		}
		bi, ai = bNext, aNext
	}
	for bi < be && ai < ae {
		bLast := bi + strings.LastIndexByte(b[bi:be-1], '\n') + 1
		aLast := ai + strings.LastIndexByte(a[ai:ae-1], '\n') + 1
		if b[bLast:be-1] != a[aLast:ae-1] {
			break
		}
		be, ae = bLast, aLast
	}
	count := func(s string, i, end int) int {
		if i >= end {
			return 0
		}
		return strings.Count(s[i:end-1], "\n")
	}
	if count(b, bi, be)+count(a, ai, ae) > maxLines {
		if !all(b, bi, be, Removed) || !all(a, ai, ae, Added) {
			return
		}
	} else if !diffLines(split(b, bi, be), split(a, ai, ae), yield) {
		return
	}
	all(b, be, len(b)+1, Unchanged)
}

// nextLine returns the line that begins at s[i], and where the next one does.
func nextLine(s string, i int) (line string, next int) {
	n := strings.IndexByte(s[i:], '\n')
	if n < 0 {
		return s[i:], len(s) + 1
	}
	return s[i : i+n], i + n + 1
}

// split returns the lines between two beginnings of lines.
func split(s string, i, end int) []string {
	if i >= end {
		return nil
	}
	return strings.Split(s[i:end-1], "\n")
}

// diffLines compares lines until yield returns false, and reports whether it did
// not.
func diffLines(before, after []string, yield func(Line) bool) bool {
	ids := make(map[string]int)
	number := func(list []string) []int {
		numbers := make([]int, len(list))
		for i, s := range list {
			id, ok := ids[s]
			if !ok {
				id = len(ids)
				ids[s] = id
			}
			numbers[i] = id
		}
		return numbers
	}
	i, j := 0, 0
	gap := func(iEnd, jEnd int) bool {
		for ; i < iEnd; i++ {
			if !yield(Line{Removed, before[i]}) {
				return false
			}
		}
		for ; j < jEnd; j++ {
			if !yield(Line{Added, after[j]}) {
				return false
			}
		}
		return true
	}
	for _, p := range commonSubsequence(number(before), number(after)) {
		if !gap(p.before, p.after) || !yield(Line{Unchanged, before[i]}) {
			return false
		}
		i, j = i+1, j+1
	}
	return gap(len(before), len(after))
}

// contextLines is how many unchanged lines are shown before and after a change.
const contextLines = 3

// isText reports whether values are shown line by line: strings, one of them of
// several lines.
func isText(before, after planjson.Value) bool {
	some := false
	for _, v := range [...]planjson.Value{before, after} {
		if v != nil && v.Kind() != planjson.KindString {
			return false
		}
		some = some || hasLineFeed(v)
	}
	return some
}

// textParts returns the text of a string in parts: a long one is never
// held as a whole.
func textParts(v planjson.Value) iter.Seq[string] {
	return func(yield func(string) bool) {
		i := jsonscan.Space(v, 0)
		end, fault := jsonscan.String(v, i)
		if fault != jsonscan.OK {
			return
		}
		token := v[i:end]
		last := len(token) - 1
		for i := 1; i < last; {
			end := min(tokenPart(token, i, i+chunk), last)
			if end == i { // not as a string should be
				end = last
			}
			part := append(append(make([]byte, 1, end-i+2), token[i:end]...), '"')
			part[0] = '"'
			if !yield(jsonscan.Unquote(part)) {
				return
			}
			i = end
		}
	}
}

// hasLineFeed reports whether the token of a string has an escaped line feed.
func hasLineFeed(token []byte) bool {
	for i := bytes.IndexByte(token, '\\'); i >= 0 && i+1 < len(token); {
		if token[i+1] == 'n' || i+6 <= len(token) && string(token[i+1:i+5]) == "u000" && token[i+5]|0x20 == 'a' {
			return true
		}
		n := bytes.IndexByte(token[i+2:], '\\')
		if n < 0 {
			break
		}
		i += 2 + n
	}
	return false
}

// heredoc renders a text of several lines, or the difference of two.
func (r *renderer) heredoc(before, after planjson.Value, status Status, depth int, note string) {
	r.say("<<-EOT")
	r.finish("", note)
	r.end()
	if status == Changed {
		r.changedLines(before, after, depth+1)
	} else {
		r.plainLines(before, plainSigns[status], depth+1)
	}
	r.to.begin(" ", depth)
	r.say("EOT")
}

// plainSigns are the signs of lines that have come or gone with all of a text. In
// text they have none.
var plainSigns = [...]string{Unchanged: " ", Added: "+ ", Removed: "- ", Changed: " ", Moved: " "}

// plainSign returns the sign to show where such lines have one.
func plainSign(sign string) string {
	if len(sign) == 2 && sign[1] == ' ' {
		return sign[:1]
	}
	return sign
}

// plainLines renders the lines of a text.
func (r *renderer) plainLines(v planjson.Value, sign string, depth int) {
	if r.max > 0 { // each line is cut
		text, _ := v.Text()
		eachLine("", text, false, true, func(l Line) bool {
			r.textLine(l.Text, sign, depth)
			return !r.to.full()
		})
		return
	}
	open := false
	for part := range textParts(v) {
		for part != "" && !r.to.full() {
			line, rest, ended := strings.Cut(part, "\n")
			if !open {
				r.to.begin(sign, depth)
			}
			r.addText(line)
			if open = !ended; ended {
				r.end()
			}
			part = rest
		}
	}
	if open {
		r.end()
	}
}

// textLine renders a line of a text.
func (r *renderer) textLine(line, sign string, depth int) {
	r.to.begin(sign, depth)
	if r.max > 0 {
		r.text = r.cut(append(r.text[:0], printable.Text(line)...))
		r.to.add(r.text)
	} else {
		r.addText(line)
	}
	r.end()
}

// addText adds text of any length to the open line.
func (r *renderer) addText(s string) {
	for len(s) > chunk {
		n := chunk
		for n > chunk-utf8.UTFMax && !utf8.RuneStart(s[n]) {
			n--
		}
		r.say(printable.Text(s[:n]))
		s = s[n:]
	}
	r.say(printable.Text(s))
}

// changedLines renders the lines of two texts, without most of those that both
// have.
func (r *renderer) changedLines(before, after planjson.Value, depth int) {
	b, _ := before.Text()
	a, _ := after.Text()
	show := func(l Line) bool {
		r.textLine(l.Text, signs[l.Status], depth)
		return !r.to.full()
	}
	var near [contextLines]Line // the last unchanged lines
	n, hidden, shown := 0, 0, 0 // of near; before near; unchanged lines to show yet
	flush := func() {
		if hidden > 0 {
			lines := " unchanged lines"
			if hidden == 1 {
				lines = " unchanged line"
			}
			r.line(" ", depth, []byte("# ("+strconv.Itoa(hidden)+lines+" hidden)"), "")
		}
		for _, l := range near[:n] {
			show(l)
		}
		n, hidden = 0, 0
	}
	eachLine(b, a, true, true, func(l Line) bool {
		switch {
		case l.Status != Unchanged:
			flush()
			shown = contextLines
			return show(l)
		case shown > 0:
			shown--
			return show(l)
		case n == len(near):
			copy(near[:], near[1:])
			near[n-1] = l
			hidden++
		default:
			near[n] = l
			n++
		}
		return true
	})
	hidden, n = hidden+n, 0
	flush()
}
