// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Decoder reads one text at a time into objects. The zero Decoder is ready to use,
// and can be used again and again, which is cheaper than a new one; it must not be
// copied or used by two goroutines at once.
type Decoder struct {
	cursor

	lent     string // text as a string, if strings may be cut from it
	lenient  bool
	problems []Problem
	again    bool // the member has occurred before
	alt      bool // members are in the tables' other order
	dry      bool // only check: what is read is given up

	strings arena
	last    lastStrings
	heap    heap
}

// Decode reads text, one JSON value with white space around it, into o, an object of
// type t. The text belongs to the decoded objects from then on. The error is an
// [*Error].
func (d *Decoder) Decode(text []byte, t Type, o any) (err error) {
	defer d.catch(&err)
	d.begin(text)
	d.space()
	if d.i >= len(text) {
		fail(d.i, jsonscan.FaultEnd)
	}
	d.root(t, o)
	d.space()
	if d.i < len(text) {
		fail(d.i, jsonscan.FaultTrailing)
	}
	return nil
}

// DecodeLenient is like Decode, but a member of another kind than its field
// leaves the field zero and is returned as a problem; its text stays. The
// problems are valid until the decoder is used again. If lent is not empty, it
// is text as a string, of which strings without escapes are cut instead of
// being copied.
func (d *Decoder) DecodeLenient(text []byte, lent string, t Type, o any) ([]Problem, error) {
	d.lenient, d.lent, d.problems = true, lent, d.problems[:0]
	err := d.Decode(text, t, o)
	d.lenient, d.lent = false, ""
	return d.problems, err
}

// DecodeReused is like [Decoder.DecodeLenient], but takes the memory for objects
// behind pointers from those that its last call made, and refers to text only
// until its next call. So all that it decoded before becomes invalid, except
// strings.
func (d *Decoder) DecodeReused(text []byte, lent string, t Type, o any) ([]Problem, error) {
	d.heap.reuse = true
	d.heap.round++
	if lent == "" && len(text) <= smallText {
		lent = d.strings.copy(text) // cheaper than each string for itself
	}
	problems, err := d.DecodeLenient(text, lent, t, o)
	d.heap.reuse = false
	return problems, err
}

// begin prepares the decoder for reading text.
func (d *Decoder) begin(text []byte) {
	d.doc, d.text, d.i, d.depth, d.again, d.alt, d.dry = nil, text, 0, 0, false, false, false
	if uint64(len(text)) > maxText {
		fail(0, errTooLarge)
	}
	d.doc = d.heap.document(text)
	d.strings.reset(len(text), d.heap.reuse)
}

// root reads an object that is not part of another one. It cannot be passed over.
func (d *Decoder) root(t Type, o any) {
	if c := t.opening(); c != 0 && d.peek() != c {
		start := d.i
		fail(start, fmt.Errorf("%w: expected an object, found %s", ErrKind, kindName(d.token()[0])))
	}
	t.decode(d, o)
}

// decodePart reads the text of src, which is known to be valid.
func (d *Decoder) decodePart(src Source, t Type, o any) (err error) {
	defer d.catch(&err)
	d.depth, d.again, d.alt, d.dry = 0, false, false, false
	d.doc, d.text, d.i = src.doc, src.doc.text[:src.end:src.end], int(src.start)
	d.heap.begin()
	d.strings.reset(int(src.end-src.start), false)
	t.decode(d, o)
	return nil
}

// decoders keeps decoders, which are cheap to use again: they know in which order the
// members of objects come.
var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// BorrowDecoder returns a decoder that may have been used for other texts. Give it back
// with [Decoder.Return] when it is not needed any more, but not after an error.
func BorrowDecoder() *Decoder { return decoders.Get().(*Decoder) }

// Return gives back a decoder that was borrowed.
func (d *Decoder) Return() {
	d.forget()
	decoders.Put(d)
}

// forget gives up all memory that what was decoded refers to: the next values
// share none with it.
func (d *Decoder) forget() {
	d.doc, d.text, d.lent = nil, nil, ""
	d.strings.forget()
	d.last.forget()
	d.heap.forget()
	d.problems = d.problems[:0]
	if cap(d.scratch) > smallText {
		d.scratch = nil
	}
}

// mismatch deals with a value at i that has another kind than its field. A
// null is the zero value of every field; anything else is an error, or in a
// lenient decoding a problem.
func (d *Decoder) mismatch(want string) {
	start := d.i
	tok := d.token()
	if tok[0] != 'n' {
		d.problem(start, fmt.Errorf("%w: expected %s, found %s", ErrKind, want, kindName(tok[0])))
	}
}

// null deals with a null in place of an element.
func (d *Decoder) null() { d.problem(d.i, errNull) }

// problem notes that the value at start does not fit, which only a lenient decoding
// survives.
func (d *Decoder) problem(start int, err error) {
	if !d.lenient {
		fail(start, err)
	}
	d.problems = append(d.problems, Problem{start, err})
}

// spoiled says that the array or map at start has an element of the wrong
// kind, which makes all of it another kind of value. Of the problems that were
// noted from number first on, the first is kept.
func (d *Decoder) spoiled(start, first int) {
	d.problems = append(d.problems[:first], Problem{start, d.problems[first].Err})
}

