// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

// argument returns the value of an argument in JSON.
func (c *valueWriter) argument(a *argument, spec *hcllang.Block, schema schemaView) *jsontree.Node {
	x, at := a.native, a.at
	switch kind := a.kind; {
	case kind == hcllang.KindExpression, kind == hcllang.KindIgnored, kind == hcllang.KindStatic:
		if kind == hcllang.KindStatic && c.f.dialect.Program() == hclconfig.OpenTofu {
			c.dialectNote(a)
		}
		if c.forced[at.Start] {
			return c.wrap(at)
		}
		if !schema.settles(a.Name) && spec.Rest.Open() && spec.Lookup(a.Name).Arg == nil && (listOfObjects(x) || likeLabelled(x)) {
			// Without the schema, such an argument would look like nested
			// blocks.
			return c.wrap(at)
		}
		return c.expression(x, at)
	case kind == hcllang.KindLiteral:
		c.inner = append(c.inner, c.f.commentsWithin(at)...)
		return c.literal(a)
	case kind == hcllang.KindProviderRequirement:
		c.inner = append(c.inner, c.f.commentsWithin(at)...)
		return c.requirement(x, at)
	case kind == hcllang.KindProviderMap:
		c.inner = append(c.inner, c.f.commentsWithin(at)...)
		return c.providerMap(x, at)
	case kind == hcllang.KindReferenceList, kind == hcllang.KindKeywordList, kind == hcllang.KindSourceList, kind == hcllang.KindAttributeList:
		c.inner = append(c.inner, c.f.commentsWithin(at)...)
		return c.list(x, at, kind, kind == hcllang.KindReferenceList || kind == hcllang.KindAttributeList)
	default:
		return c.bare(x, at, kind, kind == hcllang.KindProviderReference || a.Name == "when" || a.Name == "on_failure")
	}
}

func listOfObjects(x hclsyntax.Expression) bool {
	list, ok := x.(*hclsyntax.TupleConsExpr)
	if !ok || len(list.Exprs) == 0 {
		return false
	}
	for _, e := range list.Exprs {
		if _, ok := e.(*hclsyntax.ObjectConsExpr); !ok {
			return false
		}
	}
	return true
}

// likeLabelled reports whether x would look as labelled blocks do in JSON, or
// as a part of them: see [byLabel].
func likeLabelled(x hclsyntax.Expression) bool {
	switch x := x.(type) {
	case *hclsyntax.ObjectConsExpr:
		for _, item := range x.Items {
			if !likeLabelled(item.ValueExpr) {
				return false
			}
		}
		return len(x.Items) > 0
	case *hclsyntax.TupleConsExpr:
		for _, e := range x.Exprs {
			if !listOfObjects(e) {
				return false
			}
		}
		return len(x.Exprs) > 0
	}
	return false
}

// text returns the text at s.
func (c *valueWriter) text(s textspan.Span) string { return string(c.f.src[s.Start:s.End]) }

// wrap returns the unchanged expression at s, in a template of its own. That is
// always exact.
func (c *valueWriter) wrap(s textspan.Span) *jsontree.Node {
	text := c.text(s)
	if strings.Contains(text, "<<") && hcllex.NeedsNewline(text) {
		text += "\n"
	}
	return jsontree.Raw(jsontree.Quote("${" + text + "}"))
}

// maxIndent is the depth to which lists and objects are taken apart. Deeper
// ones stay expressions; their indentation would be larger than themselves.
const maxIndent = 50

// expression returns an expression where strings are templates.
func (c *valueWriter) expression(x hclsyntax.Expression, at textspan.Span) *jsontree.Node {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxIndent {
		return c.wrap(at)
	}
	switch x := x.(type) {
	case *hclsyntax.LiteralValueExpr:
		if n := c.scalar(x, at); n != nil {
			return n
		}
	case *hclsyntax.ExprSyntaxError: // a number that is out of range
		if text, ok := jsonNumber(hcllex.HugeNumber(x)); ok {
			return jsontree.Raw(text)
		}
	case *hclsyntax.UnaryOpExpr:
		if n := c.negative(x); n != nil {
			return n
		}
	case *hclsyntax.TemplateExpr:
		return c.template(x, at)
	case *hclsyntax.TemplateWrapExpr:
		if raw := c.text(at); raw[0] == '"' {
			return jsontree.Raw(jsontree.Quote(raw[1 : len(raw)-1]))
		}
	case *hclsyntax.TupleConsExpr:
		return c.tuple(x, at, c.expression)
	case *hclsyntax.ObjectConsExpr:
		if n := c.object(x, at, hcllex.TemplateOf, c.expression); n != nil {
			return n
		}
	}
	return c.wrap(at)
}

