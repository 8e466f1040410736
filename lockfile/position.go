// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofuwire/tofuwire/addrs"
)

// A byteRange is a part of a text in bytes. The zero byteRange is an absent part: no
// part of a block can end at offset 0.
type byteRange struct{ start, end int }

func (s byteRange) exists() bool { return s.end > 0 }

const byteOrderMark = "\ufeff"

// An anchor is a place at the beginning of a token, outside of all brackets.
// Other places are counted from it. Finding the places in one block therefore
// needs no walk over all blocks before it.
type anchor struct{ offset, line, column int }

// fileStart is the anchor at the beginning of a file.
var fileStart = anchor{0, 1, 1}

// locate returns the place of the byte at offset in text, which is between
// from and limit. limit is a place like from, or the end of the text.
//
// On a line of ASCII, the column follows from the offset. On any other line,
// the column depends on how HCL splits the line into tokens, because it counts
// clusters token by token. locate therefore uses the scanner of HCL. Offsets
// passed to locate are always ends of tokens.
func locate(text string, from anchor, limit, offset int) addrs.Pos {
	start := from.offset
	if from.offset == 0 && offset >= len(byteOrderMark) && strings.HasPrefix(text, byteOrderMark) {
		start = len(byteOrderMark)
	}
	pos := addrs.Pos{Offset: int64(offset), Line: from.line}
	part := text[start:offset]
	if i := strings.LastIndexByte(part, '\n'); i >= 0 {
		pos.Line += strings.Count(part[:i+1], "\n")
		pos.Column, part = 1, part[i+1:]
	} else {
		pos.Column = from.column
	}
	if isASCII(part) {
		pos.Column += len(part)
		return pos
	}
	tokens, _ := hclsyntax.LexConfig([]byte(text[start:limit]), "", hcl.Pos{Byte: start, Line: from.line, Column: from.column})
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
	pos.Column += clusters(part)
	return pos
}

// advance returns the place of offset, counted from at, which must be before
// it. It is for walks that read every part of a text once.
func advance(text string, at addrs.Pos, offset int) addrs.Pos {
	start := int(at.Offset)
	if start == 0 && offset >= len(byteOrderMark) && strings.HasPrefix(text, byteOrderMark) {
		start = len(byteOrderMark)
	}
	part := text[start:offset]
	if i := strings.LastIndexByte(part, '\n'); i >= 0 {
		at.Line += strings.Count(part[:i+1], "\n")
		at.Column, part = 1, part[i+1:]
	}
	at.Column += clusters(part)
	at.Offset = int64(offset)
	return at
}

// clusters returns the number of grapheme clusters of s, which is on one line.
func clusters(s string) int {
	if isASCII(s) {
		return len(s)
	}
	whole := func(data []byte, _ bool) (int, []byte, error) { return len(data), data, nil }
	scanner := hcl.NewRangeScanner([]byte(s), "", whole)
	scanner.Scan()
	return scanner.Range().End.Column - 1
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// fromHCL converts a range of the HCL library. After a syntax error some of its
// ranges have an end before their start, or no place at all.
func fromHCL(filename string, r hcl.Range) addrs.Range {
	if r.Start.Line == 0 {
		r.Start = hcl.InitialPos
	}
	if r.End.Byte < r.Start.Byte {
		r.End = r.Start
	}
	return addrs.Range{
		Filename: filename,
		Start:    addrs.Pos{Offset: int64(r.Start.Byte), Line: r.Start.Line, Column: r.Start.Column},
		End:      addrs.Pos{Offset: int64(r.End.Byte), Line: r.End.Line, Column: r.End.Column},
	}
}
