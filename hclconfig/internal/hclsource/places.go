// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apparentlymart/go-textseg/v15/textseg"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// DecodePlaces gives places inside the strings of a JSON file the lines and columns that the
// programs show: they count in the text that the string means, where an escape is one
// character and a newline begins a line. Offsets stay those of the file. The diagnostics are
// those of the file, sorted; it is one pass over its text.
func DecodePlaces(f *hclconfig.File, out hclconfig.Diagnostics) {
	src := f.Bytes()
	at := 0 // outside of any string
	last, lastEnd := -1, 0
	for i := range out {
		to := int(out[i].Subject.Start.Offset)
		for at < to {
			n := bytes.IndexByte(src[at:min(to, len(src))], '"')
			if n < 0 {
				at = to
				break
			}
			start := at + n
			if start != last {
				last, lastEnd = start, endOfString(src, start)
			}
			end := lastEnd
			if to <= start || end < 0 {
				return
			}
			if to >= end {
				at = end
				continue
			}
			// Inside the string.
			if prefix := src[start+1 : to]; bytes.IndexByte(prefix, '\\') >= 0 && len(prefix) < maxDecoded {
				out[i].Subject.Start = decodedPosition(f, start, prefix, out[i].Subject.Start)
			}
			at = start
			break
		}
	}
}

// maxDecoded bounds the text that is decoded again for each diagnostic.
const maxDecoded = 1 << 12

// endOfString returns the place after the JSON string that begins at start.
func endOfString(src []byte, start int) int {
	for i := start + 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// decodedPosition counts lines and columns in the meaning of prefix, with which the
// JSON string at start begins.
func decodedPosition(f *hclconfig.File, start int, prefix []byte, pos addrs.Pos) addrs.Pos {
	token := slices.Concat([]byte{'"'}, prefix, []byte{'"'})
	if !json.Valid(token) {
		return pos // of a string with a fault, or within an escape
	}
	text := string(jsonscan.AppendUnquote(nil, token))
	first := f.Position(int64(start) + 1)
	pos.Line, pos.Column = first.Line, first.Column
	if n := strings.Count(text, "\n"); n > 0 {
		pos.Line += n
		pos.Column = 1
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	if !utf8.ValidString(text) {
		return pos
	}
	n, _ := textseg.TokenCount([]byte(text), textseg.ScanGraphemeClusters)
	pos.Column += n
	return pos
}

// Places are ranges of files, each with the largest end of those that start before it.
type Places map[string][]offsets

type offsets struct{ start, end int64 }

// PlacesOf returns the ranges as places.
func PlacesOf(ranges []addrs.Range) Places {
	out := Places{}
	for _, r := range ranges {
		out[r.Filename] = append(out[r.Filename], offsets{r.Start.Offset, r.End.Offset})
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b offsets) int { return cmp.Compare(a.start, b.start) })
		for i := range list[1:] {
			list[i+1].end = max(list[i].end, list[i+1].end)
		}
	}
	return out
}

// Have reports whether a place is in one of the ranges.
func (p Places) Have(at addrs.Range) bool {
	return p.Hold(at.Filename, at.Start.Offset, at.End.Offset)
}

// Hold reports whether the part of a file from start to end is in one of the ranges.
func (p Places) Hold(filename string, start, end int64) bool {
	list := p[filename]
	i, _ := slices.BinarySearchFunc(list, start, func(s offsets, offset int64) int {
		if s.start <= offset {
			return -1
		}
		return 1
	})
	return i > 0 && list[i-1].end >= end
}

// Header returns the place of a block as a whole. Native: its type and labels. JSON: the
// bracket that opens the value of its last label.
func Header(b *hclconfig.Block) addrs.Range {
	if b == nil {
		return addrs.Range{}
	}
	f := b.File()
	if f == nil || f.Syntax() != hclconfig.JSONSyntax {
		return b.DefRange()
	}
	name := b.TypeRange()
	if n := len(b.Labels); n > 0 {
		name = b.LabelRange(n - 1)
	}
	src, at := f.Bytes(), int(name.End.Offset)
	for at < len(src) && src[at] != '{' && src[at] != '[' {
		if !slices.Contains([]byte(": \t\r\n"), src[at]) {
			return b.DefRange()
		}
		at++
	}
	if at >= len(src) {
		return b.DefRange()
	}
	return addrs.Range{Filename: f.Filename(), Start: f.Position(int64(at)), End: f.Position(int64(at + 1))}
}
