// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/schematype"
)

// A Schema describes the part of a body that a provider, a provisioner or a
// backend defines. [DecodeSchema] makes one from the output of "tofu providers
// schema -json".
type Schema struct {
	// Attributes has the type of each attribute.
	Attributes map[string]Attribute
	// Blocks has the nested block types.
	Blocks map[string]NestedBlock
}

// An Attribute is the schema of one attribute.
type Attribute struct {
	// Type is the type, as "type" has it. If Nested is set, it is the type that
	// "nested_type" makes.
	Type cty.Type
	// Nested reports that the type is a nested one of the plugin framework.
	// Such an attribute can never be written as blocks.
	Nested bool
	// Required reports that the attribute must be set.
	Required bool
}

// A Nesting says how the nested blocks of a type form a value.
type Nesting string

// The nesting modes, spelled as "nesting_mode" in the JSON form of schemas.
const (
	NestingSingle Nesting = "single" // one block at most: an object, or null
	NestingGroup  Nesting = "group"  // the same, but never null
	NestingList   Nesting = "list"   // any number, in order
	NestingSet    Nesting = "set"    // any number, without an order
	NestingMap    Nesting = "map"    // any number, each with its key as the only label
)

// A NestedBlock is the schema of one type of nested block.
type NestedBlock struct {
	Nesting Nesting // "nesting_mode"
	Schema  Schema  // the content: "block"
}

// BodySchema returns s in the form that [hclconfig.Body.Content] takes. The order of its
// lists is not defined.
func (s Schema) BodySchema() *hcl.BodySchema {
	out := new(hcl.BodySchema)
	for name, a := range s.Attributes {
		out.Attributes = append(out.Attributes, hcl.AttributeSchema{Name: name, Required: a.Required})
	}
	for name, b := range s.Blocks {
		h := hcl.BlockHeaderSchema{Type: name}
		if b.Nesting == NestingMap {
			h.LabelNames = []string{"key"}
		}
		out.Blocks = append(out.Blocks, h)
	}
	return out
}

// maxSchemaDepth is how deep the JSON text of a schema may nest. Real ones stay
// below a hundred levels.
const maxSchemaDepth = 1000

// DecodeSchema reads a schema in the form of "tofu providers schema -json": the
// object that is called "block" there. Members without a field in Schema are
// ignored. An attribute without a type, or with one that this package does not
// know, gets the type cty.DynamicPseudoType. DecodeSchema keeps no reference to
// block.
//
// The blocks of package planjson marshal to this form. The error is an
// [*hclconfig.Error] without a place.
func DecodeSchema(block []byte) (*Schema, error) {
	if _, f := jsonscan.Value(block, jsonscan.Space(block, 0), maxSchemaDepth); f != jsonscan.OK {
		return nil, &hclconfig.Error{Err: fmt.Errorf("%w: schema: %w", hclconfig.ErrSyntax, f)}
	}
	var b schemaJSON
	if err := json.Unmarshal(block, &b); err != nil {
		return nil, &hclconfig.Error{Err: fmt.Errorf("%w: schema: %w", hclconfig.ErrKind, err)}
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
	t, _ := schematype.Nested(string(a.Nested.Nesting), cty.Object(types))
	return t
}

// typeOf reads a type in its JSON form.
func typeOf(text []byte) (t cty.Type, err error) {
	if len(text) == 0 {
		return cty.NilType, errors.New("no type")
	}
	err = json.Unmarshal(text, &t)
	return t, err
}
