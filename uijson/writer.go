// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"time"
)

// A Writer writes messages to a stream, each with exactly one call of the
// underlying Write. Short lines of several writers to one pipe or file
// therefore do not mix. It is safe for concurrent use.
//
// If a Write fails half-way, the next message begins with a line feed: a reader
// loses only the broken line.
type Writer struct {
	mu   sync.Mutex
	w    io.Writer
	buf  []byte
	torn bool // the last line has not been written to its end
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes m as one line. Nothing is written if m cannot be encoded; the
// error is then an [*Error]. Other errors are those of the underlying writer.
func (w *Writer) Write(m *Message) error {
	return w.write(func(b []byte) ([]byte, error) { return appendMessage(b, m) }, true)
}

// WriteEvent writes the line of an event. An event without a message, or with one that
// was not edited, is written as it was read; a last line without a line end gets none.
// An edited message keeps the text around it. WriteEvent is the last step of a filter:
// read events, edit some of the messages, write the events.
//
// If [Message.Redact] or a function of [RemoveSecrets] was called on the message, WriteEvent
// writes only the message and a line end, without the text around it and without bytes that
// were dropped. Of a damaged message it writes only the level, in a damaged line.
//
// An edited message that was repaired, or that an [Unwrap] hook had to decode, is
// written alone, without its wrapping. Errors are those of [Writer.Write].
func (w *Writer) WriteEvent(e *Event) error {
	return w.write(e.appendTo, false)
}

func (w *Writer) write(appendTo func([]byte) ([]byte, error), end bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := w.buf[:0]
	if w.torn {
		b = append(b, '\n')
	}
	b, err := appendTo(b)
	if err != nil {
		return err
	}
	if len(b) == 0 {
		return nil
	}
	if end && b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	n, err := w.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err != nil && n > 0 {
		w.torn = n < len(b)
	} else if err == nil {
		w.torn = false
	}
	if cap(b) <= 1<<20 {
		w.buf = b
	}
	return err
}

// appendTo appends the line to dst, as [Writer.WriteEvent] says.
func (e *Event) appendTo(dst []byte) ([]byte, error) {
	if e == nil {
		return dst, &Error{Err: ErrAbsent}
	}
	if e.Message != nil && e.Message.redacted {
		return e.appendRedacted(dst)
	}
	if e.Message == nil || !e.isWhole() {
		return append(dst, e.Raw...), nil
	}
	if e.text != nil {
		out, err := appendMessage(nil, e.Message)
		if err != nil {
			return dst, err
		}
		if bytes.Equal(out, e.text) {
			return append(dst, e.Raw...), nil
		}
		if e.wrapped {
			return append(append(dst, out...), '\n'), nil
		}
		if e.order > orderNone {
			out = e.order.encode(out)
		}
		dst = append(append(dst, e.Raw[:e.start]...), out...)
		return append(dst, e.Raw[e.end:]...), nil
	}
	n := len(dst)
	dst, err := appendMessage(append(dst, e.Raw[:e.start]...), e.Message)
	if err != nil {
		return dst[:n], err
	}
	return append(dst, e.Raw[e.end:]...), nil
}

// appendRedacted appends the line of a message that was redacted, without anything that
// nobody has looked at. Half a message can hold half a secret, which nothing finds: only its
// level is left, as half a message again, so that nobody takes the stream for whole.
func (e *Event) appendRedacted(dst []byte) ([]byte, error) {
	end := []byte("\n")
	var line []byte
	if e.isWhole() {
		text, err := appendMessage(nil, e.Message)
		if err != nil {
			return dst, err
		}
		line = trimEnd(text)
		if after := e.Raw[min(e.end, len(e.Raw)):]; e.text == nil && string(after) == "\r\n" {
			end = after
		}
	} else {
		line = []byte(`{"@level":`)
		switch e.Message.Level {
		case LevelTrace, LevelDebug, LevelInfo, LevelWarn, LevelError:
			line = append(line, `"`+e.Message.Level+`"`...)
		}
	}
	line = append(slices.Clip(line), end...)
	if e.order > orderNone {
		line = e.order.encode(line)
		if mark := e.order.encode([]byte("\uFEFF")); bytes.HasPrefix(e.Raw, mark) {
			dst = append(dst, mark...)
		}
	}
	return append(dst, line...), nil
}

// NewMessage returns a message of the given type and text as OpenTofu would
// write it now: at level info, from "tofu.ui". The caller adds the payload.
func NewMessage(typ Type, text string) *Message {
	return &Message{
		Level:     LevelInfo,
		Text:      text,
		Module:    "tofu.ui",
		Timestamp: time.Now().Format(timeLayout),
		Type:      typ,
	}
}

// timeLayout is how the tools write Timestamp in all lines but a few: six
// digits, always.
const timeLayout = "2006-01-02T15:04:05.000000Z07:00"

// Time returns the time of m. The text is read on each call; it may have any
// number of digits after the second. The times of a stream need not increase
// from line to line: do not sort by them. The error is an [*Error].
func (m *Message) Time() (time.Time, error) {
	if m == nil {
		return time.Time{}, &Error{Err: ErrAbsent}
	}
	t, err := time.Parse(time.RFC3339Nano, m.Timestamp)
	if err != nil {
		return t, placed(&m.src, "/@timestamp", err)
	}
	return t, nil
}
