// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/numlimit"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

// The functions in this file read from r.i on. They return nil where they meet
// something that they do not know; r.i and r.depth then mean nothing. Their
// parameter lines says whether a line break ends the expression: it does in
// arguments and items of objects, but not in brackets and template sequences.

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

// anyExpression and anyStep stand for whatever a dry reader has read.
var (
	anyExpression hclsyntax.Expression = &hclsyntax.AnonSymbolExpr{}
	anyStep       hcl.Traverser        = hcl.TraverseRoot{}
)

func (r *plainReader) rangeOf(s textspan.Span) hcl.Range {
	return hcl.Range{Filename: r.filename(), Start: hcl.Pos{Line: 1, Byte: int(s.Start)}, End: hcl.Pos{Line: 1, Byte: int(s.End)}}
}

// from returns the range that begins at start and ends at r.i.
func (r *plainReader) from(start int) hcl.Range {
	return r.rangeOf(textspan.Of(int32(start), int32(r.i)))
}

// enter counts an open bracket, or an expression in another, and reports
// whether that is not too deep.
func (r *plainReader) enter() bool {
	r.depth++
	return r.depth <= plainDepth
}

// skip skips white space and comments between two tokens.
func (r *plainReader) skip(lines bool) {
	if r.i < len(r.src) && r.src[r.i] > '/' {
		return
	}
	if !lines {
		r.blank()
		return
	}
	for r.spaces(); r.comment(); r.spaces() {
	}
}

// peek skips to the next token and returns its first byte, or 0 at the end of
// the text.
func (r *plainReader) peek(lines bool) byte {
	if r.skip(lines); r.i < len(r.src) {
		return r.src[r.i]
	}
	return 0
}

// sees reports whether the text goes on with token.
func (r *plainReader) sees(token string) bool {
	return len(r.src)-r.i >= len(token) && string(r.src[r.i:r.i+len(token)]) == token
}

// take reads token, and any space before it. It reports false and reads nothing
// if another token follows.
func (r *plainReader) take(token string, lines bool) bool {
	i := r.i
	if r.skip(lines); r.sees(token) {
		r.i += len(token)
		return true
	}
	r.i = i
	return false
}

// colon reads a colon. Two colons are another token.
func (r *plainReader) colon(lines bool) bool {
	return r.take(":", lines) && !r.sees(":")
}

// expression reads any expression.
func (r *plainReader) expression(lines bool) hclsyntax.Expression {
	if !r.enter() {
		return nil
	}
	r.skip(lines)
	start := r.i
	x := r.operation(lines, 0)
	if x != nil && r.take("?", lines) {
		yes := r.expression(lines)
		if yes == nil || !r.colon(lines) {
			return nil
		}
		no := r.expression(lines)
		if no == nil {
			return nil
		}
		if !r.dry {
			x = &hclsyntax.ConditionalExpr{Condition: x, TrueResult: yes, FalseResult: no, SrcRange: r.from(start)}
		}
	}
	r.depth--
	return x
}

// operation reads an operand and all operators after it that bind tighter than
// the level above, with their operands.
func (r *plainReader) operation(lines bool, above int) hclsyntax.Expression {
	r.skip(lines)
	start := r.i
	x := r.operand(lines)
	for x != nil {
		end := r.i
		op, level, n := binaryOperator(r.peek(lines), r.src[r.i:])
		if level <= above {
			r.i = end
			return x
		}
		r.i += n
		y := r.operation(lines, level)
		if y == nil {
			return nil
		}
		if !r.dry {
			x = &hclsyntax.BinaryOpExpr{LHS: x, Op: op, RHS: y, SrcRange: r.from(start)}
		}
	}
	return nil
}

