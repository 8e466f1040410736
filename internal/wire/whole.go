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
func Clone(t Type, from, to any) any {
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
	d := BorrowDecoder()
	if _, err = d.DecodeLenient(text, lent, t, to); err != nil {
		return nil
	}
	d.Return()
	return to
}

// Marshal returns the text of an object of type t alone, without what surrounds it in a
// document.
func Marshal(t Type, o any) ([]byte, error) {
	var e Encoder
	text, err := e.Append(nil, t, o)
	return bytes.TrimSpace(text), err
}

// Unmarshal decodes a copy of text into v, an object of type t. By the convention of
// encoding/json, null leaves v alone.
func Unmarshal[T any](text []byte, t Type, v *T) error {
	var d Decoder
	return unmarshal(text, v, func(text []byte, o any) error { return d.Decode(text, t, o) })
}

// UnmarshalLenient is Unmarshal for packages that decode leniently: members of
// another kind than their fields are passed over, but not the value itself.
func UnmarshalLenient[T any](text []byte, t Type, v *T) error {
	var d Decoder
	return unmarshal(text, v, func(text []byte, o any) error {
		_, err := d.DecodeLenient(text, "", t, o)
		return err
	})
}

func unmarshal[T any](text []byte, v *T, decode func([]byte, any) error) error {
	if string(bytes.TrimSpace(text)) == "null" {
		return nil
	}
	c := new(T)
	if err := decode(bytes.Clone(text), c); err != nil {
		return err
	}
	*v = *c
	return nil
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
