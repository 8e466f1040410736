// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// A byteOrder is that of a stream in UTF-16, as PowerShell writes one with ">".
type byteOrder uint8

const (
	orderUnknown byteOrder = iota // the stream has not begun
	orderNone                     // the stream is in UTF-8
	orderLittle
	orderBig
)

// detect finds out how the stream is encoded, by its first bytes. It reports whether that
// is known; if it is not, more must be read.
func (l *lines) detect() bool {
	if l.order != orderUnknown {
		return true
	}
	switch d := l.buf[l.lo:l.hi]; {
	case len(d) >= 2 && d[0] == 0xff && d[1] == 0xfe:
		l.order = orderLittle
	case len(d) >= 2 && d[0] == 0xfe && d[1] == 0xff:
		l.order = orderBig
	case len(d) >= 2 && (d[0] != 0) == (d[1] != 0), len(d) == 1 && d[0] == '\n':
		l.order = orderNone
	case len(d) >= 4 && d[1] == 0 && d[2] != 0 && d[3] == 0:
		l.order = orderLittle
	case len(d) >= 4 && d[0] == 0 && d[2] == 0 && d[3] != 0:
		l.order = orderBig
	case len(d) >= 4, l.err != nil:
		l.order = orderNone
	}
	return l.order != orderUnknown
}

// orderOf returns how a stream is encoded that begins with these bytes, unless more must be read. The error is that
// of reading more.
func orderOf(begin []byte, err error) byteOrder {
	l := lines{buf: begin, hi: len(begin), err: err}
	l.detect()
	return l.order
}

// unit returns the first unit of d, which has two bytes at least.
func (o byteOrder) unit(d []byte) uint16 {
	if o == orderBig {
		return binary.BigEndian.Uint16(d)
	}
	return binary.LittleEndian.Uint16(d)
}

// decode returns text as UTF-8. What is no UTF-16 becomes U+FFFD.
func (o byteOrder) decode(text []byte) []byte {
	out := make([]byte, 0, len(text)/2+16)
	for i := 0; i < len(text); i += 2 {
		if i+1 == len(text) {
			return utf8.AppendRune(out, utf8.RuneError)
		}
		r := rune(o.unit(text[i:]))
		if utf16.IsSurrogate(r) {
			second := rune(0)
			if i+3 < len(text) {
				second = rune(o.unit(text[i+2:]))
			}
			if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// encode returns text, which is UTF-8, as UTF-16.
func (o byteOrder) encode(text []byte) []byte {
	var order binary.AppendByteOrder = binary.LittleEndian
	if o == orderBig {
		order = binary.BigEndian
	}
	var out []byte
	for _, u := range utf16.Encode([]rune(string(text))) {
		out = order.AppendUint16(out, u)
	}
	return out
}

// line returns a line with this text.
func (o byteOrder) line(text string, ended bool) []byte {
	if ended {
		text += "\n"
	}
	if o <= orderNone {
		return []byte(text)
	}
	return o.encode([]byte(text))
}

// size returns how many bytes text, which decode has made, had before, unless it ends in
// the middle of a unit.
func (o byteOrder) size(text []byte) int {
	n := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		n += 2 * max(utf16.RuneLen(r), 1)
		i += size
	}
	return n
}

// classifyWide makes ev the event of a line in UTF-16: that of its text in UTF-8, with the
// bytes of the stream.
func (r *Reader) classifyWide(ev *Event, line rawLine) {
	raw := line.bytes
	if line.bytes = r.wide; line.bytes == nil || line.offset != r.wideAt {
		line.bytes = line.order.decode(raw)
	}
	order, text, end := line.order, line.bytes, line.end
	line.order, line.lent = orderNone, ""
	r.inWide, r.wideRest = true, 0
	r.classify(ev, line)
	r.inWide = false
	n := len(raw)
	if rest := r.wideRest; rest > 0 {
		n = min(order.size(text[:len(text)-rest]), len(raw))
		r.lines.unread(len(raw)-n, end)
		r.wide, r.wideAt = text[len(text)-rest:], line.offset+int64(n)
	} else {
		r.wide = nil
	}
	if e, ok := ev.Err.(*Error); ok {
		at := min(max(e.Offset-line.offset, 0), int64(len(text)))
		e.Offset = line.offset + int64(order.size(text[:at]))
	}
	if ev.Message != nil && ev.text == nil && ev.isWhole() {
		ev.text = text[ev.start:ev.end]
	}
	ev.start, ev.end = order.size(text[:ev.start]), order.size(text[:ev.end])
	ev.Raw, ev.Size, ev.order = raw[:n:n], int64(n), order
}
