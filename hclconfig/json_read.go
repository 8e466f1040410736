// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"strings"

	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// readJSON reads the structure of a JSON file: blocks and arguments with their
// places. Expressions are checked to be JSON and are left unchanged. The rules
// are those of hcl: json/structure.go and json/spec.md.
func (f *File) readJSON() {
	f.text = string(f.src)
	r := jsonReader{f: f, src: f.src, text: f.text}
	r.root()
	f.diags = r.diags
}

// A jsonReader reads one file, once and from front to back.
type jsonReader struct {
	f    *File
	src  []byte
	text string
	i    int // the next token
	from int // the first one
	// depth counts the containers that are open.
	depth int
	diags Diagnostics
	// index has the ends of the values of a text that was read before, or is nil.
	index *jsontree.Index

	// Bodies nest, so their arguments and blocks are collected on these
	// stacks and moved into slabs when the body ends.
	args   []Argument
	blocks []Block
	labels []jsonLabel

	argSlab   []Argument
	blockSlab []Block
	textSlab  []string
	spanSlab  []textspan.Span
}

// A jsonLabel is a label of the blocks being read.
type jsonLabel struct {
	text string
	at   textspan.Span
}

func (r *jsonReader) root() {
	f := r.f
	r.space()
	if r.i >= len(r.src) {
		r.syntax(r.i, jsonscan.FaultEnd)
		return
	}
	ok := true
	switch r.src[r.i] {
	case '{', '[':
		ok = r.body(&f.body, f.body.spec, true)
	default:
		start := r.i
		if ok = r.skip(); ok {
			f.err = f.faultf(start, ErrSyntax, "root value must be object")
			r.report(textspan.Of(int32(start), int32(r.i)), "Root value must be object",
				"The root of a configuration in JSON syntax must be an object, or an array of objects.")
			r.diags[len(r.diags)-1].Err = ErrSyntax
			return
		}
	}
	if !ok {
		return
	}
	if r.space(); r.i < len(r.src) {
		r.syntax(r.i, jsonscan.FaultTrailing)
	}
}

func (r *jsonReader) space() { r.i = jsonscan.Space(r.src, r.i) }

// syntax records that the text is not JSON. Nothing after it is read.
func (r *jsonReader) syntax(at int, fault jsonscan.Fault) bool {
	cause := ErrSyntax
	summary := "Invalid JSON"
	if fault == jsonscan.FaultDepth {
		cause, summary = ErrLimit, "JSON nested too deeply"
	}
	text := fault.Error()
	if fault == jsonscan.FaultDepth {
		text = "more than 10000 arrays and objects inside each other"
	}
	if hint := jsonHint(r.src, at, fault); hint != "" {
		text += ": " + hint
	}
	r.f.err = r.f.faultf(at, cause, "%s", text)
	r.report(textspan.Of(int32(at), int32(min(at+1, len(r.src)))), summary, "%s.", upperFirst(text))
	r.diags[len(r.diags)-1].Err = cause
	return false
}

// jsonHint says more about common mistakes.
func jsonHint(src []byte, at int, fault jsonscan.Fault) string {
	if at >= len(src) {
		if len(src) == jsonscan.Space(src, 0) {
			return "an empty configuration in JSON syntax is {}"
		}
		return ""
	}
	switch c := src[at]; {
	case at == 0 && strings.HasPrefix(string(src[:min(3, len(src))]), "\uFEFF"):
		return "a file in JSON syntax must not begin with a byte order mark"
	case c == '/' || c == '#':
		return `JSON has no comments; a property named "//" is ignored in the body of a block`
	case c == '\'':
		return "JSON strings are in double quotes"
	case c == '}' && fault == jsonscan.FaultName, c == ']' && fault == jsonscan.FaultValue:
		return "JSON does not allow a comma after the last one"
	case c == '=' && fault == jsonscan.FaultColon:
		return "a colon separates a property's name from its value"
	case c == '+' || c == '.' && fault == jsonscan.FaultValue:
		return "a number begins with a digit or a minus sign"
	case fault == jsonscan.FaultLiteral || fault == jsonscan.FaultValue && (c|0x20 == 't' || c|0x20 == 'f' || c|0x20 == 'n'):
		return "the only bare words in JSON are true, false and null"
	}
	return ""
}

