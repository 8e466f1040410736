// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

// A shape is the schema of a value, in a form that is fast to walk along with
// the value. A nil shape means that nothing is known.
type shape struct {
	set, tuple, keys, block, sensitive bool // keys: the names of members are those of a map

	json   bool // all of it is in a document of JSON, or has any type
	object bool // the members are those of an object in a type
	nested bool // the members are those of an attribute's nested type
	body   bool // the members are those of a block

	members  map[string]*shape // of an object
	each     *shape            // of a map, list or set
	elements []*shape          // of a tuple
}

func (s *shape) isJSON() bool      { return s != nil && s.json }
func (s *shape) isSet() bool       { return s != nil && s.set }
func (s *shape) isTuple() bool     { return s != nil && s.tuple }
func (s *shape) isMap() bool       { return s != nil && s.keys }
func (s *shape) isBlock() bool     { return s != nil && s.block }
func (s *shape) isSensitive() bool { return s != nil && s.sensitive }

// showsNeighbours reports whether the unchanged elements of a list that are next
// to one that differs are shown even if they are containers: those of lists and
// tuples in types, not those of nested types or blocks.
func (s *shape) showsNeighbours() bool {
	return s != nil && !s.set && !s.block && (s.json || s.tuple || s.each == nil || !s.each.nested)
}

// isBlocks reports whether the value is a list, a set or a map of nested blocks, not a
// single one.
func (s *shape) isBlocks() bool { return s != nil && s.block && s.members == nil }

// isNestedList reports whether the elements are objects of a nested type: the
// unchanged ones are counted at the end.
func (s *shape) isNestedList() bool { return s != nil && s.each != nil && s.each.nested }

// Nulls says whether a member that is removed is shown to become null, as the
// tools show it: as around, never, or always.
type nulls uint8

const (
	inheritNulls nulls = iota
	blockNulls         // as around, in a block
	noNulls
	showNulls
)

func (s *shape) nulls() nulls {
	switch {
	case s == nil:
		return inheritNulls
	case s.json, s.object, s.keys && s.each != nil && s.each.nested:
		return noNulls
	case s.nested:
		return showNulls
	case s.body:
		return blockNulls
	}
	return inheritNulls
}

// member returns the shape of a member of an object or a map.
func (s *shape) member(name []byte) *shape {
	switch {
	case s == nil:
		return nil
	case s.json:
		return s
	case s.members != nil:
		return s.members[string(name)]
	}
	return s.each
}

// element returns the shape of an element.
func (s *shape) element(i int) *shape {
	switch {
	case s == nil:
		return nil
	case s.json:
		return s
	case s.tuple && i < len(s.elements):
		return s.elements[i]
	case s.tuple:
		return nil
	}
	return s.each
}

// unknownObject returns an object of a nested type of which nothing is known, as the
// tools show one that had the members of before, and no value for other types.
func (s *shape) unknownObject(before planjson.Value) side {
	if s == nil || !s.nested || before.Kind() != planjson.KindObject {
		return side{}
	}
	unknown := []byte{'{'}
	r := jsonscan.Items{Text: before}
	for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
		if len(unknown) > 1 {
			unknown = append(unknown, ',')
		}
		unknown = append(append(unknown, r.Name...), ":true"...)
		r.Value()
	}
	return side{value: planjson.Value("{}"), unknown: append(unknown, '}')}
}

// hidesInside reports whether a part of the value is sensitive.
func (s *shape) hidesInside() bool {
	if s == nil {
		return false
	}
	for _, m := range s.members {
		if m.isSensitive() || m.hidesInside() {
			return true
		}
	}
	return s.each.isSensitive() || s.each.hidesInside()
}

// A shapes finds shapes by type and keeps those that it has made. The zero
// value knows nothing. It is for one goroutine.
type shapes struct {
	from *planjson.Schemas
	made map[*planjson.Schema]*shape
}

