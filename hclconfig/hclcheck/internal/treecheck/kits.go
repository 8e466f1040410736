// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
)

// A kit is a library that providers are made with. What it says about a configuration the programs
// pass on; the schema is enough to know it.
//
// As recorded of plugin framework 1.19.0 and SDK 2.40.1 by both programs: testdata/kits.txt.
type kit struct{ readOnly, required, deprecated, deprecatedBlock, deprecatedType, id string }

var (
	framework = kit{"Invalid Configuration for Read-Only Attribute", "Missing Configuration for Required Attribute", "Attribute Deprecated", "Block Deprecated", "Deprecated", ""}
	sdk       = kit{"Value for unconfigurable attribute", "Missing required argument", "Argument is deprecated", "Argument is deprecated", "Deprecated Resource", "Invalid or unknown key"}
)

// A kitChecker makes the checks of a kit in one block.
type kitChecker struct {
	kit
	at  *setting
	all bool // not only what is deprecated
	// whole is where the programs place what is not at an argument of the block or of a block in a list.
	whole addrs.Range
	root  *hclconfig.Body
	out   hclconfig.Diagnostics
}

// kitFaults returns what the provider's kit says about a block without errors. Without
// Validation.Kits that is what is deprecated in it.
func (at *setting) kitFaults(p *provschema.Provider, schema *provschema.Block, b *hclconfig.Body, isSDK bool) hclconfig.Diagnostics {
	if !at.m.check.hasKit(p) {
		return nil
	}
	k := kitChecker{kit: framework, at: at, all: at.m.check.kits, whole: hclsource.Missing(b, "").Subject, root: b}
	if isSDK {
		k.kit = sdk
	}
	if schema.Deprecated && k.all { // as the providers say it
		k.warn(k.deprecatedType, schema.Message, "It is deprecated.", k.whole)
	}
	if k.all || deprecates(schema) { // the values need not be known otherwise
		k.body(schema, b, true)
	}
	return k.out
}

// hasKit reports whether a kit may have made a provider.
func (c *treeChecker) hasKit(p *provschema.Provider) bool {
	has, known := c.madeWithKit[p]
	if !known {
		has = p != builtIn().schemas && p.HasKit()
		if c.madeWithKit == nil {
			c.madeWithKit = map[*provschema.Provider]bool{}
		}
		c.madeWithKit[p] = has
	}
	return has
}

