// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// A body is an hcl.Body.
type body struct {
	b *hclconfig.Body
	// hidden and hiddenBlocks have the names that a partial content has taken.
	hidden, hiddenBlocks map[string]bool
}

// Content implements hcl.Body.
func (b *body) Content(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
	out, rest, diags := b.content(schema)
	for _, a := range rest.Extra {
		if !b.hidden[a.Name] {
			diags = append(diags, problem("Unsupported argument", fmt.Sprintf("An argument named %q is not expected here.", a.Name), a.NameRange()))
		}
	}
	for _, n := range rest.ExtraBlocks {
		if !b.hiddenBlocks[n.Type] {
			diags = append(diags, problem("Unsupported block type", fmt.Sprintf("Blocks of type %q are not expected here.", n.Type), n.TypeRange()))
		}
	}
	return out, diags
}

// PartialContent implements hcl.Body.
func (b *body) PartialContent(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Body, hcl.Diagnostics) {
	out, _, diags := b.content(schema)
	rest := &body{b: b.b, hidden: map[string]bool{}, hiddenBlocks: map[string]bool{}}
	maps.Copy(rest.hidden, b.hidden)
	maps.Copy(rest.hiddenBlocks, b.hiddenBlocks)
	for _, a := range schema.Attributes {
		rest.hidden[a.Name] = true
	}
	for _, t := range schema.Blocks {
		rest.hiddenBlocks[t.Type] = true
		if b.isJSON() {
			rest.hidden[t.Type] = true
		}
	}
	return out, rest, diags
}

// content returns what the schema knows, and all that there is.
func (b *body) content(schema *hcl.BodySchema) (*hcl.BodyContent, *hclconfig.Content, hcl.Diagnostics) {
	c := b.b.Content(schema)
	out := &hcl.BodyContent{Attributes: hcl.Attributes{}, MissingItemRange: b.MissingItemRange()}
	for _, a := range c.Arguments {
		if !b.hidden[a.Name] {
			out.Attributes[a.Name] = attribute(a)
		}
	}
	wantsDynamic := slices.ContainsFunc(schema.Blocks, func(t hcl.BlockHeaderSchema) bool { return t.Type == "dynamic" })
	for _, n := range c.Blocks {
		switch {
		case b.hiddenBlocks[n.Type]:
		case n.Type == "dynamic" && !wantsDynamic:
			c.ExtraBlocks = append(c.ExtraBlocks, n)
		default:
			out.Blocks = append(out.Blocks, block(n))
		}
	}
	// An argument that should be a block is one that the schema does not know.
	unknown := map[int64]bool{}
	for _, a := range c.Extra {
		unknown[a.NameRange().Start.Offset] = !b.isJSON()
	}
	var diags hcl.Diagnostics
	for _, d := range c.Diagnostics {
		if unknown[d.Subject.Start.Offset] {
			continue
		}
		diags = append(diags, problem(d.Summary, d.Detail, d.Subject))
	}
	return out, c, diags
}

func (b *body) isJSON() bool { return b.b.File().Syntax() == hclconfig.JSONSyntax }

// JustAttributes implements hcl.Body.
func (b *body) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	out := hcl.Attributes{}
	var diags hcl.Diagnostics
	for i := range b.b.Arguments {
		if a := &b.b.Arguments[i]; !b.hidden[a.Name] && out[a.Name] == nil {
			out[a.Name] = attribute(a)
		}
	}
	for i := range b.b.Blocks {
		if n := &b.b.Blocks[i]; !b.isJSON() || !b.hiddenBlocks[n.Type] {
			diags = append(diags, problem(fmt.Sprintf("Unexpected %q block", n.Type), "Blocks are not allowed here.", n.TypeRange()))
			break
		}
	}
	return out, diags
}

// MissingItemRange implements hcl.Body.
func (b *body) MissingItemRange() hcl.Range {
	r := rangeOf(b.b.Range())
	r.Start = r.End
	return r
}

func attribute(a *hclconfig.Argument) *hcl.Attribute {
	return &hcl.Attribute{Name: a.Name, Expr: Expression(a.Expression), Range: rangeOf(a.Range()), NameRange: rangeOf(a.NameRange())}
}

func block(n *hclconfig.Block) *hcl.Block {
	out := &hcl.Block{Type: n.Type, Labels: n.Labels, Body: Body(&n.Body), DefRange: rangeOf(n.DefRange()), TypeRange: rangeOf(n.TypeRange())}
	for i := range n.Labels {
		out.LabelRanges = append(out.LabelRanges, rangeOf(n.LabelRange(i)))
	}
	return out
}

func problem(summary, detail string, at addrs.Range) *hcl.Diagnostic {
	r := rangeOf(at)
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &r}
}
