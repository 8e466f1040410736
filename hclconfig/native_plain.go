// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A plainReader reads native syntax as most files have it: blocks, arguments,
// and expressions without template directives and names in other
// scripts. HCL's parser reads other expressions, one by one. If the reader
// finds anything else, including an error, it gives up, and HCL's parser reads
// the whole file.
//
// It exists because HCL's scanner and parser need ten times as long for the
// plain forms. The expressions it makes are those that HCL would make, but
// that their ranges have byte offsets only.
type plainReader struct {
	nativeReader
	src []byte
	i   int
	// depth counts open blocks, and expressions in each other.
	depth int
	// dry is set to read expressions without making them.
	dry    bool
	names  map[string]string
	args   []Argument // a stack
	blocks []Block    // a stack
	slab   []Argument
	guard  hcllex.Guard // finds the ends of expressions
	// failed reports that HCL refused an expression. Trying again with the
	// enclosing expression would take time in proportion to the file for every
	// level.
	failed bool
	// given is how many bytes HCL's parser got. Lists in each other, each
	// with something in it that is not plain, are read once a level.
	given int
}

// plainDepth is the greatest depth for the plain reader; HCL reads deeper text.
const plainDepth = 200

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
	body.at = textspan.Of(0, int32(len(r.src)))
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
	for r.i < len(r.src) && (r.newline() || r.comment()) {
	}
}

// comment skips a comment of the form /* */ and reports whether there was one.
func (r *plainReader) comment() bool {
	if r.i >= len(r.src) || !bytes.HasPrefix(r.src[r.i:], []byte("/*")) {
		return false
	}
	n := bytes.Index(r.src[r.i+2:], []byte("*/"))
	if n < 0 {
		return false
	}
	r.i += n + 4
	return true
}

// ident reads an identifier of ASCII letters, or returns an empty span.
func (r *plainReader) ident() textspan.Span {
	start := r.i
	for r.i < len(r.src) && identByte(r.src[r.i], r.i > start) {
		r.i++
	}
	if r.i < len(r.src) && r.src[r.i] >= 0x80 {
		r.i = start // a letter of another script, or a space of one
	}
	return textspan.Of(int32(start), int32(r.i))
}

func identByte(c byte, inside bool) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || inside && ('0' <= c && c <= '9' || c == '-')
}

func (r *plainReader) text(s textspan.Span) string { return string(r.src[s.Start:s.End]) }

// body reads arguments and blocks up to the end of the file or, if nested is
// set, up to a closing brace, which it leaves.
func (r *plainReader) body(b *Body, spec *hcllang.Block, nested bool) bool {
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
			r.slab = make([]Argument, 0, max(chunk(r.i), n))
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
		r.onlyArguments(b, spec)
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
func (r *plainReader) item(spec *hcllang.Block, names *argNames) bool {
	name := r.ident()
	if name.Start == name.End {
		return false
	}
	r.spaces()
	if r.i < len(r.src) && r.src[r.i] == '=' {
		return r.argument(name, names)
	}
	b := Block{Type: r.intern(name), file: r.f, typeAt: name, entry: name}
	for r.i < len(r.src) && r.src[r.i] != '{' {
		label := r.ident()
		text := r.text(label)
		if label.Start == label.End {
			var ok bool
			if label, ok = r.quoted(); !ok {
				return false
			}
			text = string(r.src[label.Start+1 : label.End-1])
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
	b.Body.at = textspan.Of(int32(open), int32(open)+1)
	r.i++
	r.resolve(&b, spec)
	if !r.content(&b) {
		return false
	}
	r.i++
	b.entry.End = int32(r.i)
	b.Body.at = textspan.Of(int32(open), int32(r.i))
	r.blocks = append(r.blocks, b)
	return true
}

// content reads the body of a block after its opening brace, up to the closing
// one: on lines of its own, or one argument on the same line.
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
	if name.Start == name.End || r.i >= len(r.src) || r.src[r.i] != '=' || !r.argument(name, new(argNames)) {
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

// intern returns the text at s. Files have few different names, so each is kept once.
func (r *plainReader) intern(s textspan.Span) string {
	if name, ok := r.names[string(r.src[s.Start:s.End])]; ok {
		return name
	}
	if r.names == nil {
		r.names = make(map[string]string)
	}
	name := r.text(s)
	r.names[name] = name
	return name
}

// value reads the expression of an argument.
func (r *plainReader) value() hclsyntax.Expression {
	start, depth := r.i, r.depth
	x := r.expression(true)
	if x == nil || !r.ends() {
		r.i, r.depth = start, depth
		x = r.complex('}', true)
	}
	return x
}

// argument reads an argument from its equals sign on.
func (r *plainReader) argument(name textspan.Span, names *argNames) bool {
	r.i++
	if r.i < len(r.src) && (r.src[r.i] == '=' || r.src[r.i] == '>') {
		return false
	}
	r.skip(true)
	start := r.i
	x := r.value()
	if x == nil {
		return false
	}
	if r.dry {
		x = nil
	}
	text := r.intern(name)
	if !names.add(text) {
		return false
	}
	r.args = append(r.args, r.newArgument(text, name, textspan.Of(int32(start), int32(r.i)), x))
	return true
}

func (r *plainReader) filename() string { return r.f.name }

// plainTree returns the tree of the expression at s in f, which a plainReader has read
// before.
func plainTree(f *File, s textspan.Span) hclsyntax.Expression {
	r := plainReader{nativeReader: nativeReader{f: f}, src: f.src, i: int(s.Start)}
	return r.value()
}

// quotedText returns the text of the quoted string that is at s in src, if it has no
// escapes and template marks.
func quotedText(src []byte, s textspan.Span) (string, bool) {
	r := plainReader{src: src, i: int(s.Start)}
	q, ok := r.quoted()
	if !ok || q.End != s.End {
		return "", false
	}
	return string(src[q.Start+1 : q.End-1]), true
}

// firstToken returns where the first token at or after i begins, in the same line.
func firstToken(src []byte, i int) int32 {
	r := plainReader{src: src, i: i}
	r.skip(true)
	return int32(r.i)
}
