// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Strings returns the field of an array of strings: zero is
// nil. An edit rewrites only the elements between the common beginning and
// the common end of the old and the new list.
func Strings[S ~[]E, E ~string](of func(any) *S) Field { return &stringsField[S, E]{of: of} }

type stringsField[S ~[]E, E ~string] struct {
	scalar
	of func(any) *S
}

func (f *stringsField[S, E]) decode(d *Decoder, o any) { *f.of(o) = decodeStrings[E](d) }

func (f *stringsField[S, E]) edit(e *Encoder, o any, _ bool) (goes bool) {
	list := *f.of(o)
	if list == nil {
		return e.cleared('[', '"')
	}
	walkList(e, len(list), stringList[E]{list})
	return false
}

func (f *stringsField[S, E]) goes(e *Encoder, o any, _ bool) bool {
	return *f.of(o) == nil && e.cleared('[', '"')
}

func (f *stringsField[S, E]) write(e *Encoder, o any) {
	list := *f.of(o)
	writeList(e, len(list), stringList[E]{list})
}

func (f *stringsField[S, E]) isZero(o any) bool              { return *f.of(o) == nil }
func (f *stringsField[S, E]) describe(_ *description) *shape { return shapeStrings }

func decodeStrings[E ~string](d *Decoder) []E {
	if d.peek() != '[' {
		d.mismatch("an array of strings")
		return nil
	}
	start, problems := d.i, len(d.problems)
	d.enter()
	list := listsOf[E](&d.heap)
	// Strings need no stack as long as there is room for them where they are going to
	// stay.
	room, n, base := list.room, 0, list.begin(d.heap.texts)
	if d.opened(']') {
		var last string
		for {
			if n == len(room) && n > 0 {
				for _, s := range room {
					list.push(s)
				}
				room, n = nil, 0
			}
			if d.i < len(d.text) && d.text[d.i] == '"' {
				last = d.listString(last)
			} else {
				if d.peek() == 'n' {
					d.null()
				}
				d.mismatch("a string")
				last = ""
			}
			switch {
			case d.dry:
			case n < len(room):
				room[n] = E(last)
				n++
			default:
				list.push(E(last))
			}
			if text, i := d.text, d.i; i+1 < len(text) && text[i] == ',' && text[i+1] == '"' {
				d.i++
			} else if !d.more(']', jsonscan.FaultArray) {
				break
			}
		}
	}
	d.leave()
	if len(d.problems) > problems {
		d.spoiled(start, problems)
		list.drop(base)
		return nil
	}
	if n == 0 {
		return list.end(d.dry, base)
	}
	list.room = room[n:]
	return room[:n:n]
}

// Raws returns the field of an array of raw values: zero is
// nil. It is edited like that of [Strings].
func Raws[S ~[]V, V ~[]byte](of func(any) *S) Field { return &rawsField[S, V]{of: of} }

type rawsField[S ~[]V, V ~[]byte] struct {
	scalar
	of func(any) *S
}

func (f *rawsField[S, V]) decode(d *Decoder, o any) { *f.of(o) = decodeRaws[V](d) }

func (f *rawsField[S, V]) edit(e *Encoder, o any, _ bool) (goes bool) {
	list := *f.of(o)
	if list == nil {
		return e.cleared('[', 0)
	}
	walkList(e, len(list), rawList[V]{list})
	return false
}

func (f *rawsField[S, V]) goes(e *Encoder, o any, _ bool) bool {
	return *f.of(o) == nil && e.cleared('[', 0)
}

func (f *rawsField[S, V]) write(e *Encoder, o any) {
	list := *f.of(o)
	writeList(e, len(list), rawList[V]{list})
}

func (f *rawsField[S, V]) isZero(o any) bool              { return *f.of(o) == nil }
func (f *rawsField[S, V]) describe(_ *description) *shape { return shapeUnknown }

func decodeRaws[V ~[]byte](d *Decoder) []V {
	if d.peek() != '[' {
		d.mismatch("an array")
		return nil
	}
	d.enter()
	list := listsOf[V](&d.heap)
	base := list.begin(d.heap.texts)
	if d.opened(']') {
		for {
			list.push(V(d.token()))
			if !d.more(']', jsonscan.FaultArray) {
				break
			}
		}
	}
	d.leave()
	return list.end(d.dry, base)
}

