// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Slice is the operation of a field that is an array of objects: zero is nil.
func Slice[T any](x *Codec, p *[]*T, fields func(*T, *Codec)) { slice(x, p, fields, '{') }

// UnionSlice is Slice for objects whose type uses [Codec.Union].
func UnionSlice[T any](x *Codec, p *[]*T, fields func(*T, *Codec)) { slice(x, p, fields, 0) }

func slice[T any](x *Codec, p *[]*T, fields func(*T, *Codec), element byte) {
	switch x.mode {
	case decoding:
		x.again = false
		*p = decodeSlice(x, fields)
	case walking, judging:
		if x.container(*p == nil, '[', element) {
			walkSlice(x, *p, fields)
		}
	case writing:
		writeSlice(x, *p, fields)
	case probing:
		x.zero = *p == nil
	case skipping:
		skipSlice(x, *p, fields)
	case describing:
		describe(x, aList, fields)
	}
}

// container deals with a field that is an array or map, in the modes walking
// and judging, as far as that is possible without looking into it. It reports
// whether the field is to be walked against the value at i. The value should
// begin with opening and each of its elements with element, or with anything
// if that is 0.
func (x *Codec) container(isNil bool, opening, element byte) bool {
	if isNil {
		end := x.end()
		same := x.text[x.i] != opening || element != 0 && x.odd(element)
		x.settle(end, same, true)
		return false
	}
	if x.mode == judging {
		x.cleared = false
		return false
	}
	return true
}

// odd reports whether the array or object at i has an element that begins
// otherwise than with want. A lenient decoding leaves the field of such a
// value nil, so it has not been cleared.
func (x *Codec) odd(want byte) bool {
	here, closing := x.i, x.text[x.i]+2 // '[' and ']', '{' and '}' are two apart
	defer func() { x.i = here }()
	x.i++
	x.space()
	if x.peek() == closing {
		return false
	}
	for {
		if closing == '}' {
			x.anyName()
		}
		if x.peek() != want {
			return true
		}
		x.skip()
		if !x.more(closing, jsonscan.FaultValue) {
			return false
		}
	}
}

// replace writes a new value for the one at i, which is not even of the
// field's kind.
func (x *Codec) replace(write func()) {
	end := x.end()
	x.flush(x.i)
	x.mode = writing
	at := x.beginFresh()
	write()
	x.endFresh(at)
	x.mode = walking
	x.replaced(end)
}

func decodeSlice[T any](x *Codec, fields func(*T, *Codec)) []*T {
	if x.peek() != '[' {
		x.mismatch("an array")
		return nil
	}
	start, problems := x.i, len(x.problems)
	x.enter()
	objects := slabOf[T](x)
	list := &objects.refs
	base := list.begin(x)
	bad := false
	x.i++
	x.space()
	if x.peek() == ']' {
		x.i++
	} else {
		for {
			v := objects.object(x)
			bad = !decodeElement(x, v, fields) || bad
			list.push(v)
			if !x.more(']', jsonscan.FaultArray) {
				break
			}
		}
	}
	x.leave()
	if bad {
		x.spoiled(start, problems)
		list.drop(base)
		return nil
	}
	return list.end(x, base)
}

// decodeElement decodes an element of an array or map of objects, and reports
// false if it is of another kind, which only a lenient decoding survives.
func decodeElement[T any](x *Codec, v *T, fields func(*T, *Codec)) bool {
	if x.peek() == 'n' {
		if !x.lenient {
			x.fail(x.i, errNull)
		}
		x.problems = append(x.problems, Problem{x.i, errNull})
		x.skip()
		return false
	}
	x.again = false
	fields(v, x)
	return !x.lenient || locate(x, v, fields).doc != nil
}

// spoiled says that the array or map at start has an element of the wrong
// kind, which makes all of it another kind of value. Of the problems that were
// noted from number first on, the first is kept.
func (x *Codec) spoiled(start, first int) {
	x.problems = append(x.problems[:first], Problem{start, x.problems[first].Err})
}

