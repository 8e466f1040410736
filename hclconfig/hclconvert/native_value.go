// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// value returns a JSON value in native syntax. If lines is set, a heredoc is
// allowed.
func (c *nativeConverter) value(e expression, lines bool) string {
	kind := e.kind
	switch {
	case kind == hcllang.KindProviderRequirement:
		return c.requirement(e)
	case kind == hcllang.KindAttributeList && e.isJSON('"'), kind.Bare() && !e.isJSON('[') && !e.isJSON('{'):
		return c.source(e)
	}
	src := c.f.src
	switch src[e.at.Start] {
	case '"':
		text := c.f.jsonText(e.at)
		if e.lit == hcllang.BoolLiteral && (text == "true" || text == "false") {
			return text
		}
		if (kind.Templates() || kind == hcllang.KindIgnored) && (hcllex.HasTemplateMarks(text) || hcllex.HasLoneCR(text)) {
			return c.template(e, text, lines)
		}
		return c.text(text, lines)
	case '[':
		return c.array(e)
	case '{':
		return c.objectValue(e)
	}
	return e.raw()
}

// text returns a text that means itself.
func (c *nativeConverter) text(text string, lines bool) string {
	if lines {
		if doc, ok := heredoc(hcllex.EscapeTemplate(text)); ok {
			return doc
		}
	}
	return hcllex.Quote(text)
}

// heredoc returns a template of several lines as a heredoc, if it can be one.
func heredoc(text string) (string, bool) {
	if !strings.HasSuffix(text, "\n") || strings.Count(text, "\n") < 2 {
		return "", false
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return "", false
		}
	}
	marker := "EOT"
	for n := 2; hasLine(text, marker); n++ {
		marker = "EOT" + strconv.Itoa(n)
	}
	return "<<" + marker + "\n" + text + marker, true
}

func hasLine(text, line string) bool {
	for l := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(l) == line {
			return true
		}
	}
	return false
}

// template returns a template, or the expression if it holds only that.
func (c *nativeConverter) template(e expression, text string, lines bool) string {
	in, diags := e.template()
	if diags.HasErrors() {
		c.diags = append(c.diags, diags...)
		return hcllex.Quote(text)
	}
	if _, ok := in.(*hclsyntax.TemplateWrapExpr); ok {
		if inner, ok := soleSource(text); ok {
			return unwrapped(inner)
		}
	}
	if t, ok := in.(*hclsyntax.TemplateExpr); ok {
		if own, ok := literalText(t); ok {
			return c.text(own, lines)
		}
	}
	same := func(native string) bool {
		x, diags := hcllex.ParseConfig([]byte("a = "+native+"\n"), "", hcl.InitialPos)
		if diags.HasErrors() {
			return false
		}
		body, ok := x.Body.(*hclsyntax.Body)
		return ok && body.Attributes["a"] != nil && sameExpr(body.Attributes["a"].Expr, in)
	}
	if lines {
		if doc, ok := heredoc(text); ok && same(doc) {
			return doc
		}
	}
	quoted := hcllex.QuoteTemplate(text)
	if same(quoted) {
		return quoted
	}
	if t, ok := in.(*hclsyntax.TemplateExpr); ok {
		if own := rebuilt(t, text); same(own) {
			return own
		}
	}
	return quoted
}

// rebuilt returns a quoted template made of its parts, for the rare texts that
// HCL's scanner does not take as they look.
func rebuilt(t *hclsyntax.TemplateExpr, text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, p := range t.Parts {
		if l, ok := p.(*hclsyntax.LiteralValueExpr); ok {
			if s, ok := textOf(l.Val); ok {
				quoted := hcllex.Quote(s)
				if quoted = quoted[1 : len(quoted)-1]; strings.HasSuffix(quoted, "$") || strings.HasSuffix(quoted, "%") {
					last := quoted[len(quoted)-1]
					quoted = quoted[:len(quoted)-1] + `\u00` + strconv.FormatInt(int64(last), 16)
				}
				out.WriteString(quoted)
				continue
			}
		}
		s := spanOf(p.Range())
		out.WriteString("${" + text[s.Start:s.End] + "}")
	}
	out.WriteByte('"')
	return out.String()
}

// soleSource returns the content of a template that is one interpolation, as an
// expression that is valid anywhere.
func soleSource(text string) (string, bool) {
	text, ok := strings.CutPrefix(strings.TrimPrefix(text, "\uFEFF"), "${")
	if !ok || !strings.HasSuffix(text, "}") {
		return "", false
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text[:len(text)-1], "~"), "~")
	text = strings.TrimSpace(text)
	if strings.ContainsAny(text, "\n#") || strings.Contains(text, "//") || strings.Contains(text, "/*") {
		if _, diags := hcllex.ParseConfig([]byte("a = "+text+"\n"), "", hcl.InitialPos); diags.HasErrors() || commentAtEnd(text) {
			// A line break would end the argument, and a comment would hide
			// what follows on its line.
			return "(" + text + "\n)", true
		}
	}
	return text, true
}

