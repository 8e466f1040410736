// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"bytes"
	"errors"
	"io"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

const (
	// windowSize is the number of bytes read at once. One string is made of
	// each window, and the strings in messages are cut from it.
	windowSize = 128 << 10

	// maxLent is the longest part of a window that is made a string. Longer
	// parts are rare (state dumps, provider schemas) and mostly raw values.
	maxLent = 256 << 10
)

// lines cuts a stream into lines.
type lines struct {
	src    io.Reader
	max    int  // longest line, without its line end
	reuse  bool // whether the bytes of earlier lines may be overwritten
	bare   bool // whether no strings are wanted
	order  byteOrder
	buf    []byte
	lo, hi int   // buf[lo:hi] has been read, but not handed out
	seen   int   // buf[lo:seen] has no line feed
	err    error // of the last Read; nothing is read after it

	// The bytes buf[lentAt:lentAt+len(lent)] as a string.
	lent   string
	lentAt int

	// If rest is positive, the rest bytes from lo on are the end of a line that
	// has been handed out in part, and restEnd says whether they end it.
	rest    int
	restEnd bool

	windows int // counts the buffers that were made

	offset int64 // of buf[lo] in the stream
	number int64 // of the line that it belongs to, from 1
	inside bool  // whether it is inside a line
}

// A rawLine is one line, or the rest of one.
type rawLine struct {
	bytes  []byte // with its line end; nil if the line is too long
	head   []byte // of a line that is too long: its beginning
	lent   string // the same as a string, or ""
	order  byteOrder
	size   int64 // in bytes, with the line end
	offset int64
	number int64
	end    bool // whether it has a line end
}

// next returns the next line. After the last it returns the error that ended
// the stream, which is io.EOF for its regular end. An ErrTruncated ends a line
// without ending the stream.
func (l *lines) next() (rawLine, error) {
	if n := l.rest; n > 0 {
		l.rest = 0
		return l.take(n, l.restEnd), nil
	}
	for {
		known := l.detect()
		if n := l.lineEnd(); n > 0 {
			if n-1 > l.max {
				return l.long(), nil
			}
			return l.take(n, true), nil
		}
		if l.err != nil {
			err := l.err
			if l.hi == l.lo {
				if errors.Is(err, ErrTruncated) {
					l.err, l.order = nil, orderUnknown
					if l.inside {
						l.inside = false
						l.number++
					}
					continue
				}
				return rawLine{}, err
			}
			if l.hi-l.lo > l.max {
				return l.long(), nil
			}
			return l.take(l.hi-l.lo, false), nil
		}
		if known && l.hi-l.lo > l.max {
			return l.long(), nil
		}
		l.fill()
	}
}

// lineEnd returns the length of the line at lo with its line end, or 0 if that has not
// been read yet.
func (l *lines) lineEnd() int {
	if l.order == orderNone {
		if i := jsonscan.IndexByte(l.buf[l.seen:l.hi], '\n'); i >= 0 {
			return l.seen + i + 1 - l.lo
		}
		l.seen = l.hi
		return 0
	}
	for ; l.seen+1 < l.hi; l.seen += 2 {
		if l.order.unit(l.buf[l.seen:]) == '\n' {
			return l.seen + 2 - l.lo
		}
	}
	return 0
}

// take hands out the next n bytes.
func (l *lines) take(n int, end bool) rawLine {
	line := rawLine{
		bytes:  l.buf[l.lo : l.lo+n : l.lo+n],
		size:   int64(n),
		offset: l.offset,
		number: l.number,
		order:  l.order,
		end:    end,
	}
	if l.bare || l.order != orderNone {
		line.lent = ""
	} else if at := l.lo - l.lentAt; at >= 0 && at+n <= len(l.lent) {
		line.lent = l.lent[at : at+n]
	} else {
		line.lent = l.lend(n)
	}
	l.advance(n, end)
	return line
}

