// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// This file has expressions as values of edits: their text as it is now, and as their place
// needs it.

// dedent takes the indentation of the line of e from the other lines of its text.
//
// The expression may go to a line with another indentation, and gets that of its new
// line: nothing else tells the two parts of the indentation of an inner line apart.
func dedent(e hclconfig.Expression, text string) string {
	if e.File() == nil || e.File().Syntax() == hclconfig.JSONSyntax || !strings.Contains(text, "\n") {
		return text
	}
	src := string(e.File().Bytes()[:spanOf(e).Start])
	line := src[strings.LastIndexByte(src, '\n')+1:]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return shiftLines(text, indent, "")
}

// holdsText reports whether the value holds text of a file, whose layout stays.
func (v Value) holdsText() bool {
	if v.form == formConcat {
		return false // it is one line, and so is what it holds
	}
	if v.form == formExpression {
		return isNative(*v.expr)
	}
	return slices.ContainsFunc(v.parts(), Value.holdsText)
}

// parts returns the values that are in a list, an object, a call or a text.
func (v Value) parts() []Value {
	out := slices.Clone(v.list)
	for _, e := range v.entries {
		out = append(out, e.Value)
	}
	return out
}

// writeCall writes a call of a function.
func (v Value) writeCall(b *strings.Builder, kind hcllang.Kind) error {
	// Names of functions may have colons in them, as those of providers do, so the
	// parser is asked.
	if _, err := parseSource(v.text + "()"); err != nil {
		return fmt.Errorf("%w: %.40q is not the name of a function", ErrEdit, v.text)
	}
	if kind.Bare() && kind != hcllang.KindType && kind != hcllang.KindSource && kind != hcllang.KindSourceList {
		return fmt.Errorf("%w: a %s cannot be a call: use Replace with a Source", ErrEdit, kind)
	}
	b.WriteString(v.text + "(")
	for i, a := range v.list {
		if i > 0 {
			b.WriteString(", ")
		}
		a.line = v.line
		text, err := a.native(kind)
		if err != nil {
			return err
		}
		b.WriteString(text)
		if hcllex.NeedsNewline(text) {
			b.WriteString("\n")
		}
	}
	b.WriteString(")")
	return nil
}

// json returns the expression as JSON of that kind.
func exprJSON(e hclconfig.Expression, kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
	// JSON goes to JSON as it is, with the digits of its numbers, if both places read
	// strings in the same way. If not, the same text would have another meaning.
	if !isNative(e) && kindOf(e).Templates() == kind.Templates() && kindOf(e).Bare() == kind.Bare() {
		return jsonNodeOf(e.File().Bytes(), int(spanOf(e).Start)), nil
	}
	switch e.Form() {
	case hclconfig.FormLiteral:
		v, err := e.Constant()
		if err != nil {
			return nil, err
		}
		if s, ok := hcllex.LiteralString(v); ok {
			return String(s).json(kind, d)
		}
		return Source(e.Raw()).json(kind, d)
	case hclconfig.FormList:
		out := jsontree.Array()
		for _, p := range e.Parts() {
			n, err := exprJSON(p, kind.Element(), d)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, n)
		}
		return out, nil
	case hclconfig.FormObject:
		// Elsewhere in bare places an object is a piece of code, such as the type of a
		// variable, which JSON has as a string.
		if members, _ := e.Members(); !kind.Bare() || kind == hcllang.KindProviderMap {
			return membersJSON(members, kind, d)
		}
	case hclconfig.FormTemplate:
		if text, ok := templateText(e); ok {
			return Template(text).json(kind, d)
		}
	}
	text, err := spelled(e)
	switch {
	case err != nil:
		return nil, err
	case kind.Templates() && !kind.Bare():
		if _, err := parseSource(text); err != nil {
			return nil, err
		}
		return jsontree.Raw(jsontree.Quote(wrapSource(strings.TrimSpace(text)))), nil
	}
	return sourceJSON(text, kind, d)
}

