// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// Schemas is the document that "providers schema -json" prints: everything
// that the providers of a configuration offer.
//
// Source: OpenTofu internal/command/jsonprovider.
//
//wire:kind
type Schemas struct {
	// FormatVersion is the version of the format, "1.0" today. Always present.
	FormatVersion string `json:"format_version"`

	// ProviderSchemas holds the providers by source address, such as
	// registry.opentofu.org/hashicorp/null. Absent if there is none.
	ProviderSchemas map[string]*ProviderSchema `json:"provider_schemas,omitempty"`

	src wire.Source
}

func (v *Schemas) kind() (k DocumentKind, sure bool) {
	return DocumentSchemas, v.ProviderSchemas != nil
}

// A ProviderSchema holds the schemas of one provider. All but Provider are left
// out when empty.
//
//wire:terraform provider@1.6
type ProviderSchema struct {
	// Provider is the schema of the provider block. Always present.
	Provider Schema `json:"provider"`

	// ResourceSchemas holds the managed resource types by name.
	ResourceSchemas map[string]*Schema `json:"resource_schemas,omitempty"`

	// DataSourceSchemas holds the data sources by type name.
	DataSourceSchemas map[string]*Schema `json:"data_source_schemas,omitempty"`

	// EphemeralResourceSchemas holds the ephemeral resource types by name.
	// Terraform 1.10, OpenTofu 1.11.
	EphemeralResourceSchemas map[string]*Schema `json:"ephemeral_resource_schemas,omitempty"`

	// ListResourceSchemas holds the list resource types by name. Terraform 1.13.
	ListResourceSchemas map[string]*Schema `json:"list_resource_schemas,omitempty"`

	// Functions holds the provider's functions by name. Terraform 1.8,
	// OpenTofu 1.8.
	Functions map[string]*ProviderFunction `json:"functions,omitempty"`

	// ResourceIdentitySchemas holds the identities of managed resource types.
	// Terraform 1.12, OpenTofu 1.12.
	ResourceIdentitySchemas map[string]*IdentitySchema `json:"resource_identity_schemas,omitempty"`

	// ActionSchemas holds the action types by name. Terraform 1.14.
	ActionSchemas map[string]*ActionSchema `json:"action_schemas,omitempty"`

	// StateStoreSchemas holds the state stores by type name. Terraform 1.15.
	StateStoreSchemas map[string]*Schema `json:"state_store_schemas,omitempty"`

	src wire.Source
}

// A Schema is the schema of one kind of block with its version.
type Schema struct {
	// Version counts the changes that need an upgrade of stored objects.
	// Always present.
	Version uint64 `json:"version"`

	// Block is the content. Absent (nil) if there is none.
	Block *Block `json:"block,omitempty"`

	src wire.Source
}

// An ActionSchema is the schema of an action. It has no version. Terraform 1.14.
type ActionSchema struct {
	// Block is the content.
	Block *Block `json:"block,omitempty"`

	src wire.Source
}

// A Block is the schema of a block: its attributes and nested blocks.
type Block struct {
	// Attributes holds the attributes by name. Absent if there is none.
	Attributes map[string]*Attribute `json:"attributes,omitempty"`

	// BlockTypes holds the nested blocks by name. Absent if there is none.
	BlockTypes map[string]*BlockType `json:"block_types,omitempty"`

	// Description is the description. Absent if empty.
	Description string `json:"description,omitempty"`

	// DescriptionKind is the markup of Description. Always present.
	DescriptionKind DescriptionKind `json:"description_kind"`

	// Deprecated reports whether the block is deprecated. Absent if false.
	Deprecated bool `json:"deprecated,omitempty"`

	// DeprecationMessage says what to use instead. Absent if empty.
	// Terraform 1.15, OpenTofu 1.12.
	DeprecationMessage string `json:"deprecation_message,omitempty"`

	src wire.Source
}

