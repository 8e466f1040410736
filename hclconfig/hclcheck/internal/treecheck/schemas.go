// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
)

// nested returns the schema of the blocks of a type in b, or nil. The programs take an
// attribute that may be written as blocks for such blocks if it is not there.
func nestedIn(s *provschema.Block, b *hclconfig.Body, name string) *provschema.Nested {
	if n := s.Blocks[name]; n != nil {
		return n
	}
	if n := s.Written[name]; n != nil && b.Argument(name) == nil {
		return n
	}
	return nil
}

// unknownValue returns the value of an object that nothing is known about. What is planned is
// an object of unknown attributes, and so is what has marks. If the object has a name, the
// value is marked where the schema is deprecated.
func unknownValue(s *provschema.Block, planned bool, name string) cty.Value {
	if !planned && !s.Marked {
		return cty.UnknownVal(s.Implied)
	}
	attrs := make(map[string]cty.Value, len(s.Implied.AttributeTypes()))
	for attr, t := range s.Implied.AttributeTypes() {
		attrs[attr] = cty.UnknownVal(t)
		a := s.Attributes[attr]
		if a != nil && a.Sensitive {
			attrs[attr] = attrs[attr].Mark(langfuncs.Sensitive)
		}
		if a != nil && a.Deprecated && name != "" {
			attrs[attr] = attrs[attr].Mark(hcleval.Deprecation{By: name + "." + attr, Message: a.Message})
		}
	}
	v := cty.ObjectVal(attrs)
	if s.Deprecated && name != "" {
		v = v.Mark(hcleval.Deprecation{By: name, Message: s.Message})
	}
	return v
}

// builtIn has the schemas of the provider that is part of the programs, and what it checks itself.
var builtIn = sync.OnceValue(func() *builtInProvider {
	p := mustSchemas(`{"provider_schemas":{"terraform.io/builtin/terraform":{
"provider":{"block":{}},
"resource_schemas":{"terraform_data":{"block":{"attributes":{
	"id":{"type":"string","computed":true},"input":{"type":"dynamic","optional":true},
	"output":{"type":"dynamic","computed":true},"triggers_replace":{"type":"dynamic","optional":true}}}}},
"data_source_schemas":{"terraform_remote_state":{"block":{"attributes":{
	"backend":{"type":"string","required":true},"config":{"type":"dynamic","optional":true},"defaults":{"type":"dynamic","optional":true},
	"outputs":{"type":"dynamic","computed":true},"workspace":{"type":"string","optional":true}}}}}}}}`)
	store := mustSchemas(`{"provider_schemas":{"terraform.io/builtin/terraform":{"resource_schemas":{"terraform_data":{"block":{"block_types":{"store":{
	"nesting_mode":"single","block":{"attributes":{"input":{"type":"dynamic","optional":true,"write_only":true},"output":{"type":"dynamic","computed":true},
	"replace":{"type":"bool","optional":true},"sensitive":{"type":"bool","optional":true},"sensitive_output":{"type":"dynamic","computed":true,"sensitive":true},
	"version":{"type":"dynamic","optional":true}}}}},"attributes":{
	"id":{"type":"string"},"input":{"type":"dynamic"},"output":{"type":"dynamic"},"triggers_replace":{"type":"dynamic"}}}}}}}}`)
	data := p.Resources["terraform_data"].Block
	b := &builtInProvider{
		schemas: p, data: data, id: data.Attributes["id"], output: data.Attributes["output"],
		dataWithStore: store.Resources["terraform_data"].Block, remoteState: p.Data["terraform_remote_state"].Block,
	}
	b.dataWithStore.Attributes, b.backend = data.Attributes, b.remoteState.Attributes["backend"]
	return b
})

type builtInProvider struct {
	schemas             *provschema.Provider
	data, dataWithStore *provschema.Block // of releases without and with its block store
	remoteState         *provschema.Block // of the data source that reads another state
	id, output, backend *provschema.Attribute
}

