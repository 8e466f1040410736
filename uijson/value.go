// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Value is one JSON value, as it stands in the line: a part of a message whose
// form this package does not fix, or whose null differs from its absence.
//
// A nil Value is a member that is absent. The JSON null is a Value of four
// bytes, not nil.
//
// The bytes of a decoded Value are part of the line and must not be changed.
// Assign another Value instead: one of [ValueOf], or any JSON text, which
// [Encode] checks.
//
// No method panics, whatever the bytes: those that return a value return
// nothing for text that is not valid JSON, those that return an error return
// an [*Error]. Their offsets count within the Value. The methods may be called
// concurrently. The type of the same name in package planjson has these
// methods and many more; a Value can be converted to it.
type Value []byte

// IsAbsent reports whether v is nil: the message does not have the member.
func (v Value) IsAbsent() bool { return v == nil }

// IsNull reports whether v is the JSON null.
func (v Value) IsNull() bool { return string(v) == "null" || string(v.trimmed()) == "null" }

// Check returns nil if v is one valid JSON value, and otherwise an [*Error].
// A nil Value is not valid.
func (v Value) Check() error {
	if v == nil {
		return &Error{Line: 1, Column: 1, Err: ErrAbsent}
	}
	if at, fault := jsonscan.Document(v); fault != jsonscan.OK {
		return v.fault(at, fault)
	}
	return nil
}

// fault returns an error at an offset of v.
func (v Value) fault(at int, cause error) error {
	line, column := jsonscan.Position(v, at)
	return &Error{
		Offset:  int64(at),
		Line:    line,
		Column:  column,
		Pointer: jsonscan.Pointer(v, at),
		Err:     cause,
	}
}

// String returns the JSON text of v, "" if it is absent.
func (v Value) String() string { return string(v) }

// Text returns what the string v means, without quotes and escapes. It reports
// false if v is not a string.
func (v Value) Text() (string, bool) {
	d := v.trimmed()
	if len(d) == 0 || d[0] != '"' {
		return "", false
	}
	if end, fault := jsonscan.String(d, 0); fault != jsonscan.OK || end != len(d) {
		return "", false
	}
	return string(jsonscan.AppendUnquote(nil, d)), true
}

// Decode stores v in what dst points to, by the rules of [encoding/json] with
// one difference: a number that goes into an any becomes a [json.Number], not
// a float64. As there, the names of members match the fields of a struct
// regardless of case.
func (v Value) Decode(dst any) error {
	if err := v.Check(); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	if err := d.Decode(dst); err != nil {
		at := 0
		var mismatch *json.UnmarshalTypeError
		if errors.As(err, &mismatch) {
			at = int(mismatch.Offset) - 1 // it is the end of the value
		}
		return v.fault(min(max(at, 0), len(v)), err)
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

// Clone returns a copy of v that does not keep the line alive.
func (v Value) Clone() Value { return bytes.Clone(v) }

// MarshalJSON returns v, or null if it is absent.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	if err := v.Check(); err != nil {
		return nil, err
	}
	return v, nil
}

// UnmarshalJSON sets v to a copy of text.
func (v *Value) UnmarshalJSON(text []byte) error {
	*v = append(make(Value, 0, len(text)), text...)
	return nil
}

// ValueOf returns x as a [Value], by the rules of [json.Marshal], spelled as the
// tools do: in one line, objects sorted by name, '<', '>' and '&' escaped,
// numbers without exponent. ValueOf(nil) is null.
func ValueOf(x any) (Value, error) {
	text, err := json.Marshal(x)
	if err != nil {
		return nil, &Error{Line: 1, Column: 1, Err: err}
	}
	return jsonscan.AppendCanonical(nil, text), nil
}

// quote returns s as a JSON string, as [ValueOf] does.
func quote(s string) Value { return jsonscan.AppendQuote(nil, s, true) }

// trimmed returns v without the white space around it.
func (v Value) trimmed() []byte { return bytes.Trim(v, " \t\r\n") }

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
	d := v.trimmed()
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