func membersJSON(members []hclconfig.Member, kind hcllang.Kind, d hcllang.Dialect) (*jsontree.Node, error) {
	out := jsontree.Object()
	seen := map[string]bool{}
	for _, m := range members {
		name := m.Name
		switch {
		// Where strings are no templates the key would be its own source as a text.
		case m.Computed && !kind.Templates():
			return nil, notWritable("a key that is computed cannot be written here")
		case m.Computed:
			name = keyTemplate(m.Key)
		case kind.Templates():
			name = hcllex.TemplateOf(name)
		}
		// HCL takes the last of two equal keys of an object, and other readers of JSON
		// take either.
		if seen[name] {
			return nil, fmt.Errorf("%w: the key %q occurs twice", ErrEdit, name)
		}
		seen[name] = true
		n, err := exprJSON(m.Value, kind.Element(), d)
		if err != nil {
			return nil, err
		}
		out.Members = append(out.Members, jsontree.Property(name, n))
	}
	return out, nil
}

// keyTemplate returns the template for a key that is computed.
func keyTemplate(key hclconfig.Expression) string {
	if key.Form() == hclconfig.FormTemplate {
		if text, ok := templateText(key); ok {
			return text
		}
	}
	text := key.Source()
	// The parentheses are needed in native syntax only, where a bare name is a text.
	// (a) + (b) also begins and ends with them, so what is inside must parse.
	if inner := strings.TrimSuffix(strings.TrimPrefix(text, "("), ")"); inner != text {
		if _, err := parseSource(inner); err == nil {
			return wrapSource(inner)
		}
	}
	return wrapSource(text)
}

// templateText returns a template as between the lines of a heredoc, if it has no
// directives.
//
// That is the spelling which quotes, heredocs and JSON can all be made of: escapes of
// template marks are in it, and those of quotes are not.
func templateText(e hclconfig.Expression) (string, bool) {
	var b strings.Builder
	for _, p := range e.Parts() {
		if p.Form() == hclconfig.FormLiteral {
			v, err := p.Constant()
			s, ok := hcllex.LiteralString(v)
			if err != nil || !ok {
				return "", false
			}
			if b.Len() > 0 && !hcllex.HasLoneCR(s) {
				b.WriteString(hcllex.EscapeTemplate(s))
			} else {
				b.WriteString(hcllex.TemplateOf(s))
			}
			continue
		}
		raw := p.Raw()
		// A directive is no expression, and has no source that could be put into an
		// interpolation.
		if strings.HasPrefix(raw, "%{") {
			return "", false
		}
		b.WriteString(wrapSource(p.Source()))
	}
	return b.String(), true
}

// jsonNodeOf returns the JSON value at offset, to be laid out anew.
func jsonNodeOf(src []byte, at int) *jsontree.Node {
	s := textspan.Of(int32(at), int32(at))
	switch src[at] {
	case '[':
		out := jsontree.Array()
		for v := range jsontree.Elements(src, s) {
			out.Items = append(out.Items, jsonNodeOf(src, int(v.Start)))
		}
		return out
	case '{':
		out := jsontree.Object()
		for m := range jsontree.Members(src, s) {
			out.Members = append(out.Members, jsontree.Property(unquoteJSON(src[m.Name.Start:m.Name.End]), jsonNodeOf(src, int(m.Value.Start))))
		}
		return out
	}
	return jsontree.Raw(string(src[at:jsontree.End(src, at)]))
}

// spelled returns the expression spelled in native syntax. The error is about the first
// string that does not parse.
func spelled(e hclconfig.Expression) (string, error) {
	text := e.Source()
	if text != "" {
		return text, nil
	}
	for x := range e.All() {
		if x.Form() == hclconfig.FormInvalid {
			_, diags := x.HCL()
			for d := range diags.Errors() {
				cause := d.Err
				if cause == nil {
					cause = &textspan.Error{Cause: hclconfig.ErrSyntax, Text: textspan.ErrorText(d.Summary, d.Detail)}
				}
				return "", fault(e.File(), int(d.Subject.Start.Offset), cause)
			}
		}
	}
	return "", nil
}

