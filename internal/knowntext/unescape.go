// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// Unescape replaces what may be an escape of JSON or of the configuration
// language in a text of any kind.
func Unescape(text string) string {
	i := strings.IndexByte(text, '\\')
	if i < 0 {
		return text
	}
	var b strings.Builder
	for ; i >= 0 && i+1 < len(text); i = strings.IndexByte(text, '\\') {
		b.WriteString(text[:i])
		c := text[i+1]
		text = text[i+2:]
		switch c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'x':
			if len(text) >= 2 && digits[text[0]] != 0xff && digits[text[1]] != 0xff {
				b.WriteByte(digits[text[0]]<<4 | digits[text[1]])
				text = text[2:]
			} else {
				b.WriteByte(c)
			}
		case 'u', 'U':
			r, n := codePoint(text, c)
			if n == 0 {
				b.WriteByte(c)
			} else {
				b.WriteRune(r)
			}
			text = text[n:]
		default:
			b.WriteByte(c)
		}
	}
	b.WriteString(text)
	return b.String()
}

// codePoint reads the digits of an escape, and the second half of a pair of
// surrogates. It returns how much of text it has read, which is 0 if there are
// no digits.
func codePoint(text string, letter byte) (rune, int) {
	digits := 4
	if letter == 'U' {
		digits = 8
	}
	if len(text) < digits {
		return 0, 0
	}
	n, err := strconv.ParseUint(text[:digits], 16, 32)
	if err != nil {
		return 0, 0
	}
	r := rune(n)
	if rest := text[digits:]; utf16.IsSurrogate(r) && len(rest) >= 6 && rest[:2] == `\u` {
		if low, err := strconv.ParseUint(rest[2:6], 16, 16); err == nil {
			return utf16.DecodeRune(r, rune(low)), digits + 6
		}
	}
	return r, digits
}

// unpercent replaces the escapes of URLs.
func unpercent(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
