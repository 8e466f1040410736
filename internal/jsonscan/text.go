// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

import (
	"bytes"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func trailingZeroBytes(m uint64) int { return bits.TrailingZeros64(m) >> 3 }

// digitOf has the values of the hexadecimal digits, and -1 for other bytes.
var digitOf = func() (t [256]int8) {
	for c := range t {
		t[c] = -1
	}
	for v, c := range "0123456789abcdef" {
		t[c] = int8(v)
	}
	for v, c := range "ABCDEF" {
		t[c] = int8(10 + v)
	}
	return t
}()

func hexDigit(c byte) int { return int(digitOf[c]) }

func hex4(s []byte) rune {
	return rune(hexDigit(s[0])<<12 | hexDigit(s[1])<<8 | hexDigit(s[2])<<4 | hexDigit(s[3]))
}

// AppendUnquote appends to dst the text that tok means and returns the
// result. The token is a valid JSON string with its quotes, as [String]
// accepts it. A surrogate escape without its partner becomes U+FFFD.
func AppendUnquote(dst, tok []byte) []byte { return appendUnquoted(dst, tok[1:len(tok)-1]) }

// appendUnquoted is AppendUnquote without the quotes.
func appendUnquoted(dst, s []byte) []byte {
	if wasm {
		return unquoted(dst, s)
	}
	for {
		n := bytes.IndexByte(s, '\\')
		if n < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:n]...)
		c := s[n+1]
		s = s[n+2:]
		switch c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, n := hexEscape(s)
			s = s[n:]
			dst = utf8.AppendRune(dst, r)
		default: // quote, backslash, slash
			dst = append(dst, c)
		}
	}
}

// hexEscape returns the character of an escape that goes on with s, after the u,
// and how much of s belongs to it: two escapes are one character beyond U+FFFF.
func hexEscape(s []byte) (rune, int) {
	r := hex4(s)
	if !utf16.IsSurrogate(r) {
		return r, 4
	}
	low := rune(utf8.RuneError)
	if len(s) >= 10 && s[4] == '\\' && s[5] == 'u' {
		low = hex4(s[6:])
	}
	if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
		return r, 10
	}
	return r, 4
}

// Unquote returns what a valid string token means.
func Unquote(tok []byte) string {
	raw := tok[1 : len(tok)-1]
	if len(raw) < 2*unquoteChunk || IndexByte(raw, '\\') < 0 {
		return string(UnquoteBytes(tok))
	}
	// A long text is copied once: in chunks that end where no escape does.
	var b strings.Builder
	b.Grow(len(raw))
	var buf []byte
	for start := 0; start < len(raw); {
		end := start + unquoteChunk
		for end < len(raw) {
			n := bytes.LastIndexByte(raw[end-maxEscape:end], '\\')
			if n < 0 {
				break
			}
			end += n + 1
		}
		end = min(end, len(raw))
		buf = appendUnquoted(buf[:0], raw[start:end])
		b.Write(buf)
		start = end
	}
	return b.String()
}

const (
	unquoteChunk = 32 << 10
	maxEscape    = len(`\ud83d\ude00`)
)

// UnquoteBytes returns what a valid string token means: a part of the token,
// unless it has escapes.
func UnquoteBytes(tok []byte) []byte {
	if raw := tok[1 : len(tok)-1]; IndexByte(raw, '\\') < 0 {
		return raw
	}
	return AppendUnquote(make([]byte, 0, len(tok)), tok)
}

const hexDigits = "0123456789abcdef"

// AppendQuote appends s as a JSON string, spelled as encoding/json spells it
// and therefore as the tools do: '<', '>' and '&' are escaped if html is set,
// U+2028 and U+2029 always, other control characters in their short form
// where there is one, everything else stays as it is. What is not valid UTF-8
// becomes \ufffd.
func AppendQuote[S ~string | ~[]byte](dst []byte, s S, html bool) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && (!html || c != '<' && c != '>' && c != '&') {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\b':
				dst = append(dst, '\\', 'b')
			case '\f':
				dst = append(dst, '\\', 'f')
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(dst, s[start:i]...)
			dst = append(dst, `\ufffd`...)
			start = i + 1
		case r == '\u2028' || r == '\u2029':
			dst = append(dst, s[start:i]...)
			dst = append(dst, `\u202`...)
			dst = append(dst, hexDigits[r&15])
			start = i + n
		}
		i += n
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// Position returns the line and the column of an offset, both from 1. A line
// ends with a line feed; the column counts bytes.
func Position(d []byte, offset int) (line, column int) {
	offset = min(max(offset, 0), len(d))
	line = 1 + Lines(d[:offset])
	return line, offset - bytes.LastIndexByte(d[:offset], '\n')
}

// Positions finds the positions of offsets in Text that do not decrease. It looks at
// each byte once.
type Positions struct {
	Text []byte

	at    int // up to here lines are counted
	lines int // line feeds before at
	start int // of the line of at
}

// At returns the line and the column of an offset, both from 1.
func (p *Positions) At(offset int) (line, column int) {
	part := p.Text[p.at:offset]
	if n := Lines(part); n > 0 {
		p.lines += n
		p.start = p.at + bytes.LastIndexByte(part, '\n') + 1
	}
	p.at = offset
	return p.lines + 1, offset - p.start + 1
}

// IndexByte is [bytes.IndexByte].
func IndexByte(d []byte, c byte) int {
	if wasm {
		return indexByte(d, c)
	}
	return bytes.IndexByte(d, c)
}

// Lines returns the number of line feeds in d.
func Lines(d []byte) int {
	if wasm {
		return lines(d)
	}
	return bytes.Count(d, []byte{'\n'})
}
