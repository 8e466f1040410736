// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/binary"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A memo remembers raw values that were found valid. A plan holds most objects
// two to four times, as planned value, before, after and prior state, and to
// compare two texts takes a sixth of the time that it takes to validate one.
//
// A slot has two values, because the old and the new value of a resource often
// begin alike.
type memo struct {
	slots [][2]memoValue
}

type memoValue struct{ start, end, depth uint32 }

const (
	// Shorter values are not worth remembering.
	minMemo = 128
	// One slot for so many bytes of text, within these bounds.
	memoText     = 2048
	minMemoSlots = 64
	maxMemoSlots = 1 << 16
)

// reset prepares the memo for a text of n bytes.
func (m *memo) reset(n int) {
	if n < 4*memoText {
		m.slots = nil
		return
	}
	slots := minMemoSlots
	for slots < n/memoText && slots < maxMemoSlots {
		slots *= 2
	}
	if slots == len(m.slots) {
		clear(m.slots)
		return
	}
	m.slots = make([][2]memoValue, slots)
}

// slot returns the slot for the container at d[i], or nil if it is too near
// to the end of the text. It looks at three words of its beginning.
func (m *memo) slot(d []byte, i int) *[2]memoValue {
	if len(m.slots) == 0 || i+minMemo > len(d) {
		return nil
	}
	h := binary.LittleEndian.Uint64(d[i+8:]) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ binary.LittleEndian.Uint64(d[i+40:])) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>32 ^ binary.LittleEndian.Uint64(d[i+88:])) * 0x94d049bb133111eb
	return &m.slots[h>>40&uint64(len(m.slots)-1)]
}

// rawToken is token for raw values. A container ends where its brackets are
// even, so text that begins like a known one and goes on like it to its end
// is that value.
func (x *Codec) rawToken() []byte {
	d, start := x.text, x.i
	if start+5 >= len(d) {
		return x.token()
	}
	// What tools write most often takes no scan.
	switch c := d[start]; {
	case c == '{' || c == '[':
		if d[start+1] == c+2 && x.depth < jsonscan.MaxDepth { // their partners
			x.i = start + 2
			return d[start:x.i:x.i]
		}
	case c == '"':
		end, _, fault := jsonscan.StringRest(d, start+1)
		if fault != jsonscan.OK {
			return x.token() // which fails
		}
		x.i = end
		return d[start:end:end]
	case string(d[start:start+4]) == "null" || string(d[start:start+4]) == "true":
		x.i = start + 4
		return d[start:x.i:x.i]
	case string(d[start:start+5]) == "false":
		x.i = start + 5
		return d[start:x.i:x.i]
	default:
		return x.token()
	}
	slot := x.memo.slot(x.text, start)
	if slot == nil {
		return x.token()
	}
	for _, v := range slot {
		if n := int(v.end - v.start); n > 0 && uint32(x.depth) <= v.depth && start+n <= len(x.text) &&
			bytes.Equal(x.text[start:start+n], x.text[v.start:v.end]) {
			x.i = start + n
			return x.text[start:x.i:x.i]
		}
	}
	tok := x.token()
	if len(tok) >= minMemo {
		slot[1] = slot[0]
		slot[0] = memoValue{uint32(start), uint32(x.i), uint32(x.depth)}
	}
	return tok
}
