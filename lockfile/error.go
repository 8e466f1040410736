// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// Causes that a caller may want to distinguish with [errors.Is].
var (
	// ErrSyntax means that a file is not well-formed HCL. Everything readable
	// in such a file is read, but it cannot be edited.
	ErrSyntax = errors.New("the file has syntax errors")

	// ErrConflictMarkers means that a file has conflict markers of a version
	// control system. It always comes with ErrSyntax. See [Resolve].
	ErrConflictMarkers = errors.New("the file has conflict markers")

	// ErrLimit means that a file has more than [MaxSize] bytes, that it is nested
	// too deeply, or that the HCL parser would need too much memory for it. With
	// Parse it always comes with ErrSyntax.
	ErrLimit = errors.New("the file is too large for a lock file")

	// ErrInvalid means that a lock file cannot hold the value.
	ErrInvalid = errors.New("the value is not valid in a lock file")

	// ErrNotFound means that the file has no lock for the provider.
	ErrNotFound = errors.New("there is no lock for the provider")

	// ErrLayout means that an edit is not possible without touching other
	// parts, because of the unusual layout of the file. The file is unchanged.
	ErrLayout = errors.New("the layout does not allow this edit")

	// ErrChanged means that the file on disk has another text than the one
	// that this File was read from: it has changed since, or the File was parsed
	// from another text.
	ErrChanged = errors.New("the file on disk is not the one that was read: load it again, or save with Overwrite")

	// ErrSymlink means that the file is a symbolic link and the caller did not
	// choose a [SymlinkPolicy] for it.
	ErrSymlink = errors.New("the file is a symbolic link")

	// ErrLockedVersion means that the locked version is not one that the
	// constraints allow; tofu asks for "init -upgrade".
	ErrLockedVersion = errors.New("the locked version does not match the constraints")

	// ErrVersionGone means that the locked version is no longer available.
	ErrVersionGone = errors.New("the locked version is no longer available")

	// ErrNoVersion means that no available version matches the constraints.
	ErrNoVersion = errors.New("no available version matches the constraints")
)

// An Error describes a problem with a lock file, and its place.
type Error struct {
	Filename     string // as the caller gave it, or ""
	Offset       int64  // in bytes, from 0
	Line, Column int    // from 1, Column counted as HCL does; 0 if there is no place
	Err          error  // never nil
}

// Error returns place and cause in one line. The wording may change between
// releases.
func (e *Error) Error() string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("lockfile: ")
	if e.Filename != "" {
		b.WriteString(e.Filename)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d,%d", e.Line, e.Column)
		}
		b.WriteString(": ")
	} else if e.Line > 0 {
		fmt.Fprintf(&b, "line %d, column %d: ", e.Line, e.Column)
	}
	fmt.Fprint(&b, e.Err)
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// errorAt returns an Error at the start of r.
func errorAt(r addrs.Range, err error) *Error {
	return &Error{Filename: r.Filename, Offset: r.Start.Offset, Line: r.Start.Line, Column: r.Start.Column, Err: err}
}

// A problem is the cause of a parse error: the first diagnostic that is an
// error, how many more there are, and the sentinel errors that apply.
type problem struct {
	diag Diagnostic
	more int
	is   []error
}

func (p *problem) Error() string {
	s := lowerFirst(p.diag.Summary) + ": " + lowerFirst(strings.TrimSuffix(p.diag.Detail, "."))
	switch p.more {
	case 0:
		return s
	case 1:
		return s + " (and 1 more error)"
	}
	return fmt.Sprintf("%s (and %d more errors)", s, p.more)
}

func (p *problem) Unwrap() []error { return p.is }

// lowerFirst returns s with a lower-case first letter, unless its first word
// has further capitals.
func lowerFirst(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if word == "" || strings.ToLower(word[1:]) != word[1:] || word[0] < 'A' || word[0] > 'Z' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