// members reads an object whose members have a table.
func (d *Decoder) members(o any, t *Table) {
	start := d.i
	if d.peek() != '{' {
		d.mismatch("an object")
		return
	}
	d.enter()
	var seen uint64
	if d.opened('}') {
		guess := d.guess(t)
		if guess.base < 0 {
			guess.base = d.last.add(len(t.names))
		}
		for last := -1; ; {
			// As in name and isName, without the calls.
			k := int(guess.next[last+1]) - 1
			if d, text, i := d, d.text, d.i; k >= 0 && i >= 0 && i < len(text)-9 && text[i] == '"' {
				h := &t.heads[k]
				if end := i + h.size; (binary.LittleEndian.Uint64(text[i+1:])^h.word)&h.mask == 0 && end < len(text)-3 && text[end+1] == ':' &&
					(h.size <= 8 || binary.LittleEndian.Uint64(text[end-7:]) == h.tail && (h.size <= 16 || string(text[i+9:end-7]) == t.names[k][8:h.size-8])) {
					if i = end + 2; text[i] == ' ' {
						i++
					}
					if text[i] > ' ' {
						d.i, last = i, k
						goto value
					}
				}
			}
			k = d.name(t, guess, &last)
		value:
			if k < 0 {
				seen |= seenExtra
				d.skip()
			} else {
				bit := uint64(1) << (uint(k) & 63)
				if seen&bit != 0 {
					seen |= seenTwice
					d.again = true
				}
				seen |= bit
				d.last.at = guess.base + k
				t.fields[k].decode(d, t.Of.At(o, k))
				d.again = false
			}
			if text, i := d.text, d.i; i < len(text)-1 && text[i] == ',' && text[i+1] == '"' {
				d.i++
			} else if i >= 0 && i < len(text) && text[i] == '}' {
				d.i++
				break
			} else if !d.more('}', jsonscan.FaultObject) {
				break
			}
		}
	}
	d.leave()
	src := t.source(o)
	src.doc, src.start, src.end, src.seen = d.doc, uint32(start), uint32(d.i), seen
}

// element decodes an element of an array or map of objects into v, and reports
// false if it is of another kind, which only a lenient decoding survives.
func (d *Decoder) element(t Type, v any) bool {
	if d.peek() == 'n' {
		d.null()
		d.skip()
		return false
	}
	d.again = false
	t.decode(d, v)
	return !d.lenient || t.source(v).doc != nil
}

// A lastStrings has the last value of each member of each table, if it was a short
// string. Members of an object often have the same values as in the object before.
type lastStrings struct {
	values []string
	kept   bool // there are any
	at     int  // the place of the member that is being read
}

// add makes room for n members, and returns the place of the first.
func (l *lastStrings) add(n int) (base int) {
	base = len(l.values)
	l.values = append(l.values, make([]string, n)...)
	return base
}

func (l *lastStrings) forget() {
	if l.kept {
		l.kept = false
		clear(l.values)
	}
}

// memberString is stringValue for the member of an object that is being read. Strings
// are not lent.
func (d *Decoder) memberString() string {
	if d.last.at >= len(d.last.values) {
		return d.stringValue()
	}
	text, i, last := d.text, d.i+1, d.last.values[d.last.at]
	if end := i + len(last); len(last) > 0 && end < len(text) && text[end] == '"' && string(text[i:end]) == last {
		d.i = end + 1
		return last
	}
	s := d.stringValue()
	if end := i + len(s); len(s) <= maxRecent && d.i == end+1 && !d.dry { // without escapes
		d.last.values[d.last.at], d.last.kept = s, true
	}
	return s
}

// listString is stringValue for an element of a list after the string last, which it
// may be the beginning of: the shorter forms of a reference follow it.
func (d *Decoder) listString(last string) string {
	text, start := d.text, d.i+1
	end, escaped, fault := jsonscan.StringRest(text, start)
	if fault != jsonscan.OK || escaped || d.lent != "" {
		return d.stringValue()
	}
	d.i = end
	if d.dry {
		return ""
	}
	s := text[start : end-1]
	if len(s) <= len(last) && last[:len(s)] == string(s) {
		return last[:len(s)]
	}
	return d.strings.string(s)
}

// stringValue reads the string at i and returns what it means.
func (d *Decoder) stringValue() string {
	start := d.i
	end, escaped, fault := jsonscan.StringRest(d.text, start+1)
	if fault != jsonscan.OK {
		if fault == jsonscan.FaultEnd {
			end = len(d.text)
		}
		fail(end, fault)
	}
	d.i = end
	switch {
	case d.dry:
		return ""
	case escaped:
		d.scratch = jsonscan.AppendUnquote(d.scratch[:0], d.text[start:end])
		return d.strings.string(d.scratch)
	case d.lent != "":
		return d.lent[start+1 : end-1]
	}
	return d.strings.string(d.text[start+1 : end-1])
}

// rawToken is token for what tools write most often, which takes no scan.
func (d *Decoder) rawToken() []byte {
	text, start := d.text, d.i
	if start+5 >= len(text) {
		return d.token()
	}
	end := start
	switch c := text[start]; {
	case c == '{' || c == '[':
		if text[start+1] == c+2 && d.depth < jsonscan.MaxDepth { // their partners
			end = start + 2
		}
	case c == '"':
		if rest, _, fault := jsonscan.StringRest(text, start+1); fault == jsonscan.OK {
			end = rest
		}
	case string(text[start:start+4]) == "null" || string(text[start:start+4]) == "true":
		end = start + 4
	case string(text[start:start+5]) == "false":
		end = start + 5
	}
	if end == start {
		return d.token()
	}
	d.i = end
	return text[start:end:end]
}
