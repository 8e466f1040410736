// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Value is one JSON value, as it stands in the document: spelling, white
// space, member order, everything. The members of a plan that only a provider's
// schema can type, or whose null differs from their absence, are Values.
//
// A nil Value is a member that is absent. The JSON null is a Value of four
// bytes, not nil.
//
// The bytes of a decoded Value are part of the document and must not be
// changed. Assign another Value instead: one of [ValueOf] or [CtyValue], or any
// JSON text, which [Encode] checks.
//
// No method uses float64 but [Value.Float64]. No method panics, whatever the
// bytes: those that return a value return nothing for text that is not valid
// JSON, those that return an error return an [*Error]. Their offsets count
// within the Value. The methods may be called concurrently.
type Value []byte

// A Kind is the kind of a [Value].
type Kind uint8

// The kinds.
const (
	KindAbsent  Kind = iota // a nil Value
	KindNull                // null
	KindBool                // true or false
	KindNumber              // a number
	KindString              // a string
	KindArray               // an array
	KindObject              // an object
	KindInvalid             // not JSON
)

var kindNames = [...]string{"absent", "null", "bool", "number", "string", "array", "object", "invalid"}

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// Kind returns the kind of v. It looks at the first byte only; to know that
// the rest is valid too, ask [Value.Check]. Decoded Values always are.
func (v Value) Kind() Kind {
	if v == nil {
		return KindAbsent
	}
	i := jsonscan.Space(v, 0)
	if i == len(v) {
		return KindInvalid
	}
	switch c := v[i]; c {
	case 'n':
		return KindNull
	case 't', 'f':
		return KindBool
	case '"':
		return KindString
	case '[':
		return KindArray
	case '{':
		return KindObject
	default:
		if c == '-' || '0' <= c && c <= '9' {
			return KindNumber
		}
		return KindInvalid
	}
}

// IsAbsent reports whether v is nil: the document does not have the member.
func (v Value) IsAbsent() bool { return v == nil }

// IsNull reports whether v is the JSON null.
func (v Value) IsNull() bool { return string(v) == "null" || v.token(KindNull) != nil }

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

// ErrAbsent is the cause of an [*Error] that says that a nil [Value] was given
// where there must be one.
var ErrAbsent = errors.New("the value is absent")

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
	tok := v.token(KindString)
	if tok == nil {
		return "", false
	}
	return jsonscan.Unquote(tok), true
}

// Bool returns the bool v. It reports false in ok if v is not one.
func (v Value) Bool() (b, ok bool) {
	switch string(v.token(KindBool)) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// token returns the text of the scalar v without white space, or nil if v is
// not a valid scalar of this kind.
func (v Value) token(kind Kind) []byte {
	if v.Kind() != kind {
		return nil
	}
	i := jsonscan.Space(v, 0)
	end, fault := jsonscan.Value(v, i, 1)
	if fault != jsonscan.OK || jsonscan.Space(v, end) != len(v) {
		return nil
	}
	return v[i:end:end]
}

// Equal reports whether v and w mean the same. White space, the order of
// members, and the spelling of strings and numbers do not matter: 1.0 equals
// 1, however large, and -0 equals 0. Of several members with the same name
// the last counts. Absent equals absent only, not null. Text that is not valid
// equals only the same text.
//
// Arrays are compared in order, also those of sets.
func (v Value) Equal(w Value) bool {
	if bytes.Equal(v, w) {
		return (v == nil) == (w == nil)
	}
	return v != nil && w != nil && jsonscan.Valid(v) && jsonscan.Valid(w) && jsonscan.Equal(v, w)
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
