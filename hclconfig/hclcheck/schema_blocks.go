// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/provschema"
)

// nestedBlocks checks the nested blocks of a body, and how many there are.
func (at *setting) nestedBlocks(schema *provschema.Block, b *hclconfig.Body, c *hclconfig.Content) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	counts := map[string]int{}
	// Behind a block that stands for an unknown number of blocks the programs look at no
	// more of the type.
	unknown, keys := map[string]bool{}, map[string]bool{}
	// count counts blocks that have this body, and reports the first one too many.
	count := func(name string, nested *provschema.Nested, n *hclconfig.Block, body *hclconfig.Body, more int) {
		limit := nested.Max
		if nested.Single() {
			limit = 1
		}
		had := counts[name]
		counts[name] += more
		switch {
		case limit == 0 || had > limit || counts[name] <= limit:
		case nested.Single():
			out = append(out, hclsource.ErrorAt(hclsource.DefRange(n), "Duplicate "+name+" block", "Only one block of type %q is allowed.", name))
		default:
			out = append(out, hclsource.ErrorAt(hclsource.Missing(body, "").Subject, "Too many "+name+" blocks", "No more than %d %q blocks are allowed.", limit, name))
		}
	}
	for _, n := range c.Blocks {
		if hclsource.IsDynamic(n) {
			name := hclsource.Label(n, 0)
			nested := nestedIn(schema, b, name)
			if nested == nil {
				if len(n.Labels) > 0 {
					out = append(out, hclsource.ErrorAt(n.LabelRange(0), "Unsupported block type", "Blocks of type %q are not expected here.%s", name, hclsource.DidYouMean(name, namesOf(schema))))
				}
				continue
			}
			if faults := checkLabels(nested, n); faults != nil {
				out = append(out, faults...)
				continue
			}
			made, others, diags := at.expand(n)
			out = append(out, diags...)
			if unknown[name] {
				continue
			}
			body := &n.Body
			for content := range n.Body.BlocksOfType("content") {
				body = &content.Body
				break
			}
			if len(made) > 0 && made[0].structure && !nested.Single() && !nested.IsAttribute {
				unknown[name] = true
				if nested.Nesting == provschema.Map {
					continue
				}
			} else {
				count(name, nested, n, body, len(made)+others)
			}
			for _, inner := range made {
				if key := name + " " + inner.label; nested.Nesting == provschema.Map && keys[key] {
					out = append(out, duplicateBlockAt(n, name))
				} else {
					keys[key] = true
				}
				before := len(out)
				if body != &n.Body {
					out = append(out, inner.bodyValues(nested.Block, body)...)
				}
				if out[before:].HasErrors() || nested.Single() {
					break // the others say the same
				}
			}
			continue
		}
		nested := nestedIn(schema, b, n.Type)
		if nested == nil || !fits(nested, n) || unknown[n.Type] {
			continue
		}
		if nested.Block.Deprecated {
			out = append(out, hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning, Summary: deprecatedBlock, Detail: fmt.Sprintf("The block type %q is deprecated.", n.Type), Subject: hclsource.DefRange(n)})
		}
		if at.structure && !nested.Single() && !nested.IsAttribute {
			unknown[n.Type] = true
			if nested.Nesting == provschema.Map {
				continue
			}
		} else {
			count(n.Type, nested, n, &n.Body, 1)
		}
		if key := n.Type + " " + hclsource.Label(n, 0); nested.Nesting == provschema.Map {
			if keys[key] {
				out = append(out, duplicateBlockAt(n, n.Type))
			}
			keys[key] = true
		}
		if counts[n.Type] == 1 || !nested.Single() {
			out = append(out, at.bodyValues(nested.Block, &n.Body)...)
		}
	}
	for name, nested := range schema.Blocks {
		if nested.Min > counts[name] && !unknown[name] {
			d := hclsource.Missing(b, name)
			d.Summary, d.Detail = "Insufficient "+name+" blocks", fmt.Sprintf("At least %d %q blocks are required.", nested.Min, name)
			if nested.Nesting == provschema.Single {
				d.Summary, d.Detail = "Missing "+name+" block", fmt.Sprintf("A block of type %q is required here.", name)
			}
			out = append(out, d)
		}
	}
	return out
}

// labels checks that a dynamic block has the labels that its blocks need.
func checkLabels(s *provschema.Nested, dynamic *hclconfig.Block) hclconfig.Diagnostics {
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
		return hclconfig.Diagnostics{hclsource.ErrorAt(a.Expression.Range(), "Insufficient dynamic block labels", "Blocks of type %q require 1 label(s).", hclsource.Label(dynamic, 0))}
	case len(elements) > 1:
		return hclconfig.Diagnostics{hclsource.ErrorAt(elements[1].Range(), "Extraneous dynamic block label", "Blocks of type %q require 1 label(s).", hclsource.Label(dynamic, 0))}
	}
	return nil
}

// attributeAt returns the attribute that a reference leads to, or nil. Like the
// programs, it passes over the keys of nested objects, also those that are names.
func attributeAt(s *provschema.Block, steps hcl.Traversal) *provschema.Attribute {
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
