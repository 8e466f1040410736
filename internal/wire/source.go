// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"reflect"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A document is one text that objects were decoded from.
type document struct{ text []byte }

// A Source says where an object was read. The zero Source is that of an
// object made by the caller. It is the size of a slice header.
type Source struct {
	doc        *document
	start, end uint32
	// seen has a bit for each known member that the text has, and two marks.
	seen uint64
}

const (
	seenExtra uint64 = 1 << 62 // there are members that the table does not know
	seenTwice uint64 = 1 << 63 // some known member occurs more than once
	seenMade  uint64 = 1 << 61 // the caller made the object: the text has only extra members

	maxMembers = 61
	maxText    = 1<<32 - 1
)

// SourceOf returns where an object of type t was read. It is nil for a nil pointer.
func SourceOf(t Type, o any) *Source {
	if reflect.ValueOf(o).IsNil() {
		return nil
	}
	return t.source(o)
}

// text returns the object's own text, or nil if it has no source.
func (s *Source) text() []byte {
	if s.doc == nil {
		return nil
	}
	return s.doc.text[s.start:s.end:s.end]
}

// at reports whether the object was read from offset i of doc.
func (s *Source) at(doc *document, i int) bool {
	return s.doc == doc && doc != nil && s.start == uint32(i)
}

// whole reports whether the object is all of its document but white space.
func (s *Source) whole() bool {
	d := s.doc.text
	return jsonscan.Space(d, 0) == int(s.start) && jsonscan.Space(d, int(s.end)) == len(d)
}

// HasKnown reports whether the object's text has a member that its table knows.
func (s *Source) HasKnown() bool { return s.seen&(1<<maxMembers-1) != 0 }

// HasExtra reports whether the object's text has a member that its table does not know.
func (s *Source) HasExtra() bool { return s.doc != nil && s.seen&seenExtra != 0 }

// Own returns the text of the object with this source, as far as it was read from
// text, or nil. It must not be changed.
func (s *Source) Own() []byte { return s.text() }

// Position returns the line and the column, both from 1, at which an object
// with this source begins in its document. It reports false for an object
// that was not read from text, and if s is nil.
func (s *Source) Position() (line, column int, ok bool) {
	if s == nil || s.doc == nil {
		return 0, 0, false
	}
	line, column = jsonscan.Position(s.doc.text, int(s.start))
	return line, column, true
}

// Text returns the text of the document that an object with this source was
// read from, or nil. It must not be changed.
func (s *Source) Text() []byte {
	if s.doc == nil {
		return nil
	}
	return s.doc.text
}

// An Origin says where an object comes from.
type Origin int

// An object was made by the caller, read as a part of a text, or read from a
// text of its own.
const (
	None Origin = iota
	Part
	Whole
)

// Origin returns where the object with this source comes from.
func (s *Source) Origin() Origin {
	switch {
	case s.doc == nil:
		return None
	case s.whole():
		return Whole
	}
	return Part
}
