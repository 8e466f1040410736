// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A plainReader reads native syntax as most files have it: blocks, arguments,
// line comments, and expressions that are texts, numbers, names, lists and
// objects. Other expressions it gives to HCL's parser one by one. Whatever it
// does not know, errors included, makes it give up, and the whole file is read
// by HCL's parser.
//
// It exists because HCL's scanner and parser need ten times as long for the
// plain forms. The expressions it makes are those that HCL would make, but
// that their ranges have byte offsets only.
type plainReader struct {
	nativeReader
	src []byte
	i   int
	// depth counts open blocks, lists and objects.
	depth  int
	args   []Argument // a stack
	blocks []Block    // a stack
	slab   []Argument
	guard  nestingGuard // finds the ends of expressions
	// failed reports that HCL refused an expression. Trying again with what
	// is around it would cost the size of the file for every level.
	failed bool
}

// plainDepth is how deep the plain reader goes; the rest is left to HCL.
const plainDepth = 100

// file reads the whole file into the body of r.f. It reports false if it gave
// up; then nothing has changed.
func (r *plainReader) file() bool {
	var body Body
	if bytes.Contains(r.src, []byte("\uFEFF")) {
		return false // HCL's scanner ignores it where a piece begins
	}
	if !r.body(&body, r.f.body.spec, false) || r.i != len(r.src) {
		r.f.diags = nil
		return false
	}
	body.at = span{0, int32(len(r.src))}
	r.f.body = body
	return true
}

// spaces skips spaces and tabs.
func (r *plainReader) spaces() {
	for r.i < len(r.src) && (r.src[r.i] == ' ' || r.src[r.i] == '\t') {
		r.i++
	}
}

// newline skips spaces, a line comment if there is one, and a line break. It
// reports whether there was a line break or the end of the file.
func (r *plainReader) newline() bool {
	r.spaces()
	if r.i >= len(r.src) {
		return true
	}
	switch r.src[r.i] {
	case '\n':
		r.i++
		return true
	case '\r':
		if r.i+1 < len(r.src) && r.src[r.i+1] == '\n' {
			r.i += 2
			return true
		}
		return false
	case '/':
		if r.i+1 >= len(r.src) || r.src[r.i+1] != '/' {
			return false
		}
	case '#':
	default:
		return false
	}
	n := bytes.IndexByte(r.src[r.i:], '\n')
	if n < 0 {
		r.i = len(r.src)
	} else {
		r.i += n + 1
	}
	return true
}

// blank skips spaces, line breaks and comments.
func (r *plainReader) blank() {
	for r.i < len(r.src) && r.newline() {
	}
}

// ident reads an identifier of ASCII letters, or returns an empty span.
func (r *plainReader) ident() span {
	start := r.i
	for r.i < len(r.src) && identByte(r.src[r.i], r.i > start) {
		r.i++
	}
	if r.i < len(r.src) && r.src[r.i] >= 0x80 {
		r.i = start // a letter of another script, or a space of one
	}
	return span{int32(start), int32(r.i)}
}

func identByte(c byte, inside bool) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || inside && ('0' <= c && c <= '9' || c == '-')
}

func (r *plainReader) text(s span) string { return string(r.src[s.start:s.end]) }

// body reads arguments and blocks up to the end of the file or, if nested is
// set, up to a closing brace, which it leaves.
func (r *plainReader) body(b *Body, spec *blockSpec, nested bool) bool {
	b.file, b.spec = r.f, spec
	if r.depth++; r.depth > plainDepth {
		return false
	}
	args, blocks := len(r.args), len(r.blocks)
	var names argNames
	for {
		r.blank()
		if r.i >= len(r.src) {
			if nested {
				return false
			}
			break
		}
		if r.src[r.i] == '}' && nested {
			break
		}
		if !r.item(spec, &names) || !r.newline() {
			return false
		}
	}
	r.depth--
	if n := len(r.args) - args; n > 0 {
		if cap(r.slab)-len(r.slab) < n {
			r.slab = make([]Argument, 0, max(128, n))
		}
		from := len(r.slab)
		r.slab = append(r.slab, r.args[args:]...)
		b.Arguments = r.slab[from:len(r.slab):len(r.slab)]
		r.args = r.args[:args]
		r.classify(b.Arguments, spec)
	}
	if n := len(r.blocks) - blocks; n > 0 {
		b.Blocks = append(make([]Block, 0, n), r.blocks[blocks:]...)
		r.blocks = r.blocks[:blocks]
	}
	return true
}