// mustSchemas decodes schemas of the built-in provider that are part of this package.
func mustSchemas(text string) *provschema.Provider {
	s, err := provschema.Decode([]byte(text))
	if err != nil {
		panic(err) // the text is above
	}
	return s.Providers()[builtInAddress]
}

// schemas returns the schemas of the provider with this local name.
func (s *moduleScope) provider(localName string) *provschema.Provider {
	p, err := s.m.ProviderOf(localName)
	if err != nil {
		return nil
	}
	if p.IsBuiltIn() {
		if p.String() == builtInAddress {
			return builtIn().schemas
		}
		return nil
	}
	if of := s.check.schemas[p.String()]; of != nil {
		return of
	}
	// The registries of both programs have the same providers.
	for _, address := range slices.Sorted(maps.Keys(s.check.schemas)) {
		a, err := addrs.ParseProvider(address)
		if err == nil && a.Namespace() == p.Namespace() && a.Type() == p.Type() {
			return s.check.schemas[address]
		}
	}
	return nil
}

// providerSchema returns the schema of the configuration of a provider, or nil if it is not known.
func (s *moduleScope) providerSchema(localName string) *provschema.Block {
	if p := s.provider(localName); p != nil {
		return p.Provider.Block
	}
	return nil
}

// schemaOf returns the schema of a resource, or nil if it is not known.
func (s *moduleScope) schemaOf(r *hclconfig.Resource) *provschema.Block {
	if schema, ok := s.schemas[r]; ok {
		return schema
	}
	schema := s.findSchema(r)
	if s.schemas == nil {
		s.schemas = map[*hclconfig.Resource]*provschema.Block{}
	}
	s.schemas[r] = schema
	return schema
}

// findSchema returns the schema of a resource, or nil if it is not known: without the schemas of its
// provider anything may be in it. The type terraform_data grows with the releases.
func (s *moduleScope) findSchema(r *hclconfig.Resource) *provschema.Block {
	p := s.provider(r.ProviderName())
	if p == nil {
		return nil
	}
	schema := p.OfMode(r.Mode)[r.Type].Block
	if schema == builtIn().data && s.check.has(hclsource.TerraformDataStore) {
		schema = builtIn().dataWithStore
	}
	return schema
}

// hasType reports whether the release has the type of a resource of the built-in provider.
func (s *moduleScope) hasType(r *hclconfig.Resource) bool {
	return r.Mode != addrs.Managed || !s.isTerraformData(r.Block) || s.check.has(hclsource.TerraformData)
}

// lacksType reports whether a resource has a type that its provider does not have.
func (s *moduleScope) lacksType(r *hclconfig.Resource) bool {
	return s.provider(r.ProviderName()) != nil && (s.schemaOf(r) == nil || !s.hasType(r))
}

// unknownType reports a resource type that its provider does not have, at at.
func (s *moduleScope) unknownType(r *hclconfig.Resource, at addrs.Range) hclconfig.Diagnostics {
	if !s.lacksType(r) || len(r.Block.Labels) == 0 {
		return nil
	}
	p := s.provider(r.ProviderName())
	// OpenTofu 1.12.6, internal/tofu/evaluate_valid.go: evaluationStateData.staticValidateResourceReference.
	summary, what := "Invalid resource type", "resource type"
	switch r.Mode {
	case addrs.Data:
		// OpenTofu 1.12.6, internal/tofu/node_resource_validate.go: NodeValidatableResource.validateResource.
		summary, what = "Invalid data source", "data source"
	case addrs.Ephemeral:
		summary, what = "Invalid ephemeral resource", "ephemeral resource"
	}
	hint := ""
	if _, later := p.OfMode(r.Mode)[r.Type]; !later {
		hint = hclsource.DidYouMeanKey(r.Type, p.OfMode(r.Mode))
	}
	for _, other := range []addrs.Mode{addrs.Managed, addrs.Data, addrs.Ephemeral} {
		if _, ok := p.OfMode(other)[r.Type]; ok && other != r.Mode {
			word := strings.Replace(string(other), "managed", "resource", 1)
			hint = fmt.Sprintf("\n\nDid you intend to use a block of type %q %q? If so, declare this using a block of type %[1]q instead of one of type %[3]q.", word, r.Type, r.Block.Type)
		}
	}
	address, _ := s.m.ProviderOf(r.ProviderName())
	return hclconfig.Diagnostics{hclsource.ErrorAt(at, summary, "The provider %s does not support %s %q.%s", address, what, r.Type, hint)}
}