// scalar returns a number, a boolean or null.
func (c *valueWriter) scalar(x *hclsyntax.LiteralValueExpr, at textspan.Span) *jsontree.Node {
	switch {
	case x.Val.IsNull():
		return jsontree.Raw("null")
	case x.Val.Type() == cty.Bool:
		if x.Val.True() {
			return jsontree.Raw("true")
		}
		return jsontree.Raw("false")
	case x.Val.Type() == cty.Number:
		if text, ok := jsonNumber(c.text(at)); ok {
			return jsontree.Raw(text)
		}
	}
	return nil
}

// jsonNumber returns a native number with its digits, but without zeros in
// front, which JSON does not allow.
func jsonNumber(text string) (string, bool) {
	for len(text) > 1 && text[0] == '0' && '0' <= text[1] && text[1] <= '9' {
		text = text[1:]
	}
	return text, text != "" && hcllex.IsNumber(text)
}

// negative returns a number with a sign.
func (c *valueWriter) negative(x *hclsyntax.UnaryOpExpr) *jsontree.Node {
	if text, ok := jsonNumber(hcllex.HugeNumber(x.Val)); ok && x.Op == hclsyntax.OpNegate {
		return jsontree.Raw("-" + text)
	}
	l, ok := x.Val.(*hclsyntax.LiteralValueExpr)
	if !ok || x.Op != hclsyntax.OpNegate || l.Val.IsNull() || l.Val.Type() != cty.Number {
		return nil
	}
	n := c.scalar(l, spanOf(l.SrcRange))
	if n == nil {
		return nil
	}
	return jsontree.Raw("-" + n.Text)
}

func (c *valueWriter) tuple(x *hclsyntax.TupleConsExpr, at textspan.Span, each func(hclsyntax.Expression, textspan.Span) *jsontree.Node) *jsontree.Node {
	out := jsontree.Array()
	if len(x.Exprs) > 0 {
		out.Items = make([]*jsontree.Node, 0, len(x.Exprs))
	}
	mark, prev := len(c.inner), at.Start+1
	for _, e := range x.Exprs {
		s := spanOf(e.Range())
		if !c.gap(prev, s.Start) {
			c.inner = c.inner[:mark]
			return c.wrap(at)
		}
		out.Items = append(out.Items, each(e, s))
		prev = s.End
	}
	if !c.gap(prev, at.End-1) {
		c.inner = c.inner[:mark]
		return c.wrap(at)
	}
	return out
}

// gap collects the comments between the parts of an expression. It reports
// false if there is anything else between them that has a meaning; then the
// parts are not what their places say.
func (c *valueWriter) gap(from, to int32) bool {
	src := c.f.src
	for i := from; i < to; i++ {
		switch src[i] {
		case ' ', '\t', '\r', '\n', ',', '=', ':':
		case '#', '/':
			end := c.f.commentEnd(i, to)
			c.inner = append(c.inner, comment{commentText(string(src[i:end])), textspan.Of(i, end)})
			i = end - 1
		default:
			return false
		}
	}
	return from <= to
}

// object returns an object whose keys are plain and differ; nil if they are or
// do not. The function spell returns the spelling of a key.
func (c *valueWriter) object(x *hclsyntax.ObjectConsExpr, at textspan.Span, spell func(string) string, each func(hclsyntax.Expression, textspan.Span) *jsontree.Node) *jsontree.Node {
	keys := make([]string, len(x.Items))
	for i, item := range x.Items {
		key, ok := keyText(item.KeyExpr)
		if k, isKey := item.KeyExpr.(*hclsyntax.ObjectConsKeyExpr); !ok || isKey && k.ForceNonLiteral {
			return nil
		}
		if i < 16 {
			for _, other := range keys[:i] {
				if other == key {
					return nil
				}
			}
		}
		keys[i] = key
	}
	if len(keys) > 16 {
		seen := make(map[string]bool, len(keys))
		for _, k := range keys {
			if seen[k] {
				return nil
			}
			seen[k] = true
		}
	}
	mark := len(c.inner)
	out := jsontree.Object()
	if len(keys) > 0 {
		out.Members = make([]jsontree.Member, 0, len(keys))
	}
	prev := at.Start + 1
	for i, item := range x.Items {
		k, v := spanOf(item.KeyExpr.Range()), spanOf(item.ValueExpr.Range())
		if !c.gap(prev, k.Start) || !c.gap(k.End, v.Start) {
			c.inner = c.inner[:mark]
			return nil
		}
		n := each(item.ValueExpr, v)
		if n == nil {
			c.inner = c.inner[:mark]
			return nil
		}
		out.Members = append(out.Members, jsontree.Property(spell(keys[i]), n))
		prev = v.End
	}
	if !c.gap(prev, at.End-1) {
		c.inner = c.inner[:mark]
		return nil
	}
	return out
}

