// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"fmt"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Decode reads text, one JSON value with white space around it, by calling
// root, which calls the operation of the root's type. The text belongs to the
// decoded objects from then on. The error is an [*Error].
func (x *Codec) Decode(text []byte, root func(*Codec)) (err error) {
	defer x.catch(&err)
	x.begin(text)
	x.space()
	if x.i >= len(text) {
		x.fail(x.i, jsonscan.FaultEnd)
	}
	root(x)
	x.space()
	if x.i < len(text) {
		x.fail(x.i, jsonscan.FaultTrailing)
	}
	return nil
}

// DecodeLenient is like Decode, but a member of another kind than its field
// leaves the field zero and is returned as a problem; its text stays. The
// problems are valid until the codec is used again. If lent is not empty, it
// is text as a string, of which strings without escapes are cut instead of
// being copied.
func (x *Codec) DecodeLenient(text []byte, lent string, root func(*Codec)) ([]Problem, error) {
	x.lenient, x.lent, x.problems = true, lent, x.problems[:0]
	err := x.Decode(text, root)
	x.lenient, x.lent = false, ""
	return x.problems, err
}

// DecodeReused is like [Codec.DecodeLenient], but takes the memory for objects
// behind pointers from those that its last call made, and refers to text only
// until its next call. So all that it decoded before becomes invalid, except
// strings.
func (x *Codec) DecodeReused(text []byte, lent string, root func(*Codec)) ([]Problem, error) {
	x.reuse = true
	x.round++
	if lent == "" && len(text) <= smallText {
		if x.strings.b.Cap()-x.strings.b.Len() < len(text) {
			x.Forget() // it would keep the chunks before
		}
		lent = x.strings.copy(text, 0, 0) // cheaper than each string for itself
	}
	problems, err := x.DecodeLenient(text, lent, root)
	x.reuse = false
	return problems, err
}

// begin prepares the codec for reading text.
func (x *Codec) begin(text []byte) {
	x.mode, x.doc, x.text, x.i, x.depth, x.again, x.dry = decoding, nil, text, 0, 0, false, false
	if uint64(len(text)) > maxText {
		x.fail(0, errTooLarge)
	}
	if x.reuse {
		x.own.text = text
		x.doc = &x.own
	} else {
		x.doc = x.newDocument()
		x.doc.text = text
	}
	x.strings.reset(len(text), x.reuse)
	x.memo.reset(len(text))
	x.taken = 0
	x.texts++
}

// Root decodes or encodes a whole document: v must be an object in the text.
func Root[T any](x *Codec, v *T, fields func(*T, *Codec)) {
	if x.mode == decoding && x.peek() != '{' {
		start := x.i
		found := kindName(x.token()[0])
		x.fail(start, fmt.Errorf("%w: expected an object, found %s", ErrKind, found))
	}
	fields(v, x)
}

// Object carries out what the codec does for the object o with source src,
// whose members are those of t. The function member must call the operation
// of o's field number k.
func (x *Codec) Object(o any, src *Source, t *Table, member func(o any, x *Codec, k int)) {
	switch x.mode {
	case decoding:
		x.decodeObject(o, src, t, member, nil)
	case walking:
		x.walkObject(o, src, t, member)
	case writing:
		x.writeObject(o, src, t, member)
	case locating:
		x.located = src
	case skipping: // it is here
		x.i = int(src.end)
	case probing: // an object by value: zero if all its fields are
		x.zero = true
		for k := 0; k < len(t.names) && x.zero; k++ {
			member(o, x, k)
		}
	case describing:
		x.describeObject(o, t, member)
	}
}

// Led is [Codec.Object] for a type whose objects mostly begin alike. The function lead
// may read members from the beginning of one that is being decoded, with [Codec.Literal]
// and [Codec.Text]. It returns the numbers of those, as bits, and the last of them, or
// 0; then it must have read nothing.
func (x *Codec) Led(o any, src *Source, t *Table, member func(any, *Codec, int), lead func(o any, x *Codec) (seen uint64, last int)) {
	if x.mode == decoding {
		x.decodeObject(o, src, t, member, lead)
		return
	}
	x.Object(o, src, t, member)
}

// Literal reports whether the text goes on with s, and moves behind it if so.
func (x *Codec) Literal(s string) bool {
	if len(x.text)-x.i < len(s) || string(x.text[x.i:x.i+len(s)]) != s {
		return false
	}
	x.i += len(s)
	return true
}

// Text reads the rest of a string after its opening quote, and returns what it means.
func (x *Codec) Text() string {
	x.i--
	return x.stringValue()
}

