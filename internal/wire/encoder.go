// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// An Encoder writes one object at a time as text. The zero Encoder is ready to use, and
// can be used again and again, which is cheaper than a new one; it must not be
// copied or used by two goroutines at once. Its cursor is in the source of what is
// being written, if that has one.
type Encoder struct {
	cursor

	out    []byte
	w      io.Writer
	hold   int       // while positive, out is not passed to w
	copied int       // text before it is in out, or dropped
	lead   []byte    // white space that precedes the items of the innermost container
	colon  byteRange // the last name in the innermost object, up to its value
	alt    bool      // write in the tables' other order

	canonical bool // ignore all sources
	form      Form // of the canonical text
	plain     bool // write <, > and & as they are

	at path // if it is tracked: where the encoder is

	// What is being written: the objects of lists, and the names of maps.
	lists []any
	names []string
}

// writeChunk is how much output is gathered before it goes to a writer.
const writeChunk = 64 << 10

// SetHTML chooses whether the characters <, > and & are escaped in strings
// that are written from now on, as encoding/json does by default. They are
// unless this is called.
func (e *Encoder) SetHTML(escape bool) { e.plain = !escape }

// SetForm chooses the form of [Encoder.Canonical].
func (e *Encoder) SetForm(f Form) { e.form = f }

// Append encodes o, an object of type t, and appends its text to dst. An object that
// was read from a text of its own gets that text's surroundings as well.
func (e *Encoder) Append(dst []byte, t Type, o any) ([]byte, error) {
	e.w = nil
	e.out = dst
	err := e.encode(t, o)
	out := e.out
	e.out = nil
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Write encodes o, an object of type t, to w.
func (e *Encoder) Write(w io.Writer, t Type, o any) (err error) {
	e.w = w
	e.out = e.out[:0]
	if err = e.encode(t, o); err == nil && len(e.out) > 0 {
		_, err = w.Write(e.out)
	}
	e.w = nil
	return err
}

// Canonical encodes o, an object of type t, as a tool would, see [Encoder.SetForm]: the
// members in the order of their tables, extra members last, raw values compact,
// with sorted names and numbers in plain decimal.
func (e *Encoder) Canonical(dst []byte, t Type, o any) ([]byte, error) {
	e.canonical = true
	defer func() { e.canonical = false }()
	return e.Append(dst, t, o)
}

// encoders keeps encoders, as decoders keeps decoders.
var encoders = sync.Pool{New: func() any { return new(Encoder) }}

// BorrowEncoder returns an encoder that may have been used before. Give it back with
// [Encoder.Return] when it is not needed any more, but not after an error.
func BorrowEncoder() *Encoder { return encoders.Get().(*Encoder) }

// Return gives back an encoder that was borrowed.
func (e *Encoder) Return() {
	e.doc, e.text, e.lead = nil, nil, nil
	if cap(e.scratch) > smallText {
		e.scratch = nil
	}
	encoders.Put(e)
}

// encode encodes an object. If that fails it encodes it once more, into nothing, to
// learn where it failed: keeping the path all the time would cost too much.
func (e *Encoder) encode(t Type, o any) error {
	err := e.encodeOnce(t, o)
	if err == nil {
		return nil
	}
	var at *Error
	if !errors.As(err, &at) {
		return err
	}
	e.out, e.w = nil, io.Discard
	e.at = path{tracked: true}
	_ = e.encodeOnce(t, o)
	at.Pointer = pathPointer(e.at.steps)
	e.at, e.out = path{}, nil
	return at
}

func (e *Encoder) encodeOnce(t Type, o any) (err error) {
	defer e.catch(&err)
	e.depth, e.hold, e.lead, e.colon, e.alt = 0, 0, nil, byteRange{}, false
	clear(e.lists) // of an encoding that failed
	e.lists, e.names = e.lists[:0], e.names[:0]
	e.doc, e.text, e.i, e.copied = nil, nil, 0, 0
	src := t.source(o)
	if src.doc == nil || e.canonical {
		t.write(e, o)
		return nil
	}
	if e.w == nil && e.out == nil {
		e.out = make([]byte, 0, len(src.text())+64)
	}
	e.open(src)
	if src.whole() {
		e.copied = 0
	}
	t.edit(e, o)
	e.closed(src)
	if src.whole() {
		e.flush(len(e.text))
	}
	return nil
}

// open begins the walk of the object with source src.
func (e *Encoder) open(src *Source) {
	e.doc, e.text = src.doc, src.doc.text
	e.i, e.copied = int(src.start), int(src.start)
}

// closed ends the walk of the object with source src.
func (e *Encoder) closed(src *Source) {
	if e.i != int(src.end) {
		fail(e.i, errCut)
	}
	e.flush(e.i)
}

// catch is that of a cursor for encodings: offsets mean nothing to a caller that
// may have put the objects together from several texts. A position is given
// if the failure was in an object that has one.
func (e *Encoder) catch(err *error) {
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
		at := &Error{Err: r.err}
		if e.text != nil {
			at.Offset = int64(r.offset)
			at.Line, at.Column = jsonscan.Position(e.text, r.offset)
		}
		*err = at
	default:
		panic(r)
	}
}

