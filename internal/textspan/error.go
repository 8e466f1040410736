// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package textspan

import "strings"

// An Error is a cause that callers may branch on, with a text that says more. Neither is
// empty.
type Error struct {
	Cause error
	Text  string
}

// Error returns the cause and the text.
func (e *Error) Error() string { return e.Cause.Error() + ": " + e.Text }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// ErrorText returns the summary and the detail of a diagnostic as the end of the text of an
// error.
func ErrorText(summary, detail string) string {
	if detail == "" {
		return lowerFirst(summary)
	}
	return lowerFirst(summary) + ": " + lowerFirst(strings.TrimRight(detail, "."))
}

func lowerFirst(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && (s[1] < 'A' || s[1] > 'Z') {
		return string(s[0]+'a'-'A') + s[1:]
	}
	return s
}
