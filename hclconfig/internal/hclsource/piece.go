// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclsource finds the native source in expressions of both syntaxes, with its places,
// and what its references and addresses name. Nothing in it is evaluated.
package hclsource

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

// StartRange returns the place of e from the beginning of its first part: after
// the quotes of a native string.
func StartRange(e hclconfig.Expression) addrs.Range {
	at := e.Range()
	if x := Native(e); x != nil {
		at.Start = e.File().Position(int64(x.StartRange().Start.Byte))
	}
	return at
}

// OrNothing returns x, or an expression that is not a reference.
func OrNothing(x hclsyntax.Expression) hclsyntax.Expression {
	if x == nil {
		return &hclsyntax.LiteralValueExpr{}
	}
	return x
}

// Native returns the expression of HCL that e is in a native file, and nil in JSON.
func Native(e hclconfig.Expression) hclsyntax.Expression {
	if e.File().Syntax() != hclconfig.NativeSyntax {
		return nil
	}
	x, _ := e.HCL()
	return x
}

// First returns the first byte of a JSON value, or 0 for a native expression.
func First(e hclconfig.Expression) byte {
	f, start, _ := e.Place()
	if f.Syntax() != hclconfig.JSONSyntax {
		return 0
	}
	return f.Bytes()[start]
}

// JSONText returns the meaning of the JSON string that e is.
func JSONText(e hclconfig.Expression) string {
	raw := e.Raw()
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	return string(jsonscan.AppendUnquote(nil, []byte(raw)))
}

// NativeForm returns e as an expression of HCL: in JSON, that in its string.
func NativeForm(e hclconfig.Expression) (hclsyntax.Expression, bool) {
	x, diags := e.HCL()
	return x, x != nil && !diags.HasErrors()
}

// Wildcards reports whether e is a reference with [*] for keys.
func Wildcards(e hclconfig.Expression) (string, bool) {
	switch First(e) {
	case 0:
		return hcllex.Wildcards(e.Raw())
	case '"':
		return hcllex.Wildcards(JSONText(e))
	}
	return "", false
}

// IsRelative reports whether e is an attribute, perhaps with further steps.
func IsRelative(e hclconfig.Expression) bool {
	x, ok := NativeForm(e)
	if !ok {
		return false
	}
	_, diags := hcl.RelTraversalForExpr(x)
	return !diags.HasErrors()
}

// Needs reports whether e has references or function calls.
func Needs(e hclconfig.Expression) bool {
	return len(e.References()) > 0 || len(Calls(e)) > 0
}

// Unparen strips parentheses.
func Unparen(x hclsyntax.Expression) hclsyntax.Expression {
	for {
		p, ok := x.(*hclsyntax.ParenthesesExpr)
		if !ok {
			return x
		}
		x = p.Expression
	}
}

// A Piece is native source in an expression: the expression itself, or a JSON
// string in it. Its places are those of its tree until they are asked for.
type Piece struct {
	File *hclconfig.File
	Expr hclsyntax.Expression // nil if there is none
	Str  *jsontree.String     // the JSON string, counted from base
	// base moves the places of a JSON string, or of a piece in native quotes.
	Base int32
	// whole is the place of everything in a piece that is a part of a JSON string, or empty.
	whole textspan.Span
	// FromQuote moves the places on the first line of a string to the quote before it, from
	// which the programs count where they read a string as source.
	FromQuote bool
}

// Span returns the place in the file of what HCL says is at r.
func (p Piece) Span(r hcl.Range) textspan.Span {
	if p.whole.End > 0 {
		return p.whole
	}
	start, end := int32(r.Start.Byte), int32(r.End.Byte)
	if p.Str != nil {
		start, end = p.Str.Place(start), p.Str.Place(end)
	}
	start, end = start+p.Base, end+p.Base
	if p.FromQuote && r.Start.Line <= 1 {
		start, end = start-1, end-1
	}
	return textspan.Of(start, end)
}

// ErrorAt returns an error about a place in the file of the piece.
func (p Piece) ErrorAt(s textspan.Span, summary, format string, args ...any) hclconfig.Diagnostic {
	return ErrorAt(RangeIn(p.File, s), summary, format, args...)
}

// Diagnostics returns HCL's diagnostics of the piece, with the places in the file.
func (p Piece) Diagnostics(diags hcl.Diagnostics) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	for _, d := range diags {
		own := hclconfig.Diagnostic{Severity: hclconfig.SeverityError, Summary: d.Summary, Detail: d.Detail}
		if d.Severity == hcl.DiagWarning {
			own.Severity = hclconfig.SeverityWarning
		}
		if d.Subject != nil {
			own.Subject = p.At(*d.Subject)
		}
		out = append(out, own)
	}
	return out
}

