// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/internal/planschema"
)

// A typeKey names a resource type of a provider.
type typeKey struct {
	provider string
	mode     addrs.Mode
	typ      string
}

// A shownType is what is known of the attributes of a resource type. The zero
// shownType knows nothing.
type shownType struct {
	schema *planjson.Schema
	t      cty.Type // NilType without a schema
}

// typeOf returns what the schemas say of an object.
func (s *shower) typeOf(shown *planjson.Resource, o *InstanceObject) (*shownType, error) {
	key := typeKey{shown.ProviderName, shown.Mode, shown.Type}
	t := s.types[key]
	if t == nil {
		t = new(shownType)
		s.types[key] = t
		if t.schema = planschema.Resource(s.schemas, key.provider, key.mode, key.typ); t.schema != nil {
			var err error
			if t.t, err = t.schema.Block.ImpliedType(); err != nil {
				return nil, causeOf(err)
			}
		} else if key.provider == "terraform.io/builtin/terraform" {
			t.t = builtinTypes()[key.typ]
		}
	}
	if t.schema == nil || o.Deposed != "" {
		return t, nil
	}
	var version uint64 // of data sources it is 0, whatever their schemas say: that of the tools
	if key.mode == addrs.Managed {
		version = t.schema.Version
	}
	if o.SchemaVersion != version {
		return nil, fmt.Errorf("schema version %d of the instance does not match version %d of the provider", o.SchemaVersion, version)
	}
	return t, nil
}

// builtinTypes returns the types of the resources that both tools have built in.
var builtinTypes = sync.OnceValue(func() map[string]cty.Type {
	return map[string]cty.Type{
		"terraform_data": cty.Object(map[string]cty.Type{
			"id": cty.String, "input": cty.DynamicPseudoType, "output": cty.DynamicPseudoType, "triggers_replace": cty.DynamicPseudoType,
		}),
		"terraform_remote_state": cty.Object(map[string]cty.Type{
			"backend": cty.String, "config": cty.DynamicPseudoType, "defaults": cty.DynamicPseudoType, "outputs": cty.DynamicPseudoType, "workspace": cty.String,
		}),
	}
})

// valueRoom is how many bytes the values of several objects share.
const valueRoom = 32 << 10

// compact returns the canonical form of a value, if it differs from that in its spelling only.
func (s *shower) compact(v planjson.Value) (planjson.Value, bool) {
	if cap(s.room)-len(s.room) < len(v) {
		s.room = make([]byte, 0, max(len(v), valueRoom))
	}
	n := len(s.room)
	text, ok := jsonscan.Compact(s.room[n:], v)
	if !ok || bytes.Equal(text, v) {
		return v, ok
	}
	if n+len(text) <= cap(s.room) { // else it was too long, and has room of its own
		s.room = s.room[:n+len(text)]
	}
	return text[:len(text):len(text)], true // not a part of v: the text of a file in lines is much longer
}

// value returns attributes as they are shown: in their type, which is returned if it is
// known.
func (s *shower) value(t *shownType, v planjson.Value) (planjson.Value, cty.Type, error) {
	if t.t == cty.NilType {
		if text, ok := s.compact(v); ok {
			return text, cty.NilType, nil
		}
		v, err := v.Canonical()
		return v, cty.NilType, err
	}
	v, concrete, err := settled(v, t.t)
	if err != nil {
		return nil, cty.NilType, err
	}
	if t.schema == nil {
		v, err = v.Canonical() // a later release may have more attributes
		return v, concrete, err
	}
	typed, err := v.Cty(concrete)
	if err != nil {
		return nil, cty.NilType, err
	}
	v, err = planjson.ValueOf(typed)
	return v, concrete, err
}

// flatValue returns attributes from before Terraform 0.12 as they are shown: in their
// type, or as texts if there is no schema.
func (t *shownType) flatValue(attributes map[string]string) (planjson.Value, error) {
	if t.schema == nil {
		return planjson.ValueOf(attributes)
	}
	typed, err := unflatten(attributes, t.t)
	if err != nil {
		return nil, err
	}
	return planjson.ValueOf(typed)
}

// errWrapped is the error for a value of an open type that is not written as
// the tools write it.
var errWrapped = errors.New("a value whose type the schema leaves open is an object with value and type")

// errOpenType is the error for a type that is none. It does not repeat it, since it stands in a
// value, which can be sensitive.
var errOpenType = errors.New("a value whose type the schema leaves open states a type that does not exist")

// maxDepth is how deep types with open parts may nest.
const maxDepth = 200

