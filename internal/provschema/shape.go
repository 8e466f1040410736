// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package provschema

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Shape is what a schema says of a value, in a form that is fast to walk along with the
// value. A nil Shape says nothing.
type Shape struct {
	kind       Kind
	block      bool
	own, below secret

	members  map[string]*Shape // of a Body, a Nested or an Object
	others   *Shape            // of the members of an object that are not in members
	each     *Shape            // of a List, a Set or a Map
	elements []*Shape          // of a Tuple
}

// A Kind says what the parts of a value are.
type Kind uint8

// The kinds.
const (
	Scalar       Kind = iota // there are none, or nothing is known of them
	Any                      // what is in a document of JSON, or has any type
	Body                     // attributes and blocks of a block
	NestedObject             // attributes of a nested type
	Object                   // members of an object in a type
	ListOf
	SetOf
	MapOf
	Tuple
)

// A secret says how an attribute is kept from view.
type secret uint8

const (
	sensitive secret = 1 << iota
	writeOnly
	private
)

// Kind returns the kind, Scalar for nil.
func (s *Shape) Kind() Kind {
	if s == nil {
		return Scalar
	}
	return s.kind
}

// Is reports whether the value is of a kind.
func (s *Shape) Is(kind Kind) bool { return s.Kind() == kind }

// IsObject reports whether the names of members are those of a schema.
func (s *Shape) IsObject() bool { return s != nil && Body <= s.kind && s.kind <= Object }

// IsBlock reports whether the value is a nested block or all of one type.
func (s *Shape) IsBlock() bool { return s != nil && s.block }

// IsSensitive reports whether the value is sensitive, write-only ones apart.
func (s *Shape) IsSensitive() bool { return s != nil && s.own&sensitive != 0 }

// HasSensitive reports whether something in the value is sensitive.
func (s *Shape) HasSensitive() bool { return s != nil && s.below&sensitive != 0 }

// IsPrivate reports whether the value is a secret because nothing says that it is public; see
// [Shape.HideOthers].
func (s *Shape) IsPrivate() bool { return s != nil && s.own == private }

// IsSecret reports whether the value is sensitive, write-only or private.
func (s *Shape) IsSecret() bool { return s != nil && s.own != 0 }

// Hides reports whether the value is a secret or something in it is.
func (s *Shape) Hides() bool { return s != nil && s.own|s.below != 0 }

// Member returns the shape of a member of an object or a map.
func (s *Shape) Member(name []byte) *Shape {
	switch {
	case s == nil:
		return nil
	case s.members != nil:
		if part, ok := s.members[string(name)]; ok {
			return part
		}
		return s.others
	case s.kind == Any:
		return s
	}
	return s.each
}

// Each returns the shape that all elements have.
func (s *Shape) Each() *Shape {
	switch {
	case s == nil:
		return nil
	case s.kind == Any:
		return s
	}
	return s.each
}

// Element returns the shape of an element.
func (s *Shape) Element(i int) *Shape {
	if s != nil && i < len(s.elements) {
		return s.elements[i]
	}
	return s.Each()
}

// Shapes that many values have.
var (
	scalar  = &Shape{}
	scalars = map[Kind]*Shape{ListOf: {kind: ListOf}, SetOf: {kind: SetOf}, MapOf: {kind: MapOf}}
	Dynamic = &Shape{kind: Any} // of a value of any type
)

// NewObject returns the shape of an object that will have some members.
func NewObject(kind Kind, size int) *Shape {
	return &Shape{kind: kind, members: make(map[string]*Shape, size)}
}

// PutAttribute adds an attribute. Its shape is nil if nothing is known of it.
func (s *Shape) PutAttribute(name string, part *Shape, isSensitive, isWriteOnly bool) {
	if part == nil {
		part = scalar
	}
	if isSensitive || isWriteOnly {
		own := *part
		if part = &own; isSensitive {
			part.own |= sensitive
		}
		if isWriteOnly {
			part.own |= writeOnly
		}
	}
	s.put(name, part)
}

// PutBlock adds a type of nested block, which must not be used elsewhere.
func (s *Shape) PutBlock(name, mode string, body *Shape) {
	if part := Nest(mode, body); part != nil {
		part.block = true
		s.put(name, part)
	}
}

// hidden is the shape of what is private.
var hidden = &Shape{own: private}

// HideOthers makes the members of an object private that are not put, and the elements of an
// array in its place.
func (s *Shape) HideOthers() {
	s.others, s.each = hidden, hidden
	s.below |= private
}

// Put adds a member with a shape.
func (s *Shape) Put(name string, part *Shape) { s.put(name, part) }

func (s *Shape) put(name string, part *Shape) {
	s.members[name] = part
	s.below |= part.own | part.below
}

// Nest returns the shape of objects that nest in a mode, as "nesting_mode" spells them.
// Where there is no such mode, it is that of a single one.
func Nest(mode string, object *Shape) *Shape {
	s := &Shape{each: object}
	switch mode {
	case List:
		s.kind = ListOf
	case Set:
		s.kind = SetOf
	case Map:
		s.kind = MapOf
	default:
		return object
	}
	if object != nil {
		s.below = object.own | object.below
	}
	return s
}

// MaxDepth is how deep blocks and types may nest in a [Shape].
const MaxDepth = 500

// TypeShape returns the shape of the values of a type in cty's JSON notation. It is nil
// for text that is not JSON.
func TypeShape(t []byte) *Shape {
	if !jsonscan.Valid(t) {
		return nil
	}
	return typeShape(bytes.TrimSpace(t), 0)
}

func typeShape(t []byte, depth int) *Shape {
	r := jsonscan.Items{Text: t, Valid: true}
	switch {
	case word(t) == "dynamic":
		return Dynamic
	case depth > MaxDepth || !r.Open('[') || !r.Element():
		return scalar
	}
	kind := word(r.Value())
	if !r.Element() {
		return scalar
	}
	arg := r.Value()
	switch kind {
	case "list":
		return collection(ListOf, typeShape(arg, depth+1))
	case "set":
		return collection(SetOf, typeShape(arg, depth+1))
	case "map":
		return collection(MapOf, typeShape(arg, depth+1))
	case "tuple":
		s := &Shape{kind: Tuple}
		r := jsonscan.Items{Text: arg, Valid: true}
		for ok := r.Open('[') && r.Element(); ok; ok = r.Element() {
			s.elements = append(s.elements, typeShape(r.Value(), depth+1))
		}
		return s
	case "object":
		s := NewObject(Object, 0)
		r := jsonscan.Items{Text: arg, Valid: true}
		for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
			s.put(jsonscan.Unquote(r.Name), typeShape(r.Value(), depth+1))
		}
		return s
	}
	return scalar
}

// word returns the text of a string, "" for other values.
func word(t []byte) string {
	if len(t) == 0 || t[0] != '"' {
		return ""
	}
	return jsonscan.Unquote(t)
}

func collection(kind Kind, each *Shape) *Shape {
	if each == scalar {
		return scalars[kind]
	}
	return &Shape{kind: kind, each: each}
}
