// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A texts is a field that is a list of strings, of any type. Nil ones are zero. It is a
// pointer to the field.
type texts interface {
	items
	isNil() bool
}

// A stringsOf is a list of strings of one type.
type stringsOf[E ~string] []E

func (l *stringsOf[E]) isNil() bool             { return *l == nil }
func (l *stringsOf[E]) len() int                { return len(*l) }
func (l *stringsOf[E]) write(e *Encoder, n int) { e.quote(string((*l)[n])) }

func (l *stringsOf[E]) same(e *Encoder, n, end int) bool {
	return e.text[e.i] == '"' && e.means(e.text[e.i:end], string((*l)[n]))
}

// A stringsField is a list of strings: zero is nil. An edit rewrites only the elements
// between the common beginning and the common end of the old and the new list.
type stringsField struct {
	scalar
	as    func(p any) texts
	set   func(d *Decoder, p any, items []string) // nil for []string
	clear func(p any)
}

var plainStrings = stringsField{as: func(p any) texts { return (*stringsOf[string])(p.(*[]string)) }}

// StringsOf returns the kind of fields of type []E: that of []string with a name for the
// strings.
//
//go:noinline
func StringsOf[E ~string]() Field {
	return stringsField{
		as: func(p any) texts { return (*stringsOf[E])(p.(*[]E)) },
		set: func(d *Decoder, p any, items []string) {
			list := listOf[E](d, len(items))
			for i := range list {
				list[i] = E(items[i])
			}
			*p.(*[]E) = list
		},
		clear: func(p any) { *p.(*[]E) = nil },
	}
}

func (f stringsField) decode(d *Decoder, p any) {
	list := &d.heap.strings
	base := beginList(list, d.heap.texts)
	if f.set != nil {
		if _, ok := d.stringItems(nil); ok {
			f.set(d, p, list.items[base:])
		} else {
			f.clear(p)
		}
		dropList(list, base)
		return
	}
	// Strings need no stack as long as there is room for them where they are going to
	// stay.
	v, room := p.(*[]string), d.heap.lines.left
	n, ok := d.stringItems(room)
	switch items := list.items[base:]; {
	case !ok:
		*v = nil
	case n > 0:
		*v, d.heap.lines.left = room[:n:n], room[n:]
	case len(items) == 0:
		*v = []string{}
	default:
		*v = taken(&d.heap.lines, len(items))
		copy(*v, items)
	}
	dropList(list, base)
}

func (f stringsField) edit(e *Encoder, p any, _ bool) (goes bool) {
	list := f.as(p)
	if list.isNil() {
		return e.cleared('[', '"')
	}
	walkList(e, list)
	return false
}

func (f stringsField) goes(e *Encoder, p any, _ bool) bool {
	return f.as(p).isNil() && e.cleared('[', '"')
}

func (f stringsField) write(e *Encoder, p any)        { writeList(e, f.as(p)) }
func (f stringsField) isZero(p any) bool              { return f.as(p).isNil() }
func (f stringsField) describe(_ *description) *shape { return shapeStrings }

