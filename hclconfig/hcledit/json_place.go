// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import "github.com/tofuwire/tofuwire/internal/textspan"

// spaceBack returns the place behind the last byte before i that is not white space.
func (e *Editor) spaceBack(i int) int {
	for i > 0 && isSpaceJSON(e.d.text.at(i-1)) {
		i--
	}
	return i
}

// spaceOn returns the place of the first byte from i on that is not white space.
func (e *Editor) spaceOn(i int) int {
	for n := e.d.text.len(); i < n && isSpaceJSON(e.d.text.at(i)); {
		i++
	}
	return i
}

// stringBack returns the place of the opening quote of the string that ends before end.
// There is no backslash before it, as there is before a quote inside.
func (e *Editor) stringBack(end int) int {
	i := end - 2
	for i > 0 && (e.d.text.at(i) != '"' || e.d.text.at(i-1) == '\\') {
		i--
	}
	e.scanned += end - i
	return i
}

// stringOn returns the place behind the string that begins at i.
func (e *Editor) stringOn(i int) int {
	for i++; e.d.text.at(i) != '"'; i++ {
		if e.d.text.at(i) == '\\' {
			i++
		}
	}
	return i + 1
}

// enclosing returns the place of the innermost container around a name or a value
// that begins at offset. There is none around the root: then open is -1.
func (e *Editor) enclosing(offset int) (open, shut int) {
	depth := 0
	open = -1
	for i := offset - 1; i >= 0 && open < 0; i-- {
		switch e.d.text.at(i) {
		case '"':
			i = e.stringBack(i + 1)
		case ']', '}':
			depth++
		case '[', '{':
			if depth--; depth < 0 {
				open = i
			}
		}
	}
	if open < 0 {
		return -1, 0
	}
	depth = 0
	for i, n := offset, e.d.text.len(); i < n; i++ {
		switch e.d.text.at(i) {
		case '"':
			i = e.stringOn(i) - 1
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth < 0 {
				e.scanned += i - open
				return open, i + 1
			}
		}
	}
	return -1, 0
}

// A neighbourhood is what is around a member or an element.
type neighbourhood struct {
	start         int // where it begins: a member with its name
	before, after int // where the comma or bracket before it is, and the one behind
}

// neighbours returns what is around the member or element whose value is from start to
// end, or which is all of that. It reports false for the root.
func (e *Editor) neighbours(start, end int) (neighbourhood, bool) {
	n := neighbourhood{start: start, before: e.spaceBack(start) - 1, after: e.spaceOn(end)}
	if n.before >= 0 && e.d.text.at(n.before) == ':' {
		n.start = e.stringBack(e.spaceBack(n.before))
		n.before = e.spaceBack(n.start) - 1
	}
	e.scanned += n.after - n.before - (end - start)
	return n, n.before >= 0 && n.after < e.d.text.len()
}

// alone reports whether nothing else is in the container.
func (e *Editor) alone(n neighbourhood) bool {
	return e.d.text.at(n.before) != ',' && e.d.text.at(n.after) != ','
}

// removeAmong removes a member or an element, which ends at end, with the comma that
// separates it from the others.
func (e *Editor) removeAmong(n neighbourhood, end int) {
	switch {
	case e.d.text.at(n.before) == ',':
		e.rewrite(e.spaceBack(n.before), end)
	case e.d.text.at(n.after) == ',':
		e.rewrite(n.start, e.spaceOn(n.after+1))
	default:
		e.rewrite(n.before+1, n.after)
	}
}

// removeJSON removes the member or element from start to end.
func (e *Editor) removeJSON(start, end int) {
	n, ok := e.neighbours(start, end)
	if !ok {
		e.failf(nil, textspan.Span{}, "it is not a property or an element")
		return
	}
	e.removeAmong(n, end)
}

// removeBlockJSON removes the property or element of a block, and then empty
// containers around it, up to the property of the block's type, whose name is at
// typeAt.
func (e *Editor) removeBlockJSON(start, end, typeAt int) {
	for {
		n, ok := e.neighbours(start, end)
		if !ok {
			e.failf(nil, textspan.Span{}, "it is not a property or an element")
			return
		}
		if !e.alone(n) || n.start == typeAt || n.before <= typeAt {
			e.removeAmong(n, end)
			return
		}
		// The container goes as a whole, and it is a value of something.
		start, end = n.before, n.after+1
	}
}
