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
// with these first bytes are searched in their order. Patterns are at most
// maxPattern bytes long, so the work at each byte has a bound, and a table has no
// more memory than its patterns.
type table struct {
	patterns []pattern // sorted by the hashes of their first bytes and by text, without equal ones
	shorter  []int32   // for each pattern the longest that it begins with, or -1
	first    []int32   // the first pattern by the upper bits of a hash, and the number of patterns
	narrow   uint      // from 64 bits to the number of first
	filter   []uint64  // hashes of the patterns' first bytes
	prefix   int       // how many bytes those are, at most 8
	mask     uint64    // of those bytes
	shift    uint      // from 64 bits to the size of the filter
	steps    []uint8   // by hashes of a gram; see newSteps
	gram     int       // the length of a gram
	grams    uint32    // the mask of a gram at the end of four bytes
	wide     uint      // from 32 bits to the size of steps
}

// maxPattern is how much of a pattern is compared. A text that has so much of a
// secret is taken to have all of it, up to the end.
const maxPattern = 64

type pattern struct {
	text string
	hash uint64 // of the first bytes, in a table
	run  bool   // represents all of an encoded text
	cut  bool   // goes on in the text
	id   int32  // of the text that it is a form of
}

// An occurrence is a part of a text in which a pattern was found.
type occurrence struct {
	start, end int
	run, cut   bool
	id         int32
}

// minFilter and maxFilter are the logarithms of how many bits a filter has. It
// has some for each pattern. Few other texts pass.
const (
	minFilter = 13
	maxFilter = 26
)

// newTable returns the table of patterns, which must not be empty. Of equal
// patterns that are not cut off the first one counts.
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
	t.sort(patterns)
	t.shorter = make([]int32, len(t.patterns))
	for i, p := range t.patterns {
		t.filter[p.hash>>t.shift/64] |= t.bits(p.hash)
		j := int32(i) - 1
		for j >= 0 && (t.patterns[j].hash != p.hash || !strings.HasPrefix(p.text, t.patterns[j].text)) {
			j = t.shorter[j]
		}
		t.shorter[i] = j
	}
	t.newSteps()
	return t
}

// sort makes t.patterns of patterns, each text once, and t.first. They are put
// into places by their hashes, so that few remain to be compared.
func (t *table) sort(patterns []pattern) {
	size := bits.Len(uint(len(patterns)))
	t.narrow = uint(64 - size)
	ends := make([]int32, 1<<size+1)
	for i, p := range patterns {
		patterns[i].hash = t.hash([]byte(p.text[:t.prefix]))
		ends[patterns[i].hash>>t.narrow+1]++
	}
	for k := range ends[1:] {
		ends[k+1] += ends[k]
	}
	placed := make([]pattern, len(patterns))
	for _, p := range patterns {
		k := p.hash >> t.narrow
		placed[ends[k]] = p
		ends[k]++
	}
	t.first, t.patterns = ends, placed[:0] // what is written is before what is read
	start := int32(0)
	for k, end := range ends[:1<<size] {
		group := placed[start:end]
		if len(group) > 1 {
			slices.SortFunc(group, comparePatterns)
		}
		ends[k], start = int32(len(t.patterns)), end
		for _, p := range group {
			if n := len(t.patterns); n > int(ends[k]) && t.patterns[n-1].text == p.text {
				if last := &t.patterns[n-1]; last.cut || p.cut {
					last.run, last.cut = last.run || p.run, true
				}
				continue
			}
			t.patterns = append(t.patterns, p)
		}
	}
	ends[1<<size] = int32(len(t.patterns))
}

// comparePatterns compares two patterns by their hashes and texts. Equal ones stay in the
// order in which forms add them.
func comparePatterns(a, b pattern) int {
	if a.hash != b.hash {
		return cmp.Compare(a.hash, b.hash)
	}
	if c := strings.Compare(a.text, b.text); c != 0 {
		return c
	}
	if a.id != b.id {
		return cmp.Compare(a.id, b.id)
	}
	switch {
	case a.run == b.run:
		return 0
	case b.run:
		return -1
	}
	return 1
}

// minSteps and maxSteps are the logarithms of how many steps there are.
const (
	minSteps = 10
	maxSteps = 22
)

// fewPatterns is up to how many patterns the search looks at three bytes at a time.
const fewPatterns = 500

