// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planshape has what a provider's schemas say about values, in the form
// that is fast to walk next to them.
package planshape

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// A Shape is what a schema says about a value. A nil Shape knows nothing.
type Shape struct {
	set, tuple, keys, block, sensitive bool // keys: the names of members are those of a map

	members  map[string]*Shape // of an object
	each     *Shape            // of a map, list or set
	elements []*Shape          // of a tuple
}

func (s *Shape) IsSet() bool       { return s != nil && s.set }
func (s *Shape) IsTuple() bool     { return s != nil && s.tuple }
func (s *Shape) IsMap() bool       { return s != nil && s.keys }
func (s *Shape) IsBlock() bool     { return s != nil && s.block }
func (s *Shape) IsSensitive() bool { return s != nil && s.sensitive }

// IsObject reports whether the names of the members are known to be those of
// attributes.
func (s *Shape) IsObject() bool { return s != nil && s.members != nil }

// Member returns the shape of a member of an object or a map.
func (s *Shape) Member(name []byte) *Shape {
	switch {
	case s == nil:
		return nil
	case s.members != nil:
		return s.members[string(name)]
	}
	return s.each
}

// Element returns the shape of an element.
func (s *Shape) Element(i int) *Shape {
	switch {
	case s == nil:
		return nil
	case s.tuple && i < len(s.elements):
		return s.elements[i]
	case s.tuple:
		return nil
	}
	return s.each
}

// HidesInside reports whether a part of the value is sensitive.
func (s *Shape) HidesInside() bool {
	if s == nil {
		return false
	}
	for _, m := range s.members {
		if m.IsSensitive() || m.HidesInside() {
			return true
		}
	}
	return s.each.IsSensitive() || s.each.HidesInside()
}

// A Schemas finds shapes by type and keeps those that it has made. The zero
// value knows nothing. It is for one goroutine.
type Schemas struct {
	From *planjson.Schemas
	made map[*planjson.Schema]*Shape
}

// Resource returns the shape of the values of a resource type, nil if the
// schemas do not have it.
func (x *Schemas) Resource(provider string, mode addrs.Mode, typ string) *Shape {
	schema := x.From.Resource(provider, mode, typ)
	if schema == nil {
		return nil
	}
	s, ok := x.made[schema]
	if !ok {
		s = blockShape(schema.Block, 0)
		if x.made == nil {
			x.made = make(map[*planjson.Schema]*Shape)
		}
		x.made[schema] = s
	}
	return s
}

// Action returns the shape of the configuration of an action type, nil if the
// schemas do not have it.
func (x *Schemas) Action(provider, typ string) *Shape {
	p := x.provider(provider)
	if p == nil || p.ActionSchemas[typ] == nil {
		return nil
	}
	return blockShape(p.ActionSchemas[typ].Block, 0)
}

// Provider returns the shape of the configuration of a provider, nil if the
// schemas do not have it.
func (x *Schemas) Provider(provider string) *Shape {
	p := x.provider(provider)
	if p == nil {
		return nil
	}
	return blockShape(p.Provider.Block, 0)
}

func (x *Schemas) provider(source string) *planjson.ProviderSchema {
	if x.From == nil {
		return nil
	}
	return x.From.ProviderSchemas[source]
}

// maxDepth is how deep types may nest.
const maxDepth = 200

func blockShape(b *planjson.Block, depth int) *Shape {
	if b == nil || depth > maxDepth {
		return nil
	}
	s := attributesShape(b.Attributes, depth)
	for name, t := range b.BlockTypes {
		if t == nil {
			continue
		}
		n := nestedShape(t.NestingMode, blockShape(t.Block, depth+1))
		if n != nil {
			n.block = true
		}
		s.members[name] = n
	}
	return s
}

func attributesShape(attributes map[string]*planjson.Attribute, depth int) *Shape {
	s := &Shape{members: make(map[string]*Shape, len(attributes))}
	for name, a := range attributes {
		if a == nil || depth > maxDepth {
			continue
		}
		var m *Shape
		if n := a.NestedType; n != nil {
			m = nestedShape(n.NestingMode, attributesShape(n.Attributes, depth+1))
		} else if t, err := planjson.ParseType(a.Type); err == nil {
			m = OfType(t)
		}
		if m == nil {
			m = new(Shape)
		}
		m.sensitive = a.Sensitive
		s.members[name] = m
	}
	return s
}

// nestedShape returns the shape of objects in a nesting mode.
func nestedShape(mode planjson.NestingMode, object *Shape) *Shape {
	switch mode {
	case planjson.NestingSingle, planjson.NestingGroup:
		return object
	case planjson.NestingSet:
		return &Shape{set: true, each: object}
	case planjson.NestingList:
		return &Shape{each: object}
	case planjson.NestingMap:
		return &Shape{keys: true, each: object}
	}
	return nil
}

// OfType returns the shape of the values of a type.
func OfType(t cty.Type) *Shape {
	switch {
	case t.IsObjectType():
		s := &Shape{members: make(map[string]*Shape)}
		for name, a := range t.AttributeTypes() {
			s.members[name] = OfType(a)
		}
		return s
	case t.IsTupleType():
		s := &Shape{tuple: true}
		for _, e := range t.TupleElementTypes() {
			s.elements = append(s.elements, OfType(e))
		}
		return s
	case t.IsCollectionType():
		return &Shape{set: t.IsSetType(), keys: t.IsMapType(), each: OfType(t.ElementType())}
	}
	return nil
}
