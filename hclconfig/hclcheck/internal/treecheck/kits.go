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
	"github.com/tofuwire/tofuwire/internal/ctyconv"
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
	at   *setting
	all  bool // not only what is deprecated
	root *hclconfig.Body
	out  hclconfig.Diagnostics
}

// A kitPath is where a kit says that something is. Elements of sets have no paths: what is in one is where the set is.
type kitPath struct {
	text  string
	steps cty.Path
	ends  bool
}

func (p kitPath) attribute(name string) kitPath {
	p.text = strings.TrimPrefix(p.text+"."+name, ".")
	if !p.ends {
		p.steps = p.steps.Copy().GetAttr(name)
	}
	return p
}

func (p kitPath) element(key cty.Value, nesting string) kitPath {
	if p.ends = p.ends || nesting == provschema.Set; p.ends {
		p.text += "[...]"
		return p
	}
	p.text += "[" + keyText(key) + "]"
	p.steps = p.steps.Copy().Index(key)
	return p
}

// kitFaults returns what the provider's kit says about a block without errors. Without
// Validation.Kits that is what is deprecated in it.
func (at *setting) kitFaults(p *provschema.Provider, schema *provschema.Block, b *hclconfig.Body, isSDK bool) hclconfig.Diagnostics {
	if !at.m.check.hasKit(p) {
		return nil
	}
	k := kitChecker{kit: framework, at: at, all: at.m.check.kits, root: b}
	if isSDK {
		k.kit = sdk
	}
	// As recorded of both kits: testdata/kits.txt.
	if schema.Deprecated && k.all { // as the providers say it
		k.warn(k.deprecatedType, schema.Message, "It is deprecated.", hclsource.Missing(b, "").Subject)
	}
	if k.all || hclschema.Deprecates(schema) { // the values need not be known otherwise
		k.body(schema, b, kitPath{})
	}
	return k.out
}

// hasKit reports whether a kit may have made a provider.
func (c *treeChecker) hasKit(p *provschema.Provider) bool {
	has, known := c.madeWithKit[p]
	if !known {
		has = p != hclschema.BuiltIn().Schemas && p.HasKit()
		c.madeWithKit[p] = has
	}
	return has
}

func (k *kitChecker) warn(summary, message, otherwise string, at addrs.Range) {
	if message == "" {
		message = otherwise
	}
	k.out = append(k.out, hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning, Summary: summary, Detail: message, Subject: at})
}

func (k *kitChecker) fail(summary string, path kitPath, format string, args ...any) {
	if k.all {
		k.out = append(k.out, hclsource.ErrorAt(k.place(path), summary, format, args...))
	}
}

// body checks a body that is at a path.
func (k *kitChecker) body(schema *provschema.Block, b *hclconfig.Body, path kitPath) {
	c := hclschema.Content(schema, b)
	for _, a := range c.Arguments {
		s := schema.Attributes[a.Name]
		v, diags := k.at.evaluate(a.Expression, false)
		if diags.HasErrors() || s == nil {
			continue
		}
		v, _ = v.UnmarkDeep()
		if v, err := ctyconv.Convert(v, s.Type); err == nil {
			k.attribute(s, path.attribute(a.Name), v)
			// SDK 2.40.1, helper/schema/schema.go: schemaMap.validateObject. The SDK adds the id to the schema that it
			// sends, and has none in its own.
			if k.id != "" && b == k.root && a.Name == "id" && !v.IsNull() {
				k.fail(k.id, path.attribute("id"), "Only the provider sets the id.")
			}
		}
	}
	found, skipped := map[string]int{}, map[string]bool{}
	for _, n := range c.Blocks {
		// SDK 2.40.1, helper/schema/schema.go: schemaMap.validateList. It cannot tell what a dynamic block has made, so it
		// waits until everything in the list is known.
		if nested := schema.Blocks[hclschema.BlockType(n)]; nested != nil && k.kit == sdk && !skipped[hclschema.BlockType(n)] {
			skipped[hclschema.BlockType(n)] = !k.isKnown(nested.Block, n)
		}
	}
	for _, n := range c.Blocks {
		name := hclschema.BlockType(n)
		at := path.attribute(name)
		nested := schema.Blocks[name]
		if nested == nil {
			continue
		}
		if nested.Block.Deprecated {
			k.warn(k.deprecatedBlock, nested.Block.Message, fmt.Sprintf("The block type %q is deprecated.", name), k.place(at))
		}
		if skipped[name] {
			found[name]++
			continue
		}
		if hclsource.IsDynamic(n) {
			found[name] += max(k.dynamic(nested, n, at, found[name]), 1)
			continue
		}
		k.body(nested.Block, &n.Body, at.block(nested, found[name]))
		found[name]++
	}
	// Plugin framework 1.19.0, internal/fwserver/block_validation.go: BlockValidate looks at a single block also if that
	// is null.
	for _, name := range slices.Sorted(maps.Keys(schema.Blocks)) {
		if n := schema.Blocks[name]; found[name] == 0 && n.Nesting == provschema.Single && b.Argument(name) == nil {
			k.absent(n.Block, path.attribute(name))
		}
	}
}

// isKnown reports whether all values in a block, or in those that a dynamic block makes, are known: SDK 2 looks into no
// blocks of a type otherwise.
func (k *kitChecker) isKnown(schema *provschema.Block, n *hclconfig.Block) bool {
	if !hclsource.IsDynamic(n) {
		return k.knows(schema, &n.Body)
	}
	// A number of blocks that is not known is a value that is not known.
	made, _, diags := k.at.expand(n)
	if diags.HasErrors() {
		return false
	}
	for _, inner := range made {
		one := *k
		one.at = inner
		if inner.structure || !one.knows(schema, contentOf(n)) {
			return false
		}
	}
	return true
}

