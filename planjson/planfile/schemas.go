// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// JoinSchemas returns a document with the providers of several documents, such as those of the
// configurations of several teams. Several documents may contain the same schemas of a provider. If
// they differ, the error wraps [ErrSchemas]. Nil documents are ignored. The result shares its
// schemas with the documents.
func JoinSchemas(documents ...*planjson.Schemas) (*planjson.Schemas, error) {
	joined := &planjson.Schemas{FormatVersion: "1.0", ProviderSchemas: make(map[string]*planjson.ProviderSchema)}
	for _, d := range documents {
		if d == nil {
			continue
		}
		for address, p := range d.ProviderSchemas {
			if old := joined.ProviderSchemas[address]; old != nil && p != nil && !planjson.Equal(old, p) {
				return nil, &Error{Offset: -1, Err: fmt.Errorf("%w: two documents have different schemas of %s", ErrSchemas, short(address))}
			}
			joined.ProviderSchemas[address] = p
		}
	}
	return joined, nil
}

// builtinProvider is the provider that both tools contain.
var builtinProvider = addrs.MustParseProvider("terraform.io/builtin/terraform")

// builtinSchemas has the schemas of what both tools contain. Its types have not changed since they
// exist. The tools print them like those of other providers.
var builtinSchemas = sync.OnceValue(func() *planjson.Schemas {
	attribute := func(typ string) *planjson.Attribute {
		return &planjson.Attribute{Type: planjson.Literal(typ), Optional: true}
	}
	schema := func(names map[string]string) *planjson.Schema {
		s := &planjson.Schema{Block: &planjson.Block{Attributes: make(map[string]*planjson.Attribute)}}
		for name, typ := range names {
			s.Block.Attributes[name] = attribute(typ)
		}
		return s
	}
	return &planjson.Schemas{ProviderSchemas: map[string]*planjson.ProviderSchema{builtinProvider.String(): {
		ResourceSchemas: map[string]*planjson.Schema{
			"terraform_data": schema(map[string]string{"id": "string", "input": "dynamic", "output": "dynamic", "triggers_replace": "dynamic"}),
		},
		DataSourceSchemas: map[string]*planjson.Schema{
			"terraform_remote_state": schema(map[string]string{"backend": "string", "config": "dynamic", "defaults": "dynamic", "outputs": "dynamic", "workspace": "string"}),
		},
	}}}
})

// provisionerSchemas has the schemas of the provisioners that both tools contain.
var provisionerSchemas = sync.OnceValue(func() map[string]*planjson.Block {
	block := func(names ...string) *planjson.Block {
		b := &planjson.Block{Attributes: make(map[string]*planjson.Attribute)}
		for _, name := range names {
			b.Attributes[name] = &planjson.Attribute{Type: planjson.Literal("dynamic"), Optional: true}
		}
		return b
	}
	return map[string]*planjson.Block{
		"local-exec":  block("command", "interpreter", "working_dir", "environment", "quiet"),
		"remote-exec": block("inline", "script", "scripts"),
		"file":        block("source", "content", "destination"),
	}
})

// A typeKey names a resource type, or the configuration of a provider, of which mode and name are
// empty.
type typeKey struct {
	provider addrs.Provider
	mode     addrs.Mode
	name     string
}

// A schema is what is known of a type.
type schema struct {
	block    *planjson.Block // nil if nothing is known
	version  uint64
	implied  cty.Type // NilType if nothing is known
	marks    *marks
	identity *planjson.IdentitySchema
	idType   cty.Type
}

// schemaSet finds the schemas of types, and remembers those that are missing.
type schemaSet struct {
	documents []*planjson.Schemas
	types     map[typeKey]*schema
	missing   map[typeKey]bool
	versions  map[addrs.Provider]addrs.Version // by the lock file
}

func newSchemaSet(documents ...*planjson.Schemas) *schemaSet {
	s := &schemaSet{types: make(map[typeKey]*schema), missing: make(map[typeKey]bool)}
	for _, d := range append(documents, builtinSchemas()) {
		if d != nil {
			s.documents = append(s.documents, d)
		}
	}
	return s
}

// of returns the schema of a type. It is empty if the type is missing. A document that has the
// provider but not the type is an error: it is of another version.
func (s *schemaSet) of(k typeKey) (*schema, error) {
	if found := s.types[k]; found != nil {
		return found, nil
	}
	found := new(schema)
	var lacking *planjson.ProviderSchema
	for _, d := range s.documents {
		p := d.ProviderSchemas[k.provider.String()]
		if p == nil {
			continue
		}
		if lacking = p; k.mode == "" {
			found.block = cmp.Or(p.Provider.Block, new(planjson.Block))
			break
		}
		if of := d.Resource(k.provider.String(), k.mode, k.name); of != nil {
			found.block = cmp.Or(of.Block, new(planjson.Block))
			if k.mode == addrs.Managed { // the tools take no version of other resources from their schemas: it is 0
				found.version = of.Version
				found.identity = p.ResourceIdentitySchemas[k.name]
			}
			break
		}
	}
	s.types[k] = found
	switch {
	case found.block != nil:
		return found, s.finish(k, found)
	case lacking != nil:
		delete(s.types, k)
		return nil, &Error{Offset: -1, Err: fmt.Errorf("%w: those of %s have no %s", ErrSchemas, k.provider, short(k.String()))}
	}
	s.missing[k] = true
	return found, nil
}

// finish computes the types and marks of a schema.
func (s *schemaSet) finish(k typeKey, found *schema) (err error) {
	if found.implied, err = found.block.ImpliedType(); err == nil && found.identity != nil {
		found.idType, err = found.identity.ImpliedType()
	}
	found.marks = blockMarks(found.block)
	if err != nil {
		delete(s.types, k)
		return &Error{Offset: -1, Err: fmt.Errorf("%w: those of %s for %s: %w", ErrSchemas, k.provider, short(k.String()), err)}
	}
	return nil
}

// String returns the type as errors name it.
func (k typeKey) String() string {
	return Type{Mode: k.mode, Name: k.name}.nameOnly()
}

// list returns the missing types.
func (s *schemaSet) list() []Type {
	var list []Type
	for k := range s.missing {
		list = append(list, Type{Provider: k.provider, Version: s.versions[k.provider], Mode: k.mode, Name: k.name})
	}
	slices.SortFunc(list, func(a, b Type) int {
		return cmp.Or(a.Provider.Compare(b.Provider), cmp.Compare(a.Mode, b.Mode), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// misfit returns the error for a value that is not of the type of its schema.
func (k typeKey) misfit(err error) error {
	if errors.Is(err, ErrLimit) {
		return err
	}
	cause := err
	if e, ok := errors.AsType[*Error](err); ok {
		cause = e.Err
	}
	wrapped := fmt.Errorf("%w: a value of %s of %s: %w", ErrSchemas, short(k.String()), k.provider, cause)
	if e, ok := errors.AsType[*Error](err); ok {
		e.Err = wrapped
		return e
	}
	return wrapped
}
