// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Map returns the field of an object with an object of type t for
// each name: zero is nil. The names keep the order of the text; new ones are
// sorted in, as the tools sort them.
func Map[T any](of func(any) *map[string]*T, t Type) Field { return &mapField[T]{of, t} }

// Members returns the field of a map that is there always: nil is {}.
func Members[T any](of func(any) *map[string]*T, t Type) Field {
	return &membersField[T]{mapField[T]{of, t}}
}

type mapField[T any] struct {
	of func(any) *map[string]*T
	t  Type
}

func (f *mapField[T]) decode(d *Decoder, o any) {
	p := f.of(o)
	*p = decodeMap[T](d, f.t)
}

func (f *mapField[T]) edit(e *Encoder, o any, _ bool) (goes bool) {
	m := *f.of(o)
	if m == nil {
		return e.cleared('{', f.t.opening())
	}
	editMap(e, m, objectMap[T]{m, f.t})
	return false
}

func (f *mapField[T]) goes(e *Encoder, o any, _ bool) bool {
	return *f.of(o) == nil && e.cleared('{', f.t.opening())
}

func (f *mapField[T]) write(e *Encoder, o any) {
	m := *f.of(o)
	writeMap(e, m, objectMap[T]{m, f.t})
}

func (f *mapField[T]) isZero(o any) bool { return *f.of(o) == nil }

func (f *mapField[T]) skip(e *Encoder, o any) {
	m := *f.of(o)
	if e.peek() != '{' {
		e.skip()
		return
	}
	e.eachEntry(func(name []byte) {
		if v := m[string(name)]; v != nil {
			e.skipObject(f.t, v)
		} else {
			e.skip()
		}
	})
}

func (f *mapField[T]) describe(p *description) *shape {
	return &shape{demand: aMap, of: f.t.describe(p), bytes: sizeOf[T]()}
}

type membersField[T any] struct{ mapField[T] }

func (f *membersField[T]) edit(e *Encoder, o any, _ bool) (goes bool) {
	m := *f.of(o)
	editMap(e, m, objectMap[T]{m, f.t})
	return false
}

func (f *membersField[T]) goes(*Encoder, any, bool) bool { return false }

// Entries is the [Type] of objects all of whose members are entries of one map. None of
// them can be extra.
type Entries struct {
	src func(any) *Source
	all Field
}

// Define says what the objects are, and returns t: src returns where one was read, and all is the field
// that [Members] returns.
func (t *Entries) Define(src func(any) *Source, all Field) *Entries {
	t.src, t.all = src, all
	return t
}

func (t *Entries) decode(d *Decoder, o any) {
	start := d.i
	t.all.decode(d, o)
	if !t.all.isZero(o) {
		*t.src(o) = Source{doc: d.doc, start: uint32(start), end: uint32(d.i)}
	}
}

func (t *Entries) edit(e *Encoder, o any)         { t.all.edit(e, o, true) }
func (t *Entries) write(e *Encoder, o any)        { t.all.write(e, o) }
func (t *Entries) isZero(o any) bool              { return t.all.isZero(o) }
func (t *Entries) source(o any) *Source           { return t.src(o) }
func (t *Entries) opening() byte                  { return '{' }
func (t *Entries) describe(p *description) *shape { return shapeUnknown }

// StringMap returns the field of an object with a string for
// each name: zero is nil.
func StringMap[S ~string](of func(any) *map[string]S) Field { return &stringMapField[S]{of: of} }

type stringMapField[S ~string] struct {
	scalar
	of func(any) *map[string]S
}

func (f *stringMapField[S]) decode(d *Decoder, o any) {
	p := f.of(o)
	*p = decodeStringMap[S](d)
}

func (f *stringMapField[S]) edit(e *Encoder, o any, _ bool) (goes bool) {
	m := *f.of(o)
	if m == nil {
		return e.cleared('{', '"')
	}
	editMap(e, m, stringMap[S]{m})
	return false
}

func (f *stringMapField[S]) goes(e *Encoder, o any, _ bool) bool {
	return *f.of(o) == nil && e.cleared('{', '"')
}

func (f *stringMapField[S]) write(e *Encoder, o any) {
	m := *f.of(o)
	writeMap(e, m, stringMap[S]{m})
}

func (f *stringMapField[S]) isZero(o any) bool              { return *f.of(o) == nil }
func (f *stringMapField[S]) describe(_ *description) *shape { return shapeUnknown }