// argNames are the names of the arguments of a body. Two of the same are an
// error, which HCL reports.
type argNames struct {
	few  []string
	many map[string]bool
}

// add adds a name and reports whether it is new.
func (n *argNames) add(name string) bool {
	if n.many == nil && len(n.few) < 16 {
		if slices.Contains(n.few, name) {
			return false
		}
		n.few = append(n.few, name)
		return true
	}
	if n.many == nil {
		n.many = make(map[string]bool)
		for _, name := range n.few {
			n.many[name] = true
		}
	}
	if n.many[name] {
		return false
	}
	n.many[name] = true
	return true
}

// item reads an argument or a block of a body whose arguments so far are names.
func (r *plainReader) item(spec *blockSpec, names *argNames) bool {
	name := r.ident()
	if name.start == name.end {
		return false
	}
	r.spaces()
	if r.i < len(r.src) && r.src[r.i] == '=' {
		return r.argument(name, names)
	}
	b := Block{Type: r.text(name), file: r.f, typeAt: name, entry: name}
	for r.i < len(r.src) && r.src[r.i] != '{' {
		label := r.ident()
		text := r.text(label)
		if label.start == label.end {
			var ok bool
			if label, ok = r.quoted(); !ok {
				return false
			}
			text = string(r.src[label.start+1 : label.end-1])
			if text == "" {
				return false
			}
		}
		b.Labels, b.labelAt = append(b.Labels, text), append(b.labelAt, label)
		r.spaces()
	}
	if r.i >= len(r.src) {
		return false
	}
	open := r.i
	r.i++
	r.resolve(&b, spec)
	if !r.content(&b) {
		return false
	}
	r.i++
	b.entry.end = int32(r.i)
	b.Body.at = span{int32(open), int32(r.i)}
	r.blocks = append(r.blocks, b)
	return true
}

// content reads the body of a block behind its opening brace, up to the
// closing one: on lines of its own, or one argument on the same line.
func (r *plainReader) content(b *Block) bool {
	r.spaces()
	if r.i < len(r.src) && r.src[r.i] == '}' {
		b.Body.file, b.Body.spec = r.f, b.spec
		return true
	}
	if r.newline() {
		return r.body(&b.Body, b.spec, true)
	}
	b.Body.file, b.Body.spec = r.f, b.spec
	name := r.ident()
	r.spaces()
	mark := len(r.args)
	if name.start == name.end || r.i >= len(r.src) || r.src[r.i] != '=' || !r.argument(name, new(argNames)) {
		return false
	}
	r.spaces()
	if r.i >= len(r.src) || r.src[r.i] != '}' {
		return false
	}
	b.Body.Arguments = append([]Argument(nil), r.args[mark:]...)
	r.args = r.args[:mark]
	r.classify(b.Body.Arguments, b.spec)
	return true
}

// argument reads an argument from its equals sign on.
func (r *plainReader) argument(name span, names *argNames) bool {
	r.i++
	if r.i < len(r.src) && (r.src[r.i] == '=' || r.src[r.i] == '>') {
		return false
	}
	r.spaces()
	start := r.i
	depth := r.depth
	x := r.plain()
	if x == nil || !r.ends() {
		r.i, r.depth = start, depth
		if x = r.complex('}', true); x == nil {
			return false
		}
	}
	a := Argument{Name: r.text(name), nameAt: name, Expression: Expression{file: r.f, native: x, at: span{int32(start), int32(r.i)}}}
	if !names.add(a.Name) {
		return false
	}
	r.args = append(r.args, a)
	return true
}

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