// knows is isKnown for a body.
func (k *kitChecker) knows(schema *provschema.Block, b *hclconfig.Body) bool {
	c := hclschema.Content(schema, b)
	for _, a := range c.Arguments {
		if v, _ := k.at.evaluate(a.Expression, false); !v.IsWhollyKnown() {
			return false
		}
	}
	for _, n := range c.Blocks {
		if nested := schema.Blocks[hclschema.BlockType(n)]; nested != nil && !k.isKnown(nested.Block, n) {
			return false
		}
	}
	return true
}

// block returns the path of a block from that of its type, of which it is the i-th.
func (p kitPath) block(nested *provschema.Nested, i int) kitPath {
	if nested.Single() {
		return p
	}
	return p.element(cty.NumberIntVal(int64(i)), nested.Nesting)
}

// dynamic checks the blocks that a dynamic block makes, of which the first is the i-th of its type, and returns how many
// there are.
func (k *kitChecker) dynamic(nested *provschema.Nested, n *hclconfig.Block, path kitPath, i int) int {
	made, others, diags := k.at.expand(n)
	if diags.HasErrors() {
		return 0
	}
	// The iterators are those of the block inside of it, and no longer after it.
	outer := k.at
	for j, inner := range made {
		if inner.structure {
			continue
		}
		k.at = inner
		before := len(k.out)
		k.body(nested.Block, contentOf(n), path.block(nested, i+j))
		if len(k.out) > before {
			break // the others say the same
		}
	}
	k.at = outer
	if len(made) == 0 && nested.Nesting == provschema.Single {
		k.absent(nested.Block, path)
	}
	return len(made) + others
}

// absent checks a single block that is not there: the framework looks at what is required in it.
func (k *kitChecker) absent(schema *provschema.Block, path kitPath) {
	for _, name := range slices.Sorted(maps.Keys(schema.Attributes)) {
		if schema.Attributes[name].Required {
			k.fail(k.required, path.attribute(name), "The attribute %s.%s must be set: a block %[1]q is required.", path.text, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Blocks)) {
		if n := schema.Blocks[name]; n.Nesting == provschema.Single {
			k.absent(n.Block, path.attribute(name))
		}
	}
}

// attribute checks a value.
func (k *kitChecker) attribute(s *provschema.Attribute, path kitPath, v cty.Value) {
	if v.IsNull() {
		if s.Required {
			k.fail(k.required, path, "The attribute %s must not be null.", path.text)
		}
		return
	}
	// Plugin framework 1.19.0, internal/fwserver/attribute_validation.go: AttributeValidate; SDK 2.40.1,
	// helper/schema/schema.go: schemaMap.validate.
	if s.Computed && !s.Optional {
		k.fail(k.readOnly, path, "The provider sets the attribute %s: it cannot be configured.", path.text)
		if k.kit == sdk {
			return // it says no more of the attribute
		}
	}
	// Plugin framework 1.19.0, internal/fwserver/attribute_validation.go: AttributeValidate; SDK 2.40.1,
	// helper/schema/schema.go: schemaMap.validateType. A value that is not known may turn out to be null.
	if s.Deprecated && v.IsKnown() {
		k.warn(k.deprecated, s.Message, fmt.Sprintf("The argument %q is deprecated.", path.text), k.place(path))
	}
	if s.Nested == nil || !v.IsKnown() {
		return
	}
	if s.Nested.Nesting == provschema.Single || s.Nested.Nesting == provschema.Group {
		k.object(s.Nested, path, v)
		return
	}
	if !v.CanIterateElements() {
		return
	}
	for it := v.ElementIterator(); it.Next(); {
		key, element := it.Element()
		k.object(s.Nested, path.element(key, s.Nested.Nesting), element)
	}
}

func keyText(key cty.Value) string {
	if key.Type() == cty.String {
		return fmt.Sprintf("%q", key.AsString())
	}
	return key.AsBigFloat().String()
}

// object checks the attributes of an object, which are null if it is.
func (k *kitChecker) object(s *provschema.Parts, path kitPath, v cty.Value) {
	if !v.IsKnown() {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.Attributes)) {
		// Plugin framework 1.19.0, internal/fwserver/attribute_validation.go: NestedAttributeObjectValidate goes into null elements.
		inner := cty.NullVal(cty.DynamicPseudoType)
		if !v.IsNull() && v.Type().IsObjectType() && v.Type().HasAttribute(name) {
			inner = v.GetAttr(name)
		}
		if s.Attributes[name] != nil {
			k.attribute(s.Attributes[name], path.attribute(name), inner)
		}
	}
}

// place returns where the programs place what is at a path: they look for blocks on the way and for an argument at its
// end, and pass over what they do not find. In JSON each property may be a block. Blocks that a dynamic block makes are
// not found.
//
// OpenTofu 1.12.6, internal/tfdiags/contextual.go: attributeDiagnostic.ElaborateFromConfigBody.
func (k *kitChecker) place(path kitPath) addrs.Range {
	steps, b := path.steps, k.root
	if len(steps) > 1 {
		b = hclschema.BodyAt(k.root, steps)
	}
	name, ok := steps[len(steps)-1].(cty.GetAttrStep)
	if a := b.Argument(name.Name); ok && a != nil {
		return a.Expression.Range()
	}
	return hclsource.Missing(b, "").Subject
}
