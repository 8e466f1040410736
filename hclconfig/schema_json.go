// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/zclconf/go-cty/cty"
)

// maxSchemaDepth is how deep the JSON text of a schema may nest. Real ones stay
// below a hundred levels.
const maxSchemaDepth = 1000

// DecodeSchema reads a schema in the form of "tofu providers schema -json": the
// object that is called "block" there. What a Schema has no field for is passed
// over, and so is the type of an attribute that has none or one that this
// package does not know: it becomes cty.DynamicPseudoType. Nothing of block is
// kept.
//
// It is the bridge from package planjson, whose blocks marshal to this form. The
// error is an [*Error] without a place.
func DecodeSchema(block []byte) (*Schema, error) {
	if _, f := jsonscan.Value(block, jsonscan.Space(block, 0), maxSchemaDepth); f != jsonscan.OK {
		return nil, &Error{Err: fmt.Errorf("%w: schema: %w", ErrSyntax, f)}
	}
	var b schemaJSON
	if err := json.Unmarshal(block, &b); err != nil {
		return nil, &Error{Err: fmt.Errorf("%w: schema: %w", ErrKind, err)}
	}
	s := b.schema()
	return &s, nil
}

// A schemaJSON is the "block" object of a schema.
type schemaJSON struct {
	Attributes map[string]attributeJSON `json:"attributes"`
	Blocks     map[string]struct {
		Nesting Nesting    `json:"nesting_mode"`
		Block   schemaJSON `json:"block"`
	} `json:"block_types"`
}

// An attributeJSON is an attribute of a schema.
type attributeJSON struct {
	Type   json.RawMessage `json:"type"`
	Nested *struct {
		Attributes map[string]attributeJSON `json:"attributes"`
		Nesting    Nesting                  `json:"nesting_mode"`
	} `json:"nested_type"`
	Required bool `json:"required"`
}

func (b schemaJSON) schema() Schema {
	s := Schema{Attributes: make(map[string]Attribute, len(b.Attributes)), Blocks: make(map[string]NestedBlock, len(b.Blocks))}
	for name, a := range b.Attributes {
		s.Attributes[name] = Attribute{Type: a.typ(), Nested: a.Nested != nil, Required: a.Required}
	}
	for name, n := range b.Blocks {
		s.Blocks[name] = NestedBlock{Nesting: n.Nesting, Schema: n.Block.schema()}
	}
	return s
}

// typ returns the type that values of the attribute have.
func (a attributeJSON) typ() cty.Type {
	if a.Nested == nil {
		t, err := typeOf(a.Type)
		if err != nil {
			return cty.DynamicPseudoType
		}
		return t.WithoutOptionalAttributesDeep()
	}
	types := make(map[string]cty.Type, len(a.Nested.Attributes))
	for name, n := range a.Nested.Attributes {
		types[name] = n.typ()
	}
	t := cty.Object(types)
	switch mode := a.Nested.Nesting; {
	case mode == NestingSingle || mode == NestingGroup:
		return t
	case mode == NestingSet:
		return cty.Set(t)
	case t.HasDynamicTypes():
		return cty.DynamicPseudoType // a list or map would need one type for all
	case mode == NestingList:
		return cty.List(t)
	case mode == NestingMap:
		return cty.Map(t)
	}
	return cty.DynamicPseudoType
}

// typeOf reads a type in its JSON form.
func typeOf(text []byte) (t cty.Type, err error) {
	if len(text) == 0 {
		return cty.NilType, errors.New("no type")
	}
	err = json.Unmarshal(text, &t)
	return t, err
}
