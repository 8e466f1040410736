// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// classify makes ev the event of a line.
func (r *Reader) classify(ev *Event, line rawLine) {
	*ev = Event{
		Kind:   EventText,
		Raw:    line.bytes,
		Offset: line.offset,
		Line:   line.number,
		Size:   line.size,
		Ended:  line.end,
	}
	if line.bytes == nil {
		ev.Kind = EventOversize
		ev.Err = &Error{Offset: line.offset, Line: int(line.number), Column: 1, Err: errLong}
		if line.order > orderNone {
			line.head = line.order.decode(line.head)
		}
		ev.Message = salvage(line.head)
		return
	}
	if line.order > orderNone {
		r.classifyWide(ev, line)
		return
	}
	if line.offset == 0 && bytes.HasPrefix(line.bytes, []byte("PK\x03\x04")) {
		ev.Err = r.place(ev, 0, &Error{Line: 1, Column: 1, Err: jsonscan.FaultZip})
		return
	}
	start, end := body(line.bytes)
	if start == end {
		ev.Kind = EventBlank
		return
	}
	var err error
	if line.bytes[start] == '{' {
		var found, done bool
		if found, done, err = r.object(ev, line, start, end); done {
			return
		}
		if found {
			ev.Kind, ev.Err = EventJSON, r.place(ev, start, err)
		}
	}
	if r.cfg.unwrap != nil && r.unwrapped(ev, line.bytes) {
		return
	}
	if ev.Kind != EventJSON && r.hidden(ev, line, start, end) {
		return
	}
	switch text := line.bytes[start:end]; {
	case ev.Kind == EventJSON:
	case !line.end && isOpen(text, err):
		ev.Kind = EventPartial
		ev.Message = salvage(text)
		ev.Err = r.place(ev, start, cmp.Or[error](err, &Error{Line: 1, Column: 1 + len(text), Err: jsonscan.FaultEnd}))
	case isPart(text):
		ev.Kind = EventDamaged
		ev.Message = salvage(text)
		ev.Err = r.place(ev, start, cmp.Or[error](err, &Error{Line: 1, Column: 1, Err: ErrNotMessage}))
	case line.bytes[start] != '{':
		if jsonscan.Valid(text) {
			ev.Kind, ev.Err = EventJSON, r.place(ev, start, &Error{Line: 1, Column: 1, Err: ErrNotMessage})
		} else if string(text) == "[" {
			ev.Err = r.place(ev, start, &Error{Line: 1, Column: 1, Err: ErrDocument})
		}
	case string(text) == "{" && line.end:
		ev.Err = r.place(ev, start, &Error{Line: 1, Column: 1, Err: ErrDocument})
	default:
		ev.Err = r.place(ev, start, err)
	}
}

// object decodes the object that begins at start. It reports done if the event
// is complete, and found if there is an object that is not a message.
func (r *Reader) object(ev *Event, line rawLine, start, end int) (found, done bool, err error) {
	text, lent := line.bytes[start:end:end], ""
	if line.lent != "" {
		lent = line.lent[start:end]
	}
	var m *Message
	var problem error
	if r.joined && isFollowed(text) { // so is this one probably, and much may follow
		err = jsonscan.FaultTrailing
	} else {
		m, problem, err = r.decoder.decode(text, lent)
	}
	if r.joined = isFault(err, jsonscan.FaultTrailing); r.joined {
		// Something follows: an event of its own.
		n, _ := jsonscan.Value(text, 0, jsonscan.MaxDepth)
		end = start + n
		r.cut(ev, &line, end)
		if lent != "" {
			lent = lent[:n]
		}
		text = text[:n:n]
		m, problem, err = r.decoder.decode(text, lent)
	}
	if isFault(err, jsonscan.FaultUTF8) {
		repaired := bytes.ToValidUTF8(text, []byte("\uFFFD"))
		if m2, problem2, err2 := r.decoder.decode(repaired, ""); err2 == nil {
			m, problem, err = m2, problem2, nil
			ev.Repaired, ev.text = true, repaired
		}
	}
	if err != nil {
		return false, false, err
	}
	kind := kindOf(m)
	if kind == EventJSON {
		ev.Repaired, ev.text = false, nil
		cause := ErrNotMessage
		if isDocument(m) {
			cause = ErrDocument
		}
		return true, false, &Error{Line: 1, Column: 1, Err: cause}
	}
	ev.Kind, ev.Message, ev.start, ev.end = kind, m, start, end
	ev.Err = r.place(ev, start, problem)
	return true, true, nil
}

