// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// readNative reads a file in native syntax: by a reader for the plain forms
// that most files have, or else with HCL's own parser.
func (f *File) readNative() {
	src := f.src
	if !utf8.Valid(src) {
		// HCL allows it in comments. Elsewhere it is an error, but the
		// rest can still be read.
		f.badEncoding()
		src = replaceInvalid(src)
	}
	if at := hcllex.TooDeep(src, false); at >= 0 {
		f.err = f.faultf(at, ErrLimit, "more than %d brackets and operators inside each other", hcllex.MaxNesting)
		f.diags = Diagnostics{f.errorAt(textspan.Of(int32(at), int32(at)), "Configuration nested too deeply",
			"More than %d brackets and operators are inside each other here.", hcllex.MaxNesting)}
		f.diags[0].Err = ErrLimit
		return
	}
	dry := utf8.Valid(f.src) // or else what is kept is not what is read
	if p := (plainReader{nativeReader: nativeReader{f: f}, src: src, dry: dry}); len(f.diags) == 0 && p.file() {
		return
	}
	f.readWithHCL(src)
}

// readWithHCL reads a file with HCL's own parser.
func (f *File) readWithHCL(src []byte) {
	file, diags := hcllex.ParseConfig(src, f.name, hcl.InitialPos)
	f.diags = append(f.diags, fromHCL(diags)...)
	f.diags.causedBy(ErrSyntax)
	for d := range f.diags.Errors() {
		f.err = &Error{
			Filename: f.name, Offset: d.Subject.Start.Offset, Line: d.Subject.Start.Line, Column: d.Subject.Start.Column,
			Err: fmt.Errorf("%w: %s", ErrSyntax, d.text()),
		}
		break
	}
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok {
		return
	}
	r := nativeReader{f: f}
	r.body(&f.body, body, f.body.spec)
	f.body.at = textspan.Of(0, int32(len(f.src)))
}

// badEncoding reports the first place where bytes that are not UTF-8 matter.
func (f *File) badEncoding() {
	tokens, _ := hclsyntax.LexConfig(f.src, f.name, hcl.InitialPos)
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenBadUTF8 || t.Type != hclsyntax.TokenComment && !utf8.Valid(t.Bytes) {
			f.diags = append(f.diags, f.errorAt(spanOf(t.Range), "Invalid character encoding",
				"All input files must be UTF-8 encoded. Ensure that UTF-8 encoding is selected in your editor."))
			return
		}
	}
}

// replaceInvalid returns src with a question mark for each byte that is not
// UTF-8. All places stay the same.
func replaceInvalid(src []byte) []byte {
	out := bytes.Clone(src)
	for i := 0; i < len(out); {
		r, n := utf8.DecodeRune(out[i:])
		if r == utf8.RuneError && n == 1 {
			out[i] = '?'
		}
		i += n
	}
	return out
}

// A nativeReader makes our tree of HCL's.
type nativeReader struct {
	f    *File
	args []Argument // a slab
	late []lateTree // a slab
}

// chunk returns how many arguments to make room for after i bytes of a file: few at
// first, since many files are small.
func chunk(i int) int { return min(max(4, i/256), 32) }

// newArgument returns an argument with the tree x, or, if x is nil, with one that is
// built when it is needed.
func (r *nativeReader) newArgument(name string, nameAt, at textspan.Span, x hclsyntax.Expression) Argument {
	a := Argument{Name: name, nameAt: nameAt, Expression: Expression{file: r.f, at: at}}
	if x != nil {
		a.late = newTree(x, nil)
		return a
	}
	if len(r.late) == 0 {
		r.late = make([]lateTree, chunk(int(at.Start)))
	}
	a.late, r.late = &r.late[0], r.late[1:]
	return a
}

func (r *nativeReader) body(b *Body, in *hclsyntax.Body, spec *hcllang.Block) {
	b.file, b.spec = r.f, spec
	b.at = textspan.Of(int32(in.SrcRange.Start.Byte), int32(in.SrcRange.End.Byte))
	if n := len(in.Attributes); n > 0 {
		b.Arguments = r.arguments(in, spec)
	}
	if len(in.Blocks) == 0 {
		return
	}
	b.Blocks = make([]Block, len(in.Blocks))
	for i, block := range in.Blocks {
		r.block(&b.Blocks[i], block, spec)
	}
	r.onlyArguments(b, spec)
}

// onlyArguments reports the first block in a body that has arguments only.
func (r *nativeReader) onlyArguments(b *Body, spec *hcllang.Block) {
	if len(b.Blocks) > 0 && spec.OnlyArguments() {
		r.report(b.Blocks[0].typeAt, fmt.Sprintf("Unexpected %q block", b.Blocks[0].Type), "Blocks are not allowed here.")
	}
}

// arguments returns the arguments of in, in the order of the text.
func (r *nativeReader) arguments(in *hclsyntax.Body, spec *hcllang.Block) []Argument {
	n := len(in.Attributes)
	if cap(r.args)-len(r.args) < n {
		r.args = make([]Argument, 0, max(128, n))
	}
	from := len(r.args)
	for _, attr := range in.Attributes {
		r.args = append(r.args, r.newArgument(attr.Name, spanOf(attr.NameRange), r.exprSpan(attr), attr.Expr))
	}
	args := r.args[from:len(r.args):len(r.args)]
	if n > 1 {
		slices.SortFunc(args, func(a, b Argument) int { return cmp.Compare(a.nameAt.Start, b.nameAt.Start) })
	}
	r.classify(args, spec)
	return args
}

