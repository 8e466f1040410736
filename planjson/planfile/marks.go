// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
)

// marks say which parts of a value are sensitive. Steps with a name lead into objects, and those
// with a key into lists, sets, tuples and maps; a path that fits nothing marks nothing.
type marks struct {
	all   bool              // the value itself
	names map[string]*marks // of the attributes of an object
	keys  []keyMarks        // of elements
	each  *marks            // of all elements
}

type keyMarks struct {
	key cty.Value
	of  *marks
}

// allMarks mark a value as a whole.
var allMarks = []*marks{{all: true}}

// pathMarks returns the marks of paths.
func pathMarks(paths []steps) ([]*marks, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	root := new(marks)
	for i, p := range paths {
		m := root
		for k, s := range p {
			if !s.isKey {
				m = m.name(cty.NormalizeString(s.name))
				continue
			}
			key, err := s.key.value(cty.NilType)
			if err != nil {
				return nil, inElement("", i, inElement("steps", k, err))
			}
			m = m.key(key)
		}
		m.all = true
	}
	return []*marks{root}, nil
}

func (m *marks) name(name string) *marks {
	if m.names == nil {
		m.names = make(map[string]*marks)
	}
	if m.names[name] == nil {
		m.names[name] = new(marks)
	}
	return m.names[name]
}

func (m *marks) key(key cty.Value) *marks {
	if n := len(m.keys); n > 0 && m.keys[n-1].key.RawEquals(key) { // they are mostly side by side
		return m.keys[n-1].of
	}
	m.keys = append(m.keys, keyMarks{key, new(marks)})
	return m.keys[len(m.keys)-1].of
}

// blockMarks returns what a schema calls sensitive, nil if nothing.
func blockMarks(b *planjson.Block) *marks {
	if b == nil {
		return nil
	}
	m := attributeMarks(b.Attributes)
	for name, nested := range b.BlockTypes {
		if nested == nil {
			continue
		}
		if below := nestedMarks(nested.NestingMode, blockMarks(nested.Block)); below != nil {
			if m == nil {
				m = &marks{names: make(map[string]*marks)}
			}
			m.names[cty.NormalizeString(name)] = below
		}
	}
	return m
}

func attributeMarks(attributes map[string]*planjson.Attribute) *marks {
	names := make(map[string]*marks)
	for name, a := range attributes {
		var below *marks
		switch {
		case a == nil:
		case a.Sensitive:
			below = allMarks[0]
		case a.NestedType != nil:
			below = nestedMarks(a.NestedType.NestingMode, attributeMarks(a.NestedType.Attributes))
		}
		if below != nil {
			names[cty.NormalizeString(name)] = below
		}
	}
	if len(names) == 0 {
		return nil
	}
	return &marks{names: names}
}

func nestedMarks(mode planjson.NestingMode, m *marks) *marks {
	if m == nil || mode == planjson.NestingSingle || mode == planjson.NestingGroup {
		return m
	}
	return &marks{each: m}
}

// A marker writes the marks of a value: true for what is sensitive, an array or an object for what
// has parts. The rest has no member in objects and maps, and is false elsewhere.
type marker struct {
	wholeSets bool // all of a set is sensitive if a part of it is
}

func (w marker) append(dst []byte, v cty.Value, list []*marks) []byte {
	for _, m := range list {
		if m.all {
			return append(dst, "true"...)
		}
	}
	t := v.Type()
	switch {
	case v.IsNull(), t.IsPrimitiveType(), t == cty.DynamicPseudoType:
		return append(dst, "false"...)
	case t.IsMapType() || t.IsObjectType():
		dst = append(dst, '{')
		if v.IsKnown() {
			for it := v.ElementIterator(); it.Next(); {
				name, e := it.Element()
				dst = appendMark(dst, name.AsString(), func(dst []byte) []byte {
					return w.append(dst, e, below(list, t, name))
				})
			}
		}
		return append(dst, '}')
	}
	start := len(dst)
	dst = append(dst, '[')
	if v.IsKnown() {
		for it := v.ElementIterator(); it.Next(); {
			key, e := it.Element()
			if len(dst) > start+1 {
				dst = append(dst, ',')
			}
			dst = w.append(dst, e, below(list, t, key))
		}
	}
	if dst = append(dst, ']'); w.wholeSets && t.IsSetType() && plantext.HasTrue(dst[start:]) {
		return append(dst[:start], "true"...)
	}
	return dst
}

// below returns the marks of a part of a value of type t. In a set only an element that is wholly
// known can be named.
func below(list []*marks, t cty.Type, key cty.Value) (parts []*marks) {
	for _, m := range list {
		switch {
		case t.IsObjectType():
			if of := m.names[key.AsString()]; of != nil {
				parts = append(parts, of)
			}
			continue
		case m.each != nil:
			parts = append(parts, m.each)
		}
		for _, k := range m.keys {
			if k.key.Type().Equals(key.Type()) && k.key.RawEquals(key) {
				parts = append(parts, k.of)
			}
		}
	}
	return parts
}