func writeSlice[T any](x *Codec, list []*T, fields func(*T, *Codec)) {
	x.enter()
	x.push()
	x.out = append(x.out, '[')
	for i, v := range list {
		x.element(i)
		if v == nil {
			x.fail(x.i, errNil)
		}
		if i > 0 {
			x.out = append(x.out, ',')
		}
		put(x, v, fields)
	}
	x.out = append(x.out, ']')
	x.pop()
	x.leave()
}

func skipSlice[T any](x *Codec, list []*T, fields func(*T, *Codec)) {
	if x.peek() != '[' {
		x.skip()
		return
	}
	x.i++
	x.space()
	if x.peek() == ']' {
		x.i++
		return
	}
	for {
		var v *T
		if len(list) > 0 {
			v, list = list[0], list[1:]
		}
		skipTo(x, v, fields)
		if !x.more(']', jsonscan.FaultArray) {
			return
		}
	}
}

// walkSlice encodes list against the array at i. A cursor in the text and an
// index into the list move forward together: an element that is at the
// cursor is walked in place; if it is later in the array, the elements up
// to it go; any other element is new here. It takes the place of the one at the
// cursor if the list has no more use for that, and is inserted otherwise.
func walkSlice[T any](x *Codec, list []*T, fields func(*T, *Codec)) {
	if x.text[x.i] != '[' {
		x.replace(func() { writeSlice(x, list, fields) })
		return
	}
	x.push()
	var s separator
	x.beginItems(&s)
	more := x.peek() != ']'
	var starts []int            // of the elements in the text, once they are needed
	var wanted map[int]struct{} // the places at which elements of the list stand, likewise
	known := false
	for n := 0; n < len(list); {
		v := list[n]
		x.element(n)
		if v == nil {
			x.fail(x.i, errNil)
		}
		src := locate(x, v, fields)
		if more && src.doc == x.doc {
			if int(src.start) == x.i {
				x.survive(&s, x.i)
				fields(v, x)
				more = x.after(&s, ']')
				n++
				continue
			}
			if int(src.start) > x.i {
				if !known {
					starts, known = elementStarts(x, list, fields), true
				}
				if _, found := slices.BinarySearch(starts, int(src.start)); found {
					x.skip()
					x.drop(&s, x.i)
					more = x.after(&s, ']')
					continue
				}
			}
		}
		if more && wanted == nil {
			wanted = x.places(len(list)-n, func(i int) *Source {
				if list[n+i] == nil {
					return nil // found when its turn comes
				}
				return locate(x, list[n+i], fields)
			})
		}
		if _, keep := wanted[x.i]; more && !keep {
			x.survive(&s, x.i)
			end := x.end()
			x.flush(x.i)
			put(x, v, fields)
			x.replaced(end)
			more = x.after(&s, ']')
			n++
			continue
		}
		next := -1
		if more {
			next = x.i
		}
		x.insert(&s, next)
		put(x, v, fields)
		n++
	}
	for more {
		x.skip()
		x.drop(&s, x.i)
		more = x.after(&s, ']')
	}
	x.endItems(&s, ']')
	x.pop()
}

// places returns the offsets in the present text of those of n objects that
// were read from it.
func (x *Codec) places(n int, source func(i int) *Source) map[int]struct{} {
	m := make(map[int]struct{}, n)
	for i := range n {
		if src := source(i); src != nil && src.doc == x.doc {
			m[int(src.start)] = struct{}{}
		}
	}
	return m
}

// elementStarts returns the offsets of the elements from i on of the array
// that is being walked, in order. The ends of elements that are in list are
// known; their texts need not be scanned.
func elementStarts[T any](x *Codec, list []*T, fields func(*T, *Codec)) []int {
	here := x.i
	ends := make(map[int]int, len(list))
	for _, v := range list {
		if v != nil {
			if src := locate(x, v, fields); src.doc == x.doc {
				ends[int(src.start)] = int(src.end)
			}
		}
	}
	var starts []int
	for {
		starts = append(starts, x.i)
		if end, ok := ends[x.i]; ok {
			x.i = end
		} else {
			x.skip()
		}
		if !x.more(']', jsonscan.FaultArray) {
			break
		}
	}
	x.i = here
	return starts
}
