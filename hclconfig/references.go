// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A Reference is one place where an expression refers to something.
type Reference struct {
	// Text is what is referred to, as far as it is constant, spelled in the
	// normal way: var.x, aws_instance.a[0].id, each.value["k"].
	Text string
	// Addr is the same as an address. It is not valid for a name that
	// OpenTofu itself does not know, such as the iterator of a dynamic block.
	Addr addrs.Reference

	file *File
	at   textspan.Span
	// inString is the JSON string that the reference is in.
	inString textspan.Span
}

// Range returns the place of the reference in the file. In JSON syntax it is
// exact even behind escapes.
func (r Reference) Range() Range { return r.file.rangeOf(r.at) }

// Root returns the first name of the reference: var, local, aws_instance.
func (r Reference) Root() string {
	if i := strings.IndexAny(r.Text, ".["); i >= 0 {
		return r.Text[:i]
	}
	return r.Text
}

// String returns the text of the reference.
func (r Reference) String() string { return r.Text }

// References returns what the expression refers to, in the order of the text
// and as often as it does. Names that the expression itself introduces, as in
// "for", are not among them. An expression that cannot be parsed refers to
// nothing, and one of a kind that holds no references, such as a type or a
// literal in JSON, neither.
//
// Inside dynamic blocks the name of the iterator looks like a reference;
// [Body.References] knows better.
func (e Expression) References() []Reference {
	return e.uses()
}

// References returns what the arguments of the body and of all its nested
// blocks refer to, in order, without the iterators of dynamic blocks.
func (b *Body) References() []Reference {
	if b == nil {
		return nil
	}
	c := useCollector{}
	c.body(b)
	return c.out
}

// uses returns the references of e.
func (e Expression) uses() []Reference {
	if e.file == nil {
		return nil
	}
	c := useCollector{}
	c.expression(e)
	return c.out
}

// A useCollector walks expressions and collects their references.
type useCollector struct {
	out []Reference
	// hidden has the names of the iterators in scope.
	hidden []string
}

func (c *useCollector) body(b *Body) {
	args, blocks := b.Arguments, b.Blocks
	for len(args) > 0 || len(blocks) > 0 {
		if len(blocks) == 0 || len(args) > 0 && args[0].file == blocks[0].file && args[0].nameAt.Start < blocks[0].entry.Start ||
			len(args) > 0 && args[0].file != blocks[0].file {
			c.expression(args[0].Expression)
			args = args[1:]
			continue
		}
		c.block(&blocks[0])
		blocks = blocks[1:]
	}
}

func (c *useCollector) block(b *Block) {
	if b.spec != hcllang.Dynamic || len(b.Labels) != 1 {
		c.body(&b.Body)
		return
	}
	// The iterator is in scope in labels and in the content.
	name := b.Labels[0]
	for i := range b.Body.Arguments {
		switch a := &b.Body.Arguments[i]; a.Name {
		case "iterator":
			if word := a.Keyword(); word != "" {
				name = word
			}
		case "labels":
		default:
			c.expression(a.Expression)
		}
	}
	c.hidden = append(c.hidden, name)
	if a := b.Argument("labels"); a != nil {
		c.expression(a.Expression)
	}
	for i := range b.Body.Blocks {
		c.block(&b.Body.Blocks[i])
	}
	c.hidden = c.hidden[:len(c.hidden)-1]
}

func (c *useCollector) expression(e Expression) {
	switch e.kind {
	case hcllang.KindProviderReference:
		c.providerKey(e)
		return
	case hcllang.KindProviderMap:
		members, _ := e.Members()
		for _, m := range members {
			c.providerKey(m.Value)
		}
		return
	case hcllang.KindType, hcllang.KindKeyword, hcllang.KindKeywordList, hcllang.KindAttributeList,
		hcllang.KindProviderRequirement, hcllang.KindIgnored:
		return
	}
	if e.native == nil {
		c.json(e)
		return
	}
	for _, t := range e.native.Variables() {
		c.traversal(e.file, t, e.span(t.SourceRange()), e.stringAt())
	}
	if e.kind == hcllang.KindReferenceList || e.kind == hcllang.KindReference {
		c.quoted(e)
	}
}

// providerKey collects what the key of a provider configuration refers to, as in
// aws.by_region[local.region].
func (c *useCollector) providerKey(e Expression) {
	in, diags := e.embedded()
	if diags.HasErrors() {
		return
	}
	e.str = in.str
	if i, ok := in.expr.(*hclsyntax.IndexExpr); ok {
		for _, t := range i.Key.Variables() {
			c.traversal(e.file, t, e.span(t.SourceRange()), e.stringAt())
		}
	}
}

// quoted collects references in the legacy quoted form of native syntax.
func (c *useCollector) quoted(e Expression) {
	if parts, ok := e.Elements(); ok {
		for _, p := range parts {
			c.quoted(p)
		}
		return
	}
	if t, ok := e.native.(*hclsyntax.TemplateExpr); ok && t.IsStringLiteral() {
		v, _ := t.Value(nil)
		s, _ := hcllex.LiteralString(v)
		if traversal, diags := hclsyntax.ParseTraversalAbs([]byte(s), e.file.name, hcl.InitialPos); !diags.HasErrors() {
			c.traversal(e.file, traversal, e.at, e.stringAt())
		}
	}
}

