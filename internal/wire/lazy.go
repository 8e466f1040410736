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
	fields func(*T, *Codec)
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
	x := makers.Get().(*Codec)
	if err := x.decodePart(m.src, func() { m.fields(v, x) }); err == nil {
		x.forget()
		makers.Put(x)
	}
	if !m.object.CompareAndSwap(nil, v) {
		return m.object.Load() // somebody else was faster
	}
	return v
}

// makers keeps the codecs that make objects of Lazys.
var makers = sync.Pool{New: func() any { return &Codec{part: true} }}

// decodePart calls root for the text of src.
func (x *Codec) decodePart(src Source, root func()) (err error) {
	defer x.catch(&err)
	n := int(src.end - src.start)
	x.mode, x.depth, x.again, x.dry = decoding, 0, false, false
	x.doc, x.text, x.i = src.doc, src.doc.text[:src.end:src.end], int(src.start)
	x.strings.reset(n, false)
	x.memo.reset(n)
	x.texts++
	root()
	return nil
}

// text returns the source of an object that was not asked for.
func (p *Lazy[T]) text() (src Source, ok bool) {
	if p.made == nil || p.made.object.Load() != nil {
		return Source{}, false
	}
	return p.made.src, true
}

// LazyStruct is [Struct] for an object that is made when it is asked for.
func LazyStruct[T any](x *Codec, p *Lazy[T], fields func(*T, *Codec)) {
	if x.mode == decoding {
		decodePart(x, p, fields)
		return
	}
	src, ok := p.text()
	switch {
	case ok && (x.mode == walking || x.mode == skipping) && src.at(x.doc, x.i):
		x.i = int(src.end)
	case ok && x.mode == probing:
		x.zero = false
	default:
		Struct(x, p.made.get(), fields)
	}
}

func decodePart[T any](x *Codec, p *Lazy[T], fields func(*T, *Codec)) {
	p.made = newObject[making[T]](x)
	if x.peek() != '{' || x.lenient || x.reuse || x.dry {
		v := newObject[T](x)
		Struct(x, v, fields)
		p.made.object.Store(v)
		return
	}
	p.made.fields, p.made.src = fields, Source{doc: x.doc, start: uint32(x.i)}
	x.dry, x.again = true, false
	given := newObject[T](x)
	taken := 0
	if end := shapeOf(x, given, fields).check(x.text, x.i, jsonscan.MaxDepth-x.depth, &taken); end > 0 && x.within(taken) {
		x.dry, x.i = false, end
		x.taken += uint64(taken)
		p.made.src.end = uint32(end)
		return
	}
	fields(given, x)
	x.dry = false
	p.made.src.end = uint32(x.i)
}
