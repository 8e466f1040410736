// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// placeOf returns an error, without its cause, at the value that a path of names
// and numbers leads to in text, or at the innermost one around it that there is.
// It reads the text from its beginning.
func placeOf(text []byte, path ...any) *Error {
	var pointer strings.Builder
	at := jsonscan.Space(text, 0)
	found := true
	for _, step := range path {
		switch step := step.(type) {
		case string:
			pointer.WriteString("/" + jsonscan.EscapePointer(step))
		case int:
			pointer.WriteString("/" + strconv.Itoa(step))
		}
		if found {
			var next int
			if next, found = below(text[at:], step); found {
				at += next
			}
		}
	}
	line, column := jsonscan.Position(text, at)
	return &Error{Offset: int64(at), Line: line, Column: column, Pointer: pointer.String()}
}

// below returns where the value that one step leads to begins in text.
func below(text []byte, step any) (at int, ok bool) {
	r := jsonscan.Items{Text: text}
	switch step := step.(type) {
	case string:
		if !r.Open('{') {
			break
		}
		for r.Member() {
			if r.Named(step) {
				at, ok = r.Start, true
			}
		}
	case int:
		if !r.Open('[') {
			break
		}
		for ; r.Element(); step-- {
			if step == 0 {
				return r.Start, true
			}
		}
	}
	return at, ok
}