// binaryOperator returns the operator that text begins with, how tight it
// binds, and its length. The level is 0 if there is none.
func binaryOperator(c byte, text []byte) (op *hclsyntax.Operation, level, n int) {
	second := byte(0)
	if len(text) > 1 {
		second = text[1]
	}
	switch {
	case c == '|' && second == '|':
		return hclsyntax.OpLogicalOr, 1, 2
	case c == '&' && second == '&':
		return hclsyntax.OpLogicalAnd, 2, 2
	case c == '=' && second == '=':
		return hclsyntax.OpEqual, 3, 2
	case c == '!' && second == '=':
		return hclsyntax.OpNotEqual, 3, 2
	case c == '>' && second == '=':
		return hclsyntax.OpGreaterThanOrEqual, 4, 2
	case c == '<' && second == '=':
		return hclsyntax.OpLessThanOrEqual, 4, 2
	case c == '>':
		return hclsyntax.OpGreaterThan, 4, 1
	case c == '<' && second != '<': // a heredoc
		return hclsyntax.OpLessThan, 4, 1
	case c == '+':
		return hclsyntax.OpAdd, 5, 1
	case c == '-':
		return hclsyntax.OpSubtract, 5, 1
	case c == '*':
		return hclsyntax.OpMultiply, 6, 1
	case c == '/':
		return hclsyntax.OpDivide, 6, 1
	case c == '%':
		return hclsyntax.OpModulo, 6, 1
	}
	return nil, 0, 0
}

// operand reads a term with the signs before it and the steps after it.
func (r *plainReader) operand(lines bool) hclsyntax.Expression {
	c := r.peek(lines)
	if c != '-' && c != '!' {
		return r.steps(r.term(c, lines), lines)
	}
	start := r.i
	r.i++
	sign := r.from(start)
	if !r.enter() {
		return nil
	}
	x := r.operand(lines)
	if x == nil {
		return nil
	}
	r.depth--
	if r.dry {
		return x
	}
	op := hclsyntax.OpNegate
	if c == '!' {
		op = hclsyntax.OpLogicalNot
	}
	return &hclsyntax.UnaryOpExpr{Op: op, Val: x, SrcRange: r.from(start), SymbolRange: sign}
}

// term reads an expression that begins with c and has no operators outside
// of brackets.
func (r *plainReader) term(c byte, lines bool) hclsyntax.Expression {
	switch {
	case c == '"':
		return r.template()
	case '0' <= c && c <= '9':
		return r.number()
	case c == '[':
		return r.list()
	case c == '{':
		return r.object()
	case c == '(':
		start := r.i
		r.i++
		x := r.expression(false)
		if x == nil || !r.take(")", false) {
			return nil
		}
		if r.dry {
			return x
		}
		return &hclsyntax.ParenthesesExpr{Expression: x, SrcRange: r.from(start)}
	case identByte(c, false):
		return r.name(lines)
	}
	return nil
}

// number reads a number without exponent.
func (r *plainReader) number() hclsyntax.Expression {
	start := r.i
	r.digits()
	if r.i+1 < len(r.src) && r.src[r.i] == '.' && '0' <= r.src[r.i+1] && r.src[r.i+1] <= '9' {
		r.i++
		r.digits()
	}
	if r.i < len(r.src) && (identByte(r.src[r.i], false) || r.src[r.i] == '.' || r.src[r.i] >= 0x80) {
		return nil
	}
	if !numlimit.Expression(r.src[start:r.i]) {
		return nil
	}
	if r.dry {
		return anyExpression
	}
	s := textspan.Of(int32(start), int32(r.i))
	v, err := cty.ParseNumberVal(r.text(s))
	if err != nil {
		return nil
	}
	return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: r.rangeOf(s)}
}

func (r *plainReader) digits() {
	for r.i < len(r.src) && '0' <= r.src[r.i] && r.src[r.i] <= '9' {
		r.i++
	}
}

// name reads true, false, null, a variable, or a call of a function.
func (r *plainReader) name(lines bool) hclsyntax.Expression {
	s := r.ident()
	if s.Start == s.End {
		return nil
	}
	switch c := r.peek(lines); {
	case c == '(':
		return r.call(s)
	case c == ':' && r.sees("::"):
		return nil
	}
	r.i = int(s.End)
	if r.dry {
		return anyExpression
	}
	name := r.text(s)
	switch name {
	case "true", "false":
		return &hclsyntax.LiteralValueExpr{Val: cty.BoolVal(name == "true"), SrcRange: r.rangeOf(s)}
	case "null":
		return &hclsyntax.LiteralValueExpr{Val: cty.NullVal(cty.DynamicPseudoType), SrcRange: r.rangeOf(s)}
	}
	// One allocation for what most names need.
	x := &struct {
		hclsyntax.ScopeTraversalExpr
		steps [3]hcl.Traverser
	}{}
	x.steps[0] = hcl.TraverseRoot{Name: name, SrcRange: r.rangeOf(s)}
	x.ScopeTraversalExpr = hclsyntax.ScopeTraversalExpr{Traversal: x.steps[:1], SrcRange: r.rangeOf(s)}
	return &x.ScopeTraversalExpr
}

