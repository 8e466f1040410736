// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// program returns which program d is of.
func program(d hclconfig.Dialect) hcllang.Dialect { return hcllang.ProgramOf(int(d)) }

// release returns which release d is of.
func release(d hclconfig.Dialect) hcllang.Release { return hcllang.ReleaseOf(int(d)) }

// errorAt returns an error about the place at.
func errorAt(at addrs.Range, summary, format string, args ...any) hclconfig.Diagnostic {
	return hclconfig.Diagnostic{Severity: hclconfig.SeverityError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: at}
}

// sorted orders the diagnostics by file and place.
func sorted(d hclconfig.Diagnostics) hclconfig.Diagnostics {
	slices.SortStableFunc(d, func(a, b hclconfig.Diagnostic) int {
		if a.Subject.Filename != b.Subject.Filename {
			return strings.Compare(a.Subject.Filename, b.Subject.Filename)
		}
		return int(a.Subject.Start.Offset - b.Subject.Start.Offset)
	})
	return d
}

// label returns a label of b, or "" if it lacks that.
func label(b *hclconfig.Block, i int) string {
	if b == nil || i >= len(b.Labels) {
		return ""
	}
	return b.Labels[i]
}

// expr returns the value of an argument of b, or the zero Expression.
func expr(b *hclconfig.Block, name string) hclconfig.Expression {
	if a := b.Argument(name); a != nil {
		return a.Expression
	}
	return hclconfig.Expression{}
}

// textArg returns an argument of b whose value is a constant text.
func textArg(b *hclconfig.Block, name string) hclconfig.Text {
	a := b.Argument(name)
	if a == nil {
		return hclconfig.Text{}
	}
	s, _ := a.Text() // anything but constant text is reported
	return hclconfig.Text{Value: s, Argument: a}
}

// flagArg returns an argument of b whose value is a constant boolean.
func flagArg(b *hclconfig.Block, name string) hclconfig.Flag {
	a := b.Argument(name)
	if a == nil {
		return hclconfig.Flag{}
	}
	v, _ := a.Bool()
	return hclconfig.Flag{Value: v, Argument: a}
}

// isTofu reports whether only OpenTofu reads f.
func isTofu(f *hclconfig.File) bool {
	name, _ := hclconfig.ParseFilename(f.Filename())
	return name.Tofu
}

func isTest(f *hclconfig.File) bool {
	name, _ := hclconfig.ParseFilename(f.Filename())
	return name.Kind == hclconfig.TestFile
}

// address returns the address of a resource whose names may be broken.
func address(r *hclconfig.Resource) string {
	switch r.Block.Type {
	case "data", "ephemeral":
		return r.Block.Type + "." + r.Type + "." + r.Name
	}
	return r.Type + "." + r.Name
}

// missing returns a diagnostic for a required argument that is not there.
func missing(b *hclconfig.Body, name string) hclconfig.Diagnostic {
	at := b.Range()
	if f := b.File(); f.Syntax() == hclconfig.JSONSyntax && at.End.Offset > at.Start.Offset {
		at.Start = f.Position(at.End.Offset - 1)
	} else {
		at.End = at.Start
	}
	return errorAt(at, "Missing required argument", "The argument %q is required, but no definition was found.", name)
}

// isDynamic reports whether b, in a body that belongs to a provider's schema, makes
// blocks.
func isDynamic(b *hclconfig.Block) bool { return b.Type == hcllang.Dynamic.Name }

// defRange returns where the programs say that a block is: its header, and in JSON
// the brace or bracket after its last name.
func defRange(b *hclconfig.Block) addrs.Range {
	at, f := b.DefRange(), b.File()
	if f.Syntax() != hclconfig.JSONSyntax || !at.IsValid() {
		return at
	}
	src := f.Bytes()
	if i := jsonscan.Space(src, int(at.End.Offset)); i < len(src) && src[i] == ':' {
		i = jsonscan.Space(src, i+1)
		at.Start, at.End = f.Position(int64(i)), f.Position(int64(i)+1)
	}
	return at
}