// At is span with lines and columns.
func (p Piece) At(r hcl.Range) addrs.Range { return RangeIn(p.File, p.Span(r)) }

// SpanOf returns a place without its lines and columns.
func SpanOf(r addrs.Range) textspan.Span {
	return textspan.Of(int32(r.Start.Offset), int32(r.End.Offset))
}

// RangeIn returns a place in f with its lines and columns.
func RangeIn(f *hclconfig.File, s textspan.Span) addrs.Range {
	return addrs.Range{Filename: f.Filename(), Start: f.Position(int64(s.Start)), End: f.Position(int64(s.End))}
}

// Name returns the place of the name in a step of a traversal.
func (p Piece) Name(step hcl.Traverser) textspan.Span {
	r := step.SourceRange()
	n := 0
	switch x := step.(type) {
	case hcl.TraverseRoot:
		n = len(x.Name)
	case hcl.TraverseAttr:
		n = len(x.Name)
	case hcl.TraverseIndex: // without brackets and quotes, if nothing else is there
		if key := StringKey(x); key != "" && r.End.Byte-r.Start.Byte == len(key)+len(`[""]`) {
			r.Start.Byte, r.End.Byte = r.Start.Byte+len(`["`), r.End.Byte-len(`"]`)
		}
	}
	if n > 0 && r.End.Byte-r.Start.Byte > n {
		r.Start.Byte = r.End.Byte - n // without the dot, and white space around it
	}
	return p.Span(r)
}

// PieceOf returns e as one piece.
func PieceOf(e hclconfig.Expression) Piece {
	x, ok := NativeForm(e)
	if !ok {
		return Piece{}
	}
	p := Piece{File: e.File(), Expr: x}
	if p.File.Syntax() == hclconfig.JSONSyntax {
		raw := e.Raw()
		p.Str, p.Base = jsontree.NewString([]byte(raw), textspan.Of(0, int32(len(raw)))), int32(e.Range().Start.Offset)
	}
	return p
}

// ReferencePiece is PieceOf for a reference, which may be in quotes: the programs count from
// the quote.
func ReferencePiece(e hclconfig.Expression) Piece {
	p := PieceOf(e)
	if q := QuotedPiece(e); q.Expr != nil {
		p = q
	}
	p.FromQuote = p.Str != nil
	return p
}

// QuotedPiece returns the content of a native string that is a reference in the
// legacy quoted form.
func QuotedPiece(e hclconfig.Expression) Piece {
	t, ok := Native(e).(*hclsyntax.TemplateExpr)
	if !ok || !t.IsStringLiteral() {
		return Piece{}
	}
	v, _ := t.Value(nil)
	s, ok := hcllex.LiteralString(v)
	if !ok || len(e.Raw()) != len(s)+2 {
		return Piece{}
	}
	traversal, diags := hclsyntax.ParseTraversalAbs([]byte(s), e.File().Filename(), hcl.InitialPos)
	if diags.HasErrors() {
		return Piece{}
	}
	return Piece{File: e.File(), Expr: &hclsyntax.ScopeTraversalExpr{Traversal: traversal}, Base: int32(t.Range().Start.Byte) + 1}
}

// Pieces returns the native source in e that may hold references, in order.
func Pieces(e hclconfig.Expression) []Piece {
	x := Native(e)
	switch {
	case !e.IsSet():
		return nil
	case x == nil:
		return jsonPieces(nil, e)
	case e.Kind() != hclconfig.KindReference && e.Kind() != hclconfig.KindReferenceList:
		return []Piece{{File: e.File(), Expr: x}}
	}
	parts, ok := e.Elements()
	if !ok {
		parts = []hclconfig.Expression{e}
	}
	var out []Piece
	for _, part := range parts {
		p := QuotedPiece(part)
		if p.Expr == nil {
			p = Piece{File: e.File(), Expr: Native(part)}
		}
		out = append(out, p)
	}
	return out
}

