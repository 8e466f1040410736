// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

// Struct returns the field of an object by value, of type t. Such members
// are always written, so the field is never zero, but for an object that was read from
// no text and has only zero fields: a member that a text lacks is missing on purpose
// until the field says something.
func Struct[T any](of func(any) *T, t Type) Field { return &structField[T]{of, t} }

type structField[T any] struct {
	of func(any) *T
	t  Type
}

func (f *structField[T]) decode(d *Decoder, o any) { decodeStruct(d, f.of(o), f.t) }

func decodeStruct[T any](d *Decoder, p *T, t Type) {
	if d.again {
		*p = *new(T) // the last occurrence wins as a whole
		d.again = false
	}
	t.decode(d, p)
}

func (f *structField[T]) edit(e *Encoder, o any, _ bool) (goes bool) {
	editStruct(e, f.t, f.of(o))
	return false
}

func editStruct(e *Encoder, t Type, v any) {
	// Null, or another kind of value in a lenient decoding: the field was
	// left zero, and has to stay so for the text to stay.
	if e.text[e.i] != '{' && isBlank(t, v) {
		e.skip()
		return
	}
	e.editObject(t, v)
}

// isBlank reports whether an object by value says nothing: it was not read
// from any text and has only zero fields.
func isBlank(t Type, v any) bool { return t.source(v).doc == nil && t.isZero(v) }

func (f *structField[T]) goes(*Encoder, any, bool) bool  { return false }
func (f *structField[T]) write(e *Encoder, o any)        { e.put(f.t, f.of(o)) }
func (f *structField[T]) isZero(o any) bool              { return isBlank(f.t, f.of(o)) }
func (f *structField[T]) skip(e *Encoder, o any)         { e.skipObject(f.t, f.of(o)) }
func (f *structField[T]) describe(p *description) *shape { return f.t.describe(p) }

// Ptr returns the field of a pointer to an object of type t: zero is nil.
func Ptr[T any](of func(any) **T, t Type) Field { return &ptrField[T]{of, t} }

type ptrField[T any] struct {
	of func(any) **T
	t  Type
}

func (f *ptrField[T]) decode(d *Decoder, o any) {
	p := f.of(o)
	d.again = false
	if d.peek() == 'n' {
		*p = nil
		d.skip()
		return
	}
	v := newObject[T](d)
	before := len(d.problems)
	f.t.decode(d, v)
	if len(d.problems) > before && f.t.source(v).doc == nil {
		v = nil // another kind of value
	}
	*p = v
}

func (f *ptrField[T]) edit(e *Encoder, o any, keep bool) (goes bool) {
	v := *f.of(o)
	if v == nil {
		goes = f.goes(e, o, keep)
		e.skip()
		return goes
	}
	e.editObject(f.t, v)
	return false
}

// goes does not report true for null, which stays, nor for what a lenient decoding
// passed over.
func (f *ptrField[T]) goes(e *Encoder, o any, _ bool) bool {
	c := e.text[e.i]
	return *f.of(o) == nil && c != 'n' && (c == '{' || f.t.opening() == 0)
}

func (f *ptrField[T]) write(e *Encoder, o any) {
	if v := *f.of(o); v != nil {
		e.put(f.t, v)
	} else {
		e.null()
	}
}

func (f *ptrField[T]) isZero(o any) bool { return *f.of(o) == nil }

func (f *ptrField[T]) skip(e *Encoder, o any) {
	if v := *f.of(o); v != nil {
		e.skipObject(f.t, v)
	} else {
		e.skip()
	}
}

func (f *ptrField[T]) describe(p *description) *shape {
	return &shape{demand: aPointer, of: f.t.describe(p), bytes: sizeOf[T]()}
}

// Alt returns f for a member below which everything is in the tables' other order.
func Alt(f Field) Field { return altField{f} }

type altField struct{ Field }

func (f altField) decode(d *Decoder, o any) {
	before := d.alt
	d.alt = true
	f.Field.decode(d, o)
	d.alt = before
}

func (f altField) edit(e *Encoder, o any, keep bool) (goes bool) {
	before := e.alt
	e.alt = true
	goes = f.Field.edit(e, o, keep)
	e.alt = before
	return goes
}

func (f altField) write(e *Encoder, o any) {
	before := e.alt
	e.alt = true
	f.Field.write(e, o)
	e.alt = before
}