// startRange returns the place of e from the beginning of its first part: after
// the quotes of a native string.
func startRange(e hclconfig.Expression) addrs.Range {
	at := e.Range()
	if x := native(e); x != nil {
		at.Start = e.File().Position(int64(x.StartRange().Start.Byte))
	}
	return at
}

// orNothing returns x, or an expression that is not a reference.
func orNothing(x hclsyntax.Expression) hclsyntax.Expression {
	if x == nil {
		return &hclsyntax.LiteralValueExpr{}
	}
	return x
}

// native returns the expression of HCL that e is in a native file, and nil in JSON.
func native(e hclconfig.Expression) hclsyntax.Expression {
	if e.File().Syntax() != hclconfig.NativeSyntax {
		return nil
	}
	x, _ := e.HCL()
	return x
}

// first returns the first byte of a JSON value, or 0 for a native expression.
func first(e hclconfig.Expression) byte {
	if e.File().Syntax() != hclconfig.JSONSyntax {
		return 0
	}
	return e.Raw()[0]
}

// jsonText returns the meaning of the JSON string that e is.
func jsonText(e hclconfig.Expression) string {
	raw := e.Raw()
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	return string(jsonscan.AppendUnquote(nil, []byte(raw)))
}

// nativeForm returns e as an expression of HCL: in JSON, that in its string.
func nativeForm(e hclconfig.Expression) (hclsyntax.Expression, bool) {
	x, diags := e.HCL()
	return x, x != nil && !diags.HasErrors()
}

// wildcards reports whether e is a reference with [*] for keys.
func wildcards(e hclconfig.Expression) (string, bool) {
	switch first(e) {
	case 0:
		return hcllex.Wildcards(e.Raw())
	case '"':
		return hcllex.Wildcards(jsonText(e))
	}
	return "", false
}

// isRelative reports whether e is an attribute, perhaps with further steps.
func isRelative(e hclconfig.Expression) bool {
	x, ok := nativeForm(e)
	if !ok {
		return false
	}
	_, diags := hcl.RelTraversalForExpr(x)
	return !diags.HasErrors()
}

// needs reports whether e has references or function calls.
func needs(e hclconfig.Expression) bool {
	return len(e.References()) > 0 || len(calls(e)) > 0
}

// unparen strips parentheses.
func unparen(x hclsyntax.Expression) hclsyntax.Expression {
	for {
		p, ok := x.(*hclsyntax.ParenthesesExpr)
		if !ok {
			return x
		}
		x = p.Expression
	}
}

// textOf returns v as a string, after the conversion that OpenTofu makes.
func textOf(v cty.Value) (string, error) {
	v, _ = v.UnmarkDeep()
	v, err := convert.Convert(v, cty.String)
	if err != nil {
		return "", fmt.Errorf("%w: a string is required", hclconfig.ErrKind)
	}
	if v.IsNull() || !v.IsKnown() {
		return "", fmt.Errorf("%w: a string is required, not null", hclconfig.ErrKind)
	}
	return v.AsString(), nil
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// A piece is native source in an expression: the expression itself, or a JSON
// string in it. Its places are those of its tree until they are asked for.
type piece struct {
	file *hclconfig.File
	expr hclsyntax.Expression // nil if there is none
	str  *jsontree.String     // the JSON string, counted from base
	// base moves the places of a JSON string, or of a piece in native quotes.
	base int32
}

// span returns the place in the file of what HCL says is at r.
func (p piece) span(r hcl.Range) textspan.Span {
	start, end := int32(r.Start.Byte), int32(r.End.Byte)
	if p.str != nil {
		start, end = p.str.Place(start), p.str.Place(end)
	}
	return textspan.Of(start+p.base, end+p.base)
}

// errorAt returns an error about a place in the file of the piece.
func (p piece) errorAt(s textspan.Span, summary, format string, args ...any) hclconfig.Diagnostic {
	return errorAt(rangeIn(p.file, s), summary, format, args...)
}

// diagnostics returns HCL's diagnostics of the piece, with the places in the file.
func (p piece) diagnostics(diags hcl.Diagnostics) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	for _, d := range diags {
		own := hclconfig.Diagnostic{Severity: hclconfig.SeverityError, Summary: d.Summary, Detail: d.Detail}
		if d.Severity == hcl.DiagWarning {
			own.Severity = hclconfig.SeverityWarning
		}
		if d.Subject != nil {
			own.Subject = p.at(*d.Subject)
		}
		out = append(out, own)
	}
	return out
}

