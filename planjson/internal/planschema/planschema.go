// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planschema makes the shapes of values from the schemas that planjson decodes.
package planschema

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/tofuwire/tofuwire/planjson"
)

// Shapes finds shapes by type, and keeps those that it has made. The zero value knows
// nothing. It is for one goroutine.
type Shapes struct {
	From *planjson.Schemas

	made   map[*planjson.Block]*provschema.Shape
	blocks map[typeKey]*planjson.Block // of resource types, nil if there is no schema
}

// Resource returns the shape of the values of a resource type, nil if the schemas do not
// have it; see the function [Resource].
func (x *Shapes) Resource(provider string, mode addrs.Mode, typ string) *provschema.Shape {
	key := typeKey{provider, mode, typ}
	b, ok := x.blocks[key]
	if !ok {
		if s := Resource(x.From, provider, mode, typ); s != nil {
			b = s.Block
		}
		if x.blocks == nil {
			x.blocks = make(map[typeKey]*planjson.Block)
		}
		x.blocks[key] = b
	}
	if b == nil {
		return nil
	}
	return x.block(b)
}

// A typeKey names a resource type of a provider.
type typeKey struct {
	provider string
	mode     addrs.Mode
	typ      string
}

// Action returns the shape of the arguments of a type of action, or nil.
func (x *Shapes) Action(provider, typ string) *provschema.Shape {
	a := find(x.From, provider, byType, func(p *planjson.ProviderSchema) *planjson.ActionSchema { return p.ActionSchemas[typ] })
	if a == nil {
		return nil
	}
	return x.block(a.Block)
}

// Provider returns the shape of the settings of a provider, or nil.
func (x *Shapes) Provider(provider string) *provschema.Shape {
	p := find(x.From, provider, byName, func(p *planjson.ProviderSchema) *planjson.ProviderSchema { return p })
	if p == nil {
		return nil
	}
	return x.block(p.Provider.Block)
}

func (x *Shapes) block(b *planjson.Block) *provschema.Shape {
	s, ok := x.made[b]
	if !ok {
		s = block(b, 0)
		if x.made == nil {
			x.made = make(map[*planjson.Block]*provschema.Shape)
		}
		x.made[b] = s
	}
	return s
}

func block(b *planjson.Block, depth int) *provschema.Shape {
	if b == nil || depth > provschema.MaxDepth {
		return nil
	}
	s := attributes(provschema.Body, b.Attributes, len(b.BlockTypes), depth)
	for name, t := range b.BlockTypes {
		if t != nil {
			s.PutBlock(name, string(t.NestingMode), block(t.Block, depth+1))
		}
	}
	return s
}

// attributes returns an object of attributes, with room for other members.
func attributes(kind provschema.Kind, all map[string]*planjson.Attribute, others, depth int) *provschema.Shape {
	s := provschema.NewObject(kind, len(all)+others)
	for name, a := range all {
		if a == nil {
			continue
		}
		var part *provschema.Shape
		if n := a.NestedType; n == nil {
			part = provschema.TypeShape(a.Type)
		} else if depth < provschema.MaxDepth {
			part = provschema.Nest(string(n.NestingMode), attributes(provschema.NestedObject, n.Attributes, 0, depth+1))
		}
		s.PutAttribute(name, part, a.Sensitive, a.WriteOnly)
	}
	return s
}
