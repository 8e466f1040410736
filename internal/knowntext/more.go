// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

import (
	"bytes"

	"golang.org/x/text/unicode/norm"
)

// more reports whether text has more secrets, or other ones, in another spelling than
// in its own. Such a secret can begin with one that is spelled as it is, or share a
// part with it, and would be cut by its replacement: a user name that is also the
// beginning of a URL with escapes, or the first of several lines that are indented.
func (s *Set) more(text []byte) bool {
	known := make(tally)
	known.add(s.forms, text, nil)
	other := func(t *table, plain []byte) bool {
		return !bytes.Equal(plain, text) && make(tally).add(t, plain, known)
	}
	for spelled := range maxEscapes + 1 {
		if s.moreSpelled(text, other) {
			return true
		}
		if bytes.IndexByte(text, '\\') < 0 || spelled == maxEscapes {
			return false
		}
		plain := []byte(Unescape(string(text)))
		if bytes.Equal(plain, text) {
			return false
		}
		if other(s.forms, plain) {
			return true
		}
		text = plain
	}
	return false
}

// moreSpelled calls other with the forms of text that have as many letters, until it
// returns true.
func (s *Set) moreSpelled(text []byte, other func(t *table, plain []byte) bool) bool {
	if !isASCII(text) && !isLow(text) && !norm.NFC.IsNormal(text) && other(s.forms, norm.NFC.Bytes(text)) ||
		encoded(text, func(plain []byte) bool { return other(s.forms, plain) }) {
		return true
	}
	if bytes.IndexByte(text, '\n') < 0 {
		return false
	}
	if isWrapped(text) {
		joined := make([]byte, 0, len(text))
		for line := range bytes.Lines(text) {
			joined = append(joined, bytes.Trim(line, "\r\n")...)
		}
		if other(s.forms, joined) {
			return true
		}
	}
	if s.lines == nil {
		return false
	}
	trimmed := make([]byte, 0, len(text))
	trimmedLines(text, func(line []byte) bool {
		trimmed = append(append(trimmed, line...), '\n')
		return true
	})
	return other(s.lines, trimmed)
}

// A tally counts secrets by their numbers.
type tally map[int32]int

// add counts the secrets that a table finds in text. It reports whether there are more
// of one than in known, if that is not nil, and ends with the first one.
func (n tally) add(t *table, text []byte, known tally) (more bool) {
	t.search(text, func(found span) bool {
		n[found.id]++
		more = known != nil && n[found.id] > known[found.id]
		return !more
	})
	return more
}
