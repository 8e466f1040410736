// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"encoding/json"
	"strconv"

	"github.com/tofuwire/tofuwire/planjson"
)

// ownSchemas returns the schemas that OpenTofu 1.13 stores in a plan, in its entry tfschemas: those of
// the types that the plan names. It returns nil if there are none. Source: OpenTofu's
// internal/plans/internal/planproto/planfile.proto.
func (f *File) ownSchemas() (*planjson.Schemas, error) {
	src, err := f.archive.read(entrySchemas)
	if err != nil || src == nil {
		return nil, err
	}
	out := &planjson.Schemas{FormatVersion: "1.0", ProviderSchemas: make(map[string]*planjson.ProviderSchema)}
	err = readMessage(src, 0, func(f protoField) error {
		if f.number != 1 {
			return nil
		}
		var address string
		p := new(planjson.ProviderSchema)
		err := entryOf(f, &address, func(f protoField) error { return storedProvider(f, p) })
		out.ProviderSchemas[address] = p
		return err
	})
	if err != nil {
		return nil, inEntry(entrySchemas, err)
	}
	return out, nil
}

// entryOf reads an entry of a map from texts to messages.
func entryOf(f protoField, key *string, value func(protoField) error) error {
	return f.message("providers", func(f protoField) error {
		if f.number == 1 {
			return f.into("key", key)
		}
		if f.number == 2 {
			return f.message(short(*key), value)
		}
		return nil
	})
}

func storedProvider(f protoField, p *planjson.ProviderSchema) error {
	switch f.number {
	case 1:
		return f.message("provider_config", func(f protoField) error { return storedSchema(f, &p.Provider, 0) })
	case 2, 3:
		var name string
		s := new(planjson.Schema)
		var identity *planjson.IdentitySchema
		err := entryOf(f, &name, func(f protoField) error {
			switch f.number {
			case 1:
				return f.message("schema", func(f protoField) error { return storedSchema(f, s, 0) })
			case 2:
				identity = new(planjson.IdentitySchema)
				return f.message("identity", func(f protoField) error { return storedIdentity(f, identity) })
			}
			return nil
		})
		list := &p.ResourceSchemas
		if f.number == 3 {
			list = &p.DataSourceSchemas
		}
		put(list, name, s)
		if identity != nil {
			put(&p.ResourceIdentitySchemas, name, identity)
		}
		return err
	}
	return nil
}

func put[V any](m *map[string]V, name string, v V) {
	if *m == nil {
		*m = make(map[string]V)
	}
	(*m)[name] = v
}

func storedSchema(f protoField, s *planjson.Schema, depth int) error {
	switch f.number {
	case 1:
		return f.into("version", &s.Version)
	case 2:
		if s.Block == nil {
			s.Block = new(planjson.Block)
		}
		return f.message("block", func(f protoField) error { return storedBlock(f, s.Block, depth+1) })
	}
	return nil
}

func storedBlock(f protoField, b *planjson.Block, depth int) error {
	if depth > maxDepth {
		return atOffset(f.at, ErrLimit)
	}
	switch f.number {
	case 1:
		return storedAttribute(f, &b.Attributes, depth)
	case 2:
		n := &planjson.BlockType{Block: new(planjson.Block)}
		var name string
		err := f.message("block_types", func(f protoField) error {
			switch f.number {
			case 1:
				return f.into("type_name", &name)
			case 2:
				return f.message("block", func(f protoField) error { return storedBlock(f, n.Block, depth+1) })
			case 3:
				return storedNesting(f, &n.NestingMode)
			case 4:
				return f.into("min_items", &n.MinItems)
			case 5:
				return f.into("max_items", &n.MaxItems)
			}
			return nil
		})
		if f.isText {
			put(&b.BlockTypes, name, n)
		}
		return err
	}
	return nil
}

// nestings are the modes by their numbers.
var nestings = []planjson.NestingMode{1: planjson.NestingSingle, 2: planjson.NestingGroup, 3: planjson.NestingList, 4: planjson.NestingSet, 5: planjson.NestingMap}

func storedNesting(f protoField, mode *planjson.NestingMode) error {
	var n uint64
	if err := f.into("nesting", &n); err != nil {
		return err
	}
	if n == 0 || n >= uint64(len(nestings)) {
		return inField("nesting", atOffset(f.at, invalid("there is no nesting mode %s", strconv.FormatUint(n, 10))))
	}
	*mode = nestings[n]
	return nil
}

func storedAttribute(f protoField, list *map[string]*planjson.Attribute, depth int) error {
	if !f.isText {
		return nil
	}
	if depth > maxDepth {
		return atOffset(f.at, ErrLimit)
	}
	a := new(planjson.Attribute)
	var name string
	err := f.message("attributes", func(f protoField) error {
		switch f.number {
		case 1:
			return f.into("name", &name)
		case 2:
			var t []byte
			if err := f.into("type", &t); err != nil || len(t) == 0 {
				return err
			}
			if !json.Valid(t) {
				return inField("type", atOffset(f.at, invalid("the type is not JSON")))
			}
			a.Type = t
		case 3:
			a.NestedType = new(planjson.NestedType)
			return f.message("nested_type", func(f protoField) error { return storedObject(f, a.NestedType, depth+1) })
		case 4:
			return f.into("required", &a.Required)
		case 5:
			return f.into("optional", &a.Optional)
		case 6:
			return f.into("computed", &a.Computed)
		case 7:
			return f.into("sensitive", &a.Sensitive)
		case 8:
			return f.into("write_only", &a.WriteOnly)
		}
		return nil
	})
	put(list, name, a)
	return err
}

func storedObject(f protoField, t *planjson.NestedType, depth int) error {
	switch f.number {
	case 1:
		return storedAttribute(f, &t.Attributes, depth)
	case 2:
		return storedNesting(f, &t.NestingMode)
	}
	return nil
}

func storedIdentity(f protoField, s *planjson.IdentitySchema) error {
	switch f.number {
	case 1:
		return f.into("version", &s.Version)
	case 2:
		t := new(planjson.NestedType)
		err := f.message("body", func(f protoField) error { return storedObject(f, t, 0) })
		for name, a := range t.Attributes {
			put(&s.Attributes, name, &planjson.IdentityAttribute{Type: a.Type})
		}
		return err
	}
	return nil
}