// A BlockType is a nested block: its content, and how often it can occur.
type BlockType struct {
	// NestingMode says how the blocks of this type form a value. Always present.
	NestingMode NestingMode `json:"nesting_mode,omitempty"`

	// Block is the content. Always present.
	Block *Block `json:"block,omitempty"`

	// MinItems and MaxItems bound the number of blocks. Absent if 0, which
	// means that there is no bound.
	MinItems uint64 `json:"min_items,omitempty"`
	MaxItems uint64 `json:"max_items,omitempty"`

	src wire.Source
}

// A NestingMode says how nested blocks or attributes form a value. It is an
// open enumeration.
// Its values include [NestingSingle], [NestingGroup] and [NestingList].
type NestingMode string

// The nesting modes.
const (
	NestingSingle NestingMode = "single" // one object, or null
	NestingGroup  NestingMode = "group"  // one object, never null
	NestingList   NestingMode = "list"
	NestingSet    NestingMode = "set"
	NestingMap    NestingMode = "map" // by the block's label
)

// A DescriptionKind is the markup of a description. It is an open enumeration.
// Its values include [DescriptionPlain] and [DescriptionMarkdown].
type DescriptionKind string

// The kinds.
const (
	DescriptionPlain    DescriptionKind = "plain"
	DescriptionMarkdown DescriptionKind = "markdown"
)

// An Attribute is an attribute of a block or of a nested attribute type. It has
// either a Type or a NestedType.
type Attribute struct {
	// Type is the type in cty's JSON notation. Absent with a NestedType.
	Type Value `json:"type,omitempty"`

	// NestedType is the type if its parts are described too. Absent with a Type.
	// Terraform 0.15.
	NestedType *NestedType `json:"nested_type,omitempty"`

	// Description is the description. Absent if empty.
	Description string `json:"description,omitempty"`

	// DescriptionKind is the markup of Description. Always present.
	DescriptionKind DescriptionKind `json:"description_kind"`

	// Deprecated reports whether the attribute is deprecated. Absent if false.
	Deprecated bool `json:"deprecated,omitempty"`

	// DeprecationMessage says what to use instead. Absent if empty.
	// Terraform 1.15, OpenTofu 1.12.
	DeprecationMessage string `json:"deprecation_message,omitempty"`

	// Required means that the configuration must set the attribute, Optional
	// that it may, Computed that the provider sets it. Each is absent if false.
	Required bool `json:"required,omitempty"`
	Optional bool `json:"optional,omitempty"`
	Computed bool `json:"computed,omitempty"`

	// Sensitive reports whether values are sensitive. Absent if false.
	Sensitive bool `json:"sensitive,omitempty"`

	// WriteOnly reports whether values go to the provider and are never stored.
	// Absent if false. Terraform 1.11, OpenTofu 1.11.
	WriteOnly bool `json:"write_only,omitempty"`

	src wire.Source
}

// A NestedType is the type of an attribute whose parts are also attributes.
type NestedType struct {
	// Attributes holds the parts by name.
	Attributes map[string]*Attribute `json:"attributes,omitempty"`

	// NestingMode says how the objects form a value. Always present.
	NestingMode NestingMode `json:"nesting_mode,omitempty"`

	// MinItems and MaxItems bound the number of objects. Only Terraform 0.15
	// to 1.0 wrote them.
	MinItems uint64 `json:"min_items,omitempty"`
	MaxItems uint64 `json:"max_items,omitempty"`

	src wire.Source
}

// An IdentitySchema describes the attributes that identify a resource of a
// type, apart from its state. Terraform 1.12, OpenTofu 1.12.
type IdentitySchema struct {
	// Version counts the changes that need an upgrade. Always present.
	Version uint64 `json:"version"`

	// Attributes holds the parts of the identity by name.
	Attributes map[string]*IdentityAttribute `json:"attributes,omitempty"`

	src wire.Source
}