// steps reads the attributes, indexes and splats after x.
func (r *plainReader) steps(x hclsyntax.Expression, lines bool) hclsyntax.Expression {
	if x == nil {
		return nil
	}
	first := 0
	if !r.dry {
		first = x.Range().Start.Byte
	}
	for {
		end := r.i
		switch c := r.peek(lines); {
		case c == '.' && !r.sees("..."):
			start := r.i
			if step := r.attribute(lines); step != nil {
				if !r.dry {
					x = withStep(x, step)
				}
				continue
			}
			if r.i = start; !r.star(lines) {
				return nil
			}
			if x = r.attributeSplat(x, first, start, lines); x == nil {
				return nil
			}
		case c == '[':
			if x = r.index(x, first, lines); x == nil {
				return nil
			}
		default:
			r.i = end
			return x
		}
	}
}

// withStep returns x with one step more, as HCL's parser joins them.
func withStep(x hclsyntax.Expression, step hcl.Traverser) hclsyntax.Expression {
	at := step.SourceRange()
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		x.Traversal = append(x.Traversal, step)
		x.SrcRange.End = at.End
		return x
	case *hclsyntax.RelativeTraversalExpr:
		x.Traversal = append(x.Traversal, step)
		x.SrcRange.End = at.End
		return x
	}
	return &hclsyntax.RelativeTraversalExpr{Source: x, Traversal: hcl.Traversal{step}, SrcRange: hcl.RangeBetween(x.Range(), at)}
}

// attribute reads a dot and a name, or the old form of an index: a dot and a
// whole number.
func (r *plainReader) attribute(lines bool) hcl.Traverser {
	start := r.i
	r.i++
	switch c := r.peek(lines); {
	case identByte(c, false):
		s := r.ident()
		if s.Start == s.End {
			return nil
		}
		if r.dry {
			return anyStep
		}
		return hcl.TraverseAttr{Name: r.text(s), SrcRange: r.from(start)}
	case '0' <= c && c <= '9':
		from := r.i
		r.digits()
		if r.i < len(r.src) {
			// Some of these are part of the number.
			c, rest := r.src[r.i], r.src[r.i+1:]
			if identByte(c, false) || c >= 0x80 || c == '.' && (len(rest) == 0 || !identByte(rest[0], false) || rest[0]|0x20 == 'e') {
				return nil
			}
		}
		if !numlimit.Expression(r.src[from:r.i]) {
			return nil
		}
		if r.dry {
			return anyStep
		}
		v, err := cty.ParseNumberVal(string(r.src[from:r.i]))
		if err != nil {
			return nil
		}
		return hcl.TraverseIndex{Key: v, SrcRange: r.from(start)}
	}
	return nil
}

// star reads a dot and a star.
func (r *plainReader) star(lines bool) bool {
	r.i++
	return r.take("*", lines)
}

// attributeSplat reads the rest of a splat of attributes, after its dot, at
// start, and its star. Its source begins at first.
func (r *plainReader) attributeSplat(source hclsyntax.Expression, first, start int, lines bool) hclsyntax.Expression {
	item := &hclsyntax.AnonSymbolExpr{SrcRange: r.from(start)}
	splat := &hclsyntax.SplatExpr{Source: source, Each: item, Item: item, MarkerRange: item.SrcRange}
	var steps hcl.Traversal
	for {
		end := r.i
		if r.peek(lines) != '.' || r.sees("...") {
			r.i = end
			break
		}
		step := r.attribute(lines)
		if step == nil {
			return nil
		}
		if !r.dry {
			steps = append(steps, step)
		}
	}
	if len(steps) > 0 {
		splat.Each = &hclsyntax.RelativeTraversalExpr{Source: item, Traversal: steps, SrcRange: hcl.RangeBetween(steps[0].SourceRange(), steps[len(steps)-1].SourceRange())}
	}
	splat.SrcRange = r.from(first)
	return splat
}

