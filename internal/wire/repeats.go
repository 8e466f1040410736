// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/binary"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Repeats looks for objects that have duplicate members. It is quick where
// tools have written the text: their objects are sorted or have few members,
// and the same object is in several places. The zero value is ready to
// use, and can be used again.
type Repeats struct {
	open   []openContainer
	names  [][]byte     // of the open objects
	tokens [][]byte     // which say them
	done   [][2]segment // containers without duplicates, by their beginning
	known  []nameList   // none for little text
	read   int          // bytes of texts, up to minListed
	copied []byte       // tokens of the open objects that began like another object
}

// A nameList has the names of an object without duplicates. Another object that
// begins with the same name mostly has the same ones, and is not searched then.
type nameList struct {
	tokens   []byte
	ends     []int // of tokens
	unsorted bool
	users    int // how many open objects have these names so far
}

// knownNames is how many lists of names are kept, and minListed the length of texts
// which are worth them.
const (
	knownNames = 64
	minListed  = 16 << 10
)

type openContainer struct {
	start            int // in the text
	base, copied     int // of its names, and of what is copied
	object, unsorted bool
	list             *nameList // if the names are all of the list so far
	n                int       // how many
	item             int       // its number in the index
}

type segment struct {
	start, end     int
	item, itemsEnd int // the numbers in the index that belong to it
}

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

// begin prepares for the document d.
func (r *Repeats) begin(d []byte, x *jsonscan.Index) {
	if x != nil {
		x.Begin(d)
	}
	r.open, r.names, r.tokens, r.copied = r.open[:0], r.names[:0], r.tokens[:0], r.copied[:0]
	if r.known == nil {
		if r.read += min(len(d), minListed); r.read >= minListed {
			r.known = make([]nameList, knownNames)
		}
	}
	for i := range r.known {
		r.known[i].users = 0
	}
	slots := minKnownSlots
	for slots < len(d)/knownText && slots < maxKnownSlots {
		slots *= 2
	}
	if slots != len(r.done) {
		r.done = make([][2]segment, slots)
	} else {
		clear(r.done)
	}
}

// maybe reports whether an object in d may have duplicate members. The text must
// be valid; of another one it says anything. If it is true, an exact search
// decides. Otherwise x becomes the index of d, unless it is nil.
func (r *Repeats) maybe(d []byte, x *jsonscan.Index) bool {
	r.begin(d, x)
	object, name := false, false // of the innermost container, and whether a name comes next
	for i := 0; i < len(d); {
		c := d[i]
		if !jsonscan.IsStructural(c) {
			i++
			continue
		}
		switch c {
		case '{', '[':
			if i+1 < len(d) && d[i+1] == c+2 { // is empty, and too short for the index
				i, name = i+2, false
				continue
			}
			if s := r.searched(d, i); s != nil {
				if x != nil {
					x.Repeat(s.item, s.itemsEnd, i-s.start)
				}
				i, name = i+s.end-s.start, false
				continue
			}
			object = c == '{'
			name = object
			top := openContainer{start: i, base: len(r.names), copied: len(r.copied), object: object}
			if x != nil {
				top.item = x.Open(i)
			}
			r.open = append(r.open, top)
			i++
		case '}', ']':
			n := len(r.open) - 1
			if n < 0 {
				return true
			}
			i++
			s := segment{start: r.open[n].start, end: i, item: r.open[n].item}
			if x != nil {
				s.itemsEnd = x.Close(s.item, i)
			}
			r.remember(d, s)
			if top := &r.open[n]; top.list != nil {
				top.list.users--
			} else if len(r.names) > top.base && r.known != nil {
				r.list(r.tokens[top.base]).set(r.tokens[top.base:], top.unsorted)
			}
			r.names, r.tokens = r.names[:r.open[n].base], r.tokens[:r.open[n].base]
			r.copied = r.copied[:r.open[n].copied]
			r.open = r.open[:n]
			object, name = n > 0 && r.open[n-1].object, false
		case ',':
			name = object
			if x != nil {
				x.Next(r.open[len(r.open)-1].item)
			}
			i++
		case '"':
			if name {
				if n := r.expected(d[i:]); n > 0 {
					i, name = i+n, false
					continue
				}
			}
			end := jsonscan.StringEnd(d, i)
			if name {
				if name = false; r.again(d[i:end]) {
					return true
				}
			}
			i = end
		}
	}
	return false
}