// settle returns a value in which the expressions of the edited file stand for their
// current text: an expression that is written after an edit of it has the edit, as it would if the
// file had been read again between the two. It reports false, after an error, if one of them is gone.
func (e *Editor) settle(v Value) (Value, bool) {
	if v.form == formExpression {
		return e.settleExpression(v)
	}
	// The value of the caller stays as it is: it may be written again after the next
	// edit, when its expressions have other texts.
	v.list, v.entries = slices.Clone(v.list), slices.Clone(v.entries)
	ok := true
	for i := 0; i < len(v.list) && ok; i++ {
		v.list[i], ok = e.settle(v.list[i])
	}
	for i := 0; i < len(v.entries) && ok; i++ {
		v.entries[i].Value, ok = e.settle(v.entries[i].Value)
	}
	return v, ok
}

// settleExpression is settle for an expression of a file. One of a file that the editor does not know
// is written as it was read there.
func (e *Editor) settleExpression(v Value) (Value, bool) {
	f, at := v.expr.File(), spanOf(*v.expr)
	start, end, known, ok := e.find(f, at)
	switch {
	// What nobody has edited is as it was read.
	case !known, ok && e.now == f:
		return v, true
	case !ok:
		e.failf(f, at, "it was removed by an earlier edit: take the expression from Body or Apply")
		return v, false
	}
	text, syntax := "", hclconfig.NativeSyntax
	if e.doc != nil {
		s, _, _ := e.doc.find(f, at)
		text, syntax = s.textNow()
	} else {
		text = shiftLines(string(e.d.slice(start, end)), e.d.indentAt(start), "")
	}
	x, err := hclconfig.ParseExpression(e.f.Filename(), []byte(text), syntax, v.expr.Kind())
	if e.fails(f, at, err) {
		return v, false
	}
	v.expr = &x
	return v, true
}

// prepareValue lays out all long blocks, if a value has text of the file that may go where
// the text is not laid out later. It comes after the other functions.
func (e *longEditor) prepareValue(v Value) {
	if e.window == nil && v.hasExpression() {
		e.layOutAll()
	}
}

// holds returns the part of the text from start to end, which is an expression, that
// text has again. It looks only if v has an expression in it, as a call around one has.
func (v Value) holds(old string, start int, text string) inner {
	if !v.hasExpression() {
		return inner{}
	}
	from, to := 0, len(old)
	// A template that is one interpolation is written without the quotes as an argument
	// of the call. It is the code inside that is there again.
	if strings.HasPrefix(old, `"${`) && strings.HasSuffix(old, `}"`) {
		from, to = 3, to-2
	}
	// The first place is taken. If the text is there twice, as in f(x, x), either is as
	// good.
	at := strings.Index(text, old[from:to])
	if at < 0 || from >= to {
		return inner{}
	}
	return inner{start + from, start + to, at}
}

func (v Value) hasExpression() bool {
	return v.form == formExpression || v.again || slices.ContainsFunc(v.parts(), Value.hasExpression)
}

// A context is the place of an expression: the part that contains it.
type context struct {
	node   hclconfig.Expression
	parent hclconfig.Expression // the zero Expression if node is all of an argument
	index  int
}

// contextOf finds the expression from start to end in root.
func contextOf(root hclconfig.Expression, start, end int) (context, bool) {
	c := context{node: root}
	for {
		if s, t := offsets(spanOf(c.node)); s == start && t == end && (c.node.Form() != hclconfig.FormObject || c.parent.IsSet()) {
			return c, true
		}
		parts := c.node.Parts()
		i := slices.IndexFunc(parts, func(p hclconfig.Expression) bool {
			s, t := offsets(spanOf(p))
			return p.IsSet() && s <= start && end <= t
		})
		if i < 0 {
			s, t := offsets(spanOf(c.node))
			return c, s == start && t == end
		}
		c = context{node: parts[i], parent: c.node, index: i}
	}
}

