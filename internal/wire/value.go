// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// The functions of this file are below the methods of the types of raw JSON that packages
// have: nil is a value that is absent. Their errors are of type [*Error].

// ErrAbsent is the cause for nothing where there must be a value or an object.
var ErrAbsent = errors.New("the value is absent")

// CheckValue returns an error if v is not one valid JSON value.
func CheckValue(v []byte) error {
	if v == nil {
		return &Error{Line: 1, Column: 1, Err: ErrAbsent}
	}
	if at, fault := jsonscan.Document(v); fault != jsonscan.OK {
		return ValueError(v, at, fault)
	}
	return nil
}

// ValueError returns an error at an offset of v.
func ValueError(v []byte, at int, cause error) error {
	e := &Error{Offset: int64(at), Pointer: jsonscan.Pointer(v, at), Err: cause}
	e.Line, e.Column = jsonscan.Position(v, at)
	return e
}

// DecodeValue stores v in the value that dst points to; numbers in an any stay as they are
// spelled.
func DecodeValue(v []byte, dst any) error {
	if err := CheckValue(v); err != nil {
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
		return ValueError(v, min(max(at, 0), len(v)), err)
	}
	return nil
}

// MarshalValue returns v, or null if it is absent.
func MarshalValue(v []byte) ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	return v, CheckValue(v)
}

// ValueOf returns x as the tools spell it.
func ValueOf(x any) ([]byte, error) {
	text, err := json.Marshal(x)
	if err != nil {
		return nil, &Error{Line: 1, Column: 1, Err: err}
	}
	return jsonscan.AppendCanonical(nil, text), nil
}

// Token returns the text of v without white space around it if v is a valid scalar that
// begins with one of the bytes, or else nil.
func Token(v []byte, first string) []byte {
	i := jsonscan.Space(v, 0)
	if i == len(v) || strings.IndexByte(first, v[i]) < 0 {
		return nil
	}
	end, fault := jsonscan.Value(v, i, 1)
	if fault != jsonscan.OK || jsonscan.Space(v, end) != len(v) {
		return nil
	}
	return v[i:end:end]
}

// What the scalars begin with.
const (
	FirstOfNull   = "n"
	FirstOfBool   = "tf"
	FirstOfString = `"`
	FirstOfNumber = "-0123456789"
)

// ValueText returns the string v without quotes and escapes. It reports false if v is not one.
func ValueText(v []byte) (string, bool) {
	tok := Token(v, FirstOfString)
	if tok == nil {
		return "", false
	}
	return jsonscan.Unquote(tok), true
}

// ValueBool returns the bool v. It reports false in ok if v is not one.
func ValueBool(v []byte) (b, ok bool) {
	tok := string(Token(v, FirstOfBool))
	return tok == "true", tok != ""
}

// ValueNumber returns the number v as it is spelled. It reports false if v is not one.
func ValueNumber(v []byte) (json.Number, bool) {
	tok := Token(v, FirstOfNumber)
	return json.Number(tok), tok != nil
}

// ValueMembers returns an iterator over the members of the object v, in the order of the text.
func ValueMembers[V ~[]byte](v V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		r := jsonscan.Items{Text: v}
		if !r.Open('{') {
			return
		}
		for r.Member() {
			if !yield(jsonscan.Unquote(r.Name), r.Value()) {
				return
			}
		}
	}
}

// ValueElements returns an iterator over the elements of the array v, with their indexes.
func ValueElements[V ~[]byte](v V) iter.Seq2[int, V] {
	return func(yield func(int, V) bool) {
		r := jsonscan.Items{Text: v}
		if !r.Open('[') {
			return
		}
		for i := 0; r.Element(); i++ {
			if !yield(i, r.Value()) {
				return
			}
		}
	}
}