// A writeError carries the error of the caller's io.Writer.
type writeError struct{ err error }

func (w *writeError) Error() string { return w.err.Error() }

// output adds p to the output.
func (e *Encoder) output(p []byte) {
	if e.w == nil || e.hold > 0 {
		e.out = append(e.out, p...)
		return
	}
	if len(e.out)+len(p) < writeChunk {
		e.out = append(e.out, p...)
		return
	}
	if len(e.out) > 0 {
		e.send(e.out)
		e.out = e.out[:0]
	}
	if len(p) < writeChunk {
		e.out = append(e.out, p...)
		return
	}
	e.send(p)
}

func (e *Encoder) send(p []byte) {
	if _, err := e.w.Write(p); err != nil {
		fail(e.i, &writeError{err})
	}
}

// flush writes the text that was copied so far up to offset at.
func (e *Encoder) flush(at int) {
	if at > e.copied {
		e.output(e.text[e.copied:at])
		e.copied = at
	}
}

// replaced says that out has a new value for the text from i to end.
func (e *Encoder) replaced(end int) {
	e.copied = end
	e.i = end
}

// settle deals with a scalar field at i, whose text ends at end: same says
// that the text means the field's value already, zero that the field is zero.
// It reports write if the caller has to write the field's value to out, and
// then call replaced, and goes if the member goes.
func (e *Encoder) settle(end int, same, zero bool) (write, goes bool) {
	if same || zero {
		e.i = end
		return false, !same
	}
	e.flush(e.i)
	return true, false
}

// quote writes a string.
func (e *Encoder) quote(s string) { e.out = jsonscan.AppendQuote(e.out, s, !e.plain) }

// null writes null.
func (e *Encoder) null() { e.out = append(e.out, "null"...) }

// colonAfterName writes what is between a new name and its value.
func (e *Encoder) colonAfterName() {
	switch {
	case e.colon.end > 0:
		name := e.text[e.colon.start:e.colon.end]
		e.out = append(e.out, name[bytes.LastIndexByte(name, '"')+1:]...)
	case bytes.IndexByte(e.lead, '\n') >= 0:
		e.out = append(e.out, ": "...)
	default:
		e.out = append(e.out, ':')
	}
}

// beginFresh notes where new text begins that is to be laid out like the text
// around it; endFresh lays it out.
func (e *Encoder) beginFresh() int {
	e.hold++
	return len(e.out)
}

func (e *Encoder) endFresh(at int) {
	e.hold--
	if e.hold > 0 || e.doc == nil {
		return // part of something new that will be laid out as a whole
	}
	line := bytes.LastIndexByte(e.lead, '\n')
	if c := e.out[at]; line < 0 || c != '{' && c != '[' {
		return
	}
	var b bytes.Buffer
	if json.Indent(&b, e.out[at:], string(e.lead[line+1:]), e.indentStep()) == nil {
		e.out = append(e.out[:at], b.Bytes()...)
	}
}

// put writes v, which does not stand at the encoder's place: from its own
// source if it has one, otherwise anew.
func (e *Encoder) put(t Type, v any) {
	src := t.source(v)
	if src.doc == nil || e.canonical {
		at := e.beginFresh()
		t.write(e, v)
		e.endFresh(at)
		return
	}
	doc, text, i, copied, lead, colon := e.doc, e.text, e.i, e.copied, e.lead, e.colon
	e.open(src)
	t.edit(e, v)
	e.closed(src)
	e.doc, e.text, e.i, e.copied, e.lead, e.colon = doc, text, i, copied, lead, colon
}

// editObject encodes v, which is not nil, against the value at i.
func (e *Encoder) editObject(t Type, v any) {
	if t.source(v).at(e.doc, e.i) {
		t.edit(e, v)
		return
	}
	end := e.end()
	e.flush(e.i)
	e.put(t, v)
	e.replaced(end)
}

// skipObject moves behind the value at i, which is v's text if it is here.
func (e *Encoder) skipObject(t Type, v any) {
	if src := t.source(v); src.at(e.doc, e.i) {
		e.i = int(src.end)
		return
	}
	e.skip()
}

// replace writes a new value for the one at i, which is not even of the
// field's kind.
func (e *Encoder) replace(write func()) {
	end := e.end()
	e.flush(e.i)
	at := e.beginFresh()
	write()
	e.endFresh(at)
	e.replaced(end)
}

// means reports whether the string token tok means s.
func (e *Encoder) means(tok []byte, s string) bool {
	raw := tok[1 : len(tok)-1]
	if jsonscan.IndexByte(raw, '\\') < 0 {
		return string(raw) == s
	}
	if len(s) > len(raw) {
		return false // an escape is never shorter than what it means
	}
	e.scratch = jsonscan.AppendUnquote(e.scratch[:0], tok)
	return string(e.scratch) == s
}
