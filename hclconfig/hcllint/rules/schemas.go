// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/hclconfig/internal/provideruse"
)

// schemaFindings has, by the name of the rule, what is wrong with the blocks of providers.
type schemaFindings map[string][]hcllint.Diagnostic

// schemas compares the blocks of a module with the schemas of the providers. Its result is a
// schemaFindings, which is empty without schemas.
var schemas = &hcllint.Analyzer{
	Name: "schemas",
	Doc:  "Schemas compares blocks with the schemas of providers.",
	Run: func(p *hcllint.Pass) (any, error) {
		c := schemaChecker{pass: p, out: schemaFindings{}}
		if p.Schemas == nil {
			return c.out, nil
		}
		isUsed := providersInUse(p.Tree)
		for b, body := range bodiesOfProviders(p.Module) {
			schema := p.Schemas.Of(p.Module, b)
			if schema == nil {
				continue
			}
			c.unused = b.Type == "provider" && !isUsed(b)
			if schema.Deprecated {
				c.report(deprecated, hclsource.DefRange(b), "the %s type %q is deprecated%s", b.Type, hclsource.Label(b, 0), instead(schema.Message))
			}
			id := schema.Attributes["id"]
			c.sdk = id.Optional && id.Computed
			c.body(schema, body)
		}
		return c.out, nil
	},
}

// bodiesOfProviders yields the blocks that have a provider's schema, and their content that
// belongs to it, with what override files change.
func bodiesOfProviders(m *hclconfig.Module) iter.Seq2[*hclconfig.Block, *hclconfig.Body] {
	return func(yield func(*hclconfig.Block, *hclconfig.Body) bool) {
		for _, r := range hclsource.AllResources(m) {
			if !yield(r.Block, r.Config()) {
				return
			}
		}
		for _, c := range m.Providers {
			if !yield(c.Block, c.Config()) {
				return
			}
		}
	}
}

// providersInUse returns a function that reports whether something uses a provider block of the module.
func providersInUse(t *hclnames.Tree) func(b *hclconfig.Block) bool {
	root := t
	for root.Parent != nil {
		root = root.Parent
	}
	use := provideruse.Of(root, true)
	return func(b *hclconfig.Block) bool {
		i := slices.IndexFunc(t.Module.Providers, func(p *hclconfig.Provider) bool { return p.Block == b })
		return i < 0 || use.Has(t, t.Module.Providers[i])
	}
}

// A schemaChecker checks the bodies of a module.
type schemaChecker struct {
	pass *hcllint.Pass
	out  schemaFindings
	// unused reports that nothing uses the provider configuration that is checked: the programs do not read it.
	unused bool
	// sdk reports that SDK 2 has made the resource, and later that the body is in blocks that the SDK does not look into
	// before all their values are known.
	sdk, later bool
}

func (c *schemaChecker) report(rule string, at addrs.Range, format string, args ...any) {
	d := hcllint.Diagnostic{Range: at, Message: fmt.Sprintf(format, args...)}
	if c.unused {
		d.Severity = hcllint.Warning
		d.Message += "; nothing uses this provider configuration"
	}
	c.out[rule] = append(c.out[rule], d)
}

// ofKit reports what only the kit of the provider refuses.
func (c *schemaChecker) ofKit(rule string, at addrs.Range, format string, args ...any) {
	c.report(rule, at, format, args...)
	if d := &c.out[rule][len(c.out[rule])-1]; c.later {
		d.Severity = hcllint.Warning
		d.Message += "; the provider says so once the values of these blocks are known"
	}
}

// body checks one body, and those nested in it.
func (c *schemaChecker) body(schema *hclconfig.BlockSchema, b *hclconfig.Body) {
	content := b.Content(specOf(schema, b))
	set := map[string]bool{}
	for _, a := range content.Arguments {
		set[a.Name] = true
		c.argument(schema.Attributes[a.Name], a)
	}
	for _, a := range content.Extra {
		if nested := schema.Blocks[a.Name]; nested != nil {
			c.report(unknownArgument, a.NameRange(), "%s is a block, not an argument", a.Name)
			set[a.Name] = true
			continue
		}
		c.report(unknownArgument, a.NameRange(), "there is no argument %q.%s", a.Name, hclsource.DidYouMean(a.Name, namesIn(schema)))
	}
	for _, n := range content.ExtraBlocks {
		if a, ok := schema.Attributes[n.Type]; ok {
			set[n.Type] = true
			if !asBlocks(a) {
				c.report(unknownArgument, n.TypeRange(), "%s is an argument, not a block", n.Type)
			}
			continue
		}
		c.report(unknownArgument, n.TypeRange(), "there is no block type %q.%s", n.Type, hclsource.DidYouMean(n.Type, namesIn(schema)))
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Attributes)) {
		if schema.Attributes[name].Required && !set[name] {
			c.report(missingArgument, hclsource.Missing(b, name).Subject, "the argument %q is required", name)
		}
	}
	c.blocks(schema, b, content)
}