// An items is a list of scalars or raw values, seen by walkList.
type items interface {
	// same reports whether the value in the text, at e.i and ending at end,
	// means element n.
	same(e *Encoder, n, end int) bool
	// write writes element n.
	write(e *Encoder, n int)
}

type stringList[E ~string] struct{ list []E }

func (l stringList[E]) same(e *Encoder, n, end int) bool {
	return e.text[e.i] == '"' && e.means(e.text[e.i:end], string(l.list[n]))
}

func (l stringList[E]) write(e *Encoder, n int) {
	e.quote(string(l.list[n]))
}

type rawList[V ~[]byte] struct{ list []V }

func (l rawList[V]) same(e *Encoder, n, end int) bool {
	return bytes.Equal(e.text[e.i:end], l.list[n])
}

func (l rawList[V]) write(e *Encoder, n int) { e.raw(l.list[n]) }

func writeList[L items](e *Encoder, n int, l L) {
	e.at.push()
	e.out = append(e.out, '[')
	for i := range n {
		e.at.element(i)
		if i > 0 {
			e.out = append(e.out, ',')
		}
		l.write(e, i)
	}
	e.out = append(e.out, ']')
	e.at.pop()
}

// walkList encodes a list of n elements against the array at i.
func walkList[L items](e *Encoder, n int, l L) {
	if e.text[e.i] != '[' {
		e.replace(func() { writeList(e, n, l) })
		return
	}
	here := e.i
	if sameList(e, n, l) {
		return
	}
	e.i = here
	spans := e.elements()
	e.i = here
	// What the beginnings and the ends have in common stays.
	head, tail := 0, 0
	for head < len(spans) && head < n && sameAt(e, spans[head], l, head) {
		head++
	}
	for tail < len(spans)-head && tail < n-head && sameAt(e, spans[len(spans)-1-tail], l, n-1-tail) {
		tail++
	}
	e.i = here
	e.at.push()
	var s separator
	e.beginItems(&s)
	more := e.peek() != ']'
	inserted := n - len(spans) // to be inserted, if positive
	for k, item := range spans {
		switch {
		case k < head || k >= len(spans)-tail:
			if k == len(spans)-tail {
				insertItems(e, &s, l, n-tail-max(inserted, 0), n-tail, e.i)
				inserted = 0
			}
			e.survive(&s, e.i)
			e.i = item.end
		case k < n-tail:
			e.at.element(k)
			e.survive(&s, e.i)
			if l.same(e, k, item.end) {
				e.i = item.end
				break
			}
			e.flush(e.i)
			l.write(e, k)
			e.replaced(item.end)
		default:
			e.i = item.end
			e.drop(&s, e.i)
		}
		more = e.after(&s, ']')
	}
	if !more && inserted > 0 {
		insertItems(e, &s, l, n-tail-inserted, n-tail, -1)
	}
	e.endItems(&s, ']')
	e.at.pop()
}

func insertItems[L items](e *Encoder, s *separator, l L, from, to, next int) {
	for k := from; k < to; k++ {
		e.at.element(k)
		e.insert(s, next)
		l.write(e, k)
	}
}

// sameList reports whether the array at i means the list, in which case it
// moves behind it.
func sameList[L items](e *Encoder, n int, l L) bool {
	if !e.opened(']') {
		return n == 0
	}
	for k := 0; ; k++ {
		end := e.end()
		if k >= n || !l.same(e, k, end) {
			return false
		}
		e.i = end
		if !e.more(']', jsonscan.FaultArray) {
			return k == n-1
		}
	}
}

func sameAt[L items](e *Encoder, s span, l L, n int) bool {
	e.i = s.start
	return l.same(e, n, s.end)
}

// elements returns the spans of the elements of the array at i.
func (e *Encoder) elements() (spans []span) {
	if !e.opened(']') {
		return nil
	}
	for {
		start := e.i
		e.skip()
		spans = append(spans, span{start, e.i})
		if !e.more(']', jsonscan.FaultArray) {
			return spans
		}
	}
}
