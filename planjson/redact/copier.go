// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
	"github.com/tofuwire/tofuwire/planjson"
)

// A copier copies a JSON document from a reader to a writer, in which parts are
// replaced on the way. What is before i in buf has been dealt with, and from
// done on it has not been passed on. Without a writer it only looks.
type copier struct {
	r     io.Reader
	err   error // of r, once it has ended
	w     io.Writer
	keeps bool   // what is put out is kept in out, and not written
	out   []byte // not yet written
	buf   []byte
	done  int
	i     int

	base      int64 // the offset of buf[0]
	line      int   // of buf[0], from 1
	lineStart int64 // the offset at which that line begins
	depth     int

	repeats wire.Repeats
	whole   *jsonscan.Index // of all of the text, if that is known to be valid
	unique  bool            // no object in it has duplicate members
}

// newCopier returns a copier to w, which is nil for one that only looks. It
// reads from r, or if that is nil has all of the text.
func newCopier(w io.Writer, r io.Reader, text []byte) *copier {
	c := &copier{r: r, w: w, line: 1}
	if r == nil {
		c.buf, c.err = text[:len(text):len(text)], io.EOF
	}
	return c
}

// copyWindow is the size of the part of a document that is held.
const copyWindow = 256 << 10

// copyChunk is how much output is gathered before it is written.
const copyChunk = 64 << 10

// maxKept is how much memory is taken for the output before there is so much.
const maxKept = 32 << 20

// fill reads more text and reports whether there is any. What has been dealt
// with is written first.
func (c *copier) fill() (bool, error) {
	if c.err != nil {
		return false, nil
	}
	if cap(c.buf)-len(c.buf) < copyWindow/8 {
		if err := c.flush(); err != nil {
			return false, err
		}
		gone := c.buf[:c.i]
		if n := bytes.Count(gone, []byte{'\n'}); n > 0 {
			c.line += n
			c.lineStart = c.base + int64(bytes.LastIndexByte(gone, '\n')) + 1
		}
		c.base += int64(c.i)
		rest := c.buf[c.i:]
		if cap(c.buf) < copyWindow || len(rest) > cap(c.buf)/2 {
			c.buf = append(make([]byte, 0, max(copyWindow, 2*len(rest))), rest...)
		} else {
			c.buf = append(c.buf[:0], rest...)
		}
		c.i, c.done = 0, 0
	}
	for range 100 {
		n, err := c.r.Read(c.buf[len(c.buf):cap(c.buf)])
		c.buf = c.buf[:len(c.buf)+n]
		c.err = err
		if n > 0 || err != nil {
			return n > 0, nil
		}
	}
	c.err = io.ErrNoProgress
	return false, nil
}

// flush passes on what has been dealt with.
func (c *copier) flush() error {
	text := c.buf[c.done:c.i]
	c.done = c.i
	return c.emit(text)
}

// emit puts text out.
func (c *copier) emit(text []byte) error {
	switch {
	case c.keeps:
		if c.out == nil { // a long secret makes the result short
			c.out = make([]byte, 0, min(len(c.buf)+len(c.buf)/16, maxKept))
		}
		c.out = append(c.out, text...)
		return nil
	case c.w == nil:
		return nil
	}
	if len(text) < copyChunk {
		if c.out = append(c.out, text...); len(c.out) < copyChunk {
			return nil
		}
		return c.write()
	}
	if err := c.write(); err != nil {
		return err
	}
	_, err := c.w.Write(text)
	return err
}

// write writes what has been put out.
func (c *copier) write() error {
	if len(c.out) == 0 || c.keeps {
		return nil
	}
	_, err := c.w.Write(c.out)
	c.out = c.out[:0]
	return err
}

// fault returns an error at offset i of buf.
func (c *copier) fault(i int, cause error) error {
	if c.err != nil && c.err != io.EOF && cause == error(jsonscan.FaultEnd) {
		return c.err
	}
	line, column := jsonscan.Position(c.buf, i)
	e := &planjson.Error{Offset: c.base + int64(i), Line: c.line + line - 1, Column: column, Err: cause}
	if line == 1 {
		e.Column += int(c.base - c.lineStart)
	}
	return e
}

// space moves to the next byte that is not white space and returns it, or 0 at
// the end, or if the writer fails, which the next flush reports again.
func (c *copier) space() byte {
	for {
		if c.i = jsonscan.Space(c.buf, c.i); c.i < len(c.buf) {
			return c.buf[c.i]
		}
		if more, err := c.fill(); err != nil || !more {
			if err != nil {
				c.err = err
			}
			return 0
		}
	}
}