// eachEntry reads the object at i and calls entry for each name, with i
// at its value.
func (c *cursor) eachEntry(entry func(name []byte)) {
	c.enter()
	if c.opened('}') {
		for {
			entry(c.entryName())
			if !c.more('}', jsonscan.FaultObject) {
				break
			}
		}
	}
	c.leave()
}

func decodeMap[T any](d *Decoder, t Type) map[string]*T {
	d.again = false
	if d.peek() != '{' {
		d.mismatch("an object")
		return nil
	}
	start, problems := d.i, len(d.problems)
	bad := false
	// The entries are put aside until their number is known: a map that grows
	// takes twice the time.
	objects := slabOf[T](&d.heap)
	entries := &objects.entries
	base := entries.begin(d.heap.texts)
	d.enter()
	if d.opened('}') {
		for {
			if d.dry {
				d.entryName()
				d.element(t, objects.blank(d))
			} else {
				name := d.strings.string(d.entryName())
				v := objects.object(d)
				bad = !d.element(t, v) || bad
				entries.push(entry[T]{name, v})
			}
			if !d.more('}', jsonscan.FaultObject) {
				break
			}
		}
	}
	d.leave()
	if bad {
		d.spoiled(start, problems)
		entries.drop(base)
		return nil
	}
	if d.dry {
		return nil
	}
	m := make(map[string]*T, len(entries.stack)-base)
	for _, one := range entries.stack[base:] {
		m[one.name] = one.value
	}
	entries.drop(base)
	return m
}

func decodeStringMap[S ~string](d *Decoder) map[string]S {
	if d.peek() != '{' {
		d.mismatch("an object")
		return nil
	}
	start, problems := d.i, len(d.problems)
	m := make(map[string]S)
	d.eachEntry(func(name []byte) {
		key := d.strings.string(name)
		if d.peek() == '"' {
			m[key] = S(d.stringValue())
			return
		}
		if d.peek() == 'n' {
			d.null()
		}
		d.mismatch("a string")
	})
	if len(d.problems) > problems {
		d.spoiled(start, problems)
		return nil
	}
	return m
}

// An entries is the map of a field, seen by editMap.
type entries interface {
	// stands reports whether the value of name is at e.i already or, for
	// scalars, means the same.
	stands(e *Encoder, name []byte) (stands, present bool)
	// elsewhere reports whether the value of name cannot be part of the text
	// that begins at open.
	elsewhere(e *Encoder, name string, open int) bool
	// edit encodes the value of name, which is at e.i.
	edit(e *Encoder, name []byte)
	// skip moves behind the value of name, which is at e.i.
	skip(e *Encoder, name []byte)
	// write writes the value of name.
	write(e *Encoder, name string)
}

type objectMap[T any] struct {
	m map[string]*T
	t Type
}

func (o objectMap[T]) stands(e *Encoder, name []byte) (stands, present bool) {
	v, ok := o.m[string(name)]
	if !ok {
		return false, false
	}
	return o.t.source(v).at(e.doc, e.i), true // elsewhere has found it not to be nil
}

func (o objectMap[T]) elsewhere(e *Encoder, name string, open int) bool {
	v := o.m[name]
	if v == nil {
		e.at.step(name)
		fail(e.i, errNil)
	}
	src := o.t.source(v)
	return src.doc != e.doc || int(src.start) <= open
}

func (o objectMap[T]) edit(e *Encoder, name []byte) { o.t.edit(e, o.m[string(name)]) }
func (o objectMap[T]) skip(e *Encoder, name []byte) { e.i = int(o.t.source(o.m[string(name)]).end) }

func (o objectMap[T]) write(e *Encoder, name string) {
	v := o.m[name]
	if v == nil {
		fail(e.i, errNil)
	}
	e.put(o.t, v)
}

type stringMap[S ~string] struct{ m map[string]S }

func (s stringMap[S]) stands(e *Encoder, name []byte) (stands, present bool) {
	v, ok := s.m[string(name)]
	if !ok || e.text[e.i] != '"' {
		return false, ok
	}
	return e.means(e.text[e.i:e.end()], string(v)), true
}

