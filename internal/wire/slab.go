// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"reflect"
	"slices"
)

// The largest allocation has so many objects or list elements, and is no larger
// than so many bytes, which are a size of the runtime with its header. An object
// that is kept keeps its slab.
const (
	maxSlab      = 128
	maxSlabBytes = 8<<10 - 8
	// fewBytes is what may be left over without regard to what a text has needed.
	fewBytes = 1 << 10
)

// A slab hands out objects of one type, many to one allocation, and what holds
// them.
type slab[T any] struct {
	objects []T  // not handed out
	size    int  // of the last slab of objects
	bytes   int  // of an object
	pace    pace // of the objects

	refs    lists[*T]       // fields that are lists of objects
	entries lists[entry[T]] // the entries of maps that are being read

	given *T // the object of a dry run

	recalled *[recalledSlots]recalled[T] // the last objects that Recalled has read

	all   []*T   // the objects that are reused
	used  int    // how many of them are in use
	round uint64 // the codec's when they were handed out
}

// A lists hands out lists of one type, many to one allocation.
type lists[E any] struct {
	room  []E    // not handed out
	size  int    // of the last room
	bytes int    // of an element
	pace  pace   // of the elements
	stack []E    // the elements of lists that are being read
	text  uint64 // the codec's when they were
}

// nearby is how many pools are searched before one that is asked for moves to
// the front.
const nearby = 4

// slabOf returns the codec's slab for a type.
func slabOf[T any](x *Codec) *slab[T] {
	for i, p := range x.pools {
		if s, ok := p.(*slab[T]); ok {
			x.moved(i)
			return s
		}
	}
	s := &slab[T]{bytes: sizeOf[T]()}
	s.refs.bytes, s.entries.bytes = sizeOf[*T](), sizeOf[entry[T]]()
	x.pools = append(x.pools, s)
	return s
}

// listsOf returns the codec's lists for a type.
func listsOf[E any](x *Codec) *lists[E] {
	for i, p := range x.pools {
		if l, ok := p.(*lists[E]); ok {
			x.moved(i)
			return l
		}
	}
	l := &lists[E]{bytes: sizeOf[E]()}
	x.pools = append(x.pools, l)
	return l
}

// moved says that pool i was asked for. Those that are asked for often come to
// the front.
func (x *Codec) moved(i int) {
	if i >= nearby {
		x.pools[i], x.pools[i/2] = x.pools[i/2], x.pools[i]
	}
}

func sizeOf[T any]() int { return int(reflect.TypeFor[T]().Size()) }

// maxDocuments is the number of documents in the largest allocation.
const maxDocuments = 32

// newDocument returns a new document. A codec that decodes many texts makes
// several at once.
func (x *Codec) newDocument() *document {
	if len(x.docs) == 0 {
		x.docsSize = min(max(2*x.docsSize, 1), maxDocuments)
		x.docs = make([]document, x.docsSize)
	}
	d := &x.docs[0]
	x.docs = x.docs[1:]
	return d
}

// An entry is one of a map that is being read.
type entry[T any] struct {
	name  string
	value *T
}

// A pace is how fast a text asks for objects or elements of which the next allocation
// has several: as many as the rest of the text is going to need, if it goes on
// like that. How much the first one has is known from the texts before.
type pace struct {
	from, made int
	before     [2]need
}

// A need is how many a text of n bytes needed.
type need struct{ number, n int }

// next returns the size of an allocation at offset i of a text of n bytes: twice
// the last one, but at most most, and not more than few that is many in comparison
// to those before, as some may be left over. If n is 0, more texts are going to
// follow.
func (p *pace) next(last, few, most, i, n int) int {
	size := min(2*last, most)
	if n > 0 {
		size = min(size, max(p.made/4, few))
	}
	if last == 0 {
		p.from, p.made, size = i, 0, min(p.expected(n), most)
	} else if read := i - p.from; read > 0 && n > 0 {
		// One more for each eight, as the pace is not even.
		size = min(size, max(1, int(int64(p.made)*int64(n-i)/int64(read))*9/8))
	}
	p.made += size
	return size
}

// expected returns how many a text of n bytes is going to need by what the two texts
// before needed: if they were of another kind, fewer, and at least 1.
func (p *pace) expected(n int) int {
	if p.before[0].n == 0 || p.before[1].n == 0 {
		return 1
	}
	a, b := p.before[0].of(n), p.before[1].of(n)
	if a, b = min(a, b), max(a, b); b > a+a/2+1 {
		a /= 2
	}
	return max(1, a)
}

