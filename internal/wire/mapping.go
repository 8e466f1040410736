// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Map returns the kind of fields of type map[string]P, with pointers to objects of type t:
// zero is nil. The names keep the order of the text; new ones are sorted in, as the tools
// sort them.
func Map[P any](t Type) Field { return mapField{mapOf[P](), t} }

// Members returns the kind of a map that is there always: nil is {}.
func Members[P any](t Type) Field { return membersField{mapField{mapOf[P](), t}} }

// An objectMap is what is done with maps of pointers of one type.
type objectMap struct {
	isNil func(p any) bool
	names func(p any, into []string) []string
	get   func(p any, name []byte) (o any, present bool) // nil for a nil pointer
	set   func(p any, names []string, objects []any)
	clear func(p any)
}

//go:noinline
func mapOf[P any]() *objectMap {
	var null P
	return &objectMap{
		isNil: func(p any) bool { return *p.(*map[string]P) == nil },
		names: func(p any, into []string) []string {
			for name := range *p.(*map[string]P) {
				into = append(into, name)
			}
			return into
		},
		get: func(p any, name []byte) (any, bool) {
			v, ok := (*p.(*map[string]P))[string(name)]
			if o := any(v); o != any(null) {
				return o, ok
			}
			return nil, ok
		},
		set: func(p any, names []string, objects []any) {
			m := make(map[string]P, len(names))
			for i, name := range names {
				m[name] = objects[i].(P)
			}
			*p.(*map[string]P) = m
		},
		clear: func(p any) { *p.(*map[string]P) = nil },
	}
}

type mapField struct {
	*objectMap
	t Type
}

func (f mapField) decode(d *Decoder, p any) {
	d.again = false
	if d.peek() != '{' {
		d.mismatch("an object")
		f.clear(p)
		return
	}
	start, problems := d.i, len(d.problems)
	bad := false
	// The entries are put aside until their number is known: a map that grows
	// takes twice the time.
	objects, values, names := d.heap.slab(f.t.memory()), &d.heap.objects, &d.heap.names
	base, first := beginList(values, d.heap.texts), beginList(names, d.heap.texts)
	d.enter()
	if d.opened('}') {
		for {
			if d.dry {
				d.entryName()
				d.element(f.t, objects.blankAgain(d))
			} else {
				name := d.strings.string(d.entryName())
				v := objects.object(d)
				bad = !d.element(f.t, v) || bad
				push(names, name)
				push(values, v)
			}
			if !d.more('}', jsonscan.FaultObject) {
				break
			}
		}
	}
	d.leave()
	switch {
	case bad:
		d.spoiled(start, problems)
		f.clear(p)
	case d.dry:
		f.clear(p)
	default:
		f.set(p, names.items[first:], values.items[base:])
	}
	dropList(values, base)
	dropList(names, first)
}

func (f mapField) edit(e *Encoder, p any, _ bool) (goes bool) {
	if f.isNil(p) {
		return e.cleared('{', f.t.opening())
	}
	editMap(e, &entries{objects: f.objectMap, t: f.t, p: p})
	return false
}

func (f mapField) goes(e *Encoder, p any, _ bool) bool {
	return f.isNil(p) && e.cleared('{', f.t.opening())
}

func (f mapField) write(e *Encoder, p any) { writeMap(e, &entries{objects: f.objectMap, t: f.t, p: p}) }
func (f mapField) isZero(p any) bool       { return f.isNil(p) }

func (f mapField) skip(e *Encoder, p any) {
	if e.peek() != '{' {
		e.skip()
		return
	}
	e.eachEntry(func(name []byte) {
		if v, _ := f.get(p, name); v != nil {
			e.skipObject(f.t, v)
		} else {
			e.skip()
		}
	})
}

func (f mapField) describe(p *description) *shape {
	return &shape{demand: aMap, of: f.t.describe(p), bytes: f.t.memory().bytes}
}

type membersField struct{ mapField }

func (f membersField) edit(e *Encoder, p any, _ bool) (goes bool) {
	editMap(e, &entries{objects: f.objectMap, t: f.t, p: p})
	return false
}

