// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/planjson"
)

// A depthReader passes a JSON text on up to the place where it is nested too
// deeply, and fails there. So no function gets to see such a value that needs more
// stack the deeper it is.
type depthReader struct {
	r     io.Reader
	limit int
	lines bool // each line is a text of its own

	depth    int
	inString bool
	escaped  bool
	offset   int64 // of the next byte
	line     int   // of it, from 0
	start    int64 // of the line
	err      error
}

func (d *depthReader) Read(b []byte) (int, error) {
	if d.err != nil {
		return 0, d.err
	}
	n, err := d.r.Read(b)
	if at := d.scan(b[:n]); at < n {
		d.err = &planjson.Error{Offset: d.offset + int64(at), Line: d.line + 1, Column: int(d.offset+int64(at)-d.start) + 1,
			Err: fmt.Errorf("values are nested more than %d levels deep, which is too deep for the stack of this page", d.limit)}
		return at, d.err
	}
	d.offset += int64(n)
	return n, err
}

// what tells of the bytes that matter outside of strings.
var what = [256]uint8{'{': 1, '[': 1, '}': 2, ']': 2, '"': 3, '\n': 4}

// scan returns the place in b at which the text becomes too deep, or the length of b.
func (d *depthReader) scan(b []byte) int {
	for i := 0; i < len(b); i++ {
		if d.inString {
			i = d.text(b, i)
			continue
		}
		switch what[b[i]] {
		case 1:
			if d.depth++; d.depth > d.limit {
				return i
			}
		case 2:
			d.depth = max(0, d.depth-1)
		case 3:
			d.inString = true
		case 4:
			d.newline(int64(i))
		}
	}
	return len(b)
}

func (d *depthReader) newline(i int64) {
	d.line++
	d.start = d.offset + i + 1
	d.inString, d.escaped = false, false
	if d.lines {
		d.depth = 0
	}
}

// text passes a part of a string and returns the place of its last byte, or the
// length of b if the string goes on. No JSON string has a line break; a line that
// is no JSON may have one quote.
func (d *depthReader) text(b []byte, i int) int {
	from := i // an escape that began before it is complete
	if d.escaped {
		d.escaped = false
		if b[i] != '\n' {
			i++
			from = i
		}
	}
	for {
		n := bytes.IndexByte(b[i:], '"')
		end := len(b)
		if n >= 0 {
			end = i + n
		}
		if n := bytes.IndexByte(b[i:end], '\n'); n >= 0 {
			d.newline(int64(i + n))
			return i + n
		}
		// An odd number of backslashes escapes what comes after them.
		before := end
		for before > from && b[before-1] == '\\' {
			before--
		}
		escaped := (end-before)%2 == 1
		switch {
		case n < 0:
			d.escaped = escaped
			return len(b)
		case !escaped:
			d.inString = false
			return end
		}
		i = end + 1
		from = i
	}
}
