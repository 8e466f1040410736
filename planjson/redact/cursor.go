// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import "github.com/tofuwire/tofuwire/internal/jsonscan"

// A cursor goes through one piece of a document, a valid JSON value, value by value.
type cursor struct {
	text []byte
	i    int // where the value at hand begins

	index   *jsonscan.Index // of text
	own     jsonscan.Index  // of a piece
	indexed bool            // index is that of the piece that comes next

	spans         []memberSpan // the members of the objects around, where they are known
	hint, hintEnd int          // where a value begins, and its end
	nameSpan      span         // of the name in quotes of the member at hand
	meter         *meter
}

// A span is a part of a piece.
type span struct{ start, end int }

// A memberSpan is a member of an object: its name in quotes, and its value.
type memberSpan struct{ name, nameEnd, at, end int }

// begin moves to the beginning of a piece.
func (c *cursor) begin(text []byte) {
	c.text, c.i = text, jsonscan.Space(text, 0)
	c.spans, c.hint = c.spans[:0], -1
	if !c.indexed {
		c.own.Make(text, c.i)
		c.index = &c.own
	}
	c.indexed = false
}

// isAbsent reports whether the zero span, or one of a null.
func (c *cursor) isAbsent(s memberSpan) bool { return s.end == s.at || c.text[s.at] == 'n' }

// skip goes past the value at hand and returns where it began.
func (c *cursor) skip() (start int) {
	start = c.i
	if start == c.hint {
		c.i = c.hintEnd
		c.meter.work++
		return start
	}
	c.i = c.valueEnd(start)
	c.meter.work += c.i - start
	return start
}

// valueEnd returns the end of the value at i.
func (c *cursor) valueEnd(i int) int {
	switch c.text[i] {
	case '"':
		return jsonscan.StringEnd(c.text, i)
	case 'n', 't':
		return i + len("null")
	}
	return c.index.End(i)
}

// members calls f with the name of each member of the object at hand. The value is then the
// one at hand, and f must go through it.
func (c *cursor) members(f func(name []byte)) {
	c.i = jsonscan.Space(c.text, c.i+1)
	for c.text[c.i] != '}' {
		end := jsonscan.StringEnd(c.text, c.i)
		c.meter.work += end - c.i
		c.nameSpan = span{c.i, end}
		name := jsonscan.UnquoteBytes(c.text[c.i:end])
		c.i = afterColon(c.text, end)
		f(name)
		c.i = afterComma(c.text, c.i)
	}
	c.i++
}

// peek calls f with each member of the object at hand, and stays there. Where
// the members are is remembered: their ends are looked for once.
func (c *cursor) peek(f func(name, value []byte)) {
	at := c.i
	for i := jsonscan.Space(c.text, c.i+1); c.text[i] != '}'; i = afterComma(c.text, i) {
		end := jsonscan.StringEnd(c.text, i)
		s := memberSpan{name: i, nameEnd: end, at: afterColon(c.text, end)}
		s.end = c.valueEnd(s.at)
		c.meter.work += s.end - s.at
		c.spans = append(c.spans, s)
		f(jsonscan.UnquoteBytes(c.text[s.name:s.nameEnd]), c.text[s.at:s.end])
		i = s.end
	}
	c.i = at
}
