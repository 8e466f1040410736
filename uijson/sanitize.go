// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import "strings"

// Sanitize returns s with terminal control characters replaced by pictures of
// them, as the CLI does for text of other programs: escape becomes "␛". Line
// feeds, tabs, and carriage returns before line feeds stay. Other carriage
// returns become "␍", because they let a line overwrite itself.
func Sanitize(s string) string {
	clean := true
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune(0x2421)
		case r >= 0x80 && r < 0xa0: // C1: one-character forms of escape sequences
			b.WriteRune('\uFFFD')
		case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069: // change the direction of text
			b.WriteRune('\uFFFD')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
