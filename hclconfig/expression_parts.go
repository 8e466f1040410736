// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

// A Reference is one place where an expression refers to an object, such as a
// variable or a resource.
type Reference struct {
	// Text is the constant part of the reference, in normal spelling: var.x,
	// aws_instance.a[0].id, each.value["k"]. It contains the word "resource" only where that is
	// needed: resource.aws_instance.a becomes aws_instance.a.
	Text string
	// Addr is Text as an address. It is not valid for a name that is not
	// OpenTofu's own, such as the iterator of a dynamic block.
	Addr addrs.Reference

	file *File
	at   textspan.Span
	// inString is the JSON string that the reference is in.
	inString textspan.Span
}

// Range returns the place of the reference in the file. In JSON syntax it is
// exact even after escapes.
func (r Reference) Range() addrs.Range { return r.file.rangeOf(r.at) }

// File returns the file that the reference is in, or nil.
func (r Reference) File() *File { return r.file }

// Root returns the first name of the reference: var, local, aws_instance.
func (r Reference) Root() string {
	if i := strings.IndexAny(r.Text, ".["); i >= 0 {
		return r.Text[:i]
	}
	return r.Text
}

// String returns the text of the reference.
func (r Reference) String() string { return r.Text }

// References returns the references of the expression, in the order of the
// text, including repeated ones. Names that the expression itself introduces,
// as in "for", are not included. An expression that cannot be parsed, or is of
// a kind without references, such as a type or a literal in JSON, has no
// references.
//
// Inside dynamic blocks the name of the iterator looks like a reference;
// [Body.References] leaves it out.
func (e Expression) References() []Reference {
	return e.uses()
}

// References returns the references of the arguments of the body and of all its
// nested blocks, in order, without the iterators of dynamic blocks.
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
	if !e.isNative() {
		c.json(e)
		return
	}
	for _, t := range e.tree().Variables() {
		c.traversal(e.file, t, e.span(t.SourceRange()), e.stringAt())
	}
	if e.kind == hcllang.KindReferenceList || e.kind == hcllang.KindReference {
		c.quoted(e)
	}
}

