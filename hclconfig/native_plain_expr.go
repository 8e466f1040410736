// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

// ends reports whether an expression can end here.
func (r *plainReader) ends() bool {
	for i := r.i; i < len(r.src); i++ {
		switch r.src[i] {
		case ' ', '\t':
		case '\n', '\r', '#', '}':
			return true
		case '/':
			return i+1 < len(r.src) && r.src[i+1] == '/'
		default:
			return false
		}
	}
	return true
}

func (r *plainReader) rangeOf(s textspan.Span) hcl.Range {
	return hcl.Range{Filename: r.f.name, Start: hcl.Pos{Line: 1, Byte: int(s.Start)}, End: hcl.Pos{Line: 1, Byte: int(s.End)}}
}

// plain reads an expression of the plain forms, or returns nil.
func (r *plainReader) plain() hclsyntax.Expression {
	if r.i >= len(r.src) {
		return nil
	}
	switch c := r.src[r.i]; {
	case c == '"':
		return r.plainText()
	case '0' <= c && c <= '9':
		return r.plainNumber()
	case c == '[':
		return r.plainList()
	case c == '{':
		return r.plainObject()
	case identByte(c, false):
		return r.plainName()
	}
	return nil
}

// quoted reads a quoted string without escapes and template marks.
func (r *plainReader) quoted() (textspan.Span, bool) {
	if r.i >= len(r.src) || r.src[r.i] != '"' {
		return textspan.Span{}, false
	}
	for i := r.i + 1; i < len(r.src); i++ {
		switch r.src[i] {
		case '"':
			s := textspan.Of(int32(r.i), int32(i+1))
			r.i = i + 1
			return s, true
		case '\\', '$', '%', '\n', '\r':
			return textspan.Span{}, false
		}
	}
	return textspan.Span{}, false
}

