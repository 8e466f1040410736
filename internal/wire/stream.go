// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// window is the size of the part of a stream that is held, unless an element
// is larger.
const window = 256 << 10

// A Stream reads one JSON document from a reader, part by part, and decodes
// elements of it on the way. Memory does not grow with the document but with
// its largest element. Elements stay valid after the stream has gone on.
//
// All errors are of type [*Error], except those of the reader, which are
// returned as they are.
type Stream struct {
	r     io.Reader
	err   error // of r, once it has ended
	buf   []byte
	i     int   // the place in buf
	base  int64 // the offset of buf[0] in the document
	given bool  // elements refer to buf, so it must not be written to

	line      int   // of base, from 1
	lineStart int64 // the offset at which that line begins

	path []pathStep
	dec  Decoder
}

// NewStream returns a stream that reads from r. It reads ahead.
func NewStream(r io.Reader) *Stream {
	return &Stream{r: r, line: 1}
}

// fill reads more text, and reports whether there is any. The text from i on
// stays.
func (s *Stream) fill() bool {
	if s.err != nil {
		return false
	}
	if cap(s.buf)-len(s.buf) < window/8 {
		s.advance()
	}
	for range 100 {
		n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		s.err = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// advance makes room in the window by dropping the bytes before i: in place, or
// if elements refer to it, or if it is too small, by moving to a new one.
func (s *Stream) advance() {
	gone, rest := s.buf[:s.i], s.buf[s.i:]
	if n := jsonscan.Lines(gone); n > 0 {
		s.line += n
		s.lineStart = s.base + int64(bytes.LastIndexByte(gone, '\n')) + 1
	}
	s.base += int64(len(gone))
	s.i = 0
	if s.given || cap(s.buf) < window || len(rest) > cap(s.buf)/2 {
		s.buf = append(make([]byte, 0, max(window, 2*len(rest))), rest...)
		s.given = false
		// What elements of this window have in common with those of the last
		// one must not keep that alive.
		s.dec.heap.slabs, s.dec.heap.rooms, s.dec.heap.lines = nil, nil, room[string]{}
		return
	}
	s.buf = append(s.buf[:0], rest...)
}

// double reads until there is twice as much text from i on as there is now,
// or no more, and reports whether there is more than now. What is tried again
// after that costs no more than reading did, however small the parts are in
// which the text arrives.
func (s *Stream) double() bool {
	had := len(s.buf) - s.i
	for len(s.buf)-s.i < 2*had+1 && s.fill() {
	}
	return len(s.buf)-s.i > had
}

// fail returns the error for a fault at offset i of the window.
func (s *Stream) fail(i int, err error) error {
	if s.err != nil && s.err != io.EOF && err == error(jsonscan.FaultEnd) {
		return s.err
	}
	e := &Error{Offset: s.base + int64(i), Err: err, Pointer: pathPointer(s.path)}
	line, column := jsonscan.Position(s.buf, i)
	e.Line, e.Column = s.line+line-1, column
	if line == 1 {
		e.Column += int(s.base - s.lineStart)
	}
	return e
}

// peek moves to the next byte that is not white space and returns it, or 0
// at the end.
func (s *Stream) peek() byte {
	for {
		if s.i = jsonscan.Space(s.buf, s.i); s.i < len(s.buf) {
			return s.buf[s.i]
		}
		if !s.fill() {
			return 0
		}
	}
}

// expect fails unless the next byte is c, which it passes.
func (s *Stream) expect(c byte, fault jsonscan.Fault) error {
	switch got := s.peek(); {
	case got == c:
		s.i++
		return nil
	case s.i >= len(s.buf):
		fault = jsonscan.FaultEnd
	}
	return s.fail(s.i, fault)
}

// Kind returns the first byte of the value that comes next, 0 at the end.
func (s *Stream) Kind() byte { return s.peek() }

// open begins a container. It reports false for null, which it passes.
func (s *Stream) open(c byte, want string) (bool, error) {
	switch got := s.peek(); {
	case got == c:
		s.i++
		if s.path = append(s.path, pathStep{index: -1}); len(s.path) > jsonscan.MaxDepth {
			return false, s.fail(s.i-1, jsonscan.FaultDepth)
		}
		return true, nil
	case got == 'n':
		return false, s.Skip()
	case s.i >= len(s.buf):
		return false, s.fail(s.i, jsonscan.FaultEnd)
	default:
		return false, s.mismatch(got, want)
	}
}

// mismatch returns the error for a value at i, beginning with got, that has
// another kind than is wanted.
func (s *Stream) mismatch(got byte, want string) error {
	err := s.fail(s.i, fmt.Errorf("%w: expected %s, found %s", ErrKind, want, kindName(got)))
	if invalid := s.Skip(); invalid != nil {
		return invalid // not even JSON
	}
	return err
}

// Object reads the object that comes next and calls member for each of its
// members. It must read the member's value. A null is an object without
// members.
func (s *Stream) Object(member func(name string) error) error {
	ok, err := s.open('{', "an object")
	if !ok || err != nil {
		return err
	}
	defer func() { s.path = s.path[:len(s.path)-1] }()
	if s.peek() == '}' {
		s.i++
		return nil
	}
	for {
		name, err := s.name()
		if err != nil {
			return err
		}
		s.path[len(s.path)-1] = pathStep{name: name, index: -1, begun: true}
		if err := s.expect(':', jsonscan.FaultColon); err != nil {
			return err
		}
		s.peek()
		if err := member(name); err != nil {
			return err
		}
		if s.peek() == ',' {
			s.i++
			s.peek()
			continue
		}
		return s.expect('}', jsonscan.FaultObject)
	}
}

// Array reads the array that comes next and calls element for each of its
// elements, which it must read. A null is an empty array.
func (s *Stream) Array(element func() error) error {
	ok, err := s.open('[', "an array")
	if !ok || err != nil {
		return err
	}
	defer func() { s.path = s.path[:len(s.path)-1] }()
	if s.peek() == ']' {
		s.i++
		return nil
	}
	for n := 0; ; n++ {
		s.path[len(s.path)-1] = pathStep{index: n, begun: true}
		s.peek()
		if err := element(); err != nil {
			return err
		}
		if s.peek() == ',' {
			s.i++
			continue
		}
		return s.expect(']', jsonscan.FaultArray)
	}
}

// name reads a member's name.
func (s *Stream) name() (string, error) {
	if s.peek() != '"' {
		return "", s.fail(s.i, s.orEnd(jsonscan.FaultName))
	}
	for {
		end, fault := jsonscan.String(s.buf, s.i)
		if fault == jsonscan.OK {
			name := string(unquote(s.buf[s.i:end]))
			s.i = end
			return name, nil
		}
		if fault != jsonscan.FaultEnd || !s.double() {
			return "", s.fail(end, fault)
		}
	}
}

func (s *Stream) orEnd(fault jsonscan.Fault) jsonscan.Fault {
	if s.i >= len(s.buf) {
		return jsonscan.FaultEnd
	}
	return fault
}

// Skip validates the value that comes next and drops it.
func (s *Stream) Skip() error {
	var k jsonscan.Skipper
	switch s.peek() {
	case '{', '[':
	case '"':
		k.InString()
		s.i++
	default:
		_, err := s.scalar()
		return err
	}
	for {
		end, fault := k.Run(s.buf, s.i, jsonscan.MaxDepth-len(s.path))
		s.i = end
		if fault == jsonscan.OK {
			return nil
		}
		if fault != jsonscan.FaultEnd || !s.fill() {
			if fault == jsonscan.FaultEnd {
				s.i = len(s.buf)
			}
			return s.fail(s.i, fault)
		}
	}
}

// scalar reads the string, number or literal that comes next. Its text is
// valid until the stream goes on.
func (s *Stream) scalar() ([]byte, error) {
	for {
		end, fault := jsonscan.Value(s.buf, s.i, 0)
		atEnd := fault == jsonscan.OK && end == len(s.buf) && s.buf[end-1] != '"'
		if fault == jsonscan.OK && !atEnd || atEnd && s.err != nil {
			tok := s.buf[s.i:end]
			s.i = end
			return tok, nil
		}
		// A number may go on after the end of the window.
		if (fault == jsonscan.FaultEnd || atEnd) && s.double() {
			continue
		}
		if atEnd {
			continue // the end of the stream: now the token is complete
		}
		return nil, s.fail(end, fault)
	}
}

// Raw reads the value that comes next, whatever it is, and returns a copy of its
// text. The pointer of a fault in it ends above it.
func (s *Stream) Raw() ([]byte, error) {
	if c := s.peek(); c != '{' && c != '[' {
		text, err := s.scalar()
		return bytes.Clone(text), err
	}
	for {
		end, fault := jsonscan.Value(s.buf, s.i, jsonscan.MaxDepth-len(s.path))
		switch {
		case fault == jsonscan.OK:
			text := bytes.Clone(s.buf[s.i:end])
			s.i = end
			return text, nil
		case fault != jsonscan.FaultEnd || !s.double():
			return nil, s.fail(end, fault)
		}
	}
}

// Scan calls scan with the text of which the first value is the one that comes next,
// and with how deep that may nest. It must return the value's end, and may be called
// again with more text if that is missing: with [jsonscan.FaultEnd]. With another fault
// Scan stays where it is and reports false. The text is valid until the stream goes on.
func (s *Stream) Scan(scan func(text []byte, depth int) (end int, fault jsonscan.Fault)) bool {
	s.peek()
	for {
		end, fault := scan(s.buf[s.i:len(s.buf):len(s.buf)], jsonscan.MaxDepth-len(s.path))
		if fault == jsonscan.OK {
			s.i += end
			return true
		}
		if fault != jsonscan.FaultEnd || !s.double() {
			return false
		}
	}
}

// Text reads the string that comes next. A null is empty.
func (s *Stream) Text() (string, error) { return s.TextLike("") }

// TextLike is like Text, but makes no copy of the string if it is the same as like.
func (s *Stream) TextLike(like string) (string, error) {
	switch c := s.peek(); {
	case c == '"':
		tok, err := s.scalar()
		if err != nil {
			return "", err
		}
		text := tok[1 : len(tok)-1]
		if jsonscan.IndexByte(text, '\\') >= 0 {
			s.dec.scratch = jsonscan.AppendUnquote(s.dec.scratch[:0], tok)
			text = s.dec.scratch
		}
		if string(text) != like {
			return string(text), nil
		}
		return like, nil
	case c == 'n' || s.i >= len(s.buf):
		return "", s.Skip()
	default:
		return "", s.mismatch(c, "a string")
	}
}

// End fails unless nothing but white space follows.
func (s *Stream) End() error {
	if s.peek(); s.i < len(s.buf) {
		return s.fail(s.i, jsonscan.FaultTrailing)
	}
	if s.err != nil && s.err != io.EOF {
		return s.err
	}
	return nil
}

// Next decodes the object that comes next, of type t. If the window ends within it, it
// is decoded again after more has been read; the window doubles, so that an
// element is decoded twice in all, more or less.
func Next[T any](s *Stream, t Type) (*T, error) {
	v, err := s.next(t)
	o, _ := v.(*T)
	return o, err
}

func (s *Stream) next(t Type) (any, error) {
	switch c := s.peek(); {
	case s.i >= len(s.buf):
		return nil, s.fail(s.i, jsonscan.FaultEnd)
	case c != '{':
		return nil, s.mismatch(c, "an object")
	}
	for {
		v := t.memory().object()
		end, err := s.dec.decodeFirst(s.buf[s.i:len(s.buf):len(s.buf)], len(s.path), t, v)
		if err == nil {
			s.given = true
			s.i += end
			return v, nil
		}
		if err == errShort {
			if s.double() {
				continue
			}
			err = s.dec.place(abort{len(s.buf) - s.i, jsonscan.FaultEnd})
		}
		var e *Error
		if !errors.As(err, &e) {
			return nil, err
		}
		at := s.fail(s.i+int(e.Offset), e.Err)
		if placed, ok := at.(*Error); ok {
			placed.Pointer += e.Pointer
		}
		return nil, at
	}
}

// decodeFirst is Decode for the value at the beginning of text, depth levels
// deep in a document. It returns the value's end.
func (d *Decoder) decodeFirst(text []byte, depth int, t Type, o any) (end int, err error) {
	defer func() {
		if r := recover(); r != nil {
			if a, ok := r.(abort); ok && a.err == error(jsonscan.FaultEnd) {
				err = errShort // happens all the time, so its place is not sought
				return
			}
			defer d.catch(&err)
			panic(r)
		}
	}()
	d.begin(text)
	d.depth = depth
	t.decode(d, o)
	d.doc.text = text[:d.i:d.i] // what comes after is not the value's
	return d.i, nil
}

// errShort says that text ended too early.
var errShort = errors.New("short")

// Path returns the JSON pointer of the place at which the stream is.
func (s *Stream) Path() string { return pathPointer(s.path) }

// Fail returns an error at the stream's place.
func (s *Stream) Fail(err error) error { return s.fail(s.i, err) }