// fit returns the text of v, spelled as it has to be in that place. A value is one thing, and stays one
// where it goes: 1 + 2 in the place of x in x * 3 gets parentheses. As the key of an object it gets
// them too, since HCL takes a bare name there for a text.
func (c context) fit(text string, v Value) (string, error) {
	if !c.parent.IsSet() {
		return text, nil
	}
	switch c.parent.Form() {
	case hclconfig.FormTemplate:
		if c.isText() {
			return "${" + text + "}", nil
		}
	case hclconfig.FormObject:
		if c.index%2 == 1 {
			break
		}
		switch {
		case v.form == formString && hcllex.PlainKey(v.text):
			return v.text, nil
		case v.form == formString, v.form == formTemplate, isQuoted(text):
			return text, nil
		}
		return parenthesized(text), nil
	case hclconfig.FormOperation, hclconfig.FormConditional:
		if c.loosens(treeOf(text)) {
			return parenthesized(text), nil
		}
	case hclconfig.FormAccess, hclconfig.FormSplat:
		if c.index > 0 {
			break
		}
		switch treeOf(text).Form() {
		// These can have a dot or an index behind them. Behind another form, such as a
		// + b, it would belong to the last part alone.
		case hclconfig.FormReference, hclconfig.FormCall, hclconfig.FormAccess, hclconfig.FormParentheses, hclconfig.FormList:
		default:
			return parenthesized(text), nil
		}
	}
	if p := c.parent.Form(); p == hclconfig.FormConditional || p == hclconfig.FormFor {
		// The parts of a directive are templates between its marks, which no expression
		// can take the place of.
		if raw := c.parent.Raw(); strings.HasPrefix(raw, "%{") && c.index > 0 {
			return "", notWritable("a part of a template directive cannot be replaced by itself")
		}
	}
	return text, nil
}

// parenthesized returns native source in parentheses.
func parenthesized(text string) string {
	if hcllex.NeedsNewline(text) {
		return "(" + strings.TrimSuffix(text, "\n") + "\n)"
	}
	return "(" + text + ")"
}

// isQuoted reports whether native source is a string in quotes, and nothing else.
func isQuoted(text string) bool {
	if !strings.HasPrefix(text, `"`) {
		return false
	}
	form := treeOf(text).Form()
	return form == hclconfig.FormLiteral || form == hclconfig.FormTemplate
}

// inBraces reports whether the node, a literal in a template, is in ${ }.
//
// HCL drops the braces from the place of an expression, so they are looked for in the
// text before it.
func (c context) inBraces() bool {
	src := c.node.File().Bytes()[:spanOf(c.node).Start]
	src = bytes.TrimRight(src, " \t\r\n")
	return bytes.HasSuffix(src, []byte("${")) || bytes.HasSuffix(src, []byte("${~"))
}

// unquoted reports whether the enclosing template has no quotes of its own, such
// as a heredoc or a JSON string. Backslashes and quotes in it are plain
// characters.
func (c context) unquoted() bool {
	raw := c.parent.Raw()
	if c.parent.File().Syntax() == hclconfig.NativeSyntax {
		return strings.HasPrefix(raw, "<<")
	}
	// In JSON a template is a whole string, or one in quotes within the code of a
	// string. The quotes of the latter are escaped.
	return strings.HasPrefix(raw, `"`) || !strings.HasPrefix(unquoteJSON([]byte(`"`+raw+`"`)), `"`)
}

// isPiece reports whether the node is a piece of the text of a template.
func (c context) isPiece() bool {
	return c.parent.IsSet() && c.parent.Form() == hclconfig.FormTemplate && c.isText()
}

// inBracesNow splits the text that fit returned. Where a piece of text becomes code, the braces are not
// part of what stands for the piece: the next edit of that is one of the code.
func (c context) inBracesNow(text string) (open, code, shut string) {
	if c.isPiece() && strings.HasPrefix(text, "${") && strings.HasSuffix(text, "}") {
		return "${", text[len("${") : len(text)-len("}")], "}"
	}
	return "", text, ""
}