// at is span with lines and columns.
func (p piece) at(r hcl.Range) addrs.Range { return rangeIn(p.file, p.span(r)) }

// spanOf returns a place without its lines and columns.
func spanOf(r addrs.Range) textspan.Span {
	return textspan.Of(int32(r.Start.Offset), int32(r.End.Offset))
}

// rangeIn returns a place in f with its lines and columns.
func rangeIn(f *hclconfig.File, s textspan.Span) addrs.Range {
	return addrs.Range{Filename: f.Filename(), Start: f.Position(int64(s.Start)), End: f.Position(int64(s.End))}
}

// name returns the place of the name in a step of a traversal.
func (p piece) name(step hcl.Traverser) textspan.Span {
	r := step.SourceRange()
	n := 0
	switch x := step.(type) {
	case hcl.TraverseRoot:
		n = len(x.Name)
	case hcl.TraverseAttr:
		n = len(x.Name)
	}
	if n > 0 && r.End.Byte-r.Start.Byte > n {
		r.Start.Byte = r.End.Byte - n // without the dot, and white space around it
	}
	return p.span(r)
}

// pieceOf returns e as one piece.
func pieceOf(e hclconfig.Expression) piece {
	x, ok := nativeForm(e)
	if !ok {
		return piece{}
	}
	p := piece{file: e.File(), expr: x}
	if p.file.Syntax() == hclconfig.JSONSyntax {
		raw := e.Raw()
		p.str, p.base = jsontree.NewString([]byte(raw), textspan.Of(0, int32(len(raw)))), int32(e.Range().Start.Offset)
	}
	return p
}

// quotedPiece returns the content of a native string that is a reference in the
// legacy quoted form.
func quotedPiece(e hclconfig.Expression) piece {
	t, ok := native(e).(*hclsyntax.TemplateExpr)
	if !ok || !t.IsStringLiteral() {
		return piece{}
	}
	v, _ := t.Value(nil)
	s, ok := hcllex.LiteralString(v)
	if !ok || len(e.Raw()) != len(s)+2 {
		return piece{}
	}
	traversal, diags := hclsyntax.ParseTraversalAbs([]byte(s), e.File().Filename(), hcl.InitialPos)
	if diags.HasErrors() {
		return piece{}
	}
	return piece{file: e.File(), expr: &hclsyntax.ScopeTraversalExpr{Traversal: traversal}, base: int32(t.Range().Start.Byte) + 1}
}

// pieces returns the native source in e that may hold references, in order.
func pieces(e hclconfig.Expression) []piece {
	x := native(e)
	switch {
	case !e.IsSet():
		return nil
	case x == nil:
		return jsonPieces(nil, e)
	case e.Kind() != hclconfig.KindReference && e.Kind() != hclconfig.KindReferenceList:
		return []piece{{file: e.File(), expr: x}}
	}
	parts, ok := e.Elements()
	if !ok {
		parts = []hclconfig.Expression{e}
	}
	var out []piece
	for _, part := range parts {
		p := quotedPiece(part)
		if p.expr == nil {
			p = piece{file: e.File(), expr: native(part)}
		}
		out = append(out, p)
	}
	return out
}