func jsonPieces(out []Piece, e hclconfig.Expression) []Piece {
	if e.Kind() == hclconfig.KindLiteral {
		return out
	}
	first := First(e)
	if first != '"' {
		// A JSON value has no tree of HCL, but a part of the template in a string has.
		if x, ok := NativeForm(e); ok {
			return append(out, Piece{File: e.File(), Expr: x, whole: SpanOf(e.Range())})
		}
	}
	switch first {
	case '"':
		raw := e.Raw()
		if !hcllang.Kind(e.Kind()).Bare() && strings.IndexByte(raw, '{') < 0 && strings.IndexByte(raw, '\\') < 0 {
			return out // no template: a mark has its brace, or an escape of it
		}
		if p := PieceOf(e); p.Expr != nil {
			out = append(out, p)
		}
	case '[':
		elements, _ := e.Elements()
		for _, x := range elements {
			out = jsonPieces(out, x)
		}
	case '{':
		members, _ := e.Members()
		for _, m := range members {
			if hcllang.Kind(e.Kind()).Templates() {
				out = jsonPieces(out, m.Key)
			}
			out = jsonPieces(out, m.Value)
		}
	}
	return out
}

// HasInfinity reports whether a number literal is infinite.
func HasInfinity(v cty.Value) bool {
	return v.IsKnown() && !v.IsNull() && v.Type() == cty.Number && v.AsBigFloat().IsInf()
}

// A call is a call of a function in an expression.
type call struct {
	Name string
	At   addrs.Range // of the name
	Expr *hclsyntax.FunctionCallExpr
}

// Calls returns the calls of functions in e, in the order of the text.
func Calls(e hclconfig.Expression) []call {
	switch e.Kind() {
	case hclconfig.KindType, hclconfig.KindProviderRequirement, hclconfig.KindIgnored:
		return nil
	}
	var out []call
	for _, p := range Pieces(e) {
		_ = hclsyntax.VisitAll(p.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
			if c, ok := n.(*hclsyntax.FunctionCallExpr); ok {
				out = append(out, call{c.Name, p.At(c.NameRange), c})
			}
			return nil
		})
	}
	return out
}

// ProviderRef understands e, which names a provider configuration, as far as it
// can be understood.
func ProviderRef(e hclconfig.Expression) hclconfig.ProviderRef {
	p := hclconfig.ProviderRef{Expression: e}
	in := PieceOf(e)
	x := in.Expr
	if key, ok := x.(*hclsyntax.ObjectConsKeyExpr); ok {
		x = key.Wrapped
	}
	if i, ok := x.(*hclsyntax.IndexExpr); ok {
		s := in.Span(i.Key.Range())
		x, p.Key = i.Collection, string(in.File.Bytes()[s.Start:s.End])
	}
	if t, ok := x.(*hclsyntax.TemplateExpr); ok && t.IsStringLiteral() { // the legacy quoted form
		v, _ := t.Value(nil)
		s, _ := hcllex.LiteralString(v)
		if traversal, diags := hclsyntax.ParseTraversalAbs([]byte(s), "", hcl.InitialPos); !diags.HasErrors() {
			x = &hclsyntax.ScopeTraversalExpr{Traversal: traversal}
		}
	}
	if x == nil {
		return p
	}
	t, diags := hcl.AbsTraversalForExpr(x)
	if diags.HasErrors() {
		return p
	}
	p.Name = t.RootName()
	if len(t) > 1 {
		if a, ok := t[1].(hcl.TraverseAttr); ok {
			p.Alias = a.Name
		}
	}
	if len(t) > 2 {
		if i, ok := t[2].(hcl.TraverseIndex); ok {
			p.Key = strings.TrimSuffix(strings.TrimPrefix(hcllex.AddressText(hcl.Traversal{hcl.TraverseRoot{}, i}), "["), "]")
		}
	}
	return p
}

// Optional returns the place of the first optional attribute in a type constraint.
func Optional(e hclconfig.Expression) (at addrs.Range, found bool) {
	p := PieceOf(e)
	if p.Expr == nil {
		return at, false
	}
	_ = hclsyntax.VisitAll(p.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
		if c, ok := n.(*hclsyntax.FunctionCallExpr); ok && c.Name == "optional" && !found {
			at, found = p.At(c.NameRange), true
		}
		return nil
	})
	return at, found
}

// HasOptionalDefault reports whether a type constraint has an optional attribute with a default.
func HasOptionalDefault(e hclconfig.Expression) bool {
	p := PieceOf(e)
	if p.Expr == nil {
		return false
	}
	found := false
	_ = hclsyntax.VisitAll(p.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
		c, ok := n.(*hclsyntax.FunctionCallExpr)
		found = found || ok && c.Name == "optional" && len(c.Args) > 1
		return nil
	})
	return found
}
