// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"reflect"
	"slices"
)

// A heap hands out the memory for what a decoder reads, many objects to one
// allocation.
type heap struct {
	docs     []document // not used yet
	docsSize int        // of the next ones
	pools    []any      // a *slab[T] or *lists[T] for each type T
	taken    uint64     // bytes of memory for the objects of a text
	texts    uint64     // counts the texts
	part     bool       // of another text, in which memory was counted before

	reuse bool
	round uint64   // counts the texts that are read with reuse
	own   document // that of each of them
}

// The largest allocation has so many objects or list elements, and is no larger
// than so many bytes, which are a size of the runtime with its header. An object
// that is kept keeps its slab.
const (
	maxSlab      = 128
	maxSlabBytes = 8<<10 - 8
	// fewBytes is what may be left over without regard to what a text has needed.
	fewBytes = 1 << 10
	// maxDocuments is the number of documents in the largest allocation.
	maxDocuments = 32
)

// begin prepares the heap for a text.
func (h *heap) begin() {
	h.taken = 0
	h.texts++
}

// document prepares the heap for a text, and returns the document that it is.
func (h *heap) document(text []byte) *document {
	h.begin()
	d := &h.own
	if !h.reuse {
		if len(h.docs) == 0 {
			h.docsSize = min(max(2*h.docsSize, 1), maxDocuments)
			h.docs = make([]document, h.docsSize)
		}
		d = &h.docs[0]
		h.docs = h.docs[1:]
	}
	d.text = text
	return d
}

// forget gives up memory that was not handed out, and memory that is reused.
func (h *heap) forget() {
	h.docs, h.docsSize, h.own = nil, 0, document{}
	for _, p := range h.pools {
		p.(interface{ forget() }).forget()
	}
}

// A slab hands out objects of one type, many to one allocation, and what holds
// them.
type slab[T any] struct {
	objects []T // not handed out
	size    int // of the last slab of objects
	made    int // objects in all of them
	bytes   int // of an object

	refs    lists[*T]       // fields that are lists of objects
	entries lists[entry[T]] // the entries of maps that are being read

	given *T // the object of a dry run

	all   []*T   // the objects that are reused
	used  int    // how many of them are in use
	round uint64 // the heap's when they were handed out
}

// An entry is one of a map that is being read.
type entry[T any] struct {
	name  string
	value *T
}

// A lists hands out lists of one type, many to one allocation.
type lists[E any] struct {
	room  []E    // not handed out
	size  int    // of the last room
	made  int    // elements in all of them
	bytes int    // of an element
	stack []E    // the elements of lists that are being read
	text  uint64 // the heap's when they were
}

// nearby is how many pools are searched before one that is asked for moves to
// the front.
const nearby = 4

// slabOf returns the heap's slab for a type.
func slabOf[T any](h *heap) *slab[T] {
	for i, p := range h.pools {
		if s, ok := p.(*slab[T]); ok {
			h.moved(i)
			return s
		}
	}
	s := &slab[T]{bytes: sizeOf[T]()}
	s.refs.bytes, s.entries.bytes = sizeOf[*T](), sizeOf[entry[T]]()
	h.pools = append(h.pools, s)
	return s
}

// listsOf returns the heap's lists for a type.
func listsOf[E any](h *heap) *lists[E] {
	for i, p := range h.pools {
		if l, ok := p.(*lists[E]); ok {
			h.moved(i)
			return l
		}
	}
	l := &lists[E]{bytes: sizeOf[E]()}
	h.pools = append(h.pools, l)
	return l
}

// moved says that pool i was asked for. Those that are asked for often come to
// the front.
func (h *heap) moved(i int) {
	if i >= nearby {
		h.pools[i], h.pools[i/2] = h.pools[i/2], h.pools[i]
	}
}

func sizeOf[T any]() int { return int(reflect.TypeFor[T]().Size()) }

// grown returns the number of elements in the next allocation, after one of last and all
// of them of made: twice the last one, but at most most, and not more than few that is
// many in comparison to those before, as some may be left over.
func grown(last, made, few, most int) int {
	return max(1, min(2*last, most, max(made/4, few)))
}

// most returns the number of elements of this size in the largest allocation.
func most(bytes int) int { return max(1, min(maxSlab, maxSlabBytes/max(1, bytes))) }

