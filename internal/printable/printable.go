// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package printable makes texts from elsewhere safe to print.
package printable

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s with everything escaped that does not print: control
// characters, which could drive a terminal, and those that change the
// direction of the text.
func Text(s string) string {
	i := 0
	for i < len(s) && ' ' <= s[i] && s[i] <= '~' {
		i++
	}
	if i == len(s) || !strings.ContainsFunc(s[i:], func(c rune) bool { return c != '\t' && (c == utf8.RuneError || !unicode.IsPrint(c)) }) {
		return s
	}
	var b []byte
	for _, c := range s {
		switch {
		case c == '\t', unicode.IsPrint(c) && c != utf8.RuneError:
			b = utf8.AppendRune(b, c)
		default:
			q := strconv.QuoteRuneToASCII(c)
			b = append(b, q[1:len(q)-1]...)
		}
	}
	return string(b)
}

// Line returns at most limit bytes of s, in one line. It replaces everything invisible
// by a space and removes terminal sequences, so a server cannot control a terminal.
func Line(s string, limit int) string {
	var b strings.Builder
	space, sequence := false, false
	for i, r := range s {
		if sequence { // ESC [ parameters, up to a letter or the like
			sequence = r < '@' || r > '~' || r == '['
			continue
		}
		if !unicode.IsPrint(r) || r == ' ' || r == unicode.ReplacementChar {
			sequence = r == 0x1b && strings.HasPrefix(s[i+1:], "[")
			space = space || !sequence && b.Len() > 0
			continue
		}
		if b.Len()+4 > limit {
			b.WriteString("...")
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
