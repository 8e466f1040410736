// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Raw returns the field of raw JSON: zero is nil. Decoding gives it the part of the text
// itself.
func Raw[V ~[]byte](of func(any) *V) Field { return &rawField[V]{of} }

type rawField[V ~[]byte] struct{ of func(any) *V }

func (f *rawField[V]) decode(d *Decoder, o any) { *f.of(o) = V(d.rawToken()) }

func (f *rawField[V]) edit(e *Encoder, o any, _ bool) (goes bool) {
	v := []byte(*f.of(o))
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

func (f *rawField[V]) goes(_ *Encoder, o any, _ bool) bool { return *f.of(o) == nil }
func (f *rawField[V]) write(e *Encoder, o any)             { e.raw(*f.of(o)) }
func (f *rawField[V]) isZero(o any) bool                   { return *f.of(o) == nil }
func (f *rawField[V]) describe(_ *description) *shape      { return shapeAny }

func (f *rawField[V]) skip(e *Encoder, o any) {
	if v := []byte(*f.of(o)); e.standing(v) {
		e.i += len(v)
		return
	}
	e.skip()
}

// Document returns the field of raw JSON that is a whole document, whose members keep
// their order in canonical form.
func Document[V ~[]byte](of func(any) *V) Field { return &documentField[V]{rawField[V]{of}} }

type documentField[V ~[]byte] struct{ rawField[V] }

func (f *documentField[V]) write(e *Encoder, o any) {
	v := []byte(*f.of(o))
	var b bytes.Buffer
	if !e.canonical || v == nil || json.Compact(&b, v) != nil {
		e.raw(v) // which finds the fault
		return
	}
	e.out = append(e.out, b.Bytes()...)
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
	e.out = append(e.out, v...)
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