// cut ends an event, and the line that it is made of, after n bytes. The rest of the line
// is the next one.
func (r *Reader) cut(ev *Event, line *rawLine, n int) {
	if r.inWide {
		r.wideRest = len(line.bytes) - n
	} else {
		r.lines.unread(len(line.bytes)-n, line.end)
	}
	line.bytes, line.end = line.bytes[:n:n], false
	ev.Raw, ev.Size, ev.Ended = line.bytes, int64(n), false
}

// isFollowed reports whether a text begins with a JSON value that something follows.
func isFollowed(text []byte) bool {
	n, fault := jsonscan.Value(text, 0, jsonscan.MaxDepth)
	return fault == jsonscan.OK && jsonscan.Space(text, n) < len(text)
}

// unwrapped tries the caller's hook.
func (r *Reader) unwrapped(ev *Event, line []byte) bool {
	inner := r.cfg.unwrap(trimEnd(line))
	if start, end := body(inner); start < end {
		inner = inner[start:end:end]
	} else {
		return false
	}
	at := within(line, inner)
	if at < 0 {
		inner = bytes.Clone(inner)
	}
	m, problem, err := r.decoder.decode(inner, "")
	if err != nil || kindOf(m) == EventJSON {
		return false
	}
	ev.Kind, ev.Message, ev.Err = kindOf(m), m, nil
	if at >= 0 {
		ev.start, ev.end = at, at+len(inner)
	} else {
		ev.wrapped, ev.text = true, inner
	}
	ev.Err = r.place(ev, max(at, 0), problem)
	return true
}

// place returns err, whose place counts from byte start of the event, with
// the place in the stream.
func (r *Reader) place(ev *Event, start int, err error) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	moved := *e
	moved.Offset += ev.Offset + int64(start)
	moved.Line = int(ev.Line)
	moved.Column += start
	return &moved
}

// body returns where the text of a line begins and ends: without the byte
// order mark that some programs put before it, and without white space.
func body(line []byte) (start, end int) {
	if len(line) >= 3 && string(line[:3]) == "\uFEFF" {
		start = 3
	}
	start = jsonscan.Space(line, start)
	end = len(line)
	for end > start && (line[end-1] == '\n' || line[end-1] == '\r' || line[end-1] == ' ' || line[end-1] == '\t') {
		end--
	}
	return start, end
}

// within returns the offset of part in line if part is a slice of line, or -1.
// Equal bytes elsewhere do not count.
func within(line, part []byte) int {
	for at := 0; ; at++ {
		i := bytes.Index(line[at:], part)
		if i < 0 {
			return -1
		}
		if at += i; &line[at] == &part[0] {
			return at
		}
	}
}

// kindOf distinguishes messages of the stream, log lines and other objects.
func kindOf(m *Message) EventKind {
	if strings.HasSuffix(m.Module, ".ui") {
		return EventMessage
	}
	if m.Level == "" && m.Text == "" {
		return EventJSON
	}
	if m.Module == "" && m.Type != "" {
		return EventMessage
	}
	return EventLog
}

// isDocument reports whether the object that was decoded as m looks like one
// of the documents that have a format version.
func isDocument(m *Message) bool {
	for name := range Extra(m) {
		switch name {
		case "format_version", "terraform_version", "valid", "values":
			return true
		}
	}
	return false
}

// errLong is the ErrLimit of a line.
var errLong = fmt.Errorf("%w: line is too long", ErrLimit)
