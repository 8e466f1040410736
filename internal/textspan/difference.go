// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package textspan

import "unicode/utf8"

// Difference returns the part of one text, from start to end, that another one has text in the place
// of: what is left without that with which both begin and end. It cuts no character, and no "\r\n".
func Difference(before, after []byte) (start, end int, text []byte) {
	n := min(len(before), len(after))
	for start < n && before[start] == after[start] {
		start++
	}
	for start > 0 && (within(before, start) || within(after, start)) {
		start--
	}
	same := 0
	for same < n-start && before[len(before)-1-same] == after[len(after)-1-same] {
		same++
	}
	for same > 0 && within(before, len(before)-same) {
		same--
	}
	if end = len(before) - same; same > 0 && end > start && before[end] == '\n' && before[end-1] == '\r' {
		same--
	}
	return start, len(before) - same, after[start : len(after)-same]
}

// within reports whether a place is in a character, and not at its start.
func within(text []byte, at int) bool { return at < len(text) && !utf8.RuneStart(text[at]) }
