// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package provschema reads the schemas of providers, as "providers schema -json" prints
// them, and computes the types and the shapes of what they describe.
package provschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/zclconf/go-cty/cty"
)

// Schemas has the schemas of providers.
type Schemas struct {
	byAddress map[string]*Provider
}

// Providers returns the providers by their addresses. Some may be nil.
func (s *Schemas) Providers() map[string]*Provider {
	if s == nil {
		return nil
	}
	return s.byAddress
}

// A Provider has the schemas of one provider.
type Provider struct {
	Provider  Document            `json:"provider"`
	Resources map[string]Document `json:"resource_schemas"`
	Data      map[string]Document `json:"data_source_schemas"`
	Ephemeral map[string]Document `json:"ephemeral_resource_schemas"`
	Lists     map[string]Document `json:"list_resource_schemas"`
	Actions   map[string]Document `json:"action_schemas"`

	Functions  map[string]*Function `json:"functions"`
	Identities map[string]*Identity `json:"resource_identity_schemas"`
}

// A Function is the signature of a function.
type Function struct {
	Written     json.RawMessage `json:"return_type"`
	Parameters  []*Parameter    `json:"parameters"`
	Variadic    *Parameter      `json:"variadic_parameter"`
	Description string          `json:"description"`
}

// A Parameter is one of a function.
type Parameter struct {
	Name     string          `json:"name"`
	Written  json.RawMessage `json:"type"`
	Nullable bool            `json:"is_nullable"`
}

// Type returns the type of arguments.
func (p *Parameter) Type() cty.Type { return typeOf(p.Written, 0) }

// Result returns the type of results.
func (f *Function) Result() cty.Type { return typeOf(f.Written, 0).WithoutOptionalAttributesDeep() }

// HasSDK reports whether a resource of the provider is one of SDK 2.
func (p *Provider) HasSDK() bool {
	for _, list := range []map[string]Document{p.Resources, p.Data} {
		for _, d := range list {
			if d.Block != nil && d.Block.HasSDK() {
				return true
			}
		}
	}
	return false
}

// HasKit reports whether the plugin framework or SDK 2 can have made the schemas of a provider. Neither
// has blocks that nest as a group or a map, and the framework states no numbers of blocks. One schema that
// neither can have made tells that the provider answers by itself.
//
// As plugin framework 1.19.0 and SDK 2.40.1 write schemas: internal/toproto6/block.go and
// helper/schema/core_schema.go.
func (p *Provider) HasKit() bool {
	if b := p.Provider.Block; b != nil && !b.fitsKit(p.HasSDK()) {
		return false
	}
	for _, list := range []map[string]Document{p.Resources, p.Data, p.Ephemeral, p.Lists, p.Actions} {
		for _, d := range list {
			if d.Block != nil && !d.Block.fitsKit(d.Block.HasSDK()) {
				return false
			}
		}
	}
	return true
}

// fitsKit reports whether the framework, or SDK 2 if sdk is set, can have made the schema of a block.
func (s *Block) fitsKit(sdk bool) bool {
	for _, a := range s.Attributes {
		if a != nil && (a.Required && (a.Optional || a.Computed) || a.Nested != nil && a.Nested.Nesting == Group) {
			return false
		}
	}
	for _, n := range s.Blocks {
		if n.Nesting == Group || n.Nesting == Map || !sdk && (n.Min > 0 || n.Max > 0) || n.Block != nil && !n.Block.fitsKit(sdk) {
			return false
		}
	}
	return true
}

// An Identity describes what identifies a resource apart from its state.
type Identity struct {
	Attributes map[string]struct {
		Written  json.RawMessage `json:"type"`
		Optional bool            `json:"optional_for_import"`
	} `json:"attributes"`
}

// Type returns the type of identities in imports.
func (i *Identity) Type() cty.Type {
	types := make(map[string]cty.Type, len(i.Attributes))
	var optional []string
	for name, a := range i.Attributes {
		types[name] = typeOf(a.Written, 0)
		if a.Optional {
			optional = append(optional, name)
		}
	}
	return cty.ObjectWithOptionalAttrs(types, optional)
}

