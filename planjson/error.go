// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"errors"

	"github.com/tofuwire/tofuwire/internal/wire"
)

// An Error says where and why a document could not be decoded or encoded.
//
// A decoding error has a place in the text. An encoding error has a place in
// the document, which Pointer names. Its offset, line and column are those of
// the nearest decoded text, or zero if there is none.
//
// An error contains no values of the document. But the names in Pointer are
// those of the text, including keys of maps, which can be secrets.
type Error struct {
	Offset       int64  // in bytes, from 0
	Line, Column int    // from 1; Column counts bytes
	Pointer      string // the member at fault (RFC 6901)
	Err          error  // never nil
}

// Error returns the place and the cause.
func (e *Error) Error() string { return (*wire.Error)(e).Text("planjson") }

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// ErrKind is the cause of an [Error] if a member is of another JSON kind than its
// field, such as a string where the format has a list, or if the document is of
// another kind, such as a state instead of a plan. A decoder for policy checks
// must not mistake such a document for an empty one.
var ErrKind = wire.ErrKind

// ErrLimit is the cause of an [Error] if a text is nested more than 10,000 levels
// deep, if it has 4 GiB or more, or if its objects would take far more memory than
// usual for its length: more than 4 MiB and 16 times the length. No tool writes
// such texts.
var ErrLimit = wire.ErrLimit

// ErrAbsent is the cause of an [*Error] for a nil [Value], or a nil document,
// where there must be one.
var ErrAbsent = wire.ErrAbsent

// placed returns an error about a member of an object that was decoded.
func placed(src *wire.Source, pointer string, err error) error {
	return wireError(wire.Placed(src, pointer, err))
}

// wireError gives an error of the object codec this package's type.
func wireError(err error) error {
	var e *wire.Error
	if errors.As(err, &e) {
		return (*Error)(e)
	}
	return err
}

// marshal is the method MarshalJSON of all objects.
func marshal(v Object) ([]byte, error) {
	text, err := wire.Marshal(v.wire(), v)
	return text, wireError(err)
}

// unmarshal is their method UnmarshalJSON.
func unmarshal(text []byte, v Object) error {
	return wireError(wire.Unmarshal(text, v.wire(), v, false, nil))
}
