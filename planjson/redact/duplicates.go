// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"encoding/binary"

	"github.com/tofuwire/tofuwire/internal/wire"
)

// repeats looks for objects that may have duplicate members. It is quick where
// tools have written the text: their objects are sorted or have few members,
// and the same object stands in several places. The zero value is ready to
// use, and can be used again.
type repeats struct {
	open  []openContainer
	names [][]byte     // of the open objects
	done  [][2]segment // containers without duplicates, by their beginning
}

type openContainer struct {
	start            int // in the text
	base             int // of its names
	object, unsorted bool
}

type segment struct{ start, end int }

const (
	// maxPlainNames is how many unsorted names of an object are compared one by one.
	maxPlainNames = 64
	// minKnown is the length from which on a container is worth remembering,
	// and one is remembered for so many bytes of text, within bounds.
	minKnown      = 128
	knownText     = 2048
	minKnownSlots = 16
	maxKnownSlots = 1 << 16
)

// in reports whether an object in d may have duplicate members. The text must
// be valid; of another one it says anything. If it is true, an exact search
// decides.
func (r *repeats) in(d []byte) bool {
	r.open, r.names = r.open[:0], r.names[:0]
	slots := minKnownSlots
	for slots < len(d)/knownText && slots < maxKnownSlots {
		slots *= 2
	}
	if slots != len(r.done) {
		r.done = make([][2]segment, slots)
	} else {
		clear(r.done)
	}
	object, name := false, false // of the innermost container, and whether a name comes next
	for i := 0; i < len(d); {
		switch c := d[i]; c {
		case '{', '[':
			if end := r.known(d, i); end > 0 {
				i, name = end, false
				continue
			}
			object = c == '{'
			name = object
			r.open = append(r.open, openContainer{start: i, base: len(r.names), object: object})
			i++
		case '}', ']':
			n := len(r.open) - 1
			if n < 0 {
				return true
			}
			i++
			r.remember(d, r.open[n].start, i)
			r.names = r.names[:r.open[n].base]
			r.open = r.open[:n]
			object, name = n > 0 && r.open[n-1].object, false
		case ',':
			name = object
			i++
		case '"':
			end := stringEnd(d, i)
			if name {
				if name = false; r.again(d[i:end]) {
					return true
				}
			}
			i = end
		default:
			i++
		}
	}
	return false
}

// again takes note of a name of the innermost object, and reports whether it
// may have occurred before.
func (r *repeats) again(tok []byte) bool {
	tok = plainName(tok) // one name can be spelled in several ways
	top := &r.open[len(r.open)-1]
	before := r.names[top.base:]
	if n := len(before); n > 0 && (top.unsorted || bytes.Compare(before[n-1], tok) >= 0) {
		if top.unsorted = true; n > maxPlainNames {
			return true
		}
		for _, name := range before {
			if bytes.Equal(name, tok) {
				return true
			}
		}
	}
	r.names = append(r.names, tok)
	return false
}

// known returns the end of the container at d[i] if it is the same as one that
// was searched. A container ends where its brackets are even, so text that
// begins like a known one and goes on like it to its end is the same.
func (r *repeats) known(d []byte, i int) int {
	if i+minKnown > len(d) {
		return 0
	}
	for _, s := range r.done[r.slot(d, i)] {
		if n := s.end - s.start; n > 0 && i+n <= len(d) && bytes.Equal(d[i:i+n], d[s.start:s.end]) {
			return i + n
		}
	}
	return 0
}

func (r *repeats) remember(d []byte, start, end int) {
	if end-start >= minKnown {
		s := &r.done[r.slot(d, start)]
		s[0], s[1] = segment{start, end}, s[0]
	}
}

// slot returns where a container that begins at d[i] is remembered.
func (r *repeats) slot(d []byte, i int) uint64 {
	h := binary.LittleEndian.Uint64(d[i+8:]) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ binary.LittleEndian.Uint64(d[i+40:])) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>32 ^ binary.LittleEndian.Uint64(d[i+88:])) * 0x94d049bb133111eb
	return h >> 40 & uint64(len(r.done)-1)
}

// duplicate reports whether an object in a valid text has duplicate members.
func (r *repeats) duplicate(d []byte) bool {
	if r.in(d) {
		for range wire.Duplicates(d) {
			return true
		}
	}
	return false
}