func (s stringMap[S]) elsewhere(*Encoder, string, int) bool { return true }
func (s stringMap[S]) edit(e *Encoder, _ []byte)            { e.skip() }
func (s stringMap[S]) skip(e *Encoder, _ []byte)            { e.skip() }
func (s stringMap[S]) write(e *Encoder, name string)        { e.quote(string(s.m[name])) }

// writeMap writes an object with the entries of m in sorted order.
func writeMap[V any, E entries](e *Encoder, m map[string]V, all E) {
	e.enter()
	e.at.push()
	e.out = append(e.out, '{')
	for i, name := range slices.Sorted(maps.Keys(m)) {
		e.at.step(name)
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.quote(name)
		e.out = append(e.out, ':')
		all.write(e, name)
	}
	e.out = append(e.out, '}')
	e.at.pop()
	e.leave()
}

// A mapEdit is the encoding of a map against the object at open. Entries that stand where
// the text has them are walked in place. The first one that does not, or one that
// certainly is not in the text, makes a survey of the text's names necessary:
// it distinguishes shadowed duplicates from replaced values, and finds new names.
type mapEdit[E entries] struct {
	separator
	all   E
	open  int
	fresh []string       // names that the text does not have, sorted; not written yet
	last  map[string]int // the offset of the last value of each name; nil before the survey
	done  int            // entries that are written
}

// editMap encodes a map against the value at i.
func editMap[V any, E entries](e *Encoder, m map[string]V, all E) {
	if e.text[e.i] != '{' {
		e.replace(func() { writeMap(e, m, all) })
		return
	}
	x := mapEdit[E]{all: all, open: e.i}
	e.at.push()
	for name := range m {
		if all.elsewhere(e, name, x.open) {
			x.fresh = append(x.fresh, name)
		}
	}
	if len(x.fresh) > 0 {
		x.survey(e)
		x.fresh = slices.DeleteFunc(x.fresh, func(name string) bool { return x.last[name] > 0 })
		slices.Sort(x.fresh)
	}
	savedColon := e.colon
	e.colon = span{}
	e.beginItems(&x.separator)
	for more := e.peek() != '}'; more; more = e.after(&x.separator, '}') {
		x.entry(e)
	}
	for _, name := range x.fresh {
		x.add(e, name, -1)
	}
	if x.done < len(m) { // values of this text under new names
		x.survey(e)
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if x.last[name] == 0 && !all.elsewhere(e, name, x.open) {
				x.add(e, name, -1)
			}
		}
	}
	e.endItems(&x.separator, '}')
	e.at.pop()
	e.colon = savedColon
}

// survey finds the last value of each name in the text, unless that is known.
func (x *mapEdit[E]) survey(e *Encoder) {
	if x.last != nil {
		return
	}
	here := e.i
	e.i = x.open
	x.last = make(map[string]int)
	e.eachEntry(func(name []byte) {
		x.last[string(name)] = e.i
		if stands, _ := x.all.stands(e, name); stands {
			x.all.skip(e, name)
		} else {
			e.skip()
		}
	})
	e.i = here
}

// add writes a new entry. The next item of the text is at offset next, -1 if there is
// none.
func (x *mapEdit[E]) add(e *Encoder, name string, next int) {
	e.at.step(name)
	e.insert(&x.separator, next)
	e.quote(name)
	e.colonAfterName()
	x.all.write(e, name)
	x.done++
}

// entry encodes the entry at i of the text, after new ones that come before it.
func (x *mapEdit[E]) entry(e *Encoder) {
	at := e.i
	name := unquote(e.anyName())
	value := e.i
	for len(x.fresh) > 0 && x.fresh[0] < string(name) {
		x.add(e, x.fresh[0], at)
		x.fresh = x.fresh[1:]
	}
	e.i = value
	e.colon = span{at, value}
	stands, present := x.all.stands(e, name)
	if !stands {
		x.survey(e)
	}
	if e.at.tracked {
		e.at.step(string(name))
	}
	switch {
	case !present: // all occurrences go
		e.skip()
		e.drop(&x.separator, e.i)
	case x.last != nil && x.last[string(name)] != e.i: // a later one counts
		e.survive(&x.separator, at)
		e.skip()
	case stands:
		e.survive(&x.separator, at)
		x.all.edit(e, name)
		x.done++
	default:
		e.survive(&x.separator, at)
		end := e.end()
		e.flush(e.i)
		x.all.write(e, string(name))
		e.replaced(end)
		x.done++
	}
}
