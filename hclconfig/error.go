// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"errors"
	"fmt"
)

// Causes that a caller may want to tell apart, found with errors.Is.
var (
	// ErrSyntax is the cause of an [Error] for text that is not native or
	// JSON syntax.
	ErrSyntax = errors.New("syntax error")
	// ErrTooDeep is the cause of an [Error] for text that is nested, or
	// whose expressions are chained, beyond the limit.
	ErrTooDeep = errors.New("nested too deeply")
	// ErrTooLarge is the cause of an [Error] for a file of 2 GiB or more.
	ErrTooLarge = errors.New("file too large")
	// ErrFilename is the cause of an [Error] for a file whose name does not
	// say which syntax it is in.
	ErrFilename = errors.New("not the name of a configuration file")
	// ErrEdit is the cause of an [Error] for an edit that cannot be made.
	ErrEdit = errors.New("cannot edit")
	// ErrNotConstant is the cause of an [Error] for an expression that has
	// no value of its own, because it refers to something or calls a
	// function.
	ErrNotConstant = errors.New("not a constant")
	// ErrKind is the cause of an [Error] for an expression or a value that is
	// not of the kind that was asked for, such as a list instead of a reference.
	ErrKind = errors.New("not of that kind")
)

// An Error says where and why a file could not be read, an expression could
// not be understood, or an edit could not be made.
type Error struct {
	// Filename is the name that was given to [Parse] or [Build], or the path in
	// the file system of a module. It is empty if no file is concerned.
	Filename string
	// Offset is in bytes, from 0. It says nothing if Line is 0.
	Offset int64
	// Line and Column count from 1, and are 0 if there is no place. Column
	// counts as HCL does: see [File.Position].
	Line, Column int
	// Err is the cause, and never nil.
	Err error
}

// Error returns the place and the cause.
func (e *Error) Error() string {
	if e.Line == 0 {
		if e.Filename == "" {
			return fmt.Sprintf("hclconfig: %v", e.Err)
		}
		return fmt.Sprintf("hclconfig: %s: %v", e.Filename, e.Err)
	}
	return fmt.Sprintf("hclconfig: %s:%d,%d: %v", e.Filename, e.Line, e.Column, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// fault returns an Error at offset, or without a place if offset is negative.
func (f *File) fault(offset int, err error) *Error {
	e := &Error{Err: err}
	if f == nil {
		return e // about a zero Expression
	}
	e.Filename = f.name
	if offset >= 0 {
		p := f.Position(int64(offset))
		e.Offset, e.Line, e.Column = p.Offset, p.Line, p.Column
	}
	return e
}

// faultf is like fault, with a text that is added to the cause.
func (f *File) faultf(offset int, cause error, format string, args ...any) *Error {
	return f.fault(offset, fmt.Errorf("%w: %s", cause, fmt.Sprintf(format, args...)))
}
