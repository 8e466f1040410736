// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"hash/maphash"
	"math"
)

// Results say what the learner found that is to be hidden in the resources and changes of a
// document, in its order, so that the writer need not go through those again in which
// nothing else is.
type results struct {
	all    []result
	hidden []int32 // the places of all of them, in their order
	next   int     // what is before has been asked for
	last   result  // the one that is being made
	isOpen bool    // one is
}

// A result is that of one object. Its places in hidden are where the strings, numbers and bools
// begin that are to be hidden. Where a value is the same as one before, a pair of negative ones,
// -at-1, surrounds its places: they say where it begins and ends.
type result struct {
	at     int64  // where it begins in the document
	object uint64 // its address
	hash   uint32 // of its text, if that is read again
	set    int32  // of the marks that were known of it
	from   int32  // the index of its first place in hidden
}

// maxResults is how many there are of a document that is not in memory.
const maxResults = 1 << 16

// begin begins the result of the object at a place of the document.
func (s *results) begin(at int64, hash uint32) {
	s.last, s.isOpen = result{at: at, hash: hash, from: int32(len(s.hidden))}, true
}

// end ends the result. If all was well with it, it is kept.
func (s *results) end() {
	if s.isOpen {
		s.all = append(s.all, s.last)
	}
	s.isOpen = false
}

// drop gives the result up: more is to be done in the object than to hide strings, numbers and bools.
func (s *results) drop() {
	if s.isOpen {
		s.isOpen, s.hidden = false, s.hidden[:s.last.from]
	}
}

// hide takes note that the string, number or bool at a place is to be hidden.
func (s *results) hide(start int) {
	if start > math.MaxInt32 || len(s.hidden) == math.MaxInt32 {
		s.drop()
	} else if s.isOpen {
		s.hidden = append(s.hidden, int32(start))
	}
}

// repeat takes note that a value is the same as the one from start to end.
func (s *results) repeat(start, end, at int) {
	if !s.isOpen || end-start+at >= math.MaxInt32 {
		s.drop()
		return
	}
	before := s.hidden[s.last.from:]
	s.hidden = append(s.hidden, int32(-at-1))
	for _, b := range before {
		if start <= int(b) && int(b) < end {
			s.hide(int(b) - start + at)
		}
	}
	if s.isOpen {
		s.hidden = append(s.hidden, int32(start-end-at-1))
	}
}

// of returns the result of the object at a place, which is behind that of the last one, and
// its places.
func (s *results) of(at int64) (found result, hidden []int32, ok bool) {
	for s.next < len(s.all) && s.all[s.next].at < at {
		s.next++
	}
	if s.next == len(s.all) || s.all[s.next].at != at {
		return result{}, nil, false
	}
	found, hidden = s.all[s.next], s.hidden
	if s.next+1 < len(s.all) {
		hidden = hidden[:s.all[s.next+1].from]
	}
	return found, hidden[found.from:], true
}

// hashOfItem returns the hash of the text of an object, if that is read again and may not be
// the same then.
func (e *engine) hashOfItem(text []byte) uint32 {
	if e.all != nil {
		return 0
	}
	return uint32(maphash.Bytes(e.facts.seed, text))
}
