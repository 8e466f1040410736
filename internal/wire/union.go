// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import "github.com/tofuwire/tofuwire/internal/jsonscan"

// A Union is the [Type] of objects that have one of several shapes, so that their text
// can be of any kind.
type Union struct {
	Of Shapes

	lazily
	UnionDefinition
}

// Shapes is what a package says of the objects of a [Union].
type Shapes interface {
	// DefineUnion describes the shapes. It is called once.
	DefineUnion() UnionDefinition
	// At returns a pointer to the field that the shape with number k is about, or o
	// itself if the shape is [Self], and for -1 a pointer to the object's [Source].
	At(o any, k int) any
}

// A UnionDefinition describes the shapes of the objects of a [Union].
type UnionDefinition struct {
	Memory *Memory // where the objects come from
	// Shape tells the number of the shape from the first bytes of a text.
	Shape func(text []byte) int
	// Set tells it from the fields of an object; -1 if several are set.
	Set func(o any) int
	// Fields read and write the shapes: those of one field, nil if its kind follows from
	// its type, or [Self].
	Fields []Field
	// Singles are the members that most objects have nothing but.
	Singles []Single
}

// A Single says that many objects of a shape which is [Self] with table Table have only the
// member called Name, with a value that begins with First.
type Single struct {
	Table       *Table
	Name, First string
	Clear       func(o any) // clears the field of the member
	lead        string      // how the text begins
	value       int         // the offset of the value or of white space
	k           int         // the number of the member in Table
}

func (u *Union) ready() *Union {
	if !u.known.Load() {
		u.once.Do(func() {
			u.UnionDefinition = u.Of.DefineUnion()
			for k, f := range u.Fields {
				if f == nil {
					u.Fields[k] = plain(u.Of.At(u.Memory.blank, k))
				}
			}
			for n := range u.Singles {
				s := &u.Singles[n]
				s.lead, s.value, s.k = `{"`+s.Name+`":`+s.First, len(s.Name)+4, s.Table.ready().number(s.Name)
			}
			u.known.Store(true)
		})
	}
	return u
}

func (u *Union) decode(d *Decoder, o any) {
	start := d.i
	if start >= len(d.text) {
		fail(start, jsonscan.FaultEnd)
	}
	src := u.ready().source(o)
	if !d.lenient && d.depth < jsonscan.MaxDepth {
		for n := range u.Singles {
			if s := &u.Singles[n]; len(d.text)-start >= len(s.lead) && string(d.text[start:start+len(s.lead)]) == s.lead {
				if d.single(o, src, s) {
					return
				}
				break
			}
		}
	}
	shape := u.Shape(d.text[start:])
	u.Fields[shape].decode(d, u.Of.At(o, shape))
	src.doc, src.start, src.end = d.doc, uint32(start), uint32(d.i)
}

// single decodes an object of one member. It reports false, and has not moved, if there
// is another one.
func (d *Decoder) single(o any, src *Source, s *Single) bool {
	start := d.i
	d.depth++
	d.i += s.value
	d.space()
	s.Table.fields[s.k].decode(d, s.Table.Of.At(o, s.k))
	d.depth--
	if d.peek() != '}' {
		d.i = start
		s.Clear(o)
		return false
	}
	d.i++
	src.doc, src.start, src.end, src.seen = d.doc, uint32(start), uint32(d.i), 1<<s.k
	return true
}

func (u *Union) edit(e *Encoder, o any) {
	shape, src := u.shape(e, o), u.source(o)
	p := u.Of.At(o, shape)
	if shape == u.Shape(src.text()) {
		u.Fields[shape].edit(e, p, true) // the value cannot go while o is there
		return
	}
	e.flush(e.i)
	at := e.beginFresh()
	u.Fields[shape].write(e, p)
	e.endFresh(at)
	e.replaced(int(src.end))
}

func (u *Union) write(e *Encoder, o any) {
	shape := u.shape(e, o)
	u.Fields[shape].write(e, u.Of.At(o, shape))
}

func (u *Union) shape(e *Encoder, o any) int {
	shape := u.ready().Set(o)
	if shape < 0 {
		fail(e.i, ErrOneOf)
	}
	return shape
}