// specOf returns the schema in the form that a body reads.
func specOf(schema *hclconfig.BlockSchema, b *hclconfig.Body) *hcl.BodySchema {
	spec := &hcl.BodySchema{}
	for name := range schema.Attributes {
		spec.Attributes = append(spec.Attributes, hcl.AttributeSchema{Name: name})
	}
	for name, nested := range schema.Blocks {
		h := hcl.BlockHeaderSchema{Type: name}
		if nested.Nesting == "map" {
			h.LabelNames = []string{"key"}
		}
		spec.Blocks = append(spec.Blocks, h)
	}
	return spec
}

// asBlocks reports whether an attribute may be written as blocks: a list or set of objects.
func asBlocks(a hclconfig.AttributeSchema) bool {
	return a.Nested == nil && (a.Type.IsListType() || a.Type.IsSetType()) && a.Type.ElementType().IsObjectType()
}

func namesIn(schema *hclconfig.BlockSchema) []string {
	if len(schema.Attributes)+len(schema.Blocks) > hclsource.MaxSuggested {
		return nil
	}
	return slices.Sorted(func(yield func(string) bool) {
		for name, a := range schema.Attributes {
			if (a.Optional || a.Required) && !yield(name) {
				return
			}
		}
		for name := range schema.Blocks {
			if !yield(name) {
				return
			}
		}
	})
}

// blocks checks the nested blocks of a body, and how many there are.
func (c *schemaChecker) blocks(schema *hclconfig.BlockSchema, b *hclconfig.Body, content *hclconfig.Content) {
	counts, dynamic := map[string]int{}, map[string]bool{}
	unknown := c.unknownIn(content.Blocks)
	defer func(later bool) { c.later = later }(c.later)
	outer := c.later
	for _, n := range content.Blocks {
		c.later = outer || unknown[n.Type] || hclsource.IsDynamic(n) && unknown[hclsource.Label(n, 0)]
		if hclsource.IsDynamic(n) {
			name := hclsource.Label(n, 0)
			empty := c.makesNone(n)
			dynamic[name] = dynamic[name] || !empty
			c.dynamic(schema, n, name, empty)
			continue
		}
		nested := schema.Blocks[n.Type]
		counts[n.Type]++
		if limit := limitOf(nested); limit > 0 && counts[n.Type] == limit+1 {
			c.report(blockCount, hclsource.DefRange(n), "there are more than %d blocks of type %q", limit, n.Type)
		}
		c.nested(nested, n)
	}
	c.later = outer
	for _, name := range slices.Sorted(maps.Keys(schema.Blocks)) {
		least := schema.Blocks[name].MinItems
		if schema.Blocks[name].Nesting == "single" && least == 0 && counts[name] == 0 && !dynamic[name] && b.Argument(name) == nil {
			c.absentBlock(schema.Blocks[name], name, hclsource.Missing(b, name).Subject)
		}
		if counts[name] < least && !dynamic[name] && b.Argument(name) == nil {
			c.report(blockCount, hclsource.Missing(b, name).Subject, "at least %d blocks of type %q are required", least, name)
		}
	}
}

// unknownIn returns the types of blocks of which SDK 2 does not know all values.
func (c *schemaChecker) unknownIn(blocks []*hclconfig.Block) map[string]bool {
	out := map[string]bool{}
	for _, n := range blocks {
		name := n.Type
		if hclsource.IsDynamic(n) {
			name = hclsource.Label(n, 0)
		}
		for a := range n.Body.AllArguments() {
			if c.sdk && !out[name] && !c.pass.Evaluate(a.Expression).Value.IsWhollyKnown() {
				out[name] = true
			}
		}
	}
	return out
}

// limitOf returns how many blocks there may be at most, or 0 if there is no limit.
func limitOf(schema *hclconfig.BlockSchema) int {
	if schema.Nesting == "single" || schema.Nesting == "group" {
		return 1
	}
	return schema.MaxItems
}

func (c *schemaChecker) nested(schema *hclconfig.BlockSchema, n *hclconfig.Block) {
	if schema.Deprecated {
		c.report(deprecated, hclsource.DefRange(n), "blocks of type %q are deprecated%s", n.Type, instead(schema.Message))
	}
	c.body(schema, &n.Body)
}

// dynamic checks the content of a dynamic block.
func (c *schemaChecker) dynamic(schema *hclconfig.BlockSchema, n *hclconfig.Block, name string, empty bool) {
	nested := schema.Blocks[name]
	if nested == nil {
		if a, ok := schema.Attributes[name]; len(n.Labels) > 0 && (!ok || !asBlocks(a)) {
			c.report(unknownArgument, n.LabelRange(0), "there is no block type %q.%s", name, hclsource.DidYouMean(name, namesIn(schema)))
		}
		return
	}
	if nested.Deprecated {
		c.report(deprecated, n.LabelRange(0), "blocks of type %q are deprecated%s", name, instead(nested.Message))
	}
	for inner := range n.Body.BlocksOfType("content") {
		if !empty {
			c.body(nested, &inner.Body)
		}
	}
}

// makesNone reports whether a dynamic block is known to make no block: the tools do not look at its content.
func (c *schemaChecker) makesNone(n *hclconfig.Block) bool {
	a := n.Body.Argument("for_each")
	if a == nil {
		return false
	}
	v, _ := c.pass.Evaluate(a.Expression).Value.UnmarkDeep()
	return v.IsKnown() && !v.IsNull() && v.CanIterateElements() && v.LengthInt() == 0
}
