// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A byteRange is a part of a text. The zero byteRange is empty.
type byteRange struct{ start, end int }

// A cursor is a place in the text of a document, with what is needed to go on
// from there. A fault in the text ends what is being done; see [abort].
type cursor struct {
	doc     *document
	text    []byte // of doc
	i       int    // the place in text
	depth   int
	guesses []*guesses // by the tables' id
	scratch []byte
}

// enter counts a level of nesting; leave takes it back.
func (c *cursor) enter() {
	if c.depth++; c.depth > jsonscan.MaxDepth {
		fail(c.i, jsonscan.FaultDepth)
	}
}

func (c *cursor) leave() { c.depth-- }

// space moves i to the next byte that is not white space.
func (c *cursor) space() {
	if c.i < len(c.text) && c.text[c.i] <= ' ' {
		c.someSpace()
	}
}

// someSpace is space for where there is some. Space is inlined only if this is not.
//
//go:noinline
func (c *cursor) someSpace() { c.i = jsonscan.SomeSpace(c.text, c.i) }

// peek returns the byte at i, or 0 at the end of the text.
func (c *cursor) peek() byte {
	if c.i < len(c.text) {
		return c.text[c.i]
	}
	return 0
}

// skip validates the value at i and moves behind it.
func (c *cursor) skip() {
	end, fault := jsonscan.Value(c.text, c.i, jsonscan.MaxDepth-c.depth)
	if fault != jsonscan.OK {
		fail(end, fault)
	}
	c.i = end
}

// token returns the value at i, which it validates, and moves behind it.
func (c *cursor) token() []byte {
	start := c.i
	c.skip()
	return c.text[start:c.i:c.i]
}

// end returns the end of the valid value at i.
func (c *cursor) end() int {
	start := c.i
	c.skip()
	end := c.i
	c.i = start
	return end
}

// isBool reports whether the value at i is a boolean.
func (c *cursor) isBool() bool { b := c.peek(); return b == 't' || b == 'f' }

// isNumber reports whether the value at i is a number.
func (c *cursor) isNumber() bool { b := c.peek(); return b == '-' || b-'0' <= 9 }

// boolean reads the literal at i, which begins like true or false.
func (c *cursor) boolean() bool {
	d, i := c.text, c.i
	if len(d)-i >= 4 && string(d[i:i+4]) == "true" {
		c.i = i + 4
		return true
	}
	if len(d)-i >= 5 && string(d[i:i+5]) == "false" {
		c.i = i + 5
		return false
	}
	return c.token()[0] == 't' // which fails
}

// more reads what follows an item of a container: a comma, upon which it moves
// to the next item and reports true, or the bracket that closes it.
func (c *cursor) more(closing byte, fault jsonscan.Fault) bool {
	if d, i := c.text, c.i; i+1 < len(d) && d[i] == ',' && d[i+1] > ' ' {
		c.i++
		return true
	}
	c.space()
	switch b := c.peek(); {
	case b == ',':
		c.i++
		c.space()
		return true
	case b == closing && c.i < len(c.text):
		c.i++
		return false
	case c.i >= len(c.text):
		fault = jsonscan.FaultEnd
	}
	fail(c.i, fault)
	return false
}

// opened moves from the bracket at i to the first item of its container, and reports
// true, or behind the closing bracket of an empty one.
func (c *cursor) opened(closing byte) bool {
	c.i++
	c.space()
	if c.peek() == closing {
		c.i++
		return false
	}
	return true
}

// eachMember calls member for each member of the object at i, with i at its
// value, which member must move behind, until member returns false.
func (c *cursor) eachMember(member func(name []byte) bool) {
	if !c.opened('}') {
		return
	}
	for member(c.anyName()) && c.more('}', jsonscan.FaultObject) {
	}
}

// anyName reads the member name at i, moves to the member's value and returns
// the name's token.
func (c *cursor) anyName() []byte {
	start := c.i
	if c.peek() != '"' {
		if c.i >= len(c.text) {
			fail(c.i, jsonscan.FaultEnd)
		}
		fail(c.i, jsonscan.FaultName)
	}
	end, fault := jsonscan.String(c.text, start)
	if fault != jsonscan.OK {
		fail(end, fault)
	}
	c.i = end
	c.afterName()
	return c.text[start:end]
}

// entryName reads the member name at i, moves to the member's value and returns
// what the name means.
func (c *cursor) entryName() []byte {
	start := c.i
	if c.peek() != '"' {
		c.anyName() // which fails
	}
	end, escaped, fault := jsonscan.StringRest(c.text, start+1)
	if fault != jsonscan.OK {
		c.anyName() // likewise
	}
	c.i = end
	if d := c.text; end+1 < len(d) && d[end] == ':' && d[end+1] > ' ' {
		c.i = end + 1
	} else {
		c.afterName()
	}
	if escaped {
		return jsonscan.AppendUnquote(nil, c.text[start:end])
	}
	return c.text[start+1 : end-1]
}

