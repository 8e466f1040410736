// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Integer is any type of integer that a field can have.
type Integer interface {
	~int | ~int64 | ~uint64
}

// A scalar is part of the fields whose values have no text that the field knows. The
// member of them called of, as in all fields, returns where the field is in an object.
type scalar struct{}

func (scalar) skip(e *Encoder, _ any) { e.skip() }

// String returns the field of a string: zero is "".
func String[S ~string](of func(any) *S) Field { return &stringField[S]{of: of} }

type stringField[S ~string] struct {
	scalar
	of func(any) *S
}

func (f *stringField[S]) decode(d *Decoder, o any) {
	p := f.of(o)
	if d.peek() != '"' {
		*p = ""
		d.mismatch("a string")
		return
	}
	if d.lent == "" {
		*p = S(d.memberString())
		return
	}
	// As in stringValue, without a call.
	start := d.i
	if end, escaped, fault := jsonscan.StringRest(d.text, start+1); fault == jsonscan.OK && !escaped {
		d.i = end
		*p = S(d.lent[start+1 : end-1])
		return
	}
	*p = S(d.stringValue())
}

func (f *stringField[S]) edit(e *Encoder, o any, keep bool) (goes bool) {
	s := string(*f.of(o))
	end, same := e.sameString(s)
	write, goes := e.settle(end, same, s == "" && !keep)
	if write {
		e.quote(s)
		e.replaced(end)
	}
	return goes
}

func (f *stringField[S]) goes(e *Encoder, o any, keep bool) bool {
	s := string(*f.of(o))
	_, same := e.sameString(s)
	return !same && s == "" && !keep
}

func (f *stringField[S]) write(e *Encoder, o any)        { e.quote(string(*f.of(o))) }
func (f *stringField[S]) isZero(o any) bool              { return *f.of(o) == "" }
func (f *stringField[S]) describe(_ *description) *shape { return shapeString }

// sameString reports whether the value at i decodes to s, and where it ends.
func (e *Encoder) sameString(s string) (end int, same bool) {
	if d, i := e.text, e.i; i < len(d) && d[i] == '"' {
		if end, escaped, fault := jsonscan.StringRest(d, i+1); fault == jsonscan.OK && !escaped {
			return end, string(d[i+1:end-1]) == s
		}
	}
	end = e.end()
	if e.text[e.i] != '"' {
		return end, s == ""
	}
	return end, e.means(e.text[e.i:end], s)
}

// StringPtr returns the field of a string that can be null or absent: zero is nil.
func StringPtr[S ~string](of func(any) **S) Field { return &stringPtrField[S]{of: of} }

type stringPtrField[S ~string] struct {
	scalar
	of func(any) **S
}

func (f *stringPtrField[S]) decode(d *Decoder, o any) {
	p := f.of(o)
	*p = nil
	if d.peek() != '"' {
		d.mismatch("a string")
		return
	}
	*p = newObject[S](d)
	**p = S(d.stringValue())
}

// compare reports whether the value at i decodes to s, and where it ends.
func (f *stringPtrField[S]) compare(e *Encoder, s *S) (end int, same bool) {
	end, is := e.end(), e.text[e.i] == '"'
	return end, s == nil && !is || s != nil && is && e.means(e.text[e.i:end], string(*s))
}

func (f *stringPtrField[S]) edit(e *Encoder, o any, _ bool) (goes bool) {
	s := *f.of(o)
	end, same := f.compare(e, s)
	write, goes := e.settle(end, same, s == nil)
	if write {
		e.quote(string(*s))
		e.replaced(end)
	}
	return goes
}

func (f *stringPtrField[S]) goes(e *Encoder, o any, _ bool) bool {
	s := *f.of(o)
	_, same := f.compare(e, s)
	return !same && s == nil
}

func (f *stringPtrField[S]) write(e *Encoder, o any) {
	if s := *f.of(o); s != nil {
		e.quote(string(*s))
	} else {
		e.null()
	}
}

func (f *stringPtrField[S]) isZero(o any) bool { return *f.of(o) == nil }

func (f *stringPtrField[S]) describe(_ *description) *shape {
	return &shape{demand: aPointer, of: shapeString, bytes: sizeOf[S]()}
}

// Bool returns the field of a boolean: zero is false.
func Bool[B ~bool](of func(any) *B) Field { return &boolField[B]{of: of} }

type boolField[B ~bool] struct {
	scalar
	of func(any) *B
}

func (f *boolField[B]) decode(d *Decoder, o any) {
	p := f.of(o)
	if !d.isBool() {
		*p = false
		d.mismatch("a boolean")
		return
	}
	*p = B(d.boolean())
}

func (f *boolField[B]) edit(e *Encoder, o any, keep bool) (goes bool) {
	b, end := bool(*f.of(o)), e.end()
	write, goes := e.settle(end, (e.text[e.i] == 't') == b, !b && !keep)
	if write {
		f.write(e, o)
		e.replaced(end)
	}
	return goes
}

func (f *boolField[B]) goes(e *Encoder, o any, keep bool) bool {
	return !bool(*f.of(o)) && e.text[e.i] == 't' && !keep
}

