// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsontree

import (
	"bytes"
	"iter"
	"sync"

	"github.com/tofuwire/tofuwire/internal/textspan"
)

// An Index knows where the values of a text end, which does not change. Whoever walks down from value to value looks at each
// byte once for each level without it. It is made when a long value is met. It is safe for concurrent use.
type Index struct {
	src  []byte
	once sync.Once
	ends map[int32]int32 // of objects and arrays that are longer than near
}

// near is how far an Index looks without its table.
const near = 1 << 8

// NewIndex returns an Index of JSON that is known to be valid, at least up to where it is asked for.
func NewIndex(src []byte) *Index { return &Index{src: src} }

// Members is the function of that name.
func (x *Index) Members(s textspan.Span) iter.Seq[Pair] { return membersOf(x.src, s, x.End) }

// Elements is the function of that name.
func (x *Index) Elements(s textspan.Span) iter.Seq[textspan.Span] {
	return elementsOf(x.src, s, x.End)
}

// End returns the place behind the value at i.
func (x *Index) End(i int) int {
	if c := x.src[i]; c != '{' && c != '[' {
		return End(x.src, i)
	}
	if end := endNear(x.src[i:min(len(x.src), i+near)]); end >= 0 {
		return i + end
	}
	x.once.Do(x.build)
	if end, ok := x.ends[int32(i)]; ok {
		return int(end)
	}
	return End(x.src, i)
}

// endNear returns where the object or array ends that text begins with, or -1 if it is longer than text.
func endNear(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			if i = stringEndNear(text, i); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// stringEndNear returns the place of the closing quote of the string at i, or -1 if text ends before.
func stringEndNear(text []byte, i int) int {
	for i++; i < len(text); i++ {
		n := bytes.IndexAny(text[i:], `"\\`)
		if n < 0 {
			return -1
		}
		if i += n; text[i] == '"' {
			return i
		}
		i++ // what is escaped
	}
	return -1
}

// build looks at the whole text once.
func (x *Index) build() {
	x.ends = map[int32]int32{}
	var open []int32
	for i := 0; i < len(x.src); i++ {
		switch x.src[i] {
		case '"':
			if i = stringEndNear(x.src, i); i < 0 {
				return // what follows is broken
			}
		case '{', '[':
			open = append(open, int32(i))
		case '}', ']':
			if len(open) == 0 {
				return
			}
			at := open[len(open)-1]
			open = open[:len(open)-1]
			if i+1-int(at) > near {
				x.ends[at] = int32(i + 1)
			}
		}
	}
}
