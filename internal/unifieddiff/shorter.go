// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package unifieddiff

import (
	"bytes"
	"iter"
)

// maxCells bounds the table in which lines are compared with each other: changes with more lines
// stay as they are.
const maxCells = 1 << 20

// shorter makes context of the lines that one change of a hunk removes and adds again, as diff
// does. Package diff compares only lines that a text has once, so blank lines and closing braces between
// two changes are in both lists. The numbers of the hunks stay the same.
func shorter(text []byte) []byte {
	var out []byte
	var removed, added [][]byte
	flush := func() {
		out = appendChange(out, removed, added)
		removed, added = removed[:0], added[:0]
	}
	for line := range units(text) {
		switch {
		case line[0] == '-':
			if len(added) > 0 {
				flush()
			}
			removed = append(removed, line[1:])
		case line[0] == '+':
			added = append(added, line[1:])
		default:
			flush()
			out = append(out, line...)
		}
	}
	flush()
	return out
}

// units returns an iterator over the lines of a difference, each with the remark below it that it
// ends without a line feed.
func units(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(text) > 0 {
			n := lineLen(text)
			if n < len(text) && text[n] == '\\' {
				n += lineLen(text[n:])
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

func lineLen(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// appendChange appends the lines that a change removes and adds, with what is in both, in the longest
// common order, as context.
func appendChange(out []byte, removed, added [][]byte) []byte {
	put := func(mark byte, lines ...[]byte) {
		for _, line := range lines {
			out = append(append(out, mark), line...)
		}
	}
	if len(removed)*len(added) > maxCells {
		put('-', removed...)
		put('+', added...)
		return out
	}
	common := commonLengths(removed, added)
	i, j := 0, 0
	for from, to := 0, 0; ; {
		for i < len(removed) && j < len(added) && !bytes.Equal(removed[i], added[j]) {
			if common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j++
			}
		}
		if i == len(removed) || j == len(added) {
			put('-', removed[from:]...)
			put('+', added[to:]...)
			return out
		}
		put('-', removed[from:i]...)
		put('+', added[to:j]...)
		put(' ', removed[i])
		i, j = i+1, j+1
		from, to = i, j
	}
}

// commonLengths returns, for each i and j, how many lines a[i:] and b[j:] have in common, in order.
func commonLengths(a, b [][]byte) [][]int32 {
	table := make([][]int32, len(a)+1)
	cells := make([]int32, (len(a)+1)*(len(b)+1))
	for i := range table {
		table[i], cells = cells[:len(b)+1], cells[len(b)+1:]
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if bytes.Equal(a[i], b[j]) {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}