// index reads an index or a splat in brackets after x, which begins at first.
func (r *plainReader) index(x hclsyntax.Expression, first int, lines bool) hclsyntax.Expression {
	start := r.i
	r.i++
	if r.take("*", lines) {
		if !r.take("]", lines) || !r.enter() {
			return nil
		}
		item := &hclsyntax.AnonSymbolExpr{SrcRange: r.from(start)}
		each := r.steps(item, lines)
		if each == nil {
			return nil
		}
		r.depth--
		if r.dry {
			return x
		}
		return &hclsyntax.SplatExpr{Source: x, Each: each, Item: item, SrcRange: r.from(first), MarkerRange: item.SrcRange}
	}
	key := r.expression(false)
	if key == nil || !r.take("]", false) {
		return nil
	}
	if r.dry {
		return x
	}
	at := r.from(start)
	switch k := key.(type) {
	case *hclsyntax.LiteralValueExpr:
		return withStep(x, hcl.TraverseIndex{Key: k.Val, SrcRange: at})
	case *hclsyntax.TemplateExpr:
		if k.IsStringLiteral() {
			return withStep(x, hcl.TraverseIndex{Key: k.Parts[0].(*hclsyntax.LiteralValueExpr).Val, SrcRange: at})
		}
	}
	return &hclsyntax.IndexExpr{
		Collection: x, Key: key, SrcRange: r.from(first),
		OpenRange: r.rangeOf(textspan.Of(int32(start), int32(start)+1)), BracketRange: at,
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
				return nil // it may follow the expression
			case lines && (c == '#' || c == '/' && g.I+1 < len(r.src) && r.src[g.I+1] == '/'):
				break scan
			}
		}
		g.Code(top)
	}
	end := min(g.I, len(r.src))
	if r.given += end - start; len(g.Stack) != 1 || r.given > 2*len(r.src) {
		return nil
	}
	x := r.heredoc(start, end)
	if x == nil {
		// The line break goes along: a heredoc needs it.
		with := end
		if end < len(r.src) && r.src[end] == '\n' {
			with++
		}
		var diags hcl.Diagnostics
		if x, diags = hcllex.ParseExpression(r.src[start:with], r.filename(), hcl.Pos{Line: 1, Byte: start}); len(diags) > 0 {
			return nil
		}
	}
	for end > start && isBlank(r.src[end-1]) {
		end--
	}
	r.i = max(end, x.Range().End.Byte) // blanks behind the marker of a heredoc are part of it
	r.failed = false
	return x
}

// isBlank reports whether c is a byte of white space within a line.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// heredoc makes the tree of the expression from start to end if it is a heredoc
// that is text and sequences such as ${var.x}, without directives, escapes,
// comments and marks that strip spaces; else it returns nil. Many scripts are such,
// and HCL's parser needs a token for each line.
func (r *plainReader) heredoc(start, end int) hclsyntax.Expression {
	marker, n := hcllex.HeredocMarker(r.src[start:end])
	if n == 0 {
		return nil
	}
	body, close := r.heredocEnd(start+n, end, marker)
	if body < 0 {
		return nil
	}
	t := &hclsyntax.TemplateExpr{SrcRange: r.rangeOf(textspan.Of(int32(start), int32(close)))}
	text := start + n // what is not in a part yet
	m := margin{flush: r.src[start+2] == '-', first: text, width: body}
	for i := text; ; {
		k := bytes.IndexAny(r.src[i:body], "$%")
		if k < 0 {
			break
		}
		i += k
		next := r.src[i+1] // there is a line break at least
		switch {
		case next == r.src[i], next == '{' && r.src[i] == '%':
			return nil
		case next != '{':
			i++
			continue
		}
		after, x := r.sequence(i+2, body)
		if x == nil {
			return nil
		}
		if text < i {
			m.texts = append(m.texts, textspan.Of(int32(text), int32(i)))
			t.Parts = append(t.Parts, nil)
		}
		t.Parts = append(t.Parts, x)
		i, text = after, after
	}
	if text < body {
		m.texts = append(m.texts, textspan.Of(int32(text), int32(body)))
		t.Parts = append(t.Parts, nil)
	}
	if len(t.Parts) == 0 || !r.textParts(t.Parts, &m) {
		return nil
	}
	if _, ok := t.Parts[0].(*hclsyntax.LiteralValueExpr); !ok && len(t.Parts) == 1 {
		return nil
	}
	return t
}

