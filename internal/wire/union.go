// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import "github.com/tofuwire/tofuwire/internal/jsonscan"

// A Union is the [Type] of objects that have one of several shapes, so that their text
// can be of any kind.
type Union struct {
	src     func(any) *Source
	of      func(text []byte) int
	has     func(any) int
	shapes  []Field
	singles []single
}

// Define says what the objects are, and returns u. The function src returns where one was read. The
// function of tells the shape from the first bytes of its text, has from the fields (-1
// if several are set). The shapes are numbered in the order of the fields that read and
// write them: those of one field, or [Self].
func (u *Union) Define(src func(any) *Source, of func(text []byte) int, has func(any) int, shapes ...Field) *Union {
	u.src, u.of, u.has, u.shapes = src, of, has, shapes
	return u
}

// A single is an object of one member, as most are of a type.
type single struct {
	lead  string // how its text begins
	value int    // the offset of the value or of white space
	k     int    // the number of the member in t
	t     *Table
	clear func(any)
}

// Single says that most objects of a shape which is [Self] with table t have only the
// member called name, and a value that begins with first. The function clear clears the
// field of the member. Single returns u.
func (u *Union) Single(t *Table, name, first string, clear func(any)) *Union {
	u.singles = append(u.singles, single{`{"` + name + `":` + first, len(name) + 4, t.number(name), t, clear})
	return u
}

func (u *Union) decode(d *Decoder, o any) {
	start := d.i
	if start >= len(d.text) {
		fail(start, jsonscan.FaultEnd)
	}
	src := u.src(o)
	if !d.lenient && d.depth < jsonscan.MaxDepth {
		for n := range u.singles {
			if s := &u.singles[n]; len(d.text)-start >= len(s.lead) && string(d.text[start:start+len(s.lead)]) == s.lead {
				if d.single(o, src, s) {
					return
				}
				break
			}
		}
	}
	u.shapes[u.of(d.text[start:])].decode(d, o)
	src.doc, src.start, src.end = d.doc, uint32(start), uint32(d.i)
}

// single decodes an object of one member. It reports false, and has not moved, if there
// is another one.
func (d *Decoder) single(o any, src *Source, s *single) bool {
	start := d.i
	d.depth++
	d.i += s.value
	d.space()
	s.t.fields[s.k].decode(d, o)
	d.depth--
	if d.peek() != '}' {
		d.i = start
		s.clear(o)
		return false
	}
	d.i++
	src.doc, src.start, src.end, src.seen = d.doc, uint32(start), uint32(d.i), 1<<s.k
	return true
}

func (u *Union) edit(e *Encoder, o any) {
	shape, src := u.shape(e, o), u.src(o)
	if shape == u.of(src.text()) {
		u.shapes[shape].edit(e, o, true) // the value cannot go while o is there
		return
	}
	e.flush(e.i)
	at := e.beginFresh()
	u.shapes[shape].write(e, o)
	e.endFresh(at)
	e.replaced(int(src.end))
}

func (u *Union) write(e *Encoder, o any) { u.shapes[u.shape(e, o)].write(e, o) }

func (u *Union) shape(e *Encoder, o any) int {
	shape := u.has(o)
	if shape < 0 {
		fail(e.i, ErrOneOf)
	}
	return shape
}

func (u *Union) isZero(o any) bool {
	shape := u.has(o)
	return shape >= 0 && u.shapes[shape].isZero(o)
}

func (u *Union) source(o any) *Source { return u.src(o) }
func (u *Union) opening() byte        { return 0 }

func (u *Union) describe(p *description) *shape {
	s := p.unions[u]
	if s == nil {
		s = &shape{demand: aUnion, which: u.of}
		p.unions[u] = s
		for _, f := range u.shapes {
			s.shapes = append(s.shapes, f.describe(p))
		}
	}
	return s
}

// Self returns the field, in the shapes of a [Union], of an object whose members have a
// table.
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

// OneOf returns the field of a member that has a field of the object for each of its
// shapes, of which one is set at most. The function of tells the number of the shape
// from the text of the value, and clear clears all the fields.
func OneOf(of func(text []byte) int, clear func(any), shapes ...Field) Field {
	return &oneOfField{of, clear, shapes}
}

type oneOfField struct {
	of     func(text []byte) int
	clear  func(any)
	shapes []Field
}

func (f *oneOfField) decode(d *Decoder, o any) {
	f.clear(o) // of an earlier member of the same name
	f.shapes[f.of(d.text[d.i:])].decode(d, o)
}

// shape returns the field that is set, and otherwise the one for the value at the
// encoder's place.
func (f *oneOfField) shape(e *Encoder, o any) Field {
	set := f.set(o)
	if len(set) > 1 {
		fail(e.i, ErrOneOf)
	}
	if len(set) == 1 {
		return set[0]
	}
	if e.i < len(e.text) {
		return f.shapes[f.of(e.text[e.i:])]
	}
	return f.shapes[0]
}

// set returns the fields that are not zero.
func (f *oneOfField) set(o any) (set []Field) {
	for _, shape := range f.shapes {
		if !shape.isZero(o) {
			set = append(set, shape)
		}
	}
	return set
}

func (f *oneOfField) edit(e *Encoder, o any, keep bool) (goes bool) {
	return f.shape(e, o).edit(e, o, keep)
}

func (f *oneOfField) goes(e *Encoder, o any, keep bool) bool { return f.shape(e, o).goes(e, o, keep) }
func (f *oneOfField) isZero(o any) bool                      { return len(f.set(o)) == 0 }
func (f *oneOfField) skip(e *Encoder, o any)                 { f.shapes[f.of(e.text[e.i:])].skip(e, o) }
func (f *oneOfField) describe(*description) *shape           { return shapeUnknown }

func (f *oneOfField) write(e *Encoder, o any) {
	set := f.set(o)
	switch len(set) {
	case 0:
		f.shapes[0].write(e, o)
	case 1:
		set[0].write(e, o)
	default:
		fail(e.i, ErrOneOf)
	}
}
