// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"errors"
	"sync"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// decoders and encoders are for single lines. They are cheap to use again.
var (
	decoders = sync.Pool{New: func() any { return new(wire.Decoder) }}
	encoders = sync.Pool{New: func() any { return new(wire.Encoder) }}
)

// Decode decodes one line, with or without its line end. The message refers to
// line, which must not be changed afterwards; [Clone] makes it
// independent.
//
// Decode accepts any JSON object. A member that this package does not know is
// kept; [Extra] returns it. If a value has another kind than its field, the
// field stays empty, the value is kept, and [Message.Problems] reports it. If a
// member occurs twice, the last one counts. Names must match exactly.
//
// If line is not a JSON object, the error is an [*Error].
func Decode(line []byte) (*Message, error) {
	d := decoders.Get().(*wire.Decoder)
	defer decoders.Put(d)
	m := new(Message)
	if _, err := d.DecodeLenient(line, "", messageTable, m); err != nil {
		return nil, lineError(err)
	}
	return m, nil
}

// A Decoder decodes lines one by one into a message that it reuses, which is the fastest way
// for lines that are already in memory. For streams, use [Reader.Borrowed]. The zero Decoder is
// ready to use. A Decoder must not be used concurrently and must not be copied.
type Decoder struct {
	decoder wire.Decoder
	msg     Message
}

// Decode decodes line as the function [Decode] does. The message is valid until
// the next call, and refers to line until then; its strings may be kept, and
// [Clone] keeps all of it.
func (d *Decoder) Decode(line []byte) (*Message, error) {
	d.msg = Message{}
	if _, err := d.decoder.DecodeReused(line, "", messageTable, &d.msg); err != nil {
		return nil, lineError(err)
	}
	return &d.msg, nil
}

// lineError converts the error of decoding a line. Members of a wrong kind are
// not errors here, so such an error means that the line is not an object.
func lineError(err error) error {
	err = wireError(err)
	if e, ok := err.(*Error); ok && errors.Is(err, ErrKind) {
		e.Err = ErrNotMessage
	}
	return err
}

// Encode returns m as one line. A message that was decoded and not changed gives
// the bytes it was decoded from, line end included if there was one. In a
// changed message, only the changed members are rewritten. A message without
// source is written as OpenTofu writes it, without line end.
//
// The error is an [*Error] for a [Value] that is not valid JSON, a nil element
// of a list or map of objects, or a nil m.
func Encode(m *Message) ([]byte, error) {
	return appendMessage(nil, m)
}

// appendMessage is like [Encode], but appends the line to dst.
func appendMessage(dst []byte, m *Message) ([]byte, error) {
	if m == nil {
		return dst, &Error{Err: ErrAbsent}
	}
	e := encoders.Get().(*wire.Encoder)
	defer encoders.Put(e)
	e.SetHTML(m.escapesHTML())
	dst, err := e.Append(dst, messageTable, m)
	if err != nil {
		return dst, wireError(err)
	}
	return dst, nil
}

// Canonical returns m as one line, without line end, as the tool named by its
// member "@module" would write it: without white space, members in order, extra
// members last in their objects. The canonical form of a message that a tool has
// printed is its text; members that it lacks are not added. Errors are those of
// [Encode].
func Canonical(m *Message) ([]byte, error) {
	if m == nil {
		return nil, &Error{Err: ErrAbsent}
	}
	e := encoders.Get().(*wire.Encoder)
	defer encoders.Put(e)
	e.SetHTML(m.Module == "terraform.ui" || hasHTMLEscapes(m.src.Text()))
	text, err := e.Canonical(nil, messageTable, m)
	if err != nil {
		return nil, wireError(err)
	}
	// The tools escape U+FFFD where a byte was no UTF-8, and only there.
	const replacement = "\uFFFD"
	if line := m.src.Text(); bytes.Contains(line, []byte(`\ufffd`)) && !bytes.Contains(line, []byte(replacement)) {
		text = bytes.ReplaceAll(text, []byte(replacement), []byte(`\ufffd`))
	}
	return text, nil
}