// heredocEnd returns where the last line of a heredoc begins, and where its marker
// ends. The first is negative if the text from start to end is not one heredoc.
func (r *plainReader) heredocEnd(start, end int, marker []byte) (line, close int) {
	last := bytes.TrimRight(r.src[start:end], " \t\r\n")
	line = start + bytes.LastIndexByte(last, '\n') + 1
	n := bytes.IndexByte(r.src[line:], '\n')
	if n < 0 || !bytes.Equal(bytes.TrimSpace(r.src[line:line+n]), marker) {
		return -1, 0
	}
	if close = line + n; r.src[close-1] == '\r' {
		close--
	}
	if text := r.src[start:line]; bytes.Contains(text, marker) {
		for l := range bytes.Lines(text) {
			if bytes.Equal(bytes.TrimSpace(l), marker) {
				return -1, 0
			}
		}
	}
	return line, close
}

// sequence reads a template sequence from behind its ${, which ends before end. It
// returns where the text goes on, and the expression or nil.
func (r *plainReader) sequence(start, end int) (int, hclsyntax.Expression) {
	g := &r.guard
	g.Src, g.I, g.Total, g.Unclosed = r.src[:end], start, 0, false
	g.Stack = append(g.Stack[:0], hcllex.Level{Mode: 'n'})
	for g.I < end {
		top := &g.Stack[len(g.Stack)-1]
		if top.Mode != 'n' {
			g.Text(top)
			continue
		}
		if len(g.Stack) == 1 && r.src[g.I] == '}' {
			break
		}
		g.Code(top)
	}
	close := g.I
	if g.Src = r.src; close >= end || close == start || r.src[start] == '~' || r.src[close-1] == '~' || bytes.ContainsAny(r.src[start:close], "#/") {
		return 0, nil
	}
	x, diags := hcllex.ParseExpression(r.src[start:close], r.filename(), hcl.Pos{Line: 1, Byte: start})
	if len(diags) > 0 {
		return 0, nil
	}
	return close + 1, x
}

// A margin is the white space that <<- takes away: as much from every line as the
// line has that has least of it, unless that is blank.
type margin struct {
	flush bool
	first int             // where the heredoc's text begins
	texts []textspan.Span // the parts that are text
	lines []int           // where lines begin that lose it
	width int
}

// textParts puts the texts of m into the places of parts that are nil. It reports
// false if lines begin with other white space than blanks and tabs.
func (r *plainReader) textParts(parts []hclsyntax.Expression, m *margin) bool {
	if m.flush && !r.measure(m) {
		return false
	}
	k := 0
	for i, p := range parts {
		if p == nil {
			parts[i] = r.textPart(m, m.texts[k])
			k++
		}
	}
	return true
}

// measure finds the width of a margin and the lines that lose it.
func (r *plainReader) measure(m *margin) bool {
	if len(m.texts) == 0 || int(m.texts[0].Start) != m.first {
		m.width = 0 // the first line begins with a sequence
	}
	for k, text := range m.texts {
		end := int(text.End)
		for line := int(text.Start); line < end; {
			next := end
			if n := bytes.IndexByte(r.src[line:end], '\n'); n >= 0 {
				next = line + n + 1
			}
			if line > int(text.Start) || line == m.first {
				i := line
				for i < end && (r.src[i] == ' ' || r.src[i] == '\t') {
					i++
				}
				switch rest := r.src[i:next]; {
				case string(rest) == "\n" || string(rest) == "\r\n":
				case len(rest) > 0 && (rest[0] >= 0x80 || rest[0] >= '\t' && rest[0] <= '\r'):
					return false
				default:
					m.lines, m.width = append(m.lines, line), min(m.width, i-line)
				}
			}
			if next == end && r.src[end-1] == '\n' && k+1 < len(m.texts) {
				m.width = 0 // a line begins with a sequence
			}
			line = next
		}
	}
	return true
}

// textPart is a part of a template that is text.
func (r *plainReader) textPart(m *margin, at textspan.Span) hclsyntax.Expression {
	start, end := int(at.Start), int(at.End)
	if !m.flush {
		return &hclsyntax.LiteralValueExpr{Val: cty.StringVal(string(r.src[start:end])), SrcRange: r.rangeOf(at)}
	}
	var out []byte
	from := start
	for len(m.lines) > 0 && m.lines[0] < end {
		line := m.lines[0]
		out = append(out, r.src[from:line]...)
		from, m.lines = line+m.width, m.lines[1:]
		if line == start {
			start = from
		}
	}
	out = append(out, r.src[from:end]...)
	return &hclsyntax.LiteralValueExpr{Val: cty.StringVal(string(out)), SrcRange: r.rangeOf(textspan.Of(int32(start), int32(end)))}
}
