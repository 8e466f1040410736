// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// A shape is what a schema says of a value. A nil shape says nothing.
type shape struct {
	sensitive bool // or write-only
	object    bool // the members are attributes: their names are no secrets
	below     bool // something in it is sensitive
	members   map[string]*shape
	each      *shape // of the elements of a list or a set, or the values of a map
}

func (s *shape) member(name []byte) *shape {
	switch {
	case s == nil:
		return nil
	case s.object:
		return s.members[string(name)]
	}
	return s.each
}

func (s *shape) element() *shape {
	if s == nil {
		return nil
	}
	return s.each
}

func (s *shape) isSensitive() bool { return s != nil && s.sensitive }
func (s *shape) isObject() bool    { return s != nil && s.object }

// hides reports whether something in the value is sensitive.
func (s *shape) hides() bool { return s != nil && (s.sensitive || s.below) }

// Schemas has the shapes of types, each made when it is first asked for.
type schemas struct {
	doc   *planjson.Schemas
	known map[schemaKey]*shape
}

type schemaKey struct {
	provider, typ string
	mode          addrs.Mode
}

// builtinShape is that of terraform_data, which is a part of the tools: none of
// its arguments is sensitive.
var builtinShape = &shape{object: true}

const (
	modeProvider = "(provider)"
	modeAction   = "(action)"
)

// shape returns the shape of a type, or nil.
func (s *schemas) shape(provider string, mode addrs.Mode, typ string) *shape {
	if typ == "terraform_data" && mode == addrs.Managed && provider == "terraform.io/builtin/terraform" {
		return builtinShape
	}
	if s.doc == nil {
		return nil
	}
	ps := s.doc.ProviderSchemas[provider]
	if ps == nil {
		return nil
	}
	key := schemaKey{provider, typ, mode}
	if x, ok := s.known[key]; ok {
		return x
	}
	var block *planjson.Block
	of := func(list map[string]*planjson.Schema) {
		if x := list[typ]; x != nil {
			block = x.Block
		}
	}
	switch mode {
	case addrs.Managed:
		of(ps.ResourceSchemas)
	case addrs.Data:
		of(ps.DataSourceSchemas)
	case addrs.Ephemeral:
		of(ps.EphemeralResourceSchemas)
	case modeProvider:
		block = ps.Provider.Block
	case modeAction:
		if x := ps.ActionSchemas[typ]; x != nil {
			block = x.Block
		}
	default:
		of(ps.ListResourceSchemas)
	}
	x := blockShape(block, 0)
	if s.known == nil {
		s.known = make(map[schemaKey]*shape)
	}
	s.known[key] = x
	return x
}

// maxNesting bounds the depth of blocks in schemas and configurations.
const maxNesting = 500

func blockShape(b *planjson.Block, depth int) *shape {
	if b == nil || depth > maxNesting {
		return nil
	}
	s := attributesShape(b.Attributes, depth)
	for name, bt := range b.BlockTypes {
		if bt == nil {
			continue
		}
		inner := blockShape(bt.Block, depth+1)
		s.set(name, nested(inner, bt.NestingMode))
	}
	return s
}

func attributesShape(attributes map[string]*planjson.Attribute, depth int) *shape {
	s := &shape{object: true, members: make(map[string]*shape)}
	for name, a := range attributes {
		if a == nil {
			continue
		}
		var inner *shape
		if n := a.NestedType; n != nil && depth < maxNesting {
			inner = nested(attributesShape(n.Attributes, depth+1), n.NestingMode)
		} else {
			inner = typeShape(a.Type, depth)
		}
		if a.Sensitive || a.WriteOnly {
			if inner == nil {
				inner = new(shape)
			}
			inner.sensitive = true
		}
		s.set(name, inner)
	}
	return s
}

func (s *shape) set(name string, inner *shape) {
	if inner != nil {
		s.members[name] = inner
		s.below = s.below || inner.hides()
	}
}

func nested(s *shape, mode planjson.NestingMode) *shape {
	switch mode {
	case "list", "set", "map":
		return &shape{each: s, below: s.hides()}
	}
	return s
}

// typeShape returns the shape of a type in JSON, if objects are in it.
func typeShape(t planjson.Value, depth int) *shape {
	if t.Kind() != planjson.KindArray || depth > maxNesting {
		return nil
	}
	inner := t.Element(1)
	switch word, _ := t.Element(0).Text(); word {
	case "object":
		s := &shape{object: true, members: make(map[string]*shape)}
		for name, v := range inner.Members() {
			s.set(name, typeShape(v, depth+1))
		}
		return s
	case "list", "set", "map":
		if each := typeShape(inner, depth+1); each != nil {
			return &shape{each: each}
		}
	}
	return nil
}