// afterName moves from the end of a name over the colon to the value.
func (c *cursor) afterName() {
	c.space()
	if c.peek() != ':' {
		if c.i >= len(c.text) {
			fail(c.i, jsonscan.FaultEnd)
		}
		fail(c.i, jsonscan.FaultColon)
	}
	c.i++
	c.space()
	if c.i >= len(c.text) {
		fail(c.i, jsonscan.FaultEnd)
	}
}

// guesses says for each member of a table which one came next when it was
// last seen: the number plus one, and 0 if that is not known. The first entry
// is for the beginning of the object, so that of number k is at k+1.
type guesses struct {
	base int // the place in the decoder's last strings of the table's first member; -1 if it has none
	next [maxMembers + 1]uint8
}

// guess returns the guesses for a table.
func (c *cursor) guess(t *Table) *guesses {
	if n := int(t.id); n < len(c.guesses) && c.guesses[n] != nil {
		return c.guesses[n]
	}
	return c.newGuess(t)
}

func (c *cursor) newGuess(t *Table) *guesses {
	if int(t.id) >= len(c.guesses) {
		c.guesses = append(make([]*guesses, 0, tables.Load()), c.guesses...)[:tables.Load()]
	}
	g := &guesses{base: -1}
	c.guesses[t.id] = g
	return g
}

// name reads the member name at i, moves to the member's value, and returns
// the member's number in t, or -1. The number of the last known member is in
// *last. Members mostly follow each other as they did the last time, so the
// name is compared with that one first, and then with the one that begins like
// it, before it is looked up.
func (c *cursor) name(t *Table, g *guesses, last *int) int {
	d, i := c.text, c.i
	if i >= len(d) || d[i] != '"' {
		if i >= len(d) {
			fail(i, jsonscan.FaultEnd)
		}
		fail(i, jsonscan.FaultName)
	}
	var word uint64 // what the name begins with
	if i+9 <= len(d) {
		word = binary.LittleEndian.Uint64(d[i+1:])
	}
	likely := &g.next[*last+1]
	if k := int(*likely) - 1; k >= 0 && (word^t.heads[k].word)&t.heads[k].mask == 0 && c.isName(t, k) {
		*last = k
		return k
	}
	if k := int(t.slots[slot(word, slotFactor)]) - 1; k >= 0 {
		if h := &t.heads[k]; (word^h.word)&h.mask == 0 && c.isName(t, k) {
			*likely = uint8(k + 1)
			*last = k
			return k
		}
	}
	tok := c.anyName()
	k := -1
	if raw := tok[1 : len(tok)-1]; jsonscan.IndexByte(raw, '\\') < 0 {
		k = t.lookup(raw)
	} else {
		c.scratch = jsonscan.AppendUnquote(c.scratch[:0], tok)
		k = t.lookup(c.scratch)
	}
	if k >= 0 {
		*likely = uint8(k + 1)
		*last = k
	}
	return k
}

// expected is name for the member that came after the last one the last time. It
// returns -1, and has not moved, if it is another one or spelled in another way.
func (c *cursor) expected(t *Table, g *guesses, last int) int {
	k := int(g.next[last+1]) - 1
	if d, i := c.text, c.i; k >= 0 && i >= 0 && i < len(d)-9 && d[i] == '"' {
		h := &t.heads[k]
		if end := i + h.size; (binary.LittleEndian.Uint64(d[i+1:])^h.word)&h.mask == 0 && end < len(d)-3 && d[end+1] == ':' &&
			(h.size <= 8 || binary.LittleEndian.Uint64(d[end-7:]) == h.tail && (h.size <= 16 || string(d[i+9:end-7]) == t.names[k][8:h.size-8])) {
			if i = end + 2; d[i] == ' ' {
				i++
			}
			if d[i] > ' ' {
				c.i = i
				return k
			}
		}
	}
	return -1
}

// isName reports whether the name at i, whose head is that of number k, is its
// name, spelled without escapes, in which case it moves to the value.
func (c *cursor) isName(t *Table, k int) bool {
	d, i, h := c.text, c.i, &t.heads[k]
	end := i + h.size // the closing quote
	if h.size > 8 {
		if end >= len(d) || binary.LittleEndian.Uint64(d[end-7:]) != h.tail {
			return false
		}
		if h.size > 16 && string(d[i+9:end-7]) != t.names[k][8:h.size-8] {
			return false
		}
	}
	if end+3 < len(d) && d[end+1] == ':' {
		if d[end+2] > ' ' {
			c.i = end + 2
			return true
		}
		if d[end+2] == ' ' && d[end+3] > ' ' {
			c.i = end + 3
			return true
		}
	}
	c.i = end + 1
	c.afterName()
	return true
}

// unquote returns what a name's token means.
func unquote(tok []byte) []byte {
	if raw := tok[1 : len(tok)-1]; jsonscan.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return jsonscan.AppendUnquote(nil, tok)
}