// deprecates reports whether something in a block is deprecated.
func deprecates(schema *provschema.Block) bool {
	if anyDeprecated(schema.Attributes) {
		return true
	}
	for _, n := range schema.Blocks {
		if n.Block != nil && (n.Block.Deprecated || deprecates(n.Block)) {
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

// asksProvider reports whether the program asks the provider about a block with such errors:
// Terraform looks for ephemeral values after that.
func (c *treeChecker) asksProvider(found hclconfig.Diagnostics) bool {
	return c.dialect == hcllang.Terraform && !slices.ContainsFunc(found, func(d hclconfig.Diagnostic) bool { return isError(d) && d.Summary != ephemeralInTerraform })
}

func (k *kitChecker) warn(summary, message, otherwise string, at addrs.Range) {
	if message == "" {
		message = otherwise
	}
	k.out = append(k.out, hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning, Summary: summary, Detail: message, Subject: at})
}

func (k *kitChecker) fail(summary string, at addrs.Range, format string, args ...any) {
	if k.all {
		k.out = append(k.out, hclsource.ErrorAt(at, summary, format, args...))
	}
}

// body checks a body. It has places of its own unless it is in a set, or one that a dynamic block
// makes.
func (k *kitChecker) body(schema *provschema.Block, b *hclconfig.Body, placed bool) {
	c := contentOf(schema, b)
	for _, a := range c.Arguments {
		s := schema.Attributes[a.Name]
		v, diags := k.at.evaluate(a.Expression, false)
		if diags.HasErrors() || s == nil {
			continue
		}
		v, _ = v.UnmarkDeep()
		if v, err := ctyconv.Convert(v, s.Type); err == nil {
			at := k.whole
			if placed {
				at = a.Expression.Range()
			}
			k.attribute(s, a.Name, v, at, k.whole)
			if k.id != "" && b == k.root && a.Name == "id" && !v.IsNull() {
				k.fail(k.id, at, "Only the provider sets the id.")
			}
		}
	}
	found := map[string]bool{}
	for _, n := range c.Blocks {
		name := n.Type
		if hclsource.IsDynamic(n) {
			name = hclsource.Label(n, 0)
		}
		found[name] = true
		nested := schema.Blocks[name]
		if nested == nil {
			continue
		}
		if nested.Block.Deprecated {
			at := k.whole
			if a := b.Argument(name); a != nil && b == k.root {
				at = a.Expression.Range() // in JSON the programs find that
			}
			k.warn(k.deprecatedBlock, nested.Block.Message, fmt.Sprintf("The block type %q is deprecated.", name), at)
		}
		if !hclsource.IsDynamic(n) {
			k.body(nested.Block, &n.Body, placed && nested.Nesting != provschema.Set)
			continue
		}
		k.dynamic(nested, n)
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Blocks)) {
		if n := schema.Blocks[name]; !found[name] && n.Nesting == provschema.Single && b.Argument(name) == nil {
			k.absent(n.Block, name)
		}
	}
}

// dynamic checks the blocks that a dynamic block makes.
func (k *kitChecker) dynamic(nested *provschema.Nested, n *hclconfig.Block) {
	made, _, diags := k.at.expand(n)
	if diags.HasErrors() {
		return
	}
	outer := k.at
	for _, inner := range made {
		if inner.structure {
			continue
		}
		k.at = inner
		before := len(k.out)
		for content := range n.Body.BlocksOfType("content") {
			k.body(nested.Block, &content.Body, false)
		}
		if len(k.out) > before {
			break // the others say the same
		}
	}
	k.at = outer
	if len(made) == 0 && nested.Nesting == provschema.Single {
		k.absent(nested.Block, hclsource.Label(n, 0))
	}
}

// absent checks a single block that is not there: the framework looks at what is required in it.
func (k *kitChecker) absent(schema *provschema.Block, path string) {
	for _, name := range slices.Sorted(maps.Keys(schema.Attributes)) {
		if schema.Attributes[name].Required {
			k.fail(k.required, k.whole, "The attribute %s.%s must be set: a block %[1]q is required.", path, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Blocks)) {
		if n := schema.Blocks[name]; n.Nesting == provschema.Single {
			k.absent(n.Block, path+"."+name)
		}
	}
}

// attribute checks a value. inside is where the parts of it are placed.
func (k *kitChecker) attribute(s *provschema.Attribute, path string, v cty.Value, at, inside addrs.Range) {
	if v.IsNull() {
		if s.Required {
			k.fail(k.required, at, "The attribute %s must not be null.", path)
		}
		return
	}
	if s.Computed && !s.Optional {
		k.fail(k.readOnly, at, "The provider sets the attribute %s: it cannot be configured.", path)
	}
	if s.Deprecated && v.IsKnown() {
		k.warn(k.deprecated, s.Message, fmt.Sprintf("The argument %q is deprecated.", path), at)
	}
	if s.Nested == nil || !v.IsKnown() {
		return
	}
	inner := inside
	if s.Nested.Nesting == provschema.Set {
		inner = at // elements of sets have no paths
	}
	if s.Nested.Nesting == provschema.Single || s.Nested.Nesting == provschema.Group {
		k.object(s.Nested, path, v, inner)
		return
	}
	if !v.CanIterateElements() {
		return
	}
	for it := v.ElementIterator(); it.Next(); {
		key, element := it.Element()
		name := path + "[...]"
		if s.Nested.Nesting != provschema.Set {
			name = path + "[" + keyText(key) + "]"
		}
		k.object(s.Nested, name, element, inner)
	}
}

func keyText(key cty.Value) string {
	if key.Type() == cty.String {
		return fmt.Sprintf("%q", key.AsString())
	}
	return key.AsBigFloat().String()
}

// object checks the attributes of an object, which are null if it is.
func (k *kitChecker) object(s *provschema.Parts, path string, v cty.Value, at addrs.Range) {
	if !v.IsKnown() {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.Attributes)) {
		inner := cty.NullVal(cty.DynamicPseudoType)
		if !v.IsNull() && v.Type().IsObjectType() && v.Type().HasAttribute(name) {
			inner = v.GetAttr(name)
		}
		if s.Attributes[name] != nil {
			k.attribute(s.Attributes[name], path+"."+name, inner, at, at)
		}
	}
}
