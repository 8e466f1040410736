// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/internal/planschema"
)

// A shape is the schema of a value. A nil shape means that nothing is known.
type shape = provschema.Shape

// showsNeighbours reports whether the unchanged elements of a list that are next
// to one that differs are shown even if they are containers: those of lists and
// tuples in types, not those of nested types or blocks.
func showsNeighbours(s *shape) bool {
	return s != nil && !s.Is(provschema.SetOf) && !s.IsBlock() && !isNestedList(s)
}

// isBlocks reports whether the value is a list, a set or a map of nested blocks, not a
// single one.
func isBlocks(s *shape) bool { return s.IsBlock() && !s.Is(provschema.Body) }

// isNestedList reports whether the elements are objects of a nested type: the
// unchanged ones are counted at the end.
func isNestedList(s *shape) bool { return s.Each().Is(provschema.NestedObject) }

// Nulls says whether a member that is removed is shown to become null, as the
// tools show it: as around, never, or always.
type nulls uint8

const (
	inheritNulls nulls = iota
	blockNulls         // as around, in a block
	noNulls
	showNulls
)

func nullsOf(s *shape) nulls {
	switch s.Kind() {
	case provschema.Any, provschema.Object:
		return noNulls
	case provschema.MapOf:
		if isNestedList(s) {
			return noNulls
		}
	case provschema.NestedObject:
		return showNulls
	case provschema.Body:
		return blockNulls
	}
	return inheritNulls
}

// unknownObject returns an object of a nested type whose parts are all unknown, as the
// tools show one that had the members of before, and no value for other types.
func unknownObject(s *shape, before planjson.Value) side {
	if !s.Is(provschema.NestedObject) || before.Kind() != planjson.KindObject {
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

// A shapes finds shapes by type. The zero value knows only those of the provider that is a
// part of the tools. It is for one goroutine.
type shapes struct{ planschema.Shapes }

// resource returns the shape of the values of a resource type, nil if the schemas do not
// have it.
func (x *shapes) resource(provider string, mode addrs.Mode, typ string) *shape {
	s := x.Resource(provider, mode, typ)
	if s == nil && provider == "terraform.io/builtin/terraform" {
		return builtin[typ]
	}
	return s
}

// builtin has the shapes of the values of the types of the provider that is a part of the
// tools.
//
// Source: OpenTofu internal/builtin/providers/tf.
var builtin = map[string]*shape{
	"terraform_data":         builtinShape([]string{"id"}, "input", "output", "triggers_replace"),
	"terraform_remote_state": builtinShape([]string{"backend", "workspace"}, "config", "defaults", "outputs"),
}

func builtinShape(texts []string, ofAnyType ...string) *shape {
	s := provschema.NewObject(provschema.Body, len(texts)+len(ofAnyType))
	for _, name := range texts {
		s.PutAttribute(name, nil, false, false)
	}
	for _, name := range ofAnyType {
		s.PutAttribute(name, jsonShape, false, false)
	}
	return s
}