func jsonPieces(out []piece, e hclconfig.Expression) []piece {
	if e.Kind() == hclconfig.KindLiteral {
		return out
	}
	switch first(e) {
	case '"':
		raw := e.Raw()
		if !hcllang.Kind(e.Kind()).Bare() && strings.IndexByte(raw, '{') < 0 && strings.IndexByte(raw, '\\') < 0 {
			return out // no template: a mark has its brace, or an escape of it
		}
		if p := pieceOf(e); p.expr != nil {
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

// hasInfinity reports whether a number literal is infinite.
func hasInfinity(v cty.Value) bool {
	return v.IsKnown() && !v.IsNull() && v.Type() == cty.Number && v.AsBigFloat().IsInf()
}

type hclBlock = hclconfig.Block

// A block is a block with its description in the language.
type block struct {
	*hclBlock
	spec *hcllang.Block
}

// A body is the content of a block, or of a file, with its description in the
// language.
type body struct {
	*hclconfig.Body
	spec *hcllang.Block
}

func rootOf(f *hclconfig.File) body { return body{f.Body(), hcllang.FileKind(f.Kind()).Root()} }

func (b body) block(i int) block {
	n := &b.Blocks[i]
	return block{n, b.spec.Inner(n.Type)}
}

func (b block) inner() body { return body{&b.Body, b.spec} }

// mislabelled reports whether a block has more or fewer labels than it should. The
// programs look at nothing in it.
func (b block) mislabelled() bool {
	return b.spec != nil && b.spec != hcllang.Open && (b.Type != "dynamic" || b.spec == hcllang.Dynamic) && len(b.spec.Labels) != len(b.Labels)
}

// notOverriding reports whether the programs do not look into a block in an override
// file, where it must not be.
func (b block) notOverriding() bool {
	switch b.Type {
	case "validation", "precondition", "postcondition":
		return b.spec != nil && b.spec != hcllang.Open && b.spec != hcllang.Ignored
	}
	return b.spec == hcllang.CheckBlock || b.spec == hcllang.LanguageBlock
}

// A call is a call of a function in an expression.
type call struct {
	Name string
	at   addrs.Range // of the name
}

// calls returns the calls of functions in e, in the order of the text.
func calls(e hclconfig.Expression) []call {
	switch e.Kind() {
	case hclconfig.KindType, hclconfig.KindProviderRequirement, hclconfig.KindIgnored:
		return nil
	}
	var out []call
	for _, p := range pieces(e) {
		_ = hclsyntax.VisitAll(p.expr, func(n hclsyntax.Node) hcl.Diagnostics {
			if c, ok := n.(*hclsyntax.FunctionCallExpr); ok {
				out = append(out, call{c.Name, p.at(c.NameRange)})
			}
			return nil
		})
	}
	return out
}

// providerRef understands e, which names a provider configuration, as far as it
// can be understood.
func providerRef(e hclconfig.Expression) hclconfig.ProviderRef {
	p := hclconfig.ProviderRef{Expression: e}
	in := pieceOf(e)
	x := in.expr
	if key, ok := x.(*hclsyntax.ObjectConsKeyExpr); ok {
		x = key.Wrapped
	}
	if i, ok := x.(*hclsyntax.IndexExpr); ok {
		s := in.span(i.Key.Range())
		x, p.Key = i.Collection, string(in.file.Bytes()[s.Start:s.End])
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

// optional returns the place of the first optional attribute in a type constraint.
func optional(e hclconfig.Expression) (at addrs.Range, found bool) {
	p := pieceOf(e)
	if p.expr == nil {
		return at, false
	}
	_ = hclsyntax.VisitAll(p.expr, func(n hclsyntax.Node) hcl.Diagnostics {
		if c, ok := n.(*hclsyntax.FunctionCallExpr); ok && c.Name == "optional" && !found {
			at, found = p.at(c.NameRange), true
		}
		return nil
	})
	return at, found
}

// typeConstraint reports the faults of a type, at HCL's places.
func (c *checker) typeConstraint(e hclconfig.Expression) {
	_, _, err := e.TypeConstraint()
	if err == nil {
		return
	}
	if p := pieceOf(e); p.expr != nil && !isQuoted(e) {
		if p.str != nil && c.tree {
			p.base-- // the programs count from the quote
		}
		if _, _, diags := typeexpr.TypeConstraintWithDefaults(p.expr); diags.HasErrors() {
			c.out = append(c.out, p.diagnostics(diags)...)
			return
		}
	}
	summary := "Invalid type specification"
	if isQuoted(e) {
		summary = "Invalid quoted type constraints"
		if text, err := e.Text(); err == nil && text != "string" && text != "list" && text != "map" {
			summary = "Invalid legacy variable type hint"
		}
	}
	c.reportError(e.Range(), summary, err)
}