// settled returns a value as states have it, where each part of an open type is
// an object with value and type, without these objects, and its type.
func settled(v planjson.Value, t cty.Type) (planjson.Value, cty.Type, error) {
	if !t.HasDynamicTypes() {
		return v, t, nil
	}
	if err := v.Check(); err != nil {
		return nil, t, err
	}
	text, t, err := settle(nil, v, t, 0)
	return text, t, err
}

// settle is settled for a valid value. It appends the value to dst.
func settle(dst []byte, v planjson.Value, t cty.Type, depth int) ([]byte, cty.Type, error) {
	kind := v.Kind()
	switch {
	case !t.HasDynamicTypes() || kind == planjson.KindNull:
		return append(dst, v...), t, nil
	case depth > maxDepth:
		return nil, t, fmt.Errorf("%w: nested too deeply", ErrLimit)
	case t == cty.DynamicPseudoType:
		value, typ := v.Member("value"), v.Member("type")
		if value == nil || typ == nil {
			return nil, t, errWrapped
		}
		t, err := planjson.ParseType(typ)
		switch {
		case errors.Is(err, ErrLimit):
			return nil, t, err
		case err != nil:
			return nil, t, errOpenType
		}
		if t == cty.DynamicPseudoType && !value.IsNull() {
			return nil, t, errWrapped
		}
		return settle(dst, value, t, depth+1)
	case kind == planjson.KindObject && t.IsObjectType():
		return settleObject(dst, v, t, depth)
	case kind == planjson.KindObject && t.IsMapType(), kind == planjson.KindArray && (t.IsListType() || t.IsSetType()):
		return settleCollection(dst, v, t, depth)
	case kind == planjson.KindArray && t.IsTupleType():
		return settleTuple(dst, v, t, depth)
	}
	return append(dst, v...), t, nil // not of its type, which is found later
}

func settleObject(dst []byte, v planjson.Value, t cty.Type, depth int) (_ []byte, _ cty.Type, err error) {
	types := make(map[string]cty.Type)
	for name, of := range t.AttributeTypes() {
		types[name] = of
	}
	dst = append(dst, '{')
	comma := false
	for name, value := range v.Members() {
		if comma {
			dst = append(dst, ',')
		}
		comma = true
		dst = append(jsonscan.AppendQuote(dst, name, false), ':')
		key := cty.NormalizeString(name)
		if !t.HasAttribute(key) {
			dst = append(dst, value...)
			continue
		}
		if dst, types[key], err = settle(dst, value, t.AttributeType(key), depth+1); err != nil {
			return nil, t, err
		}
	}
	return append(dst, '}'), cty.Object(types), nil
}

// errMixed is the error for a list, set or map with elements of several types.
var errMixed = errors.New("the elements are of different types")

func settleCollection(dst []byte, v planjson.Value, t cty.Type, depth int) (_ []byte, _ cty.Type, err error) {
	of := t.ElementType()
	found := cty.NilType
	element := func(value planjson.Value) error {
		var its cty.Type
		if dst, its, err = settle(dst, value, of, depth+1); err != nil {
			return err
		}
		if found != cty.NilType && !its.Equals(found) {
			return errMixed
		}
		found = its
		return nil
	}
	closing := byte(']')
	if t.IsMapType() {
		closing = '}'
		dst = append(dst, '{')
		comma := false
		for name, value := range v.Members() {
			if comma {
				dst = append(dst, ',')
			}
			comma = true
			dst = append(jsonscan.AppendQuote(dst, name, false), ':')
			if err := element(value); err != nil {
				return nil, t, err
			}
		}
	} else {
		dst = append(dst, '[')
		for i, value := range v.Elements() {
			if i > 0 {
				dst = append(dst, ',')
			}
			if err := element(value); err != nil {
				return nil, t, err
			}
		}
	}
	if found == cty.NilType {
		found = of
	}
	switch {
	case t.IsMapType():
		t = cty.Map(found)
	case t.IsSetType():
		t = cty.Set(found)
	default:
		t = cty.List(found)
	}
	return append(dst, closing), t, nil
}

func settleTuple(dst []byte, v planjson.Value, t cty.Type, depth int) (_ []byte, _ cty.Type, err error) {
	types := t.TupleElementTypes()
	settledTypes := append([]cty.Type(nil), types...)
	dst = append(dst, '[')
	for i, value := range v.Elements() {
		if i > 0 {
			dst = append(dst, ',')
		}
		if i >= len(types) {
			dst = append(dst, value...)
			continue
		}
		if dst, settledTypes[i], err = settle(dst, value, types[i], depth+1); err != nil {
			return nil, t, err
		}
	}
	return append(dst, ']'), cty.Tuple(settledTypes), nil
}