// of returns how many a text of n bytes needs at the same rate.
func (b need) of(n int) int { return int(int64(b.number) * int64(n) / int64(b.n)) }

// learn notes what a text of n bytes needed: all that was made except rest.
func (p *pace) learn(rest, n int) {
	if p.made == 0 && p.before[0].number == 0 && p.before[0].n > 0 {
		return // still nothing
	}
	p.before[1] = p.before[0]
	p.before[0] = need{p.made - rest, n}
	p.made = 0
}

// only returns the length of the text if it is the only one that the codec has
// read, and read as a whole, and otherwise 0.
func (x *Codec) only() int {
	if x.docsSize > 1 || x.part {
		return 0
	}
	return len(x.text)
}

// newObject returns a zero object.
func newObject[T any](x *Codec) *T { return slabOf[T](x).object(x) }

func (s *slab[T]) object(x *Codec) *T {
	if x.reuse {
		return s.again(x)
	}
	if x.dry {
		return s.blank(x)
	}
	if len(s.objects) == 0 {
		s.more(x)
	}
	v := &s.objects[0]
	s.objects = s.objects[1:]
	return v
}

// Objects may take this many bytes of memory, and this many more for each byte
// of text. A text of nothing but empty objects, which no tool writes, would
// take some hundred.
const (
	minBudget  = 4 << 20
	textBudget = 16
)

// errDense is the ErrLimit of a text whose objects would take much more memory
// than those of texts of its length do.
var errDense = fmt.Errorf("%w: too many small objects for the length of the text", ErrLimit)

func (s *slab[T]) more(x *Codec) {
	s.size = s.pace.next(s.size, few(s.bytes), most(s.bytes), x.i, x.only())
	if !x.part {
		x.take(s.size * s.bytes)
	}
	s.objects = make([]T, s.size)
}

// take counts bytes of memory for objects.
func (x *Codec) take(n int) {
	if x.taken += uint64(n); !x.within(0) {
		x.fail(x.i, errDense)
	}
}

// within reports whether so many bytes more may be taken.
func (x *Codec) within(n int) bool {
	return x.taken+uint64(n) <= minBudget+textBudget*uint64(len(x.text))
}

// blank returns an object that is given up at once, and counts it as one that is
// kept.
func (s *slab[T]) blank(x *Codec) *T {
	x.take(s.bytes)
	if s.given == nil {
		s.given = new(T)
	}
	return s.given
}

// forget gives up memory that was not handed out, and memory that is reused, after
// a text of n bytes.
func (s *slab[T]) forget(n int) {
	s.pace.learn(len(s.objects), n)
	s.objects, s.size = nil, 0
	if s.given != nil {
		*s.given = *new(T)
	}
	s.all, s.used, s.round = nil, 0, 0
	s.recalled = nil
	s.refs.forget(n)
	s.entries.empty()
}

func (l *lists[E]) forget(n int) {
	l.pace.learn(len(l.room), n)
	l.room, l.size = nil, 0
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

// most returns the number of elements of this size in the largest allocation.
func most(bytes int) int { return max(1, min(maxSlab, maxSlabBytes/max(1, bytes))) }

// few returns how many elements of this size may be left over.
func few(bytes int) int { return max(1, fewBytes/max(1, bytes)) }

// again returns an object that was handed out in an earlier round.
func (s *slab[T]) again(x *Codec) *T {
	if s.round != x.round {
		s.round, s.used = x.round, 0
	}
	if s.used == len(s.all) {
		s.all = append(s.all, new(T))
	}
	v := s.all[s.used]
	s.used++
	*v = *new(T)
	return v
}

// begin begins a list, which end returns. Until then its elements are put on a
// stack, so that lists within the list come in between.
func (l *lists[E]) begin(x *Codec) (base int) {
	if l.text != x.texts {
		clear(l.stack) // of a text that was given up
		l.text, l.stack = x.texts, l.stack[:0]
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
// its length: an append to it must not reach the next list.
func (l *lists[E]) end(x *Codec, base int) []E {
	list := l.stack[base:]
	n := len(list)
	if n == 0 || x.dry {
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
		l.size = l.pace.next(l.size, few(l.bytes), most(l.bytes), x.i, x.only())
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
