// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"reflect"
	"slices"
	"sync/atomic"
)

// A Memory makes objects of one Go type. It is all that the codec knows of the type at
// compile time: everything else is the same for all types, and compiled once.
type Memory struct {
	id    uint32       // a number that no other type has
	bytes int          // of an object
	list  reflect.Type // of the lists that objects are made in
	blank any          // a zero object, which is not written to
}

// memories counts them.
var memories atomic.Uint32

// MemoryOf returns a Memory for the type of the elements of a list, which may be nil.
func MemoryOf(list any) *Memory {
	t := reflect.TypeOf(list)
	return &Memory{memories.Add(1) - 1, int(t.Elem().Size()), t, reflect.New(t.Elem()).Interface()}
}

// object returns a new object.
func (m *Memory) object() any { return reflect.New(m.list.Elem()).Interface() }

// clear makes an object zero.
func (m *Memory) clear(o any) { reflect.ValueOf(o).Elem().SetZero() }

// set sets an object to what another one is.
func (m *Memory) set(to, from any) { reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem()) }

// A heap hands out the memory for what a decoder reads, many objects to one
// allocation.
type heap struct {
	docs     []document // not used yet
	docsSize int        // of the next ones
	slabs    []*slab    // by the id of their Memory
	rooms    []someRoom // one for each type of list
	lines    room[string]
	taken    uint64 // bytes of memory for the objects of a text
	texts    uint64 // counts the texts
	part     bool   // of another text, in which memory was counted before

	// What is being read: the elements of lists, and the entries of maps.
	objects stack[any]
	names   stack[string]
	strings stack[string]
	raws    stack[[]byte]

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
	for _, s := range h.slabs {
		if s != nil {
			s.forget()
		}
	}
	for _, r := range h.rooms {
		r.forget()
	}
	h.lines = room[string]{}
	emptyStack(&h.objects)
	emptyStack(&h.names)
	emptyStack(&h.strings)
	emptyStack(&h.raws)
}

// A slab hands out objects of one type, many to one allocation.
type slab struct {
	*Memory
	objects reflect.Value // the list of those of the last allocation
	next    int           // the first that is not handed out
	size    int           // how many they are
	made    int           // objects in all of them

	given any // the object of a dry run

	all   []any  // the objects that are reused
	used  int    // how many of them are in use
	round uint64 // the heap's when they were handed out
}

// slab returns the heap's slab for a type.
func (h *heap) slab(m *Memory) *slab {
	if n := int(m.id); n < len(h.slabs) && h.slabs[n] != nil {
		return h.slabs[n]
	}
	return h.newSlab(m)
}

func (h *heap) newSlab(m *Memory) *slab {
	if int(m.id) >= len(h.slabs) {
		n := memories.Load()
		h.slabs = append(make([]*slab, 0, n), h.slabs...)[:n]
	}
	s := &slab{Memory: m}
	h.slabs[m.id] = s
	return s
}

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

// object returns a zero object.
func (d *Decoder) object(m *Memory) any { return d.heap.slab(m).object(d) }

func (s *slab) object(d *Decoder) any {
	switch {
	case d.heap.reuse:
		return s.again(d.heap.round)
	case d.dry:
		return s.blankAgain(d)
	case s.next == s.size:
		s.size = grown(s.size, s.made, few(s.bytes), most(s.bytes))
		s.made += s.size
		if !d.heap.part {
			d.take(s.size * s.bytes)
		}
		s.objects, s.next = reflect.MakeSlice(s.list, s.size, s.size), 0
	}
	s.next++
	return s.objects.Index(s.next - 1).Addr().Interface()
}

// again returns an object that was handed out in an earlier round.
func (s *slab) again(round uint64) any {
	if s.round != round {
		s.round, s.used = round, 0
	}
	if s.used == len(s.all) {
		s.all = append(s.all, s.Memory.object())
	}
	v := s.all[s.used]
	s.used++
	s.clear(v)
	return v
}

// blankAgain returns an object that is given up at once, and counts it as one that is
// kept.
func (s *slab) blankAgain(d *Decoder) any {
	d.take(s.bytes)
	if s.given == nil {
		s.given = s.Memory.object()
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
func (s *slab) forget() {
	s.objects, s.next, s.size, s.made = reflect.Value{}, 0, 0, 0
	if s.given != nil {
		s.clear(s.given)
	}
	s.all, s.used, s.round = nil, 0, 0
}

// A stack has the items of lists that are being read, whose number is not known yet. Lists
// within a list come in between. It has no methods: they would be compiled in each package.
type stack[E any] struct {
	items []E
	text  uint64 // the heap's when they were put there
}

// beginList begins a list, and returns the place of its items.
func beginList[E any](s *stack[E], texts uint64) (base int) {
	if s.text != texts {
		clear(s.items) // of a text that was given up
		s.text, s.items = texts, s.items[:0]
	}
	return len(s.items)
}

// push puts v on the stack, which doubles when it is full: append alone would allocate
// five times what a long list needs.
func push[E any](s *stack[E], v E) {
	if len(s.items) == cap(s.items) && len(s.items) >= 256 {
		s.items = slices.Grow(s.items, len(s.items))
	}
	s.items = append(s.items, v)
}

// dropList takes the list that was begun at base from the stack.
func dropList[E any](s *stack[E], base int) {
	clear(s.items[base:])
	s.items = s.items[:base]
}

// emptyStack empties the stack, and gives up much memory.
func emptyStack[E any](s *stack[E]) {
	if len(s.items) > 0 { // of a text that was given up
		dropList(s, 0)
	}
	if cap(s.items)*itemBytes > maxSlabBytes {
		s.items = nil
	}
}

// itemBytes is about what an item of a stack takes.
const itemBytes = 16

// A room is where lists of one type come from, many to one allocation. It has no
// methods either.
type room[E any] struct {
	left []E // not handed out
	size int // of the last allocation
	made int // elements in all of them
}

// A someRoom is a room of any type.
type someRoom struct {
	room   any
	forget func()
}

// listOf returns a list of n elements, with a capacity that ends with its length: an append
// to it must not reach the next list. The list of a dry run is empty.
func listOf[E any](d *Decoder, n int) []E {
	if n == 0 || d.dry {
		return []E{}
	}
	return taken(roomOf[E](&d.heap), n)
}

func taken[E any](r *room[E], n int) []E {
	if n > len(r.left) {
		if n > r.size/2 && n > 8 {
			return make([]E, n)
		}
		bytes := itemBytes
		if _, ok := any(r).(*room[string]); !ok {
			bytes /= 2
		}
		r.size = grown(r.size, r.made, few(bytes), most(bytes))
		r.made += r.size
		r.left = make([]E, max(n, r.size))
	}
	list := r.left[:n:n]
	r.left = r.left[n:]
	return list
}

// nearby is how many rooms are searched before one that is asked for moves to
// the front.
const nearby = 4

// roomOf returns the heap's room for a type.
func roomOf[E any](h *heap) *room[E] {
	for i := range h.rooms {
		if r, ok := h.rooms[i].room.(*room[E]); ok {
			if i >= nearby {
				h.rooms[i], h.rooms[i/2] = h.rooms[i/2], h.rooms[i]
			}
			return r
		}
	}
	r := new(room[E])
	h.rooms = append(h.rooms, someRoom{r, func() { *r = room[E]{} }})
	return r
}