// list returns the place of the list of names that begins with a token.
func (r *Repeats) list(token []byte) *nameList {
	h := uint(len(token))
	for _, b := range token[:min(len(token), 8)] {
		h = h*31 + uint(b)
	}
	return &r.known[h%knownNames]
}

// set makes l the list of the names that tokens say, unless it is in use.
func (l *nameList) set(tokens [][]byte, unsorted bool) {
	if l.users > 0 {
		return
	}
	l.tokens, l.ends, l.unsorted = l.tokens[:0], l.ends[:0], unsorted
	for _, token := range tokens {
		l.tokens = append(l.tokens, token...)
		l.ends = append(l.ends, len(l.tokens))
	}
}

// token returns token i of the list.
func (l *nameList) token(i int) []byte {
	start := 0
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.tokens[start:l.ends[i]]
}

// expected returns the length of the name that the text begins with if it is the
// one that comes next in the list of the innermost object, and else 0.
func (r *Repeats) expected(text []byte) int {
	top := &r.open[len(r.open)-1]
	l := top.list
	if l == nil {
		return 0
	}
	if top.n < len(l.ends) {
		if token := l.token(top.n); len(text) >= len(token) && string(text[:len(token)]) == string(token) {
			top.n++
			return len(token)
		}
	}
	at, start := len(r.copied), 0
	r.copied = append(r.copied, l.tokens[:l.ends[top.n-1]]...) // the list may become another one
	tokens := r.copied[at:]
	for _, end := range l.ends[:top.n] {
		token := tokens[start:end]
		r.names, r.tokens, start = append(r.names, jsonscan.UnquoteBytes(token)), append(r.tokens, token), end
	}
	l.users--
	top.list, top.unsorted = nil, l.unsorted
	return 0
}

// again takes note of a name of the innermost object, and reports whether it
// may have occurred before.
func (r *Repeats) again(tok []byte) bool {
	top, token := &r.open[len(r.open)-1], tok
	if len(r.names) == top.base && r.known != nil {
		if l := r.list(token); len(l.ends) > 0 && string(l.token(0)) == string(token) {
			l.users++
			top.list, top.n = l, 1
			return false
		}
	}
	tok = jsonscan.UnquoteBytes(tok) // one name can be spelled in several ways
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
	r.names, r.tokens = append(r.names, tok), append(r.tokens, token)
	return false
}

// searched returns a container that was searched and is the same as the one at d[i],
// or nil. A container ends where its brackets are even, so text that
// begins like a known one and goes on like it to its end is the same.
func (r *Repeats) searched(d []byte, i int) *segment {
	if i+minKnown > len(d) {
		return nil
	}
	slot := &r.done[r.slot(d, i)]
	for k := range slot {
		s := &slot[k]
		if n := s.end - s.start; n > 0 && i+n <= len(d) && bytes.Equal(d[i:i+n], d[s.start:s.end]) {
			return s
		}
	}
	return nil
}

func (r *Repeats) remember(d []byte, s segment) {
	if s.end-s.start >= minKnown {
		slot := &r.done[r.slot(d, s.start)]
		slot[0], slot[1] = s, slot[0]
	}
}

// slot returns where a container that begins at d[i] is remembered.
func (r *Repeats) slot(d []byte, i int) uint64 {
	h := binary.LittleEndian.Uint64(d[i+8:]) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ binary.LittleEndian.Uint64(d[i+40:])) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>32 ^ binary.LittleEndian.Uint64(d[i+88:])) * 0x94d049bb133111eb
	return h >> 40 & uint64(len(r.done)-1)
}

// In reports whether an object in a valid text has duplicate members.
func (r *Repeats) In(d []byte) bool {
	for range duplicates(d, r) {
		return true
	}
	return false
}

// Index makes x the index of a valid text and reports whether no object in it has
// duplicate members. If it reports false, x is not an index of it.
func (r *Repeats) Index(d []byte, x *jsonscan.Index) bool { return !r.maybe(d, x) }
