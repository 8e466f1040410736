// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"math/bits"
)

// Recalled is [Codec.Object] for a type whose objects come again and again in the
// texts of a stream: one that has the text of an earlier one is copied from it. This
// is for lent texts only, and ends with [Codec.Forget]. No field may refer to the
// text except raw, a field of o, which must be the only one that [Raw] reads.
func Recalled[T any, V ~[]byte](x *Codec, o *T, src *Source, raw *V, t *Table, member func(any, *Codec, int)) {
	if x.mode != decoding || x.lent == "" || x.dry || x.i+recalledHead > len(x.text) {
		x.Object(o, src, t, member)
		return
	}
	l := slabOf[T](x)
	if l.recalled == nil {
		l.recalled = new([recalledSlots]recalled[T])
	}
	start := x.i
	known := &l.recalled[recalledSlot(x.text[start:])]
	if n := len(known.text); n > 0 && x.depth <= known.depth && start+n <= len(x.text) && string(x.text[start:start+n]) == known.text {
		*o = known.value
		x.i = start + n
		src.doc, src.start, src.end, src.seen = x.doc, uint32(start), uint32(x.i), known.seen
		if n := len(*raw); n > 0 {
			at := start + known.raw
			*raw = x.text[at : at+n : at+n]
		}
		return
	}
	problems := len(x.problems)
	x.Object(o, src, t, member)
	if len(x.problems) == problems {
		*known = recalled[T]{text: x.lent[start:x.i], value: *o, seen: src.seen, raw: x.rawAt - start, depth: x.depth}
		x.recalls = true
	}
}

// Forget ends what [Recalled] knows: objects that are decoded from now on have no
// strings of earlier ones.
func (x *Codec) Forget() {
	if !x.recalls {
		return
	}
	x.recalls = false
	for _, p := range x.pools {
		if p, ok := p.(interface{ forgetRecalled() }); ok {
			p.forgetRecalled()
		}
	}
}

func (s *slab[T]) forgetRecalled() {
	if s.recalled != nil {
		clear(s.recalled[:])
	}
}

// A recalled is an object with its text.
type recalled[T any] struct {
	text  string
	value T
	seen  uint64
	raw   int // where its raw value begins in its text
	depth int // where it was
}

const (
	recalledSlots = 32
	recalledHead  = 72 // how much of a text says which slot
)

// recalledSlot returns the slot of an object by how its text begins: mostly a name that
// begins like others and differs later.
func recalledSlot(d []byte) uint64 {
	d = d[:recalledHead]
	h := binary.LittleEndian.Uint64(d[8:])
	for i := 16; i < recalledHead; i += 8 {
		h = (bits.RotateLeft64(h, 5) ^ binary.LittleEndian.Uint64(d[i:])) * 0x9e3779b97f4a7c15
	}
	return h >> 59
}
