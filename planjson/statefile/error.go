// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"errors"

	"github.com/tofuwire/tofuwire/internal/wire"
	"github.com/tofuwire/tofuwire/planjson"
)

// An Error says where and why a state could not be read, written or changed.
//
// A decoding error has a place in the text. An encoding error has a place in
// the document, which Pointer names; its offset, line and column are those of
// the nearest decoded text, or zero if there is none. Errors of encryption and
// decryption have no place, unless the text around the encrypted part is
// invalid. Line is greater than zero if there is a place in the text.
//
// An error contains no values of the state. The names in Pointer are those of
// the text. An address in it can have an instance key, which can be a secret.
type Error struct {
	Offset       int64  // in bytes, from 0
	Line, Column int    // from 1; Column counts bytes
	Pointer      string // the member at fault (RFC 6901)
	Err          error  // never nil
}

// Error returns the place and the cause.
func (e *Error) Error() string { return (*wire.Error)(e).Text("statefile") }

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Causes of an [Error].
var (
	// ErrKind is the cause if a member is of another JSON kind than its field, or
	// if the text is a document other than a state.
	ErrKind = wire.ErrKind

	// ErrLimit is the cause if a text is nested more than 10,000 levels deep, if it
	// has 4 GiB or more, or if its objects would take far more memory than usual
	// for its length: more than 4 MiB and 16 times the length.
	ErrLimit = wire.ErrLimit

	// ErrAbsent is the cause if something is nil that must not be.
	ErrAbsent = wire.ErrAbsent

	// ErrVersion is the cause if a state is neither in version 3 nor in version 4 of the
	// format, or must be in version 4 and is not. It is
	// also the cause for the file .terraform/terraform.tfstate, which is not a
	// state: the tools keep the settings of the backend there, in version 3.
	ErrVersion = errors.New("unsupported version of the state format")

	// ErrEmpty is the cause if the text is empty. The tools treat such a file as if it
	// did not exist.
	ErrEmpty = errors.New("the file is empty and contains no state")

	// ErrEncrypted is the cause if a state is encrypted.
	ErrEncrypted = errors.New("encrypted by OpenTofu")

	// ErrInvalid is the cause if a state has something that the tools refuse, such
	// as a resource instance that occurs twice.
	ErrInvalid = errors.New("invalid state")

	// ErrRefused is the cause if the tools refuse an edit.
	ErrRefused = errors.New("refused")
)

// wireError gives an error of the object codec this package's type.
func wireError(err error) error {
	var e *wire.Error
	if errors.As(err, &e) {
		return (*Error)(e)
	}
	return err
}

// causeOf returns an error of planjson without its place, which counts in the
// value.
func causeOf(err error) error {
	if e, ok := errors.AsType[*planjson.Error](err); ok {
		return e.Err
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
