// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A scalar is part of the fields whose values have no text that the field knows.
type scalar struct{}

func (scalar) skip(e *Encoder, _ any) { e.skip() }

// String returns the kind of strings, which follows from the type of a field.
func String() Field { return stringField{} }

// A stringField is a string: zero is "".
type stringField struct{ scalar }

func (stringField) decode(d *Decoder, p any) {
	v := p.(*string)
	if d.peek() != '"' {
		*v = ""
		d.mismatch("a string")
		return
	}
	if d.lent == "" {
		*v = d.memberString()
		return
	}
	// As in stringValue, without a call.
	start := d.i
	if end, escaped, fault := jsonscan.StringRest(d.text, start+1); fault == jsonscan.OK && !escaped {
		d.i = end
		*v = d.lent[start+1 : end-1]
		return
	}
	*v = d.stringValue()
}

func (stringField) edit(e *Encoder, p any, keep bool) (goes bool) {
	s := *p.(*string)
	end, same := e.sameString(s)
	write, goes := e.settle(end, same, s == "" && !keep)
	if write {
		e.quote(s)
		e.replaced(end)
	}
	return goes
}

func (stringField) goes(e *Encoder, p any, keep bool) bool {
	s := *p.(*string)
	_, same := e.sameString(s)
	return !same && s == "" && !keep
}

func (stringField) write(e *Encoder, p any)        { e.quote(*p.(*string)) }
func (stringField) isZero(p any) bool              { return *p.(*string) == "" }
func (stringField) describe(_ *description) *shape { return shapeString }

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

// A stringPtrField is a string that can be null or absent: zero is nil.
type stringPtrField struct{ scalar }

func (f stringPtrField) decode(d *Decoder, p any) {
	v := p.(**string)
	*v = nil
	if d.peek() != '"' {
		d.mismatch("a string")
		return
	}
	*v = d.object(strs).(*string)
	**v = d.stringValue()
}

// compare reports whether the value at i decodes to s, and where it ends.
func (f stringPtrField) compare(e *Encoder, s *string) (end int, same bool) {
	end, is := e.end(), e.text[e.i] == '"'
	return end, s == nil && !is || s != nil && is && e.means(e.text[e.i:end], *s)
}

func (f stringPtrField) edit(e *Encoder, p any, _ bool) (goes bool) {
	s := *p.(**string)
	end, same := f.compare(e, s)
	write, goes := e.settle(end, same, s == nil)
	if write {
		e.quote(*s)
		e.replaced(end)
	}
	return goes
}

func (f stringPtrField) goes(e *Encoder, p any, _ bool) bool {
	s := *p.(**string)
	_, same := f.compare(e, s)
	return !same && s == nil
}

func (f stringPtrField) write(e *Encoder, p any) {
	if s := *p.(**string); s != nil {
		e.quote(*s)
	} else {
		e.null()
	}
}

func (f stringPtrField) isZero(p any) bool { return *p.(**string) == nil }

func (f stringPtrField) describe(_ *description) *shape {
	return &shape{demand: aPointer, of: shapeString, bytes: strs.bytes}
}

// A boolField is a boolean: zero is false.
type boolField struct{ scalar }

func (f boolField) decode(d *Decoder, p any) {
	v := p.(*bool)
	if !d.isBool() {
		*v = false
		d.mismatch("a boolean")
		return
	}
	*v = d.boolean()
}

func (f boolField) edit(e *Encoder, p any, keep bool) (goes bool) {
	b, end := *p.(*bool), e.end()
	write, goes := e.settle(end, (e.text[e.i] == 't') == b, !b && !keep)
	if write {
		f.write(e, p)
		e.replaced(end)
	}
	return goes
}

func (f boolField) goes(e *Encoder, p any, keep bool) bool {
	return !*p.(*bool) && e.text[e.i] == 't' && !keep
}

func (f boolField) write(e *Encoder, p any)        { e.out = strconv.AppendBool(e.out, *p.(*bool)) }
func (f boolField) isZero(p any) bool              { return !*p.(*bool) }
func (f boolField) describe(_ *description) *shape { return shapeBool }

// A boolPtrField is a boolean that can be absent: zero is nil.
type boolPtrField struct{ scalar }

func (f boolPtrField) decode(d *Decoder, p any) {
	v := p.(**bool)
	*v = nil
	if !d.isBool() {
		d.mismatch("a boolean")
		return
	}
	b := d.boolean()
	*v = &b
}

