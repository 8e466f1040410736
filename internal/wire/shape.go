// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A demand is what the operation of a field wants of its value.
type demand uint8

const (
	anyValue demand = iota
	aString
	aBool
	aNatural // an integer that needs no sign
	someStrings
	anObject
	aMap
	aList
	aPointer
	aUnion
	unknown // the field does not say
)

// A shape describes the values that are decoded without error into an object, and tells
// by a text alone, without reading it into anything, that it is one of them. It says so
// only of texts that are spelled as tools spell them: others are for the operations.
type shape struct {
	demand  demand
	table   *Table // of anObject
	factor  uint64 // with it, the names have different places
	slots   *[64]memberSlot
	members []*shape              // of anObject, by number
	of      *shape                // of the items of aMap and aList
	bytes   int                   // of an object behind a pointer: an item, or what is described
	which   func(text []byte) int // of aUnion, a function with a name: a number in shapes
	shapes  []*shape
}

// Shapes without parts.
var (
	shapeUnknown = &shape{demand: unknown}
	shapeAny     = &shape{demand: anyValue}
	shapeString  = &shape{demand: aString}
	shapeBool    = &shape{demand: aBool}
	shapeNatural = &shape{demand: aNatural}
	shapeStrings = &shape{demand: someStrings}
)

// A description is what is known while a shape is found out: types refer to each other,
// and to themselves.
type description struct {
	tables map[*Table]*shape
	unions map[*Union]*shape
}

// shapeOf returns the shape of the objects of a type.
func shapeOf(t Type) *shape {
	table, ok := t.(*Table)
	if !ok {
		return shapeUnknown // nothing to keep it in
	}
	s := table.shape.Load()
	if s == nil {
		s = t.describe(&description{make(map[*Table]*shape), make(map[*Union]*shape)})
		table.shape.Store(s)
	}
	return s
}

// A memberSlot has a member of the table whose name has this place, or none.
type memberSlot struct {
	head
	middle string // of a long name
	number int
}

// spread chooses the factor.
func (s *shape) spread() {
	s.factor = slotFactor
	for range 1000 {
		used := 0
		s.slots = new([64]memberSlot)
		for k := range s.slots {
			s.slots[k].mask = 0xff // no name begins with the character 0
		}
		for k, name := range s.table.names {
			h := s.table.heads[k]
			if p := &s.slots[slot(h.word, s.factor)]; p.size == 0 {
				*p = memberSlot{head: h, number: k}
				if h.size > 16 {
					p.middle = name[8 : h.size-8]
				}
				used++
			}
		}
		if used == len(s.table.names) {
			return
		}
		s.factor = s.factor*6364136223846793005 + 1442695040888963407 | 1
	}
}

// check returns the end of the value at i if it is one of s, or else a negative number,
// with which nothing is said. It may nest up to depth levels. What its objects would
// take is added to taken.
func (s *shape) check(d []byte, i, depth int, taken *int) int {
	switch s.demand {
	case aString:
		return checkString(d, i)
	case anObject:
		return s.checkObject(d, i, depth, taken)
	case aMap, aList:
		return s.checkItems(d, i, depth, taken)
	case someStrings:
		return checkStrings(d, i, depth)
	case aPointer:
		*taken += s.bytes
		return s.of.check(d, i, depth, taken)
	case aUnion:
		if i < len(d) {
			if k := s.which(d[i:]); k < len(s.shapes) {
				return s.shapes[k].check(d, i, depth, taken)
			}
		}
	case anyValue:
		if end, fault := jsonscan.Value(d, i, depth); fault == jsonscan.OK {
			return end
		}
	case aNatural:
		end := i
		for end < len(d) && d[end]-'0' <= 9 {
			end++
		}
		// Nine digits are those of an integer of any type.
		if end < len(d) && end > i && end-i < 10 && (d[i] != '0' || end == i+1) && (d[end] == ',' || d[end] == '}' || d[end] <= ' ') {
			return end
		}
	case aBool:
		if i < len(d)-4 && string(d[i:i+4]) == "true" {
			return i + 4
		}
		if i < len(d)-5 && string(d[i:i+5]) == "false" {
			return i + 5
		}
	}
	return -1
}

func checkString(d []byte, i int) int {
	if i < len(d) && d[i] == '"' {
		if end, _, fault := jsonscan.StringRest(d, i+1); fault == jsonscan.OK {
			return end
		}
	}
	return -1
}

