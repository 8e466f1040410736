// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclschema"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/provschema"
)

// unsupported reports an argument that is not expected, in the words that the
// programs have for each syntax.
func unsupported(a *hclconfig.Argument, hint string) hclconfig.Diagnostic {
	// HCL, hclsyntax/structure.go: Body.Content.
	summary := "Unsupported argument"
	if a.Expression.File().Syntax() == hclconfig.JSONSyntax {
		// HCL, json/structure.go: body.Content.
		summary = "Extraneous JSON object property"
	}
	return hclsource.ErrorAt(a.NameRange(), summary, "An argument named %q is not expected here.%s", a.Name, hint)
}

// extra reports what a body has that is not expected there. The names are those of arguments and blocks, and of blocks.
func extra(c *hclconfig.Content, names, blocks []string) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	for _, a := range c.Extra {
		out = append(out, unsupported(a, hclsource.DidYouMean(a.Name, names)))
	}
	for _, n := range c.ExtraBlocks {
		hint := hclsource.DidYouMean(n.Type, blocks)
		// HCL, hclsyntax/structure.go: Body.Content has this hint in place of one about names.
		if slices.Contains(names, n.Type) && !slices.Contains(blocks, n.Type) {
			hint = fmt.Sprintf(" Did you mean to define argument %q? If so, use the equals sign to assign it a value.", n.Type)
		}
		// HCL, hclsyntax/structure.go: Body.Content.
		out = append(out, hclsource.ErrorAt(n.TypeRange(), "Unsupported block type", "Blocks of type %q are not expected here.%s", n.Type, hint))
	}
	return out
}

// A blockCounter checks the nested blocks of a body, and how many there are.
type blockCounter struct {
	at     *setting
	schema *provschema.Block
	body   *hclconfig.Body
	counts map[string]int
	// After a block that makes an unknown number of blocks the programs look at no
	// more of the type.
	unknown, keys map[string]bool
	out           hclconfig.Diagnostics
}

// nestedBlocks checks the nested blocks of a body, and how many there are.
func (at *setting) nestedBlocks(schema *provschema.Block, b *hclconfig.Body, c *hclconfig.Content) hclconfig.Diagnostics {
	n := blockCounter{at: at, schema: schema, body: b, counts: map[string]int{}, unknown: map[string]bool{}, keys: map[string]bool{}}
	for _, block := range c.Blocks {
		if hclsource.IsDynamic(block) {
			n.dynamic(block)
		} else {
			n.written(block)
		}
	}
	for name, nested := range schema.Blocks {
		if nested.Min > n.counts[name] && !n.unknown[name] {
			// HCL, hcldec/spec.go: BlockListSpec.decode, and BlockSpec.decode for a single block.
			d := hclsource.Missing(b, name)
			d.Summary, d.Detail = "Insufficient "+name+" blocks", fmt.Sprintf("At least %d %q blocks are required.", nested.Min, name)
			if nested.Nesting == provschema.Single {
				d.Summary, d.Detail = "Missing "+name+" block", fmt.Sprintf("A block of type %q is required here.", name)
			}
			n.out = append(n.out, d)
		}
	}
	return n.out
}

// count counts blocks that have this body, and reports the first one too many.
func (c *blockCounter) count(name string, nested *provschema.Nested, n *hclconfig.Block, body *hclconfig.Body, more int) {
	// HCL, hcldec/spec.go: BlockSpec.decode and BlockListSpec.decode.
	limit := nested.Max
	if nested.Single() {
		limit = 1
	}
	had := c.counts[name]
	c.counts[name] += more
	switch {
	case limit == 0 || had > limit || c.counts[name] <= limit:
	case nested.Single():
		c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(n), "Duplicate "+name+" block", "Only one block of type %q is allowed.", name))
	default:
		c.out = append(c.out, hclsource.ErrorAt(hclsource.Missing(body, "").Subject, "Too many "+name+" blocks", "No more than %d %q blocks are allowed", limit, name))
	}
}

// counted counts blocks of a type, or notes that their number is not known. It reports
// whether to go on with them.
func (c *blockCounter) counted(name string, nested *provschema.Nested, n *hclconfig.Block, body *hclconfig.Body, more int, structure bool) bool {
	// HCL, ext/dynblock/unknown_body.go. One body of unknown values stands for all blocks, however many there will be.
	if !structure || nested.Single() || nested.IsAttribute {
		c.count(name, nested, n, body, more)
		return true
	}
	c.unknown[name] = true
	return nested.Nesting != provschema.Map
}

