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
)

// A BlockBuilder describes a block to be written, in either syntax. Its methods
// return the builder itself, for chained calls. A faulty value is reported when
// the block is written.
type BlockBuilder struct {
	typ    string
	labels []string
	items  []buildItem
	lines  bool
	err    error
}

// A buildItem is an argument or a nested block.
type buildItem struct {
	name  string
	value Value
	block *BlockBuilder
}

// NewBlock returns a builder for a block of the given type with the given labels.
func NewBlock(typ string, labels ...string) *BlockBuilder {
	return &BlockBuilder{typ: typ, labels: labels}
}

// Lines writes the block over two lines even if it is empty. It has no effect in JSON.
func (b *BlockBuilder) Lines() *BlockBuilder {
	b.lines = true
	return b
}

// Comment puts a comment into the block, above the next part: in native syntax
// lines that begin with a number sign, in JSON a property named "//", which
// OpenTofu ignores in the body of a block. The text may have several lines.
func (b *BlockBuilder) Comment(text string) *BlockBuilder {
	b.items = append(b.items, buildItem{name: "//", value: String(text)})
	return b
}

// Set sets an argument; a second value for the same name replaces the first.
// The value is anything that [ValueOf] takes; anything else is an error when the
// block is written.
func (b *BlockBuilder) Set(name string, value any) *BlockBuilder {
	v, err := valueOf(value)
	if err != nil && b.err == nil {
		b.err = fmt.Errorf("%w: argument %q: %w", ErrEdit, name, err)
	}
	for i := range b.items {
		// HCL refuses a body with two arguments of one name. Comments are the exception
		// here: each is one of its own, though they share the name that JSON gives
		// them.
		if b.items[i].block == nil && b.items[i].name == name && name != "//" {
			b.items[i].value = v
			return b
		}
	}
	b.items = append(b.items, buildItem{name: name, value: v})
	return b
}

// Add adds nested blocks.
func (b *BlockBuilder) Add(blocks ...*BlockBuilder) *BlockBuilder {
	for _, n := range blocks {
		b.items = append(b.items, buildItem{block: n})
	}
	return b
}

// Build returns a new file with the given blocks. The extension of the name decides the syntax,
// as for [hclconfig.Parse]. Each value is spelled as its argument requires, and reads back as
// the same value. If that is impossible, the error names the value. In JSON, blocks of one type
// are written together, in their order.
//
// The error is an [*hclconfig.Error]. It wraps [hclconfig.ErrFilename] if the name has no known
// form. If a block cannot be written, it wraps [ErrEdit] or, if a [Source] or [Template] is the
// cause, [hclconfig.ErrSyntax] or [hclconfig.ErrLimit].
func Build(filename string, blocks []*BlockBuilder, opts ...hclconfig.Option) (*hclconfig.File, error) {
	name, ok := hclconfig.ParseFilename(filename)
	if !ok {
		return nil, &hclconfig.Error{Filename: filename, Err: hclconfig.ErrFilename}
	}
	var src []byte
	var err error
	if name.Syntax == hclconfig.JSONSyntax {
		// An option of package hclconfig can only be read by that package. What it has
		// set is asked of a file without text.
		empty, _ := hclconfig.ParseJSON(filename, nil, opts...) // it knows the dialect
		src, err = buildJSON(blocks, hcllang.FileKind(name.Kind).Root(), programOf(empty))
	} else {
		src, err = buildNative(blocks, hcllang.FileKind(name.Kind).Root())
	}
	if err != nil {
		return nil, &hclconfig.Error{Filename: filename, Err: err}
	}
	return hclconfig.Parse(filename, src, opts...)
}

