// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A document is one text that objects were decoded from.
type document struct{ text []byte }

// A Source says where an object was read. The zero Source is that of an
// object made by the caller. It is the size of a slice header.
type Source struct {
	doc        *document
	start, end uint32
	// seen has a bit for each known member that the text has, and two marks.
	seen uint64
}

const (
	seenExtra uint64 = 1 << 62 // there are members that the table does not know
	seenTwice uint64 = 1 << 63 // some known member occurs more than once
	seenMade  uint64 = 1 << 61 // the caller made the object: the text has only extra members

	maxMembers = 61
	maxText    = 1<<32 - 1
)

// text returns the object's own text, or nil if it has no source.
func (s *Source) text() []byte {
	if s.doc == nil {
		return nil
	}
	return s.doc.text[s.start:s.end:s.end]
}

// at reports whether the object was read from offset i of doc.
func (s *Source) at(doc *document, i int) bool {
	return s.doc == doc && doc != nil && s.start == uint32(i)
}

// whole reports whether the object is all of its document but white space.
func (s *Source) whole() bool {
	d := s.doc.text
	return jsonscan.Space(d, 0) == int(s.start) && jsonscan.Space(d, int(s.end)) == len(d)
}

// HasKnown reports whether the object's text has a member that its table knows.
func (s *Source) HasKnown() bool { return s.seen&(1<<maxMembers-1) != 0 }

// HasExtra reports whether the object's text has a member that its table does not know.
func (s *Source) HasExtra() bool { return s.doc != nil && s.seen&seenExtra != 0 }

// Position returns the line and the column, both from 1, at which an object
// with this source begins in its document. It reports false for an object
// that was not read from text, and if s is nil.
func (s *Source) Position() (line, column int, ok bool) {
	if s == nil || s.doc == nil {
		return 0, 0, false
	}
	line, column = jsonscan.Position(s.doc.text, int(s.start))
	return line, column, true
}

// A Table lists the members of one type in their canonical order.
type Table struct {
	names  []string   // by number
	heads  []head     // of names
	slots  *[64]uint8 // by how a name begins: its number plus one, or 0
	always uint64     // members that are written even if zero
	null   uint64     // members that are null if zero
	kept   uint64     // members that stay in canonical form though they are zero
	order  []uint8    // the numbers in canonical order
	rank   []uint8    // the inverse of order
	index  map[string]int
	id     uint32 // a number that no other table has

	terraform *terraformForm // if it differs

	shape atomic.Pointer[shape] // once it was asked for
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

// NewTable returns the table of a type whose members have these names, in
// canonical order and numbered from 0. A name that ends in "!" is that of a
// member which is always written, one in "?" of a member which is written as
// null if it is zero and has to be written, one in "+" of a member that the
// canonical form has though it is zero, if the text has it. It panics if there are too many or if a
// name occurs twice: a test of the generated code finds that.
func NewTable(names ...string) *Table {
	if len(names) > maxMembers {
		panic(fmt.Sprintf("wire: %d members, at most %d are possible", len(names), maxMembers))
	}
	t := &Table{slots: new([64]uint8), index: make(map[string]int, len(names)), id: tables.Add(1) - 1}
	for k, name := range names {
		name, always := strings.CutSuffix(name, "!")
		if always {
			t.always |= 1 << k
		}
		name, null := strings.CutSuffix(name, "?")
		if null {
			t.null |= 1 << k
		}
		name, kept := strings.CutSuffix(name, "+")
		if kept {
			t.kept |= 1 << k
		}
		if _, dup := t.index[name]; dup {
			panic("wire: two members are called " + name)
		}
		t.index[name] = k
		t.names = append(t.names, name)
		h := headOf(name)
		t.heads = append(t.heads, h)
		if s := &t.slots[slot(h.word, slotFactor)]; *s == 0 {
			*s = uint8(k + 1)
		}
		t.order = append(t.order, uint8(k))
		t.rank = append(t.rank, uint8(k))
	}
	return t
}

// Alt returns a table with the same members in another order, for tools or
// places that write them so. Members that names leaves out follow in the
// order of t. A name that ends in "!" is always written there.
func (t *Table) Alt(names ...string) *Table {
	alt := &Table{names: t.names, heads: t.heads, slots: t.slots, index: t.index, always: t.always, null: t.null, kept: t.kept, rank: make([]uint8, len(t.names)), id: tables.Add(1) - 1}
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
	return alt
}

// lookup returns the number of the member with this name, or -1.
func (t *Table) lookup(name []byte) int {
	if k, ok := t.index[string(name)]; ok {
		return k
	}
	return -1
}
