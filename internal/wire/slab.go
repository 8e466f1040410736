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
)

// A slab hands out objects and lists of one type, many to one allocation.
type slab[T any] struct {
	objects []T  // not handed out
	size    int  // of the last slab of objects
	bytes   int  // of an object
	list    []T  // room for lists, not handed out
	lists   int  // size of the last room
	pace    pace // of the objects
	listed  pace // of the elements of lists

	stack []T    // the elements of lists that are being read
	text  uint64 // the codec's when they were

	all   []*T   // the objects that are reused
	used  int    // how many of them are in use
	round uint64 // the codec's when they were handed out
}

// slabOf returns the codec's slab for a type. Types that are asked for often
// move to the front.
func slabOf[T any](x *Codec) *slab[T] {
	for i, p := range x.pools {
		if s, ok := p.(*slab[T]); ok {
			if i >= nearby {
				x.pools[i], x.pools[i/2] = x.pools[i/2], p
			}
			return s
		}
	}
	s := &slab[T]{bytes: int(reflect.TypeFor[T]().Size())}
	x.pools = append(x.pools, s)
	return s
}

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

// A pace is how fast a text asks for something of which the next allocation
// has several: as many as the rest of the text is going to need, if it goes on
// like that.
type pace struct {
	from, made int
}

// next returns the size of an allocation at offset i of a text of n bytes: twice
// the last one, but at most most. If n is 0, more texts are going to follow.
func (p *pace) next(last, most, i, n int) int {
	size := min(2*last, most)
	if last == 0 {
		p.from, p.made, size = i, 0, 1
	} else if read := i - p.from; read > 0 && n > 0 {
		// One more for each eight, as the pace is not even.
		size = min(size, max(1, int(int64(p.made)*int64(n-i)/int64(read))*9/8))
	}
	p.made += size
	return size
}

// only returns the length of the text if it is the only one that the codec has
// read, and otherwise 0.
func (x *Codec) only() int {
	if x.docsSize > 1 {
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
	s.size = s.pace.next(s.size, s.most(), x.i, x.only())
	if x.taken += uint64(s.size * s.bytes); x.taken > minBudget+textBudget*uint64(len(x.text)) {
		x.fail(x.i, errDense)
	}
	s.objects = make([]T, s.size)
}

// forget gives up memory that was not handed out, and memory that is reused.
func (s *slab[T]) forget() {
	clear(s.stack) // of a text that was given up
	stack := s.stack[:0]
	if cap(stack)*s.bytes > maxSlabBytes {
		stack = nil
	}
	*s = slab[T]{bytes: s.bytes, stack: stack}
}

// most returns the number of objects in the largest allocation.
func (s *slab[T]) most() int { return max(1, min(maxSlab, maxSlabBytes/max(1, s.bytes))) }

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
func (s *slab[T]) begin(x *Codec) (base int) {
	if s.text != x.texts {
		clear(s.stack) // of a text that was given up
		s.text, s.stack = x.texts, s.stack[:0]
	}
	return len(s.stack)
}

// push puts v on the stack, which doubles when it is full: append alone would allocate
// five times what a long list needs.
func (s *slab[T]) push(v T) {
	if len(s.stack) == cap(s.stack) && len(s.stack) >= 256 {
		s.stack = slices.Grow(s.stack, len(s.stack))
	}
	s.stack = append(s.stack, v)
}

// end returns the list that was begun at base, with a capacity that ends with
// its length: an append to it must not reach the next list.
func (s *slab[T]) end(x *Codec, base int) []T {
	list := s.stack[base:]
	n := len(list)
	if n == 0 {
		return []T{}
	}
	if n > len(s.list) {
		if n > s.lists/2 && n > 8 {
			made := make([]T, n)
			copy(made, list)
			s.drop(base)
			return made
		}
		s.lists = s.listed.next(s.lists, s.most(), x.i, x.only())
		s.list = make([]T, max(n, s.lists))
	}
	made := s.list[:n:n]
	s.list = s.list[n:]
	copy(made, list)
	s.drop(base)
	return made
}

// drop takes the list that was begun at base from the stack.
func (s *slab[T]) drop(base int) {
	clear(s.stack[base:])
	s.stack = s.stack[:base]
}