// escapesHTML reports whether the characters <, > and & are escaped in new
// text: always in Terraform, never in OpenTofu except its first release, which
// is recognized by its texts.
func (m *Message) escapesHTML() bool {
	if m.Module == "terraform.ui" {
		return true
	}
	line := m.src.Text()
	if !bytes.Contains(line, []byte(`\u00`)) {
		return false
	}
	var text []byte
	if d := Value(line).object(); d != nil {
		for name, value := range jsonscan.Members(d) {
			if string(name) == `"@message"` {
				text = value
			}
		}
	}
	for _, escape := range []string{`\u003c`, `\u003e`, `\u0026`} {
		if bytes.Contains(text, []byte(escape)) {
			return true
		}
	}
	return false
}

// hasHTMLEscapes reports whether a line escapes all its characters <, > and &.
func hasHTMLEscapes(line []byte) bool {
	if bytes.ContainsAny(line, "<>&") {
		return false
	}
	for _, escape := range []string{`\u003c`, `\u003e`, `\u0026`} {
		if bytes.Contains(line, []byte(escape)) {
			return true
		}
	}
	return false
}

// A Problem is a member of a message that has another kind of value than its
// field. The field is empty; the member is kept as it is.
type Problem struct {
	Pointer string // the member (RFC 6901), such as "/hook/action"
	Offset  int64  // of its value in the line, in bytes from 0
	Err     error  // the expected kind; wraps [ErrKind]
}

// Problems returns the members of m whose values have another kind than their
// fields: a sign of a release that is newer than this package, or of a line
// that no tool wrote. It decodes the line again.
func (m *Message) Problems() []Problem {
	line, err := Encode(m)
	if err != nil {
		return nil
	}
	d := decoders.Get().(*wire.Decoder)
	defer decoders.Put(d)
	found, err := d.DecodeLenient(line, "", messageTable, new(Message))
	if err != nil {
		return nil
	}
	var all []Problem
	places, last := jsonscan.Pointers{Text: line}, 0
	for _, p := range found {
		if p.Offset < last {
			places = jsonscan.Pointers{Text: line}
		}
		last = p.Offset
		all = append(all, Problem{places.At(p.Offset), int64(p.Offset), p.Err})
	}
	return all
}

// A decoder decodes the lines of one stream.
type decoder struct {
	wire  wire.Decoder
	reuse bool
	msg   *Message // the same again and again if reuse is set

	messages slab[Message] // not handed out
	events   slab[Event]
}

// A slab hands out values of a type, many to one allocation.
type slab[T any] struct {
	free []T
	size int // of the next allocation
}

// The number of values in the largest allocation: about what fits into one of
// the runtime's sizes.
const (
	maxMessages = 19
	maxEvents   = 31
)

func (s *slab[T]) take(most int) *T {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, 1), most)
		s.free = make([]T, s.size)
	}
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// fresh gives up the values that were not handed out: no value from before it
// shares an allocation with one from after it.
func (s *slab[T]) fresh() { s.free = nil }

// decode decodes body. lent is empty or body as a string. The message is valid
// until the next call if the decoder reuses it. The first error is that of the
// first member of a wrong kind.
func (d *decoder) decode(body []byte, lent string) (m *Message, problem, err error) {
	var found []wire.Problem
	if d.reuse {
		if d.msg == nil {
			d.msg = new(Message)
		} else {
			*d.msg = Message{}
		}
		found, err = d.wire.DecodeReused(body, lent, messageTable, d.msg)
	} else {
		d.msg = d.messages.take(maxMessages)
		found, err = d.wire.DecodeLenient(body, lent, messageTable, d.msg)
	}
	m = d.msg
	if err != nil {
		return nil, nil, lineError(err)
	}
	if len(found) == 0 {
		return m, nil, nil
	}
	p := found[0]
	line, column := jsonscan.Position(body, p.Offset)
	return m, &Error{int64(p.Offset), line, column, jsonscan.Pointer(body, p.Offset), p.Err}, nil
}
