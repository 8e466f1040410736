// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

// Struct returns the kind of fields that are an object by value, of type t. Such members
// are always written, so the field is never zero, but for an object that was read from
// no text and has only zero fields: a member that a text lacks is missing on purpose
// until the field says something.
func Struct(t Type) Field { return structField{t} }

type structField struct{ t Type }

func (f structField) decode(d *Decoder, p any) { decodeStruct(d, p, f.t) }

func decodeStruct(d *Decoder, p any, t Type) {
	if d.again {
		t.memory().clear(p) // the last occurrence wins as a whole
		d.again = false
	}
	t.decode(d, p)
}

func (f structField) edit(e *Encoder, p any, _ bool) (goes bool) {
	editStruct(e, f.t, p)
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

func (f structField) goes(*Encoder, any, bool) bool  { return false }
func (f structField) write(e *Encoder, p any)        { e.put(f.t, p) }
func (f structField) isZero(p any) bool              { return isBlank(f.t, p) }
func (f structField) skip(e *Encoder, p any)         { e.skipObject(f.t, p) }
func (f structField) describe(p *description) *shape { return f.t.describe(p) }

// Ptr returns the kind of fields of type P, a pointer to objects of type t: zero is nil.
//
// P, here and in [Slice] and [Map], is the pointer and not what it points to: the compiler
// makes one function for all pointers.
//
//go:noinline
func Ptr[P any](t Type) Field {
	var null P
	return &ptrField{t, null, func(p any) any { return *p.(*P) }, func(p, o any) { *p.(*P), _ = o.(P) }}
}

type ptrField struct {
	t    Type
	null any
	of   func(p any) any
	set  func(p, o any) // nil sets a nil pointer
}

// get returns the object, or nil.
func (f *ptrField) get(p any) any {
	if o := f.of(p); o != f.null {
		return o
	}
	return nil
}

func (f *ptrField) decode(d *Decoder, p any) {
	d.again = false
	if d.peek() == 'n' {
		f.set(p, nil)
		d.skip()
		return
	}
	v := d.object(f.t.memory())
	before := len(d.problems)
	f.t.decode(d, v)
	if len(d.problems) > before && f.t.source(v).doc == nil {
		v = nil // another kind of value
	}
	f.set(p, v)
}

func (f *ptrField) edit(e *Encoder, p any, keep bool) (goes bool) {
	v := f.get(p)
	if v == nil {
		goes = f.goes(e, p, keep)
		e.skip()
		return goes
	}
	e.editObject(f.t, v)
	return false
}

// goes does not report true for null, which stays, nor for what a lenient decoding
// passed over.
func (f *ptrField) goes(e *Encoder, p any, _ bool) bool {
	c := e.text[e.i]
	return f.get(p) == nil && c != 'n' && (c == '{' || f.t.opening() == 0)
}

func (f *ptrField) write(e *Encoder, p any) {
	if v := f.get(p); v != nil {
		e.put(f.t, v)
	} else {
		e.null()
	}
}

func (f *ptrField) isZero(p any) bool { return f.get(p) == nil }

func (f *ptrField) skip(e *Encoder, p any) {
	if v := f.get(p); v != nil {
		e.skipObject(f.t, v)
	} else {
		e.skip()
	}
}

func (f *ptrField) describe(d *description) *shape {
	return &shape{demand: aPointer, of: f.t.describe(d), bytes: f.t.memory().bytes}
}

// Alt returns f for members below which everything is in the tables' other order.
func Alt(f Field) Field { return altField{f} }

type altField struct{ Field }

func (f altField) decode(d *Decoder, p any) {
	before := d.alt
	d.alt = true
	f.Field.decode(d, p)
	d.alt = before
}

func (f altField) edit(e *Encoder, p any, keep bool) (goes bool) {
	before := e.alt
	e.alt = true
	goes = f.Field.edit(e, p, keep)
	e.alt = before
	return goes
}

func (f altField) write(e *Encoder, p any) {
	before := e.alt
	e.alt = true
	f.Field.write(e, p)
	e.alt = before
}