// providerKey collects the references in the key of a provider configuration, as
// in aws.by_region[local.region].
func (c *useCollector) providerKey(e Expression) {
	in, diags := e.embedded()
	if diags.HasErrors() {
		return
	}
	e.late = newTree(in.expr, in.str)
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
	if t, ok := e.tree().(*hclsyntax.TemplateExpr); ok && t.IsStringLiteral() {
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
		for s := range e.file.json().Elements(e.at) {
			c.json(e.part(s, e.kind))
		}
	case '{':
		for m := range e.file.json().Members(e.at) {
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
	if len(c.hidden) > 0 {
		root := r.Root()
		for _, name := range c.hidden {
			if name == root {
				return
			}
		}
	}
	r.Text, r.Addr = normalReference(text)
	c.out = append(c.out, r)
}

// normalReference returns the text of a reference without the word "resource"
// where it can be left out, and its address.
func normalReference(text string) (string, addrs.Reference) {
	addr, _ := addrs.ParseReference(text)
	if res, ok := addr.Resource(); ok && strings.HasPrefix(text, "resource.") {
		if short := text[len("resource."):]; strings.HasPrefix(short, res.String()) {
			if again, err := addrs.ParseReference(short); err == nil && again == addr {
				return short, addr
			}
		}
	}
	return text, addr
}

// A Form says how an expression is written. An expression with its Form, Name
// and Parts is a node of a tree, which is the same in both syntaxes.
// Its values include [FormLiteral], [FormTemplate] and [FormReference].
type Form string

// The forms, each with the results of Name and Parts.
const (
	// FormLiteral is a number, true, false, null, a string without template
	// sequences, the text between two of them, or a bare key of an object. It has
	// no parts. Its value is that of [Expression.Constant].
	FormLiteral Form = "literal"
	// FormTemplate is a string or heredoc with template sequences. The parts are
	// the pieces of text and the expressions in the sequences.
	FormTemplate Form = "template"
	// FormReference is a name with constant attributes and indexes:
	// aws_instance.a[0].id. The name is what [Reference.Text] would be.
	FormReference Form = "reference"
	// FormAccess is an index that is not constant, or attributes and indexes of an
	// expression that is not a reference: a[var.x], f(x).id[0]. The parts are the
	// accessed expression and, if it is not constant, the index. The name is the
	// rest, ".id[0]".
	FormAccess Form = "access"
	// FormSplat is a[*].id or a.*.id. The parts are the expanded expression and the
	// indexes after the asterisk that are not constant. The name is the rest as it
	// is written, ".id".
	FormSplat Form = "splat"
	// FormCall is a call of a function. The parts are the arguments.
	FormCall Form = "call"
	// FormOperation is an operator with its one or two operands. The name is the
	// operator, such as "+" or "!".
	FormOperation Form = "operation"
	// FormConditional is a condition and the two results, in both spellings:
	// a ? b : c and %{ if a }b%{ else }c%{ endif }.
	FormConditional Form = "conditional"
	// FormFor is a for expression for a list or an object, or %{ for }. It always
	// has four parts: the collection, the key of an object, the value, and the
	// condition. The second and the last may be zero Expressions. The name has the
	// variables: "v" or "k, v".
	FormFor Form = "for"
	// FormList is a list, [a, b]. The parts are the elements.
	FormList Form = "list"
	// FormObject is an object, {a = b}. The parts are keys and values in turn.
	FormObject Form = "object"
	// FormParentheses is an expression in parentheses, which is the only part.
	FormParentheses Form = "parentheses"
	// FormInvalid is text that does not parse, in a JSON string.
	FormInvalid Form = "invalid"
)

// Form returns the form in which the expression is written, or "" for the zero
// Expression. In JSON syntax a string that consists of one template sequence,
// "${f(x)}", has the form of its native spelling f(x).
func (e Expression) Form() Form {
	form, _, _ := e.node(false)
	return form
}

// Name returns the name of the function, the operator and so on: see [Form].
func (e Expression) Name() string {
	_, name, _ := e.node(false)
	return name
}

// Parts returns the expressions that e is made of, as its [Form] says. Each
// call makes new ones.
func (e Expression) Parts() []Expression {
	_, _, parts := e.node(true)
	return parts
}

// All returns an iterator over e and all its parts, each before its own parts.
func (e Expression) All() iter.Seq[Expression] {
	return func(yield func(Expression) bool) {
		stack := []Expression{e}
		for len(stack) > 0 {
			x := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !x.IsSet() {
				continue
			}
			if !yield(x) {
				return
			}
			parts := x.Parts()
			slices.Reverse(parts)
			stack = append(stack, parts...)
		}
	}
}

// node returns the form, the name and, if wanted, the parts of e.
func (e Expression) node(parts bool) (Form, string, []Expression) {
	switch {
	case e.file == nil:
		return "", "", nil
	case e.isNative():
		return e.nativeNode(e.tree(), parts)
	}
	switch e.file.src[e.at.Start] {
	case '[':
		if !parts {
			return FormList, "", nil
		}
		list, _ := e.Elements()
		return FormList, "", list
	case '{':
		if !parts {
			return FormObject, "", nil
		}
		var out []Expression
		members, _ := e.Members()
		for _, m := range members {
			out = append(out, m.Key, m.Value)
		}
		return FormObject, "", out
	case '"':
		return e.stringNode(parts)
	}
	return FormLiteral, "", nil
}

// stringNode is node for a JSON string.
func (e Expression) stringNode(parts bool) (Form, string, []Expression) {
	if !e.kind.Bare() && (!e.kind.Templates() || !hcllex.HasTemplateMarks(e.file.jsonText(e.at))) {
		return FormLiteral, "", nil
	}
	in, diags := e.embedded()
	if diags.HasErrors() || in.expr == nil {
		return FormInvalid, "", nil
	}
	x := in.expr
	if w, ok := x.(*hclsyntax.TemplateWrapExpr); ok {
		x = w.Wrapped
	}
	e.late = newTree(in.expr, in.str)
	return e.nativeNode(x, parts)
}

// nativeNode is node for x, which is e or, in JSON, what its string holds.
func (e Expression) nativeNode(x hclsyntax.Expression, parts bool) (Form, string, []Expression) {
	kind := e.kind.Element()
	list := func(in ...hclsyntax.Expression) []Expression {
		if !parts {
			return nil
		}
		out := make([]Expression, len(in))
		for i, x := range in {
			if x != nil {
				out[i] = e.nativePart(x, kind)
			}
		}
		return out
	}
	switch x := x.(type) {
	case *hclsyntax.LiteralValueExpr, *hclsyntax.ExprSyntaxError:
		return FormLiteral, "", nil
	case *hclsyntax.TemplateExpr:
		if x.IsStringLiteral() || len(x.Parts) == 0 {
			return FormLiteral, "", nil
		}
		if !parts {
			return FormTemplate, "", nil
		}
		return FormTemplate, "", list(joinText(x.Parts)...)
	case *hclsyntax.TemplateWrapExpr:
		return FormTemplate, "", list(x.Wrapped)
	case *hclsyntax.TemplateJoinExpr:
		return e.nativeNode(x.Tuple, parts)
	case *hclsyntax.ScopeTraversalExpr:
		name, _ := normalReference(hcllex.TraversalText(x.Traversal))
		return FormReference, name, nil
	case *hclsyntax.RelativeTraversalExpr:
		return FormAccess, hcllex.TraversalText(x.Traversal), list(x.Source)
	case *hclsyntax.IndexExpr:
		return FormAccess, "", list(x.Collection, x.Key)
	case *hclsyntax.SplatExpr:
		return FormSplat, e.splatName(x), list(append([]hclsyntax.Expression{x.Source}, splatKeys(x.Each)...)...)
	case *hclsyntax.FunctionCallExpr:
		return FormCall, x.Name, list(x.Args...)
	case *hclsyntax.BinaryOpExpr:
		return FormOperation, operators[x.Op], list(x.LHS, x.RHS)
	case *hclsyntax.UnaryOpExpr:
		return FormOperation, operators[x.Op], list(x.Val)
	case *hclsyntax.ConditionalExpr:
		return FormConditional, "", list(x.Condition, x.TrueResult, x.FalseResult)
	case *hclsyntax.ForExpr:
		name := x.ValVar
		if x.KeyVar != "" {
			name = x.KeyVar + ", " + x.ValVar
		}
		return FormFor, name, list(x.CollExpr, x.KeyExpr, x.ValExpr, x.CondExpr)
	case *hclsyntax.TupleConsExpr:
		return FormList, "", list(x.Exprs...)
	case *hclsyntax.ObjectConsExpr:
		if !parts {
			return FormObject, "", nil
		}
		var in []hclsyntax.Expression
		for _, item := range x.Items {
			in = append(in, item.KeyExpr, item.ValueExpr)
		}
		return FormObject, "", list(in...)
	case *hclsyntax.ObjectConsKeyExpr:
		if t, ok := x.Wrapped.(*hclsyntax.ScopeTraversalExpr); ok && !x.ForceNonLiteral && len(t.Traversal) == 1 {
			return FormLiteral, "", nil
		}
		if p, ok := x.Wrapped.(*hclsyntax.ParenthesesExpr); ok {
			return e.nativeNode(p.Expression, parts) // they only mark a key that is not bare
		}
		return e.nativeNode(x.Wrapped, parts)
	case *hclsyntax.ParenthesesExpr:
		return FormParentheses, "", list(x.Expression)
	}
	return FormInvalid, "", nil
}

// joinText makes one part of each run of texts, which HCL splits at line breaks.
func joinText(parts []hclsyntax.Expression) []hclsyntax.Expression {
	var out []hclsyntax.Expression
	var run *hclsyntax.LiteralValueExpr
	for _, p := range parts {
		text, ok := p.(*hclsyntax.LiteralValueExpr)
		switch {
		case !ok:
			out, run = append(out, p), nil
		default:
			b, isText := hcllex.LiteralString(text.Val)
			if !isText { // a number in braces
				out, run = append(out, p), nil
				continue
			}
			if run == nil {
				joined := *text
				run = &joined
				out = append(out, run)
				continue
			}
			a, _ := hcllex.LiteralString(run.Val)
			run.Val = cty.StringVal(a + b)
			run.SrcRange = hcl.RangeBetween(run.SrcRange, text.SrcRange)
		}
	}
	return out
}

var operators = map[*hclsyntax.Operation]string{
	hclsyntax.OpLogicalOr: "||", hclsyntax.OpLogicalAnd: "&&", hclsyntax.OpLogicalNot: "!",
	hclsyntax.OpEqual: "==", hclsyntax.OpNotEqual: "!=",
	hclsyntax.OpGreaterThan: ">", hclsyntax.OpGreaterThanOrEqual: ">=", hclsyntax.OpLessThan: "<", hclsyntax.OpLessThanOrEqual: "<=",
	hclsyntax.OpAdd: "+", hclsyntax.OpSubtract: "-", hclsyntax.OpMultiply: "*", hclsyntax.OpDivide: "/", hclsyntax.OpModulo: "%",
	hclsyntax.OpNegate: "-",
}

// splatName returns the text after the asterisk.
func (e Expression) splatName(x *hclsyntax.SplatExpr) string {
	rest := e.span(hcl.RangeBetween(x.MarkerRange, x.SrcRange))
	marker := e.span(x.MarkerRange)
	if rest.End <= marker.End {
		return ""
	}
	text := string(e.file.src[marker.End:rest.End])
	if e.str() != nil {
		text = string(jsonscan.AppendUnquote(nil, []byte(`"`+text+`"`)))
	}
	return strings.TrimSpace(text)
}

// splatKeys returns the indexes in the text after an asterisk.
func splatKeys(x hclsyntax.Expression) []hclsyntax.Expression {
	switch x := x.(type) {
	case *hclsyntax.RelativeTraversalExpr:
		return splatKeys(x.Source)
	case *hclsyntax.IndexExpr:
		return append(splatKeys(x.Collection), x.Key)
	case *hclsyntax.SplatExpr:
		return append(splatKeys(x.Source), splatKeys(x.Each)...)
	}
	return nil
}

// span returns the place in the file of the range r that HCL found in e's text.
func (e Expression) span(r hcl.Range) textspan.Span { return spanIn(e.str(), r) }

// spanIn returns the place in the file of what HCL says is at r, of the file or, if
// str is not nil, of the text in that string.
func spanIn(str *jsontree.String, r hcl.Range) textspan.Span {
	s := spanOf(r)
	if str == nil {
		return s
	}
	return textspan.Of(str.Place(s.Start), str.Place(s.End))
}

// stringAt returns the JSON string that e is in.
func (e Expression) stringAt() textspan.Span {
	if str := e.str(); str != nil {
		return str.At
	}
	return textspan.Span{}
}