// few returns how many elements of this size may be left over.
func few(bytes int) int { return max(1, fewBytes/max(1, bytes)) }

// newObject returns a zero object.
func newObject[T any](d *Decoder) *T { return slabOf[T](&d.heap).object(d) }

func (s *slab[T]) object(d *Decoder) *T {
	switch {
	case d.heap.reuse:
		return s.again(d.heap.round)
	case d.dry:
		return s.blank(d)
	case len(s.objects) == 0:
		s.size = grown(s.size, s.made, few(s.bytes), most(s.bytes))
		s.made += s.size
		if !d.heap.part {
			d.take(s.size * s.bytes)
		}
		s.objects = make([]T, s.size)
	}
	v := &s.objects[0]
	s.objects = s.objects[1:]
	return v
}

// again returns an object that was handed out in an earlier round.
func (s *slab[T]) again(round uint64) *T {
	if s.round != round {
		s.round, s.used = round, 0
	}
	if s.used == len(s.all) {
		s.all = append(s.all, new(T))
	}
	v := s.all[s.used]
	s.used++
	*v = *new(T)
	return v
}

// blank returns an object that is given up at once, and counts it as one that is
// kept.
func (s *slab[T]) blank(d *Decoder) *T {
	d.take(s.bytes)
	if s.given == nil {
		s.given = new(T)
	}
	return s.given
}

// Objects may take this many bytes of memory, and this many more for each byte
// of text. A text of nothing but empty objects, which no tool writes, would
// take some hundred.
const (
	minBudget  = 4 << 20
	textBudget = 16
)

// take counts bytes of memory for objects.
func (d *Decoder) take(n int) {
	if d.heap.taken += uint64(n); !d.within(0) {
		fail(d.i, errDense)
	}
}

// within reports whether so many bytes more may be taken.
func (d *Decoder) within(n int) bool {
	return d.heap.taken+uint64(n) <= minBudget+textBudget*uint64(len(d.text))
}

// forget gives up memory that was not handed out, and memory that is reused.
func (s *slab[T]) forget() {
	s.objects, s.size, s.made = nil, 0, 0
	if s.given != nil {
		*s.given = *new(T)
	}
	s.all, s.used, s.round = nil, 0, 0
	s.refs.forget()
	s.entries.empty()
}

func (l *lists[E]) forget() {
	l.room, l.size, l.made = nil, 0, 0
	l.empty()
}

// empty empties the stack.
func (l *lists[E]) empty() {
	if len(l.stack) > 0 { // of a text that was given up
		clear(l.stack)
		l.stack = l.stack[:0]
	}
	if cap(l.stack)*l.bytes > maxSlabBytes {
		l.stack = nil
	}
}

// begin begins a list, which end returns. Until then its elements are put on a
// stack, so that lists within the list come in between.
func (l *lists[E]) begin(texts uint64) (base int) {
	if l.text != texts {
		clear(l.stack) // of a text that was given up
		l.text, l.stack = texts, l.stack[:0]
	}
	return len(l.stack)
}

// push puts v on the stack, which doubles when it is full: append alone would allocate
// five times what a long list needs.
func (l *lists[E]) push(v E) {
	if len(l.stack) == cap(l.stack) && len(l.stack) >= 256 {
		l.stack = slices.Grow(l.stack, len(l.stack))
	}
	l.stack = append(l.stack, v)
}

// end returns the list that was begun at base, with a capacity that ends with
// its length: an append to it must not reach the next list. The list of a dry run is
// empty.
func (l *lists[E]) end(dry bool, base int) []E {
	list := l.stack[base:]
	n := len(list)
	if n == 0 || dry {
		l.drop(base)
		return []E{}
	}
	if n > len(l.room) {
		if n > l.size/2 && n > 8 {
			made := make([]E, n)
			copy(made, list)
			l.drop(base)
			return made
		}
		l.size = grown(l.size, l.made, few(l.bytes), most(l.bytes))
		l.made += l.size
		l.room = make([]E, max(n, l.size))
	}
	made := l.room[:n:n]
	l.room = l.room[n:]
	copy(made, list)
	l.drop(base)
	return made
}

// drop takes the list that was begun at base from the stack.
func (l *lists[E]) drop(base int) {
	clear(l.stack[base:])
	l.stack = l.stack[:base]
}
