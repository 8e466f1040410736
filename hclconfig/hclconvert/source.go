// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A source is a file that is converted, or its conversion, with the language's
// description of each body, and with places as offsets.
type source struct {
	file    *hclconfig.File
	name    string
	src     []byte
	syntax  hclconfig.Syntax
	dialect hclconfig.Dialect
	json    *jsontree.Index // of a JSON file
}

func newSource(f *hclconfig.File) *source {
	return &source{f, f.Filename(), f.Bytes(), f.Syntax(), f.Dialect(), jsontree.NewIndex(f.Bytes())}
}

// root returns the content of the file.
func (f *source) root() *body {
	return f.body(f.file.Body(), hcllang.FileKind(f.file.Kind()).Root())
}

// A body is a body with its description in the language.
type body struct {
	file      *source
	spec      *hcllang.Block
	at        textspan.Span
	Arguments []argument
	Blocks    []block
	names     map[string][]int // the places of arguments by name, once one was looked for
}

// An argument is an argument with its place.
type argument struct {
	expression
	Name      string
	Undecided bool
	nameAt    textspan.Span
	public    *hclconfig.Argument
}

// A block is a block with its place and its description in the language.
type block struct {
	Type   string
	Labels []string
	file   *source
	spec   *hcllang.Block
	typeAt textspan.Span
	entry  textspan.Span // all of it
	public *hclconfig.Block
}

// An expression is a native expression, or a JSON value or a part of one.
type expression struct {
	file   *source
	native hclsyntax.Expression // nil in JSON syntax
	at     textspan.Span
	kind   hcllang.Kind
	lit    hcllang.Literal
}

func placeOf(r addrs.Range) textspan.Span {
	return textspan.Of(int32(r.Start.Offset), int32(r.End.Offset))
}

func spanOf(r hcl.Range) textspan.Span {
	return textspan.Of(int32(r.Start.Byte), int32(r.End.Byte))
}

// body returns b, which spec describes.
func (f *source) body(b *hclconfig.Body, spec *hcllang.Block) *body {
	out := &body{file: f, spec: spec, at: placeOf(b.Range())}
	if n := len(b.Arguments); n > 0 {
		out.Arguments = make([]argument, n)
	}
	for i := range b.Arguments {
		a := &b.Arguments[i]
		out.Arguments[i] = argument{expression: f.expression(a.Expression), Name: a.Name, Undecided: a.Undecided, nameAt: placeOf(a.NameRange()), public: a}
		if m := spec.Lookup(a.Name); m.Arg != nil {
			out.Arguments[i].lit = m.Arg.Lit
		}
	}
	if n := len(b.Blocks); n > 0 {
		out.Blocks = make([]block, n)
	}
	for i := range b.Blocks {
		out.Blocks[i] = f.block(&b.Blocks[i], spec.Inner(b.Blocks[i].Type))
	}
	return out
}

func (f *source) block(b *hclconfig.Block, spec *hcllang.Block) block {
	return block{Type: b.Type, Labels: b.Labels, file: f, spec: spec, typeAt: placeOf(b.TypeRange()), entry: placeOf(b.Range()), public: b}
}

func (f *source) expression(e hclconfig.Expression) expression {
	_, start, end := e.Place() // Range would count lines
	out := expression{file: f, at: textspan.Of(int32(start), int32(end)), kind: hcllang.Kind(e.Kind())}
	if f.syntax == hclconfig.NativeSyntax {
		out.native, _ = e.HCL()
	}
	return out
}

// body returns the content of the block.
func (b *block) body() *body { return b.file.body(&b.public.Body, b.spec) }

// isOpen reports whether only a schema knows blocks of its type.
func (b *block) isOpen() bool { return b.spec == hcllang.Open || b.spec == hcllang.OpenStatic }

// argument returns the argument of that name, or nil.
func (b *body) argument(name string) *argument {
	if places := b.named(name); len(places) > 0 {
		return &b.Arguments[places[0]]
	}
	return nil
}

// named returns the places of the arguments with that name.
func (b *body) named(name string) []int {
	if b.names == nil {
		b.names = make(map[string][]int, len(b.Arguments))
		for i := range b.Arguments {
			name := b.Arguments[i].Name
			b.names[name] = append(b.names[name], i)
		}
	}
	return b.names[name]
}

// block returns the first block of that type, or nil.
func (b *body) block(typ string) *block {
	for i := range b.Blocks {
		if b.Blocks[i].Type == typ {
			return &b.Blocks[i]
		}
	}
	return nil
}

