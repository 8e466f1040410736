// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"iter"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// An Envelope holds the members common to all messages, read without looking
// into the payload. It is for programs that list the messages of a stream, or
// decode only a few types.
type Envelope struct {
	Kind      EventKind // message, log, or another kind of line
	Type      Type      // the type of message
	Level     Level     // how serious it is
	Text      string    // the text for people
	Module    string    // the part of the tool that wrote it
	Timestamp string    // when it was made, as it was written

	// Raw is the line as it was read, nil if it is oversize. It is valid until
	// the next line.
	Raw []byte

	// Err, Offset, Line and Size are those of the [Event].
	Err                error
	Offset, Line, Size int64

	start, end int    // of the message in Raw
	text       []byte // of the message, if it is not a part of Raw
}

// Decode decodes the whole message. It returns an error for all kinds except
// message and log. The result is independent of the stream.
func (e *Envelope) Decode() (*Message, error) {
	if e == nil {
		return nil, &Error{Err: ErrAbsent}
	}
	if e.Kind != EventMessage && e.Kind != EventLog {
		return nil, &Error{Offset: e.Offset, Line: int(e.Line), Column: 1, Err: ErrNotMessage}
	}
	text := e.text
	if text == nil {
		text = e.Raw[e.start:e.end]
	}
	m, err := Decode(bytes.ToValidUTF8(text, []byte("\uFFFD")))
	if err != nil {
		return nil, err // it has been checked, so this does not happen
	}
	return m, nil
}

// Envelopes returns an iterator like that of [Reader.Events], over the same
// lines, that reads only the envelopes. Each line is checked to be valid JSON.
// The envelope is reused for the next line; its strings stay valid, and keep up
// to 64 KiB of others in memory.
//
// The hook of [Unwrap] applies.
func (r *Reader) Envelopes() iter.Seq2[*Envelope, error] {
	return func(yield func(*Envelope, error) bool) {
		r.begin(true, true)
		finished := false
		defer func() {
			if !finished {
				r.left()
			}
		}()
		var e Envelope
		var ev Event
		var text chunk
		partial := int64(-1)
		for {
			line, err := r.lines.next()
			if err != nil {
				finished = true
				if err := r.ended(err, partial); err != nil {
					yield(nil, err)
				}
				return
			}
			partial = -1
			if !e.scan(&line, &text) {
				r.classify(&ev, line)
				e.from(&ev)
				if ev.Kind == EventPartial {
					partial = ev.Offset
				}
			}
			if !yield(&e, nil) {
				return
			}
		}
	}
}

// from makes e the envelope of an event, for all lines that are not plain
// messages.
func (e *Envelope) from(ev *Event) {
	*e = Envelope{
		Kind: ev.Kind, Raw: ev.Raw, Err: ev.Err, Offset: ev.Offset, Line: ev.Line, Size: ev.Size,
		start: ev.start, end: ev.end, text: ev.text,
	}
	if m := ev.Message; m != nil {
		e.Type, e.Level, e.Text, e.Module, e.Timestamp = m.Type, m.Level, m.Text, m.Module, m.Timestamp
	}
}

// usual is how most messages begin.
const usual = `{"@level":"info",`

// scan reads the envelope of a line that is a message of the stream and
// nothing else, and reports whether it is one.
func (e *Envelope) scan(line *rawLine, text *chunk) bool {
	d := line.bytes
	if len(d) < 2 || d[0] != '{' || d[1] != '"' {
		return false
	}
	// The strings of the line before are often the same.
	typ, level, module := string(e.Type), string(e.Level), e.Module
	e.Type, e.Level, e.Text, e.Module, e.Timestamp = "", "", "", "", ""
	i := 1
	if len(d) >= len(usual) && string(d[:len(usual)]) == usual {
		e.Level, i = LevelInfo, len(usual)
	}
	for {
		if i >= len(d) || d[i] != '"' {
			return false // perhaps white space, which no tool writes
		}
		end, escaped, fault := jsonscan.StringRest(d, i+1)
		if fault != jsonscan.OK || end+1 >= len(d) || d[end] != ':' {
			return false
		}
		name := d[i+1 : end-1]
		i = end + 1
		var field *string
		if len(name) > 0 && (name[0] == '@' || name[0] == 't') {
			field = e.field(name)
		}
		switch {
		case field == nil:
			end, fault = jsonscan.Value(d, i, jsonscan.MaxDepth-1)
		case d[i] == '"':
			end, escaped, fault = jsonscan.StringRest(d, i+1)
		default:
			return false
		}
		if fault != jsonscan.OK || end >= len(d) {
			return false
		}
		if field != nil {
			switch tok := d[i:end]; {
			case escaped:
				*field = text.unquote(tok)
			case len(name) == len("type") && string(tok[1:len(tok)-1]) == typ:
				*field = typ
			case len(name) == len("@level") && string(tok[1:len(tok)-1]) == level:
				*field = level
			case len(name) == len("@module") && string(tok[1:len(tok)-1]) == module:
				*field = module
			default:
				*field = text.string(tok[1 : len(tok)-1])
			}
		}
		i = end + 1
		if d[end] == ',' {
			continue
		}
		if d[end] != '}' || len(trimEnd(d[i:])) > 0 {
			return false
		}
		e.end = i
		break
	}
	e.Kind, e.Raw, e.Err, e.start, e.text = EventMessage, d, nil, 0, nil
	e.Offset, e.Line, e.Size = line.offset, line.number, line.size
	return strings.HasSuffix(e.Module, ".ui")
}

// field returns the field of the member with this name, or nil.
func (e *Envelope) field(name []byte) *string {
	switch string(name) {
	case "type":
		return (*string)(&e.Type)
	case "@level":
		return (*string)(&e.Level)
	case "@message":
		return &e.Text
	case "@module":
		return &e.Module
	case "@timestamp":
		return &e.Timestamp
	}
	return nil
}

// A chunk makes strings of parts of lines, many to one allocation.
type chunk struct {
	b       strings.Builder
	scratch []byte
}

// unquote returns the text of the string token tok.
func (c *chunk) unquote(tok []byte) string {
	c.scratch = jsonscan.AppendUnquote(c.scratch[:0], tok)
	return c.string(c.scratch)
}

// string returns s as a string.
func (c *chunk) string(s []byte) string {
	if len(s) > windowSize/8 {
		return string(s)
	}
	if c.b.Cap()-c.b.Len() < len(s) {
		c.b = strings.Builder{}
		c.b.Grow(windowSize / 2)
	}
	// The builder never grows past its capacity, so strings that it returned do
	// not change.
	at := c.b.Len()
	c.b.Write(s)
	return c.b.String()[at:]
}
