// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclschema reads the bodies of blocks by the schemas of providers, as the programs do. It reports nothing.
package hclschema

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
)

// Nested returns the schema of the blocks of a type in b, or nil. The programs take an
// attribute that may be written as blocks for such blocks if it is not there.
func Nested(s *provschema.Block, b *hclconfig.Body, name string) *provschema.Nested {
	if n := s.Blocks[name]; n != nil {
		return n
	}
	if n := s.Written[name]; n != nil && b.Argument(name) == nil {
		return n
	}
	return nil
}

// Content splits a body by the schema. An attribute that is a list of objects
// may be written as blocks. Dynamic blocks without their label are left out.
func Content(s *provschema.Block, b *hclconfig.Body) *hclconfig.Content {
	spec := &hcl.BodySchema{}
	for name, a := range s.Attributes {
		if Nested(s, b, name) != nil {
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
	c.Blocks = slices.DeleteFunc(c.Blocks, func(n *hclconfig.Block) bool { return hclsource.IsDynamic(n) && !HasLabel(n) })
	return c
}

// HasLabel reports whether a dynamic block has the one label that it needs. The programs see no others.
func HasLabel(dynamic *hclconfig.Block) bool { return len(dynamic.Labels) == 1 }

// Fits reports whether a block has the labels that it should have. What is in others the
// programs do not see.
func Fits(s *provschema.Nested, b *hclconfig.Block) bool {
	return len(b.Labels) == 0 && s.Nesting != provschema.Map || len(b.Labels) == 1 && s.Nesting == provschema.Map
}

// Names returns those of the attributes and blocks, sorted, or nil if there are too many to suggest one.
func Names(s *provschema.Block) []string {
	if len(s.Attributes)+len(s.Blocks) > hclsource.MaxSuggested {
		return nil
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(s.Attributes)), maps.Keys(s.Blocks))
	slices.Sort(names)
	return names
}

// Expressions calls f with the expressions in a body that the programs look at to find
// its dependencies: those of arguments and nested blocks that the schema has, if there is one.
func Expressions(b *hclconfig.Body, schema *provschema.Block, f func(hclconfig.Expression)) {
	if schema == nil {
		for a := range b.AllArguments() {
			if hclsource.Evaluated(hcllang.Kind(a.Expression.Kind())) {
				f(a.Expression)
			}
		}
		return
	}
	c := Content(schema, b)
	for _, a := range c.Arguments {
		if hclsource.Evaluated(hcllang.Kind(a.Expression.Kind())) {
			f(a.Expression)
		}
	}
	for _, n := range c.Blocks {
		if !hclsource.IsDynamic(n) {
			if nested := Nested(schema, b, n.Type); nested != nil && Fits(nested, n) {
				Expressions(&n.Body, nested.Block, f)
			}
			continue
		}
		for i := range n.Body.Arguments {
			f(n.Body.Arguments[i].Expression)
		}
		if nested := Nested(schema, b, hclsource.Label(n, 0)); nested != nil {
			for content := range n.Body.BlocksOfType("content") {
				Expressions(&content.Body, nested.Block, f)
			}
		}
	}
}

// AttributeAt returns the attribute that a reference leads to, or nil. Like the
// programs, it passes over the keys of nested objects, also those that are names.
func AttributeAt(s *provschema.Block, steps hcl.Traversal) *provschema.Attribute {
	attributes, blocks := s.Attributes, s.Blocks
	for i, step := range steps {
		name := hclsource.StepName(step)
		a, last := attributes[name], i == len(steps)-1
		switch {
		case name == "":
		case a != nil && last:
			return a
		case a != nil && a.Nested != nil:
			attributes, blocks = a.Nested.Attributes, nil
		case a != nil:
			return nil
		case blocks[name] != nil:
			attributes, blocks = blocks[name].Block.Attributes, blocks[name].Block.Blocks
		}
	}
	return nil
}

// BlockType returns the type of a block, or of those that a dynamic block makes.
func BlockType(n *hclconfig.Block) string {
	if hclsource.IsDynamic(n) {
		return hclsource.Label(n, 0)
	}
	return n.Type
}

// BodyAt returns the innermost body that the programs find on the way along a path.
func BodyAt(b *hclconfig.Body, path cty.Path) *hclconfig.Body {
	for i := 0; i < len(path); i++ {
		step, ok := path[i].(cty.GetAttrStep)
		if !ok {
			return b
		}
		h := hcl.BlockHeaderSchema{Type: step.Name}
		key := cty.NilVal
		if i+1 < len(path) {
			if index, ok := path[i+1].(cty.IndexStep); ok {
				i++
				if key = index.Key; key.Type() == cty.String {
					h.LabelNames = []string{"key"}
				}
			}
		}
		c := b.Content(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{h}})
		found := slices.DeleteFunc(c.Blocks, hclsource.IsDynamic)
		wrong := func(n *hclconfig.Block) bool { return len(n.Labels) != len(h.LabelNames) }
		if b.File().Syntax() == hclconfig.JSONSyntax && c.Diagnostics.HasErrors() || slices.ContainsFunc(found, wrong) {
			return b
		}
		if len(found) == 0 {
			continue
		}
		at := 0
		switch {
		case key == cty.NilVal && len(found) > 1:
			return b
		case key != cty.NilVal && key.Type() == cty.String:
			at = slices.IndexFunc(found, func(n *hclconfig.Block) bool { return n.Labels[0] == key.AsString() })
		case key != cty.NilVal:
			n, _ := key.AsBigFloat().Int64()
			at = int(n)
		}
		if at < 0 || at >= len(found) {
			return b
		}
		b = &found[at].Body
	}
	return b
}

// Deprecates reports whether something in a block is deprecated.
func Deprecates(schema *provschema.Block) bool {
	if anyDeprecated(schema.Attributes) {
		return true
	}
	for _, n := range schema.Blocks {
		if n.Block != nil && (n.Block.Deprecated || Deprecates(n.Block)) {
			return true
		}
	}
	return false
}

func anyDeprecated(all map[string]*provschema.Attribute) bool {
	for _, a := range all {
		if a != nil && (a.Deprecated || a.Nested != nil && anyDeprecated(a.Nested.Attributes)) {
			return true
		}
	}
	return false
}

// UnknownValue returns the value of an object that nothing is known about. What is planned is
// an object of unknown attributes, and so is what has marks. If the object has a name, the
// value is marked where the schema is deprecated.
func UnknownValue(s *provschema.Block, planned bool, name string) cty.Value {
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
