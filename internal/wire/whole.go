// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Clone decodes the text of an object of type t anew, with a text of its own, into a new
// object of the same type, which it returns. If the object could not be encoded, it is nil.
func Clone(t Type, from any) any {
	e := BorrowEncoder()
	text, err := e.Append(nil, t, from)
	if err != nil {
		return nil
	}
	e.Return()
	text = slices.Clip(text)
	lent := ""
	if len(text) <= smallText {
		lent = string(text) // cheaper than each string for itself
	}
	d, to := BorrowDecoder(), t.memory().object()
	if _, err = d.DecodeLenient(text, lent, t, to); err != nil {
		return nil
	}
	d.Return()
	return to
}

// New returns a zero object of type t.
func New(t Type) any { return t.memory().object() }

// Text returns the field of o of the member called name, which is a string.
func (t *Table) Text(o any, name string) string {
	return *t.Of.At(o, t.ready().number(name)).(*string)
}

// Marshal returns the text of an object of type t alone, without what surrounds it in a
// document.
func Marshal(t Type, o any) ([]byte, error) {
	var e Encoder
	text, err := e.Append(nil, t, o)
	return bytes.TrimSpace(text), err
}

// Unmarshal decodes a copy of text into v, an object of type t. By the convention of
// encoding/json, null leaves v alone. A lenient decoding passes over members of another
// kind than their fields, but not over the value itself. If check is not nil, it gets what
// was decoded and the error of that, and says what the error is; v is left alone if
// there is one.
func Unmarshal(text []byte, t Type, v any, lenient bool, check func(o any, err error) error) error {
	if string(bytes.TrimSpace(text)) == "null" {
		return nil
	}
	d, o := Decoder{lenient: lenient}, t.memory().object()
	err := d.Decode(bytes.Clone(text), t, o)
	if check != nil {
		err = check(o, err)
	}
	if err == nil {
		t.memory().set(v, o)
	}
	return err
}

// Equal reports whether two objects of type t encode
// to text that means the same: the order of members, white space and the
// spelling of strings and numbers do not matter; an absent member differs from
// null.
func Equal(t Type, a, b any) bool {
	if reflect.TypeOf(a) != reflect.TypeOf(b) {
		return false
	}
	var e Encoder
	ta, err := e.Append(nil, t, a)
	if err != nil {
		return false
	}
	tb, err := e.Append(nil, t, b)
	return err == nil && jsonscan.Equal(ta, tb)
}