// json collects the references of a JSON value.
func (c *useCollector) json(e Expression) {
	src := e.file.src
	if e.kind == hcllang.KindLiteral {
		return
	}
	switch src[e.at.Start] {
	case '"':
		c.jsonString(e)
	case '[':
		for s := range jsontree.Elements(src, e.at) {
			c.json(e.part(s, e.kind))
		}
	case '{':
		for m := range jsontree.Members(src, e.at) {
			if e.kind.Templates() {
				c.jsonString(e.part(m.Name, e.kind))
			}
			c.json(e.part(m.Value, e.kind))
		}
	}
}

func (c *useCollector) jsonString(e Expression) {
	raw := e.file.text[e.at.Start+1 : e.at.End-1]
	if !e.kind.Bare() {
		// Most strings hold no template. A mark can only be spelled with
		// its brace as it is, or with an escape.
		if strings.IndexByte(raw, '{') < 0 && strings.IndexByte(raw, '\\') < 0 {
			return
		}
		if text, ok := hcllex.SoleReference(raw); ok {
			c.add(e.file, text, textspan.Of(e.at.Start+3, e.at.End-2), e.at)
			return
		}
	}
	in, diags := e.embedded()
	if diags.HasErrors() || in.expr == nil {
		return
	}
	for _, t := range in.expr.Variables() {
		c.traversal(e.file, t, in.span(t.SourceRange()), e.at)
	}
}

func (c *useCollector) traversal(f *File, t hcl.Traversal, at, inString textspan.Span) {
	if t.IsRelative() {
		return
	}
	c.add(f, hcllex.TraversalText(t), at, inString)
}

func (c *useCollector) add(f *File, text string, at, inString textspan.Span) {
	r := Reference{Text: text, file: f, at: at, inString: inString}
	r.Addr, _ = addrs.ParseReference(text)
	if len(c.hidden) > 0 {
		root := r.Root()
		for _, name := range c.hidden {
			if name == root {
				return
			}
		}
	}
	c.out = append(c.out, r)
}

// A Call is one place where an expression calls a function.
type Call struct {
	// Name is the function's, with the namespace if there is one:
	// upper, core::upper, provider::aws::arn_parse.
	Name string
	// Arguments is how many arguments are given.
	Arguments int

	file *File
	at   textspan.Span
}

// Range returns the place of the function's name.
func (c Call) Range() Range { return c.file.rangeOf(c.at) }

// Functions returns the function calls in the expression, in the order of the
// text. In JSON, a template that cannot be parsed has none.
func (e Expression) Functions() []Call {
	if e.file == nil {
		return nil
	}
	switch e.kind {
	case hcllang.KindType, hcllang.KindProviderRequirement, hcllang.KindIgnored:
		return nil
	}
	var out []Call
	if e.native != nil {
		return appendCalls(out, embedded{expr: e.native, file: e.file, str: e.str})
	}
	if e.kind.Templates() {
		out = e.jsonCalls(out)
	} else if e.kind.Bare() {
		for _, s := range e.jsonStrings(nil) {
			if in, diags := e.part(s, e.kind).embedded(); !diags.HasErrors() && in.expr != nil {
				out = appendCalls(out, in)
			}
		}
	}
	return out
}

func (e Expression) jsonCalls(out []Call) []Call {
	for _, s := range e.jsonStrings(nil) {
		if raw := e.file.text[s.Start:s.End]; strings.IndexByte(raw, '(') < 0 && strings.IndexByte(raw, '\\') < 0 {
			continue
		}
		if in, diags := e.part(s, hcllang.KindExpression).embedded(); !diags.HasErrors() && in.expr != nil {
			out = appendCalls(out, in)
		}
	}
	return out
}

// jsonStrings returns the places of the strings in a JSON value, with the
// property names where those are templates too.
func (e Expression) jsonStrings(out []textspan.Span) []textspan.Span {
	src := e.file.src
	switch src[e.at.Start] {
	case '"':
		out = append(out, e.at)
	case '[':
		for s := range jsontree.Elements(src, e.at) {
			out = e.part(s, e.kind).jsonStrings(out)
		}
	case '{':
		for m := range jsontree.Members(src, e.at) {
			if e.kind.Templates() {
				out = append(out, m.Name)
			}
			out = e.part(m.Value, e.kind).jsonStrings(out)
		}
	}
	return out
}

// appendCalls appends the calls in an expression. A call comes before those
// in its arguments, which is where its name stands.
func appendCalls(out []Call, in embedded) []Call {
	w := callWalker{in: in, out: out}
	_ = hclsyntax.Walk(in.expr, &w)
	return w.out
}

type callWalker struct {
	in  embedded
	out []Call
}

func (w *callWalker) Enter(n hclsyntax.Node) hcl.Diagnostics {
	if c, ok := n.(*hclsyntax.FunctionCallExpr); ok {
		w.out = append(w.out, Call{Name: c.Name, Arguments: len(c.Args), file: w.in.file, at: w.in.span(c.NameRange)})
	}
	return nil
}

func (w *callWalker) Exit(hclsyntax.Node) hcl.Diagnostics { return nil }
