// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plantext

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// HasTrue reports whether a companion is true or has a true below: outside of
// strings, only true begins with a t.
func HasTrue(v []byte) bool {
	if len(v) <= 4 {
		return string(v) == "true"
	}
	if !bytes.Contains(v, []byte("true")) {
		return false
	}
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case 't':
			return true
		case '"':
			i = jsonscan.StringEnd(v, i) - 1
		}
	}
	return false
}

// IsTrue reports whether v is true.
func IsTrue(v []byte) bool { return string(v) == "true" || is(v, "true") }

// IsNone reports whether v, a value or a companion, is absent or null.
func IsNone(v []byte) bool {
	return v == nil || len(v) > 0 && (v[0] == 'n' || v[0] <= ' ') && is(v, "null")
}

// is reports whether v is a literal, with white space around it.
func is(v []byte, literal string) bool {
	i := jsonscan.Space(v, 0)
	end := i + len(literal)
	return end <= len(v) && string(v[i:end]) == literal && jsonscan.Space(v, end) == len(v)
}
