// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Cursor visits all scalars in a [Value], at any depth, in the order of the
// text. It builds nothing, and allocates nothing for text nested up to 16
// levels. Visiting every attribute of a large plan takes about as long as
// reading its text. Empty objects and arrays have no scalars.
//
//	for c := change.After.Cursor(); c.Next(); {
//		if s, ok := c.Value().Text(); ok && strings.HasPrefix(s, "AKIA") {
//			fmt.Println("access key at", c.Pointer())
//		}
//	}
//
// A Cursor must not be used concurrently and must not be copied.
type Cursor struct {
	text       []byte
	start, end int // the scalar
	begun      bool
	fault      jsonscan.Fault
	at         int // the place of the fault

	depth int // open containers
	near  [nearLevels]level
	far   []level // those beyond nearLevels
}

const nearLevels = 16

// A level is an open container. In an object, at and to are the span of the
// name of the member being read, a token with its quotes; in an array, at is
// the index of the element and to is 0. It is small because a cursor of the
// size of a few cache lines is most of the work for a short value.
type level struct{ at, to int }

// Cursor returns a cursor before the first scalar in v.
func (v Value) Cursor() *Cursor { return &Cursor{text: v} } // inlined to stay on the stack

// Value returns the scalar. It is valid after [Cursor.Next] has returned true.
func (c *Cursor) Value() Value { return c.text[c.start:c.end:c.end] }

// Err returns the fault that made [Cursor.Next] return false, as an [*Error],
// or nil if it was the end. Decoded Values have no faults.
func (c *Cursor) Err() error {
	if c == nil || c.fault == jsonscan.OK {
		return nil
	}
	return Value(c.text).fault(c.at, c.fault)
}

// Path returns the steps to the scalar as [Value.Get] takes them: strings for
// members, ints for elements.
func (c *Cursor) Path() []any {
	if c == nil {
		return nil
	}
	path := make([]any, c.depth)
	for i := range path {
		if l := c.level(i); l.to > 0 {
			path[i] = jsonscan.Unquote(c.text[l.at:l.to])
		} else {
			path[i] = l.at
		}
	}
	return path
}

// Pointer returns the JSON pointer (RFC 6901) to the scalar.
func (c *Cursor) Pointer() string {
	return pointer(c.Path())
}

// pointer returns a path of strings and ints as a JSON pointer.
func pointer(path []any) string {
	var p []byte
	for _, step := range path {
		p = append(p, '/')
		switch step := step.(type) {
		case string:
			p = append(p, jsonscan.EscapePointer(step)...)
		case int:
			p = strconv.AppendInt(p, int64(step), 10)
		}
	}
	return string(p)
}

func (c *Cursor) level(i int) *level {
	if i < nearLevels {
		return &c.near[i]
	}
	return &c.far[i-nearLevels]
}

// push opens a container and returns its level.
func (c *Cursor) push() *level {
	i := c.depth
	c.depth++
	if i < nearLevels {
		c.near[i] = level{}
		return &c.near[i]
	}
	c.far = append(c.far[:i-nearLevels], level{})
	return &c.far[i-nearLevels]
}

// Next moves to the next scalar. It returns false if there is none, or if the
// text is not valid JSON; see [Cursor.Err].
func (c *Cursor) Next() bool {
	if c.fault != jsonscan.OK {
		return false
	}
	// One function with jumps: with calls for names and scalars it takes a seventh longer.
	d, i := c.text, c.end
	var top *level
	if c.begun {
		if c.depth > 0 {
			top = c.level(c.depth - 1)
		}
		goto after
	}
	c.begun = true
	i = jsonscan.Space(d, i)

value:
	if i >= len(d) {
		return c.stop(i, jsonscan.FaultEnd)
	}
	switch d[i] {
	case '{':
		if c.depth == jsonscan.MaxDepth {
			return c.stop(i, jsonscan.FaultDepth)
		}
		top = c.push()
		i = jsonscan.Space(d, i+1)
		if i < len(d) && d[i] == '}' {
			goto closed
		}
		goto name
	case '[':
		if c.depth == jsonscan.MaxDepth {
			return c.stop(i, jsonscan.FaultDepth)
		}
		c.push()
		i = jsonscan.Space(d, i+1)
		if i < len(d) && d[i] == ']' {
			goto closed
		}
		goto value
	case '"':
		end, fault := jsonscan.String(d, i)
		if fault != jsonscan.OK {
			return c.stop(end, fault)
		}
		c.start, c.end = i, end
		return true
	default:
		end, fault := jsonscan.Value(d, i, 0)
		if fault != jsonscan.OK {
			return c.stop(end, fault)
		}
		c.start, c.end = i, end
		return true
	}

after:
	i = jsonscan.Space(d, i)
	if top == nil {
		if i < len(d) {
			return c.stop(i, jsonscan.FaultTrailing)
		}
		c.end = i
		return false
	}
	if i >= len(d) {
		return c.stop(i, jsonscan.FaultEnd)
	}
	if top.to == 0 {
		switch d[i] {
		case ',':
			top.at++
			i = jsonscan.Space(d, i+1)
			goto value
		case ']':
			goto closed
		}
		return c.stop(i, jsonscan.FaultArray)
	}
	switch d[i] {
	case ',':
		i = jsonscan.Space(d, i+1)
		goto name
	case '}':
		goto closed
	}
	return c.stop(i, jsonscan.FaultObject)

name:
	if i >= len(d) {
		return c.stop(i, jsonscan.FaultEnd)
	}
	if d[i] != '"' {
		return c.stop(i, jsonscan.FaultName)
	}
	{
		end, fault := jsonscan.String(d, i)
		if fault != jsonscan.OK {
			return c.stop(end, fault)
		}
		top.at, top.to = i, end
		i = jsonscan.Space(d, end)
	}
	if i >= len(d) {
		return c.stop(i, jsonscan.FaultEnd)
	}
	if d[i] != ':' {
		return c.stop(i, jsonscan.FaultColon)
	}
	i = jsonscan.Space(d, i+1)
	goto value

closed:
	i++
	c.depth--
	top = nil
	if c.depth > 0 {
		top = c.level(c.depth - 1)
	}
	goto after
}

func (c *Cursor) stop(at int, fault jsonscan.Fault) bool {
	c.at, c.fault = min(at, len(c.text)), fault
	return false
}