func (f membersField) goes(*Encoder, any, bool) bool { return false }

// Entries is the [Type] of objects all of whose members are entries of one map, which has
// the number 0. None of them can be extra. Its definition has the field that [Members]
// returns.
type Entries struct {
	Of Objects

	lazily
	objects *Memory
	field   Field
}

func (t *Entries) ready() *Entries {
	if !t.known.Load() {
		t.once.Do(func() {
			d := t.Of.Define()
			t.objects, t.field = d.Memory, d.Fields[0]
			t.known.Store(true)
		})
	}
	return t
}

func (t *Entries) all(o any) any { return t.Of.At(o, 0) }

func (t *Entries) decode(d *Decoder, o any) {
	start := d.i
	t.ready().field.decode(d, t.all(o))
	if !t.field.isZero(t.all(o)) {
		*t.source(o) = Source{doc: d.doc, start: uint32(start), end: uint32(d.i)}
	}
}

func (t *Entries) edit(e *Encoder, o any)         { t.ready().field.edit(e, t.all(o), true) }
func (t *Entries) write(e *Encoder, o any)        { t.ready().field.write(e, t.all(o)) }
func (t *Entries) isZero(o any) bool              { return t.ready().field.isZero(t.all(o)) }
func (t *Entries) source(o any) *Source           { return t.Of.At(o, -1).(*Source) }
func (t *Entries) opening() byte                  { return '{' }
func (t *Entries) memory() *Memory                { return t.ready().objects }
func (t *Entries) describe(p *description) *shape { return shapeUnknown }

// A stringMapField is an object with a string for each name: zero is nil.
type stringMapField struct{ scalar }

func (stringMapField) decode(d *Decoder, p any) { *p.(*map[string]string) = d.stringMap() }

func (stringMapField) edit(e *Encoder, p any, _ bool) (goes bool) {
	m := *p.(*map[string]string)
	if m == nil {
		return e.cleared('{', '"')
	}
	editMap(e, &entries{strings: m})
	return false
}

func (stringMapField) goes(e *Encoder, p any, _ bool) bool {
	return *p.(*map[string]string) == nil && e.cleared('{', '"')
}

func (stringMapField) write(e *Encoder, p any) {
	writeMap(e, &entries{strings: *p.(*map[string]string)})
}
func (stringMapField) isZero(p any) bool              { return *p.(*map[string]string) == nil }
func (stringMapField) describe(_ *description) *shape { return shapeUnknown }

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

