// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"reflect"
)

// maxSlab is the number of objects or list elements in the largest allocation.
// An object that is kept keeps its slab.
const maxSlab = 128

// A slab hands out objects and lists of one type, many to one allocation.
type slab[T any] struct {
	objects []T  // not handed out
	size    int  // of the last slab of objects
	bytes   int  // of an object
	list    []T  // room for lists: length 0, not handed out
	lists   int  // size of the last room
	pace    pace // of the objects
	listed  pace // of the elements of lists

	entries []entry[T] // of the maps that are being read
	text    uint64     // the codec's when they were

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
// the last one, within bounds. If n is 0, more texts are going to follow.
func (p *pace) next(last, i, n int) int {
	size := min(2*last, maxSlab)
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
	s.size = s.pace.next(s.size, x.i, x.only())
	if x.taken += uint64(s.size * s.bytes); x.taken > minBudget+textBudget*uint64(len(x.text)) {
		x.fail(x.i, errDense)
	}
	s.objects = make([]T, s.size)
}

// forget gives up memory that was not handed out, and memory that is reused.
func (s *slab[T]) forget() {
	entries := s.entries[:0]
	if cap(entries) > maxSlab {
		entries = nil
	}
	clear(entries[:cap(entries)])
	*s = slab[T]{bytes: s.bytes, entries: entries}
}

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

// begin returns an empty list to append to. The slab gives its room away until
// end gets it back, and a list within the list has room of its own.
func (s *slab[T]) begin(x *Codec) []T {
	list := s.list
	s.list = nil
	if cap(list) == 0 {
		s.lists = s.listed.next(s.lists, x.i, x.only())
		list = make([]T, 0, s.lists)
	}
	return list
}

// end returns a list that was begun, with a capacity that ends with its
// length: an append to it must not reach the next list.
func (s *slab[T]) end(list []T) []T {
	n := len(list)
	if rest := list[n:]; cap(rest) > cap(s.list) {
		s.list = rest
	}
	if n == 0 {
		return []T{}
	}
	return list[:n:n]
}