// lend makes a string of the next n bytes and of the lines after them, up to a
// limit, and returns its first n bytes. It returns "" if n is too large.
func (l *lines) lend(n int) string {
	if n > maxLent {
		return ""
	}
	whole := bytes.LastIndexByte(l.buf[l.lo:min(l.hi, l.lo+maxLent)], '\n') + 1
	l.lent, l.lentAt = string(l.buf[l.lo:l.lo+max(whole, n)]), l.lo
	return l.lent[:n]
}

// advance moves over n bytes.
func (l *lines) advance(n int, end bool) {
	l.lo += n
	l.seen = max(l.seen, l.lo)
	l.offset += int64(n)
	if l.inside = !end; end {
		l.number++
	}
}

// unread takes back the last n bytes that were handed out; they come again as
// the rest of the same line.
func (l *lines) unread(n int, end bool) {
	l.lo -= n
	l.seen = l.lo
	l.rest, l.restEnd = n, end
	l.inside = true
	l.offset -= int64(n)
	if end {
		l.number--
	}
}

// maxHead is how much is kept of a line that is too long, to say what it was.
const maxHead = 64 << 10

// long hands out the beginning of a line that is too long: a message that is not, if
// it begins with one, and else all up to the next message or the end of the line,
// without its bytes.
func (l *lines) long() rawLine {
	from := 1
	if l.order == orderNone {
		text := l.buf[l.lo:min(l.hi, l.lo+l.max)]
		start, _ := body(text)
		if start < len(text) && text[start] == '{' {
			n, fault := jsonscan.Value(text, start, jsonscan.MaxDepth)
			if fault == jsonscan.OK {
				return l.take(n, false)
			}
			from = max(from, n-2) // what begins before has the same fault
		}
	}
	line := rawLine{offset: l.offset, number: l.number, order: l.order}
	for {
		n, found := l.beginning(from), true
		if end := l.lineEnd(); end > 0 && (n < 0 || n >= end) {
			n, line.end = end, true
		} else if n < 0 {
			// Keep what may be a part of a beginning, or of a line end.
			n, found = max(l.hi-l.lo-(len(levelStart)-1)&^1, 0), false
			if l.err != nil {
				n = l.hi - l.lo
			} else {
				n &^= 1
			}
		}
		if line.size == 0 {
			size := min(l.max, maxHead)
			if found {
				size = min(size, n)
			}
			line.head = bytes.Clone(l.buf[l.lo : l.lo+size])
		}
		line.size += int64(n)
		l.advance(n, line.end)
		if found || l.err != nil {
			line.head = line.head[:min(int64(len(line.head)), line.size)]
			return line
		}
		from = 0
		l.fill()
	}
}

// beginning returns where a message begins, at from or after it, or -1.
func (l *lines) beginning(from int) int {
	if l.order != orderNone || from > l.hi-l.lo {
		return -1
	}
	i := bytes.Index(l.buf[l.lo+from:l.hi], levelStart)
	if i < 0 {
		return -1
	}
	return from + i
}

// fill reads once, making room first.
func (l *lines) fill() {
	rest := l.hi - l.lo
	switch {
	case l.hi == len(l.buf), l.reuse && rest == 0 && l.hi > 0:
		l.makeRoom()
	case len(l.buf) > windowSize && rest < windowSize/2 && l.lo > 0:
		l.makeRoom() // the long line is over
	}
	for range 100 {
		n, err := l.src.Read(l.buf[l.hi:])
		if n < 0 || n > len(l.buf)-l.hi {
			n, err = 0, &Error{Err: errors.New("the source returned an impossible count from Read")}
		}
		l.hi += n
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// makeRoom moves the bytes that are still needed to the beginning of a window
// that has room for as many again: the old one, unless it has been handed out
// or has the wrong size.
func (l *lines) makeRoom() {
	rest := l.buf[l.lo:l.hi]
	size := windowSize
	for len(rest) > size/2 {
		size *= 2
	}
	if l.reuse && size <= len(l.buf) && len(l.buf) <= 8*size {
		copy(l.buf, rest)
	} else {
		next := make([]byte, size)
		copy(next, rest)
		l.buf = next
		l.windows++
	}
	l.seen -= l.lo
	l.lo, l.hi = 0, len(rest)
	l.lent, l.lentAt = "", 0
}
