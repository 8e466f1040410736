// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclschema"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/provschema"
)

// schemas returns the schemas of the provider with this local name.
func (s *moduleScope) provider(localName string) *provschema.Provider {
	p, err := s.m.ProviderOf(localName)
	if err != nil {
		return nil
	}
	// The schemas of the built-in provider are known without a file.
	switch of := s.check.schemas[p.String()]; {
	case p.String() == hclschema.BuiltInAddress:
		return hclschema.BuiltIn().Schemas
	case p.IsBuiltIn(), of != nil:
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
	s.schemas[r] = s.findSchema(r)
	return s.schemas[r]
}

// findSchema returns the schema of a resource, or nil if it is not known: without the schemas of its
// provider anything may be in it. The type terraform_data grows with the releases.
func (s *moduleScope) findSchema(r *hclconfig.Resource) *provschema.Block {
	p := s.provider(r.ProviderName())
	if p == nil {
		return nil
	}
	schema := p.OfMode(r.Mode)[r.Type].Block
	if schema == hclschema.BuiltIn().Data && s.check.has(hclsource.TerraformDataStore) {
		schema = hclschema.BuiltIn().DataWithStore
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
	// A type of another mode is a better guess than a similar name.
	for _, other := range []addrs.Mode{addrs.Managed, addrs.Data, addrs.Ephemeral} {
		if _, ok := p.OfMode(other)[r.Type]; ok && other != r.Mode {
			word := strings.Replace(string(other), "managed", "resource", 1)
			hint = fmt.Sprintf("\n\nDid you intend to use a block of type %q %q? If so, declare this using a block of type %[1]q instead of one of type %[3]q.", word, r.Type, r.Block.Type)
		}
	}
	address, _ := s.m.ProviderOf(r.ProviderName())
	return hclconfig.Diagnostics{hclsource.ErrorAt(at, summary, "The provider %s does not support %s %q.%s", address, what, r.Type, hint)}
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
