// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"sort"
	"unicode/utf8"

	"github.com/apparentlymart/go-textseg/v15/textseg"
)

// A Pos is a place in a file. The zero Pos is no place.
type Pos struct {
	Offset int64 // in bytes, from 0
	Line   int   // from 1
	Column int   // from 1, counted as HCL counts: see [File.Position]
}

// IsValid reports whether p is a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String returns the line and the column, such as "3,12".
func (p Pos) String() string { return fmt.Sprintf("%d,%d", p.Line, p.Column) }

// A Range is a piece of a file, from Start up to but not including End.
// The zero Range is no place.
type Range struct {
	Filename   string
	Start, End Pos
}

// IsValid reports whether r is a place.
func (r Range) IsValid() bool { return r.Start.IsValid() }

// String returns the file and the places, such as "main.tf:3,12-18".
func (r Range) String() string {
	if r.Start.Line == r.End.Line {
		return fmt.Sprintf("%s:%d,%d-%d", r.Filename, r.Start.Line, r.Start.Column, r.End.Column)
	}
	return fmt.Sprintf("%s:%d,%d-%d,%d", r.Filename, r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
}

// A span is a Range without its lines and columns, which are found when they
// are asked for. Files above 2 GiB are refused, so 32 bits suffice.
type span struct{ start, end int32 }

func (s span) contains(t span) bool { return s.start <= t.start && t.end <= s.end }

// Position returns the place of the byte at offset. Columns count grapheme
// clusters, as HCL does; in JSON syntax a tab counts as two columns and a
// carriage return as none, which is how OpenTofu's JSON reader counts.
//
// The first call reads the file once; after that the cost does not depend on
// the length of the line.
func (f *File) Position(offset int64) Pos {
	offset = max(0, min(offset, int64(len(f.src))))
	f.linesOnce.Do(f.indexLines)
	i := sort.Search(len(f.marks), func(i int) bool { return int64(f.marks[i].offset) > offset }) - 1
	m := f.marks[i]
	return Pos{Offset: offset, Line: int(m.line), Column: int(m.column) + f.columns(int(m.offset), int(offset))}
}

// rangeOf returns s with its lines and columns.
func (f *File) rangeOf(s span) Range {
	if s.start < 0 {
		return Range{Filename: f.name}
	}
	return Range{Filename: f.name, Start: f.Position(int64(s.start)), End: f.Position(int64(s.end))}
}

// A mark is a place whose line and column are known: the start of a line, and
// one place every kilobyte of a longer line.
type mark struct {
	offset, line, column int32
}

// markEvery is the distance of marks on a long line, in bytes.
const markEvery = 1024

// indexLines finds the marks of the file. Without the marks inside a line, a
// file of one line would cost the square of its length.
func (f *File) indexLines() {
	start := 0
	if f.syntax == NativeSyntax && len(f.src) >= 3 && string(f.src[:3]) == "\uFEFF" {
		start = 3 // a byte order mark has no column
	}
	marks := make([]mark, 1, 1+len(f.src)/64)
	marks[0] = mark{0, 1, 1}
	if start > 0 {
		marks = append(marks, mark{int32(start), 1, 1})
	}
	line, column, from := int32(1), int32(1), start
	for i := start; i < len(f.src); i++ {
		if f.src[i] == '\n' {
			line, column, from = line+1, 1, i+1
			marks = append(marks, mark{int32(from), line, column})
			continue
		}
		// A cluster never begins between two bytes of which one is not
		// ASCII, but always between two that are (CR LF, which is one
		// cluster, ends a line).
		if i-from >= markEvery && f.src[i] < utf8.RuneSelf && f.src[i-1] < utf8.RuneSelf && f.src[i-1] != '\r' {
			column += int32(f.columns(from, i))
			from = i
			marks = append(marks, mark{int32(from), line, column})
		}
	}
	f.marks = marks
}

// columns returns how many columns the bytes from start to end take. Both are
// on one line, and start is the beginning of a grapheme cluster.
func (f *File) columns(start, end int) int {
	n := 0
	for i := start; i < end; i++ {
		switch b := f.src[i]; {
		case b >= utf8.RuneSelf:
			// A combining character may belong to the ASCII one before,
			// but not to a quote, which is a token of its own.
			from := i
			if i > start && f.src[i-1] >= ' ' && f.src[i-1] != '"' {
				from, n = i-1, n-1
			}
			// Clusters are counted up to the next two ASCII bytes.
			to := i + 1
			for to < end && (f.src[to] >= utf8.RuneSelf || f.src[to-1] >= utf8.RuneSelf) {
				to++
			}
			for rest := f.src[from:to]; len(rest) > 0; n++ {
				advance, _, err := textseg.ScanGraphemeClusters(rest, true)
				if err != nil || advance == 0 {
					advance = 1
				}
				rest = rest[advance:]
			}
			i = to - 1
		case f.syntax == JSONSyntax && b == '\t':
			n += 2
		case f.syntax == JSONSyntax && b == '\r':
		case b == '\r' && i+1 < len(f.src) && f.src[i+1] == '\n':
			// Native syntax: CR LF is one cluster, which ends the line.
		default:
			n++
		}
	}
	return n
}
