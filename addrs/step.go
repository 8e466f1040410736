// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"iter"
	"math/big"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/numlimit"
)

// A Step leads from a value to a part of it: an attribute such as .id, or an
// index such as [0] or ["env"]. The zero Step is not valid.
type Step struct {
	s string // the normal text, with the dot or the brackets
}

// IsValid reports whether s is not the zero Step.
func (s Step) IsValid() bool { return s.s != "" }

// Attr returns the name of the attribute, and reports whether s is one.
func (s Step) Attr() (name string, ok bool) { return strings.CutPrefix(s.s, ".") }

// Index returns the index as a key. It reports whether s is an index whose key
// is a string or a whole number in the range of int64. Expressions may have
// other numbers as indexes, but these never lead to a value.
func (s Step) Index() (key InstanceKey, ok bool) {
	if s.s == "" || s.s[0] != '[' {
		return NoKey, false
	}
	if s.s[1] != '"' {
		n, ok := wholeNumber(s.s[1 : len(s.s)-1])
		if !ok {
			return NoKey, false
		}
		return InstanceKey{kind: intKey, num: n}, true
	}
	return keyOf(s.s), true
}

// String returns the normal text of s, with the dot or the brackets.
func (s Step) String() string { return s.s }

// appendPlan appends s in the form of plan JSON: strings in Go quotes, numbers
// with ten significant digits.
func (s Step) appendPlan(b []byte) []byte {
	if s.s[0] != '[' {
		return append(b, s.s...)
	}
	b = append(b, '[')
	key, ok := s.Index()
	if str, isString := key.Str(); isString {
		b = strconv.AppendQuote(b, str)
	} else if ok && key.num < 1e10 {
		b = strconv.AppendInt(b, key.num, 10)
	} else {
		// The precision is that of numbers in the language.
		f, _, err := big.ParseFloat(s.s[1:len(s.s)-1], 10, 512, big.ToNearestEven)
		if err != nil { // impossible, it was parsed
			return append(b, s.s[1:]...)
		}
		b = f.Append(b, 'g', 10)
	}
	return append(b, ']')
}

// steps returns an iterator over the steps in normal text.
func steps(text string) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		for rest := text; rest != ""; {
			n := keyLen(rest)
			if n == 0 {
				if n = strings.IndexAny(rest[1:], ".[") + 1; n == 0 {
					n = len(rest)
				}
			}
			if !yield(Step{rest[:n]}) {
				return
			}
			rest = rest[n:]
		}
	}
}

// anyNumber reads a number literal of any value. Whole numbers get their plain
// form, others stay as written.
func (s *scanner) anyNumber() *fault {
	start := s.pos
	lit := s.in[start : start+numberLen(s.in[start:])]
	if _, ok := wholeNumber(lit); ok {
		_, f := s.number()
		return f
	}
	if !numlimit.Text(lit) {
		return faultf(start, "%w: the index is out of range", ErrLimit)
	}
	s.pos += len(lit)
	s.copy(start, s.pos)
	return nil
}

// goQuoted reads a string in Go quotes.
func (s *scanner) goQuoted() *fault {
	start := s.pos
	end := quotedEnd(s.in, start)
	if end < 0 {
		return &fault{start, errUnclosed}
	}
	str, err := strconv.Unquote(s.in[start:end])
	if err != nil {
		return faultf(start, "the index is not a string in Go quotes")
	}
	s.pos = end
	s.rewriteQuoted(start, normalKey(str))
	return nil
}