// HasSDK reports whether the schema of a resource or data source is one of SDK 2, the older kit
// for providers, which gives each of them such an id and has no nested types. The schema of a
// provider's own block does not tell.
func (s *Block) HasSDK() bool {
	id := s.Attributes["id"]
	if id == nil || !id.Optional || !id.Computed || id.Type != cty.String {
		return false
	}
	for _, a := range s.Attributes {
		if a != nil && a.Nested != nil {
			return false
		}
	}
	return true
}

// A Document holds the schema of a block.
type Document struct {
	Block *Block `json:"block"`
}

// OfMode returns the schemas of the resources with a mode.
func (p *Provider) OfMode(mode addrs.Mode) map[string]Document {
	switch mode {
	case addrs.Data:
		return p.Data
	case addrs.Ephemeral:
		return p.Ephemeral
	}
	return p.Resources
}

// OfType returns the schemas of a type of block in a configuration, such as "resource".
func (p *Provider) OfType(block string) map[string]Document {
	switch block {
	case "resource":
		return p.Resources
	case "data":
		return p.Data
	case "ephemeral":
		return p.Ephemeral
	case "list":
		return p.Lists
	case "action":
		return p.Actions
	}
	return nil
}

// A Block is the schema of a block by its provider.
type Block struct {
	Attributes map[string]*Attribute `json:"attributes"`
	Blocks     map[string]*Nested    `json:"block_types"`
	Deprecated bool                  `json:"deprecated"`
	Message    string                `json:"deprecation_message"`
	// Description is for people, in plain text or Markdown.
	Description string `json:"description"`

	// Implied is the type of values of the block.
	Implied cty.Type `json:"-"`
	// Marked reports that an attribute in it is sensitive or deprecated.
	Marked bool `json:"-"`
	// Written has the attributes that may be written as blocks, as such blocks.
	Written map[string]*Nested `json:"-"`
}

// A Nested is the schema of one type of nested block.
type Nested struct {
	Nesting string `json:"nesting_mode"`
	Block   *Block `json:"block"`
	Min     int    `json:"min_items"`
	Max     int    `json:"max_items"`

	// IsAttribute reports that the blocks are an attribute.
	IsAttribute bool `json:"-"`
}

// Single reports whether there is one such block at most. The programs see the
// first.
func (n *Nested) Single() bool { return n.Nesting == Single || n.Nesting == Group }

// Parts is the schema of the parts of an attribute.
type Parts struct {
	Attributes map[string]*Attribute `json:"attributes"`
	Nesting    string                `json:"nesting_mode"`
}

// An Attribute is the schema of an attribute.
type Attribute struct {
	Written    json.RawMessage `json:"type"`
	Nested     *Parts          `json:"nested_type"`
	Required   bool            `json:"required"`
	Optional   bool            `json:"optional"`
	Computed   bool            `json:"computed"`
	Sensitive  bool            `json:"sensitive"`
	Deprecated bool            `json:"deprecated"`
	Message    string          `json:"deprecation_message"`
	WriteOnly  bool            `json:"write_only"`
	// Description is for people, in plain text or Markdown.
	Description string `json:"description"`

	// Type is the type that a value in the configuration is converted to. Object types name the
	// attributes that may be missing.
	Type cty.Type `json:"-"`
}

// InWriteOnly reports whether the attribute, or one around the part of its value at a path, is
// write-only. In a set nothing is: its elements have no places.
func (a *Attribute) InWriteOnly(path cty.Path) bool {
	for a != nil && !a.WriteOnly {
		_, a, path = a.inside(path)
	}
	return a != nil
}

// DeepestName returns the name of the innermost attribute of nested types that a path in the value
// leads to, or "" if it leads into none.
func (a *Attribute) DeepestName(path cty.Path) string {
	name := ""
	for {
		inner, next, rest := a.inside(path)
		if next == nil {
			return name
		}
		name, a, path = inner, next, rest
	}
}

// inside returns the attribute of the nested type that a path leads to first, and the rest of the path,
// or nil.
func (a *Attribute) inside(path cty.Path) (string, *Attribute, cty.Path) {
	if a.Nested == nil || a.Nested.Nesting == Set {
		return "", nil, nil
	}
	if a.Nested.Nesting != Single && a.Nested.Nesting != Group && len(path) > 0 {
		path = path[1:]
	}
	if len(path) == 0 {
		return "", nil, nil
	}
	name := ""
	switch step := path[0].(type) {
	case cty.GetAttrStep:
		name = step.Name
	case cty.IndexStep:
		if step.Key.Type() == cty.String {
			name = step.Key.AsString()
		}
	}
	return name, a.Nested.Attributes[name], path[1:]
}

