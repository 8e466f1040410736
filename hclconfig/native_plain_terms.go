// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

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

// template reads a quoted string with interpolations. It knows the common
// escapes only, and no directives.
func (r *plainReader) template() hclsyntax.Expression {
	start := r.i
	from, escapes := start+1, false
	var parts []hclsyntax.Expression
	for i := from; i < len(r.src); i++ {
		switch c := r.src[i]; c {
		case '"':
			r.i = i + 1
			if r.dry {
				return anyExpression
			}
			if parts == nil {
				return r.plainText(start, escapes)
			}
			if i > from {
				parts = append(parts, r.literal(from, i, escapes))
			} else if len(parts) == 1 {
				return &hclsyntax.TemplateWrapExpr{Wrapped: parts[0], SrcRange: r.from(start)}
			}
			return &hclsyntax.TemplateExpr{Parts: parts, SrcRange: r.from(start)}
		case '\n', '\r':
			return nil
		case '\\':
			if i++; i >= len(r.src) || strings.IndexByte(`nrt"\`, r.src[i]) < 0 {
				return nil
			}
			escapes = true
		case '$', '%':
			rest := r.src[i+1:]
			switch {
			case len(rest) > 0 && rest[0] == '{':
				if c == '%' || len(rest) > 1 && rest[1] == '~' {
					return nil
				}
				if i > from && !r.dry {
					parts = append(parts, r.literal(from, i, escapes))
				}
				r.i = i + 2
				x := r.expression(false)
				if x == nil || !r.take("}", false) {
					return nil
				}
				if !r.dry {
					parts = append(parts, x)
				}
				i, from, escapes = r.i-1, r.i, false
			case len(rest) > 0 && rest[0] == c:
				if len(rest) < 2 || rest[1] != '{' {
					return nil
				}
				i += 2
				escapes = true
			}
		}
	}
	return nil
}

// literal returns the text between two places of a template.
func (r *plainReader) literal(start, end int, escapes bool) hclsyntax.Expression {
	s := textspan.Of(int32(start), int32(end))
	return &hclsyntax.LiteralValueExpr{Val: r.textValue(s, escapes), SrcRange: r.rangeOf(s)}
}

func (r *plainReader) textValue(s textspan.Span, escapes bool) cty.Value {
	text := r.text(s)
	if escapes {
		text = plainEscapes.Replace(text)
	}
	return cty.StringVal(text)
}

// plainText returns the string without template sequences that begins at start
// and ends at r.i.
func (r *plainReader) plainText(start int, escapes bool) hclsyntax.Expression {
	s := textspan.Of(int32(start), int32(r.i))
	// One allocation for the three parts of a text in HCL.
	x := &struct {
		template hclsyntax.TemplateExpr
		literal  hclsyntax.LiteralValueExpr
		parts    [1]hclsyntax.Expression
	}{}
	inner := textspan.Of(s.Start+1, s.End-1)
	if inner.Start == inner.End {
		inner = textspan.Of(s.End, s.End) // where HCL has nothing
	}
	x.literal = hclsyntax.LiteralValueExpr{Val: r.textValue(textspan.Of(s.Start+1, s.End-1), escapes), SrcRange: r.rangeOf(inner)}
	x.parts[0] = &x.literal
	x.template = hclsyntax.TemplateExpr{Parts: x.parts[:], SrcRange: r.rangeOf(s)}
	return &x.template
}

var plainEscapes = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\"`, `"`, `\\`, `\`, "$${", "${", "%%{", "%{")

// call reads the arguments of a function call, from the parenthesis on.
func (r *plainReader) call(name textspan.Span) hclsyntax.Expression {
	open := r.i
	r.i++
	if r.dry {
		if _, _, ok := r.items(')'); !ok {
			return nil
		}
		return anyExpression
	}
	x := &hclsyntax.FunctionCallExpr{Name: r.text(name), NameRange: r.rangeOf(name), OpenParenRange: r.from(open)}
	var ok bool
	if x.Args, x.ExpandFinal, ok = r.items(')'); !ok {
		return nil
	}
	x.CloseParenRange = r.from(r.i - 1)
	return x
}

// list reads a list, or a for expression that makes one.
func (r *plainReader) list() hclsyntax.Expression {
	start := r.i
	r.i++
	open := r.from(start)
	if r.word("for") {
		return r.loop(start, ']')
	}
	items, _, ok := r.items(']')
	if !ok {
		return nil
	}
	if r.dry {
		return anyExpression
	}
	return &hclsyntax.TupleConsExpr{Exprs: items, OpenRange: open, SrcRange: r.from(start)}
}

// items reads expressions with commas between them, up to the closing bracket
// and with it. Line breaks mean nothing there. The last argument of a function
// can be expanded.
func (r *plainReader) items(shut byte) (items []hclsyntax.Expression, expand, ok bool) {
	for {
		if r.blank(); r.i >= len(r.src) {
			return nil, false, false
		}
		if r.src[r.i] == shut {
			r.i++
			return items, false, true
		}
		start, depth := r.i, r.depth
		x := r.expression(false)
		if x != nil {
			r.blank()
		}
		if x != nil && shut == ')' && r.sees("...") {
			r.i += 3
			return append(items, x), true, r.take(")", false)
		}
		if x == nil || r.i >= len(r.src) || r.src[r.i] != ',' && r.src[r.i] != shut {
			if shut == ')' {
				return nil, false, false // HCL's parser would not know what "..." is
			}
			r.i, r.depth = start, depth
			if x = r.complex(shut, false); x == nil {
				return nil, false, false
			}
			r.blank()
		}
		if !r.dry {
			items = append(items, x)
		}
		if r.i < len(r.src) && r.src[r.i] == ',' {
			r.i++
		} else if r.i >= len(r.src) || r.src[r.i] != shut {
			return nil, false, false
		}
	}
}

// object reads an object, or a for expression that makes one.
func (r *plainReader) object() hclsyntax.Expression {
	start := r.i
	r.i++
	open := r.from(start)
	var items []hclsyntax.ObjectConsItem
	if r.word("for") {
		return r.loop(start, '}')
	}
	if !r.enter() {
		return nil
	}
	for {
		if r.blank(); r.i >= len(r.src) {
			return nil
		}
		if r.src[r.i] == '}' {
			break
		}
		item, ok := r.objectItem()
		if !ok {
			return nil
		}
		if !r.dry {
			items = append(items, item)
		}
		// A comma, a line break, both, or the end.
		r.skip(true)
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
	if r.dry {
		return anyExpression
	}
	return &hclsyntax.ObjectConsExpr{Items: items, OpenRange: open, SrcRange: r.from(start)}
}

// objectItem reads a key and its value.
func (r *plainReader) objectItem() (item hclsyntax.ObjectConsItem, ok bool) {
	paren := r.src[r.i] == '('
	key := r.expression(true)
	if key == nil {
		return item, false
	}
	if r.take("=", true) {
		if r.sees(">") || r.sees("=") {
			return item, false
		}
	} else if !r.colon(true) {
		return item, false
	}
	r.skip(true)
	start, depth := r.i, r.depth
	value := r.expression(true)
	if value == nil || !r.endsItem() {
		r.i, r.depth = start, depth
		if value = r.complex('}', true); value == nil {
			return item, false
		}
	}
	if r.dry {
		return item, true
	}
	return hclsyntax.ObjectConsItem{KeyExpr: &hclsyntax.ObjectConsKeyExpr{Wrapped: key, ForceNonLiteral: paren}, ValueExpr: value}, true
}

// endsItem reports whether an item of an object can end here.
func (r *plainReader) endsItem() bool {
	r.skip(true)
	return r.i < len(r.src) && r.src[r.i] == ',' || r.ends()
}

// word reads the word w, and any space and line breaks before it. It reports
// false and reads nothing if something else follows.
func (r *plainReader) word(w string) bool {
	i := r.i
	r.blank()
	if s := r.ident(); string(r.src[s.Start:s.End]) == w {
		return true
	}
	r.i = i
	return false
}

// loop reads a for expression after its first word. Its bracket is at start.
func (r *plainReader) loop(start int, shut byte) hclsyntax.Expression {
	x := &hclsyntax.ForExpr{OpenRange: r.rangeOf(textspan.Of(int32(start), int32(start)+1))}
	for {
		r.blank()
		s := r.ident()
		if s.Start == s.End {
			return nil
		}
		x.KeyVar, x.ValVar = x.ValVar, r.text(s)
		if x.KeyVar != "" || !r.take(",", false) {
			break
		}
	}
	if !r.word("in") {
		return nil
	}
	if x.CollExpr = r.expression(false); x.CollExpr == nil || !r.colon(false) {
		return nil
	}
	if x.ValExpr = r.expression(false); x.ValExpr == nil {
		return nil
	}
	if shut == '}' {
		if !r.take("=>", false) {
			return nil
		}
		x.KeyExpr = x.ValExpr
		if x.ValExpr = r.expression(false); x.ValExpr == nil {
			return nil
		}
		x.Group = r.take("...", false)
	}
	if r.word("if") {
		if x.CondExpr = r.expression(false); x.CondExpr == nil {
			return nil
		}
	}
	if r.peek(false) != shut {
		return nil
	}
	r.i++
	x.CloseRange = r.from(r.i - 1)
	x.SrcRange = r.from(start)
	return x
}