// stringItems reads an array of strings. The first n elements go into room; if there are
// more than it holds, n is 0 and all of them go onto the stack. It reports false for a
// value of another kind.
func (d *Decoder) stringItems(room []string) (n int, ok bool) {
	list := &d.heap.strings
	if d.peek() != '[' {
		d.mismatch("an array of strings")
		return 0, false
	}
	start, problems := d.i, len(d.problems)
	d.enter()
	if d.opened(']') {
		var last string
		for {
			if n == len(room) && n > 0 {
				for _, s := range room {
					push(list, s)
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
				room[n] = last
				n++
			default:
				push(list, last)
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
		return 0, false
	}
	return n, true
}

// A rawsField is a list of raw values, of any type: zero is nil. It is edited like a list
// of strings.
type rawsField struct {
	scalar
	get   func(p any, into [][]byte) [][]byte // nil if the list is
	set   func(p any, items [][]byte)
	clear func(p any)
}

// RawsOf returns the kind of fields of type []V.
//
//go:noinline
func RawsOf[V ~[]byte]() Field {
	return rawsField{
		get: func(p any, into [][]byte) [][]byte {
			list := *p.(*[]V)
			if list == nil {
				return nil
			}
			for _, v := range list {
				into = append(into, v)
			}
			return into
		},
		set: func(p any, items [][]byte) {
			list := make([]V, 0, len(items))
			for _, v := range items {
				list = append(list, v)
			}
			*p.(*[]V) = list
		},
		clear: func(p any) { *p.(*[]V) = nil },
	}
}

func (f rawsField) decode(d *Decoder, p any) {
	if d.peek() != '[' {
		d.mismatch("an array")
		f.clear(p)
		return
	}
	d.enter()
	list := &d.heap.raws
	base := beginList(list, d.heap.texts)
	if d.opened(']') {
		for {
			push(list, d.token())
			if !d.more(']', jsonscan.FaultArray) {
				break
			}
		}
	}
	d.leave()
	f.set(p, list.items[base:])
	dropList(list, base)
}

func (f rawsField) list(p any) rawItems { return f.get(p, make([][]byte, 0, 8)) }

func (f rawsField) edit(e *Encoder, p any, _ bool) (goes bool) {
	list := f.list(p)
	if list == nil {
		return e.cleared('[', 0)
	}
	walkList(e, list)
	return false
}

func (f rawsField) goes(e *Encoder, p any, _ bool) bool {
	return f.isZero(p) && e.cleared('[', 0)
}

func (f rawsField) write(e *Encoder, p any)        { writeList(e, f.list(p)) }
func (f rawsField) isZero(p any) bool              { return f.get(p, [][]byte{}) == nil }
func (f rawsField) describe(_ *description) *shape { return shapeUnknown }

// An items is a list of scalars or raw values, seen by walkList.
type items interface {
	len() int
	// same reports whether the value in the text, at e.i and ending at end,
	// means element n.
	same(e *Encoder, n, end int) bool
	// write writes element n.
	write(e *Encoder, n int)
}

type rawItems [][]byte

func (l rawItems) len() int                { return len(l) }
func (l rawItems) write(e *Encoder, n int) { e.raw(l[n]) }

func (l rawItems) same(e *Encoder, n, end int) bool {
	return bytes.Equal(e.text[e.i:end], l[n])
}

func writeList(e *Encoder, l items) {
	e.at.push()
	e.out = append(e.out, '[')
	for i := range l.len() {
		e.at.element(i)
		if i > 0 {
			e.out = append(e.out, ',')
		}
		l.write(e, i)
	}
	e.out = append(e.out, ']')
	e.at.pop()
}

// walkList encodes a list against the array at i.
func walkList(e *Encoder, l items) {
	if e.text[e.i] != '[' {
		e.replace(func() { writeList(e, l) })
		return
	}
	here, n := e.i, l.len()
	if sameList(e, n, l) {
		return
	}
	e.i = here
	ranges := e.elements()
	e.i = here
	// What the beginnings and the ends have in common stays.
	head, tail := 0, 0
	for head < len(ranges) && head < n && sameAt(e, ranges[head], l, head) {
		head++
	}
	for tail < len(ranges)-head && tail < n-head && sameAt(e, ranges[len(ranges)-1-tail], l, n-1-tail) {
		tail++
	}
	e.i = here
	e.at.push()
	var s separator
	e.beginItems(&s)
	more := e.peek() != ']'
	inserted := n - len(ranges) // to be inserted, if positive
	for k, item := range ranges {
		switch {
		case k < head || k >= len(ranges)-tail:
			if k == len(ranges)-tail {
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

func insertItems(e *Encoder, s *separator, l items, from, to, next int) {
	for k := from; k < to; k++ {
		e.at.element(k)
		e.insert(s, next)
		l.write(e, k)
	}
}

// sameList reports whether the array at i means the list, in which case it
// moves behind it.
func sameList(e *Encoder, n int, l items) bool {
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

func sameAt(e *Encoder, s byteRange, l items, n int) bool {
	e.i = s.start
	return l.same(e, n, s.end)
}

// elements returns the ranges of the elements of the array at i.
func (e *Encoder) elements() (ranges []byteRange) {
	if !e.opened(']') {
		return nil
	}
	for {
		start := e.i
		e.skip()
		ranges = append(ranges, byteRange{start, e.i})
		if !e.more(']', jsonscan.FaultArray) {
			return ranges
		}
	}
}