// The ways in which blocks and attributes nest.
const (
	Single = "single"
	Group  = "group"
	List   = "list"
	Set    = "set"
	Map    = "map"
)

// maxDepth is how deep the JSON text of schemas may nest. Real ones stay below a hundred
// levels.
const maxDepth = 1000

// Errors of [Decode].
var (
	ErrSyntax  = errors.New("not JSON")
	ErrKind    = errors.New("not of that kind")
	ErrVersion = errors.New("unsupported format version")
)

// Decode reads the document that "providers schema -json" prints. A document without a
// format version is read as well. The error wraps one of the errors above.
func Decode(src []byte) (*Schemas, error) {
	if _, f := jsonscan.Value(src, jsonscan.Space(src, 0), maxDepth); f != jsonscan.OK {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, f)
	}
	var doc struct {
		FormatVersion *string              `json:"format_version"`
		Providers     map[string]*Provider `json:"provider_schemas"`
	}
	if err := json.Unmarshal(src, &doc); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKind, err)
	}
	if v := doc.FormatVersion; v != nil && !strings.HasPrefix(*v, "0.") && !strings.HasPrefix(*v, "1.") {
		return nil, fmt.Errorf("%w %q", ErrVersion, *v)
	}
	for _, p := range doc.Providers {
		if p == nil {
			continue
		}
		p.Provider.Block.finish()
		p.Provider.Block.setWritten()
		for _, list := range []map[string]Document{p.Resources, p.Data, p.Ephemeral, p.Lists, p.Actions} {
			for _, s := range list {
				s.Block.finish()
				s.Block.setWritten()
			}
		}
	}
	return &Schemas{doc.Providers}, nil
}

// Simple returns a schema of attributes: NAME, NAME:TYPE, or NAME! for one that is
// required, with the types number, bool, list and map, of strings; it is string if there
// is none.
func Simple(attributes ...string) *Block {
	s := &Block{Attributes: map[string]*Attribute{}}
	types := map[string]string{"": `"string"`, "number": `"number"`, "bool": `"bool"`, "list": `["list","string"]`, "map": `["map","string"]`}
	for _, text := range attributes {
		name, typ, _ := strings.Cut(text, ":")
		name, required := strings.CutSuffix(name, "!")
		s.Attributes[name] = &Attribute{Written: json.RawMessage(types[typ]), Required: required, Optional: !required}
	}
	s.finish()
	return s
}

// finish computes the types of a schema.
func (s *Block) finish() {
	if s == nil {
		return
	}
	types := make(map[string]cty.Type, len(s.Attributes)+len(s.Blocks))
	for name, a := range s.Attributes {
		if a == nil {
			delete(s.Attributes, name)
			continue
		}
		types[name] = a.readType()
	}
	for name, b := range s.Blocks {
		if b == nil || b.Block == nil {
			delete(s.Blocks, name)
			continue
		}
		b.Block.finish()
		s.Marked = s.Marked || b.Block.Marked
		types[name], _ = NestedType(b.Nesting, b.Block.Implied)
	}
	s.Implied = cty.Object(types).WithoutOptionalAttributesDeep()
	s.Marked = s.Marked || marked(s.Attributes)
}

// marked reports whether something in attributes is sensitive or deprecated.
func marked(attributes map[string]*Attribute) bool {
	for _, a := range attributes {
		if a != nil && (a.Sensitive || a.Deprecated || a.Nested != nil && marked(a.Nested.Attributes)) {
			return true
		}
	}
	return false
}

