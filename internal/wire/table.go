// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Table is the [Type] of objects whose members have names of their own. It lists them
// in their canonical order. Tables are data: what they say is asked of Of when they are
// used for the first time.
type Table struct {
	Of Objects

	lazily
	objects *Memory
	fields  []Field    // by number
	names   []string   // by number
	heads   []head     // of names
	slots   *[64]uint8 // by how a name begins: its number plus one, or 0
	always  uint64     // members that are written even if zero
	null    uint64     // members that are null if zero
	kept    uint64     // members that stay in canonical form though they are zero
	order   []uint8    // the numbers in canonical order
	rank    []uint8    // the inverse of order
	index   map[string]int
	id      uint32 // a number that no other table has

	alt       *Table         // with another order
	terraform *terraformForm // if it differs

	shape atomic.Pointer[shape] // once it was asked for
}

// Objects is what a package says of the objects of one of its types. It is a type of its
// own, because tables refer to each other, and the initial values of variables must not.
type Objects interface {
	// Define describes the objects. It is called once.
	Define() Definition
	// At returns a pointer to the field of o whose member has the number k, and for -1
	// a pointer to the object's [Source].
	At(o any, k int) any
}

// A Definition describes the objects of a [Table].
type Definition struct {
	// Members has the names of the members, separated by blanks, in canonical order and
	// numbered from 0. A name that ends in "!" is that of a member which is always
	// written, one in "?" of a member which is written as null if it is zero and has to be
	// written, one in "+" of a member that the canonical form has though it is zero, if
	// the text has it.
	Members string

	// Memory is where the objects come from.
	Memory *Memory

	// Fields read and write the members, by number. Nil ones, and those that are
	// missing at the end, follow from the type of the field: see [Field].
	Fields []Field

	Terraform string // the rules of [Table.inTerraform]
	Alt       string // the members in another order, see [Table.reorder]
}

// lazily is part of types that are described when they are used.
type lazily struct {
	known atomic.Bool
	once  sync.Once
}

// ready returns t, which is described.
func (t *Table) ready() *Table {
	if !t.known.Load() {
		t.once.Do(func() {
			t.define(t.Of.Define())
			t.known.Store(true)
		})
	}
	return t
}

// tables counts the tables that were made.
var tables atomic.Uint32

// A head is what a name is recognized by in a text: its first eight bytes,
// with the closing quote if it is shorter, little endian, and which of their
// bits count; for a longer one its last seven bytes and the quote.
type head struct {
	word, mask uint64
	tail       uint64
	size       int // of the name with its opening quote
}

func headOf(name string) head {
	var b [8]byte
	n := copy(b[:], name+`"`)
	h := head{word: binary.LittleEndian.Uint64(b[:]), mask: 1<<(8*n) - 1, size: 1 + len(name)} // a shift by 64 gives 0, and so all bits
	if len(name) >= 8 {
		copy(b[:], name[len(name)-7:]+`"`)
		h.tail = binary.LittleEndian.Uint64(b[:])
	}
	return h
}

// slotFactor is the factor of all tables.
const slotFactor = 0x9e3779b97f4a7c15

// slot returns the place in the slots of a table of the number of a name whose
// text begins with word, if no other name has the place.
func slot(word, factor uint64) uint64 {
	q := word ^ '"'*0x0101010101010101
	if q = (q - 0x0101010101010101) &^ q & 0x8080808080808080; q != 0 {
		word &= q ^ (q - 1) // up to the quote
	}
	return word * factor >> 58
}

// define makes t what d says. It panics if d is wrong: there are too many members, a name
// occurs twice, or there is a field for no member. A test of the generated code finds that.
func (t *Table) define(d Definition) {
	names := strings.Fields(d.Members)
	if len(names) > maxMembers {
		panic(fmt.Sprintf("wire: %d members, at most %d are possible", len(names), maxMembers))
	}
	if len(d.Fields) > len(names) {
		panic(fmt.Sprintf("wire: %d fields for %d members", len(d.Fields), len(names)))
	}
	t.slots, t.index, t.id = new([64]uint8), make(map[string]int, len(names)), tables.Add(1)-1
	t.objects, t.fields = d.Memory, append(d.Fields, make([]Field, len(names)-len(d.Fields))...)
	for k, name := range names {
		t.names = append(t.names, t.marked(name, k))
		name = t.names[k]
		if _, dup := t.index[name]; dup {
			panic("wire: two members are called " + name)
		}
		t.index[name] = k
		h := headOf(name)
		t.heads = append(t.heads, h)
		if s := &t.slots[slot(h.word, slotFactor)]; *s == 0 {
			*s = uint8(k + 1)
		}
		t.order = append(t.order, uint8(k))
		t.rank = append(t.rank, uint8(k))
		if t.fields[k] == nil {
			t.fields[k] = plain(t.Of.At(t.objects.blank, k))
		}
	}
	if d.Terraform != "" {
		t.inTerraform(strings.Fields(d.Terraform))
	}
	if d.Alt != "" {
		t.reorder(strings.Fields(d.Alt))
	}
}

