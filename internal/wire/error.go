// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// An Error says where and why text could not be decoded, or an object not be
// encoded. Packages convert it to their own type of the same shape.
type Error struct {
	Offset       int64
	Line, Column int
	Pointer      string
	Err          error
}

// Error returns the place and the cause.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d (%s): %v", e.Line, e.Column, e.Pointer, e.Err)
}

// Text returns what the method Error of a package's type returns: the name of the
// package, the place as far as it is known, and the cause. It is empty if e is nil.
func (e *Error) Text(pkg string) string {
	if e == nil {
		return ""
	}
	var place string
	if e.Line > 0 {
		place = fmt.Sprintf("line %d, column %d", e.Line, e.Column)
	}
	if e.Pointer != "" {
		if place != "" {
			place += " "
		}
		place += "(" + e.Pointer + ")"
	}
	if place != "" {
		place += ": "
	}
	return fmt.Sprint(pkg, ": ", place, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrKind is the cause of errors about a member whose JSON kind is not that of
// its field.
var ErrKind = errors.New("unexpected kind of value")

// ErrAbsent is the cause for nothing where there must be a value or an object.
var ErrAbsent = errors.New("the value is absent")

// ErrLimit is the cause for a text that is too large or too deep to be read.
var ErrLimit = jsonscan.ErrLimit

// Causes of failures.
var (
	ErrOneOf = errors.New("more than one shape of a one-of value is set")

	errTooLarge = fmt.Errorf("%w: text of 4 GiB or more", ErrLimit) // places do not fit
	errDense    = fmt.Errorf("%w: too many small objects for the length of the text", ErrLimit)
	errCut      = errors.New("a raw value was cut, or its text changed in place")
	errNil      = errors.New("nil element in an array or object")
	errNull     = fmt.Errorf("%w: an element must not be null", ErrKind)
	errCyclic   = errors.New("nested too deeply, or an object contains itself")
)

// A Problem is a member of another JSON kind than its field, met by a lenient
// decoding. Its field is zero and its text is kept.
type Problem struct {
	Offset int
	Err    error // wraps ErrKind
}

// An abort is the panic value by which deep code ends a decoding or encoding.
// It never leaves this package.
type abort struct {
	offset int
	err    error
}

func fail(offset int, err error) { panic(abort{offset, err}) }

// catch turns an abort into an error with its place in the present text.
func (c *cursor) catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case abort:
		*err = c.place(r)
	default:
		panic(r)
	}
}

func (c *cursor) place(a abort) error { return ErrorIn(c.text, a.offset, a.err) }

// kindName says what kind of value begins with c.
func kindName(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// ErrorIn returns an error at an offset of v, a JSON text.
func ErrorIn(v []byte, at int, cause error) error {
	e := &Error{Offset: int64(at), Pointer: jsonscan.Pointer(v, at), Err: cause}
	e.Line, e.Column = jsonscan.Position(v, at)
	return e
}
