// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Strings is the operation of a field that is an array of strings: zero is
// nil. An edit rewrites only the elements between the common beginning and
// the common end of the old and the new list.
func Strings[S ~[]E, E ~string](x *Codec, p *S) {
	switch x.mode {
	case decoding:
		*p = decodeStrings[E](x)
	case walking, judging:
		if x.container(*p == nil, '[', '"') {
			walkList(x, len(*p), stringList[E]{*p})
		}
	case writing:
		writeList(x, len(*p), stringList[E]{*p})
	case probing:
		x.zero = *p == nil
	case skipping:
		x.skip()
	case describing:
		x.says(shapeStrings)
	}
}

func decodeStrings[E ~string](x *Codec) []E {
	if x.peek() != '[' {
		x.mismatch("an array of strings")
		return nil
	}
	start, problems := x.i, len(x.problems)
	x.enter()
	x.i++
	x.space()
	list := listsOf[E](x)
	// Strings need no stack as long as there is room for them where they are going to
	// stay.
	room, n, base := list.room, 0, list.begin(x)
	if x.peek() == ']' {
		x.i++
	} else {
		var last string
		for {
			if n == len(room) && n > 0 {
				for _, s := range room {
					list.push(s)
				}
				room, n = nil, 0
			}
			if d := x.text; x.i < len(d) && d[x.i] == '"' {
				last = x.listString(last)
			} else {
				if x.peek() == 'n' && !x.lenient {
					x.fail(x.i, errNull)
				}
				if x.peek() == 'n' {
					x.problems = append(x.problems, Problem{x.i, errNull})
				}
				x.mismatch("a string")
				last = ""
			}
			switch {
			case x.dry:
			case n < len(room):
				room[n] = E(last)
				n++
			default:
				list.push(E(last))
			}
			if d, i := x.text, x.i; i+1 < len(d) && d[i] == ',' && d[i+1] == '"' {
				x.i++
			} else if !x.more(']', jsonscan.FaultArray) {
				break
			}
		}
	}
	x.leave()
	if len(x.problems) > problems {
		x.spoiled(start, problems)
		list.drop(base)
		return nil
	}
	if n == 0 {
		return list.end(x, base)
	}
	list.room = room[n:]
	return room[:n:n]
}

// listString is stringValue for an element of a list after the string last, which it
// may be the beginning of: the shorter forms of a reference follow it.
func (x *Codec) listString(last string) string {
	d, start := x.text, x.i+1
	end, escaped, fault := jsonscan.StringRest(d, start)
	if fault != jsonscan.OK || escaped || x.lent != "" {
		return x.stringValue()
	}
	x.i = end
	if x.dry {
		return ""
	}
	s := d[start : end-1]
	if len(s) <= len(last) && last[:len(s)] == string(s) {
		return last[:len(s)]
	}
	return x.strings.string(s, start, x.only())
}

// Raws is the operation of a field that is an array of raw values: zero is
// nil. It is edited like [Strings].
func Raws[S ~[]V, V ~[]byte](x *Codec, p *S) {
	switch x.mode {
	case decoding:
		*p = decodeRaws[V](x)
	case walking, judging:
		if x.container(*p == nil, '[', 0) {
			walkList(x, len(*p), rawList[V]{*p})
		}
	case writing:
		writeList(x, len(*p), rawList[V]{*p})
	case probing:
		x.zero = *p == nil
	case skipping:
		x.skip()
	}
}

func decodeRaws[V ~[]byte](x *Codec) []V {
	if x.peek() != '[' {
		x.mismatch("an array")
		return nil
	}
	x.enter()
	x.i++
	x.space()
	list := listsOf[V](x)
	base := list.begin(x)
	if x.peek() == ']' {
		x.i++
	} else {
		for {
			list.push(V(x.token()))
			if !x.more(']', jsonscan.FaultArray) {
				break
			}
		}
	}
	x.leave()
	return list.end(x, base)
}

