// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
)

// A table finds all of a set of patterns in one pass. A filter of the patterns'
// beginnings passes over text in which none begins; where one may, the patterns
// are searched in their order. Patterns are at most maxPattern bytes long, so the
// work at each byte has a bound, and a table has no more memory than its patterns.
type table struct {
	patterns []pattern // sorted by text, without equal ones
	shorter  []int32   // for each pattern the longest that it begins with, or -1
	filter   []uint64  // hashes of the patterns' first bytes
	prefix   int       // how many bytes those are, at most 8
	mask     uint64    // of those bytes
	shift    uint      // from 64 bits to the size of the filter
	steps    []uint8   // by hashes of three bytes; see newSteps
	narrow   uint      // from 32 bits to the size of steps
}

// maxPattern is how much of a pattern is compared. A text that has so much of a
// secret is taken to have all of it, up to the end.
const maxPattern = 64

type pattern struct {
	text string
	run  bool // represents all of an encoded text
	cut  bool // goes on in the text
}

// A span is a part of a text in which a pattern was found.
type span struct {
	start, end int
	run, cut   bool
}

// minFilter and maxFilter are the logarithms of how many bits a filter has. It
// has some for each pattern. Few other texts pass.
const (
	minFilter = 13
	maxFilter = 26
)

// newTable returns the table of patterns, which must not be empty.
func newTable(patterns []pattern) *table {
	if len(patterns) == 0 {
		return nil
	}
	size := min(max(bits.Len(uint(len(patterns)))+4, minFilter), maxFilter)
	t := &table{filter: make([]uint64, 1<<size/64), prefix: 8, shift: uint(64 - size)}
	for i, p := range patterns {
		if len(p.text) > maxPattern {
			patterns[i].text, patterns[i].cut = p.text[:maxPattern], true
		}
		t.prefix = min(t.prefix, len(p.text))
	}
	t.mask = 1<<(8*t.prefix) - 1
	slices.SortFunc(patterns, func(a, b pattern) int { return cmp.Compare(a.text, b.text) })
	for _, p := range patterns {
		if n := len(t.patterns); n > 0 && t.patterns[n-1].text == p.text {
			last := &t.patterns[n-1]
			last.run, last.cut = last.run || p.run, last.cut || p.cut
			continue
		}
		t.patterns = append(t.patterns, p)
	}
	t.shorter = make([]int32, len(t.patterns))
	for i, p := range t.patterns {
		h := t.hash([]byte(p.text[:t.prefix]))
		t.filter[h>>t.shift/64] |= t.bits(h)
		j := int32(i) - 1
		for j >= 0 && !strings.HasPrefix(p.text, t.patterns[j].text) {
			j = t.shorter[j]
		}
		t.shorter[i] = j
	}
	t.newSteps()
	return t
}

// minSteps and maxSteps are the logarithms of how many steps there are.
const (
	minSteps = 10
	maxSteps = 16
)

// newSteps makes the table of steps: how much further the search may go when it
// comes to the last three of the bytes that it compares, because no pattern that
// has them begins before. It has none if there would be few of more than a byte.
func (t *table) newSteps() {
	size := bits.Len(uint(8*t.prefix*len(t.patterns))) + 1
	if t.prefix < 5 || size > maxSteps {
		return
	}
	size = max(size, minSteps)
	t.steps, t.narrow = make([]uint8, 1<<size), uint(32-size)
	for i := range t.steps {
		t.steps[i] = uint8(t.prefix - 2)
	}
	for _, p := range t.patterns {
		for end := 3; end <= t.prefix; end++ {
			h := t.step([]byte(p.text[end-3 : end]))
			t.steps[h] = min(t.steps[h], uint8(t.prefix-end))
		}
	}
}

// step returns the place in steps of three bytes.
func (t *table) step(b []byte) uint32 {
	return (uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16) * spread >> t.narrow
}

const spread = 0x9e3779b1

// bits returns the two bits that a hash has in its word of the filter.
func (t *table) bits(h uint64) uint64 { return 1<<(h>>t.shift%64) | 1<<(h>>second%64) }

const second = 16 // where the second bit's number is in a hash

// mayBegin reports whether a pattern may have a hash.
func (t *table) mayBegin(h uint64) bool {
	w := t.filter[h>>t.shift/64]
	return w>>(h>>t.shift%64)&(w>>(h>>second%64))&1 != 0
}

// hash returns the hash of a text's first bytes. Its upper bits are their place in
// the filter.
func (t *table) hash(text []byte) uint64 {
	var x uint64
	for i, b := range text[:t.prefix] {
		x |= uint64(b) << (8 * i)
	}
	return x * multiplier
}

const multiplier = 0x9e3779b97f4a7c15

// begin returns the first place at or after i at which a pattern may begin, or
// len(text).
func (t *table) begin(text []byte, i int) int {
	if t.steps != nil {
		last, far := t.prefix-4, t.prefix-2
		at := func(i int) int {
			return int(t.steps[binary.LittleEndian.Uint32(text[i+last:])>>8*spread>>t.narrow])
		}
		for i+8 <= len(text) {
			// Mostly several steps are as long as they can be. They are looked up
			// at once, because none has to wait for the one before then.
			for i+3*far+8 <= len(text) && at(i)+at(i+far)+at(i+2*far)+at(i+3*far) == 4*far {
				i += 4 * far
			}
			if i+8 > len(text) {
				break
			}
			if n := at(i); n != 0 {
				i += n
				continue
			}
			if t.mayBegin(binary.LittleEndian.Uint64(text[i:]) & t.mask * multiplier) {
				return i
			}
			i++
		}
	}
	for ; i+8 <= len(text); i++ {
		if t.mayBegin(binary.LittleEndian.Uint64(text[i:]) & t.mask * multiplier) {
			return i
		}
	}
	for ; i+t.prefix <= len(text); i++ {
		if t.mayBegin(t.hash(text[i:])) {
			return i
		}
	}
	return len(text)
}

// at returns the longest pattern that text begins with, or -1.
func (t *table) at(text []byte) int32 {
	text = text[:min(len(text), maxPattern)]
	n, found := slices.BinarySearchFunc(t.patterns, text, compareText)
	i := int32(n)
	if !found {
		i--
	}
	for i >= 0 && (len(text) < len(t.patterns[i].text) || string(text[:len(t.patterns[i].text)]) != t.patterns[i].text) {
		i = t.shorter[i]
	}
	return i
}

// compareText compares a pattern with a text, which it does not copy.
func compareText(p pattern, text []byte) int {
	switch {
	case p.text < string(text):
		return -1
	case p.text > string(text):
		return 1
	}
	return 0
}

// next returns the first place at or after i at which a pattern begins, or
// len(text).
func (t *table) next(text []byte, i int) int {
	if t == nil || len(text) < t.prefix {
		return len(text)
	}
	for i = t.begin(text, i); i < len(text) && t.at(text[i:]) < 0; {
		i = t.begin(text, i+1)
	}
	return i
}

// search calls found for every place at which a pattern begins, with the
// longest one, until it returns false.
func (t *table) search(text []byte, found func(span) bool) {
	if t == nil || len(text) < t.prefix {
		return
	}
	for i := t.begin(text, 0); i < len(text); i = t.begin(text, i+1) {
		if n := t.at(text[i:]); n >= 0 {
			p := t.patterns[n]
			if !found(span{i, i + len(p.text), p.run, p.cut}) {
				return
			}
		}
	}
}