// report adds an error about s. The file remains readable.
func (r *jsonReader) report(s textspan.Span, summary, format string, args ...any) {
	r.diags = append(r.diags, r.f.errorAt(s, summary, format, args...))
}

// skip checks the value at r.i and moves past it.
func (r *jsonReader) skip() bool {
	if r.index != nil {
		r.i = r.index.End(r.i)
		return true
	}
	end, fault := jsonscan.Value(r.src, r.i, jsonscan.MaxDepth-r.depth)
	if fault != jsonscan.OK {
		return r.syntax(end, fault)
	}
	r.i = end
	return true
}

// skipSpan is skip that returns where the value was.
func (r *jsonReader) skipSpan() (textspan.Span, bool) {
	start := r.i
	ok := r.skip()
	return textspan.Of(int32(start), int32(r.i)), ok
}

// members calls do for each member of the object at r.i, with r.i at the
// member's value, which do must read. It reports false after a syntax error.
func (r *jsonReader) members(do func(name string, at textspan.Span) bool) bool {
	if r.depth++; r.depth > jsonscan.MaxDepth {
		return r.syntax(r.i, jsonscan.FaultDepth)
	}
	r.i++
	r.space()
	if r.i < len(r.src) && r.src[r.i] == '}' {
		r.i++
		r.depth--
		return true
	}
	for {
		if r.i >= len(r.src) {
			return r.syntax(r.i, jsonscan.FaultEnd)
		}
		if r.src[r.i] != '"' {
			return r.syntax(r.i, jsonscan.FaultName)
		}
		start := r.i
		end, fault := jsonscan.String(r.src, start)
		if fault != jsonscan.OK {
			return r.syntax(end, fault)
		}
		at := textspan.Of(int32(start), int32(end))
		r.i = end
		if r.space(); r.i >= len(r.src) {
			return r.syntax(r.i, jsonscan.FaultEnd)
		}
		if r.src[r.i] != ':' {
			return r.syntax(r.i, jsonscan.FaultColon)
		}
		r.i++
		if r.space(); r.i >= len(r.src) {
			return r.syntax(r.i, jsonscan.FaultEnd)
		}
		if !do(r.f.jsonText(at), at) {
			return false
		}
		if r.space(); r.i >= len(r.src) {
			return r.syntax(r.i, jsonscan.FaultEnd)
		}
		switch r.src[r.i] {
		case ',':
			r.i++
			r.space()
		case '}':
			r.i++
			r.depth--
			return true
		default:
			return r.syntax(r.i, jsonscan.FaultObject)
		}
	}
}

// elements calls do for each element of the array at r.i, with r.i at the
// element, which do must read. It reports false after a syntax error.
func (r *jsonReader) elements(do func() bool) bool {
	if r.depth++; r.depth > jsonscan.MaxDepth {
		return r.syntax(r.i, jsonscan.FaultDepth)
	}
	r.i++
	r.space()
	if r.i < len(r.src) && r.src[r.i] == ']' {
		r.i++
		r.depth--
		return true
	}
	for {
		if r.i >= len(r.src) {
			return r.syntax(r.i, jsonscan.FaultEnd)
		}
		if !do() {
			return false
		}
		if r.space(); r.i >= len(r.src) {
			return r.syntax(r.i, jsonscan.FaultEnd)
		}
		switch r.src[r.i] {
		case ',':
			r.i++
			r.space()
		case ']':
			r.i++
			r.depth--
			return true
		default:
			return r.syntax(r.i, jsonscan.FaultArray)
		}
	}
}

