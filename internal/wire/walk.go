// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"math/bits"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// walkObject encodes an object at i.
func (x *Codec) walkObject(o any, src *Source, t *Table, member func(any, *Codec, int)) {
	if x.peek() != '{' || !src.at(x.doc, x.i) {
		x.fail(x.i, errCut)
	}
	add := x.missing(o, src, t, member)
	var last []int
	if src.seen&seenTwice != 0 {
		last = x.lastMembers(o, src, t, member)
	}
	savedColon := x.colon
	x.colon = span{}
	x.push()
	var s separator
	x.beginItems(&s)
	more := x.peek() != '}'
	if add != 0 {
		first := -1
		if more {
			first = x.i
		}
		x.addMembers(&s, o, t, member, &add, src.seen, -1, first)
	}
	guess := x.guess(t)
	for before := -1; more; {
		at := x.i
		k := x.expected(t, guess, before)
		if k < 0 {
			k = x.name(t, guess, &before)
		} else {
			before = k
		}
		x.colon = span{at, x.i}
		switch {
		case k < 0:
			x.survive(&s, at)
			x.skip()
		case last != nil && last[k] != at && last[k] != 0:
			x.shadowed(&s, at, last[k] < 0)
		default:
			x.walkMember(&s, o, t, member, k, at)
		}
		more = x.after(&s, '}')
		if k >= 0 && add != 0 {
			following := -1
			if more {
				following = x.i
			}
			x.addMembers(&s, o, t, member, &add, src.seen, int(t.rank[k]), following)
		}
	}
	x.endItems(&s, '}')
	x.pop()
	x.colon = savedColon
}

// missing returns the bits of the members that are set and that the text
// does not have.
func (x *Codec) missing(o any, src *Source, t *Table, member func(any, *Codec, int)) (add uint64) {
	if src.seen&seenMade != 0 {
		add = t.always &^ src.seen
	}
	x.mode = probing
	for absent := ^src.seen & (1<<len(t.names) - 1); absent != 0; absent &= absent - 1 {
		k := bits.TrailingZeros64(absent)
		if member(o, x, k); !x.zero {
			add |= 1 << k
		}
	}
	x.mode = walking
	return add
}

// walkMember encodes field k, whose member begins at offset at and whose value
// is at i.
func (x *Codec) walkMember(s *separator, o any, t *Table, member func(any, *Codec, int), k, at int) {
	x.step(t.names[k])
	value := x.i
	if s.delicate() {
		// Only what stays may write what survive writes.
		x.judge(o, t, member, k)
		goes := x.cleared
		x.i, x.cleared = value, false
		if goes {
			x.skip()
			x.drop(s, x.i)
			return
		}
		x.survive(s, at)
		s.n--
	}
	x.member = t.always&(1<<k) != 0
	member(o, x, k)
	if x.cleared {
		x.cleared = false
		x.drop(s, x.i)
		return
	}
	s.n++
}

// judge sets cleared if field k has been cleared against the value at i.
func (x *Codec) judge(o any, t *Table, member func(any, *Codec, int), k int) {
	x.mode = judging
	x.cleared = false
	x.member = t.always&(1<<k) != 0
	member(o, x, k)
	x.mode = walking
}

// shadowed passes over a member at offset at that a later one of the same
// name overrides. It stays unless the field has been cleared: otherwise it
// would come back to life.
func (x *Codec) shadowed(s *separator, at int, cleared bool) {
	if cleared {
		x.skip()
		x.drop(s, x.i)
		return
	}
	x.survive(s, at)
	x.skip()
}

// lastMembers returns, for each member of an object with duplicates, the
// offset of its last occurrence, or -1 if its field has been cleared, so that
// all occurrences have to go. A member that occurs not at all has 0.
func (x *Codec) lastMembers(o any, src *Source, t *Table, member func(any, *Codec, int)) []int {
	start := x.i
	last := make([]int, len(t.names))
	values := make([]int, len(t.names))
	x.i++
	x.space()
	guess := x.guess(t)
	for before := -1; ; {
		at := x.i
		k := x.name(t, guess, &before)
		if k < 0 {
			x.skip()
		} else {
			last[k], values[k] = at, x.i
			x.mode = skipping
			value := x.i
			if member(o, x, k); x.i <= value {
				x.fail(value, errCut)
			}
			x.mode = walking
		}
		if !x.more('}', jsonscan.FaultObject) {
			break
		}
	}
	for k, value := range values {
		if value == 0 {
			continue
		}
		x.i = value
		if x.judge(o, t, member, k); x.cleared {
			last[k] = -1
		}
	}
	x.cleared = false
	x.i = start
	return last
}

// addMembers inserts those members of *add whose nearest predecessor in the
// text, by the order of t, is the one with this rank; -1 means those that
// have none. The next item of the text is at offset next, -1 if there is none.
func (x *Codec) addMembers(s *separator, o any, t *Table, member func(any, *Codec, int), add *uint64, seen uint64, rank, next int) {
	resume := x.i
	for r := rank + 1; r < len(t.order); r++ {
		k := int(t.order[r])
		if seen&(1<<k) != 0 {
			break
		}
		if *add&(1<<k) == 0 {
			continue
		}
		*add &^= 1 << k
		x.insert(s, next)
		x.step(t.names[k])
		x.out = jsonscan.AppendQuote(x.out, t.names[k], !x.plain)
		x.writeColon()
		x.fresh(t, func() { member(o, x, k) }, k)
	}
	x.i = resume
}
