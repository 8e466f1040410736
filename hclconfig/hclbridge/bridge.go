// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/zclconf/go-cty/cty"
)

// Body returns b as an hcl.Body. As for any hcl.Body, the caller's schema selects
// arguments and blocks; in a JSON file it also decides which properties are arguments
// and which are blocks. For nil, the result is an empty body.
func Body(b *hclconfig.Body) hcl.Body {
	if b == nil {
		return hcl.EmptyBody()
	}
	return &body{b: b}
}

// Expression returns e as an hcl.Expression: in native syntax one of package
// hclsyntax, in JSON one of package json. For the zero Expression it is null. The
// positions in an expression inside a JSON string are those of its native
// spelling; after an escape they are off.
func Expression(e hclconfig.Expression) hcl.Expression {
	if !e.IsSet() {
		return hcl.StaticExpr(cty.NullVal(cty.DynamicPseudoType), hcl.Range{})
	}
	at := rangeOf(e.Range())
	raw := e.Raw()
	if e.File().Syntax() == hclconfig.JSONSyntax && isJSON(e) {
		template, code := tooDeep([]byte(raw))
		x, diags := json.ParseExpressionWithStartPos([]byte(raw), at.Filename, at.Start)
		switch {
		case diags.HasErrors() || template:
			return hcl.StaticExpr(cty.DynamicVal, at)
		case code:
			return text{x}
		}
		return x
	}
	text := e.Source()
	if e.File().Syntax() == hclconfig.NativeSyntax && (raw == "" || text[0] == raw[0]) {
		text = raw
	}
	x, diags := hcllex.ParseExpression([]byte(text+"\n"), at.Filename, at.Start)
	if diags.HasErrors() || x == nil {
		return hcl.StaticExpr(cty.DynamicVal, at)
	}
	return x
}

// text is an expression that HCL does not take for native code.
type text struct{ hcl.Expression }

// tooDeep reports whether a string of a JSON value is too deep for HCL's parser, which
// would end the process, as a template or as code.
func tooDeep(raw []byte) (template, code bool) {
	if len(raw) <= hcllex.MaxNesting {
		return false, false
	}
	for i := 0; i < len(raw); {
		if raw[i] != '"' {
			i++
			continue
		}
		end, fault := jsonscan.String(raw, i)
		if fault != jsonscan.OK {
			return true, true
		}
		if end-i > hcllex.MaxNesting {
			s := jsonscan.AppendUnquote(nil, raw[i:end])
			template = template || hcllex.TooDeep(s, true) >= 0
			code = code || hcllex.TooDeep(s, false) >= 0
		}
		i = end
	}
	return template, code
}

// isJSON reports whether the text of an expression in a JSON file is a JSON value. The
// parts of templates are not.
func isJSON(e hclconfig.Expression) bool {
	_, diags := json.ParseExpression([]byte(e.Raw()), "")
	return !diags.HasErrors()
}

// Traversal returns r as an absolute traversal, made from its Text. The ranges of
// the steps are computed from Text at the start of r: they are off if the file
// spells r differently. For the zero Reference it returns nil.
func Traversal(r hclconfig.Reference) hcl.Traversal {
	at := rangeOf(r.Range())
	t, diags := hclsyntax.ParseTraversalAbs([]byte(r.Text), at.Filename, at.Start)
	if diags.HasErrors() {
		return nil
	}
	return t
}

// Find returns the expression of f that is at the same place as x, an expression made
// by this package or by HCL's own parser from the same text. Package hcledit can edit
// the result. If there is none, Find returns the zero Expression.
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