func (x *Codec) decodeObject(o any, src *Source, t *Table, member func(any, *Codec, int), lead func(any, *Codec) (uint64, int)) {
	start := x.i
	if x.peek() != '{' {
		x.mismatch("an object")
		return
	}
	x.enter()
	var seen uint64
	x.i++
	x.space()
	if x.peek() == '}' {
		x.i++
	} else {
		guess := x.guess(t)
		if guess.base < 0 {
			guess.base = len(x.last)
			x.last = append(x.last, make([]string, len(t.names))...)
		}
		last := -1
		if lead != nil {
			if seen, last = lead(o, x); seen == 0 {
				last = -1
			} else if !x.more('}', jsonscan.FaultObject) {
				goto closed
			}
		}
		for {
			// As in name and isName, without the calls.
			k := int(guess.next[last+1]) - 1
			if d, i := x.text, x.i; k >= 0 && i >= 0 && i < len(d)-9 && d[i] == '"' {
				h := &t.heads[k]
				if end := i + h.size; (binary.LittleEndian.Uint64(d[i+1:])^h.word)&h.mask == 0 && end < len(d)-3 && d[end+1] == ':' &&
					(h.size <= 8 || binary.LittleEndian.Uint64(d[end-7:]) == h.tail && (h.size <= 16 || string(d[i+9:end-7]) == t.names[k][8:h.size-8])) {
					if i = end + 2; d[i] == ' ' {
						i++
					}
					if d[i] > ' ' {
						x.i, last = i, k
						goto value
					}
				}
			}
			k = x.name(t, guess, &last)
		value:
			if k < 0 {
				seen |= seenExtra
				x.skip()
			} else {
				bit := uint64(1) << (uint(k) & 63)
				if seen&bit != 0 {
					seen |= seenTwice
					x.again = true
				}
				seen |= bit
				x.at = guess.base + k
				member(o, x, k)
				x.again = false
			}
			if d, i := x.text, x.i; i < len(d)-1 && d[i] == ',' && d[i+1] == '"' {
				x.i++
			} else if i >= 0 && i < len(d) && d[i] == '}' {
				x.i++
				break
			} else if !x.more('}', jsonscan.FaultObject) {
				break
			}
		}
	}
closed:
	x.leave()
	src.doc, src.start, src.end, src.seen = x.doc, uint32(start), uint32(x.i), seen
}

// more reads what follows an item of a container: a comma, upon which it moves
// to the next item and reports true, or the bracket that closes it.
func (x *Codec) more(closing byte, fault jsonscan.Fault) bool {
	if d, i := x.text, x.i; i+1 < len(d) && d[i] == ',' && d[i+1] > ' ' {
		x.i++
		return true
	}
	x.space()
	switch c := x.peek(); {
	case c == ',':
		x.i++
		x.space()
		return true
	case c == closing && x.i < len(x.text):
		x.i++
		return false
	case x.i >= len(x.text):
		fault = jsonscan.FaultEnd
	}
	x.fail(x.i, fault)
	return false
}

// guesses says for each member of a table which one came next when it was
// last seen: the number plus one, and 0 if that is not known. The first entry
// is for the beginning of the object, so that of number k is at k+1.
type guesses struct {
	base int // the place in the codec's last of the table's first member; -1 if it has none
	next [maxMembers + 1]uint8
}

// guess returns the guesses for a table.
func (x *Codec) guess(t *Table) *guesses {
	if n := int(t.id); n < len(x.guesses) && x.guesses[n] != nil {
		return x.guesses[n]
	}
	return x.newGuess(t)
}

func (x *Codec) newGuess(t *Table) *guesses {
	if int(t.id) >= len(x.guesses) {
		x.guesses = append(make([]*guesses, 0, tables.Load()), x.guesses...)[:tables.Load()]
	}
	g := &guesses{base: -1}
	x.guesses[t.id] = g
	return g
}

