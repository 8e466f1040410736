// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// isPlain reports whether a byte of a string key needs no escape in HCL or Go
// quotes, and cannot begin a template sequence.
func isPlain(c byte) bool {
	return ' ' <= c && c < utf8.RuneSelf-1 && c != '"' && c != '\\' && c != '$' && c != '%'
}

// normalKey returns s as the language engine keeps strings: in Unicode normal
// form C, with U+FFFD in place of every invalid byte.
func normalKey(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			if !utf8.ValidString(s) {
				s = string([]rune(s))
			}
			return norm.NFC.String(s)
		}
	}
	return s
}

// appendHCLQuoted appends s as a quoted HCL string, exactly as OpenTofu prints
// instance keys: it escapes newline, return, tab, quote and backslash, doubles
// the first byte of "${" and "%{", and writes what [unicode.IsPrint] rejects
// as \uNNNN or \UNNNNNNNN in lower case.
// See toHCLQuotedString in OpenTofu's internal/addrs/instance_key.go.
func appendHCLQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0 // s[from:i] is still to be copied
	for i := 0; i < len(s); {
		if isPlain(s[i]) {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch r {
		case '\n', '\r', '\t', '"', '\\':
			b = append(b, s[from:i]...)
			b = append(b, '\\', hclEscape(r))
			from = i + size
		case '$', '%':
			if i+1 < len(s) && s[i+1] == '{' {
				b = append(b, s[from:i]...)
				b = append(b, byte(r))
				from = i // the original byte follows
			}
		default:
			if !unicode.IsPrint(r) || r == utf8.RuneError && size == 1 {
				b = append(b, s[from:i]...)
				b = appendUnicodeEscape(b, r)
				from = i + size
			}
		}
		i += size
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

// hclEscape returns the letter that represents r after a backslash.
func hclEscape(r rune) byte {
	switch r {
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	default:
		return byte(r)
	}
}

// appendUnicodeEscape appends \uNNNN, or \UNNNNNNNN beyond the basic plane.
func appendUnicodeEscape(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	digits := 4
	if r < 0x10000 {
		b = append(b, '\\', 'u')
	} else {
		b = append(b, '\\', 'U')
		digits = 8
	}
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b = append(b, hex[r>>shift&0xf])
	}
	return b
}

// unquoteHCL decodes the inside of a quoted HCL string that has no template
// sequences. The offset in a fault counts from the beginning of s.
func unquoteHCL(s string) (string, *fault) {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\\':
			r, size, ok := unescapeHCL(s[i:])
			if !ok {
				return "", faultf(i, "an escape is \\n, \\r, \\t, \\\", \\\\, \\uNNNN or \\UNNNNNNNN of a character")
			}
			b = utf8.AppendRune(b, r)
			i += size
		case c == '\n' || c == '\r':
			return "", faultf(i, "a line ends inside the quotes")
		case (c == '$' || c == '%') && i+1 < len(s) && s[i+1] == '{':
			return "", faultf(i, "a template sequence is not allowed; write %c%c{ for the characters themselves", c, c)
		case (c == '$' || c == '%') && i+2 < len(s) && s[i+1] == c && s[i+2] == '{':
			b = append(b, c, '{')
			i += 3
		case c < utf8.RuneSelf:
			b = append(b, c)
			i++
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				return "", &fault{i, errUTF8}
			}
			b = append(b, s[i:i+size]...)
			i += size
		}
	}
	return normalKey(string(b)), nil
}

// hasTemplate reports whether there is a template sequence in a quoted string, which is
// one of the language or of Go.
func hasTemplate(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] != '$' && s[i] != '%':
		case s[i+1] == '{':
			return true
		case s[i+1] == s[i] && i+2 < len(s) && s[i+2] == '{':
			i += 2
		}
	}
	return false
}

// unescapeHCL decodes the escape at the beginning of s, and returns its length.
// It reports false if there is no such escape or no such character.
func unescapeHCL(s string) (r rune, size int, ok bool) {
	if len(s) < 2 {
		return 0, 0, false
	}
	switch s[1] {
	case 'n':
		return '\n', 2, true
	case 'r':
		return '\r', 2, true
	case 't':
		return '\t', 2, true
	case '"', '\\':
		return rune(s[1]), 2, true
	case 'u':
		size = 6
	case 'U':
		size = 10
	default:
		return 0, 0, false
	}
	if len(s) < size {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(s[2:size], 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return 0, 0, false
	}
	return rune(n), size, true
}
