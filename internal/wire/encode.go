// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Causes of a failed encoding.
var (
	errCut    = errors.New("a raw value was cut, or its text changed in place")
	errNil    = errors.New("nil element in an array or object")
	errNull   = fmt.Errorf("%w: an element must not be null", ErrKind)
	ErrOneOf  = errors.New("more than one shape of a one-of value is set")
	errCyclic = errors.New("nested too deeply, or an object contains itself")
)

// writeChunk is how much output is gathered before it goes to a writer.
const writeChunk = 64 << 10

// Append encodes the object v and appends its text to dst. An object that
// was read from a text of its own gets that text's surroundings as well.
func Append[T any](x *Codec, dst []byte, v *T, fields func(*T, *Codec)) (_ []byte, err error) {
	x.w = nil
	x.out = dst
	err = encode(x, v, fields)
	out := x.out
	x.out = nil
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Write encodes the object v to w.
func Write[T any](x *Codec, w io.Writer, v *T, fields func(*T, *Codec)) (err error) {
	x.w = w
	x.out = x.out[:0]
	if err = encode(x, v, fields); err == nil && len(x.out) > 0 {
		_, err = w.Write(x.out)
	}
	x.w = nil
	return err
}

// Canonical encodes the object v as a tool would, see [Codec.SetForm]: the
// members in the order of their tables, extra members last, raw values compact,
// with sorted names and numbers in plain decimal.
func Canonical[T any](x *Codec, dst []byte, v *T, fields func(*T, *Codec)) ([]byte, error) {
	x.canonical = true
	defer func() { x.canonical = false }()
	return Append(x, dst, v, fields)
}

// An Origin says where an object comes from.
type Origin int

// An object was made by the caller, read as a part of a text, or read from a
// text of its own.
const (
	None Origin = iota
	Part
	Whole
)

// Origin returns where the object with this source comes from.
func (s *Source) Origin() Origin {
	switch {
	case s.doc == nil:
		return None
	case s.whole():
		return Whole
	}
	return Part
}

// encode encodes v. If that fails it encodes v once more, into nothing, to
// learn where it failed: keeping the path all the time would cost too much.
func encode[T any](x *Codec, v *T, fields func(*T, *Codec)) error {
	err := encodeOnce(x, v, fields)
	if err == nil {
		return nil
	}
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	x.out, x.w = nil, io.Discard
	x.tracking, x.path = true, x.path[:0]
	_ = encodeOnce(x, v, fields)
	e.Pointer = pathPointer(x.path)
	x.tracking, x.out = false, nil
	return e
}

func encodeOnce[T any](x *Codec, v *T, fields func(*T, *Codec)) (err error) {
	defer x.catchEncode(&err)
	x.depth, x.hold, x.lead, x.colon = 0, 0, nil, span{}
	x.again, x.cleared, x.alt = false, false, false
	x.doc, x.text, x.i, x.copied = nil, nil, 0, 0
	src := locate(x, v, fields)
	if src.doc == nil || x.canonical {
		x.mode = writing
		fields(v, x)
		return nil
	}
	if x.w == nil && x.out == nil {
		x.out = make([]byte, 0, len(src.text())+64)
	}
	x.open(src)
	if src.whole() {
		x.copied = 0
	}
	fields(v, x)
	x.closed(src)
	if src.whole() {
		x.flush(len(x.text))
	}
	return nil
}

// open begins the walk of the object with source src.
func (x *Codec) open(src *Source) {
	x.mode, x.doc, x.text = walking, src.doc, src.doc.text
	x.i, x.copied = int(src.start), int(src.start)
}

// closed ends the walk of the object with source src.
func (x *Codec) closed(src *Source) {
	if x.i != int(src.end) {
		x.fail(x.i, errCut)
	}
	x.flush(x.i)
}

// catchEncode is catch for encodings: offsets mean nothing to a caller that
// may have put the objects together from several texts. A position is given
// if the failure was in an object that has one.
func (x *Codec) catchEncode(err *error) {
	switch r := recover().(type) {
	case nil:
	case abort:
		var w *writeError
		if errors.As(r.err, &w) {
			*err = w.err
			return
		}
		if r.err == error(jsonscan.FaultDepth) {
			r.err = errCyclic
		}
		e := &Error{Err: r.err}
		if x.text != nil {
			e.Offset = int64(r.offset)
			e.Line, e.Column = jsonscan.Position(x.text, r.offset)
		}
		*err = e
	default:
		panic(r)
	}
}

// A writeError carries the error of the caller's io.Writer.
type writeError struct{ err error }

func (w *writeError) Error() string { return w.err.Error() }

// write adds p to the output.
func (x *Codec) write(p []byte) {
	if x.w == nil || x.hold > 0 {
		x.out = append(x.out, p...)
		return
	}
	if len(x.out)+len(p) < writeChunk {
		x.out = append(x.out, p...)
		return
	}
	if len(x.out) > 0 {
		x.send(x.out)
		x.out = x.out[:0]
	}
	if len(p) < writeChunk {
		x.out = append(x.out, p...)
		return
	}
	x.send(p)
}

func (x *Codec) send(p []byte) {
	if _, err := x.w.Write(p); err != nil {
		x.fail(x.i, &writeError{err})
	}
}

// locate returns the source of v.
func locate[T any](x *Codec, v *T, fields func(*T, *Codec)) *Source {
	mode := x.mode
	x.mode = locating
	fields(v, x)
	x.mode = mode
	return x.located
}
