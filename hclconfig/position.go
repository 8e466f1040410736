// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/apparentlymart/go-textseg/v15/textseg"
	"github.com/tofuwire/tofuwire/internal/textspan"
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
	// Filename is the name that the file was parsed with.
	Filename string
	// Start is the place of the first byte, and End that behind the last one.
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

// Position returns the place of the byte at offset: of the first byte for a
// negative one, and of the end for one beyond the text. Columns count grapheme
// clusters, as HCL does; in JSON syntax a tab counts as two columns and a
// carriage return as none, which is how OpenTofu's JSON reader counts.
//
// The first call reads the file once; after that the cost does not depend on
// the length of the file or of the line.
func (f *File) Position(offset int64) Pos {
	offset = max(0, min(offset, int64(len(f.src))))
	f.linesOnce.Do(f.indexLines)
	m := f.marks[offset/markEvery]
	f.advance(&m, int(offset))
	return Pos{Offset: offset, Line: int(m.line), Column: int(m.column)}
}

// rangeOf returns s with its lines and columns.
func (f *File) rangeOf(s textspan.Span) Range {
	switch {
	case f == nil:
		return Range{} // of a zero value
	case s.Start < 0:
		return Range{Filename: f.name}
	}
	return Range{Filename: f.name, Start: f.Position(int64(s.Start)), End: f.Position(int64(s.End))}
}

// A mark is a place whose line and column are known.
type mark struct {
	offset, line, column int32
}

// markEvery is the distance of marks, in bytes: the one for an offset is found
// by a division. A mark is at the last place at or before its own where a
// grapheme cluster surely begins.
const markEvery = 64

// indexLines makes the marks of the file. Without marks inside a line, a file
// of one line would cost the square of its length.
func (f *File) indexLines() {
	f.marks = make([]mark, len(f.src)/markEvery+1)
	m := mark{0, 1, 1}
	if f.syntax == NativeSyntax && len(f.src) >= 3 && string(f.src[:3]) == "\uFEFF" {
		m.offset = 3 // a byte order mark has no column
	}
	f.marks[0] = m
	for i := 1; i < len(f.marks); i++ {
		// A cluster always begins between two ASCII bytes, but for CR LF,
		// which is one. Elsewhere it may not.
		at := i * markEvery
		for at > max((i-1)*markEvery, int(m.offset)) && (f.src[at-1] >= utf8.RuneSelf || at < len(f.src) && f.src[at] >= utf8.RuneSelf || f.src[at-1] == '\r') {
			at--
		}
		if at > (i-1)*markEvery && at > int(m.offset) {
			f.advance(&m, at)
		}
		f.marks[i] = m
	}
}

// advance moves m on to the offset to.
func (f *File) advance(m *mark, to int) {
	src := f.src
	i, column := int(m.offset), m.column
	for i < to {
		// Eight bytes at a time, as long as each is one column.
		if i+8 <= to && plainASCII(src[i:]) {
			i, column = i+8, column+8
			continue
		}
		switch b := src[i]; {
		case b >= utf8.RuneSelf:
			var n int32
			i, n = f.clusters(int(m.offset), i, to)
			column += n
			continue
		case b == '\n':
			m.line++
			column = 1
		case b >= ' ':
			column++
		case f.syntax == JSONSyntax && b == '\t':
			column += 2
		case f.syntax == JSONSyntax && b == '\r':
		case b == '\r' && i+1 < len(src) && src[i+1] == '\n':
			// Native syntax: CR LF is one cluster, which ends the line.
		default:
			column++
		}
		i++
	}
	m.offset, m.column = int32(max(i, int(m.offset))), column
}

// plainASCII reports whether the first eight bytes of b are ASCII and no
// control characters.
func plainASCII(b []byte) bool {
	const ones = 0x0101010101010101
	w := binary.LittleEndian.Uint64(b)
	return (w|(w-' '*ones)&^w)&(0x80*ones) == 0
}

// clusters counts the grapheme clusters from the byte at i, which is not ASCII,
// to the next two ASCII bytes or to the offset to. It returns where it stopped,
// and by how much the column grows. The bytes from start on are on hand.
func (f *File) clusters(start, i, to int) (end int, columns int32) {
	// A combining character may belong to the ASCII one before, but not to
	// a quote, which is a token of its own.
	from := i
	if i > start && f.src[i-1] >= ' ' && f.src[i-1] != '"' && f.src[i-1] < utf8.RuneSelf {
		from, columns = i-1, -1
	}
	for end = i + 1; end < to && (f.src[end] >= utf8.RuneSelf || f.src[end-1] >= utf8.RuneSelf && f.src[end] >= ' '); end++ {
	}
	for rest := f.src[from:end]; len(rest) > 0; columns++ {
		n, _, err := textseg.ScanGraphemeClusters(rest, true)
		if err != nil || n == 0 {
			n = 1
		}
		rest = rest[n:]
	}
	return end, columns
}