// names are those of the attributes and blocks, sorted.
func namesOf(s *provschema.Block) []string {
	if len(s.Attributes)+len(s.Blocks) > hclsource.MaxSuggested {
		return nil
	}
	return slices.Sorted(func(yield func(string) bool) {
		for n := range s.Attributes {
			if !yield(n) {
				return
			}
		}
		for n := range s.Blocks {
			if !yield(n) {
				return
			}
		}
	})
}

// contentOf splits a body by the schema. An attribute that is a list of objects
// may be written as blocks. Dynamic blocks without their label are left out.
func contentOf(s *provschema.Block, b *hclconfig.Body) *hclconfig.Content {
	spec := &hcl.BodySchema{}
	for name, a := range s.Attributes {
		if nestedIn(s, b, name) != nil {
			spec.Blocks = append(spec.Blocks, hcl.BlockHeaderSchema{Type: name})
			continue
		}
		spec.Attributes = append(spec.Attributes, hcl.AttributeSchema{Name: name, Required: a.Required})
	}
	for name, n := range s.Blocks {
		h := hcl.BlockHeaderSchema{Type: name}
		if n.Nesting == provschema.Map {
			h.LabelNames = []string{"key"}
		}
		spec.Blocks = append(spec.Blocks, h)
	}
	slices.SortFunc(spec.Attributes, func(a, b hcl.AttributeSchema) int { return strings.Compare(a.Name, b.Name) })
	c := b.Content(spec)
	c.Blocks = slices.DeleteFunc(c.Blocks, func(n *hclconfig.Block) bool { return hclsource.IsDynamic(n) && !hasLabel(n) })
	return c
}

// fits reports whether a block has the labels that it should have. What is in others the
// programs do not see.
func fits(s *provschema.Nested, b *hclconfig.Block) bool {
	return len(b.Labels) == 0 && s.Nesting != provschema.Map || len(b.Labels) == 1 && s.Nesting == provschema.Map
}

const builtInAddress = "terraform.io/builtin/terraform"

// bodyExpressions calls f with the expressions in a body that the programs look at to find
// its dependencies: those of arguments and nested blocks that the schema has, if there is one.
func bodyExpressions(b *hclconfig.Body, schema *provschema.Block, f func(hclconfig.Expression)) {
	if schema == nil {
		for a := range b.AllArguments() {
			if hclsource.Evaluated(hcllang.Kind(a.Expression.Kind())) {
				f(a.Expression)
			}
		}
		return
	}
	c := contentOf(schema, b)
	for _, a := range c.Arguments {
		if hclsource.Evaluated(hcllang.Kind(a.Expression.Kind())) {
			f(a.Expression)
		}
	}
	for _, n := range c.Blocks {
		if !hclsource.IsDynamic(n) {
			if nested := nestedIn(schema, b, n.Type); nested != nil && fits(nested, n) {
				bodyExpressions(&n.Body, nested.Block, f)
			}
			continue
		}
		for i := range n.Body.Arguments {
			f(n.Body.Arguments[i].Expression)
		}
		if nested := nestedIn(schema, b, hclsource.Label(n, 0)); nested != nil {
			for content := range n.Body.BlocksOfType("content") {
				bodyExpressions(&content.Body, nested.Block, f)
			}
		}
	}
}

// isTerraformData reports whether a resource has the type terraform_data of the built-in
// provider.
func (s *moduleScope) isTerraformData(b *hclconfig.Block) bool {
	name := "terraform"
	if a := b.Argument("provider"); a != nil {
		name = hclsource.ProviderRef(a.Expression).Name
	}
	return hclsource.IsTerraformData(b, hclsource.Locals{name: s.builtIn(name)})
}
