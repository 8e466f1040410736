// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Highlight returns which part of the snippet's code is at fault, as offsets
// in bytes with 0 <= start <= end <= len(Code). Without a snippet both are 0.
//
// It uses the range's line and column, because the offsets in the snippet are
// wrong for files with CRLF line endings: they count the carriage returns that
// Code does not have. The offsets are the fallback.
func (d *Diagnostic) Highlight() (start, end int) {
	if d == nil || d.Snippet == nil {
		return 0, 0
	}
	s := d.Snippet
	start, end = clamp(s.HighlightStartOffset, len(s.Code)), clamp(s.HighlightEndOffset, len(s.Code))
	if d.Range != nil {
		from, ok1 := s.offset(d.Range.Start, start)
		to, ok2 := s.offset(d.Range.End, end)
		if ok1 && !ok2 {
			to = from + max(end-start, 0)
		}
		if ok1 {
			start, end = from, to
		}
	}
	if end < start {
		end = start + 1
	}
	start, end = clamp(start, len(s.Code)), clamp(end, len(s.Code))
	// An offset inside a character would tear it apart.
	for start > 0 && start < len(s.Code) && !utf8.RuneStart(s.Code[start]) {
		start--
	}
	for end < len(s.Code) && !utf8.RuneStart(s.Code[end]) {
		end++
	}
	return start, end
}

// offset returns the offset of a place in the code, and reports false if the
// code does not have it. hint is where the tool says it is: if a cluster ends
// there according to the column, it is right.
func (s *Snippet) offset(p Pos, hint int) (int, bool) {
	n := p.Line - s.StartLine
	if n < 0 || p.Column < 1 {
		return 0, false
	}
	at := 0
	for ; n > 0; n-- {
		i := strings.IndexByte(s.Code[at:], '\n')
		if i < 0 {
			return 0, false
		}
		at += i + 1
	}
	line := s.Code[at:]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	i := 0
	for column := 1; column < p.Column; column++ {
		if i == len(line) {
			// One column after the end is the line feed itself.
			return at + i, column == p.Column-1 || hint == at+i
		}
		i += cluster(line[i:])
	}
	return at + i, true
}

// clamp returns n, but no less than 0 and no more than limit.
func clamp(n, limit int) int {
	return min(max(n, 0), limit)
}

// cluster returns the length in bytes of the first grapheme cluster of s, by
// the main rules of Unicode's annex 29: marks and joiners belong to what
// precedes them, flags are pairs of letters, Hangul syllables may be spelled
// out. s must not be empty.
func cluster(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if r == '\r' && strings.HasPrefix(s[n:], "\n") {
		return n + 1
	}
	flag := isRegional(r)
	joined := false
	for n < len(s) {
		next, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case extends(next):
			joined = next == '\u200d'
		case joined && isPictograph(next):
			joined = false
		case flag && isRegional(next):
			flag = false
		case hangulJoins(r, next):
		default:
			return n
		}
		n += size
		r = next
	}
	return n
}

// extends reports whether r belongs to the character before it.
func extends(r rune) bool {
	return r >= 0x300 && (unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc) ||
		r == 0x200c || r == 0x200d || r >= 0x1f3fb && r <= 0x1f3ff || r >= 0xe0020 && r <= 0xe007f)
}

// isRegional reports whether r is a letter of a flag.
func isRegional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

// isPictograph reports whether r can follow a joiner in an emoji.
func isPictograph(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0xa9 || r == 0xae
}

// hangulJoins reports whether two parts of a Hangul syllable join.
func hangulJoins(a, b rune) bool {
	lead := a >= 0x1100 && a <= 0x115f
	vowel := func(r rune) bool { return r >= 0x1160 && r <= 0x11a7 }
	tail := func(r rune) bool { return r >= 0x11a8 && r <= 0x11ff }
	syllable := func(r rune) bool { return r >= 0xac00 && r <= 0xd7a3 }
	switch {
	case lead:
		return b >= 0x1100 && b <= 0x11a7 || syllable(b)
	case vowel(a) || syllable(a) && (a-0xac00)%28 == 0:
		return vowel(b) || tail(b)
	case tail(a) || syllable(a):
		return tail(b)
	}
	return false
}
