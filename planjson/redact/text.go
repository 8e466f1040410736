// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import "github.com/tofuwire/tofuwire/internal/jsonscan"

// quote returns s as a JSON string.
func quote(s string) []byte { return jsonscan.AppendQuote(nil, s, true) }

// lastIndex returns where the token of a name last occurs in text. Nothing but
// white space and a colon comes after it.
func lastIndex(text, token []byte) int {
	i := len(text) - 1
	for text[i] != '"' {
		i--
	}
	return i + 1 - len(token)
}
