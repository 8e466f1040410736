// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
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
	lists := slabOf[*T](x)
	list := lists.begin()
	bad := false
	x.i++
	x.space()
	if x.peek() == ']' {
		x.i++
	} else {
		for {
			v := newObject[T](x)
			bad = !decodeElement(x, v, fields) || bad
			list = append(list, v)
			if !x.more(']', jsonscan.FaultArray) {
				break
			}
		}
	}
	x.leave()
	if bad {
		x.spoiled(start, problems)
		return nil
	}
	return lists.end(list)
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
// index into the list move forward together: an element that stands at the
// cursor is walked in place; if it stands later in the array, the elements up
// to it go; any other element is new here and inserted.
func walkSlice[T any](x *Codec, list []*T, fields func(*T, *Codec)) {
	if x.text[x.i] != '[' {
		x.replace(func() { writeSlice(x, list, fields) })
		return
	}
	x.push()
	var s separator
	x.beginItems(&s)
	more := x.peek() != ']'
	var starts []int // of the elements in the text, once they are needed
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

// elementStarts returns the offsets of the elements from i on of the array
// that is being walked, in order. The ends of elements that are in list are
// known, so that their texts need not be scanned.
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
	lists := slabOf[E](x)
	list := lists.begin()
	if x.peek() == ']' {
		x.i++
	} else {
		for {
			if x.peek() != '"' {
				if x.peek() == 'n' && !x.lenient {
					x.fail(x.i, errNull)
				}
				if x.peek() == 'n' {
					x.problems = append(x.problems, Problem{x.i, errNull})
				}
				x.mismatch("a string")
				list = append(list, "")
			} else {
				list = append(list, E(x.stringValue()))
			}
			if !x.more(']', jsonscan.FaultArray) {
				break
			}
		}
	}
	x.leave()
	list = lists.end(list)
	if len(x.problems) > problems {
		x.spoiled(start, problems)
		return nil
	}
	return list
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
	lists := slabOf[V](x)
	list := lists.begin()
	if x.peek() == ']' {
		x.i++
	} else {
		for {
			list = append(list, V(x.token()))
			if !x.more(']', jsonscan.FaultArray) {
				break
			}
		}
	}
	x.leave()
	return lists.end(list)
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