// undecided returns the blocks of undecided properties.
func (b *body) undecided(typ string, labels int) []block {
	var out []block
	for _, i := range b.named(typ) {
		if a := &b.Arguments[i]; a.Undecided {
			found, _ := b.decide(a, labels)
			out = append(out, found...)
		}
	}
	return out
}

// decide reads an undecided property as blocks.
func (b *body) decide(a *argument, labels int) ([]block, hclconfig.Diagnostics) {
	found, diags := a.public.AsBlocks(labels)
	out := make([]block, len(found))
	spec := hcllang.Open
	if a.kind == hcllang.KindStatic || a.kind == hcllang.KindLiteral {
		spec = hcllang.OpenStatic
	}
	for i := range found {
		out[i] = b.file.block(&found[i], spec)
	}
	return out, diags
}

// part returns the expression at s, which is in e.
func (e expression) part(s textspan.Span, kind hcllang.Kind) expression {
	return expression{file: e.file, at: s, kind: kind}
}

// raw returns the text of the expression.
func (e expression) raw() string { return string(e.file.src[e.at.Start:e.at.End]) }

// isJSON reports whether e is in a JSON file and begins with the byte c.
func (e expression) isJSON(c byte) bool { return e.native == nil && e.file.src[e.at.Start] == c }

// elements returns the elements of an expression that is written as a list, and
// whether it is.
func (e expression) elements() ([]expression, bool) {
	kind := e.kind.Element()
	if e.isJSON('[') {
		var out []expression
		for s := range e.file.json.Elements(e.at) {
			out = append(out, e.part(s, kind))
		}
		return out, true
	}
	list, ok := e.native.(*hclsyntax.TupleConsExpr)
	if !ok {
		return nil, false
	}
	out := make([]expression, len(list.Exprs))
	for i, x := range list.Exprs {
		out[i] = expression{file: e.file, native: x, at: spanOf(x.Range()), kind: kind}
	}
	return out, true
}

// needs reports whether the argument has references or function calls.
func (a *argument) needs() bool {
	if len(a.public.References()) > 0 {
		return true
	}
	for x := range a.public.All() {
		if x.Form() == hclconfig.FormCall {
			return true
		}
	}
	return false
}

// template parses the JSON string that e is as a template.
func (e expression) template() (hclsyntax.Expression, hclconfig.Diagnostics) {
	text := e.file.jsonText(e.at)
	if hcllex.TooDeep([]byte(text), true) >= 0 {
		return nil, hclconfig.Diagnostics{e.file.errorAt(e.at, "Expression nested too deeply",
			"More than %d brackets and operators are inside each other in this string.", hcllex.MaxNesting)}
	}
	x, found := hcllex.ParseTemplate([]byte(text), e.file.name, hcl.InitialPos)
	var diags hclconfig.Diagnostics
	str := jsontree.NewString(e.file.src, e.at)
	for _, d := range found {
		at := e.at
		if d.Subject != nil {
			s := spanOf(*d.Subject)
			at = textspan.Of(str.Place(s.Start), str.Place(s.End))
		}
		own := e.file.errorAt(at, d.Summary, "%s", d.Detail)
		if d.Severity == hcl.DiagWarning {
			own.Severity = hclconfig.SeverityWarning
		}
		diags = append(diags, own)
	}
	return x, diags
}

// parseTemplate parses a template. It returns nil if text is not one.
func parseTemplate(text string) hclsyntax.Expression {
	if hcllex.TooDeep([]byte(text), true) >= 0 {
		return nil
	}
	x, diags := hcllex.ParseTemplate([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		return nil
	}
	return x
}

// jsonText returns the meaning of the JSON string at s.
func (f *source) jsonText(s textspan.Span) string {
	return string(jsonscan.AppendUnquote(nil, f.src[s.Start:s.End]))
}

// rangeOf returns s with its lines and columns.
func (f *source) rangeOf(s textspan.Span) addrs.Range {
	return addrs.Range{Filename: f.name, Start: f.file.Position(int64(s.Start)), End: f.file.Position(int64(s.End))}
}

func (f *source) errorAt(s textspan.Span, summary, format string, args ...any) hclconfig.Diagnostic {
	return hclconfig.Diagnostic{Severity: hclconfig.SeverityError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: f.rangeOf(s)}
}

// sorted orders the diagnostics of one file by place.
func sorted(diags hclconfig.Diagnostics) hclconfig.Diagnostics {
	slices.SortStableFunc(diags, func(a, b hclconfig.Diagnostic) int { return int(a.Subject.Start.Offset - b.Subject.Start.Offset) })
	return diags
}
