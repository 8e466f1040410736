// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"errors"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// An Error says where and why a line could not be decoded, a message could not
// be encoded, or a member of a message could not be understood.
//
// A decoding error has a place in the text. All other errors are about a
// member, which Pointer names. Their offset, line and column are those of the
// nearest decoded text, or zero if there is none.
type Error struct {
	// Offset counts bytes from 0: from the beginning of the line in errors of
	// [Decode], from the beginning of the stream in those of a [Reader].
	Offset int64

	// Line and Column count from 1, Column in bytes. Line is the line of the
	// stream in errors of a [Reader]. In all others it is 1, because they are
	// about one line. Both are 0 if the place is not known.
	Line, Column int

	// Pointer is the member at fault (RFC 6901), "" if there is none. It is
	// relative to the object whose method has failed.
	Pointer string

	Err error // the cause, never nil
}

// Error returns the place and the cause in one line. The wording may change
// between releases.
func (e *Error) Error() string { return (*wire.Error)(e).Text("uijson") }

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Causes of errors, for use with [errors.Is].
var (
	// ErrNotMessage is the cause of an [Error] for JSON that is not a message
	// of the stream: not an object, or an object without the members of an
	// envelope.
	ErrNotMessage = errors.New("not a message of the stream")

	// ErrDocument is the cause of an [Error] for a line that looks like the
	// beginning of a document, as show, output and validate print with the same
	// -json option. Package planjson reads these.
	ErrDocument = errors.New("a JSON document, not a stream of messages")

	// ErrLimit is the cause of an [Error] for a line that is longer than [MaxLine]
	// allows, or that is nested more than 10,000 levels deep.
	ErrLimit = wire.ErrLimit

	// ErrKind is the cause of an [Error] for a member whose JSON value has
	// another kind than its field, such as a number in place of a string.
	ErrKind = wire.ErrKind

	// ErrAbsent is the cause of an [Error] for a nil [Value], or a nil
	// [Message] or other object of the format, where there must be one.
	ErrAbsent = wire.ErrAbsent

	// ErrTruncated is returned by the Read method of a [Follower] when the file
	// has become shorter or was replaced. The next Read begins with the new
	// content. A [Reader] handles this.
	ErrTruncated = errors.New("the file was truncated or replaced")
)

// wireError converts an error of the codec.
func wireError(err error) error {
	var e *wire.Error
	if err == nil {
		return nil
	}
	if !errors.As(err, &e) {
		return &Error{Err: err}
	}
	return (*Error)(e)
}

// placed returns an error about a member of an object that was decoded.
func placed(src *wire.Source, pointer string, err error) error {
	return wireError(wire.Placed(src, pointer, err))
}

// isFault reports whether err is a fault of the text of the given kind.
func isFault(err error, f jsonscan.Fault) bool {
	if err == nil {
		return false
	}
	var got jsonscan.Fault
	return errors.As(err, &got) && got == f
}

// marshal is the method MarshalJSON of all objects.
func marshal(v Object) ([]byte, error) {
	text, err := wire.Marshal(v.wire(), v)
	return text, wireError(err)
}

// unmarshal is their method UnmarshalJSON. As Decode it takes members of any kind.
func unmarshal(text []byte, v Object) error {
	return wireError(wire.Unmarshal(text, v.wire(), v, true, nil))
}
