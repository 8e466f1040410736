// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// ReplaceInJSON appends a part of a valid JSON text, which begins and ends
// between tokens, without secrets. In strings token replaces them; a number with
// the digits of a secret becomes 0; the name of a member becomes what name
// returns for it. It calls replaced for each token that it changes.
func (s *Set) ReplaceInJSON(dst, text []byte, token string, name func(string) string, replaced func()) []byte {
	var c Scanner
	c.Reset(s, text)
	last := 0
	c.Tokens(0, len(text), token, name, func(start, end int, by []byte) {
		dst = append(append(dst, text[last:start]...), by...)
		last = end
		replaced()
	})
	return append(dst, text[last:]...)
}

// A Scanner goes once through a valid JSON text and finds the tokens that have
// secrets. Parts of the text must be asked for in their order. The zero Scanner
// is one of an empty text.
type Scanner struct {
	set     *Set
	text    []byte
	found   int // where a secret begins that is spelled as it is
	sought  int // no other one begins from what was asked for to here
	special int // where the next byte is that can be a part of another spelling
	coded   int // where the next run is that may be something encoded
	dumped  int // where the next part is that may be a dump
	odd     int // where the next number is that is not spelled with digits alone
	buf     []byte
}

// Reset makes c a scanner of text for the secrets of set.
func (c *Scanner) Reset(set *Set, text []byte) {
	c.set, c.text, c.found, c.sought, c.special, c.coded, c.dumped, c.odd = set, text, -1, 0, -1, -1, -1, -1
	if set.IsEmpty() {
		c.found, c.special, c.coded, c.dumped = len(text), len(text), len(text), len(text)
	}
	if set == nil || !set.numeric {
		c.odd = len(text)
	}
}

// Quiet reports whether the text between two places, which are between tokens or
// around one, has no secret. If it reports false there may be one.
func (c *Scanner) Quiet(from, to int) bool {
	return c.plain(from, to) && c.digits(from, to)
}

// plain reports whether no secret begins in a part of the text, and nothing in
// it can be a part of another spelling.
func (c *Scanner) plain(from, to int) bool {
	if c.special < from {
		c.special = nextSpecial(c.text, from)
	}
	return c.special >= to && c.clear(from, to) && c.uncoded(from, to)
}

// uncoded reports whether nothing in a part of the text may be something encoded.
func (c *Scanner) uncoded(from, to int) bool {
	if c.coded < from {
		c.coded = nextCoded(c.text, from)
	}
	if c.dumped < from {
		c.dumped = nextDump(c.text, from)
	}
	return c.coded >= to && c.dumped >= to
}

// clear reports whether no secret begins in a part of the text that is spelled
// as it is.
func (c *Scanner) clear(from, to int) bool {
	if c.found >= from {
		return c.found >= to
	}
	if c.sought = max(c.sought, from); c.sought >= to {
		return true
	}
	if c.sought = c.set.forms.next(c.text, c.sought, to); c.sought >= to {
		return true
	}
	c.found = c.sought
	return false
}

// digits reports whether no number in a part of the text can be that of a secret
// in another spelling.
func (c *Scanner) digits(from, to int) bool {
	if c.odd < from {
		c.odd = nextOdd(c.text, from)
	}
	return c.odd >= to
}

// nextOdd returns the first place at or after i, which is between tokens, of a
// number that is not spelled with digits alone. If there is none it returns
// len(text).
func nextOdd(text []byte, i int) int {
	for i < len(text) {
		switch b := text[i]; {
		case b == '"':
			i = jsonscan.StringEnd(text, i)
		case b == '-' || '0' <= b && b <= '9':
			start := i
			for i++; i < len(text) && isNumber(text[i]); i++ {
				if text[i] > '9' || text[i] == '.' {
					return start
				}
			}
		default:
			i++
		}
	}
	return len(text)
}

// Tokens calls change with each token in a part of the text that has a secret,
// and with what is to be written for it; see [Set.ReplaceInJSON].
func (c *Scanner) Tokens(from, to int, token string, name func(string) string, change func(start, end int, by []byte)) {
	c.each(from, to, func(start, end int) bool {
		if c.text[start] != '"' {
			change(start, end, []byte{'0'})
			return true
		}
		old := string(c.buf)
		now := ""
		if next := jsonscan.Space(c.text, end); next < to && c.text[next] == ':' {
			now = name(old)
		} else {
			now, _ = c.set.Replace(old, token)
		}
		if now != old {
			change(start, end, jsonscan.AppendQuote(nil, now, true))
		}
		return true
	})
}