// keepsEnd returns an error if the node is the text that a heredoc ends with, and text, which comes in
// its place, has no line break at its end. The marker must have a line of its own: without that line
// break it would be text, and the heredoc would go on to the next marker.
func (c context) keepsEnd(text string) error {
	if !c.isPiece() || !strings.HasPrefix(c.parent.Raw(), "<<") || c.index < len(c.parent.Parts())-1 ||
		!strings.HasSuffix(c.node.Raw(), "\n") || strings.HasSuffix(text, "\n") {
		return nil
	}
	return fmt.Errorf("%w: the text of a heredoc ends with a line break, before its marker: end the new text with one", ErrEdit)
}

// treeOf returns native source as an expression, or the zero Expression if it does
// not parse.
func treeOf(text string) hclconfig.Expression {
	if strings.Contains(text, "<<") && !strings.HasSuffix(text, "\n") {
		text += "\n" // which a heredoc needs
	}
	x, err := hclconfig.ParseExpression("", []byte(text), hclconfig.NativeSyntax, hclconfig.KindExpression)
	if err != nil {
		return hclconfig.Expression{}
	}
	return x
}

// loosens reports whether x needs parentheses as an operand of the parent, an
// operator or a conditional. Those of equal rank get them unless they are a chain
// that is read from the left, as a + b + c.
func (c context) loosens(x hclconfig.Expression) bool {
	own, outer := strength(x), strength(c.parent)
	switch {
	case own == strengthOperand:
		return false
	case own == strengthUnary:
		// --1 and a - -1 parse, but are easily misread.
		return outer == strengthUnary || c.index > 0 && x.Name() == "-"
	case own == outer:
		// a == b == c and a < b < c parse, but no reader can tell how, and a
		// conditional in a conditional is worse.
		return c.index > 0 || own == strengthConditional || own == strengthEquality || own == strengthOrder
	}
	return own < outer
}

// How strongly the parts of an expression hold together, the loosest first.
const (
	strengthConditional = iota
	strengthOr
	strengthAnd
	strengthEquality
	strengthOrder
	strengthSum
	strengthProduct
	strengthUnary
	strengthOperand
)

// The order is that of HCL's table of operators.
func strength(x hclconfig.Expression) int {
	switch {
	case x.Form() == hclconfig.FormConditional:
		return strengthConditional
	case x.Form() != hclconfig.FormOperation:
		return strengthOperand
	case len(x.Parts()) == 1:
		return strengthUnary
	}
	switch x.Name() {
	case "||":
		return strengthOr
	case "&&":
		return strengthAnd
	case "==", "!=":
		return strengthEquality
	case "<", ">", "<=", ">=":
		return strengthOrder
	case "+", "-":
		return strengthSum
	}
	return strengthProduct
}

// nativeText returns a value as it goes into a line with that indentation. If
// it is the value of an argument, name and in identify the argument.
func (e *nativeEditor) nativeText(v Value, kind hcllang.Kind, indent string) (string, error) {
	own := kind
	if kind == hcllang.KindStatic && programOf(e.f) == hcllang.Terraform {
		own = hcllang.KindLiteral
	}
	if err := v.requireConstant(own); err != nil {
		return "", err
	}
	text, err := v.native(kind)
	if err != nil {
		return "", err
	}
	// Text of a file comes with the layout that somebody gave it. Only its indentation
	// follows the new place.
	if v.holdsText() {
		return breakLines(shiftLines(text, "", indent), e.d.newlineOf(text)), nil
	}
	return formatNative(text, indent, e.editor().nl()), nil
}

// newlineOf returns the line break to write for each one of text.
//
// Text of a file has its own line breaks, and a heredoc in it has them in its value.
// Only text with plain line feeds in a file of the other kind is adapted.
func (d *draft) newlineOf(text string) string {
	if d.newline() == "\r\n" && !strings.Contains(text, "\r\n") {
		return d.newline()
	}
	return "\n"
}

