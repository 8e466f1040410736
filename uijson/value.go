// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"iter"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A Value is one JSON value, as written in the line: a part of a message whose
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
// nothing for text that is not valid JSON, those that return an error return an
// [*Error]. Their offsets count within the Value. The methods are safe for
// concurrent use. The type of the same name in package planjson has these
// methods and many more; a Value can be converted to it.
type Value []byte

// IsNull reports whether v is the JSON null.
func (v Value) IsNull() bool { return string(v) == "null" || string(v.trimmed()) == "null" }

// String returns the JSON text of v, "" if it is absent.
func (v Value) String() string { return string(v) }

// Text returns the string v without quotes and escapes. It reports false if v
// is not a string.
func (v Value) Text() (string, bool) { return wire.ValueText(v) }

// Decode stores v in the value that dst points to, by the rules of
// [encoding/json] with one difference: a number that goes into an any becomes a
// [json.Number], not a float64. As there, the names of members match the fields
// of a struct regardless of case.
func (v Value) Decode(dst any) error { return wireError(wire.DecodeValue(v, dst)) }

// MarshalJSON returns v, or null if it is absent.
func (v Value) MarshalJSON() ([]byte, error) {
	text, err := wire.MarshalValue(v)
	return text, wireError(err)
}

// UnmarshalJSON sets v to a copy of text.
func (v *Value) UnmarshalJSON(text []byte) error {
	*v = append(make(Value, 0, len(text)), text...)
	return nil
}

// ValueOf returns x as a [Value], by the rules of [json.Marshal], spelled as the
// tools do: on one line, objects sorted by name, '<', '>' and '&' escaped,
// numbers without exponent. ValueOf(nil) is null.
func ValueOf(x any) (Value, error) {
	v, err := wire.ValueOf(x)
	return v, wireError(err)
}

// quote returns s as a JSON string, as [ValueOf] does.
func quote(s string) Value { return jsonscan.AppendQuote(nil, s, true) }

// trimmed returns v without the white space around it.
func (v Value) trimmed() []byte { return bytes.Trim(v, " \t\r\n") }

// each returns an iterator over the elements of v, if v is a valid array.
func (v Value) each() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if d := v.array(); d != nil {
			for item := range jsonscan.Elements(d) {
				if !yield(item) {
					return
				}
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