// setWritten lets the attributes of a whole schema that are lists or sets of objects be
// written as blocks, where it has only types that the oldest kit for providers can make.
func (s *Block) setWritten() {
	if s == nil || s.isModern() {
		return
	}
	var set func(s *Block)
	set = func(s *Block) {
		for name, a := range s.Attributes {
			if !(a.Type.IsListType() || a.Type.IsSetType()) || !a.Type.ElementType().IsObjectType() {
				continue
			}
			element := &Block{Attributes: map[string]*Attribute{}, Implied: a.Type.ElementType().WithoutOptionalAttributesDeep()}
			for name, t := range element.Implied.AttributeTypes() {
				element.Attributes[name] = &Attribute{Optional: true, Type: t}
			}
			element.setWritten()
			if s.Written == nil {
				s.Written = map[string]*Nested{}
			}
			s.Written[name] = &Nested{Nesting: List, Block: element, IsAttribute: true}
		}
		for _, n := range s.Blocks {
			set(n.Block)
		}
	}
	set(s)
}

func (s *Block) isModern() bool {
	for _, a := range s.Attributes {
		t := a.Type
		switch {
		case a.Nested != nil, t.IsTupleType(), t.IsObjectType(), t.IsMapType() && t.ElementType().IsObjectType():
			return true
		case t.IsCollectionType() && t.ElementType().IsCollectionType() && !t.ElementType().ElementType().IsPrimitiveType():
			return true
		}
	}
	for _, n := range s.Blocks {
		if n.Block.isModern() {
			return true
		}
	}
	return false
}

// readType sets the types of an attribute and of those nested in it. In a type that the
// provider writes down, a third element of an object type has the attributes that may be
// missing; in a nested type it is all that are not required.
func (a *Attribute) readType() cty.Type {
	if a.Nested == nil {
		a.Type = typeOf(a.Written, 0)
		return a.Type
	}
	types := make(map[string]cty.Type, len(a.Nested.Attributes))
	var optional []string
	for name, n := range a.Nested.Attributes {
		if n == nil {
			continue
		}
		types[name] = n.readType()
		if !n.Required {
			optional = append(optional, name)
		}
	}
	a.Type, _ = NestedType(a.Nested.Nesting, cty.ObjectWithOptionalAttrs(types, optional))
	return a.Type
}

// typeOf reads a type in cty's notation. It is cty.DynamicPseudoType for text that is none.
// The reader of cty panics where an object type names an optional attribute that it does not
// have.
func typeOf(text json.RawMessage, depth int) cty.Type {
	var parts []json.RawMessage
	var kind string
	var inner map[string]json.RawMessage
	var t cty.Type
	switch {
	case depth > MaxDepth || len(text) == 0:
		return cty.DynamicPseudoType
	case json.Unmarshal(text, &parts) == nil && len(parts) > 1 && json.Unmarshal(parts[0], &kind) == nil:
	case len(parts) == 0 && json.Unmarshal(text, &t) == nil:
		return t
	default:
		return cty.DynamicPseudoType
	}
	switch kind {
	case "list":
		return cty.List(typeOf(parts[1], depth+1))
	case "set":
		return cty.Set(typeOf(parts[1], depth+1))
	case "map":
		return cty.Map(typeOf(parts[1], depth+1))
	case "tuple":
		var elements []json.RawMessage
		_ = json.Unmarshal(parts[1], &elements)
		types := make([]cty.Type, len(elements))
		for i, e := range elements {
			types[i] = typeOf(e, depth+1)
		}
		return cty.Tuple(types)
	case "object":
		if json.Unmarshal(parts[1], &inner) != nil {
			return cty.DynamicPseudoType
		}
		types := make(map[string]cty.Type, len(inner))
		for name, e := range inner {
			types[name] = typeOf(e, depth+1)
		}
		var optional []string
		if len(parts) > 2 {
			_ = json.Unmarshal(parts[2], &optional)
			optional = slices.DeleteFunc(optional, func(name string) bool { return types[name] == cty.NilType })
		}
		return cty.ObjectWithOptionalAttrs(types, optional)
	}
	return cty.DynamicPseudoType
}

// NestedType returns the type of objects of type t that nest in a mode, as "nesting_mode"
// spells them. It reports false for others.
func NestedType(mode string, t cty.Type) (cty.Type, bool) {
	switch mode {
	case Single, Group:
		return t, true
	case Set:
		return cty.Set(t), true
	case List, Map:
		if t.HasDynamicTypes() {
			return cty.DynamicPseudoType, true // a list or map would need one type for all
		}
		if mode == Map {
			return cty.Map(t), true
		}
		return cty.List(t), true
	}
	return cty.DynamicPseudoType, false
}
