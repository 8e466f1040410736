// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apparentlymart/go-textseg/v15/textseg"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// DecodePositions gives places inside the strings of a JSON file the lines and columns that the
// programs show: they count in the text that the string means, where an escape is one
// character and a newline begins a line. Offsets stay those of the file. The diagnostics are
// those of the file, sorted; it is one pass over its text.
func DecodePositions(f *hclconfig.File, out hclconfig.Diagnostics) {
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
