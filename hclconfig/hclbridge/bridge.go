// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/zclconf/go-cty/cty"
)

// Body returns a body in the terms of HCL. Its arguments and blocks are chosen by the
// schema that the caller gives, as for any hcl.Body; in a JSON file the schema also
// decides what is an argument and what is a block. It returns an empty body for nil.
func Body(b *hclconfig.Body) hcl.Body {
	if b == nil {
		return hcl.EmptyBody()
	}
	return &body{b: b}
}

// Expression returns an expression in the terms of HCL: in native syntax one of
// package hclsyntax, in JSON one of package json. For the zero Expression it is null.
// An expression inside of a JSON string has the places of its native spelling, which
// are off behind an escape.
func Expression(e hclconfig.Expression) hcl.Expression {
	if !e.IsSet() {
		return hcl.StaticExpr(cty.NullVal(cty.DynamicPseudoType), hcl.Range{})
	}
	at := rangeOf(e.Range())
	raw := e.Raw()
	if e.File().Syntax() == hclconfig.JSONSyntax && isJSON(e) {
		x, diags := json.ParseExpressionWithStartPos([]byte(raw), at.Filename, at.Start)
		if !diags.HasErrors() {
			return x
		}
		return hcl.StaticExpr(cty.DynamicVal, at)
	}
	text := e.Source()
	if e.File().Syntax() == hclconfig.NativeSyntax && (raw == "" || text[0] == raw[0]) {
		text = raw
	}
	x, diags := hclsyntax.ParseExpression([]byte(text+"\n"), at.Filename, at.Start)
	if diags.HasErrors() || x == nil {
		return hcl.StaticExpr(cty.DynamicVal, at)
	}
	return x
}

// isJSON reports whether the text of an expression in a JSON file is a JSON value. The
// parts of templates are not.
func isJSON(e hclconfig.Expression) bool {
	_, diags := json.ParseExpression([]byte(e.Raw()), "")
	return !diags.HasErrors()
}

// Traversal returns what a reference names as a traversal, spelled as its Text is.
// Its parts have no places but that of the whole.
func Traversal(r hclconfig.Reference) hcl.Traversal {
	at := rangeOf(r.Range())
	t, diags := hclsyntax.ParseTraversalAbs([]byte(r.Text), at.Filename, at.Start)
	if diags.HasErrors() {
		return nil
	}
	return t
}

// Find returns the expression of a file that x, an expression of HCL, is: the one
// from the same place, with everything that can be asked of it and edited. It returns
// the zero Expression if there is none.
func Find(f *hclconfig.File, x hcl.Expression) hclconfig.Expression {
	if x == nil || f.Body() == nil {
		return hclconfig.Expression{}
	}
	want := x.Range()
	b := f.Body()
	for {
		for i := range b.Arguments {
			e := b.Arguments[i].Expression
			if !holds(e.Range(), want) {
				continue
			}
			for {
				at := e.Range()
				if at.Start.Offset == int64(want.Start.Byte) && at.End.Offset == int64(want.End.Byte) {
					return e
				}
				next := hclconfig.Expression{}
				for _, p := range e.Parts() {
					if p.IsSet() && holds(p.Range(), want) {
						next = p
					}
				}
				if !next.IsSet() {
					return next
				}
				e = next
			}
		}
		var inner *hclconfig.Body
		for i := range b.Blocks {
			if holds(b.Blocks[i].Body.Range(), want) {
				inner = &b.Blocks[i].Body
			}
		}
		if inner == nil {
			return hclconfig.Expression{}
		}
		b = inner
	}
}

func holds(outer addrs.Range, r hcl.Range) bool {
	return outer.Start.Offset <= int64(r.Start.Byte) && int64(r.End.Byte) <= outer.End.Offset
}

func rangeOf(r addrs.Range) hcl.Range {
	return hcl.Range{
		Filename: r.Filename,
		Start:    hcl.Pos{Line: r.Start.Line, Column: r.Start.Column, Byte: int(r.Start.Offset)},
		End:      hcl.Pos{Line: r.End.Line, Column: r.End.Column, Byte: int(r.End.Offset)},
	}
}