// resource returns the shape of the values of a resource type, nil if the
// schemas do not have it.
func (x *shapes) resource(provider string, mode addrs.Mode, typ string) *shape {
	schema := x.from.Resource(provider, mode, typ)
	if schema == nil {
		return builtin(provider, typ)
	}
	s, ok := x.made[schema]
	if !ok {
		s = blockShape(schema.Block, 0)
		if x.made == nil {
			x.made = make(map[*planjson.Schema]*shape)
		}
		x.made[schema] = s
	}
	return s
}

// builtin returns the shape of the values of a resource type of the provider that is a
// part of the tools, nil for other types.
func builtin(provider, typ string) *shape {
	switch {
	case provider != "terraform.io/builtin/terraform":
	case typ == "terraform_data":
		return terraformData
	case typ == "terraform_remote_state":
		return remoteState
	}
	return nil
}

// Source: OpenTofu internal/builtin/providers/tf.
var (
	anyType       = &shape{json: true}
	terraformData = &shape{members: map[string]*shape{"id": {}, "input": anyType, "output": anyType, "triggers_replace": anyType}}
	remoteState   = &shape{members: map[string]*shape{"backend": {}, "config": anyType, "defaults": anyType, "outputs": anyType, "workspace": {}}}
)

// action returns the shape of the configuration of an action type, nil if the
// schemas do not have it.
func (x *shapes) action(provider, typ string) *shape {
	p := x.provider(provider)
	if p == nil || p.ActionSchemas[typ] == nil {
		return nil
	}
	return blockShape(p.ActionSchemas[typ].Block, 0)
}

func (x *shapes) provider(source string) *planjson.ProviderSchema {
	if x.from == nil {
		return nil
	}
	return x.from.ProviderSchemas[source]
}

// maxTypeDepth is how deep types may nest.
const maxTypeDepth = 200

func blockShape(b *planjson.Block, depth int) *shape {
	if b == nil || depth > maxTypeDepth {
		return nil
	}
	s := attributesShape(b.Attributes, depth)
	s.body = true
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

func attributesShape(attributes map[string]*planjson.Attribute, depth int) *shape {
	s := &shape{members: make(map[string]*shape, len(attributes))}
	for name, a := range attributes {
		if a == nil || depth > maxTypeDepth {
			continue
		}
		var m *shape
		if n := a.NestedType; n != nil {
			object := attributesShape(n.Attributes, depth+1)
			object.nested = true
			m = nestedShape(n.NestingMode, object)
		} else if a.Type.Check() == nil {
			m = typeShape(a.Type, depth)
		}
		if m == nil {
			m = new(shape)
		}
		m.sensitive = a.Sensitive
		s.members[name] = m
	}
	return s
}

// nestedShape returns the shape of objects in a nesting mode.
func nestedShape(mode planjson.NestingMode, object *shape) *shape {
	switch mode {
	case planjson.NestingSingle, planjson.NestingGroup:
		return object
	case planjson.NestingSet:
		return &shape{set: true, each: object}
	case planjson.NestingList:
		return &shape{each: object}
	case planjson.NestingMap:
		return &shape{keys: true, each: object}
	}
	return nil
}

// typeShape returns the shape of the values of a type in cty's JSON notation,
// which must be valid JSON. It is nil for a type without parts, and for text
// that is not a type.
func typeShape(t planjson.Value, depth int) *shape {
	if depth > maxTypeDepth {
		return nil
	}
	if word, _ := t.Text(); word == "dynamic" {
		return &shape{json: true}
	}
	name, _ := t.Element(0).Text()
	arg := t.Element(1)
	switch name {
	case "list", "set", "map":
		return &shape{set: name == "set", keys: name == "map", each: typeShape(arg, depth+1)}
	case "tuple":
		s := &shape{tuple: true}
		for _, e := range arg.Elements() {
			s.elements = append(s.elements, typeShape(e, depth+1))
		}
		return s
	case "object":
		s := &shape{object: true, members: make(map[string]*shape)}
		for name, a := range arg.Members() {
			s.members[name] = typeShape(a, depth+1)
		}
		return s
	}
	return nil
}