// checkStrings is check for an array of strings.
func checkStrings(d []byte, i, depth int) int {
	if depth <= 0 || i >= len(d) || d[i] != '[' {
		return -1
	}
	if i = jsonscan.Space(d, i+1); i < len(d) && d[i] == ']' {
		return i + 1
	}
	for i < len(d) && d[i] == '"' {
		end, _, fault := jsonscan.StringRest(d, i+1)
		switch i = end; {
		case fault != jsonscan.OK:
			return -1
		case i < len(d)-1 && d[i] == ',' && d[i+1] > ' ':
			i++
		case i < len(d) && d[i] == ']':
			return i + 1
		default:
			var done bool
			if i, done = following(d, i, ']'); done || i < 0 {
				return i
			}
		}
	}
	return -1
}

// checkItems is check for a map or list.
func (s *shape) checkItems(d []byte, i, depth int, taken *int) int {
	opening := byte('[')
	if s.demand == aMap {
		opening = '{'
	}
	if depth--; depth < 0 || i >= len(d) || d[i] != opening {
		return -1
	}
	closing := opening + 2
	if i = jsonscan.Space(d, i+1); i < len(d) && d[i] == closing {
		return i + 1
	}
	for {
		if opening == '{' {
			if i = colon(d, checkString(d, i)); i < 0 {
				return -1
			}
		}
		if i >= len(d) || d[i] == 'n' { // null is no object
			return -1
		}
		*taken += s.bytes
		if i = s.of.check(d, i, depth, taken); i < 0 {
			return -1
		}
		switch {
		case i < len(d)-1 && d[i] == ',' && d[i+1] > ' ':
			i++
		case i < len(d) && d[i] == closing:
			return i + 1
		default:
			var done bool
			if i, done = following(d, i, closing); done || i < 0 {
				return i
			}
		}
	}
}

// checkObject is check for an object whose members have a table.
func (s *shape) checkObject(d []byte, i, depth int, taken *int) int {
	if depth--; depth < 0 || i >= len(d) || d[i] != '{' {
		return -1
	}
	if i = jsonscan.Space(d, i+1); i < len(d) && d[i] == '}' {
		return i + 1
	}
	var seen uint64
	for {
		// The name, which is mostly a known one.
		k := -1
		if i >= 0 && i < len(d)-9 && d[i] == '"' {
			word := binary.LittleEndian.Uint64(d[i+1:])
			p := &s.slots[slot(word, s.factor)]
			if end := i + p.size; (word^p.word)&p.mask == 0 && (p.size <= 8 || end < len(d) && binary.LittleEndian.Uint64(d[end-7:]) == p.tail &&
				(p.size <= 16 || string(d[i+9:end-7]) == p.middle)) {
				k, i = p.number, end+1
			}
		}
		of := shapeAny // of an extra member
		if k < 0 {
			if k, i = s.rareName(d, i); i < 0 {
				return -1
			}
		}
		if k >= 0 {
			if seen>>(uint(k)&63)&1 != 0 {
				return -1
			}
			seen |= 1 << (uint(k) & 63)
			of = s.members[k]
		}
		if i < len(d)-1 && d[i] == ':' && d[i+1] > ' ' {
			i++
		} else if i = colon(d, i); i < 0 {
			return -1
		}
		if of.demand == aString {
			i = checkString(d, i)
		} else {
			i = of.check(d, i, depth, taken)
		}
		switch {
		case i < 0:
			return -1
		case i < len(d)-1 && d[i] == ',' && d[i+1] > ' ':
			i++
		case i < len(d) && d[i] == '}':
			return i + 1
		default:
			var done bool
			if i, done = following(d, i, '}'); done || i < 0 {
				return i
			}
		}
	}
}

// rareName returns the number of the member whose name is at i, or -1 for an extra one,
// and the end of the name, which is negative if it is not spelled plainly.
func (s *shape) rareName(d []byte, i int) (k, end int) {
	if i >= len(d) || d[i] != '"' {
		return -1, -1
	}
	end, escaped, fault := jsonscan.StringRest(d, i+1)
	if fault != jsonscan.OK || escaped {
		return -1, -1
	}
	return s.table.lookup(d[i+1 : end-1]), end
}

// following returns the place of the item after one that ends at i, or that after the
// closing bracket and true; or a negative number.
func following(d []byte, i int, closing byte) (next int, done bool) {
	switch i = jsonscan.Space(d, i); {
	case i >= len(d):
	case d[i] == closing:
		return i + 1, true
	case d[i] == ',':
		return jsonscan.Space(d, i+1), false
	}
	return -1, false
}

// colon returns the place of the value after a name that ends at i, or a negative
// number if there is no colon or i is negative.
func colon(d []byte, i int) int {
	if i < 0 {
		return -1
	}
	if i < len(d)-1 && d[i] == ':' && d[i+1] > ' ' {
		return i + 1
	}
	if i = jsonscan.Space(d, i); i >= len(d) || d[i] != ':' {
		return -1
	}
	return jsonscan.Space(d, i+1)
}
