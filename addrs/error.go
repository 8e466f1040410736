// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// An Error says which text could not be parsed, as which kind of address,
// where, and why. Every function of this package that can fail returns an
// *Error. The text of the error quotes Input, which may come from an untrusted
// file or server, without the user information and the query of a URL.
type Error struct {
	Kind   string // the kind of address that was expected, such as "provider source address"
	Input  string // the whole text that was given
	Offset int64  // where in Input the fault was found, in bytes from 0
	Err    error  // the cause, never nil
}

// Error returns the kind, the input (shortened if it is long), the place and
// the cause in one line. The wording may change between releases.
func (e *Error) Error() string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("addrs: %s %s: offset %d: %v", e.Kind, quoteShort(printable.Input(e.Kind, e.Input)), e.Offset, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// maxQuoted is how much of a faulty input an error text shows, in bytes.
// Inputs come from files and servers, and an error often ends in a log line.
const maxQuoted = 120

// quoteShort returns s as a quoted string that stays readable in a log.
func quoteShort(s string) string {
	if len(s) <= maxQuoted {
		return strconv.Quote(s)
	}
	cut := maxQuoted
	for cut > maxQuoted-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "..."
}

// A fault is an error at an offset. It does not name the parser yet.
type fault struct {
	off int
	err error
}

// faultf returns a fault with a formatted message.
func faultf(off int, format string, args ...any) *fault {
	return &fault{off, fmt.Errorf(format, args...)}
}

// as returns f as an Error of the parser for the given kind. It returns a nil
// error for a nil fault.
func (f *fault) as(kind, input string) error {
	if f == nil {
		return nil
	}
	return &Error{Kind: kind, Input: input, Offset: int64(min(f.off, len(input))), Err: f.err}
}

// ErrLimit is the cause of an [Error] for a text that exceeds a limit of this
// package. SECURITY.md lists the limits.
var ErrLimit = errors.New("too large")

// Causes that are found often enough to be shared.
var (
	errEmpty    = errors.New("the address is empty")
	errTooLong  = fmt.Errorf("%w: the address is too long", ErrLimit)
	errUTF8     = errors.New("the text is not valid UTF-8")
	errUnclosed = errors.New("the quoted string does not end")
)

// must returns v, or panics if err is not nil. Only the MustParse functions
// call it; their comments say that they panic.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
