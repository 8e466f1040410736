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
	lent   string // the same as a string, or ""
	size   int64  // in bytes, with the line end
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
		if i := jsonscan.IndexByte(l.buf[l.seen:l.hi], '\n'); i >= 0 {
			n := l.seen + i + 1 - l.lo
			if n-1 > l.max {
				return l.oversize(int64(n), true), nil
			}
			return l.take(n, true), nil
		}
		l.seen = l.hi
		if l.err != nil {
			err := l.err
			if l.hi == l.lo {
				if errors.Is(err, ErrTruncated) {
					l.err = nil
					if l.inside {
						l.inside = false
						l.number++
					}
					continue
				}
				return rawLine{}, err
			}
			if n := l.hi - l.lo; n > l.max {
				return l.oversize(int64(n), false), nil
			}
			return l.take(l.hi-l.lo, false), nil
		}
		if l.hi-l.lo > l.max {
			return l.drainLine(), nil
		}
		l.fill()
	}
}

// take hands out the next n bytes.
func (l *lines) take(n int, end bool) rawLine {
	line := rawLine{
		bytes:  l.buf[l.lo : l.lo+n : l.lo+n],
		size:   int64(n),
		offset: l.offset,
		number: l.number,
		end:    end,
	}
	if l.bare {
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

// oversize passes over n bytes that are all of a line which is too long.
func (l *lines) oversize(n int64, end bool) rawLine {
	line := rawLine{size: n, offset: l.offset, number: l.number, end: end}
	l.advance(int(n), end)
	return line
}

// drainLine reads the rest of a line that is too long, without keeping it.
func (l *lines) drainLine() rawLine {
	line := rawLine{offset: l.offset, number: l.number}
	for {
		i := jsonscan.IndexByte(l.buf[l.lo:l.hi], '\n')
		if i >= 0 {
			line.size += int64(i + 1)
			line.end = true
			l.advance(i+1, true)
			return line
		}
		line.size += int64(l.hi - l.lo)
		l.advance(l.hi-l.lo, false)
		if l.err != nil {
			return line
		}
		if l.hi > windowSize && l.reuse {
			l.lo, l.hi, l.seen, l.lent = 0, 0, 0, ""
		}
		if !l.reuse && l.hi == len(l.buf) {
			l.buf, l.lo, l.hi, l.seen, l.lent = make([]byte, windowSize), 0, 0, 0, ""
		}
		l.fill()
	}
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
