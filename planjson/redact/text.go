// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// unquote returns what the token of a string means.
func unquote(token []byte) string {
	if bytes.IndexByte(token, '\\') >= 0 {
		return string(jsonscan.AppendUnquote(nil, token))
	}
	return string(token[1 : len(token)-1])
}

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

// stringEnd returns the end of the string at d[i]. The text must be valid.
func stringEnd(d []byte, i int) int {
	for start := i; ; {
		n := bytes.IndexByte(d[i+1:], '"')
		if n < 0 {
			return len(d)
		}
		if i += n + 1; d[i-1] != '\\' {
			return i + 1
		}
		k := i - 1
		for k > start && d[k] == '\\' {
			k--
		}
		if (i-1-k)%2 == 0 {
			return i + 1
		}
	}
}

// valueEnd returns the end of the value at d[i]. The text must be valid: it
// takes half of the time of finding that out.
func valueEnd(d []byte, i int) int {
	if i >= len(d) {
		return i
	}
	switch d[i] {
	case '"':
		return stringEnd(d, i)
	case '{', '[':
		for depth := 0; i < len(d); i++ {
			switch d[i] {
			case '"':
				i = stringEnd(d, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return i
	}
	for i < len(d) && d[i] > ' ' && d[i] != ',' && d[i] != '}' && d[i] != ']' {
		i++
	}
	return i
}

// plainName returns what the token of a name means.
func plainName(token []byte) []byte {
	if bytes.IndexByte(token, '\\') >= 0 {
		return jsonscan.AppendUnquote(nil, token)
	}
	return token[1 : len(token)-1]
}