func (r *plainReader) rangeOf(s span) hcl.Range {
	return hcl.Range{Filename: r.f.name, Start: hcl.Pos{Line: 1, Byte: int(s.start)}, End: hcl.Pos{Line: 1, Byte: int(s.end)}}
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
func (r *plainReader) quoted() (span, bool) {
	if r.i >= len(r.src) || r.src[r.i] != '"' {
		return span{}, false
	}
	for i := r.i + 1; i < len(r.src); i++ {
		switch r.src[i] {
		case '"':
			s := span{int32(r.i), int32(i + 1)}
			r.i = i + 1
			return s, true
		case '\\', '$', '%', '\n', '\r':
			return span{}, false
		}
	}
	return span{}, false
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
	s := span{int32(start), int32(r.i)}
	// One allocation for the three parts of what HCL makes of a text.
	x := &struct {
		template hclsyntax.TemplateExpr
		literal  hclsyntax.LiteralValueExpr
		parts    [1]hclsyntax.Expression
	}{}
	inner := span{s.start + 1, s.end - 1}
	if inner.start == inner.end {
		inner = span{s.end, s.end} // where HCL has nothing
	}
	text := r.text(span{s.start + 1, s.end - 1})
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
	s := span{int32(start), int32(r.i)}
	v, err := cty.ParseNumberVal(r.text(s))
	if err != nil {
		return nil
	}
	return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: r.rangeOf(s)}
}

// plainName reads true, false, null, or names with dots between them.
func (r *plainReader) plainName() hclsyntax.Expression {
	s := r.ident()
	if s.start == s.end {
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
			if part.start == part.end {
				return nil
			}
			t = append(t, hcl.TraverseAttr{Name: r.text(part), SrcRange: r.rangeOf(span{start, part.end})})
			continue
		case c == '[':
			key, ok := r.plainIndex()
			if !ok {
				return nil
			}
			t = append(t, hcl.TraverseIndex{Key: key, SrcRange: r.rangeOf(span{start, int32(r.i)})})
			continue
		case c == '(' || c == ':' || c >= 0x80:
			return nil
		}
		break
	}
	return &hclsyntax.ScopeTraversalExpr{Traversal: t, SrcRange: r.rangeOf(span{s.start, int32(r.i)})}
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
func (r *plainReader) plainCall(name string, at span) hclsyntax.Expression {
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
		OpenParenRange: r.rangeOf(span{open, open + 1}), CloseParenRange: r.rangeOf(span{int32(r.i) - 1, int32(r.i)}),
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
	list := &hclsyntax.TupleConsExpr{OpenRange: r.rangeOf(span{start, start + 1})}
	if !r.enter() {
		return nil
	}
	items, ok := r.items(']')
	if !ok {
		return nil
	}
	list.Exprs = items
	r.depth--
	list.SrcRange = r.rangeOf(span{start, int32(r.i)})
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
	object := &hclsyntax.ObjectConsExpr{OpenRange: r.rangeOf(span{start, start + 1})}
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
	object.SrcRange = r.rangeOf(span{start, int32(r.i)})
	return object
}

// endsItem reports whether an item of an object can end here.
func (r *plainReader) endsItem() bool {
	r.spaces()
	return r.i < len(r.src) && r.src[r.i] == ',' || r.ends()
}

// plainKey reads a key of an object: a single name or a text.
func (r *plainReader) plainKey() hclsyntax.Expression {
	if r.src[r.i] == '"' {
		return r.plainText()
	}
	s := r.ident()
	if s.start == s.end {
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
	g.src, g.i, g.total, g.unclosed = r.src, start, 0, false
	g.stack = append(g.stack[:0], nesting{mode: 'n'})
scan:
	for g.i < len(r.src) {
		top := &g.stack[len(g.stack)-1]
		if top.mode != 'n' {
			g.text(top)
			continue
		}
		if len(g.stack) == 1 {
			switch c := r.src[g.i]; {
			case c == shut, c == ',', c == '\n' && lines:
				break scan
			case lines && (c == '#' || c == '/' && g.i+1 < len(r.src) && r.src[g.i+1] == '/'):
				break scan
			}
		}
		g.code(top)
	}
	if len(g.stack) != 1 {
		return nil
	}
	end := min(g.i, len(r.src))
	if bytes.Contains(r.src[start:end], []byte("/*")) {
		return nil // such a comment may stand behind the expression
	}
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