func buildNative(blocks []*BlockBuilder, spec *hcllang.Block) ([]byte, error) {
	var out bytes.Buffer
	for i, b := range blocks {
		text, err := b.native(spec)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(formatNative(text, "", "\n"))
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

func buildJSON(blocks []*BlockBuilder, spec *hcllang.Block, d hcllang.Dialect) ([]byte, error) {
	root := jsontree.Object()
	for _, b := range blocks {
		if err := b.addTo(root, spec, d); err != nil {
			return nil, err
		}
	}
	var out strings.Builder
	root.Write(&out, jsontree.Pretty, "")
	out.WriteByte('\n')
	return []byte(out.String()), nil
}

// inner returns the description of a block of b's type in a body that spec
// describes.
func (b *BlockBuilder) inner(spec *hcllang.Block) (*hcllang.Block, error) {
	if m := spec.Lookup(b.typ); m.Block != nil {
		// The tools refuse a block with another number of labels. In JSON, a missing
		// label would make labels of the arguments.
		if len(b.labels) != len(m.Block.Labels) {
			return nil, fmt.Errorf("%w: a %s block has %d labels, not %d", ErrEdit, b.typ, len(m.Block.Labels), len(b.labels))
		}
		return m.Block, nil
	}
	if !spec.Rest.Open() {
		// A newer release of the tools may know the type. To refuse it would tie the
		// files that can be written to the release that this package knows.
		return hcllang.Open, nil // not known yet
	}
	return spec.Nested(), nil
}

// argKind returns the kind of the argument name in a body that spec describes.
func argKind(spec *hcllang.Block, name string) (hcllang.Kind, error) {
	m := spec.Lookup(name)
	if m.Arg != nil && m.Arg.Reserved == "" {
		return m.Arg.Kind, nil
	}
	if kind, ok := spec.Rest.KindIn(hcllang.OpenTofu, 0); ok && m.Arg == nil {
		return kind, nil
	}
	if m.Block != nil {
		return 0, fmt.Errorf("%w: %q is a type of blocks here: use Add", ErrEdit, name)
	}
	return hcllang.KindExpression, nil // not known yet
}

// native returns the block in native syntax, without a line break at the end.
func (b *BlockBuilder) native(parent *hcllang.Block) (string, error) {
	spec, err := b.inner(parent)
	if err != nil {
		return "", err
	}
	if b.err != nil {
		return "", b.err
	}
	if !hcllex.PlainName(b.typ) {
		return "", fmt.Errorf("%w: %q cannot be the type of a block", ErrEdit, b.typ)
	}
	var out strings.Builder
	out.WriteString(b.typ)
	for _, l := range b.labels {
		out.WriteString(" " + hcllex.Quote(l))
	}
	out.WriteString(" {")
	// fmt keeps an empty body as it is, on one line or on two. One line is what people
	// write for a provider or a moved block without content.
	if len(b.items) == 0 && !b.lines {
		return out.String() + "}", nil
	}
	out.WriteByte('\n')
	for i, item := range b.items {
		switch {
		case item.block != nil:
			text, err := item.block.native(spec)
			if err != nil {
				return "", err
			}
			// fmt adds no blank lines. The style guides of the tools set nested blocks
			// off with one. Below a comment there is none, or the comment would be
			// about nothing: see [row.measure].
			if i > 0 && (b.items[i-1].block != nil || b.items[i-1].name != "//") {
				out.WriteByte('\n')
			}
			out.WriteString(text + "\n")
		case item.name == "//":
			for line := range strings.Lines(item.value.text) {
				out.WriteString(strings.TrimRight("# "+strings.TrimRight(line, "\r\n"), " ") + "\n")
			}
		default:
			if i > 0 && b.items[i-1].block != nil {
				out.WriteByte('\n')
			}
			text, err := nativeArgument(spec, item.name, item.value)
			if err != nil {
				return "", err
			}
			out.WriteString(text + "\n")
		}
	}
	out.WriteString("}")
	return out.String(), nil
}

// nativeArgument returns an argument in native syntax, not yet formatted.
func nativeArgument(spec *hcllang.Block, name string, value Value) (string, error) {
	kind, err := argKind(spec, name)
	if err != nil {
		return "", err
	}
	if !hcllex.PlainName(name) {
		return "", fmt.Errorf("%w: %q cannot be the name of an argument", ErrEdit, name)
	}
	// In native syntax a call parses where only a constant is allowed, so this is the
	// only place to find it before the tools do.
	err = value.requireConstant(kind)
	text := ""
	if err == nil {
		text, err = value.native(kind)
	}
	if err != nil {
		return "", fmt.Errorf("argument %q: %w", name, err)
	}
	return name + " = " + text, nil
}

// jsonBody returns the body of the block in JSON syntax.
//
// A comment stays a property "//", as many as there are. HCL skips all properties of
// that name where it reads a body, and no name of an argument has a slash.
func (b *BlockBuilder) jsonBody(spec *hcllang.Block, d hcllang.Dialect) (*jsontree.Node, error) {
	if b.err != nil {
		return nil, b.err
	}
	body := jsontree.Object()
	for _, item := range b.items {
		switch {
		case item.block != nil:
			if err := item.block.addTo(body, spec, d); err != nil {
				return nil, err
			}
		case item.name == "//":
			body.Members = append(body.Members, jsontree.Property("//", jsontree.Raw(jsontree.Quote(item.value.text))))
		default:
			kind, err := argKind(spec, item.name)
			if err != nil {
				return nil, err
			}
			n, err := item.value.json(kind, d)
			if err != nil {
				return nil, fmt.Errorf("argument %q: %w", item.name, err)
			}
			body.Members = append(body.Members, jsontree.Property(item.name, n))
		}
	}
	return body, nil
}

// ordered reports whether the order of blocks of a type matters, whatever
// their labels are: provisioners and runs are executed in it, and dynamic blocks generate in it. Such
// blocks are elements of one array in JSON, as an object for each label would lose the order between
// labels.
func ordered(typ string) bool { return typ == "provisioner" || typ == "run" || typ == "dynamic" }

// addTo adds the block to a body in JSON syntax.
func (b *BlockBuilder) addTo(body *jsontree.Node, parent *hcllang.Block, d hcllang.Dialect) error {
	spec, err := b.inner(parent)
	if err != nil {
		return err
	}
	own, err := b.jsonBody(spec, d)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(body.Members, func(m jsontree.Member) bool { return m.Name == b.typ })
	if ordered(b.typ) {
		n := b.nest(own, 0)
		if i < 0 {
			body.Members = append(body.Members, jsontree.Property(b.typ, jsontree.Array(n)))
		} else {
			at := body.Members[i].Value
			at.Items = append(at.Items, n)
		}
		return nil
	}
	if i < 0 {
		body.Members = append(body.Members, jsontree.Property(b.typ, b.nest(own, 0)))
		return nil
	}
	at := body.Members[i].Value
	for level, label := range b.labels {
		j := slices.IndexFunc(at.Members, func(m jsontree.Member) bool { return m.Name == label })
		if j < 0 {
			at.Members = append(at.Members, jsontree.Property(label, b.nest(own, level+1)))
			return nil
		}
		at = at.Members[j].Value
	}
	if at.Form == '{' {
		// Two blocks with the same type and labels become an array. HCL reads a
		// property that occurs twice as two blocks as well, but most other programs
		// keep the last one only.
		first := *at
		*at = *jsontree.Array(&first)
	}
	at.Items = append(at.Items, own)
	return nil
}

// nest puts the labels from level on around the body.
func (b *BlockBuilder) nest(body *jsontree.Node, level int) *jsontree.Node {
	for i := len(b.labels) - 1; i >= level; i-- {
		body = jsontree.Object(jsontree.Property(b.labels[i], body))
	}
	return body
}
