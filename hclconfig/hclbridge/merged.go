// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// own returns b without what the language defines. The content of the escape block "_"
// overrides the rest, as in opentofu: internal/configs/resource.go.
func own(b *hclconfig.Body) hcl.Body {
	kept, whole := b.Own(), textBody(b)
	arguments, blocks := map[string]bool{}, map[string]bool{}
	for i := range kept.Arguments {
		arguments[kept.Arguments[i].Name] = true
	}
	for i := range kept.Blocks {
		blocks[kept.Blocks[i].Type] = true
	}
	var hide hcl.BodySchema
	if native, ok := whole.(*hclsyntax.Body); ok {
		for name := range native.Attributes {
			if !arguments[name] {
				hide.Attributes = append(hide.Attributes, hcl.AttributeSchema{Name: name})
			}
		}
		for _, n := range native.Blocks {
			if !blocks[n.Type] {
				hide.Blocks = append(hide.Blocks, hcl.BlockHeaderSchema{Type: n.Type})
			}
		}
	} else {
		properties, _ := whole.JustAttributes()
		for name := range properties {
			if !arguments[name] && !blocks[name] {
				hide.Attributes = append(hide.Attributes, hcl.AttributeSchema{Name: name})
			}
		}
	}
	_, out, _ := whole.PartialContent(&hide)
	for i := range b.Blocks {
		if b.Blocks[i].Type == "_" && !blocks["_"] {
			out = &merged{base: out, override: textBody(&b.Blocks[i].Body)}
		}
	}
	return out
}

// A merged body is a body that another one overrides, by the rules of opentofu:
// internal/configs/hcl2shim/merge_body.go: an argument replaces the one of its name, and
// blocks replace all blocks of their type, also those that dynamic blocks make. Where
// OpenTofu passes over names that no schema has, Content reports them, as the interface asks.
type merged struct{ base, override hcl.Body }

// Content implements hcl.Body.
func (m *merged) Content(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
	out, rest, diags := m.PartialContent(schema)
	for _, b := range rest.(*merged).leaves(nil) {
		_, more := b.Content(&hcl.BodySchema{})
		diags = append(diags, more...)
	}
	return out, diags
}

func (m *merged) leaves(out []hcl.Body) []hcl.Body {
	for _, b := range []hcl.Body{m.base, m.override} {
		if inner, ok := b.(*merged); ok {
			out = inner.leaves(out)
			continue
		}
		out = append(out, b)
	}
	return out
}

// PartialContent implements hcl.Body.
func (m *merged) PartialContent(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Body, hcl.Diagnostics) {
	// Whether something is missing is known only of both together.
	lax := &hcl.BodySchema{Blocks: schema.Blocks}
	for _, a := range schema.Attributes {
		lax.Attributes = append(lax.Attributes, hcl.AttributeSchema{Name: a.Name})
	}
	wants := slices.ContainsFunc(schema.Blocks, func(t hcl.BlockHeaderSchema) bool { return t.Type == "dynamic" })
	base, baseRest, diags := m.base.PartialContent(lax)
	override, overrideRest, more := m.override.PartialContent(lax)
	diags = append(diags, more...)
	out := &hcl.BodyContent{Attributes: hcl.Attributes{}, MissingItemRange: m.MissingItemRange()}
	for _, attrs := range []hcl.Attributes{base.Attributes, override.Attributes} {
		for name, a := range attrs {
			out.Attributes[name] = a
		}
	}
	replaced := map[string]bool{}
	for _, b := range override.Blocks {
		replaced[made(b, wants)] = true
	}
	for _, b := range base.Blocks {
		if !replaced[made(b, wants)] {
			out.Blocks = append(out.Blocks, b)
		}
	}
	out.Blocks = append(out.Blocks, override.Blocks...)
	for _, a := range schema.Attributes {
		if a.Required && out.Attributes[a.Name] == nil {
			at := m.MissingItemRange()
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Missing required argument",
				Detail: "The argument \"" + a.Name + "\" is required, but no definition was found.", Subject: &at,
			})
		}
	}
	return out, &merged{base: baseRest, override: overrideRest}, diags
}

// made returns the type of the blocks that b stands for.
func made(b *hcl.Block, dynamic bool) string {
	if dynamic && b.Type == "dynamic" && len(b.Labels) > 0 {
		return b.Labels[0]
	}
	return b.Type
}

// JustAttributes implements hcl.Body.
func (m *merged) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	out, diags := m.base.JustAttributes()
	override, more := m.override.JustAttributes()
	for name, a := range override {
		out[name] = a
	}
	return out, append(diags, more...)
}

// MissingItemRange implements hcl.Body.
func (m *merged) MissingItemRange() hcl.Range { return m.base.MissingItemRange() }
