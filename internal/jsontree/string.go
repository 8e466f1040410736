// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsontree

import (
	"bytes"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A String is a string in a JSON file that holds native source. Places in
// what it means are moved into the file.
type String struct {
	At textspan.Span
	// escapes has, for each escape, where it ends in the text and in the file.
	escapes []struct{ text, file int32 }
}

// Place returns where in the file the byte at offset of the text is.
func (s *String) Place(offset int32) int32 {
	i, _ := slices.BinarySearchFunc(s.escapes, offset, func(m struct{ text, file int32 }, to int32) int {
		if m.text <= to {
			return -1
		}
		return 1
	})
	if i == 0 {
		return s.At.Start + 1 + offset
	}
	return s.escapes[i-1].file + offset - s.escapes[i-1].text
}

// NewString returns the JSON string at a place of src.
func NewString(src []byte, at textspan.Span) *String {
	s := &String{At: at}
	raw := src[at.Start:at.End]
	if bytes.IndexByte(raw, '\\') < 0 {
		return s
	}
	text := int32(0)
	for i := 1; i < len(raw)-1; {
		if raw[i] != '\\' {
			i++
			text++
			continue
		}
		n := 2
		if raw[i+1] == 'u' {
			n = 6
			if i+12 < len(raw) && raw[i+6] == '\\' && raw[i+7] == 'u' {
				// Two escapes may be one character, of four bytes.
				if both := jsonscan.AppendUnquote(nil, []byte(`"`+string(raw[i:i+12])+`"`)); len(both) == 4 {
					n = 12
				}
			}
		}
		text += int32(len(jsonscan.AppendUnquote(nil, []byte(`"`+string(raw[i:i+n])+`"`))))
		i += n
		s.escapes = append(s.escapes, struct{ text, file int32 }{text, s.At.Start + int32(i)})
	}
	return s
}
