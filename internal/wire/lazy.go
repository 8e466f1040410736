// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"sync"
	"sync/atomic"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Lazy is an object by value that is made from its text when it is asked for. While
// its document is decoded, the text is only checked. The zero Lazy holds a zero
// object.
type Lazy[T any] struct{ made *making[T] }

// A making is a text of an object, or the object.
type making[T any] struct {
	src    Source // of the text, unless the object was made by the caller
	t      Type
	object atomic.Pointer[T]
}

// Get returns the object, every time the same, also for copies of p. Several goroutines
// may call it at once, unless p is zero. If the text has been changed in place, the
// object may be zero.
func (p *Lazy[T]) Get() *T {
	if p.made == nil {
		p.made = new(making[T])
		p.made.object.Store(new(T))
	}
	return p.made.get()
}

func (m *making[T]) get() *T {
	if m == nil {
		return new(T)
	}
	if v := m.object.Load(); v != nil {
		return v
	}
	v := new(T)
	d := makers.Get().(*Decoder)
	if err := d.decodePart(m.src, m.t, v); err == nil {
		d.forget()
		makers.Put(d)
	}
	if !m.object.CompareAndSwap(nil, v) {
		return m.object.Load() // somebody else was faster
	}
	return v
}

// makers keeps the decoders that make objects of Lazys.
var makers = sync.Pool{New: func() any { return &Decoder{heap: heap{part: true}} }}

// text returns the source of an object that was not asked for.
func (p *Lazy[T]) text() (src Source, ok bool) {
	if p.made == nil || p.made.object.Load() != nil {
		return Source{}, false
	}
	return p.made.src, true
}

// LazyStruct is [Struct] for fields of type Lazy[T], whose object is made when it is asked
// for.
func LazyStruct[T any](t Type) Field { return lazyField[T]{t} }

type lazyField[T any] struct{ t Type }

func (f lazyField[T]) decode(d *Decoder, p any) {
	v := p.(*Lazy[T])
	v.made = new(making[T])
	d.take(makingBytes)
	if d.peek() != '{' || d.lenient || d.heap.reuse || d.dry {
		o := d.object(f.t.memory()).(*T)
		decodeStruct(d, o, f.t)
		v.made.object.Store(o)
		return
	}
	v.made.t, v.made.src = f.t, Source{doc: d.doc, start: uint32(d.i)}
	d.dry, d.again = true, false
	given := d.object(f.t.memory())
	taken := 0
	if end := shapeOf(f.t).check(d.text, d.i, jsonscan.MaxDepth-d.depth, &taken); end > 0 && d.within(taken) {
		d.dry, d.i = false, end
		d.heap.taken += uint64(taken)
		v.made.src.end = uint32(end)
		return
	}
	f.t.decode(d, given)
	d.dry = false
	v.made.src.end = uint32(d.i)
}

// makingBytes is the size of a making.
const makingBytes = 48

func (f lazyField[T]) edit(e *Encoder, p any, _ bool) (goes bool) {
	v := p.(*Lazy[T])
	if src, ok := v.text(); ok && src.at(e.doc, e.i) {
		e.i = int(src.end)
		return false
	}
	editStruct(e, f.t, v.made.get())
	return false
}

func (f lazyField[T]) goes(*Encoder, any, bool) bool { return false }
func (f lazyField[T]) write(e *Encoder, p any)       { e.put(f.t, p.(*Lazy[T]).made.get()) }

func (f lazyField[T]) isZero(p any) bool {
	v := p.(*Lazy[T])
	_, ok := v.text()
	return !ok && isBlank(f.t, v.made.get())
}

func (f lazyField[T]) skip(e *Encoder, p any) {
	v := p.(*Lazy[T])
	if src, ok := v.text(); ok && src.at(e.doc, e.i) {
		e.i = int(src.end)
		return
	}
	e.skipObject(f.t, v.made.get())
}

func (f lazyField[T]) describe(p *description) *shape { return f.t.describe(p) }
