// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ctyconv

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// A kind is one of the kinds of types.
type kind uint8

const (
	leaf kind = iota // a primitive type, or one of a Go value
	dynamic
	list
	set
	mapping
	tuple
	object
)

// A node is a type. Equal types of one table are one node.
type node struct {
	id    int
	kind  kind
	typ   cty.Type
	names []string // of the parts of an object, sorted
	parts []*node
}

// A table has the types that it was asked for.
type table struct {
	nodes  map[string]*node
	leaves []*node
	unions map[string]*node
}

func newTable() *table {
	return &table{nodes: map[string]*node{}, unions: map[string]*node{}}
}

// of returns the node of a type without optional attributes.
func (t *table) of(typ cty.Type) *node {
	switch {
	case typ == cty.DynamicPseudoType:
		return t.node(dynamic, typ, nil, nil)
	case typ.IsListType():
		return t.node(list, typ, nil, []*node{t.of(typ.ElementType())})
	case typ.IsSetType():
		return t.node(set, typ, nil, []*node{t.of(typ.ElementType())})
	case typ.IsMapType():
		return t.node(mapping, typ, nil, []*node{t.of(typ.ElementType())})
	case typ.IsTupleType():
		etys := typ.TupleElementTypes()
		parts := make([]*node, len(etys))
		for i, e := range etys {
			parts[i] = t.of(e)
		}
		return t.node(tuple, typ, nil, parts)
	case typ.IsObjectType():
		attributes := typ.AttributeTypes()
		names := slices.Sorted(maps.Keys(attributes))
		parts := make([]*node, len(names))
		for i, name := range names {
			parts[i] = t.of(attributes[name])
		}
		return t.node(object, typ, names, parts)
	}
	for _, n := range t.leaves {
		if n.typ.Equals(typ) {
			return n
		}
	}
	n := &node{id: len(t.nodes) + len(t.leaves), kind: leaf, typ: typ}
	t.leaves = append(t.leaves, n)
	return n
}

// node returns the only node that has these parts. If typ is NilType it is made of them.
func (t *table) node(k kind, typ cty.Type, names []string, parts []*node) *node {
	var key strings.Builder
	key.WriteByte('a' + byte(k))
	for i, p := range parts {
		if names != nil {
			key.WriteString(strconv.Quote(names[i]))
		}
		key.WriteString(strconv.Itoa(p.id))
		key.WriteByte(',')
	}
	if n := t.nodes[key.String()]; n != nil {
		return n
	}
	if typ == cty.NilType {
		typ = made(k, names, parts)
	}
	n := &node{id: len(t.nodes) + len(t.leaves), kind: k, typ: typ, names: names, parts: parts}
	t.nodes[key.String()] = n
	return n
}

func made(k kind, names []string, parts []*node) cty.Type {
	switch k {
	case list:
		return cty.List(parts[0].typ)
	case set:
		return cty.Set(parts[0].typ)
	case mapping:
		return cty.Map(parts[0].typ)
	case tuple:
		types := make([]cty.Type, len(parts))
		for i, p := range parts {
			types[i] = p.typ
		}
		return cty.Tuple(types)
	case object:
		types := make(map[string]cty.Type, len(parts))
		for i, p := range parts {
			types[names[i]] = p.typ
		}
		return cty.Object(types)
	}
	return cty.DynamicPseudoType
}
