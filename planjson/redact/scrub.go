// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"fmt"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// scrub appends a part of a document, which begins and ends between tokens,
// without known secrets: in strings, names of members, and numbers.
func (e *engine) scrub(dst, text []byte) []byte {
	e.work += len(text)
	if !e.secrets.InRaw(text) {
		return append(dst, text...)
	}
	last := 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			end := stringEnd(text, i)
			token := text[i:end]
			if e.secrets.InRaw(token) {
				s := unquote(token)
				plain, changed := "", false
				if next := jsonscan.Space(text, end); next < len(text) && text[next] == ':' {
					plain = e.name(s)
					changed = plain != s
				} else {
					plain, changed = e.secrets.Replace(s, e.token)
				}
				if changed {
					dst = append(append(dst, text[last:i]...), quote(plain)...)
					last = end
					e.hidden(reasonSecret)
				}
			}
			i = end
		case c == '-' || '0' <= c && c <= '9':
			end := valueEnd(text, i)
			if e.isSecretNumber(text[i:end]) {
				dst = append(append(dst, text[last:i]...), '0')
				last = end
				e.hidden(reasonSecret)
			}
			i = end
		default:
			i++
		}
	}
	return append(dst, text[last:]...)
}

// isSecretNumber reports whether a number has the digits of a known secret.
func (e *engine) isSecretNumber(token []byte) bool {
	if bytes.Equal(token, []byte("0")) {
		return false
	}
	return e.secrets.In(string(token)) || e.secrets.In(string(jsonscan.AppendCanonical(nil, token)))
}

// name returns the name of a member without known secrets. The same name always
// becomes the same, and different ones stay different.
func (e *engine) name(name string) string {
	plain, changed := e.secrets.Replace(name, e.token)
	if !changed {
		return name
	}
	if known, ok := e.renamed[name]; ok {
		return known
	}
	if e.renamed == nil {
		e.renamed, e.taken = make(map[string]string), make(map[string]int)
	}
	e.taken[plain]++
	if n := e.taken[plain]; n > 1 {
		plain = fmt.Sprintf("%s (%d)", plain, n)
	}
	e.renamed[name] = plain
	return plain
}
