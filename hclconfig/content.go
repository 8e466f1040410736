// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"iter"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A Content is a body split into arguments and blocks by a schema.
type Content struct {
	// Arguments and Blocks are those that the schema has, each in the order of
	// the text. If an argument occurs twice, the first is kept.
	Arguments []*Argument
	Blocks    []*Block
	// Extra has the arguments and properties that the schema does not know.
	Extra []*Argument
	// ExtraBlocks has the blocks that the schema does not know.
	ExtraBlocks []*Block
	// Diagnostics reports deviations from the schema, such as a missing
	// required argument or an argument in the place of a block. Unknown names
	// are not reported; they are in Extra or ExtraBlocks.
	Diagnostics Diagnostics
}

// Argument returns the argument of that name, or nil.
func (c *Content) Argument(name string) *Argument {
	if c == nil {
		return nil
	}
	for _, a := range c.Arguments {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// BlocksOfType returns an iterator over the blocks of that type, in order.
func (c *Content) BlocksOfType(typ string) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		if c == nil {
			return
		}
		for _, b := range c.Blocks {
			if b.Type == typ && !yield(b) {
				return
			}
		}
	}
}

// Content reads the body with a schema. In JSON, the schema decides which names
// are arguments of a provider and which are blocks. In native syntax the text
// decides, and Content checks it against the schema. If a name is in both lists
// of the schema, it is an argument.
//
// Dynamic blocks are among the Blocks, as blocks of type "dynamic", whether the
// schema has that type or not; the caller reads their content with a schema of
// its own, as for nested blocks.
func (b *Body) Content(schema *hcl.BodySchema) *Content {
	c := &Content{}
	if b == nil || schema == nil {
		return c
	}
	args, blocks := map[string]bool{}, map[string][]string{}
	for _, a := range schema.Attributes {
		args[a.Name] = true
	}
	for _, t := range schema.Blocks {
		blocks[t.Type] = t.LabelNames
	}
	seen := map[string]*Argument{}
	keep := func(a *Argument) {
		if first := seen[a.Name]; first != nil {
			if a.Undecided {
				c.Diagnostics = append(c.Diagnostics, a.file.errorAt(a.nameAt, "Duplicate argument", "The argument %q was already set at %s.", a.Name, first.NameRange()))
			}
			return
		}
		seen[a.Name] = a
		c.Arguments = append(c.Arguments, a)
	}
	for i := range b.Arguments {
		a := &b.Arguments[i]
		labels, isBlock := blocks[a.Name]
		switch {
		case args[a.Name]:
			keep(a)
		case isBlock && a.Undecided && !a.isNative():
			found, diags := a.asBlocks(labels)
			c.Diagnostics = append(c.Diagnostics, diags...)
			for j := range found {
				c.Blocks = append(c.Blocks, &found[j])
			}
		case isBlock:
			c.Diagnostics = append(c.Diagnostics, a.file.errorAt(a.nameAt, "Unsupported argument", "An argument named %q is not expected here. Did you mean to define a block of type %[1]q?", a.Name))
			c.Extra = append(c.Extra, a)
		default:
			c.Extra = append(c.Extra, a)
		}
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		labels, ok := blocks[n.Type]
		switch {
		case n.spec == hcllang.Dynamic:
			c.Blocks = append(c.Blocks, n)
		case !ok:
			c.ExtraBlocks = append(c.ExtraBlocks, n)
		default:
			if d, wrong := n.wrongLabels(n.file, labels); wrong {
				c.Diagnostics = append(c.Diagnostics, d)
			}
			c.Blocks = append(c.Blocks, n)
		}
	}
	slices.SortStableFunc(c.Blocks, func(a, b *Block) int {
		if a.file != b.file {
			return 0
		}
		return int(a.entry.Start - b.entry.Start)
	})
	for _, a := range schema.Attributes {
		if a.Required && seen[a.Name] == nil {
			c.Diagnostics = append(c.Diagnostics, b.missing(a.Name))
		}
	}
	return c
}

// missing returns a diagnostic for a required argument that is not there.
func (b *Body) missing(name string) Diagnostic {
	at := textspan.Of(b.at.Start, b.at.Start)
	whole := b
	if len(b.from) > 0 {
		whole = b.from[0]
	}
	switch {
	case b.file.syntax != JSONSyntax && len(whole.Arguments) == 1:
		start := hcllex.BodyStart(b.file.src, b.at.Start, whole.Arguments[0].nameAt.Start)
		at = textspan.Of(start, start)
	case b.file.syntax == JSONSyntax && b.at.End > b.at.Start && b.file.src[b.at.End-1] == '}': // or else it is no object
		at = textspan.Of(b.at.End-1, b.at.End)
	}
	return b.file.errorAt(at, "Missing required argument", "The argument %q is required, but no definition was found.", name)
}

// Nested returns the blocks of a type that only a provider's schema knows, with that many
// labels, in either syntax. In JSON they are those of an undecided property, see
// [Argument.AsBlocks]; parts of it that are not blocks are left out. It returns the
// dynamic blocks of the type as well, as blocks of type "dynamic".
func (b *Body) Nested(typ string, labels int) []*Block {
	if b == nil || labels < 0 {
		return nil
	}
	names := make([]string, labels)
	c := b.Content(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: typ, LabelNames: names}}})
	return slices.DeleteFunc(c.Blocks, func(n *Block) bool {
		if n.Type == typ {
			return len(n.Labels) != labels
		}
		return len(n.Labels) != 1 || n.Labels[0] != typ
	})
}

// AsBlocks reads an undecided property as nested blocks with that many labels, for
// a caller that knows from a schema that the property represents blocks. The
// diagnostics report the parts that do not fit. An argument that is not undecided
// has no blocks.
func (a *Argument) AsBlocks(labels int) ([]Block, Diagnostics) {
	if a == nil || !a.Undecided || a.isNative() || labels < 0 {
		return nil, nil
	}
	return a.asBlocks(make([]string, labels))
}

// asBlocks reads an undecided property as blocks with labels called so.
func (a *Argument) asBlocks(labels []string) ([]Block, Diagnostics) {
	f := a.file
	spec := hcllang.Provided(a.Name, labels, a.kind != hcllang.KindExpression && a.kind != hcllang.KindIgnored)
	r := jsonReader{f: f, src: f.src[:a.at.End], text: f.text, i: int(a.at.Start), from: int(a.at.Start), index: f.json()}
	r.labelled(spec, a.nameAt, len(labels))
	return r.keepBlocks(0), r.diags
}