// Clean reports whether no token in a part of the text has a secret. If it reports false,
// c must be reset before it is asked again.
func (c *Scanner) Clean(from, to int) bool {
	clean := true
	c.each(from, to, func(int, int) bool {
		clean = false
		return false
	})
	return clean
}

// each calls f with each token in a part of the text that has a secret, until it returns
// false. What a string says is in c.buf then.
func (c *Scanner) each(from, to int, f func(start, end int) bool) {
	text, s := c.text, c.set
	for i := from; i < to && !c.Quiet(i, to); {
		i = c.skip(i, to)
		start, has := i, false
		switch b := text[i]; {
		case b == '"':
			if i = jsonscan.StringEnd(text, i); c.plain(start, i) || c.clear(start, i) && c.uncoded(start, i) && isComposed(text[start:i]) {
				continue
			}
			if c.buf = c.buf[:0]; cap(c.buf) < i-start {
				c.buf = make([]byte, 0, i-start)
			}
			c.buf = jsonscan.AppendUnquote(c.buf, text[start:i])
			has = s.has(c.buf)
		case b == '-' || '0' <= b && b <= '9':
			for i++; i < to && isNumber(text[i]); {
				i++
			}
			has = s.inNumber(text[start:i], c.clear(start, i))
		default:
			i++
		}
		if has && !f(start, i) {
			return
		}
	}
}

// skip returns a place between tokens from which on the next token that may have
// a secret comes soon, for a place i between tokens. There must be one before to.
// No token before it has a backslash: all quotes are the ends of strings.
func (c *Scanner) skip(i, to int) int {
	c.plain(i, to)
	c.uncoded(i, to)
	at := min(c.special, c.coded, c.dumped)
	if !c.clear(i, min(at, to)) {
		at = c.found
	}
	if !c.digits(i, at) {
		return c.odd
	}
	if quotes := c.text[i:at]; at == c.special || bytes.Count(quotes, []byte{'"'})%2 != 0 {
		return i + bytes.LastIndexByte(quotes, '"') // special characters are in a string
	}
	for at > i && isNumber(c.text[at-1]) {
		at--
	}
	return at
}

// isNumber reports whether c can be in a number.
func isNumber(c byte) bool {
	return c <= '9' && c >= '+' && c != ',' && c != '/' || c|0x20 == 'e'
}

// inNumber reports whether a number has the digits of a secret, however it is
// spelled. That none of its spelling begins a secret may be known already.
func (s *Set) inNumber(token []byte, clear bool) bool {
	if string(token) == "0" {
		return false
	}
	return !clear && s.found(token) || s.numeric && bytes.ContainsAny(token, ".eE+") && s.found(jsonscan.AppendCanonical(nil, token))
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// nextSpecial returns the first place at or after i of a byte that can be a part
// of another spelling: not ASCII, a backslash, a percent sign, or an ampersand.
// If there is none it returns len(text).
func nextSpecial(text []byte, i int) int {
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		backslash, percent, ampersand := w^'\\'*ones, w^'%'*ones, w^'&'*ones
		// The lowest bit that a subtraction sets is right.
		if m := (w | (backslash - ones) | (percent - ones) | (ampersand - ones)) & highs; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(text); i++ {
		if b := text[i]; b >= 0x80 || b == '\\' || b == '%' || b == '&' {
			return i
		}
	}
	return len(text)
}

// nextCoded returns the first place at or after i of a run that may be something encoded. If
// there is none it returns len(text).
func nextCoded(text []byte, i int) int {
	for i < len(text) {
		start, end := nextRun(text, i)
		if start == len(text) {
			break
		}
		longer := start
		for longer > i && text[longer-1] != '=' && isBase64(text[longer-1]) {
			longer--
		}
		if mayHaveText(text[start:end]) || longer < start && mayBeText(text[longer:end]) {
			return longer
		}
		i = end
	}
	return len(text)
}

// isComposed reports whether text has nothing that can be a part of another
// spelling but letters below U+0300, which are the same in all normal forms that
// a text is compared in.
func isComposed(text []byte) bool {
	for i := nextSpecial(text, 0); i < len(text); i = nextSpecial(text, i+1) {
		if text[i] < 0x80 || text[i] >= 0xcc {
			return false
		}
	}
	return true
}