// newSteps makes the table of steps: how much further the search may go when it
// comes to the last bytes, a gram, of those that it compares, because no pattern
// that has the gram begins before. It has none if there would be few of more than
// a byte.
func (t *table) newSteps() {
	if t.prefix < 5 {
		return
	}
	t.gram, t.grams = 3, 0xffffff00
	if t.prefix > 5 && len(t.patterns) > fewPatterns {
		t.gram, t.grams = 4, 0xffffffff // three bytes of one of many are in most texts
	}
	far := t.prefix - t.gram + 1
	size := min(max(bits.Len(uint(4*far*len(t.patterns))), minSteps), maxSteps)
	if 1<<size < 2*far*len(t.patterns) {
		return
	}
	t.steps, t.wide = make([]uint8, 1<<size), uint(32-size)
	for i := range t.steps {
		t.steps[i] = uint8(far)
	}
	for _, p := range t.patterns {
		for end := t.gram; end <= t.prefix; end++ {
			var w uint32
			for _, b := range []byte(p.text[end-t.gram : end]) {
				w = w>>8 | uint32(b)<<24
			}
			h := w * spread >> t.wide
			t.steps[h] = min(t.steps[h], uint8(t.prefix-end))
		}
	}
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
// one from which on the search may go on if none does before end.
func (t *table) begin(text []byte, i, end int) int {
	if steps := t.steps; steps != nil {
		last, far, grams, wide := t.prefix-4, t.prefix-t.gram+1, t.grams, t.wide&31
		at := func(i int) int { return int(steps[binary.LittleEndian.Uint32(text[i+last:])&grams*spread>>wide]) }
		for i < end && i+8 <= len(text) {
			// Mostly several steps are as long as they can be. They are looked up
			// at once, because none has to wait for the one before then.
			for i+3*far+8 <= len(text) && i < end && at(i)+at(i+far)+at(i+2*far)+at(i+3*far) == 4*far {
				i += 4 * far
			}
			if i >= end || i+8 > len(text) {
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
	for ; i < end && i+8 <= len(text); i++ {
		if t.mayBegin(binary.LittleEndian.Uint64(text[i:]) & t.mask * multiplier) {
			return i
		}
	}
	for ; i < end && i+t.prefix <= len(text); i++ {
		if t.mayBegin(t.hash(text[i:])) {
			return i
		}
	}
	if i < end {
		return len(text)
	}
	return i
}

// at returns the longest pattern that text begins with, or -1.
func (t *table) at(text []byte) int32 {
	text = text[:min(len(text), maxPattern)]
	h := t.hash(text)
	from := t.first[h>>t.narrow]
	n, found := slices.BinarySearchFunc(t.patterns[from:t.first[h>>t.narrow+1]], prefixed{h, text}, comparePrefixed)
	i := from + int32(n)
	if !found {
		i--
	}
	for i >= from && t.patterns[i].hash == h {
		if p := t.patterns[i].text; len(text) >= len(p) && string(text[:len(p)]) == p {
			return i
		}
		i = t.shorter[i]
	}
	return -1
}

// A prefixed text has the hash of its first bytes.
type prefixed struct {
	hash uint64
	text []byte
}

// comparePrefixed compares a pattern with a text, which it does not copy.
func comparePrefixed(p pattern, t prefixed) int {
	switch {
	case p.hash != t.hash:
		return cmp.Compare(p.hash, t.hash)
	case p.text < string(t.text):
		return -1
	case p.text > string(t.text):
		return 1
	}
	return 0
}

// next returns the first place at or after i at which a pattern begins, or one
// from which on the search may go on if none does before end.
func (t *table) next(text []byte, i, end int) int {
	if t == nil || len(text) < t.prefix {
		return len(text)
	}
	for i = t.begin(text, i, end); i < end && t.at(text[i:]) < 0; {
		i = t.begin(text, i+1, end)
	}
	return i
}

// search calls found for every place at which a pattern begins, with the
// longest one, until it returns false.
func (t *table) search(text []byte, found func(occurrence) bool) {
	if t == nil || len(text) < t.prefix {
		return
	}
	for i := t.begin(text, 0, len(text)); i < len(text); i = t.begin(text, i+1, len(text)) {
		if n := t.at(text[i:]); n >= 0 {
			p := t.patterns[n]
			if !found(occurrence{i, i + len(p.text), p.run, p.cut, p.id}) {
				return
			}
		}
	}
}