func (d *Decoder) stringMap() map[string]string {
	if d.peek() != '{' {
		d.mismatch("an object")
		return nil
	}
	start, problems := d.i, len(d.problems)
	m := make(map[string]string)
	d.eachEntry(func(name []byte) {
		key := d.strings.string(name)
		if d.peek() == '"' {
			m[key] = d.stringValue()
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

// An entries is the map of a field, as editMap sees it: one of objects, or one of strings.
type entries struct {
	objects *objectMap // nil if it is one of strings
	t       Type
	p       any
	strings map[string]string
}

// names appends the names.
func (m *entries) names(into []string) []string {
	if m.objects != nil {
		return m.objects.names(m.p, into)
	}
	return slices.AppendSeq(into, maps.Keys(m.strings))
}

// object returns the object of a name, or nil.
func (m *entries) object(e *Encoder, name string) any {
	e.scratch = append(e.scratch[:0], name...)
	v, _ := m.objects.get(m.p, e.scratch)
	return v
}

// stands reports whether the value of name is at e.i already or, for scalars, means the
// same. The value may be nil.
func (m *entries) stands(e *Encoder, name []byte) (v any, stands, present bool) {
	if m.objects != nil {
		v, present = m.objects.get(m.p, name)
		return v, present && m.t.source(v).at(e.doc, e.i), present // elsewhere has found it not to be nil
	}
	s, present := m.strings[string(name)]
	return nil, present && e.text[e.i] == '"' && e.means(e.text[e.i:e.end()], s), present
}

// elsewhere reports whether the value of name cannot be part of the text that begins at
// open.
func (m *entries) elsewhere(e *Encoder, name string, open int) bool {
	if m.objects == nil {
		return true
	}
	v := m.object(e, name)
	if v == nil {
		e.at.step(name)
		fail(e.i, errNil)
	}
	src := m.t.source(v)
	return src.doc != e.doc || int(src.start) <= open
}

// edit encodes v, which is at e.i.
func (m *entries) edit(e *Encoder, v any) {
	if m.objects != nil {
		m.t.edit(e, v)
	} else {
		e.skip()
	}
}

// skip moves behind v, which is at e.i.
func (m *entries) skip(e *Encoder, v any) {
	if m.objects != nil {
		e.i = int(m.t.source(v).end)
	} else {
		e.skip()
	}
}

// write writes the value of name.
func (m *entries) write(e *Encoder, name string) {
	if m.objects == nil {
		e.quote(m.strings[name])
		return
	}
	v := m.object(e, name)
	if v == nil {
		fail(e.i, errNil)
	}
	e.put(m.t, v)
}

// sorted returns the names in order.
func (m *entries) sorted() []string {
	names := m.names(nil)
	slices.Sort(names)
	return names
}

// writeMap writes an object with the entries of a map in sorted order.
func writeMap(e *Encoder, all *entries) {
	e.enter()
	e.at.push()
	e.out = append(e.out, '{')
	for i, name := range all.sorted() {
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
type mapEdit struct {
	separator
	all   *entries
	open  int
	fresh []string       // names that the text does not have, sorted; not written yet
	last  map[string]int // the offset of the last value of each name; nil before the survey
	done  int            // entries that are written
}

// editMap encodes a map against the value at i.
func editMap(e *Encoder, all *entries) {
	if e.text[e.i] != '{' {
		e.replace(func() { writeMap(e, all) })
		return
	}
	x := mapEdit{all: all, open: e.i}
	e.at.push()
	base := len(e.names)
	e.names = all.names(e.names)
	size := len(e.names) - base
	for _, name := range e.names[base:] {
		if all.elsewhere(e, name, x.open) {
			x.fresh = append(x.fresh, name)
		}
	}
	clear(e.names[base:])
	e.names = e.names[:base]
	if len(x.fresh) > 0 {
		x.survey(e)
		x.fresh = slices.DeleteFunc(x.fresh, func(name string) bool { return x.last[name] > 0 })
		slices.Sort(x.fresh)
	}
	savedColon := e.colon
	e.colon = byteRange{}
	e.beginItems(&x.separator)
	for more := e.peek() != '}'; more; more = e.after(&x.separator, '}') {
		x.entry(e)
	}
	for _, name := range x.fresh {
		x.add(e, name, -1)
	}
	if x.done < size { // values of this text under new names
		x.survey(e)
		for _, name := range all.sorted() {
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
func (x *mapEdit) survey(e *Encoder) {
	if x.last != nil {
		return
	}
	here := e.i
	e.i = x.open
	x.last = make(map[string]int)
	e.eachEntry(func(name []byte) {
		x.last[string(name)] = e.i
		if v, stands, _ := x.all.stands(e, name); stands {
			x.all.skip(e, v)
		} else {
			e.skip()
		}
	})
	e.i = here
}

// add writes a new entry. The next item of the text is at offset next, -1 if there is
// none.
func (x *mapEdit) add(e *Encoder, name string, next int) {
	e.at.step(name)
	e.insert(&x.separator, next)
	e.quote(name)
	e.colonAfterName()
	x.all.write(e, name)
	x.done++
}

// entry encodes the entry at i of the text, after new ones that come before it.
func (x *mapEdit) entry(e *Encoder) {
	at := e.i
	name := unquote(e.anyName())
	value := e.i
	for len(x.fresh) > 0 && x.fresh[0] < string(name) {
		x.add(e, x.fresh[0], at)
		x.fresh = x.fresh[1:]
	}
	e.i = value
	e.colon = byteRange{at, value}
	v, stands, present := x.all.stands(e, name)
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
		x.all.edit(e, v)
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