// need reads until there is twice as much text from i on as now, or no more.
func (c *copier) need() (bool, error) {
	had := len(c.buf) - c.i
	for len(c.buf)-c.i < 2*had+1 {
		more, err := c.fill()
		if err != nil {
			return false, err
		}
		if !more {
			break
		}
	}
	return len(c.buf)-c.i > had, nil
}

// token returns the end of the value or the string at i, and reads all of it.
func (c *copier) token(find func(d []byte, i int) (int, jsonscan.Fault)) (int, error) {
	if c.space() == 0 {
		return 0, c.fault(c.i, jsonscan.FaultEnd)
	}
	for {
		end, fault := find(c.buf, c.i)
		// A number may go on after the end of the window.
		if fault == jsonscan.OK && (end < len(c.buf) || c.err != nil || c.buf[end-1] == '"' || c.buf[end-1] == '}' || c.buf[end-1] == ']') {
			return end, nil
		}
		if fault != jsonscan.OK && fault != jsonscan.FaultEnd {
			return 0, c.fault(end, fault)
		}
		more, err := c.need()
		if err != nil {
			return 0, err
		}
		if !more && fault != jsonscan.OK {
			return 0, c.fault(end, fault)
		}
	}
}

// replace writes other text, in parts, for the value that comes next, which stays
// if there are none.
func (c *copier) replace(by func(text []byte) (parts [][]byte, err error)) error {
	var end int
	if c.whole != nil {
		c.whole.Of(c.buf, 0)
		end = c.whole.End(c.i)
	} else {
		var err error
		if end, err = c.token(func(d []byte, i int) (int, jsonscan.Fault) { return jsonscan.Value(d, i, jsonscan.MaxDepth-c.depth) }); err != nil {
			return err
		}
	}
	text := c.buf[c.i:end:end]
	parts, err := by(text)
	if err != nil {
		return c.within(err)
	}
	if len(parts) == 0 {
		c.i = end
		return nil
	}
	if err := c.flush(); err != nil {
		return err
	}
	for _, part := range parts {
		if err := c.emit(part); err != nil {
			return err
		}
	}
	c.i, c.done = end, end
	return nil
}

// within returns an error about the value at i with its place.
func (c *copier) within(err error) error {
	at := c.i
	var f *fault
	var located *planjson.Error
	switch {
	case errors.As(err, &f):
		at, err = c.i+f.at, f.cause
	case errors.As(err, &located):
		at, err = c.i+int(located.Offset), located.Err
	}
	return c.fault(min(at, len(c.buf)), err)
}

// members copies an object whose values member copies. A name that occurs twice
// is an error. Names that are the document's own are replaced if they have
// secrets.
func (c *copier) members(e *engine, own bool, member func(name string) error) error {
	seen := make(map[string]bool)
	return c.container('}', jsonscan.FaultObject, func() error {
		if b := c.space(); b != '"' {
			return c.expected(b, jsonscan.FaultName)
		}
		end, err := c.token(jsonscan.String)
		if err != nil {
			return err
		}
		name := jsonscan.Unquote(c.buf[c.i:end])
		if seen[name] {
			return c.fault(c.i, planjson.ErrDuplicate)
		}
		seen[name] = true
		if plain := e.pass.member(c.buf[c.i:end], name, own); plain != name {
			if err := c.flush(); err != nil {
				return err
			}
			if err := c.emit(quote(plain)); err != nil {
				return err
			}
			c.done = end
		}
		c.i = end
		if b := c.space(); b != ':' {
			return c.expected(b, jsonscan.FaultColon)
		}
		c.i++
		c.space()
		e.enter(name)
		defer e.leave()
		return member(name)
	})
}

// elements copies an array whose elements element copies.
func (c *copier) elements(e *engine, element func() error) error {
	i := -1
	return c.container(']', jsonscan.FaultArray, func() error {
		i++
		if e.asked {
			e.enter(strconv.Itoa(i))
			defer e.leave()
		}
		return element()
	})
}

func (c *copier) container(end byte, fault jsonscan.Fault, item func() error) error {
	c.i++
	if c.depth++; c.depth > jsonscan.MaxDepth {
		return c.fault(c.i-1, jsonscan.FaultDepth)
	}
	defer func() { c.depth-- }()
	if c.space() == end {
		c.i++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		switch b := c.space(); b {
		case ',':
			c.i++
			c.space()
		case end:
			c.i++
			return nil
		default:
			return c.expected(b, fault)
		}
	}
}

// expected returns the error for a byte that was not expected.
func (c *copier) expected(got byte, fault jsonscan.Fault) error {
	if got == 0 && c.i == len(c.buf) {
		fault = jsonscan.FaultEnd
	}
	return c.fault(c.i, fault)
}
