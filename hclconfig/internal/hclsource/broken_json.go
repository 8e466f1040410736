// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// MaxBrokenJSON is the size of the largest broken file that HCL is asked about: its
// reader does not limit how deep values may be.
const MaxBrokenJSON = 1 << 16

// BrokenJSON returns what the programs say of a file that is no JSON: the faults of the text,
// and those of the blocks that they nevertheless read, where a broken value is one of a wrong
// type.
func BrokenJSON(f *hclconfig.File) hclconfig.Diagnostics {
	read, diags := json.Parse(f.Bytes(), f.Filename())
	if !diags.HasErrors() {
		return nil
	}
	b := brokenBlocks{f.Dialect()}
	if read != nil && read.Body != nil {
		diags = append(diags, b.faults(read.Body, RootOf(f).Spec)...)
	}
	return Piece{File: f}.Diagnostics(diags)
}

type brokenBlocks struct{ dialect hclconfig.Dialect }

// faults returns those in the structure of a body and of the blocks in it.
func (b brokenBlocks) faults(body hcl.Body, spec *hcllang.Block) hcl.Diagnostics {
	// HCL, json/structure.go: body.JustAttributes takes each property for an argument.
	if spec.OnlyArguments() || spec.Rest == hcllang.RestIgnored {
		_, diags := body.JustAttributes()
		return diags
	}
	var schema hcl.BodySchema
	for _, a := range spec.Args {
		if a.Since == (hcllang.Support{}) || Has(b.dialect, a.Since) {
			schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: a.Name, Required: a.Required})
		}
	}
	for _, n := range spec.Blocks {
		if n.Since == (hcllang.Support{}) || Has(b.dialect, n.Since) {
			schema.Blocks = append(schema.Blocks, hcl.BlockHeaderSchema{Type: n.Name, LabelNames: n.Labels})
		}
	}
	var content *hcl.BodyContent
	var diags hcl.Diagnostics
	if spec.Rest == hcllang.RestNone {
		content, diags = body.Content(&schema)
	} else {
		content, _, diags = body.PartialContent(&schema)
	}
	for _, n := range content.Blocks {
		diags = append(diags, b.faults(n.Body, spec.Lookup(n.Type).Block)...)
	}
	return diags
}