// An items is a list of scalars or raw values, seen by walkList.
type items interface {
	// same reports whether the value in the text, at x.i and ending at end,
	// means element n.
	same(x *Codec, n, end int) bool
	// write writes element n.
	write(x *Codec, n int)
}

type stringList[E ~string] struct{ list []E }

func (l stringList[E]) same(x *Codec, n, end int) bool {
	return x.text[x.i] == '"' && x.means(x.text[x.i:end], string(l.list[n]))
}

func (l stringList[E]) write(x *Codec, n int) {
	x.out = jsonscan.AppendQuote(x.out, l.list[n], !x.plain)
}

type rawList[V ~[]byte] struct{ list []V }

func (l rawList[V]) same(x *Codec, n, end int) bool {
	return bytes.Equal(x.text[x.i:end], l.list[n])
}

func (l rawList[V]) write(x *Codec, n int) { x.raw(l.list[n]) }

func writeList[L items](x *Codec, n int, l L) {
	x.push()
	x.out = append(x.out, '[')
	for i := range n {
		x.element(i)
		if i > 0 {
			x.out = append(x.out, ',')
		}
		l.write(x, i)
	}
	x.out = append(x.out, ']')
	x.pop()
}

// walkList encodes a list of n elements against the array at i.
func walkList[L items](x *Codec, n int, l L) {
	if x.text[x.i] != '[' {
		x.replace(func() { writeList(x, n, l) })
		return
	}
	here := x.i
	if sameList(x, n, l) {
		return
	}
	x.i = here
	spans := x.elements()
	x.i = here
	// What the beginnings and the ends have in common stays.
	head, tail := 0, 0
	for head < len(spans) && head < n && sameAt(x, spans[head], l, head) {
		head++
	}
	for tail < len(spans)-head && tail < n-head && sameAt(x, spans[len(spans)-1-tail], l, n-1-tail) {
		tail++
	}
	x.i = here
	x.push()
	var s separator
	x.beginItems(&s)
	more := x.peek() != ']'
	inserted := n - len(spans) // to be inserted, if positive
	for k, item := range spans {
		switch {
		case k < head || k >= len(spans)-tail:
			if k == len(spans)-tail {
				insertItems(x, &s, l, n-tail-max(inserted, 0), n-tail, x.i)
				inserted = 0
			}
			x.survive(&s, x.i)
			x.i = item.end
		case k < n-tail:
			x.element(k)
			x.survive(&s, x.i)
			if l.same(x, k, item.end) {
				x.i = item.end
				break
			}
			x.flush(x.i)
			l.write(x, k)
			x.replaced(item.end)
		default:
			x.i = item.end
			x.drop(&s, x.i)
		}
		more = x.after(&s, ']')
	}
	if !more && inserted > 0 {
		insertItems(x, &s, l, n-tail-inserted, n-tail, -1)
	}
	x.endItems(&s, ']')
	x.pop()
}

func insertItems[L items](x *Codec, s *separator, l L, from, to, next int) {
	for k := from; k < to; k++ {
		x.element(k)
		x.insert(s, next)
		l.write(x, k)
	}
}

// sameList reports whether the array at i means the list, in which case it
// moves behind it.
func sameList[L items](x *Codec, n int, l L) bool {
	x.i++
	x.space()
	if x.peek() == ']' {
		x.i++
		return n == 0
	}
	for k := 0; ; k++ {
		end := x.end()
		if k >= n || !l.same(x, k, end) {
			return false
		}
		x.i = end
		if !x.more(']', jsonscan.FaultArray) {
			return k == n-1
		}
	}
}

func sameAt[L items](x *Codec, s span, l L, n int) bool {
	x.i = s.start
	return l.same(x, n, s.end)
}

// elements returns the spans of the elements of the array at i.
func (x *Codec) elements() (spans []span) {
	x.i++
	x.space()
	if x.peek() == ']' {
		x.i++
		return nil
	}
	for {
		start := x.i
		x.skip()
		spans = append(spans, span{start, x.i})
		if !x.more(']', jsonscan.FaultArray) {
			return spans
		}
	}
}
