// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
)

// Schemas has the schemas of providers, which describe their blocks. A nil *Schemas has
// none. It does not change and is safe for concurrent use.
type Schemas provschema.Schemas

// DecodeSchemas reads the document that "providers schema -json" prints, of any number
// of providers. Members that it does not know are ignored, and it keeps no reference to src. The
// error is an [*Error] without a place; it wraps [ErrSyntax] or [ErrKind], or names a format
// version with a major number above 1.
func DecodeSchemas(src []byte) (*Schemas, error) {
	s, err := provschema.Decode(src)
	switch {
	case errors.Is(err, provschema.ErrSyntax):
		err = fmt.Errorf("%w: schemas: %w", ErrSyntax, err)
	case err != nil:
		err = fmt.Errorf("%w: schemas: %w", ErrKind, err)
	}
	if err != nil {
		return nil, &Error{Err: err}
	}
	return (*Schemas)(s), nil
}

// A BlockSchema is a provider's description of a block.
type BlockSchema struct {
	Attributes map[string]AttributeSchema // the arguments and attributes by name
	Blocks     map[string]*BlockSchema    // the nested block types
	// Nesting says how nested blocks or the objects of an attribute form a value: "single",
	// "group", "list", "set" or "map". It is empty for a whole block.
	Nesting            string
	MinItems, MaxItems int    // how many such blocks there may be; 0 means no bound
	Deprecated         bool   // the provider advises against its use
	Message            string // what to use instead, often empty
	// Description is for people, in plain text or Markdown; it is often empty.
	Description string
}

// An AttributeSchema is a provider's description of an argument, or of an attribute that
// only the provider sets.
type AttributeSchema struct {
	// Type is what a value in the configuration is converted to, cty.DynamicPseudoType if that
	// may be any or is not known. An object type in it names the attributes that may be missing,
	// which are null then; cty's WithoutOptionalAttributesDeep returns the type of the values.
	Type cty.Type
	// Nested describes the parts of an object, or of many, if the provider does: such an
	// attribute can never be written as blocks. It is nil otherwise, and has no Blocks.
	Nested *BlockSchema
	// Required means that the configuration must set it, Optional that it may, Computed that
	// the provider sets it otherwise.
	Required, Optional, Computed bool
	Sensitive, WriteOnly         bool
	Deprecated                   bool
	Message                      string // what to use instead, often empty
	Description                  string // for people, in plain text or Markdown; often empty
}

// Of returns the schema of a block of the module m: a resource, data, ephemeral, list, action or
// provider block. It returns nil if there is none. The provider is the one that the block names or
// implies, from any registry, because the registries of OpenTofu and Terraform have the same
// providers. If the document lacks that provider, Of takes the schema from another one that has the
// type. A nil module requires no providers.
func (s *Schemas) Of(m *Module, b *Block) *BlockSchema {
	if s == nil || b == nil || len(b.Labels) == 0 {
		return nil
	}
	wanted := m.providerOfBlock(b)
	var found *provschema.Block
	providers := (*provschema.Schemas)(s).Providers()
	for _, address := range slices.Sorted(maps.Keys(providers)) {
		p := providers[address]
		if p == nil {
			continue
		}
		a, err := addrs.ParseProvider(address)
		same := err == nil && a.Namespace() == wanted.Namespace() && a.Type() == wanted.Type()
		of := p.OfType(b.Type)[b.Labels[0]].Block
		if b.Type == "provider" && same {
			of = p.Provider.Block
		}
		if of != nil && (found == nil || same) {
			found = of
		}
	}
	return blockSchema(found)
}

// A FunctionSchema is what a provider says of one of its functions.
type FunctionSchema struct {
	// Parameters are those that each call has, and Variadic the one that stands for any number of
	// further arguments, or nil.
	Parameters  []ParameterSchema
	Variadic    *ParameterSchema
	Result      cty.Type
	Description string // for people, in plain text or Markdown; often empty
}

// A ParameterSchema is one parameter of a function of a provider.
type ParameterSchema struct {
	Name     string   // for people, often empty
	Type     cty.Type // that arguments are converted to, cty.DynamicPseudoType for any
	Nullable bool     // null may be given
}

// Functions returns the functions of the provider that has a local name in the module m, by their
// names without provider:: in front. It is nil if there are no schemas of that provider, and not nil
// but empty if it has no functions; those that a provider has only when it is configured are not in
// its schemas. The caller owns the map.
func (s *Schemas) Functions(m *Module, localName string) map[string]FunctionSchema {
	if s == nil || m == nil {
		return nil
	}
	wanted, err := m.ProviderOf(localName)
	if err != nil {
		return nil
	}
	var out map[string]FunctionSchema
	for address, p := range (*provschema.Schemas)(s).Providers() {
		a, err := addrs.ParseProvider(address)
		if p == nil || err != nil || a.Namespace() != wanted.Namespace() || a.Type() != wanted.Type() || out != nil && a != wanted {
			continue
		}
		out = make(map[string]FunctionSchema, len(p.Functions))
		for name, f := range p.Functions {
			if f != nil {
				out[name] = functionSchema(f)
			}
		}
	}
	return out
}

func functionSchema(f *provschema.Function) FunctionSchema {
	out := FunctionSchema{Result: f.Result(), Description: f.Description}
	for _, p := range f.Parameters {
		if p != nil {
			out.Parameters = append(out.Parameters, ParameterSchema{p.Name, p.Type(), p.Nullable})
		}
	}
	if p := f.Variadic; p != nil {
		out.Variadic = &ParameterSchema{p.Name, p.Type(), p.Nullable}
	}
	return out
}

// providerOfBlock returns the provider of a block, or the zero Provider.
func (m *Module) providerOfBlock(b *Block) addrs.Provider {
	r := Resource{Block: b, Type: b.Labels[0]}
	if a := b.Argument("provider"); a != nil && b.Type != "provider" {
		r.Provider = newProviderRef(a.Expression)
	}
	local := r.ProviderName()
	if b.Type == "provider" {
		local = b.Labels[0]
	}
	if m == nil {
		m = &Module{}
	}
	p, _ := m.ProviderOf(local) // the zero Provider if it is none
	return p
}

func blockSchema(b *provschema.Block) *BlockSchema {
	if b == nil {
		return nil
	}
	out := &BlockSchema{Attributes: attributeSchemas(b.Attributes), Blocks: make(map[string]*BlockSchema, len(b.Blocks)), Deprecated: b.Deprecated, Message: b.Message, Description: b.Description}
	for name, n := range b.Blocks {
		inner := blockSchema(n.Block)
		inner.Nesting, inner.MinItems, inner.MaxItems = n.Nesting, n.Min, n.Max
		out.Blocks[name] = inner
	}
	return out
}

func attributeSchemas(all map[string]*provschema.Attribute) map[string]AttributeSchema {
	out := make(map[string]AttributeSchema, len(all))
	for name, a := range all {
		if a == nil {
			continue
		}
		s := AttributeSchema{
			Type: a.Type, Required: a.Required, Optional: a.Optional, Computed: a.Computed,
			Sensitive: a.Sensitive, WriteOnly: a.WriteOnly, Deprecated: a.Deprecated, Message: a.Message, Description: a.Description,
		}
		if a.Nested != nil {
			s.Nested = &BlockSchema{Attributes: attributeSchemas(a.Nested.Attributes), Nesting: a.Nested.Nesting}
		}
		out[name] = s
	}
	return out
}
