// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/apparentlymart/go-textseg/v15/textseg"
	"github.com/tofuwire/tofuwire/addrs"
)

// An encoding is the unit in which a client counts columns.
type encoding string

const (
	utf8Encoding  encoding = "utf-8"
	utf16Encoding encoding = "utf-16"
)

// A lineIndex finds the places of a text. A line ends with "\n" alone, so a "\r" before it is the
// last character of the line that is not shown, and a lone "\r" ends no line: this is how the
// built-in client of Neovim and eglot count, and no client sends a lone "\r" otherwise.
type lineIndex struct {
	text   []byte
	starts []int // of the lines
}

func indexLines(text []byte) *lineIndex {
	x := &lineIndex{text, make([]int, 1, 1+bytes.Count(text, []byte{'\n'}))}
	for i, c := range text {
		if c == '\n' {
			x.starts = append(x.starts, i+1)
		}
	}
	return x
}

// lineEnd returns the offset of the end of a line, before its line end.
func (x *lineIndex) lineEnd(line int) int {
	if line+1 >= len(x.starts) {
		return len(x.text)
	}
	end := x.starts[line+1] - 1
	if end > x.starts[line] && x.text[end-1] == '\r' {
		end--
	}
	return end
}

// offset returns the byte at a position. A column beyond the line is its end, a line beyond the
// text is the end of the text, and a place within a character is its start.
func (x *lineIndex) offset(p position, enc encoding) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(x.starts) {
		return len(x.text)
	}
	at, end := x.starts[p.Line], x.lineEnd(p.Line)
	if enc == utf8Encoding {
		at = min(at+max(p.Character, 0), end)
		for at > x.starts[p.Line] && at < len(x.text) && !utf8.RuneStart(x.text[at]) {
			at--
		}
		return at
	}
	for n := p.Character; n > 0 && at < end; {
		r, size := utf8.DecodeRune(x.text[at:end])
		n--
		if r >= 0x10000 {
			n--
		}
		if n < 0 {
			break
		}
		at += size
	}
	return at
}

// position returns the place of a byte.
func (x *lineIndex) position(offset int, enc encoding) position {
	offset = max(0, min(offset, len(x.text)))
	line := sort.Search(len(x.starts), func(i int) bool { return x.starts[i] > offset }) - 1
	start := x.starts[line]
	if enc == utf8Encoding {
		return position{line, offset - start}
	}
	n := 0
	for at := start; at < offset; {
		r, size := utf8.DecodeRune(x.text[at:])
		if at += size; at > offset {
			break
		}
		n++
		if r >= 0x10000 {
			n++
		}
	}
	return position{line, n}
}

// column returns the byte of a column as messages have it: the first one is 1, and what people see as
// one character is one.
func (x *lineIndex) column(line, column int) int {
	at, end := x.starts[max(line, 0)], x.lineEnd(max(line, 0))
	for ; column > 1 && at < end; column-- {
		n, _, err := textseg.ScanGraphemeClusters(x.text[at:end], true)
		if err != nil || n == 0 {
			break
		}
		at += n
	}
	return at
}

// rangeOf returns the place of the bytes from start to end.
func (x *lineIndex) rangeOf(start, end int, enc encoding) textRange {
	return textRange{x.position(start, enc), x.position(max(start, end), enc)}
}

// span returns the bytes of a range.
func span(r addrs.Range) (start, end int) { return int(r.Start.Offset), int(r.End.Offset) }

// bare returns the bytes of a name without its quotes.
func (x *lineIndex) bare(r addrs.Range) (start, end int) {
	start, end = span(r)
	if end-start >= 2 && end <= len(x.text) && x.text[start] == '"' && x.text[end-1] == '"' {
		return start + 1, end - 1
	}
	return start, end
}
