// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// ImpliedType returns the type of the values of such a block: an object of its
// attributes and its nested blocks. It is the type of a resource's values for
// [Change.AfterCty] and its like.
//
// Nested blocks and attributes become lists, sets and maps by their nesting
// mode. A list or map of objects that contain an attribute of any type is
// itself of any type, because its elements need not be alike. The error is an
// [*Error] that names the attribute whose type is not a type.
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

var errTypeDepth = errors.New("the type is nested too deeply")

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

// ImpliedType returns the type of the values of the attribute.
func (a *Attribute) ImpliedType() (cty.Type, error) { return a.impliedType("", 0) }

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
	switch mode {
	case NestingSingle, NestingGroup:
		return t, nil
	case NestingList, NestingMap:
		if t.HasDynamicTypes() {
			return cty.DynamicPseudoType, nil
		}
		if mode == NestingMap {
			return cty.Map(t), nil
		}
		return cty.List(t), nil
	case NestingSet:
		return cty.Set(t), nil
	}
	return cty.NilType, &Error{Pointer: at + "/nesting_mode", Err: fmt.Errorf("there is no nesting mode %q", string(mode))}
}

// IsReadOnly reports whether only the provider sets the attribute.
func (a *Attribute) IsReadOnly() bool { return a.Computed && !a.Optional && !a.Required }