// An IdentityAttribute is a part of an identity. All members are left out when
// empty.
type IdentityAttribute struct {
	// Type is the type in cty's JSON notation.
	Type Value `json:"type,omitempty"`

	// Description is the description.
	Description string `json:"description,omitempty"`

	// RequiredForImport and OptionalForImport say whether an import must or may set the
	// attribute.
	RequiredForImport bool `json:"required_for_import,omitempty"`
	OptionalForImport bool `json:"optional_for_import,omitempty"`

	src wire.Source
}

// ImpliedType returns the type of the values of such a block: an object of its
// attributes and its nested blocks. It is the type of a resource's values for
// [Change.AfterCty] and its like.
//
// Nested blocks and attributes become lists, sets and maps by their nesting
// mode. A list or map of objects that contain an attribute of any type is
// itself of any type, because its elements may have different types. The error is an
// [*Error] that names the attribute whose type is invalid.
func (b *Block) ImpliedType() (cty.Type, error) {
	t, err := b.impliedType("", 0)
	if err != nil {
		return cty.NilType, err
	}
	return t, nil
}

func (b *Block) impliedType(at string, depth int) (cty.Type, error) {
	if b == nil {
		return cty.EmptyObject, nil
	}
	if depth > maxTypeDepth {
		return cty.NilType, &Error{Pointer: at, Err: errTypeDepth}
	}
	types, err := attributeTypes(at, b.Attributes, depth)
	if err != nil {
		return cty.NilType, err
	}
	for name, nested := range b.BlockTypes {
		at := at + "/block_types/" + jsonscan.EscapePointer(name)
		if nested == nil {
			return cty.NilType, &Error{Pointer: at, Err: errors.New("there is no block type")}
		}
		t, err := nested.Block.impliedType(at+"/block", depth+1)
		if err != nil {
			return cty.NilType, err
		}
		if types[cty.NormalizeString(name)], err = nestedType(at, nested.NestingMode, t); err != nil {
			return cty.NilType, err
		}
	}
	return cty.Object(types), nil
}

var errTypeDepth = fmt.Errorf("%w: the type is nested too deeply", ErrLimit)

func attributeTypes(at string, attributes map[string]*Attribute, depth int) (map[string]cty.Type, error) {
	types := make(map[string]cty.Type, len(attributes))
	for name, a := range attributes {
		at := at + "/attributes/" + jsonscan.EscapePointer(name)
		t, err := a.impliedType(at, depth+1)
		if err != nil {
			return nil, err
		}
		types[cty.NormalizeString(name)] = t
	}
	return types, nil
}

func (a *Attribute) impliedType(at string, depth int) (cty.Type, error) {
	if a == nil {
		return cty.NilType, &Error{Pointer: at, Err: errors.New("there is no attribute")}
	}
	if depth > maxTypeDepth {
		return cty.NilType, &Error{Pointer: at, Err: errTypeDepth}
	}
	if n := a.NestedType; n != nil {
		types, err := attributeTypes(at+"/nested_type", n.Attributes, depth)
		if err != nil {
			return cty.NilType, err
		}
		return nestedType(at+"/nested_type", n.NestingMode, cty.Object(types))
	}
	t, err := ParseType(a.Type)
	if err != nil {
		cause := err
		if e := (*Error)(nil); errors.As(err, &e) {
			cause = e.Err
		}
		return cty.NilType, placed(&a.src, at+"/type", cause)
	}
	return t.WithoutOptionalAttributesDeep(), nil
}

// nestedType returns the type of objects of type t in a nesting mode.
func nestedType(at string, mode NestingMode, t cty.Type) (cty.Type, error) {
	if t, ok := provschema.NestedType(string(mode), t); ok {
		return t, nil
	}
	return cty.NilType, &Error{Pointer: at + "/nesting_mode", Err: fmt.Errorf("there is no nesting mode %q", string(mode))}
}
