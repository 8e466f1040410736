// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"slices"
	"strings"
)

// A listPatcher changes a list of hashes in place. An element that is alone on
// its line is added and removed with the line; others are handled inside the
// line.
type listPatcher struct {
	*blockWriter
	elements []element
	keep     []bool
	gap      string // the white space after a comma inside a line
	sorted   []int  // the kept elements by value, of equal ones the last one last
}

// patchList removes the elements that keep refuses and adds the given hashes,
// each after the greatest kept one that is smaller. In a sorted list that is
// the sorted place; in another list no other element moves. elements must not
// be empty, and at least one hash must be kept or added.
func patchList(w *blockWriter, elements []element, keep func(element) bool, add []Hash) {
	l := listPatcher{blockWriter: w, elements: elements, keep: make([]bool, len(elements)), gap: gapOf(elements)}
	firstKept := -1
	for i, e := range elements {
		l.keep[i] = keep(e)
		if l.keep[i] && firstKept < 0 {
			firstKept = i
		}
	}
	if firstKept < 0 && l.replaceInline(add) {
		return
	}
	for i := range elements {
		if l.keep[i] {
			l.sorted = append(l.sorted, i)
		}
	}
	slices.SortStableFunc(l.sorted, func(i, j int) int { return strings.Compare(elements[i].value, elements[j].value) })
	for len(add) > 0 {
		// All hashes that follow the same element are inserted together.
		at := l.predecessor(add[0])
		n := 1
		for n < len(add) && l.predecessor(add[n]) == at {
			n++
		}
		if at >= 0 {
			l.insertAfter(at, add[:n])
		} else {
			l.insertBefore(max(firstKept, 0), add[:n])
		}
		add = add[n:]
	}
	for i := range elements {
		if !l.keep[i] {
			l.removeElement(i)
		}
	}
	l.trimTail()
}

// predecessor returns the index of the greatest kept element below h, or -1.
func (l *listPatcher) predecessor(h Hash) int {
	n, _ := slices.BinarySearchFunc(l.sorted, string(h), func(i int, h string) int { return strings.Compare(l.elements[i].value, h) })
	if n == 0 {
		return -1
	}
	return l.sorted[n-1]
}

// ownLine reports whether element i is alone on its line, with at most a comma
// and a comment after it. It returns the offset where the next line begins.
func (l *listPatcher) ownLine(i int) (next int, ok bool) {
	e := &l.elements[i]
	if !startsLine(l.text, e.expr.start) {
		return 0, false
	}
	end := e.expr.end
	if e.comma >= 0 {
		if strings.Trim(l.text[end:e.comma], " \t") != "" {
			return 0, false
		}
		end = e.comma + 1
	}
	next, ok = endsLine(l.text, end)
	return next, ok && next < len(l.text)
}

func (l *listPatcher) insertAfter(i int, add []Hash) {
	e := &l.elements[i]
	next, ok := l.ownLine(i)
	if !ok {
		for _, h := range add {
			l.put(e.expr.end, e.expr.end, ","+l.gap+quoted(string(h)))
		}
		return
	}
	if e.comma < 0 {
		l.put(e.expr.end, e.expr.end, ",")
	}
	var lines strings.Builder
	for j, h := range add {
		lines.WriteString(indentOf(l.text, e.expr.start) + quoted(string(h)))
		if e.comma >= 0 || j < len(add)-1 {
			lines.WriteByte(',')
		}
		lines.WriteString(l.eol)
	}
	l.put(next, next, lines.String())
}

func (l *listPatcher) insertBefore(i int, add []Hash) {
	e := &l.elements[i]
	if _, ok := l.ownLine(i); !ok {
		for _, h := range add {
			l.put(e.expr.start, e.expr.start, quoted(string(h))+","+l.gap)
		}
		return
	}
	var lines strings.Builder
	for _, h := range add {
		lines.WriteString(indentOf(l.text, e.expr.start) + quoted(string(h)) + "," + l.eol)
	}
	start := lineStart(l.text, e.expr.start)
	l.put(start, start, lines.String())
}

// gapOf returns the white space after a comma inside a line of the list.
func gapOf(elements []element) string {
	for i := range elements[1:] {
		if comma := elements[i].comma; comma >= 0 && comma+1 == elements[i+1].expr.start {
			return ""
		}
	}
	return " "
}

// removeElement removes element i with its comma.
func (l *listPatcher) removeElement(i int) {
	e := &l.elements[i]
	if next, ok := l.ownLine(i); ok {
		l.put(lineStart(l.text, e.expr.start), next, "")
		return
	}
	if e.comma < 0 {
		l.put(e.expr.start, e.expr.end, "")
		return
	}
	// A comment between element and comma stays.
	end := skipBlanksFrom(l.text, e.comma+1)
	if strings.Trim(l.text[e.expr.end:e.comma], " \t") == "" {
		l.put(e.expr.start, end, "")
		return
	}
	l.put(e.expr.start, e.expr.end, "")
	l.put(e.comma, end, "")
}

// trimTail removes the comma and the blanks before the elements removed at the
// end of a line.
func (l *listPatcher) trimTail() {
	last := len(l.elements) - 1
	i := last
	for i >= 0 && !l.keep[i] {
		i--
	}
	if i < 0 || i == last || l.elements[last].comma >= 0 {
		return
	}
	if l.onlyCommas(i, last) {
		l.put(l.elements[i].expr.end, l.elements[last].expr.end, "")
	}
}

// onlyCommas reports whether only commas and blanks are between the elements
// from i to j.
func (l *listPatcher) onlyCommas(i, j int) bool {
	for ; i < j; i++ {
		if strings.Trim(l.text[l.elements[i].expr.end:l.elements[i+1].expr.start], " \t,") != "" {
			return false
		}
	}
	return true
}

// replaceInline replaces all elements if they are on one line with nothing else
// between them. It reports whether it did so.
func (l *listPatcher) replaceInline(add []Hash) bool {
	last := len(l.elements) - 1
	if _, own := l.ownLine(0); own || !l.onlyCommas(0, last) {
		return false
	}
	texts := make([]string, len(add))
	for i, h := range add {
		texts[i] = quoted(string(h))
	}
	l.put(l.elements[0].expr.start, l.elements[last].expr.end, strings.Join(texts, ","+l.gap))
	return true
}