// body reads the body at r.i into b: an object, an array of objects whose
// properties are taken together, or null, which has no properties. It reports
// false after a syntax error; b then has the properties before the error.
func (r *jsonReader) body(b *Body, spec *hcllang.Block, isRoot bool) bool {
	b.file, b.spec = r.f, spec
	args, blocks := len(r.args), len(r.blocks)
	start := r.i
	ok := true
	switch r.src[r.i] {
	case '{':
		ok = r.members(func(name string, at textspan.Span) bool { return r.property(spec, name, at) })
	case '[':
		if spec.OnlyArguments() && (!isRoot || spec.Rest == hcllang.RestValues) {
			r.report(textspan.Of(int32(start), int32(start+1)), "Incorrect JSON value type",
				"A JSON object is required here, whose properties are arguments.")
		}
		ok = r.elements(func() bool {
			if r.src[r.i] == '{' {
				return r.members(func(name string, at textspan.Span) bool { return r.property(spec, name, at) })
			}
			at, ok := r.skipSpan()
			if ok {
				r.report(at, "Incorrect JSON value type", "A JSON object is required here, with arguments and nested blocks.")
			}
			return ok
		})
	case 'n':
		var at textspan.Span
		if at, ok = r.skipSpan(); ok && !isRoot && spec.OnlyArguments() {
			r.report(at, "Incorrect JSON value type", "A JSON object is required here, whose properties are arguments.")
		}
	default:
		var at textspan.Span
		if at, ok = r.skipSpan(); ok {
			r.report(at, "Incorrect JSON value type",
				"A JSON object or an array of JSON objects is required here, with arguments and nested blocks.")
		}
	}
	if !isRoot {
		b.at = textspan.Of(int32(start), int32(r.i))
	}
	b.Arguments = r.keepArguments(args)
	b.Blocks = r.keepBlocks(blocks)
	if !ok {
		return false
	}
	r.checkDuplicates(b)
	return true
}

// size is how much text the reader was given, or 4 KiB.
func (r *jsonReader) size() int { return min(4<<10, len(r.src)-r.from) }

// keepArguments moves the arguments above mark from the stack to a slab.
func (r *jsonReader) keepArguments(mark int) []Argument {
	n := len(r.args) - mark
	if n == 0 {
		return nil
	}
	if cap(r.argSlab)-len(r.argSlab) < n {
		r.argSlab = make([]Argument, 0, max(min(256, r.size()/16), n))
	}
	from := len(r.argSlab)
	r.argSlab = append(r.argSlab, r.args[mark:]...)
	clear(r.args[mark:])
	r.args = r.args[:mark]
	return r.argSlab[from:len(r.argSlab):len(r.argSlab)]
}

// keepBlocks moves the blocks above mark from the stack to a slab.
func (r *jsonReader) keepBlocks(mark int) []Block {
	n := len(r.blocks) - mark
	if n == 0 {
		return nil
	}
	if cap(r.blockSlab)-len(r.blockSlab) < n {
		r.blockSlab = make([]Block, 0, max(min(64, r.size()/64), n))
	}
	from := len(r.blockSlab)
	r.blockSlab = append(r.blockSlab, r.blocks[mark:]...)
	clear(r.blocks[mark:])
	r.blocks = r.blocks[:mark]
	return r.blockSlab[from:len(r.blockSlab):len(r.blockSlab)]
}

// property reads the property of that name in a body described by spec. The
// value is at r.i.
func (r *jsonReader) property(spec *hcllang.Block, name string, at textspan.Span) bool {
	if name == "//" {
		return r.skip() // a comment
	}
	m := spec.Lookup(name)
	if m.Block != nil {
		return r.labelled(m.Block, at, len(m.Block.Labels))
	}
	value, ok := r.skipSpan()
	if !ok {
		return false
	}
	a := Argument{Name: name, nameAt: at, Expression: Expression{file: r.f, at: value}}
	switch {
	case m.Arg != nil:
		a.kind, a.lit = m.Arg.KindIn(r.f.dialect, r.f.release), m.Arg.Lit
		if m.Arg.Reserved != "" && m.Arg.Since.In(r.f.dialect, r.f.release) {
			r.report(at, m.Arg.Reserved, "The argument %q cannot be used here.", name)
		}
	default:
		var ok bool
		a.kind, ok = spec.Rest.KindIn(r.f.dialect, r.f.release)
		a.Undecided = spec.Rest.Open() || !ok
		if !ok {
			r.report(at, "Extraneous JSON object property", "No argument or block type is named %q.%s", name, spec.Suggest(name))
		}
	}
	r.args = append(r.args, a)
	return true
}

