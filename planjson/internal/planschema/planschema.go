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

	made map[*planjson.Block]*provschema.Shape
}

// Resource returns the shape of the values of a resource type, nil if the schemas do not
// have it. A mode without a name of its own is that of a list.
func (x *Shapes) Resource(provider string, mode addrs.Mode, typ string) *provschema.Shape {
	s := x.From.Resource(provider, mode, typ)
	switch mode {
	case addrs.Managed, addrs.Data, addrs.Ephemeral:
	default:
		if p := x.provider(provider); p != nil {
			s = p.ListResourceSchemas[typ]
		}
	}
	if s == nil {
		return nil
	}
	return x.block(s.Block)
}

// Action returns the shape of the configuration of a type of action, nil if the schemas do
// not have it.
func (x *Shapes) Action(provider, typ string) *provschema.Shape {
	p := x.provider(provider)
	if p == nil || p.ActionSchemas[typ] == nil {
		return nil
	}
	return x.block(p.ActionSchemas[typ].Block)
}

// Provider returns the shape of the configuration of a provider, nil if the schemas do not
// have it.
func (x *Shapes) Provider(provider string) *provschema.Shape {
	p := x.provider(provider)
	if p == nil {
		return nil
	}
	return x.block(p.Provider.Block)
}

func (x *Shapes) provider(source string) *planjson.ProviderSchema {
	if x.From == nil {
		return nil
	}
	return x.From.ProviderSchemas[source]
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
