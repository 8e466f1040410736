// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Causes of a failed encoding.
var (
	errCut    = errors.New("a raw value was cut, or its text changed in place")
	errNil    = errors.New("nil element in an array or object")
	errNull   = fmt.Errorf("%w: an element must not be null", ErrKind)
	ErrOneOf  = errors.New("more than one shape of a one-of value is set")
	errCyclic = errors.New("nested too deeply, or an object contains itself")
)

// writeChunk is how much output is gathered before it goes to a writer.
const writeChunk = 64 << 10

// Append encodes the object v and appends its text to dst. An object that
// was read from a text of its own gets that text's surroundings as well.
func Append[T any](x *Codec, dst []byte, v *T, fields func(*T, *Codec)) (_ []byte, err error) {
	x.w = nil
	x.out = dst
	err = encode(x, v, fields)
	out := x.out
	x.out = nil
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Write encodes the object v to w.
func Write[T any](x *Codec, w io.Writer, v *T, fields func(*T, *Codec)) (err error) {
	x.w = w
	x.out = x.out[:0]
	if err = encode(x, v, fields); err == nil && len(x.out) > 0 {
		_, err = w.Write(x.out)
	}
	x.w = nil
	return err
}

// Canonical encodes the object v as if the caller had made it: the members
// in the order of their tables, extra members last, raw values compact, with
// sorted names and numbers in plain decimal.
func Canonical[T any](x *Codec, dst []byte, v *T, fields func(*T, *Codec)) ([]byte, error) {
	x.canonical = true
	defer func() { x.canonical = false }()
	return Append(x, dst, v, fields)
}

// An Origin says where an object comes from.
type Origin int

// An object was made by the caller, read as a part of a text, or read from a
// text of its own.
const (
	None Origin = iota
	Part
	Whole
)

// HasSource returns the origin of v.
func HasSource[T any](v *T, fields func(*T, *Codec)) Origin {
	var x Codec
	src := locate(&x, v, fields)
	switch {
	case src.doc == nil:
		return None
	case src.whole():
		return Whole
	}
	return Part
}

// encode encodes v. If that fails it encodes v once more, into nothing, to
// learn where it failed: keeping the path all the time would cost too much.
func encode[T any](x *Codec, v *T, fields func(*T, *Codec)) error {
	err := encodeOnce(x, v, fields)
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	x.out, x.w = nil, io.Discard
	x.tracking, x.path = true, x.path[:0]
	_ = encodeOnce(x, v, fields)
	e.Pointer = pathPointer(x.path)
	x.tracking, x.out = false, nil
	return e
}

func encodeOnce[T any](x *Codec, v *T, fields func(*T, *Codec)) (err error) {
	defer x.catchEncode(&err)
	x.depth, x.hold, x.lead, x.colon = 0, 0, nil, span{}
	x.again, x.cleared, x.alt = false, false, false
	x.doc, x.text, x.i, x.copied = nil, nil, 0, 0
	src := locate(x, v, fields)
	if src.doc == nil || x.canonical {
		x.mode = writing
		fields(v, x)
		return nil
	}
	if x.w == nil && x.out == nil {
		x.out = make([]byte, 0, len(src.text())+64)
	}
	x.open(src)
	if src.whole() {
		x.copied = 0
	}
	fields(v, x)
	x.closed(src)
	if src.whole() {
		x.flush(len(x.text))
	}
	return nil
}

// open begins the walk of the object with source src.
func (x *Codec) open(src *Source) {
	x.mode, x.doc, x.text = walking, src.doc, src.doc.text
	x.i, x.copied = int(src.start), int(src.start)
}

// closed ends the walk of the object with source src.
func (x *Codec) closed(src *Source) {
	if x.i != int(src.end) {
		x.fail(x.i, errCut)
	}
	x.flush(x.i)
}

// catchEncode is catch for encodings: offsets mean nothing to a caller who
// may have put the objects together from several texts. A position is given
// if the failure was in an object that has one.
func (x *Codec) catchEncode(err *error) {
	switch r := recover().(type) {
	case nil:
	case abort:
		var w *writeError
		if errors.As(r.err, &w) {
			*err = w.err
			return
		}
		if r.err == error(jsonscan.FaultDepth) {
			r.err = errCyclic
		}
		e := &Error{Err: r.err}
		if x.text != nil {
			e.Offset = int64(r.offset)
			e.Line, e.Column = jsonscan.Position(x.text, r.offset)
		}
		*err = e
	default:
		panic(r)
	}
}

// A writeError carries the error of the caller's io.Writer.
type writeError struct{ err error }

func (w *writeError) Error() string { return w.err.Error() }

// write adds p to the output.
func (x *Codec) write(p []byte) {
	if x.w == nil || x.hold > 0 {
		x.out = append(x.out, p...)
		return
	}
	if len(x.out)+len(p) < writeChunk {
		x.out = append(x.out, p...)
		return
	}
	if len(x.out) > 0 {
		x.send(x.out)
		x.out = x.out[:0]
	}
	if len(p) < writeChunk {
		x.out = append(x.out, p...)
		return
	}
	x.send(p)
}

func (x *Codec) send(p []byte) {
	if _, err := x.w.Write(p); err != nil {
		x.fail(x.i, &writeError{err})
	}
}

// locate returns the source of v.
func locate[T any](x *Codec, v *T, fields func(*T, *Codec)) *Source {
	mode := x.mode
	x.mode = locating
	fields(v, x)
	x.mode = mode
	return x.located
}

// walkObject encodes an object that stands at i.
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
		k := x.name(t, guess, &before)
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
// text, by the order of t, is the one with this rank; -1 stands for those that
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

// fresh runs write in the mode writing, and then lays out what it wrote like
// the text around it.
func (x *Codec) fresh(t *Table, write func(), k int) {
	mode := x.mode
	x.mode = writing
	x.member = t != nil && t.always&(1<<k) != 0
	at := x.beginFresh()
	write()
	x.endFresh(at)
	x.mode = mode
}

func (x *Codec) writeColon() {
	switch {
	case x.colon.end > 0:
		name := x.text[x.colon.start:x.colon.end]
		x.out = append(x.out, name[bytes.LastIndexByte(name, '"')+1:]...)
	case bytes.IndexByte(x.lead, '\n') >= 0:
		x.out = append(x.out, ": "...)
	default:
		x.out = append(x.out, ':')
	}
}

// beginFresh notes where new text begins that is to be laid out like the text
// around it; endFresh lays it out.
func (x *Codec) beginFresh() int {
	x.hold++
	return len(x.out)
}

func (x *Codec) endFresh(at int) {
	x.hold--
	if x.hold > 0 || x.doc == nil {
		return // part of something new that will be laid out as a whole
	}
	line := bytes.LastIndexByte(x.lead, '\n')
	if c := x.out[at]; line < 0 || c != '{' && c != '[' {
		return
	}
	var b bytes.Buffer
	if json.Indent(&b, x.out[at:], string(x.lead[line+1:]), x.indentStep()) == nil {
		x.out = append(x.out[:at], b.Bytes()...)
	}
}

// writeObject encodes an object without regard to its source.
func (x *Codec) writeObject(o any, src *Source, t *Table, member func(any, *Codec, int)) {
	x.enter()
	x.push()
	x.out = append(x.out, '{')
	comma := false
	for _, k := range t.order {
		always := t.always&(1<<k) != 0
		if !always {
			x.mode = probing
			member(o, x, int(k))
			x.mode = writing
			if x.zero {
				continue
			}
		}
		x.member = always
		if comma {
			x.out = append(x.out, ',')
		}
		comma = true
		x.step(t.names[k])
		x.out = jsonscan.AppendQuote(x.out, t.names[k], !x.plain)
		x.out = append(x.out, ':')
		member(o, x, int(k))
	}
	if x.canonical && src.seen&seenExtra != 0 {
		for name, v := range Extra[[]byte](src, t) {
			if comma {
				x.out = append(x.out, ',')
			}
			comma = true
			x.out = jsonscan.AppendQuote(x.out, name, !x.plain)
			x.out = append(x.out, ':')
			x.out = jsonscan.AppendCanonical(x.out, v)
		}
	}
	x.out = append(x.out, '}')
	x.pop()
	x.leave()
}

// put writes v, which does not stand at the codec's place: from its own
// source if it has one, otherwise anew.
func put[T any](x *Codec, v *T, fields func(*T, *Codec)) {
	src := locate(x, v, fields)
	mode := x.mode
	if src.doc == nil || x.canonical {
		x.mode = writing
		at := x.beginFresh()
		fields(v, x)
		x.endFresh(at)
		x.mode = mode
		return
	}
	doc, text, i, copied, lead, colon := x.doc, x.text, x.i, x.copied, x.lead, x.colon
	x.open(src)
	fields(v, x)
	x.closed(src)
	x.doc, x.text, x.i, x.copied, x.lead, x.colon = doc, text, i, copied, lead, colon
	x.mode = mode
}
