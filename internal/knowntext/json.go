// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// ReplaceInJSON appends a part of a valid JSON text, which begins and ends
// between tokens, without secrets. In strings token replaces them; a number with
// the digits of a secret becomes 0; the name of a member becomes what name
// returns for it. It calls replaced for each token that it changes.
func (s *Set) ReplaceInJSON(dst, text []byte, token string, name func(string) string, replaced func()) []byte {
	if !s.InRaw(text) {
		return append(dst, text...)
	}
	last := 0
	var buf []byte
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			end := jsonscan.StringEnd(text, i)
			if s.InRaw(text[i:end]) {
				buf = jsonscan.AppendUnquote(buf[:0], text[i:end])
				if !s.has(buf) {
					i = end
					continue
				}
				old := string(buf)
				now := ""
				if next := jsonscan.Space(text, end); next < len(text) && text[next] == ':' {
					now = name(old)
				} else {
					now, _ = s.Replace(old, token)
				}
				if now != old {
					dst = jsonscan.AppendQuote(append(dst, text[last:i]...), now, true)
					last = end
					replaced()
				}
			}
			i = end
		case c == '-' || '0' <= c && c <= '9':
			end := i + 1
			for end < len(text) && (text[end] <= '9' && text[end] >= '+' && text[end] != ',' && text[end] != '/' || text[end]|0x20 == 'e') {
				end++
			}
			if s.inNumber(text[i:end]) {
				dst = append(append(dst, text[last:i]...), '0')
				last = end
				replaced()
			}
			i = end
		default:
			i++
		}
	}
	return append(dst, text[last:]...)
}

// inNumber reports whether a number has the digits of a secret, however it is
// spelled.
func (s *Set) inNumber(token []byte) bool {
	if string(token) == "0" {
		return false
	}
	return s.found(token) || bytes.ContainsAny(token, ".eE+") && s.found(jsonscan.AppendCanonical(nil, token))
}