// name reads the member name at i, moves to the member's value, and returns
// the member's number in t, or -1. The number of the last known member is in
// *last. Members mostly follow each other as they did the last time, so the
// name is compared with that one first, and then with the one that begins like
// it, before it is looked up.
func (x *Codec) name(t *Table, g *guesses, last *int) int {
	d, i := x.text, x.i
	if i >= len(d) || d[i] != '"' {
		if i >= len(d) {
			x.fail(i, jsonscan.FaultEnd)
		}
		x.fail(i, jsonscan.FaultName)
	}
	var word uint64 // what the name begins with
	if i+9 <= len(d) {
		word = binary.LittleEndian.Uint64(d[i+1:])
	}
	likely := &g.next[*last+1]
	if k := int(*likely) - 1; k >= 0 && (word^t.heads[k].word)&t.heads[k].mask == 0 && x.isName(t, k) {
		*last = k
		return k
	}
	if k := int(t.slots[slot(word, slotFactor)]) - 1; k >= 0 {
		if h := &t.heads[k]; (word^h.word)&h.mask == 0 && x.isName(t, k) {
			*likely = uint8(k + 1)
			*last = k
			return k
		}
	}
	tok := x.anyName()
	k := -1
	if raw := tok[1 : len(tok)-1]; jsonscan.IndexByte(raw, '\\') < 0 {
		k = t.lookup(raw)
	} else {
		x.scratch = jsonscan.AppendUnquote(x.scratch[:0], tok)
		k = t.lookup(x.scratch)
	}
	if k >= 0 {
		*likely = uint8(k + 1)
		*last = k
	}
	return k
}

// expected is name for the member that came after the last one the last time. It
// returns -1, and has not moved, if it is another one or spelled in another way.
func (x *Codec) expected(t *Table, g *guesses, last int) int {
	k := int(g.next[last+1]) - 1
	if d, i := x.text, x.i; k >= 0 && i >= 0 && i < len(d)-9 && d[i] == '"' {
		h := &t.heads[k]
		if end := i + h.size; (binary.LittleEndian.Uint64(d[i+1:])^h.word)&h.mask == 0 && end < len(d)-3 && d[end+1] == ':' &&
			(h.size <= 8 || binary.LittleEndian.Uint64(d[end-7:]) == h.tail && (h.size <= 16 || string(d[i+9:end-7]) == t.names[k][8:h.size-8])) {
			if i = end + 2; d[i] == ' ' {
				i++
			}
			if d[i] > ' ' {
				x.i = i
				return k
			}
		}
	}
	return -1
}

// isName reports whether the name at i, whose head is that of number k, is its
// name, spelled without escapes, in which case it moves to the value.
func (x *Codec) isName(t *Table, k int) bool {
	d, i, h := x.text, x.i, &t.heads[k]
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
			x.i = end + 2
			return true
		}
		if d[end+2] == ' ' && d[end+3] > ' ' {
			x.i = end + 3
			return true
		}
	}
	x.i = end + 1
	x.afterName()
	return true
}

// anyName reads the member name at i, moves to the member's value and returns
// the name's token.
func (x *Codec) anyName() []byte {
	start := x.i
	if x.peek() != '"' {
		if x.i >= len(x.text) {
			x.fail(x.i, jsonscan.FaultEnd)
		}
		x.fail(x.i, jsonscan.FaultName)
	}
	end, fault := jsonscan.String(x.text, start)
	if fault != jsonscan.OK {
		x.fail(end, fault)
	}
	x.i = end
	x.afterName()
	return x.text[start:end]
}

// afterName moves from the end of a name over the colon to the value.
func (x *Codec) afterName() {
	x.space()
	if x.peek() != ':' {
		if x.i >= len(x.text) {
			x.fail(x.i, jsonscan.FaultEnd)
		}
		x.fail(x.i, jsonscan.FaultColon)
	}
	x.i++
	x.space()
	if x.i >= len(x.text) {
		x.fail(x.i, jsonscan.FaultEnd)
	}
}

// memberString is stringValue for the member of an object that is being read,
// which often has the same value as in the object before. Strings are not lent.
func (x *Codec) memberString() string {
	if x.at >= len(x.last) {
		return x.stringValue()
	}
	d, i, last := x.text, x.i+1, x.last[x.at]
	if end := i + len(last); len(last) > 0 && end < len(d) && d[end] == '"' && string(d[i:end]) == last {
		x.i = end + 1
		return last
	}
	s := x.stringValue()
	if end := i + len(s); len(s) <= maxRecent && x.i == end+1 && !x.dry { // without escapes
		x.last[x.at], x.kept = s, true
	}
	return s
}

// stringValue reads the string at i and returns what it means.
func (x *Codec) stringValue() string {
	start := x.i
	end, escaped, fault := jsonscan.StringRest(x.text, start+1)
	if fault != jsonscan.OK {
		if fault == jsonscan.FaultEnd {
			end = len(x.text)
		}
		x.fail(end, fault)
	}
	x.i = end
	switch {
	case x.dry:
		return ""
	case escaped:
		x.scratch = jsonscan.AppendUnquote(x.scratch[:0], x.text[start:end])
		return x.strings.string(x.scratch, start, x.only())
	case x.lent != "":
		return x.lent[start+1 : end-1]
	}
	return x.strings.string(x.text[start+1:end-1], start, x.only())
}
