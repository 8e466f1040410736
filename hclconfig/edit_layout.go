// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// layoutBefore returns the region around what was at offset in f and is now from
// start to end, for layoutAfter. It is nil in JSON syntax, or after an error.
func (e *Editor) layoutBefore(f *File, offset int32, start, end int) *region {
	if e.f.syntax == JSONSyntax {
		return nil
	}
	return e.regionAt(f, int(offset), start, end)
}

// layoutAfter lays out the region anew after changes in it: lines that were as
// fmt has them are so again, and new lines are. Other lines stay as they are.
func (e *Editor) layoutAfter(r *region, o editOptions) {
	if r == nil || r.file == nil || e.err != nil || o.keepLayout {
		return
	}
	start, ok1 := e.d.begins(r.start, r.since)
	end, ok2 := e.d.ends(r.end, r.since)
	if !ok1 || !ok2 {
		return
	}
	old, now := strings.SplitAfter(r.text, "\n"), strings.SplitAfter(string(e.d.text.slice(start, end)), "\n")
	oldWant, want := formatted(r.text), formatted(strings.Join(now, ""))
	if len(want) != len(now) || len(oldWant) != len(old) {
		return // a byte order mark, or text that is not what it seems
	}
	head := 0
	for head < len(old) && head < len(now) && old[head] == now[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(now)-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	other := otherIndent(old, oldWant)
	var pieces []textPiece
	moved := e.linesNow(r, old[head:len(old)-tail], start, now[head:len(now)-tail], head)
	at, done := start, start
	for i, line := range now {
		was := -1
		switch {
		case i < head:
			was = i
		case i >= len(now)-tail:
			was = i - len(now) + len(old)
		case moved[i-head] > 0:
			was = head + moved[i-head] - 1
		}
		to := want[i]
		if was < 0 && other {
			to = leading(line) + to[len(leading(to)):]
		}
		if line != to && (was < 0 || old[was] == oldWant[was]) {
			pieces = append(append(pieces, kept(done, at)), respace(at, line, to)...)
			done = at + len(line)
		}
		at += len(line)
	}
	if len(pieces) > 0 {
		e.rewrite(start, end, append(pieces, kept(done, end))...)
	}
}

// leading returns the white space that a line begins with.
func leading(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// otherIndent reports whether most lines are not indented as fmt would have them, so
// that new ones should not be either.
func otherIndent(lines, want []string) bool {
	same, other := 0, 0
	for i, line := range lines {
		switch in := leading(line); {
		case in == "" && leading(want[i]) == "" || strings.TrimSpace(line) == "":
		case in == leading(want[i]):
			same++
		default:
			other++
		}
	}
	return other > same
}

// linesNow returns which line of old, from 1, each line of now is, or 0 if it is new.
// Both begin behind the first head lines of the region, which are as they were.
func (e *Editor) linesNow(r *region, old []string, start int, now []string, head int) []int {
	out := make([]int, len(now))
	if len(now) == 0 {
		return out
	}
	at := 0
	for _, line := range strings.SplitAfter(r.text, "\n")[:head] {
		at += len(line)
	}
	ends := make([]int, len(now)) // where the lines end
	end := start + at
	for i, line := range now {
		end += len(line)
		ends[i] = end
	}
	for i, line := range old {
		first := len(line) - len(strings.TrimLeft(line, " \t"))
		if to, ok := e.d.begins(r.start+at+first, r.since); ok && strings.TrimSpace(line) != "" {
			if j := sort.SearchInts(ends, to+1); j < len(now) && out[j] == 0 {
				out[j] = i + 1
			}
		}
		at += len(line)
	}
	return out
}

// formatted returns the lines of text as fmt has them.
func formatted(text string) []string {
	return strings.SplitAfter(string(hclwrite.Format([]byte(text))), "\n")
}

// respace returns the pieces that make want of line, which differ in white space.
func respace(at int, line, want string) []textPiece {
	var out []textPiece
	i, j := 0, 0
	isSpace := func(c byte) bool { return c == ' ' || c == '\t' }
	for i < len(line) || j < len(want) {
		from := i
		for i < len(line) && j < len(want) && line[i] == want[j] {
			i, j = i+1, j+1
		}
		if i > from {
			out = append(out, kept(at+from, at+i))
		}
		if i == len(line) && j == len(want) {
			break
		}
		gap := j
		for j < len(want) && isSpace(want[j]) {
			j++
		}
		skip := i
		for i < len(line) && isSpace(line[i]) {
			i++
		}
		if gap == j && skip == i {
			return []textPiece{kept(at, at+len(line))} // more than white space
		}
		out = append(out, added(want[gap:j]))
	}
	return out
}

// A context is where an expression is: what it is a part of.
type context struct {
	node   Expression
	parent Expression // the zero Expression if node is all of an argument
	index  int
}

// contextOf finds the expression from start to end in root.
func contextOf(root Expression, start, end int) (context, bool) {
	c := context{node: root}
	for {
		if s, t := offsets(c.node.at); s == start && t == end && (c.node.Form() != FormObject || c.parent.IsSet()) {
			return c, true
		}
		parts := c.node.Parts()
		i := slices.IndexFunc(parts, func(p Expression) bool {
			s, t := offsets(p.at)
			return p.IsSet() && s <= start && end <= t
		})
		if i < 0 {
			s, t := offsets(c.node.at)
			return c, s == start && t == end
		}
		c = context{node: parts[i], parent: c.node, index: i}
	}
}

// fit returns the text of v, spelled as it has to be in that place.
func (c context) fit(text string, v Value) (string, error) {
	if !c.parent.IsSet() {
		return text, nil
	}
	switch c.parent.Form() {
	case FormTemplate:
		if c.node.Form() != FormLiteral || c.node.Raw() != "" && strings.IndexByte(`"0123456789tfn`, c.node.Raw()[0]) >= 0 && c.inBraces() {
			break
		}
		if v.form != formString {
			return "${" + text + "}", nil
		}
		if c.parent.isHeredoc() {
			return hcllex.EscapeTemplate(v.text), nil
		}
		quoted := hcllex.Quote(v.text)
		return quoted[1 : len(quoted)-1], nil
	case FormObject:
		if c.index%2 == 1 {
			break
		}
		switch {
		case v.form == formString && hcllex.PlainKey(v.text):
			return v.text, nil
		case v.form == formString, v.form == formTemplate:
			return text, nil
		}
		return "(" + text + ")", nil
	case FormOperation, FormConditional:
		switch formOf(text) {
		case FormOperation, FormConditional:
			return "(" + text + ")", nil
		}
	case FormAccess, FormSplat:
		if c.index > 0 {
			break
		}
		switch formOf(text) {
		case FormReference, FormCall, FormAccess, FormSplat, FormParentheses, FormList:
		default:
			return "(" + text + ")", nil
		}
	}
	if p := c.parent.Form(); p == FormConditional || p == FormFor {
		if raw := c.parent.Raw(); strings.HasPrefix(raw, "%{") && c.index > 0 {
			return "", notWritable("a part of a template directive cannot be replaced by itself")
		}
	}
	return text, nil
}

// inBraces reports whether the node, a literal in a template, is in ${ }.
func (c context) inBraces() bool {
	src := c.node.file.src[:c.node.at.Start]
	src = bytes.TrimRight(src, " \t\r\n")
	return bytes.HasSuffix(src, []byte("${")) || bytes.HasSuffix(src, []byte("${~"))
}

func (e Expression) isHeredoc() bool { return strings.HasPrefix(e.Raw(), "<<") }

// formOf returns the form of native source.
func formOf(text string) Form {
	x, err := parseSource(text)
	if err != nil {
		return FormInvalid
	}
	form, _, _ := Expression{file: &File{src: []byte(text)}, native: x}.node(false)
	return form
}
