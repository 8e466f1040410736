// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"math/bits"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// An objectEdit is the encoding of an object against its source, whose text and fields
// are walked together.
type objectEdit struct {
	separator
	t    *Table
	o    any
	src  *Source
	add  uint64 // bits of the members that are set and that the text does not have
	last []int  // of an object with duplicates; see lastMembers
}

// walk encodes the object at i.
func (x *objectEdit) walk(e *Encoder) {
	if e.peek() != '{' || !x.src.at(e.doc, e.i) {
		fail(e.i, errCut)
	}
	x.missing()
	if x.src.seen&seenTwice != 0 {
		x.lastMembers(e)
	}
	savedColon := e.colon
	e.colon = byteRange{}
	e.at.push()
	e.beginItems(&x.separator)
	more := e.peek() != '}'
	if x.add != 0 {
		x.addMembers(e, -1, more)
	}
	guess := e.guess(x.t)
	for before := -1; more; {
		at := e.i
		k := e.expected(x.t, guess, before)
		if k < 0 {
			k = e.name(x.t, guess, &before)
		} else {
			before = k
		}
		e.colon = byteRange{at, e.i}
		switch {
		case k < 0:
			e.survive(&x.separator, at)
			e.skip()
		case x.last != nil && x.last[k] != at && x.last[k] != 0:
			x.shadowed(e, at, x.last[k] < 0)
		default:
			x.member(e, k, at)
		}
		more = e.after(&x.separator, '}')
		if k >= 0 && x.add != 0 {
			x.addMembers(e, int(x.t.rank[k]), more)
		}
	}
	e.endItems(&x.separator, '}')
	e.at.pop()
	e.colon = savedColon
}

// missing finds the members that the text does not have.
func (x *objectEdit) missing() {
	if x.src.seen&seenMade != 0 {
		x.add = x.t.always &^ x.src.seen
	}
	for absent := ^x.src.seen & (1<<len(x.t.names) - 1); absent != 0; absent &= absent - 1 {
		k := bits.TrailingZeros64(absent)
		if !x.t.isZeroAt(x.o, k) {
			x.add |= 1 << k
		}
	}
}

// keep reports whether member k is written even if it is zero.
func (x *objectEdit) keep(k int) bool { return x.t.always&(1<<k) != 0 }

// member encodes field k, whose member begins at offset at and whose value
// is at i.
func (x *objectEdit) member(e *Encoder, k, at int) {
	e.at.step(x.t.names[k])
	f, p := x.t.fields[k], x.t.Of.At(x.o, k)
	delicate := x.delicate()
	if delicate {
		// Only what stays may write what survive writes.
		value := e.i
		goes := f.goes(e, p, x.keep(k))
		e.i = value
		if goes {
			e.skip()
			e.drop(&x.separator, e.i)
			return
		}
		e.survive(&x.separator, at)
	}
	if f.edit(e, p, x.keep(k)) {
		e.drop(&x.separator, e.i)
	} else if !delicate {
		x.n++
	}
}

// shadowed passes over a member at offset at that a later one of the same
// name overrides. It stays unless the field has been cleared: otherwise it
// would come back to life.
func (x *objectEdit) shadowed(e *Encoder, at int, cleared bool) {
	if cleared {
		e.skip()
		e.drop(&x.separator, e.i)
		return
	}
	e.survive(&x.separator, at)
	e.skip()
}

// lastMembers finds, for each member of an object with duplicates, the
// offset of its last occurrence, or -1 if its field has been cleared, so that
// all occurrences have to go. A member that occurs not at all has 0.
func (x *objectEdit) lastMembers(e *Encoder) {
	start := e.i
	x.last = make([]int, len(x.t.names))
	values := make([]int, len(x.t.names))
	e.i++
	e.space()
	guess := e.guess(x.t)
	for before := -1; ; {
		at := e.i
		k := e.name(x.t, guess, &before)
		if k < 0 {
			e.skip()
		} else {
			x.last[k], values[k] = at, e.i
			value := e.i
			if x.t.fields[k].skip(e, x.t.Of.At(x.o, k)); e.i <= value {
				fail(value, errCut)
			}
		}
		if !e.more('}', jsonscan.FaultObject) {
			break
		}
	}
	for k, value := range values {
		if value == 0 {
			continue
		}
		e.i = value
		if x.t.fields[k].goes(e, x.t.Of.At(x.o, k), x.keep(k)) {
			x.last[k] = -1
		}
	}
	e.i = start
}

// addMembers inserts those missing members whose nearest predecessor in the
// text, by the order of the table, is the one with this rank; -1 means those that
// have none. If more is set, i is at the next item of the text.
func (x *objectEdit) addMembers(e *Encoder, rank int, more bool) {
	resume, next := e.i, -1
	if more {
		next = e.i
	}
	for r := rank + 1; r < len(x.t.order); r++ {
		k := int(x.t.order[r])
		if x.src.seen&(1<<k) != 0 {
			break
		}
		if x.add&(1<<k) == 0 {
			continue
		}
		x.add &^= 1 << k
		e.insert(&x.separator, next)
		e.at.step(x.t.names[k])
		e.quote(x.t.names[k])
		e.colonAfterName()
		at := e.beginFresh()
		x.t.fields[k].write(e, x.t.Of.At(x.o, k))
		e.endFresh(at)
	}
	e.i = resume
}