// key notes the key of a block that has one, and reports one that is there twice.
func (c *blockCounter) key(name, key string, nested *provschema.Nested, n *hclconfig.Block) {
	if nested.Nesting != provschema.Map {
		return
	}
	// HCL, hcldec/spec.go: BlockMapSpec.decode.
	if c.keys[name+" "+key] {
		c.out = append(c.out, duplicateBlockAt(n, name))
	}
	c.keys[name+" "+key] = true
}

// dynamic checks the blocks that a dynamic block makes.
func (c *blockCounter) dynamic(n *hclconfig.Block) {
	name := hclsource.Label(n, 0)
	nested := hclschema.Nested(c.schema, c.body, name)
	if nested == nil {
		// HCL, hclsyntax/structure.go: Body.Content.
		c.out = append(c.out, hclsource.ErrorAt(n.LabelRange(0), "Unsupported block type", "Blocks of type %q are not expected here.", name)) // as dynblock says, without a suggestion
		return
	}
	// HCL, ext/dynblock/expand_spec.go: expandBody.decodeSpec looks at the labels before the content.
	if faults := checkLabels(nested, n); faults != nil {
		if made := madeOf(n); made != nil && n.Body.Argument("labels") != nil && nested.Nesting == provschema.Map {
			faults = made // how many labels there are comes later
		} else {
			faults = append(faults, made...)
		}
		c.out = append(c.out, faults...)
		return
	}
	made, others, diags := c.at.expand(n)
	c.out = append(c.out, diags...)
	if c.unknown[name] {
		return
	}
	body := cmp.Or(contentOf(n), &n.Body)
	if !c.counted(name, nested, n, body, len(made)+others, len(made) > 0 && made[0].structure) {
		return
	}
	for _, inner := range made {
		c.key(name, inner.label, nested, n)
		inner.inBlock, inner.unplaced = true, true
		faults := inner.bodyValues(nested.Block, body)
		if c.out = append(c.out, faults...); faults.HasErrors() || nested.Single() {
			return // the others say the same
		}
	}
}

// written checks a block that is written down.
func (c *blockCounter) written(n *hclconfig.Block) {
	nested := hclschema.Nested(c.schema, c.body, n.Type)
	if nested == nil || !hclschema.Fits(nested, n) || c.unknown[n.Type] {
		return
	}
	if !c.counted(n.Type, nested, n, &n.Body, 1, c.at.structure) {
		return
	}
	c.key(n.Type, hclsource.Label(n, 0), nested, n)
	// Of a single block the first one is decoded, and the others are one too many.
	if c.counts[n.Type] == 1 || !nested.Single() {
		inner := *c.at
		inner.inBlock, inner.unplaced, inner.reached = true, inner.unplaced || nested.Nesting == provschema.Set, &n.Body
		c.out = append(c.out, inner.bodyValues(nested.Block, &n.Body)...)
	}
}

// labels checks that a dynamic block has the labels that its blocks need.
func checkLabels(s *provschema.Nested, dynamic *hclconfig.Block) hclconfig.Diagnostics {
	// HCL, ext/dynblock/schema.go: dynamicBlockBodySchemaLabels. Blocks by key have one label, all others of a schema have
	// none.
	a := dynamic.Body.Argument("labels")
	switch {
	case a == nil && s.Nesting == provschema.Map:
		return hclconfig.Diagnostics{hclsource.Missing(&dynamic.Body, "labels")}
	case a == nil:
		return nil
	case s.Nesting != provschema.Map:
		return hclconfig.Diagnostics{unsupported(a, "")}
	}
	elements, ok := a.Expression.Elements()
	switch {
	case ok && len(elements) == 0:
		// HCL, ext/dynblock/expand_spec.go: expandBody.decodeSpec.
		return hclconfig.Diagnostics{hclsource.ErrorAt(a.Expression.Range(), "Insufficient dynamic block labels", "Blocks of type %q require 1 label(s).", hclsource.Label(dynamic, 0))}
	case len(elements) > 1:
		return hclconfig.Diagnostics{hclsource.ErrorAt(elements[1].Range(), "Extraneous dynamic block label", "Blocks of type %q require 1 label(s).", hclsource.Label(dynamic, 0))}
	}
	return nil
}