// A target is an expression that is replaced: its place, for errors, and its kind.
type target struct {
	f    *hclconfig.File
	at   textspan.Span
	kind hcllang.Kind
}

// replaceIn replaces the expression that is now from start to end, in a region.
func (e *nativeEditor) replaceIn(r *region, x target, start, end int, v Value, o editOptions) {
	text, err := e.nativeText(v, x.kind, e.d.indentAt(start))
	if e.editor().fails(x.f, x.at, err) {
		return
	}
	if r, start, end = e.openLines(r, start, end, text, o); r == nil {
		return
	}
	a := r.argumentAt(start - r.start)
	if a == nil {
		e.editor().failf(x.f, x.at, "it is not in an argument: take what is there from Body")
		return
	}
	c, ok := contextOf(a.Expression, start-r.start, end-r.start)
	if !ok {
		e.editor().failf(x.f, x.at, "it is not an expression any more: take the one that is there from Body")
		return
	}
	whole := !c.parent.IsSet()
	if from, to, piece, ok := c.splice(v); ok {
		if e.editor().fails(x.f, x.at, c.keepsEnd(piece)) {
			return
		}
		from, to = from+r.start, to+r.start
		e.editor().rewrite(from, to, replaced(from, to, piece))
		e.layoutAfter(r, o)
		return
	}
	if whole {
		// fmt unwraps "${x}" only if it is all of an argument.
		text = tidyText(text, x.kind)
	} else if text, err = c.fit(text, v); e.editor().fails(x.f, x.at, err) || e.editor().fails(x.f, x.at, c.keepsEnd(text)) {
		return
	} else if hcllex.NeedsNewline(text) {
		text = "(" + strings.TrimSuffix(text, e.editor().nl()) + e.editor().nl() + ")"
	}
	if stop := lineEndAt(r.text, end-r.start); hcllex.NeedsNewline(text) && !strings.HasSuffix(text, "\n") {
		// The last line of a file may have no line break. The end marker of a heredoc
		// needs one.
		if n := e.d.len(); r.start+stop == n && e.d.at(n-1) != '\n' {
			e.editor().rewrite(n, n, added(e.editor().nl()))
		}
		// Nothing may follow the end of a heredoc. A comment goes above.
		rest := r.text[end-r.start : stop]
		switch note := strings.TrimSpace(rest); {
		case note == "":
		// The comment is about the argument, so it stays with it, on the line above.
		case whole && (note[0] == '#' || note[0] == '/'):
			line := r.start + strings.LastIndexByte(r.text[:int(nameOf(a).Start)], '\n') + 1
			if line == 0 && strings.HasPrefix(r.text, bom) {
				line = len(bom)
			}
			from := end + strings.Index(rest, note)
			e.editor().rewrite(line, r.start+stop, added(e.d.indentAt(line)), kept(from, from+len(note)), added(e.editor().nl()),
				kept(line, start), replaced(start, end, text), kept(from+len(note), r.start+stop))
			e.layoutAfter(r, o)
			return
		default:
			text += e.editor().nl()
		}
	}
	old := string(e.d.slice(start, end))
	open, code, shut := c.inBracesNow(text)
	e.editor().rewrite(start, end, added(open), replacedAround(start, end, code, v.holds(old, start, code)), added(shut))
	e.layoutAfter(r, o)
}

// openLines makes sure that text of several lines can take the place from start to
// end: a block on one line is written over several lines first.
func (e *nativeEditor) openLines(r *region, start, end int, text string, o editOptions) (*region, int, int) {
	b := around(r.file.Body(), start-r.start)
	if b == nil || !strings.Contains(text, "\n") {
		return r, start, end
	}
	since := r.since
	if r, b = e.openBody(r, b, o); b == nil {
		return nil, 0, 0
	}
	start, end, _ = e.d.find(since, start, end)
	return r, start, end
}