// same reports whether the value at i decodes to b.
func (f boolPtrField) same(e *Encoder, b *bool) bool {
	is := e.isBool()
	return b == nil && !is || b != nil && is && (e.text[e.i] == 't') == *b
}

func (f boolPtrField) edit(e *Encoder, p any, _ bool) (goes bool) {
	b, end := *p.(**bool), e.end()
	write, goes := e.settle(end, f.same(e, b), b == nil)
	if write {
		f.write(e, p)
		e.replaced(end)
	}
	return goes
}

func (f boolPtrField) goes(e *Encoder, p any, _ bool) bool {
	b := *p.(**bool)
	return b == nil && !f.same(e, b)
}

func (f boolPtrField) write(e *Encoder, p any) {
	if b := *p.(**bool); b != nil {
		e.out = strconv.AppendBool(e.out, *b)
	} else {
		e.null()
	}
}

func (f boolPtrField) isZero(p any) bool              { return *p.(**bool) == nil }
func (f boolPtrField) describe(_ *description) *shape { return shapeBool } // the two values are there already

// An intField is an integer: zero is 0.
type intField struct{ scalar }

func (intField) decode(d *Decoder, p any) {
	n, _ := d.integer(p)
	n.put(p)
}

// same reports whether the value at i, which ends at end, decodes to what p points to.
func (intField) same(e *Encoder, p any, end int) bool {
	if !e.isNumber() {
		return integerAt(p) == integer{}
	}
	is, _ := parseInteger(e.text[e.i:end], p)
	return is == integerAt(p)
}

func (f intField) edit(e *Encoder, p any, keep bool) (goes bool) {
	end := e.end()
	write, goes := e.settle(end, f.same(e, p, end), f.isZero(p) && !keep)
	if write {
		f.write(e, p)
		e.replaced(end)
	}
	return goes
}

func (f intField) goes(e *Encoder, p any, keep bool) bool {
	return f.isZero(p) && !keep && !f.same(e, p, e.end())
}

func (intField) write(e *Encoder, p any)        { e.out = integerAt(p).append(e.out) }
func (intField) isZero(p any) bool              { return integerAt(p) == integer{} }
func (intField) describe(_ *description) *shape { return shapeNatural }

// An intPtrField is an integer that can be absent: zero is nil.
type intPtrField struct {
	scalar
	integers *Memory
}

// get returns the pointer that p points to, or nil.
func (intPtrField) get(p any) any {
	switch p := p.(type) {
	case **int:
		if *p != nil {
			return *p
		}
	case **int64:
		if *p != nil {
			return *p
		}
	case **uint64:
		if *p != nil {
			return *p
		}
	}
	return nil
}

// set makes what p points to the pointer q, which may be nil.
func (intPtrField) set(p, q any) {
	switch p := p.(type) {
	case **int:
		*p, _ = q.(*int)
	case **int64:
		*p, _ = q.(*int64)
	case **uint64:
		*p, _ = q.(*uint64)
	}
}

func (f intPtrField) decode(d *Decoder, p any) {
	f.set(p, nil)
	if n, ok := d.integer(f.integers.blank); ok {
		q := d.object(f.integers)
		n.put(q)
		f.set(p, q)
	}
}

// same reports whether the value at i, which ends at end, decodes to q.
func (f intPtrField) same(e *Encoder, q any, end int) bool {
	number, is := integer{}, false
	if e.isNumber() {
		number, is = parseInteger(e.text[e.i:end], f.integers.blank)
	}
	return q == nil && !is || q != nil && is && number == integerAt(q)
}

func (f intPtrField) edit(e *Encoder, p any, _ bool) (goes bool) {
	q, end := f.get(p), e.end()
	write, goes := e.settle(end, f.same(e, q, end), q == nil)
	if write {
		f.write(e, p)
		e.replaced(end)
	}
	return goes
}

func (f intPtrField) goes(e *Encoder, p any, _ bool) bool {
	q := f.get(p)
	return q == nil && !f.same(e, q, e.end())
}

func (f intPtrField) write(e *Encoder, p any) {
	if q := f.get(p); q != nil {
		e.out = integerAt(q).append(e.out)
	} else {
		e.null()
	}
}

func (f intPtrField) isZero(p any) bool { return f.get(p) == nil }

func (f intPtrField) describe(_ *description) *shape {
	return &shape{demand: aPointer, of: shapeNatural, bytes: f.integers.bytes}
}