// plainText reads a quoted string without template marks, and with the common
// escapes only.
func (r *plainReader) plainText() hclsyntax.Expression {
	start, escapes := r.i, 0
	end := start + 1
scan:
	for ; ; end++ {
		if end >= len(r.src) {
			return nil
		}
		switch r.src[end] {
		case '"':
			break scan
		case '\\':
			if end++; end >= len(r.src) || strings.IndexByte(`nrt"\`, r.src[end]) < 0 {
				return nil
			}
			escapes++
		case '$', '%', '\n', '\r':
			return nil
		}
	}
	r.i = end + 1
	s := textspan.Of(int32(start), int32(r.i))
	// One allocation for the three parts of what HCL makes of a text.
	x := &struct {
		template hclsyntax.TemplateExpr
		literal  hclsyntax.LiteralValueExpr
		parts    [1]hclsyntax.Expression
	}{}
	inner := textspan.Of(s.Start+1, s.End-1)
	if inner.Start == inner.End {
		inner = textspan.Of(s.End, s.End) // where HCL has nothing
	}
	text := r.text(textspan.Of(s.Start+1, s.End-1))
	if escapes > 0 {
		text = plainEscapes.Replace(text)
	}
	x.literal = hclsyntax.LiteralValueExpr{Val: cty.StringVal(text), SrcRange: r.rangeOf(inner)}
	x.parts[0] = &x.literal
	x.template = hclsyntax.TemplateExpr{Parts: x.parts[:], SrcRange: r.rangeOf(s)}
	return &x.template
}

var plainEscapes = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\"`, `"`, `\\`, `\`)

// plainNumber reads a number without exponent.
func (r *plainReader) plainNumber() hclsyntax.Expression {
	start := r.i
	digits := func() {
		for r.i < len(r.src) && '0' <= r.src[r.i] && r.src[r.i] <= '9' {
			r.i++
		}
	}
	digits()
	if r.i+1 < len(r.src) && r.src[r.i] == '.' && '0' <= r.src[r.i+1] && r.src[r.i+1] <= '9' {
		r.i++
		digits()
	}
	if r.i < len(r.src) && (identByte(r.src[r.i], true) || r.src[r.i] == '.' || r.src[r.i] >= 0x80) {
		return nil
	}
	s := textspan.Of(int32(start), int32(r.i))
	v, err := cty.ParseNumberVal(r.text(s))
	if err != nil {
		return nil
	}
	return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: r.rangeOf(s)}
}

// hcllex.PlainName reads true, false, null, or names with dots between them.
func (r *plainReader) plainName() hclsyntax.Expression {
	s := r.ident()
	if s.Start == s.End {
		return nil
	}
	name := r.text(s)
	dotted := r.i < len(r.src) && r.src[r.i] == '.'
	switch name {
	case "true", "false", "null":
		if dotted {
			return nil
		}
		v := cty.NullVal(cty.DynamicPseudoType)
		if name != "null" {
			v = cty.BoolVal(name == "true")
		}
		return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: r.rangeOf(s)}
	}
	if r.i < len(r.src) && r.src[r.i] == '(' {
		return r.plainCall(name, s)
	}
	t := append(make(hcl.Traversal, 0, 3), hcl.TraverseRoot{Name: name, SrcRange: r.rangeOf(s)})
	for r.i < len(r.src) {
		start := int32(r.i)
		switch c := r.src[r.i]; {
		case c == '.':
			r.i++
			part := r.ident()
			if part.Start == part.End {
				return nil
			}
			t = append(t, hcl.TraverseAttr{Name: r.text(part), SrcRange: r.rangeOf(textspan.Of(start, part.End))})
			continue
		case c == '[':
			key, ok := r.plainIndex()
			if !ok {
				return nil
			}
			t = append(t, hcl.TraverseIndex{Key: key, SrcRange: r.rangeOf(textspan.Of(start, int32(r.i)))})
			continue
		case c == '(' || c == ':' || c >= 0x80:
			return nil
		}
		break
	}
	return &hclsyntax.ScopeTraversalExpr{Traversal: t, SrcRange: r.rangeOf(textspan.Of(s.Start, int32(r.i)))}
}

// plainIndex reads a number or a text in brackets.
func (r *plainReader) plainIndex() (key cty.Value, ok bool) {
	r.i++
	if r.i >= len(r.src) {
		return cty.NilVal, false
	}
	switch c := r.src[r.i]; {
	case c == '"':
		if x, ok := r.plainText().(*hclsyntax.TemplateExpr); ok && x != nil {
			key = x.Parts[0].(*hclsyntax.LiteralValueExpr).Val
		}
	case '0' <= c && c <= '9':
		if x, ok := r.plainNumber().(*hclsyntax.LiteralValueExpr); ok && x != nil {
			key = x.Val
		}
	}
	if key == cty.NilVal || r.i >= len(r.src) || r.src[r.i] != ']' {
		return cty.NilVal, false
	}
	r.i++
	return key, true
}

// plainCall reads the arguments of a function call, from the parenthesis on.
func (r *plainReader) plainCall(name string, at textspan.Span) hclsyntax.Expression {
	open := int32(r.i)
	r.i++
	if !r.enter() {
		return nil
	}
	args, ok := r.items(')')
	if !ok {
		return nil
	}
	r.depth--
	if r.i < len(r.src) && strings.IndexByte(".[(", r.src[r.i]) >= 0 {
		return nil
	}
	return &hclsyntax.FunctionCallExpr{
		Name: name, Args: args, NameRange: r.rangeOf(at),
		OpenParenRange: r.rangeOf(textspan.Of(open, open+1)), CloseParenRange: r.rangeOf(textspan.Of(int32(r.i)-1, int32(r.i))),
	}
}

// enter counts an open bracket and reports whether that is not too deep.
func (r *plainReader) enter() bool {
	r.depth++
	return r.depth <= plainDepth
}

func (r *plainReader) plainList() hclsyntax.Expression {
	start := int32(r.i)
	r.i++
	list := &hclsyntax.TupleConsExpr{OpenRange: r.rangeOf(textspan.Of(start, start+1))}
	if !r.enter() {
		return nil
	}
	items, ok := r.items(']')
	if !ok {
		return nil
	}
	list.Exprs = items
	r.depth--
	list.SrcRange = r.rangeOf(textspan.Of(start, int32(r.i)))
	return list
}

// items reads expressions with commas between them, up to the closing bracket
// and with it. Line breaks mean nothing there.
func (r *plainReader) items(shut byte) (items []hclsyntax.Expression, ok bool) {
	items = []hclsyntax.Expression{}
	for {
		r.blank()
		if r.i >= len(r.src) {
			return nil, false
		}
		if r.src[r.i] == shut {
			r.i++
			return items, true
		}
		start, depth := r.i, r.depth
		x := r.plain()
		if x != nil && len(items) == 0 && isFor(x) {
			return nil, false // "[for" begins another kind of expression
		}
		if x != nil {
			r.blank()
		}
		if x == nil || r.i >= len(r.src) || r.src[r.i] != ',' && r.src[r.i] != shut {
			if shut == ')' {
				return nil, false // what is given to a function may end in "..."
			}
			r.i, r.depth = start, depth
			if x = r.complex(shut, false); x == nil {
				return nil, false
			}
			r.blank()
		}
		items = append(items, x)
		if r.i < len(r.src) && r.src[r.i] == ',' {
			r.i++
		} else if r.i >= len(r.src) || r.src[r.i] != shut {
			return nil, false
		}
	}
}

func isFor(x hclsyntax.Expression) bool {
	t, ok := x.(*hclsyntax.ScopeTraversalExpr)
	return ok && t.Traversal.RootName() == "for"
}

func (r *plainReader) plainObject() hclsyntax.Expression {
	start := int32(r.i)
	r.i++
	object := &hclsyntax.ObjectConsExpr{OpenRange: r.rangeOf(textspan.Of(start, start+1))}
	if !r.enter() {
		return nil
	}
	for {
		r.blank()
		if r.i >= len(r.src) {
			return nil
		}
		if r.src[r.i] == '}' {
			break
		}
		key := r.plainKey()
		if key == nil || len(object.Items) == 0 && isFor(key) {
			return nil
		}
		r.spaces()
		if r.i+1 >= len(r.src) || r.src[r.i] != '=' && r.src[r.i] != ':' || r.src[r.i+1] == '=' || r.src[r.i+1] == '>' || r.src[r.i+1] == ':' {
			return nil
		}
		r.i++
		r.spaces()
		valueAt, depth := r.i, r.depth
		value := r.plain()
		if value == nil || !r.endsItem() {
			r.i, r.depth = valueAt, depth
			if value = r.complex('}', true); value == nil {
				return nil
			}
		}
		object.Items = append(object.Items, hclsyntax.ObjectConsItem{KeyExpr: &hclsyntax.ObjectConsKeyExpr{Wrapped: key}, ValueExpr: value})
		// A comma, a line break, both, or the end.
		r.spaces()
		switch {
		case r.i < len(r.src) && (r.src[r.i] == ',' || r.src[r.i] == '}'):
			if r.src[r.i] == ',' {
				r.i++
			}
		case !r.newline():
			return nil
		default:
			if r.blank(); r.i < len(r.src) && r.src[r.i] == ',' {
				return nil
			}
		}
	}
	r.i++
	r.depth--
	object.SrcRange = r.rangeOf(textspan.Of(start, int32(r.i)))
	return object
}

// endsItem reports whether an item of an object can end here.
func (r *plainReader) endsItem() bool {
	r.spaces()
	return r.i < len(r.src) && r.src[r.i] == ',' || r.ends()
}

// hcllex.PlainKey reads a key of an object: a single name or a text.
func (r *plainReader) plainKey() hclsyntax.Expression {
	if r.src[r.i] == '"' {
		return r.plainText()
	}
	s := r.ident()
	if s.Start == s.End {
		return nil
	}
	switch name := r.text(s); name {
	case "true", "false", "null":
		return nil
	default:
		t := hcl.Traversal{hcl.TraverseRoot{Name: name, SrcRange: r.rangeOf(s)}}
		return &hclsyntax.ScopeTraversalExpr{Traversal: t, SrcRange: r.rangeOf(s)}
	}
}

// complex has HCL's parser read the expression at r.i. It ends at a comma, at
// the bracket shut or, if lines is set, with its line, unless a bracket, a
// heredoc or the like is open there.
func (r *plainReader) complex(shut byte, lines bool) hclsyntax.Expression {
	if r.failed {
		return nil
	}
	r.failed = true // until it went well
	start := r.i
	g := &r.guard
	g.Src, g.I, g.Total, g.Unclosed = r.src, start, 0, false
	g.Stack = append(g.Stack[:0], hcllex.Level{Mode: 'n'})
scan:
	for g.I < len(r.src) {
		top := &g.Stack[len(g.Stack)-1]
		if top.Mode != 'n' {
			g.Text(top)
			continue
		}
		if len(g.Stack) == 1 {
			switch c := r.src[g.I]; {
			case c == shut, c == ',', c == '\n' && lines:
				break scan
			case c == '/' && g.I+1 < len(r.src) && r.src[g.I+1] == '*':
				return nil // it may stand behind the expression
			case lines && (c == '#' || c == '/' && g.I+1 < len(r.src) && r.src[g.I+1] == '/'):
				break scan
			}
		}
		g.Code(top)
	}
	if len(g.Stack) != 1 {
		return nil
	}
	end := min(g.I, len(r.src))
	// The line break goes along: a heredoc needs it.
	with := end
	if end < len(r.src) && r.src[end] == '\n' {
		with++
	}
	x, diags := hclsyntax.ParseExpression(r.src[start:with], r.f.name, hcl.Pos{Line: 1, Byte: start})
	if len(diags) > 0 {
		return nil
	}
	for end > start && (r.src[end-1] == ' ' || r.src[end-1] == '\t' || r.src[end-1] == '\r') {
		end--
	}
	r.i = end
	r.failed = false
	return x
}
