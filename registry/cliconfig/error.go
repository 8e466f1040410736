// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// ErrLimit is the cause of an [Error] for a file that exceeds a limit of this package.
var ErrLimit = errors.New("too large")

// An Error says what is wrong in a file of the CLI configuration, and where.
type Error struct {
	// Filename is the name of the file or directory. If several files were merged
	// before the error was found, it lists them, separated by commas. It is empty if
	// the error is not about a file.
	Filename string

	// Setting is the block or argument at top level that the error is about, such as
	// "provider_installation". It is empty if the error is about the whole file.
	Setting string

	// Offset, Line and Column are the place: Offset in bytes from 0, the others from
	// 1. Line is 0 if the error has no place. Column counts bytes.
	Offset       int
	Line, Column int

	// Err is the cause. It is never nil.
	Err error
}

// Error returns one line with the file, the place and the cause, without the secrets of URLs.
func (e *Error) Error() string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("cliconfig: ")
	if e.Filename != "" {
		b.WriteString(printable.Input("", e.Filename))
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d,%d", e.Line, e.Column)
		}
		b.WriteString(": ")
	}
	b.WriteString(printable.URLs(fmt.Sprint(e.Err)))
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// setPlace sets the place to the byte offset of src.
func (e *Error) setPlace(src []byte, offset int) {
	e.Offset = min(offset, len(src))
	before := src[:e.Offset]
	e.Line = 1 + bytes.Count(before, []byte{'\n'})
	e.Column = 1 + len(before) - (bytes.LastIndexByte(before, '\n') + 1)
}

// withoutPath returns the cause of an error about a file whose name is known.
func withoutPath(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