// unwrapped returns native text without enclosing templates that are just an
// interpolation.
func unwrapped(text string) string {
	for strings.HasPrefix(text, `"${`) {
		x, diags := hcllex.ParseExpression([]byte(text), "", hcl.InitialPos)
		if _, ok := x.(*hclsyntax.TemplateWrapExpr); !ok || diags.HasErrors() || spanOf(x.Range()).End != int32(len(text)) {
			break
		}
		inner, ok := soleSource(text[1 : len(text)-1])
		if !ok {
			break
		}
		text = inner
	}
	return text
}

// commentAtEnd reports whether native text ends in a comment.
func commentAtEnd(text string) bool {
	tokens, _ := hclsyntax.LexExpression([]byte(text), "", hcl.InitialPos)
	for i := len(tokens) - 1; i >= 0; i-- {
		switch tokens[i].Type {
		case hclsyntax.TokenEOF, hclsyntax.TokenNewline:
		default:
			return tokens[i].Type == hclsyntax.TokenComment
		}
	}
	return false
}

// array writes short arrays on one line, others with one element on each.
func (c *nativeConverter) array(e expression) string {
	elements, _ := e.elements()
	parts := make([]string, len(elements))
	width, lines := 0, false
	for i, x := range elements {
		parts[i] = c.value(x, false)
		width += len(parts[i]) + 2
		lines = lines || strings.Contains(parts[i], "\n")
	}
	if !lines && width <= 80 {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b strings.Builder
	b.WriteString("[\n")
	for _, p := range parts {
		b.WriteString(p)
		if strings.Contains(p, "<<") && hcllex.NeedsNewline(p) {
			b.WriteByte('\n')
		}
		b.WriteString(",\n")
	}
	b.WriteString("]")
	return b.String()
}

// objectValue writes an object with one member on each line.
func (c *nativeConverter) objectValue(e expression) string {
	var b strings.Builder
	seen := map[string]bool{}
	for m := range c.f.json.Members(e.at) {
		text := c.f.jsonText(m.Name)
		if seen[text] {
			c.lose(m.Name, "Duplicate object attribute", "The key %q occurs twice: an error in JSON syntax, but not in native syntax.", text)
			continue
		}
		seen[text] = true
		kind := e.kind.Element()
		b.WriteString(c.key(e.part(m.Name, e.kind), text) + " = " + c.value(e.part(m.Value, kind), kind == hcllang.KindExpression || kind == hcllang.KindLiteral || kind == hcllang.KindStatic) + "\n")
	}
	if b.Len() == 0 {
		return "{}"
	}
	return "{\n" + b.String() + "}"
}

// key returns the key of an object.
func (c *nativeConverter) key(e expression, text string) string {
	switch {
	case e.kind == hcllang.KindProviderMap:
		return strings.TrimSpace(text)
	case (e.kind.Templates() || e.kind == hcllang.KindIgnored) && (hcllex.HasTemplateMarks(text) || hcllex.HasLoneCR(text)):
		key := c.template(e, text, false)
		if strings.HasPrefix(key, `"`) && !strings.HasPrefix(text, "${") {
			return key
		}
		return "(" + key + ")"
	case hcllex.PlainKey(text):
		return text
	}
	return hcllex.Quote(text)
}

// source returns the native source that a JSON string holds.
func (c *nativeConverter) source(e expression) string {
	if !e.isJSON('"') {
		c.lose(e.at, "Invalid "+e.kind.String(), "A JSON string is required here.")
		return e.raw()
	}
	text := strings.TrimSpace(c.f.jsonText(e.at))
	if strings.ContainsAny(text, "#\n") || strings.Contains(text, "//") || strings.Contains(text, "/*") {
		if e.kind != hcllang.KindType {
			if t, diags := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos); !diags.HasErrors() {
				return hcllex.TraversalText(t)
			}
		}
	}
	if hcllex.TooDeep([]byte(text), false) >= 0 {
		c.lose(e.at, "Expression nested too deeply", "The %s cannot be read.", e.kind)
		return "null"
	}
	if _, diags := hcllex.ParseExpression([]byte(text), "", hcl.InitialPos); diags.HasErrors() {
		c.lose(e.at, "Invalid "+e.kind.String(), "In JSON syntax the string holds a %s.", e.kind)
		return hcllex.Quote(text)
	}
	return text
}

// requirement returns an entry of required_providers.
func (c *nativeConverter) requirement(e expression) string {
	literal := e
	literal.kind = hcllang.KindLiteral
	if !e.isJSON('{') {
		return c.value(literal, false)
	}
	var b strings.Builder
	for m := range c.f.json.Members(e.at) {
		name := c.f.jsonText(m.Name)
		v := e.part(m.Value, hcllang.KindLiteral)
		if name == "configuration_aliases" {
			v.kind = hcllang.KindReferenceList
		}
		b.WriteString(c.key(literal.part(m.Name, hcllang.KindLiteral), name) + " = " + c.value(v, false) + "\n")
	}
	if b.Len() == 0 {
		return "{}"
	}
	return "{\n" + b.String() + "}"
}
