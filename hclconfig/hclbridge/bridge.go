// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge

import (
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/zclconf/go-cty/cty"
)

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
		x, diags := json.ParseExpressionWithStartPos([]byte(raw), at.Filename, at.Start)
		if diags.HasErrors() {
			return hcl.StaticExpr(cty.DynamicVal, at)
		}
		return guardJSON(x, []byte(raw))
	}
	text, bareKey := e.Source(), false
	if e.File().Syntax() == hclconfig.NativeSyntax {
		tree, _ := e.HCL()
		if x, ok := tree.(*hclsyntax.LiteralValueExpr); ok && raw != "" && text[0] != raw[0] {
			return &hclsyntax.LiteralValueExpr{Val: x.Val, SrcRange: x.SrcRange} // text of a template
		}
		_, isKey := tree.(*hclsyntax.ObjectConsKeyExpr)
		bareKey = isKey && raw != "" && text[0] != raw[0]
		if bareKey || raw == "" || text[0] == raw[0] {
			text = raw
		}
	}
	x, diags := hcllex.ParseExpression([]byte(text+"\n"), at.Filename, at.Start)
	if diags.HasErrors() || x == nil {
		return hcl.StaticExpr(cty.DynamicVal, at)
	}
	if bareKey {
		return &hclsyntax.ObjectConsKeyExpr{Wrapped: x}
	}
	return x
}

// guardJSON returns x, an expression with the text raw, or one that stands for it if HCL
// cannot evaluate a string of it.
func guardJSON(x hcl.Expression, raw []byte) hcl.Expression {
	switch template, code := tooDeep(raw); {
	case template:
		return hcl.StaticExpr(cty.DynamicVal, x.Range())
	case code:
		return text{x}
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

// Find returns the expression of f that is at the same place as x, an expression made by
// this package or by HCL's own parser from the same text. Package hcledit can edit the
// result. If there is none, Find returns the zero Expression. For the expression in the
// parentheses of an object's key, it returns the key with the parentheses. A call takes
// time in proportion to the logarithm of the number of blocks, and to the size of the
// expression.
func Find(f *hclconfig.File, x hcl.Expression) hclconfig.Expression {
	if x == nil {
		return hclconfig.Expression{}
	}
	want := x.Range()
	for b := f.Body(); b != nil; {
		if i := last(len(b.Arguments), want, func(i int) (*hclconfig.File, int, int) { return b.Arguments[i].Place() }); i >= 0 {
			return findIn(b.Arguments[i].Expression, want)
		}
		i := last(len(b.Blocks), want, func(i int) (*hclconfig.File, int, int) { return b.Blocks[i].Place() })
		if i < 0 {
			break
		}
		b = &b.Blocks[i].Body
	}
	return hclconfig.Expression{}
}

// last returns the one of n places in order that holds want, or -1.
func last(n int, want hcl.Range, place func(int) (*hclconfig.File, int, int)) int {
	i := sort.Search(n, func(i int) bool {
		_, start, _ := place(i)
		return start > want.Start.Byte
	}) - 1
	if i < 0 {
		return -1
	}
	if _, _, end := place(i); end < want.End.Byte {
		return -1
	}
	return i
}

// findIn returns e or its part that is at want.
func findIn(e hclconfig.Expression, want hcl.Range) hclconfig.Expression {
	for e.IsSet() {
		_, start, end := e.Place()
		if start == want.Start.Byte && end == want.End.Byte {
			return e
		}
		next := hclconfig.Expression{}
		for _, p := range e.Parts() {
			if _, start, end := p.Place(); p.IsSet() && start <= want.Start.Byte && want.End.Byte <= end {
				next = p
			}
		}
		if !next.IsSet() && inKey(e, want) {
			return e
		}
		e = next
	}
	return e
}

// inKey reports whether what is at want is all that is in the parentheses of e, the key of
// an object. They belong to the key, so it has no part for that.
func inKey(e hclconfig.Expression, want hcl.Range) bool {
	x, _ := e.HCL()
	if key, ok := x.(*hclsyntax.ObjectConsKeyExpr); ok {
		if p, ok := key.Wrapped.(*hclsyntax.ParenthesesExpr); ok {
			at := p.Expression.Range()
			return at.Start.Byte == want.Start.Byte && at.End.Byte == want.End.Byte
		}
	}
	return false
}

func rangeOf(r addrs.Range) hcl.Range {
	return hcl.Range{
		Filename: r.Filename,
		Start:    hcl.Pos{Line: r.Start.Line, Column: r.Start.Column, Byte: int(r.Start.Offset)},
		End:      hcl.Pos{Line: r.End.Line, Column: r.End.Column, Byte: int(r.End.Offset)},
	}
}