// template returns a string with interpolations or without, quoted or as a
// heredoc.
func (c *valueWriter) template(x *hclsyntax.TemplateExpr, at textspan.Span) *jsontree.Node {
	if text, ok := literalText(x); ok {
		return jsontree.Raw(jsontree.Quote(hcllex.TemplateOf(text)))
	}
	raw := c.text(at)
	text, ok, sure := "", false, false
	switch {
	case raw[0] == '"' && len(raw) > 1:
		text, ok = raw[1:len(raw)-1], true
		sure = strings.IndexByte(text, '\\') < 0
		if !sure {
			text, ok = unquoteTemplate(raw)
		}
	case strings.HasPrefix(raw, "<<-"):
		text, ok = flushHeredoc(raw)
	case strings.HasPrefix(raw, "<<"):
		text, ok = heredocText(raw)
	}
	if ok && !strings.HasPrefix(text, "\uFEFF") && !hcllex.HasLoneCR(text) {
		if !sure {
			y := parseTemplate(text)
			sure = y != nil && sameExpr(x, y)
			if _, wrapped := y.(*hclsyntax.TemplateWrapExpr); wrapped {
				sure = false // it would lose its type
			}
		}
		if sure {
			return jsontree.Raw(jsontree.Quote(text))
		}
	}
	return c.wrap(at)
}

// unquoteTemplate returns the text of a quoted template as it would be in a
// heredoc: escapes are undone, interpolations stay.
func unquoteTemplate(raw string) (string, bool) {
	tokens, _ := hclsyntax.LexExpression([]byte(raw), "", hcl.InitialPos)
	return hcllex.MapTemplate(raw, tokens, func(b *strings.Builder, t hclsyntax.Token) bool {
		s, diags := hclsyntax.ParseStringLiteralToken(t)
		b.WriteString(hcllex.EscapeTemplate(s))
		return !diags.HasErrors()
	})
}

// heredocText returns the text between the marks of a heredoc.
func heredocText(raw string) (string, bool) {
	_, rest, ok := strings.Cut(raw, "\n")
	end := strings.LastIndexByte(rest, '\n')
	if !ok || end < 0 {
		return "", ok && strings.IndexByte(rest, '\n') < 0
	}
	return rest[:end+1], true
}

// flushHeredoc returns the text between the marks of a heredoc without the
// indentation that all its lines share.
func flushHeredoc(raw string) (string, bool) {
	body, ok := heredocText(raw)
	if !ok {
		return "", false
	}
	tokens, _ := hclsyntax.LexTemplate([]byte(body), "", hcl.InitialPos)
	// Where do lines begin that are text?
	var starts []int
	indent, depth, fresh := -1, 0, true
	for _, t := range tokens {
		start := fresh && depth == 0
		if start && t.Type != hclsyntax.TokenEOF {
			spaces := 0
			if t.Type == hclsyntax.TokenStringLit {
				spaces = len(t.Bytes) - len(bytes.TrimLeft(t.Bytes, " \t"))
			}
			if blank := t.Type == hclsyntax.TokenStringLit && len(bytes.TrimSpace(t.Bytes)) == 0 && bytes.HasSuffix(t.Bytes, []byte("\n")); !blank {
				starts = append(starts, t.Range.Start.Byte)
				if indent < 0 || spaces < indent {
					indent = spaces
				}
			}
		}
		switch t.Type {
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			depth++
			fresh = false
		case hclsyntax.TokenTemplateSeqEnd:
			depth--
		case hclsyntax.TokenStringLit:
			if depth == 0 {
				fresh = bytes.HasSuffix(t.Bytes, []byte("\n"))
			}
		}
	}
	if indent <= 0 {
		return body, true
	}
	var out strings.Builder
	done := 0
	for _, s := range starts {
		out.WriteString(body[done:s])
		done = s + indent
	}
	out.WriteString(body[done:])
	return out.String(), true
}