// classify sets the kinds of the arguments in a body that spec describes.
func (r *nativeReader) classify(args []Argument, spec *hcllang.Block) {
	for i := range args {
		a := &args[i]
		m := spec.Lookup(a.Name)
		switch kind, ok := spec.Rest.KindIn(r.f.dialect, r.f.release); {
		case m.Arg != nil:
			a.kind, a.lit = m.Arg.KindIn(r.f.dialect, r.f.release), m.Arg.Lit
			if m.Arg.Reserved != "" && m.Arg.Since.In(r.f.dialect, r.f.release) {
				r.report(a.nameAt, m.Arg.Reserved, "The argument %q cannot be used here.", a.Name)
			}
		case m.Block != nil && !spec.Rest.Open() && spec.Rest != hcllang.RestInputs:
			r.report(a.nameAt, "Unsupported argument", "An argument named %q is not expected here. Did you mean to define a block of type %[1]q?", a.Name)
		case ok:
			a.kind = kind
		default:
			r.report(a.nameAt, "Unsupported argument", "An argument named %q is not expected here.%s", a.Name, spec.Suggest(a.Name))
		}
	}
}

// exprSpan returns the place of the expression of attr. HCL leaves the
// parentheses around an expression out of its range; they belong to it here.
func (r *nativeReader) exprSpan(attr *hclsyntax.Attribute) textspan.Span {
	s := spanOf(attr.Expr.Range())
	end := spanOf(attr.SrcRange).End
	s.Start = min(s.Start, firstToken(r.f.src, attr.EqualsRange.End.Byte))
	s.End = max(s.End, end)
	return s
}

func (r *nativeReader) block(b *Block, in *hclsyntax.Block, parent *hcllang.Block) {
	*b = Block{
		Type: in.Type, Labels: in.Labels, file: r.f,
		typeAt: spanOf(in.TypeRange),
		entry:  textspan.Of(int32(in.TypeRange.Start.Byte), int32(max(in.CloseBraceRange.End.Byte, in.OpenBraceRange.End.Byte))),
	}
	if len(in.LabelRanges) > 0 {
		b.labelAt = make([]textspan.Span, len(in.LabelRanges))
		for i, l := range in.LabelRanges {
			b.labelAt[i] = spanOf(l)
		}
	}
	b.Body.at = textspan.Of(int32(in.OpenBraceRange.Start.Byte), b.entry.End)
	r.resolve(b, parent)
	at := b.Body.at
	r.body(&b.Body, in.Body, b.spec)
	b.Body.at = at
}

// resolve finds the description of a block in a body that parent describes, and
// sets it in b.
func (r *nativeReader) resolve(b *Block, parent *hcllang.Block) {
	m := parent.Lookup(b.Type)
	switch {
	case m.Block != nil:
		b.spec = m.Block
		if refusal := m.Block.Refusal(r.f.dialect); refusal != "" {
			r.report(b.typeAt, refusal, "Blocks of type %q cannot be used here.", b.Type)
		}
		if m.Block.Reserved != "" {
			return
		}
		r.checkLabels(b)
	case parent.Rest.Open():
		b.spec = parent.Nested()
	default:
		b.spec = hcllang.Ignored
		switch {
		case parent.OnlyArguments(): // the first is reported
		case b.Type == "required_providers" && parent == hcllang.ConfigFile.Root():
			r.report(b.typeAt, "Invalid required_providers block", "A required_providers block must be in a terraform block.")
		case m.Arg != nil:
			r.report(b.typeAt, "Unsupported block type", "Blocks of type %q are not expected here. Did you mean to define argument %[1]q? If so, use the equals sign to assign it a value.", b.Type)
		default:
			r.report(b.typeAt, "Unsupported block type", "Blocks of type %q are not expected here.%s", b.Type, parent.Suggest(b.Type))
		}
	}
}

func (r *nativeReader) checkLabels(b *Block) {
	if d, wrong := b.wrongLabels(r.f, b.spec.Labels); wrong {
		r.f.diags = append(r.f.diags, d)
	}
}

// wrongLabels returns the diagnostic for a wrong number of labels of a block in
// native syntax, in the words of the programs.
func (b *Block) wrongLabels(f *File, want []string) (Diagnostic, bool) {
	switch {
	case len(b.Labels) < len(want):
		at := b.Body.at // the programs point to the brace
		return f.errorAt(textspan.Of(at.Start, min(at.Start+1, at.End)), "Missing "+want[len(b.Labels)]+" for "+b.Type,
			"All %s blocks must have %d labels (%s).", b.Type, len(want), strings.Join(want, ", ")), true
	case len(b.Labels) > len(want):
		detail := fmt.Sprintf("Only %d labels (%s) are expected for %s blocks.", len(want), strings.Join(want, ", "), b.Type)
		if len(want) == 0 {
			detail = fmt.Sprintf("No labels are expected for %s blocks.", b.Type)
		}
		return f.errorAt(b.labelAt[len(want)], "Extraneous label for "+b.Type, "%s", detail), true
	}
	return Diagnostic{}, false
}

func (r *nativeReader) report(s textspan.Span, summary, format string, args ...any) {
	r.f.diags = append(r.f.diags, r.f.errorAt(s, summary, format, args...))
}