func (f *boolField[B]) write(e *Encoder, o any)        { e.out = strconv.AppendBool(e.out, bool(*f.of(o))) }
func (f *boolField[B]) isZero(o any) bool              { return !bool(*f.of(o)) }
func (f *boolField[B]) describe(_ *description) *shape { return shapeBool }

// BoolPtr returns the field of a boolean that can be absent: zero is nil.
func BoolPtr[B ~bool](of func(any) **B) Field { return &boolPtrField[B]{of: of} }

type boolPtrField[B ~bool] struct {
	scalar
	of func(any) **B
}

func (f *boolPtrField[B]) decode(d *Decoder, o any) {
	p := f.of(o)
	*p = nil
	if !d.isBool() {
		d.mismatch("a boolean")
		return
	}
	v := B(d.boolean())
	*p = &v
}

// same reports whether the value at i decodes to b.
func (f *boolPtrField[B]) same(e *Encoder, b *B) bool {
	is := e.isBool()
	return b == nil && !is || b != nil && is && (e.text[e.i] == 't') == bool(*b)
}

func (f *boolPtrField[B]) edit(e *Encoder, o any, _ bool) (goes bool) {
	b, end := *f.of(o), e.end()
	write, goes := e.settle(end, f.same(e, b), b == nil)
	if write {
		f.write(e, o)
		e.replaced(end)
	}
	return goes
}

func (f *boolPtrField[B]) goes(e *Encoder, o any, _ bool) bool {
	b := *f.of(o)
	return b == nil && !f.same(e, b)
}

func (f *boolPtrField[B]) write(e *Encoder, o any) {
	if b := *f.of(o); b != nil {
		e.out = strconv.AppendBool(e.out, bool(*b))
	} else {
		e.null()
	}
}

func (f *boolPtrField[B]) isZero(o any) bool              { return *f.of(o) == nil }
func (f *boolPtrField[B]) describe(_ *description) *shape { return shapeBool } // the two values are there already

// Int returns the field of an integer: zero is 0.
func Int[I Integer](of func(any) *I) Field { return &intField[I]{of: of} }

type intField[I Integer] struct {
	scalar
	of func(any) *I
}

func (f *intField[I]) decode(d *Decoder, o any) { *f.of(o), _ = decodeInt[I](d) }

// same reports whether the value at i, which ends at end, decodes to n.
func (f *intField[I]) same(e *Encoder, n I, end int) bool {
	if !e.isNumber() {
		return n == 0
	}
	is, _ := parseInteger[I](e.text[e.i:end])
	return is == n
}

func (f *intField[I]) edit(e *Encoder, o any, keep bool) (goes bool) {
	n, end := *f.of(o), e.end()
	write, goes := e.settle(end, f.same(e, n, end), n == 0 && !keep)
	if write {
		f.write(e, o)
		e.replaced(end)
	}
	return goes
}

func (f *intField[I]) goes(e *Encoder, o any, keep bool) bool {
	n := *f.of(o)
	return n == 0 && !keep && !f.same(e, n, e.end())
}

func (f *intField[I]) write(e *Encoder, o any)        { e.out = appendInt(e.out, *f.of(o)) }
func (f *intField[I]) isZero(o any) bool              { return *f.of(o) == 0 }
func (f *intField[I]) describe(_ *description) *shape { return shapeNatural }

// IntPtr returns the field of an integer that can be absent: zero is nil.
func IntPtr[I Integer](of func(any) **I) Field { return &intPtrField[I]{of: of} }

type intPtrField[I Integer] struct {
	scalar
	of func(any) **I
}

func (f *intPtrField[I]) decode(d *Decoder, o any) {
	p := f.of(o)
	*p = nil
	if n, ok := decodeInt[I](d); ok {
		*p = newObject[I](d)
		**p = n
	}
}

// same reports whether the value at i, which ends at end, decodes to n.
func (f *intPtrField[I]) same(e *Encoder, n *I, end int) bool {
	number, is := I(0), false
	if e.isNumber() {
		number, is = parseInteger[I](e.text[e.i:end])
	}
	return n == nil && !is || n != nil && is && number == *n
}

func (f *intPtrField[I]) edit(e *Encoder, o any, _ bool) (goes bool) {
	n, end := *f.of(o), e.end()
	write, goes := e.settle(end, f.same(e, n, end), n == nil)
	if write {
		f.write(e, o)
		e.replaced(end)
	}
	return goes
}

func (f *intPtrField[I]) goes(e *Encoder, o any, _ bool) bool {
	n := *f.of(o)
	return n == nil && !f.same(e, n, e.end())
}

func (f *intPtrField[I]) write(e *Encoder, o any) {
	if n := *f.of(o); n != nil {
		e.out = appendInt(e.out, *n)
	} else {
		e.null()
	}
}

func (f *intPtrField[I]) isZero(o any) bool { return *f.of(o) == nil }

func (f *intPtrField[I]) describe(_ *description) *shape {
	return &shape{demand: aPointer, of: shapeNatural, bytes: sizeOf[I]()}
}
