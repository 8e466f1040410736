// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A rawField is raw JSON: zero is nil. Decoding gives it the part of the text itself.
type rawField struct{}

func (rawField) decode(d *Decoder, p any) { *p.(*[]byte) = d.rawToken() }

func (rawField) edit(e *Encoder, p any, _ bool) (goes bool) {
	v := *p.(*[]byte)
	if e.standing(v) {
		e.i += len(v)
		return false
	}
	end := e.end()
	write, goes := e.settle(end, v != nil && bytes.Equal(e.text[e.i:end], v), v == nil)
	if write {
		e.raw(v)
		e.replaced(end)
	}
	return goes
}

func (rawField) goes(_ *Encoder, p any, _ bool) bool { return *p.(*[]byte) == nil }
func (rawField) write(e *Encoder, p any)             { e.raw(*p.(*[]byte)) }
func (rawField) isZero(p any) bool                   { return *p.(*[]byte) == nil }
func (rawField) describe(_ *description) *shape      { return shapeAny }

func (rawField) skip(e *Encoder, p any) {
	if v := *p.(*[]byte); e.standing(v) {
		e.i += len(v)
		return
	}
	e.skip()
}

// Document returns the kind of raw JSON that is a whole document, whose members keep
// their order in canonical form.
func Document() Field { return documentField{} }

type documentField struct{ rawField }

func (documentField) write(e *Encoder, p any) {
	v := *p.(*[]byte)
	var b bytes.Buffer
	if !e.canonical || v == nil || json.Compact(&b, v) != nil {
		e.raw(v) // which finds the fault
		return
	}
	var escaped bytes.Buffer // the tools pass on its text, but not <, > and &
	json.HTMLEscape(&escaped, b.Bytes())
	e.out = append(e.out, escaped.Bytes()...)
}

// standing reports whether v is the part of the text that begins at i, as
// decoding made it: same address, and no capacity beyond its end.
func (e *Encoder) standing(v []byte) bool {
	return len(v) > 0 && len(v) == cap(v) && e.i+len(v) <= len(e.text) && &v[0] == &e.text[e.i]
}

// raw writes a raw value after checking that it is one.
func (e *Encoder) raw(v []byte) {
	if v == nil {
		e.null()
		return
	}
	if at, fault := jsonscan.Document(v); fault != jsonscan.OK {
		fail(e.i, &rawError{at, fault})
	}
	if e.canonical {
		e.out = jsonscan.AppendCanonical(e.out, v)
		return
	}
	e.grow(len(v))
	e.out = append(e.out, v...)
}

// doubled is the length up to which the room for a text doubles. Beyond it grows as slices do, which
// copies the text more often.
const doubled = 4 << 20

// grow makes room for n more bytes of a text that is held whole. Raw values are nearly all of it.
func (e *Encoder) grow(n int) {
	if e.w == nil && cap(e.out)-len(e.out) < n && len(e.out) < doubled {
		e.out = slices.Grow(e.out, n+len(e.out))
	}
}

// A rawError is the cause of an encoding's failure on a raw value.
type rawError struct {
	at    int
	fault jsonscan.Fault
}

func (e *rawError) Error() string {
	return "invalid raw value: " + e.fault.Error() + " at its byte " + strconv.Itoa(e.at)
}

func (e *rawError) Unwrap() error { return e.fault }

// The functions that follow are below the methods of the types of raw JSON that packages
// have: nil is a value that is absent. Their errors are of type [*Error].

// CheckValue returns an error if v is not one valid JSON value.
func CheckValue(v []byte) error {
	if v == nil {
		return &Error{Line: 1, Column: 1, Err: ErrAbsent}
	}
	if at, fault := jsonscan.Document(v); fault != jsonscan.OK {
		return ErrorIn(v, at, fault)
	}
	return nil
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
		return ErrorIn(v, min(max(at, 0), len(v)), err)
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
