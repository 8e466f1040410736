// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A Pos is a place in a file.
type Pos struct {
	Offset int64 // in bytes, from 0
	Line   int   // from 1
	Column int   // from 1; counts grapheme clusters, as HCL does
}

// A Range is a part of a file, from Start to before End. The zero Range means
// that there is no such part.
type Range struct {
	Filename   string
	Start, End Pos
}

// IsZero reports whether r is the zero Range.
func (r Range) IsZero() bool { return r == Range{} }

// String returns the range as tofu prints it: name:line,column-column, or
// name:line,column-line,column if it spans lines.
func (r Range) String() string {
	if r.Start.Line == r.End.Line {
		return fmt.Sprintf("%s:%d,%d-%d", r.Filename, r.Start.Line, r.Start.Column, r.End.Column)
	}
	return fmt.Sprintf("%s:%d,%d-%d,%d", r.Filename, r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
}

// A span is a part of a text in bytes. The zero span is an absent part: no
// part of a block can end at offset 0.
type span struct{ start, end int }

func (s span) exists() bool { return s.end > 0 }

const byteOrderMark = "\ufeff"

// An anchor is a place whose line is known, from which others are counted, so
// that the places in one block do not cost a walk over all blocks before it.
type anchor struct{ offset, line int }

// locate returns the place of the byte at offset in text, which is not before
// from.
//
// On a line of ASCII the column follows from the offset. On any other line the
// columns depend on how HCL splits the line into tokens, because it counts
// clusters token by token; so its own scanner is asked. Offsets that are given
// to locate are always ends of tokens.
func locate(text string, from anchor, offset int) Pos {
	lineStart := strings.LastIndexByte(text[:offset], '\n') + 1
	pos := Pos{Offset: int64(offset), Line: from.line}
	if lineStart > from.offset {
		pos.Line += strings.Count(text[from.offset:lineStart], "\n")
	}
	if lineStart == 0 && offset >= len(byteOrderMark) && strings.HasPrefix(text, byteOrderMark) {
		lineStart = len(byteOrderMark)
	}
	if isASCII(text[lineStart:offset]) {
		pos.Column = 1 + offset - lineStart
		return pos
	}
	tokens, _ := hclsyntax.LexConfig([]byte(text), "", hcl.InitialPos)
	for _, t := range tokens {
		switch offset {
		case t.Range.Start.Byte:
			pos.Line, pos.Column = t.Range.Start.Line, t.Range.Start.Column
			return pos
		case t.Range.End.Byte:
			pos.Line, pos.Column = t.Range.End.Line, t.Range.End.Column
			return pos
		}
	}
	pos.Column = 1 + utf8.RuneCountInString(text[lineStart:offset])
	return pos
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// rangeFrom returns the Range of s in text, which is not before from, or the
// zero Range if s is absent.
func rangeFrom(filename, text string, from anchor, s span) Range {
	if !s.exists() {
		return Range{}
	}
	return Range{Filename: filename, Start: locate(text, from, s.start), End: locate(text, from, s.end)}
}

// fromHCL converts a range of the HCL library. After a syntax error some of its
// ranges have an end before their start, or no place at all.
func fromHCL(filename string, r hcl.Range) Range {
	if r.Start.Line == 0 {
		r.Start = hcl.InitialPos
	}
	if r.End.Byte < r.Start.Byte {
		r.End = r.Start
	}
	return Range{
		Filename: filename,
		Start:    Pos{Offset: int64(r.Start.Byte), Line: r.Start.Line, Column: r.Start.Column},
		End:      Pos{Offset: int64(r.End.Byte), Line: r.End.Line, Column: r.End.Column},
	}
}