// labelled reads the value of a block type's property; left is the number of
// labels still to be unwrapped.
func (r *jsonReader) labelled(spec *hcllang.Block, typeAt textspan.Span, left int) bool {
	if left == 0 {
		return r.bodies(spec, typeAt)
	}
	label := spec.Labels[len(spec.Labels)-left]
	start, found := r.i, false
	each := func(name string, at textspan.Span) bool {
		found = true
		r.labels = append(r.labels, jsonLabel{name, at})
		ok := r.labelled(spec, typeAt, left-1)
		r.labels = r.labels[:len(r.labels)-1]
		return ok
	}
	switch r.src[r.i] {
	case '{':
		if !r.members(each) {
			return false
		}
	case '[':
		if !r.elements(func() bool {
			if r.src[r.i] == '{' {
				return r.members(each)
			}
			at, ok := r.skipSpan()
			if ok {
				r.report(at, "Incorrect JSON value type", "A JSON object is required here, whose property names are the %s labels of this %s block.", label, spec.Name)
			}
			return ok
		}) {
			return false
		}
	default:
		null := r.src[r.i] == 'n'
		at, ok := r.skipSpan()
		if !ok {
			return false
		}
		if !null {
			r.report(at, "Incorrect JSON value type",
				"A JSON object or an array of JSON objects is required here, whose property names are the %s labels of this %s block.", label, spec.Name)
		}
	}
	if !found {
		r.report(textspan.Of(int32(start), int32(start+1)), "Missing block label",
			"At least one object property is required here, whose name is the %s block's %s.", spec.Name, label)
	}
	return true
}

// bodies reads the value at which all labels of a block are known.
func (r *jsonReader) bodies(spec *hcllang.Block, typeAt textspan.Span) bool {
	switch r.src[r.i] {
	case '{':
		entry := typeAt.Start
		if n := len(r.labels); n > 0 && len(spec.Labels) > 0 {
			entry = r.labels[n-1].at.Start
		}
		return r.block(spec, typeAt, entry)
	case '[':
		return r.elements(func() bool { return r.block(spec, typeAt, int32(r.i)) })
	}
	null := r.src[r.i] == 'n'
	at, ok := r.skipSpan()
	if ok && !null {
		r.report(at, "Incorrect JSON value type", "A JSON object or a JSON array is required here, with the content of one or more %q blocks.", spec.Name)
	}
	return ok
}

// block reads one block whose body is at r.i.
func (r *jsonReader) block(spec *hcllang.Block, typeAt textspan.Span, entry int32) bool {
	b := Block{Type: spec.Name, file: r.f, spec: spec, typeAt: typeAt}
	if n := len(spec.Labels); n > 0 {
		b.Labels, b.labelAt = r.keepLabels(r.labels[len(r.labels)-n:])
	}
	if refusal := spec.Refusal(r.f.dialect); refusal != "" {
		r.report(typeAt, refusal, "Blocks of type %q cannot be used here.", spec.Name)
	}
	ok := r.body(&b.Body, spec, false)
	b.entry = textspan.Of(entry, int32(r.i))
	r.blocks = append(r.blocks, b)
	return ok
}

// keepLabels copies labels into slabs.
func (r *jsonReader) keepLabels(labels []jsonLabel) ([]string, []textspan.Span) {
	n := len(labels)
	if cap(r.textSlab)-len(r.textSlab) < n {
		size := max(min(128, r.size()/32), n)
		r.textSlab = make([]string, 0, size)
		r.spanSlab = make([]textspan.Span, 0, size)
	}
	from := len(r.textSlab)
	for _, l := range labels {
		r.textSlab = append(r.textSlab, l.text)
		r.spanSlab = append(r.spanSlab, l.at)
	}
	return r.textSlab[from:len(r.textSlab):len(r.textSlab)], r.spanSlab[from:len(r.spanSlab):len(r.spanSlab)]
}

// checkDuplicates reports the arguments that b has twice. Properties that may
// turn out to be blocks may be repeated.
func (r *jsonReader) checkDuplicates(b *Body) {
	report := func(first, second *Argument) {
		if first.Undecided {
			return
		}
		r.report(second.nameAt, "Duplicate argument", "The argument %q was already set at %s.", second.Name, r.f.rangeOf(first.nameAt))
	}
	if len(b.Arguments) <= 12 {
		for i := range b.Arguments {
			for j := range i {
				if b.Arguments[j].Name == b.Arguments[i].Name {
					report(&b.Arguments[j], &b.Arguments[i])
					break
				}
			}
		}
		return
	}
	seen := make(map[string]*Argument, len(b.Arguments))
	for i := range b.Arguments {
		a := &b.Arguments[i]
		if first := seen[a.Name]; first != nil {
			report(first, a)
		} else {
			seen[a.Name] = a
		}
	}
}
