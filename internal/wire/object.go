// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import "github.com/tofuwire/tofuwire/internal/jsonscan"

// Struct is the operation of a field that is an object by value. Such members
// are always written, so the field is never zero.
func Struct[T any](x *Codec, p *T, fields func(*T, *Codec)) {
	switch x.mode {
	case decoding:
		if x.again {
			*p = *new(T) // the last occurrence wins as a whole
			x.again = false
		}
		fields(p, x)
	case walking:
		walkStruct(x, p, fields)
	case judging:
		x.cleared = false
	case writing:
		put(x, p, fields)
	case probing:
		// A member that the text lacks is missing on purpose until the field
		// says something.
		x.zero = isBlank(x, p, fields)
	case skipping:
		skipTo(x, p, fields)
	case describing:
		x.says(shapeOf(x, p, fields))
	}
}

// isBlank reports whether an object by value says nothing: it was not read
// from any text and has only zero fields.
func isBlank[T any](x *Codec, p *T, fields func(*T, *Codec)) bool {
	if locate(x, p, fields).doc != nil {
		return false
	}
	mode := x.mode
	x.mode = probing
	fields(p, x)
	x.mode = mode
	return x.zero
}

func walkStruct[T any](x *Codec, p *T, fields func(*T, *Codec)) {
	if locate(x, p, fields).at(x.doc, x.i) {
		fields(p, x)
		return
	}
	end := x.end()
	if x.text[x.i] != '{' {
		// Null, or another kind of value in a lenient decoding: the field was
		// left zero, and has to stay so for the text to stay.
		if isBlank(x, p, fields) {
			x.i = end
			return
		}
	}
	x.flush(x.i)
	put(x, p, fields)
	x.replaced(end)
}

// skipTo moves behind the value at i, which is v's text if it is here.
func skipTo[T any](x *Codec, v *T, fields func(*T, *Codec)) {
	if v != nil {
		if src := locate(x, v, fields); src.at(x.doc, x.i) {
			x.i = int(src.end)
			return
		}
	}
	x.skip()
}

// Ptr is the operation of a field that points to an object: zero is nil.
func Ptr[T any](x *Codec, p **T, fields func(*T, *Codec)) { pointer(x, p, fields, false) }

// UnionPtr is the operation of a field that points to an object whose type
// uses [Codec.Union], so that its text can be of any kind: zero is nil.
func UnionPtr[T any](x *Codec, p **T, fields func(*T, *Codec)) { pointer(x, p, fields, true) }

func pointer[T any](x *Codec, p **T, fields func(*T, *Codec), union bool) {
	switch x.mode {
	case decoding:
		x.again = false
		if x.peek() == 'n' {
			*p = nil
			x.skip()
			return
		}
		v := newObject[T](x)
		before := len(x.problems)
		fields(v, x)
		if len(x.problems) > before && locate(x, v, fields).doc == nil {
			v = nil // another kind of value
		}
		*p = v
	case walking, judging:
		if *p == nil {
			// Null stays, and so does what a lenient decoding passed over.
			c := x.text[x.i]
			x.settle(x.end(), c == 'n' || c != '{' && !union, true)
			return
		}
		if x.mode == judging {
			x.cleared = false
			return
		}
		walkPtr(x, *p, fields)
	case writing:
		if *p == nil {
			x.out = append(x.out, "null"...)
			return
		}
		put(x, *p, fields)
	case probing:
		x.zero = *p == nil
	case skipping:
		skipTo(x, *p, fields)
	case describing:
		describe(x, aPointer, fields)
	}
}

// walkPtr encodes v against the value at i.
func walkPtr[T any](x *Codec, v *T, fields func(*T, *Codec)) {
	if locate(x, v, fields).at(x.doc, x.i) {
		fields(v, x)
		return
	}
	end := x.end()
	x.flush(x.i)
	put(x, v, fields)
	x.replaced(end)
}

// BeginSingle is the beginning of [Codec.Union] for the decoding of an object of one
// member, in the shape of [Codec.Object], if its text begins with lead, where the value
// or white space follows at offset at. It reports false if the text begins
// otherwise. If not, the caller reads the value, and then calls [Codec.EndSingle].
func (x *Codec) BeginSingle(lead string, at int) (start int, ok bool) {
	start = x.i
	if x.lenient || x.depth >= jsonscan.MaxDepth || len(x.text)-start < len(lead) || string(x.text[start:start+len(lead)]) != lead {
		return start, false
	}
	x.depth++
	x.i += at
	x.space()
	return start, true
}

// EndSingle ends what [Codec.BeginSingle] began at start; its member has number k. It
// reports false, and is back at the start, if the object has another member.
func (x *Codec) EndSingle(src *Source, start, k int) bool {
	x.depth--
	if x.peek() != '}' {
		x.i = start
		return false
	}
	x.i++
	src.doc, src.start, src.end, src.seen = x.doc, uint32(start), uint32(x.i), 1<<k
	return true
}

// Union carries out what the codec does for an object o that has one of
// several shapes. The function of tells the shape from the first bytes of its
// text, has from the fields (-1 if several are set), and body calls the
// operation of the shape: [Codec.Object], [Map], [Slice] or [Raw]. The shapes
// are numbered as the type likes.
func (x *Codec) Union(o any, src *Source, of func(text []byte) int, has func(o any) int, body func(o any, x *Codec, shape int)) {
	switch x.mode {
	case locating:
		x.located = src
	case skipping: // it is here
		x.i = int(src.end)
	case decoding:
		start := x.i
		if start >= len(x.text) {
			x.fail(start, jsonscan.FaultEnd)
		}
		body(o, x, of(x.text[start:]))
		src.doc, src.start, src.end = x.doc, uint32(start), uint32(x.i)
	case walking:
		shape := x.shape(o, has)
		if shape == of(src.text()) {
			x.member = true // the value cannot go while o is there
			body(o, x, shape)
			return
		}
		x.flush(x.i)
		x.mode = writing
		at := x.beginFresh()
		body(o, x, shape)
		x.endFresh(at)
		x.mode = walking
		x.replaced(int(src.end))
	case writing:
		body(o, x, x.shape(o, has))
	case describing:
		x.describeUnion(o, of, body)
	}
}

func (x *Codec) shape(o any, has func(any) int) int {
	shape := has(o)
	if shape < 0 {
		x.fail(x.i, ErrOneOf)
	}
	return shape
}