// marked returns a name of member k without its marks, and takes note of these.
func (t *Table) marked(name string, k int) string {
	for _, mark := range []struct {
		sign string
		bits *uint64
	}{{"!", &t.always}, {"?", &t.null}, {"+", &t.kept}} {
		var is bool
		if name, is = strings.CutSuffix(name, mark.sign); is {
			*mark.bits |= 1 << k
		}
	}
	return name
}

// reorder gives t another order, which its members have below a field made by the
// function [Alt]. Members that names leaves out follow in the order of t. A name that ends
// in "!" is always written there.
func (t *Table) reorder(names []string) {
	alt := &Table{Of: t.Of, objects: t.objects, fields: t.fields, names: t.names, heads: t.heads, slots: t.slots, index: t.index, always: t.always, null: t.null, kept: t.kept, rank: make([]uint8, len(t.names)), id: tables.Add(1) - 1}
	alt.known.Store(true)
	used := make([]bool, len(t.names))
	for _, name := range names {
		name, always := strings.CutSuffix(name, "!")
		k, ok := t.index[name]
		if !ok || used[k] {
			panic("wire: cannot reorder member " + name)
		}
		used[k] = true
		if always {
			alt.always |= 1 << k
		}
		alt.order = append(alt.order, uint8(k))
	}
	for _, k := range t.order {
		if !used[k] {
			alt.order = append(alt.order, k)
		}
	}
	for r, k := range alt.order {
		alt.rank[k] = uint8(r)
	}
	t.alt = alt
}

// pick returns the table that is in force: t, or the one with the other order.
func (t *Table) pick(alt bool) *Table {
	if alt && t.alt != nil {
		return t.alt
	}
	return t
}

// lookup returns the number of the member with this name, or -1.
func (t *Table) lookup(name []byte) int {
	if k, ok := t.ready().index[string(name)]; ok {
		return k
	}
	return -1
}

func (t *Table) decode(d *Decoder, o any) { d.members(o, t.ready().pick(d.alt)) }
func (t *Table) source(o any) *Source     { return t.Of.At(o, -1).(*Source) }
func (t *Table) opening() byte            { return '{' }
func (t *Table) memory() *Memory          { return t.ready().objects }

func (t *Table) isZero(o any) bool {
	for k := range t.ready().fields {
		if !t.isZeroAt(o, k) {
			return false
		}
	}
	return true
}

// isZeroAt reports whether the field of member k is zero.
func (t *Table) isZeroAt(o any, k int) bool {
	switch p := t.Of.At(o, k).(type) {
	case *string: // as most are
		return *p == ""
	case *[]byte:
		return *p == nil
	default:
		return t.fields[k].isZero(p)
	}
}

func (t *Table) edit(e *Encoder, o any) {
	x := objectEdit{t: t.ready().pick(e.alt), o: o, src: t.source(o)}
	x.walk(e)
}

// write encodes an object without regard to its source.
func (t *Table) write(e *Encoder, o any) {
	t = t.ready().pick(e.alt)
	src := t.source(o)
	e.enter()
	e.at.push()
	e.out = append(e.out, '{')
	comma := false
	order, written := e.layout(src, t)
	for _, k := range order {
		always, null, f, p := written&(1<<k) != 0, t.null&(1<<k) != 0, t.fields[k], t.Of.At(o, int(k))
		if !always || null {
			zero := f.isZero(p)
			if zero && !always && !(e.canonical && src.seen&(t.null|t.kept)&(1<<k) != 0) {
				continue
			}
			null = null && zero
		}
		if comma {
			e.out = append(e.out, ',')
		}
		comma = true
		e.at.step(t.names[k])
		e.quote(t.names[k])
		e.out = append(e.out, ':')
		if null {
			e.null()
		} else {
			f.write(e, p)
		}
	}
	if e.canonical && src.seen&seenExtra != 0 {
		for name, v := range Extra[[]byte](src, t) {
			if comma {
				e.out = append(e.out, ',')
			}
			comma = true
			e.quote(name)
			e.out = append(e.out, ':')
			e.out = jsonscan.AppendCanonical(e.out, v)
		}
	}
	e.out = append(e.out, '}')
	e.at.pop()
	e.leave()
}

func (t *Table) describe(p *description) *shape {
	s := p.tables[t.ready()]
	if s == nil {
		s = &shape{demand: anObject, table: t}
		p.tables[t] = s
		for _, f := range t.fields {
			s.members = append(s.members, f.describe(p))
		}
		s.spread()
	}
	return s
}
