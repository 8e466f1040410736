// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package detailed has the error of a cause that callers may branch on, and a
// text that says more.
package detailed

// An Error is a cause with a text. Neither is empty.
type Error struct {
	Cause error
	Text  string
}

// Error returns the cause and the text.
func (e *Error) Error() string { return e.Cause.Error() + ": " + e.Text }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }
