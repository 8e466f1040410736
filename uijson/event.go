// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"fmt"
)

// An EventKind is the kind of an [Event].
// Its values include [EventMessage], [EventLog] and [EventJSON].
type EventKind int

// The kinds of events.
const (
	// EventMessage is a message of the stream. Its type may be unknown, or
	// missing.
	EventMessage EventKind = iota + 1

	// EventLog is a line of a tool's own log, as TF_LOG=json writes it. It gets
	// into the stream if standard error is merged with standard output. The
	// event has a Message with the members of the envelope.
	EventLog

	// EventJSON is other JSON, such as a document.
	EventJSON

	// EventText is anything else: text for people, with or without colours.
	EventText

	// EventBlank is an empty line, or one of white space.
	EventBlank

	// EventOversize is a line above the limit of [MaxLine]. Its bytes have been
	// read and dropped; the event has only their number.
	EventOversize

	// EventPartial is the beginning of a JSON object at the end of the stream,
	// left by a writer that died. The iterator yields io.ErrUnexpectedEOF
	// after it.
	EventPartial

	// EventDamaged is a part of a message that is not at the end of the stream: the
	// writer was stopped in the middle of it, or something else was written into it.
	EventDamaged
)

// String returns the kind as a word, such as "message".
func (k EventKind) String() string {
	switch k {
	case EventMessage:
		return "message"
	case EventLog:
		return "log"
	case EventJSON:
		return "json"
	case EventText:
		return "text"
	case EventBlank:
		return "blank"
	case EventOversize:
		return "oversize"
	case EventPartial:
		return "partial"
	case EventDamaged:
		return "damaged"
	}
	return fmt.Sprintf("EventKind(%d)", int(k))
}

// An Event is one line of a stream, or one of several items on a line: two messages
// that were written without a line feed between them are two events. Text before a
// message on its line belongs to the event of the message; text after it is an
// event. Concatenated, the Raw bytes of all events are the stream.
type Event struct {
	Kind EventKind // the kind of line

	// Message is set for the kinds message and log. For the kinds damaged, partial and
	// oversize it has what could be read of the message, so that no error is
	// lost: the level, the text, the module, the time, and the diagnostic if that is
	// whole. It is nil if there is nothing, and for all other kinds.
	Message *Message

	// Err is the fault of the line, or the reason why it is not a message. It
	// is nil for a good message, for plain text and for a blank line. A message
	// with members of a wrong kind has an error that wraps [ErrKind]; see
	// [Message.Problems] for all of them.
	Err error

	// Raw is the line as it was read, with its line end. It is nil for an
	// oversize line. It must not be changed.
	Raw []byte

	// Offset is the place in the stream, in bytes from 0. Line is the number
	// of the line, from 1. Size counts bytes, those of the line end included.
	Offset, Line, Size int64

	// Ended is false if no line feed follows: at the end of the stream, and
	// before the next item on the same line.
	Ended bool

	// Repaired is set for a message with bytes that no tool writes: invalid UTF-8,
	// which Message has as U+FFFD, or control characters and terminal escape
	// sequences, which Message lacks. Raw has all bytes as they were read.
	Repaired bool

	wrapped    bool   // the message was unwrapped to bytes that are not in Raw
	start, end int    // of the message in Raw
	text       []byte // if repaired, wrapped or in UTF-16, the text of Message
	order      byteOrder
}

// isWhole reports whether the event has a whole message.
func (e *Event) isWhole() bool { return e.Kind == EventMessage || e.Kind == EventLog }

// Prefix returns the bytes before the message on its line: a byte order mark, white
// space, text, or a prefix cut off by the hook of [Unwrap]. They are in UTF-8 even for a
// stream in UTF-16. It returns nil if the event has no whole message.
func (e *Event) Prefix() []byte {
	if e == nil || e.Message == nil || !e.isWhole() {
		return nil
	}
	if e.order > orderNone {
		return e.order.decode(e.Raw[:e.start])
	}
	return e.Raw[:e.start:e.start]
}

// Text returns the line without its line end, as a string. It is in UTF-8 even for a
// stream in UTF-16. It is "" for an oversize line.
func (e *Event) Text() string {
	if e == nil {
		return ""
	}
	if e.order > orderNone {
		return string(trimEnd(e.order.decode(e.Raw)))
	}
	return string(trimEnd(e.Raw))
}

// Clone returns a copy of e that shares no memory with it. Use it to keep an
// event of [Reader.Borrowed], or to free the memory that an event of
// [Reader.Events] shares with its neighbours.
func (e *Event) Clone() *Event {
	if e == nil {
		return nil
	}
	c := *e
	c.Raw = bytes.Clone(e.Raw)
	c.text = bytes.Clone(e.text)
	if e.Message != nil {
		c.Message = Clone(e.Message)
	}
	return &c
}

// trimEnd returns line without the line end.
func trimEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}
