// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Value is raw JSON: a part of a message whose form this package does not
// fix. A nil Value stands for a member that is not there; a null that was
// written is the text "null". The bytes must not be changed in place, as they
// belong to the line that was decoded; assign a new Value instead.
type Value []byte

// IsNull reports whether v is absent or null.
func (v Value) IsNull() bool {
	return len(v) == 0 || string(bytes.TrimSpace(v)) == "null"
}

// String returns the JSON text, or "" if there is none.
func (v Value) String() string { return string(v) }

// Str returns the text of a JSON string, and reports whether v is one.
func (v Value) Str() (s string, ok bool) {
	d := bytes.TrimSpace(v)
	if len(d) == 0 || d[0] != '"' {
		return "", false
	}
	if end, fault := jsonscan.String(d, 0); fault != jsonscan.OK || end != len(d) {
		return "", false
	}
	return string(jsonscan.AppendUnquote(nil, d)), true
}

// Decode stores the value in what dst points to, as json.Unmarshal does. Into
// an interface, numbers come as json.Number and lose nothing. A nil Value
// leaves dst alone.
func (v Value) Decode(dst any) error {
	if v == nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	if err := d.Decode(dst); err != nil {
		return fmt.Errorf("uijson: %w", err)
	}
	return nil
}

// Compact returns the value without white space between its tokens. Invalid
// JSON is returned as it is.
func (v Value) Compact() Value {
	var b bytes.Buffer
	if v == nil || json.Compact(&b, v) != nil {
		return v
	}
	return b.Bytes()
}

// StringValue returns s as a JSON string.
func StringValue(s string) Value {
	return jsonscan.AppendQuote(nil, s, true)
}

// members returns an iterator over the members of the object d, which must be
// valid and have no white space around it: the name as it is quoted, and the
// value.
func members(d []byte) iter.Seq2[[]byte, Value] {
	return func(yield func(name []byte, value Value) bool) {
		for i := jsonscan.Space(d, 1); d[i] != '}'; {
			end, _ := jsonscan.String(d, i)
			name := d[i:end]
			i = jsonscan.Space(d, jsonscan.Space(d, end)+1)
			end, _ = jsonscan.Value(d, i, jsonscan.MaxDepth)
			if !yield(name, Value(d[i:end:end])) {
				return
			}
			if i = jsonscan.Space(d, end); d[i] == ',' {
				i = jsonscan.Space(d, i+1)
			}
		}
	}
}

// each returns an iterator over the elements of v, if v is a valid array.
func (v Value) each() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		d := v.array()
		if d == nil {
			return
		}
		for i := jsonscan.Space(d, 1); d[i] != ']'; {
			end, _ := jsonscan.Value(d, i, jsonscan.MaxDepth)
			if !yield(Value(d[i:end:end])) {
				return
			}
			if i = jsonscan.Space(d, end); d[i] == ',' {
				i = jsonscan.Space(d, i+1)
			}
		}
	}
}

// object returns the text of v without white space around it if it is a valid
// object, or else nil.
func (v Value) object() []byte { return v.container('{') }

// array is the same for arrays.
func (v Value) array() []byte { return v.container('[') }

func (v Value) container(open byte) []byte {
	d := bytes.TrimSpace(v)
	if len(d) == 0 || d[0] != open || !jsonscan.Valid(d) {
		return nil
	}
	return d
}

// Sanitize returns s with the characters that a terminal would obey replaced
// by pictures of them, as the CLI does for text that others wrote: escape
// becomes "␛". Line feeds and tabs stay. So do carriage returns in front of
// line feeds; others become "␍", as they let a line overwrite itself.
func Sanitize(s string) string {
	clean := true
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune(0x2421)
		case r >= 0x80 && r < 0xa0: // C1: one-character forms of escape sequences
			b.WriteRune('\uFFFD')
		case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069: // change the direction of text
			b.WriteRune('\uFFFD')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plural returns "1 thing" or "n things".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
