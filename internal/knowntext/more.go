// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

// more reports whether text has more secrets, or other ones, in another spelling than
// in its own. Such a secret can begin with one that is spelled as it is, or share a
// part with it, and would be cut by its replacement: a user name that is also the
// beginning of a URL with escapes, or the first of several lines that are indented.
//
// Of what is encoded in several lines, one line may have been replaced and the others not, so
// any secret in it counts.
func (s *Set) more(text []byte) bool {
	known := make(tally)
	known.add(s.forms, text, nil)
	return unwrap(text, func(plain []byte) bool { return make(tally).add(s.forms, plain, known) }, s.found, func(text []byte) bool {
		if s.lines == nil {
			return false
		}
		trimmed := make([]byte, 0, len(text))
		trimmedLines(text, func(line []byte) bool {
			trimmed = append(append(trimmed, line...), '\n')
			return true
		})
		return make(tally).add(s.lines, trimmed, known)
	})
}

// A tally counts secrets by their numbers.
type tally map[int32]int

// add counts the secrets that a table finds in text. It reports whether there are more
// of one than in known, if that is not nil, and ends with the first one.
func (n tally) add(t *table, text []byte, known tally) (more bool) {
	t.search(text, func(found occurrence) bool {
		n[found.id]++
		more = known != nil && n[found.id] > known[found.id]
		return !more
	})
	return more
}
