// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"hash/maphash"

	"github.com/tofuwire/tofuwire/internal/plantext"
)

// ObjectMarks are the marks that a document has for its objects, anywhere. Objects are
// found by the hashes of their addresses: if two should share one, more is hidden.
type objectMarks struct {
	seed     maphash.Seed
	interned map[string]int32 // numbers of marks, by their text
	marks    []*mark
	sets     [][]*mark          // sets of marks; the first is empty
	grown    map[[2]int32]int32 // the set that has a mark besides those of a set
	byObject map[uint64]int32   // sets, by address
	byBlock  map[string]map[*mark]bool
	ofBlock  map[string]blockMarks
	numbers  map[*mark]int32
	parsed   map[string]*mark // by their texts
	unions   map[union]*marks
	results  results
	meter    *meter
}

func newObjectMarks(seed maphash.Seed, m *meter) objectMarks {
	return objectMarks{
		seed: seed, interned: map[string]int32{}, numbers: map[*mark]int32{}, sets: [][]*mark{nil}, grown: map[[2]int32]int32{}, byObject: map[uint64]int32{},
		byBlock: map[string]map[*mark]bool{}, ofBlock: map[string]blockMarks{}, meter: m,
	}
}

func (o *objectMarks) hash(address string) uint64 { return maphash.String(o.seed, address) }

// setOf returns the number of the set of marks that an object has.
func (o *objectMarks) setOf(address string) int32 {
	if len(o.byObject) == 0 {
		return 0
	}
	return o.byObject[o.hash(address)]
}

// note takes note of a mark of an object.
func (o *objectMarks) note(address string, m *mark) {
	o.noteAt(o.hash(address), address, plantext.WithoutKeys(address), m)
}

// noteAt is note for an address whose hash and block are known.
func (o *objectMarks) noteAt(at uint64, address, block string, m *mark) {
	if m == nil || address == "" {
		return
	}
	n := o.number(m)
	set := o.byObject[at]
	to := o.with(set, n)
	if to == set {
		return
	}
	o.byObject[at] = to
	if o.byBlock[block] == nil {
		o.byBlock[block] = make(map[*mark]bool)
	}
	o.byBlock[block][o.marks[n]] = true
}

// number returns the number of a mark, which is the same for all that say the same.
func (o *objectMarks) number(m *mark) int32 {
	n, ok := o.numbers[m]
	if !ok {
		key := m.append(nil)
		if n, ok = o.interned[string(key)]; !ok {
			n = int32(len(o.marks))
			o.interned[string(key)] = n
			o.marks = append(o.marks, m)
		}
		o.numbers[m] = n
	}
	return n
}

// maxParsed bounds the texts of marks that are kept, and their number.
const maxParsed = 1 << 12

// mark returns what a valid text says, which often is what another one said.
func (o *objectMarks) mark(text []byte) *mark {
	if m, ok := o.parsed[string(text)]; ok {
		return m
	}
	m := parseMark(text)
	if len(text) > maxParsed {
		return m
	}
	if o.parsed == nil || len(o.parsed) >= maxParsed {
		o.parsed = make(map[string]*mark)
	}
	o.parsed[string(text)] = m
	return m
}

// maxMarks is how many marks an object can have. One that has more is sensitive as a
// whole: no tool says so many things of an object.
const maxMarks = 32

// with returns the number of the set that has a mark besides those of a set.
func (o *objectMarks) with(set, n int32) int32 {
	key := [2]int32{set, n}
	if to, ok := o.grown[key]; ok {
		return to
	}
	o.meter.work += len(o.sets[set])
	for _, m := range o.sets[set] {
		if m == o.marks[n] || m.all {
			o.grown[key] = set
			return set
		}
	}
	if len(o.sets[set]) >= maxMarks && !o.marks[n].all {
		to := o.with(set, o.number(allMark))
		o.grown[key] = to
		return to
	}
	to := int32(len(o.sets))
	o.sets = append(o.sets, append(o.sets[set][:len(o.sets[set]):len(o.sets[set])], o.marks[n]))
	o.grown[key], o.grown[[2]int32{to, n}] = to, to
	return to
}

// marksAt returns the marks of an object.
func (o *objectMarks) marksAt(address string) []*mark { return o.sets[o.byObject[o.hash(address)]] }

func (o *objectMarks) isAllMarked(address string) bool {
	for _, m := range o.marksAt(address) {
		if m.all {
			return true
		}
	}
	return false
}

// blockMarks are the marks of all instances of a block, when there were so many.
type blockMarks struct {
	marks *marks
	n     int
}

// blockMarks returns the marks of all instances of a block.
func (o *objectMarks) blockMarks(block string) *marks {
	n := len(o.byBlock[block])
	if known, ok := o.ofBlock[block]; ok && known.n == n {
		return known.marks
	}
	var sources []source
	work := 0
	for m := range o.byBlock[block] {
		sources = append(sources, source{m, reasonElsewhere})
		work += m.size()
	}
	o.meter.work += work
	m := newMarks(sources, 16*work+1000)
	o.ofBlock[block] = blockMarks{m, n}
	return m
}
