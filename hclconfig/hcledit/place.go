// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// The functions in this file find the places of parts in the text of a file, and
// their descriptions in the language.

func placeOf(r addrs.Range) textspan.Span {
	return textspan.Of(int32(r.Start.Offset), int32(r.End.Offset))
}

func rangeOf(r hcl.Range) textspan.Span {
	return textspan.Of(int32(r.Start.Byte), int32(r.End.Byte))
}

// spanOf returns where x is.
func spanOf(x hclconfig.Expression) textspan.Span {
	_, start, end := x.Place()
	return textspan.Of(int32(start), int32(end))
}

// entryOf returns the range to remove with a block.
func entryOf(b *hclconfig.Block) textspan.Span {
	_, start, end := b.Place()
	return textspan.Of(int32(start), int32(end))
}

// nameOf returns where the name of a native argument is.
func nameOf(a *hclconfig.Argument) textspan.Span {
	_, start, _ := a.Place()
	return textspan.Of(int32(start), int32(start+len(a.Name)))
}

func offsets(s textspan.Span) (int, int) { return int(s.Start), int(s.End) }

// spot returns the file that p is in, and where.
func spot(p Part) (*hclconfig.File, textspan.Span) {
	f, start, end := p.Place()
	return f, textspan.Of(int32(start), int32(end))
}

func kindOf(x hclconfig.Expression) hcllang.Kind { return hcllang.Kind(x.Kind()) }

// headOf returns the place for a fault of an edit of a block's arguments.
func headOf(in *hclconfig.Block) (*hclconfig.File, textspan.Span) {
	if in == nil {
		return nil, textspan.Span{}
	}
	return in.File(), placeOf(in.TypeRange())
}

// programOf returns the program whose language f uses.
func programOf(f *hclconfig.File) hcllang.Dialect { return hcllang.ProgramOf(int(f.Dialect())) }

// rootOf returns the language's description of the content of f.
func rootOf(f *hclconfig.File) *hcllang.Block { return hcllang.FileKind(f.Kind()).Root() }

// specOf returns the language's description of the content of b.
func specOf(b *hclconfig.Block) *hcllang.Block {
	f, start, end := b.Place()
	if f == nil {
		return hcllang.Ignored
	}
	spec := rootOf(f)
	for body := f.Body(); ; {
		in := blockBefore(body, start+1)
		if in == nil || !holds(in, start, end) {
			return provided(body, spec, start)
		}
		spec, body = spec.Inner(in.Type), &in.Body
		if _, s, t := in.Place(); s == start && t == end && in.Type == b.Type && len(in.Labels) == len(b.Labels) {
			return spec
		}
	}
}

// provided returns the language's description of a block at an offset in a body. The
// block is one of an undecided property.
func provided(body *hclconfig.Body, spec *hcllang.Block, at int) *hcllang.Block {
	for i := range body.Arguments {
		a := &body.Arguments[i]
		if _, start, end := a.Place(); a.Undecided && start <= at && at < end {
			if k := a.Kind(); k != hclconfig.KindExpression && k != hclconfig.KindIgnored {
				return hcllang.OpenStatic
			}
			return hcllang.Open
		}
	}
	return spec.Nested()
}

func holds(b *hclconfig.Block, start, end int) bool {
	_, s, t := b.Place()
	return s <= start && end <= t
}

// blockBefore returns the last block of a body that begins before offset, or nil.
func blockBefore(b *hclconfig.Body, offset int) *hclconfig.Block {
	i := sort.Search(len(b.Blocks), func(i int) bool { return int(entryOf(&b.Blocks[i]).Start) >= offset }) - 1
	if i < 0 {
		return nil
	}
	return &b.Blocks[i]
}

// blockAt returns the innermost block that begins at offset.
func blockAt(b *hclconfig.Body, offset int) *hclconfig.Block {
	var found *hclconfig.Block
	for {
		block := blockBefore(b, offset+1)
		if block == nil {
			return found
		}
		_, start, end := block.Place()
		if start == offset {
			found = block
		}
		if block.File().Syntax() == hclconfig.JSONSyntax && end <= offset {
			return found
		}
		b = &block.Body
	}
}

// around returns the innermost block around offset that does not begin there.
func around(b *hclconfig.Body, offset int) *hclconfig.Block {
	var found *hclconfig.Block
	for {
		block := blockBefore(b, offset)
		if block == nil || int(entryOf(block).End) <= offset {
			return found
		}
		found, b = block, &block.Body
	}
}

// stringAround returns the JSON string that x is a part of, if it is one.
func stringAround(x hclconfig.Expression) (textspan.Span, bool) {
	f, start, _ := x.Place()
	if f == nil || f.Syntax() != hclconfig.JSONSyntax {
		return textspan.Span{}, false
	}
	// There is no line break in a string.
	src := f.Bytes()
	for i := bytes.LastIndexByte(src[:start], '\n') + 1; i < start; {
		n := bytes.IndexByte(src[i:start], '"')
		if n < 0 {
			break
		}
		from, to := i+n, jsontree.StringEnd(src, i+n)
		if start < to {
			return textspan.Of(int32(from), int32(to)), true
		}
		i = to
	}
	return textspan.Span{}, false
}

// isNative reports whether x is written in native syntax: in a native file, or as a
// part of a JSON string.
func isNative(x hclconfig.Expression) bool {
	if f := x.File(); f == nil || f.Syntax() == hclconfig.NativeSyntax {
		return f != nil
	}
	_, ok := stringAround(x)
	return ok
}
