// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Causes of an [Error] that a caller may want to distinguish with errors.Is.
// Those that concern names are also the Err of a [Warning]. Errors of the file
// system and of archive/zip are wrapped unchanged: a broken package gives
// zip.ErrFormat, zip.ErrChecksum, zip.ErrAlgorithm or io.ErrUnexpectedEOF.
var (
	// ErrLimit means that a package exceeds a limit of [Limits].
	ErrLimit = errors.New("limit exceeded")

	// ErrNewline means that a name contains a line feed. Such a package has no
	// h1.
	ErrNewline = errors.New("name has a newline")

	// ErrUnsafeName means that a name is absolute or leads out of the package,
	// or would do so on some system because of a backslash or a drive letter.
	ErrUnsafeName = errors.New("name may lead out of the package")

	// ErrDuplicateName means that several entries have the same name.
	ErrDuplicateName = errors.New("several entries have this name")

	// ErrSymlink means that an entry of a zip is a symbolic link, or, as a
	// warning, that a file of a directory is one.
	ErrSymlink = errors.New("symbolic link")

	// ErrSpecialFile means that an entry is neither a regular file, nor a
	// directory, nor a symbolic link, or that a link leads to such a file.
	// It was not opened.
	ErrSpecialFile = errors.New("not a regular file")

	// ErrOverlap means that two entries of a zip share compressed data.
	ErrOverlap = errors.New("data overlaps with another entry")

	// ErrNameConflict means that the name of an entry needs a directory where
	// another entry is a file, or is not a file name. Such a package cannot be
	// extracted.
	ErrNameConflict = errors.New("name conflicts with another entry")

	// ErrCaseCollision warns of names that differ only in case: on some systems
	// they are one file.
	ErrCaseCollision = errors.New("name differs from another only in case")

	// ErrUncleanName warns of a name such as "./a" or "a//b": the extracted
	// file has another name.
	ErrUncleanName = errors.New("name is not clean")

	// ErrDirectoryEntry warns of an entry for a directory. It counts for the h1
	// of the zip, but not for the h1 of the extracted package.
	ErrDirectoryEntry = errors.New("entry for a directory")

	// ErrChanged means that a file changed while it was read.
	ErrChanged = errors.New("changed while it was read")

	// ErrNotStreamable means that [Hasher.Stream] cannot be sure to read the
	// same as a reader of the central directory. In that case, hash the package
	// as a file.
	ErrNotStreamable = errors.New("package cannot be hashed as a stream")

	// ErrNotListed means that a SHA256SUMS document has no line for a name.
	ErrNotListed = errors.New("name is not listed")

	// ErrAmbiguous means that the document has several lines for a name, with
	// different digests.
	ErrAmbiguous = errors.New("name is listed with different digests")
)

// An Error says what could not be read or hashed, where, and why. The text is
// for people and may change; the fields and the causes do not.
type Error struct {
	Filename string // the package or document, as the caller named it; may be empty
	Entry    string // the raw name of the entry; empty if the error is not about an entry
	Input    string // the name or hash that the caller passed for a document; empty otherwise

	// The place in a SHA256SUMS document. Offset counts bytes from 0, Line
	// and Column count lines and bytes from 1. Line is 0 if the error is
	// not about a place in a document.
	Offset       int64
	Line, Column int

	Err error // the cause, never nil
}

// Error returns a text such as
//
//	checksum: x.zip: entry "../evil": name may lead out of the package
//	checksum: SHA256SUMS:3,12: not a digest
//
// Names that could disturb a terminal are quoted.
func (e *Error) Error() string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("checksum: ")
	if e.Filename != "" {
		b.WriteString(printable(e.Filename))
		if e.Line > 0 {
			b.WriteString(":" + strconv.Itoa(e.Line) + "," + strconv.Itoa(e.Column))
		}
		b.WriteString(": ")
	} else if e.Line > 0 {
		b.WriteString("line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column) + ": ")
	}
	if e.Entry != "" {
		b.WriteString("entry " + strconv.Quote(e.Entry) + ": ")
	}
	if e.Input != "" {
		b.WriteString(strconv.Quote(shorten(e.Input)) + ": ")
	}
	fmt.Fprint(&b, e.Err)
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// shorten cuts a text that is too long for a message.
func shorten(s string) string {
	if len(s) > 200 {
		return s[:200] + "..."
	}
	return s
}

// printable quotes s if it has anything but printable characters.
func printable(s string) string {
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	if !utf8.ValidString(s) {
		return strconv.Quote(s)
	}
	return s
}

// fail returns an *Error about an entry of the named package. If err already is
// one, fail adds the name to it.
func fail(name, entry string, err error) error {
	if e, ok := err.(*Error); ok {
		c := *e
		if c.Filename == "" {
			c.Filename = name
		}
		if c.Entry == "" {
			c.Entry = entry
		}
		return &c
	}
	return &Error{Filename: name, Entry: entry, Err: err}
}
