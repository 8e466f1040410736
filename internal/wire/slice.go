// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Slice returns the field of an array of objects of type t: zero is nil.
func Slice[T any](of func(any) *[]*T, t Type) Field { return &sliceField[T]{of, t} }

type sliceField[T any] struct {
	of func(any) *[]*T
	t  Type
}

func (f *sliceField[T]) decode(d *Decoder, o any) {
	p := f.of(o)
	d.again = false
	*p = decodeSlice[T](d, f.t)
}

func (f *sliceField[T]) edit(e *Encoder, o any, _ bool) (goes bool) {
	list := *f.of(o)
	if list == nil {
		return e.cleared('[', f.t.opening())
	}
	walkSlice(e, list, f.t)
	return false
}

func (f *sliceField[T]) goes(e *Encoder, o any, _ bool) bool {
	return *f.of(o) == nil && e.cleared('[', f.t.opening())
}

func (f *sliceField[T]) isZero(o any) bool { return *f.of(o) == nil }

func (f *sliceField[T]) write(e *Encoder, o any) {
	e.enter()
	e.at.push()
	e.out = append(e.out, '[')
	for i, v := range *f.of(o) {
		e.at.element(i)
		if v == nil {
			fail(e.i, errNil)
		}
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.put(f.t, v)
	}
	e.out = append(e.out, ']')
	e.at.pop()
	e.leave()
}

func (f *sliceField[T]) skip(e *Encoder, o any) {
	list := *f.of(o)
	if e.peek() != '[' {
		e.skip()
		return
	}
	if !e.opened(']') {
		return
	}
	for {
		if len(list) > 0 && list[0] != nil {
			e.skipObject(f.t, list[0])
		} else {
			e.skip()
		}
		list = list[min(1, len(list)):]
		if !e.more(']', jsonscan.FaultArray) {
			return
		}
	}
}

func (f *sliceField[T]) describe(p *description) *shape {
	return &shape{demand: aList, of: f.t.describe(p), bytes: sizeOf[T]()}
}

// cleared moves behind the value at i of a field that is a nil array or map, and reports
// whether it has been cleared. The value should begin with opening and each of its
// elements with element, or with anything if that is 0: a lenient decoding leaves the
// field of another value nil, so it has not been cleared then.
func (e *Encoder) cleared(opening, element byte) bool {
	goes := e.text[e.i] == opening && (element == 0 || !e.odd(element))
	e.skip()
	return goes
}

// odd reports whether the array or object at i has an element that begins
// otherwise than with want.
func (e *Encoder) odd(want byte) bool {
	here, closing := e.i, e.text[e.i]+2 // '[' and ']', '{' and '}' are two apart
	defer func() { e.i = here }()
	if !e.opened(closing) {
		return false
	}
	for {
		if closing == '}' {
			e.anyName()
		}
		if e.peek() != want {
			return true
		}
		e.skip()
		if !e.more(closing, jsonscan.FaultValue) {
			return false
		}
	}
}

func decodeSlice[T any](d *Decoder, t Type) []*T {
	if d.peek() != '[' {
		d.mismatch("an array")
		return nil
	}
	start, problems := d.i, len(d.problems)
	d.enter()
	objects := slabOf[T](&d.heap)
	list := &objects.refs
	base := list.begin(d.heap.texts)
	bad := false
	if d.opened(']') {
		for {
			v := objects.object(d)
			bad = !d.element(t, v) || bad
			list.push(v)
			if !d.more(']', jsonscan.FaultArray) {
				break
			}
		}
	}
	d.leave()
	if bad {
		d.spoiled(start, problems)
		list.drop(base)
		return nil
	}
	return list.end(d.dry, base)
}

// walkSlice encodes list against the array at i. A cursor in the text and an
// index into the list move forward together: an element that is at the
// cursor is walked in place; if it is later in the array, the elements up
// to it go; any other element is new here. It takes the place of the one at the
// cursor if the list has no more use for that, and is inserted otherwise.
func walkSlice[T any](e *Encoder, list []*T, t Type) {
	if e.text[e.i] != '[' {
		e.replace(func() { (&sliceField[T]{func(any) *[]*T { return &list }, t}).write(e, nil) })
		return
	}
	e.at.push()
	var s separator
	e.beginItems(&s)
	more := e.peek() != ']'
	var starts []int            // of the elements in the text, once they are needed
	var wanted map[int]struct{} // the places at which elements of the list stand, likewise
	known := false
	for n := 0; n < len(list); {
		v := list[n]
		e.at.element(n)
		if v == nil {
			fail(e.i, errNil)
		}
		src := t.source(v)
		if more && src.doc == e.doc {
			if int(src.start) == e.i {
				e.survive(&s, e.i)
				t.edit(e, v)
				more = e.after(&s, ']')
				n++
				continue
			}
			if int(src.start) > e.i {
				if !known {
					starts, known = elementStarts(e, list, t), true
				}
				if _, found := slices.BinarySearch(starts, int(src.start)); found {
					e.skip()
					e.drop(&s, e.i)
					more = e.after(&s, ']')
					continue
				}
			}
		}
		if more && wanted == nil {
			wanted = e.places(len(list)-n, func(i int) *Source {
				if list[n+i] == nil {
					return nil // found when its turn comes
				}
				return t.source(list[n+i])
			})
		}
		if _, keep := wanted[e.i]; more && !keep {
			e.survive(&s, e.i)
			end := e.end()
			e.flush(e.i)
			e.put(t, v)
			e.replaced(end)
			more = e.after(&s, ']')
			n++
			continue
		}
		next := -1
		if more {
			next = e.i
		}
		e.insert(&s, next)
		e.put(t, v)
		n++
	}
	for more {
		e.skip()
		e.drop(&s, e.i)
		more = e.after(&s, ']')
	}
	e.endItems(&s, ']')
	e.at.pop()
}

// places returns the offsets in the present text of those of n objects that
// were read from it.
func (e *Encoder) places(n int, source func(i int) *Source) map[int]struct{} {
	m := make(map[int]struct{}, n)
	for i := range n {
		if src := source(i); src != nil && src.doc == e.doc {
			m[int(src.start)] = struct{}{}
		}
	}
	return m
}

// elementStarts returns the offsets of the elements from i on of the array
// that is being walked, in order. The ends of elements that are in list are
// known; their texts need not be scanned.
func elementStarts[T any](e *Encoder, list []*T, t Type) []int {
	here := e.i
	ends := make(map[int]int, len(list))
	for _, v := range list {
		if v != nil {
			if src := t.source(v); src.doc == e.doc {
				ends[int(src.start)] = int(src.end)
			}
		}
	}
	var starts []int
	for {
		starts = append(starts, e.i)
		if end, ok := ends[e.i]; ok {
			e.i = end
		} else {
			e.skip()
		}
		if !e.more(']', jsonscan.FaultArray) {
			break
		}
	}
	e.i = here
	return starts
}
