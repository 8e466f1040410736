// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Slice returns the kind of fields of type []P, with pointers to objects of type t: zero is
// nil.
//
//go:noinline
func Slice[P any](t Type) Field {
	var null P
	return &sliceField{
		t: t,
		get: func(p any, into []any) []any {
			for _, v := range *p.(*[]P) {
				if v := any(v); v != any(null) {
					into = append(into, v)
				} else {
					into = append(into, nil)
				}
			}
			return into
		},
		set: func(d *Decoder, p any, objects []any) {
			list := listOf[P](d, len(objects))
			for i := range list {
				list[i] = objects[i].(P)
			}
			*p.(*[]P) = list
		},
		clear: func(p any) { *p.(*[]P) = nil },
		isNil: func(p any) bool { return *p.(*[]P) == nil },
	}
}

type sliceField struct {
	t     Type
	get   func(p any, into []any) []any // appends the objects
	set   func(d *Decoder, p any, objects []any)
	clear func(p any)
	isNil func(p any) bool
}

// objects returns the objects of the field, which are valid until they are given to
// [Encoder.done], and the place of the first.
func (f *sliceField) objects(e *Encoder, p any) (list []any, base int) {
	base = len(e.lists)
	e.lists = f.get(p, e.lists)
	return e.lists[base:len(e.lists):len(e.lists)], base
}

// done takes the objects of the last list, which begin at base.
func (e *Encoder) done(list []any, base int) {
	clear(list)
	e.lists = e.lists[:base]
}

func (f *sliceField) decode(d *Decoder, p any) {
	d.again = false
	if d.peek() != '[' {
		d.mismatch("an array")
		f.clear(p)
		return
	}
	start, problems := d.i, len(d.problems)
	d.enter()
	objects := d.heap.slab(f.t.memory())
	list := &d.heap.objects
	base := beginList(list, d.heap.texts)
	bad := false
	if d.opened(']') {
		for {
			v := objects.object(d)
			bad = !d.element(f.t, v) || bad
			if !d.dry {
				push(list, v)
			}
			if !d.more(']', jsonscan.FaultArray) {
				break
			}
		}
	}
	d.leave()
	if bad {
		d.spoiled(start, problems)
		f.clear(p)
	} else {
		f.set(d, p, list.items[base:])
	}
	dropList(list, base)
}

func (f *sliceField) edit(e *Encoder, p any, _ bool) (goes bool) {
	if f.isNil(p) {
		return e.cleared('[', f.t.opening())
	}
	list, base := f.objects(e, p)
	walkSlice(e, list, f.t)
	e.done(list, base)
	return false
}

func (f *sliceField) goes(e *Encoder, p any, _ bool) bool {
	return f.isNil(p) && e.cleared('[', f.t.opening())
}

func (f *sliceField) isZero(p any) bool { return f.isNil(p) }

func (f *sliceField) write(e *Encoder, p any) {
	list, base := f.objects(e, p)
	writeSlice(e, list, f.t)
	e.done(list, base)
}

func writeSlice(e *Encoder, list []any, t Type) {
	e.enter()
	e.at.push()
	e.out = append(e.out, '[')
	for i, v := range list {
		e.at.element(i)
		if v == nil {
			fail(e.i, errNil)
		}
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.put(t, v)
	}
	e.out = append(e.out, ']')
	e.at.pop()
	e.leave()
}

func (f *sliceField) skip(e *Encoder, p any) {
	if e.peek() != '[' {
		e.skip()
		return
	}
	if !e.opened(']') {
		return
	}
	list, base := f.objects(e, p)
	for i := 0; ; i++ {
		if i < len(list) && list[i] != nil {
			e.skipObject(f.t, list[i])
		} else {
			e.skip()
		}
		if !e.more(']', jsonscan.FaultArray) {
			break
		}
	}
	e.done(list, base)
}

func (f *sliceField) describe(p *description) *shape {
	return &shape{demand: aList, of: f.t.describe(p), bytes: f.t.memory().bytes}
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

// walkSlice encodes list against the array at i. A cursor in the text and an
// index into the list move forward together: an element that is at the
// cursor is walked in place; if it is later in the array, the elements up
// to it go; any other element is new here. It takes the place of the one at the
// cursor if the list has no more use for that, and is inserted otherwise.
func walkSlice(e *Encoder, list []any, t Type) {
	if e.text[e.i] != '[' {
		e.replace(func() { writeSlice(e, list, t) })
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
func elementStarts(e *Encoder, list []any, t Type) []int {
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
