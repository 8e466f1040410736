// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// Body returns b as an hcl.Body, which HCL's own parser makes from the text of b: in
// native syntax an *[hclsyntax.Body]. So the caller's schema alone selects arguments and
// blocks, and places and diagnostics are HCL's. A body that hclconfig.Body.Own or
// hclconfig.Resource.Config made has only what is in b; override files are merged as
// the tools do. For nil, the result is an empty body.
//
// Each call parses the text. The bodies of nested blocks come with their parent.
func Body(b *hclconfig.Body) hcl.Body {
	parts := b.From()
	if len(parts) == 0 {
		return textBody(b)
	}
	out := own(parts[0])
	for _, p := range parts[1:] {
		out = &merged{base: out, override: own(p)}
	}
	return out
}

// File returns f as an hcl.File, as HCL's own parser makes it: with its Body, the text,
// and what hcl.NewDiagnosticTextWriter, AttributeAtPos and similar functions need. Its
// Body is that of the function [Body]. The faults of the text are in f.Diagnostics. For
// nil, the result is empty.
func File(f *hclconfig.File) *hcl.File {
	if f == nil {
		return &hcl.File{Body: hcl.EmptyBody()}
	}
	if f.Syntax() == hclconfig.NativeSyntax {
		out, _ := hcllex.ParseConfig(f.Bytes(), f.Filename(), hcl.InitialPos)
		return out
	}
	return parseJSON(f, f.Bytes(), hcl.InitialPos)
}

// textBody parses a body that is in the text of its file as it is.
func textBody(b *hclconfig.Body) hcl.Body {
	f := b.File()
	if f == nil {
		return hcl.EmptyBody()
	}
	at := rangeOf(b.Range())
	if b == f.Body() {
		return File(f).Body
	}
	src := f.Bytes()[at.Start.Byte:at.End.Byte]
	if f.Syntax() == hclconfig.JSONSyntax {
		return parseJSON(f, src, at.Start).Body
	}
	// The braces make a body only behind the type of a block. There is one, so the
	// column in front of them exists.
	start := hcl.Pos{Line: at.Start.Line, Column: at.Start.Column - 1, Byte: at.Start.Byte - 1}
	out, _ := hcllex.ParseConfig(append([]byte("b"), src...), at.Filename, start)
	if root := out.Body.(*hclsyntax.Body); len(root.Blocks) > 0 {
		return root.Blocks[0].Body
	}
	return &hclsyntax.Body{SrcRange: at, EndRange: hcl.Range{Filename: at.Filename, Start: at.End, End: at.End}}
}

// parseJSON parses the text of a JSON file, or of an object in it. HCL's parser and
// evaluator recurse: what is too deep for them is not given to them.
func parseJSON(f *hclconfig.File, src []byte, start hcl.Pos) *hcl.File {
	if f.Err() != nil && bytes.Count(src, []byte("["))+bytes.Count(src, []byte("{")) > jsonscan.MaxDepth {
		at := hcl.Range{Filename: f.Filename(), Start: start, End: start}
		return &hcl.File{Body: &hclsyntax.Body{SrcRange: at, EndRange: at}, Bytes: src}
	}
	out, _ := json.ParseWithStartPos(src, f.Filename(), start)
	if template, code := tooDeep(src); template || code {
		out.Body = &guarded{out.Body, f.Bytes()}
	}
	return out
}

// A guarded body is one of a JSON file in which a string nests too deeply for HCL.
type guarded struct {
	hcl.Body
	src []byte // of the file
}

func (g *guarded) Content(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
	c, diags := g.Body.Content(schema)
	return g.guard(c), diags
}

func (g *guarded) PartialContent(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Body, hcl.Diagnostics) {
	c, rest, diags := g.Body.PartialContent(schema)
	return g.guard(c), &guarded{rest, g.src}, diags
}

func (g *guarded) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	attrs, diags := g.Body.JustAttributes()
	return g.attributes(attrs), diags
}

func (g *guarded) guard(c *hcl.BodyContent) *hcl.BodyContent {
	g.attributes(c.Attributes)
	for _, b := range c.Blocks {
		b.Body = &guarded{b.Body, g.src}
	}
	return c
}

func (g *guarded) attributes(attrs hcl.Attributes) hcl.Attributes {
	for _, a := range attrs {
		at := a.Expr.Range()
		a.Expr = guardJSON(a.Expr, g.src[at.Start.Byte:at.End.Byte])
	}
	return attrs
}