func (u *Union) isZero(o any) bool {
	shape := u.ready().Set(o)
	return shape >= 0 && u.Fields[shape].isZero(u.Of.At(o, shape))
}

func (u *Union) source(o any) *Source { return u.Of.At(o, -1).(*Source) }
func (u *Union) opening() byte        { return 0 }
func (u *Union) memory() *Memory      { return u.ready().Memory }

func (u *Union) describe(p *description) *shape {
	s := p.unions[u]
	if s == nil {
		s = &shape{demand: aUnion, which: u.ready().Shape}
		p.unions[u] = s
		for _, f := range u.Fields {
			s.shapes = append(s.shapes, f.describe(p))
		}
	}
	return s
}

// Self returns the field, in the shapes of a [Union], of an object whose members have a
// table: its field is the object itself.
func Self(t *Table) Field { return selfField{t} }

type selfField struct{ t *Table }

func (f selfField) decode(d *Decoder, o any) { f.t.decode(d, o) }

func (f selfField) edit(e *Encoder, o any, _ bool) (goes bool) {
	f.t.edit(e, o)
	return false
}

func (f selfField) goes(*Encoder, any, bool) bool  { return false }
func (f selfField) write(e *Encoder, o any)        { f.t.write(e, o) }
func (f selfField) isZero(o any) bool              { return f.t.isZero(o) }
func (f selfField) skip(e *Encoder, _ any)         { e.skip() }
func (f selfField) describe(p *description) *shape { return f.t.describe(p) }

// OneOf returns the kind of a member that has a field of the object for each of its
// shapes, of which one is set at most. [Objects] returns the object itself for it. The
// function shape tells the number of the shape from the text of the value, at returns a
// pointer to the field of one, and clear clears all of them.
func OneOf(shape func(text []byte) int, at func(o any, shape int) any, clear func(o any), shapes ...Field) Field {
	return &oneOfField{shape, at, clear, shapes}
}

type oneOfField struct {
	shape  func(text []byte) int
	at     func(o any, shape int) any
	clear  func(o any)
	shapes []Field
}

func (f *oneOfField) decode(d *Decoder, o any) {
	f.clear(o) // of an earlier member of the same name
	shape := f.shape(d.text[d.i:])
	f.shapes[shape].decode(d, f.at(o, shape))
}

// field returns the field that is set and a pointer to it, and otherwise that for the value
// at the encoder's place.
func (f *oneOfField) field(e *Encoder, o any) (Field, any) {
	shape := 0
	switch set := f.set(o); {
	case len(set) > 1:
		fail(e.i, ErrOneOf)
	case len(set) == 1:
		shape = set[0]
	case e.i < len(e.text):
		shape = f.shape(e.text[e.i:])
	}
	return f.shapes[shape], f.at(o, shape)
}

// set returns the shapes whose fields are not zero.
func (f *oneOfField) set(o any) (set []int) {
	for shape, field := range f.shapes {
		if !field.isZero(f.at(o, shape)) {
			set = append(set, shape)
		}
	}
	return set
}

func (f *oneOfField) edit(e *Encoder, o any, keep bool) (goes bool) {
	field, p := f.field(e, o)
	return field.edit(e, p, keep)
}

func (f *oneOfField) goes(e *Encoder, o any, keep bool) bool {
	field, p := f.field(e, o)
	return field.goes(e, p, keep)
}

func (f *oneOfField) isZero(o any) bool            { return len(f.set(o)) == 0 }
func (f *oneOfField) describe(*description) *shape { return shapeUnknown }

func (f *oneOfField) skip(e *Encoder, o any) {
	shape := f.shape(e.text[e.i:])
	f.shapes[shape].skip(e, f.at(o, shape))
}

func (f *oneOfField) write(e *Encoder, o any) {
	shape := 0
	switch set := f.set(o); {
	case len(set) > 1:
		fail(e.i, ErrOneOf)
	case len(set) == 1:
		shape = set[0]
	}
	f.shapes[shape].write(e, f.at(o, shape))
}
