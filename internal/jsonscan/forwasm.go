// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"runtime"
	"slices"
	"unicode/utf8"
)

// wasm says that the functions in this file are used. In a WebAssembly program of
// Go's compiler each jump within a function goes over one large table, and what is
// needed after a call is in memory, not in registers. So these functions do on the
// straight way what other programs do faster with jumps to and fro. They are
// compiled and tested everywhere.
const wasm = runtime.GOARCH == "wasm"

// margin is how much text there is at least behind a place at which pass looks at an
// item, so that it need not ask for the end at each step.
const margin = 24

func word(d []byte, i int) uint64 { return binary.LittleEndian.Uint64(d[i:]) }

// stops marks, by its lowest bit, the first byte in w that is not plain text in a
// string; see StringRest.
func stops(w uint64) uint64 {
	return ((w ^ '"'*ones - ones) | (w ^ '\\'*ones - ones) | (w - ' '*ones) | w) & highs
}

// plain moves over plain text of a string, eight bytes at a time, and returns the
// mark of the first eight with something else, or 0 near the end.
func plain(d []byte, i int) (int, uint64) {
	for i >= 0 && i < len(d)-margin {
		if m := stops(word(d, i)); m != 0 {
			return i, m
		}
		i += 8
	}
	return i, 0
}

// quoted returns the place of the quote that ends the string without escapes which begins at i, or
// 0 if it has some, or is near the end.
func quoted(d []byte, i int) int {
	m := stops(word(d, i) ^ ('"' ^ 'a')) // the first quote is passed over
	if m == 0 {
		if i, m = plain(d, i+8); m == 0 {
			return 0
		}
	}
	if i += trailingZeroBytes(m); d[i] != '"' {
		return 0
	}
	return i
}

// shortNumber returns how long the number without an exponent is that w begins with, or 0 if it is
// another one.
func shortNumber(w uint64) int {
	// The marks are right up to the first byte that is not ASCII.
	x := w ^ '0'*ones
	m := (x + 0x76*ones | x) & highs
	n := trailingZeroBytes(m)
	if byte(w) == '0' && n > 1 {
		return 0
	}
	if n < 8 && byte(w>>(8*n)) == '.' {
		whole := n + 1
		if n = trailingZeroBytes(m & (m - 1)); n == whole {
			return 0
		}
	}
	return n
}

// pass is the part of [Skipper.Run] for what most texts consist of: it moves over
// members, or elements, and containers that are written without white space and
// have no escapes. It begins at a member's name or at an element and stops
// wherever something else comes, with all that Run needs to know there.
func pass(d []byte, i int, nest uint64, level, depth int) (int, uint64, int, expectation) {
	last := len(d) - margin
	for i < last {
		if nest&1 != 0 {
			if d[i] != '"' {
				break
			}
			n := quoted(d, i)
			if n == 0 || d[n+1] != ':' {
				break
			}
			if i = n + 2; i >= last {
				return i, nest, level, atValue
			}
		}

	value:
		w := word(d, i)
		switch c := byte(w); {
		case c == '"':
			n := quoted(d, i)
			if n == 0 {
				return i, nest, level, atValue
			}
			i = n + 1
		case c == '{' || c == '[':
			if level >= depth || level&63 == 63 || d[i+1] <= ' ' {
				return i, nest, level, atValue
			}
			level++
			nest <<= 1
			i++
			if c == '{' {
				nest |= 1
				if d[i] != '}' {
					continue
				}
			} else if d[i] != ']' {
				if i < last {
					goto value
				}
				return i, nest, level, atValue
			}
			i++
			nest >>= 1
			level--
		case uint32(w) == 'n'|'u'<<8|'l'<<16|'l'<<24, uint32(w) == 't'|'r'<<8|'u'<<16|'e'<<24:
			i += 4
		case w<<24 == ('f'|'a'<<8|'l'<<16|'s'<<24|'e'<<32)<<24:
			i += 5
		case c-'0' <= 9:
			n := shortNumber(w)
			if end := d[i+n]; n == 0 || end != ',' && end != '}' && end != ']' {
				return i, nest, level, atValue
			}
			i += n
		default:
			return i, nest, level, atValue
		}

		for {
			c := d[i]
			if c == ',' {
				i++
				break
			}
			if c != ']'+byte(nest&1)<<5 || level == 1 || level&63 == 0 || i >= last { // ] or }
				return i, nest, level, atNext
			}
			i++
			nest >>= 1
			level--
		}
	}
	if nest&1 != 0 {
		return i, nest, level, atName
	}
	return i, nest, level, atValue
}

// lines is [Lines].
func lines(d []byte) int {
	n := 0
	for len(d) >= 32 {
		a, b, c, e := word(d, 0)^'\n'*ones, word(d, 8)^'\n'*ones, word(d, 16)^'\n'*ones, word(d, 24)^'\n'*ones
		d = d[32:]
		if ((a-ones)&^a|(b-ones)&^b|(c-ones)&^c|(e-ones)&^e)&highs != 0 {
			n += bits.OnesCount64(zeros(a)>>7 | zeros(b)>>6 | zeros(c)>>5 | zeros(e)>>4)
		}
	}
	for _, c := range d {
		if c == '\n' {
			n++
		}
	}
	return n
}

// zeros marks the bytes of w that are 0, each with its highest bit.
func zeros(w uint64) uint64 { return ^(w&^highs + ^uint64(highs) | w) & highs }

// indexByte is [IndexByte].
func indexByte(d []byte, c byte) int {
	all, text := uint64(c)*ones, d
	for len(d) >= 32 {
		a, b, e, f := word(d, 0)^all, word(d, 8)^all, word(d, 16)^all, word(d, 24)^all
		if ((a-ones)&^a|(b-ones)&^b|(e-ones)&^e|(f-ones)&^f)&highs != 0 {
			break
		}
		d = d[32:]
	}
	for len(d) >= 8 {
		w := word(d, 0) ^ all
		if m := (w - ones) &^ w & highs; m != 0 {
			return len(text) - len(d) + trailingZeroBytes(m)
		}
		d = d[8:]
	}
	if len(text) >= 8 {
		// The last eight bytes: of those that were looked at before, none is it.
		w := word(text, len(text)-8) ^ all
		if m := (w - ones) &^ w & highs; m != 0 {
			return len(text) - 8 + trailingZeroBytes(m)
		}
		return -1
	}
	for i, b := range d {
		if b == c {
			return i
		}
	}
	return -1
}

// meaning has what the second byte of an escape of two bytes means.
var meaning = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unquoted is [appendUnquoted]: it copies eight bytes at a time and looks for the
// next backslash among them. What s means is never longer than s.
func unquoted(dst, s []byte) []byte {
	i, j := 0, len(dst)
	dst = slices.Grow(dst, len(s))[:j+len(s)]
	for i < len(s) {
		if i < len(s)-7 {
			w := word(s, i)
			binary.LittleEndian.PutUint64(dst[j:], w)
			w ^= '\\' * ones
			m := (w - ones) &^ w & highs
			if m == 0 {
				i, j = i+8, j+8
				continue
			}
			n := trailingZeroBytes(m)
			i, j = i+n, j+n
		} else if s[i] != '\\' {
			dst[j] = s[i]
			i, j = i+1, j+1
			continue
		}
		if c := meaning[s[i+1]]; c != 0 {
			dst[j] = c
			i, j = i+2, j+1
			continue
		}
		r, n := hexEscape(s[i+2:])
		i, j = i+2+n, len(utf8.AppendRune(dst[:j], r))
	}
	return dst[:j]
}
