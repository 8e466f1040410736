// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsontree

import (
	"bytes"
	"iter"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// The functions in this file walk JSON that is known to be valid, so they look
// at nothing but quotes and brackets. Places are offsets into src.

// A Pair is a property of a JSON object.
type Pair struct {
	Name  textspan.Span // with the quotes
	Value textspan.Span
}

// Members returns an iterator over the properties of the object at s.
func Members(src []byte, s textspan.Span) iter.Seq[Pair] {
	return membersOf(src, s, func(i int) int { return End(src, i) })
}

func membersOf(src []byte, s textspan.Span, endOf func(i int) int) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		i := jsonscan.Space(src, int(s.Start)+1)
		for src[i] != '}' {
			end := StringEnd(src, i)
			m := Pair{Name: textspan.Of(int32(i), int32(end))}
			i = jsonscan.Space(src, jsonscan.Space(src, end)+1)
			end = endOf(i)
			m.Value = textspan.Of(int32(i), int32(end))
			if !yield(m) {
				return
			}
			if i = jsonscan.Space(src, end); src[i] == ',' {
				i = jsonscan.Space(src, i+1)
			}
		}
	}
}

// Elements returns an iterator over the elements of the array at s.
func Elements(src []byte, s textspan.Span) iter.Seq[textspan.Span] {
	return elementsOf(src, s, func(i int) int { return End(src, i) })
}

func elementsOf(src []byte, s textspan.Span, endOf func(i int) int) iter.Seq[textspan.Span] {
	return func(yield func(textspan.Span) bool) {
		i := jsonscan.Space(src, int(s.Start)+1)
		for src[i] != ']' {
			end := endOf(i)
			if !yield(textspan.Of(int32(i), int32(end))) {
				return
			}
			if i = jsonscan.Space(src, end); src[i] == ',' {
				i = jsonscan.Space(src, i+1)
			}
		}
	}
}

// StringEnd returns the place behind the string at i.
func StringEnd(src []byte, i int) int {
	for i++; ; i++ {
		n := bytes.IndexByte(src[i:], '"')
		i += n
		backslashes := 0
		for src[i-1-backslashes] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return i + 1
		}
	}
}

// End returns the place behind the value at i.
func End(src []byte, i int) int {
	switch src[i] {
	case '"':
		return StringEnd(src, i)
	case '{', '[':
		depth := 0
		for {
			switch src[i] {
			case '"':
				i = StringEnd(src, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(src) && src[i] != ',' && src[i] != '}' && src[i] != ']' && src[i] > ' ' {
		i++
	}
	return i
}

// Back returns the place behind the last byte before i that is not white
// space.
func Back(src []byte, i int) int {
	for i > 0 && (src[i-1] == ' ' || src[i-1] == '\n' || src[i-1] == '\r' || src[i-1] == '\t') {
		i--
	}
	return i
}
