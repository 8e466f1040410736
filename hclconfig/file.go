// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"iter"
	"slices"
	"sync"

	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A File is one configuration file: its text, and what the text says.
//
// A File does not change. [File.Edit] makes another one of it. It owns the
// text it was parsed from, which must not be changed; [File.Clone] detaches.
// It may be read from several goroutines at the same time.
type File struct {
	name     string
	syntax   Syntax
	kind     FileKind
	tofu     bool
	override bool
	dialect  hcllang.Dialect

	src  []byte
	text string // the same bytes; JSON only, so that names need no memory
	body Body
	err  *Error // the first syntax error

	diags Diagnostics

	linesOnce sync.Once
	marks     []mark
}

// Filename returns the file's name, as it was given to [Parse].
func (f *File) Filename() string { return f.name }

// Syntax returns the syntax that the file is in.
func (f *File) Syntax() Syntax { return f.syntax }

// Kind returns what the file is for.
func (f *File) Kind() FileKind { return f.kind }

// Dialect returns the dialect that the file was read as.
func (f *File) Dialect() Dialect { return Dialect(f.dialect) }

// IsOverride reports whether the file's name makes it one that overrides
// others: "override" or "..._override" before the extension.
func (f *File) IsOverride() bool { return f.override }

// Bytes returns the text of the file, byte for byte as it was parsed. The
// caller must not change it.
func (f *File) Bytes() []byte { return f.src }

// Err returns the first syntax error, which [Parse] returned as well, or nil.
func (f *File) Err() error {
	if f.err == nil {
		return nil
	}
	return f.err
}

// Diagnostics returns what is wrong with the file by itself: its syntax, and
// the arguments and blocks that stand where there are none, in the order of
// the text. [File.Validate] looks deeper, and a [Module] knows more.
func (f *File) Diagnostics() Diagnostics { return slices.Clone(f.diags) }

// Body returns the content of the file.
func (f *File) Body() *Body { return &f.body }

// Clone returns a File that shares no memory with the text that f was parsed
// from. It parses the text again.
func (f *File) Clone() *File {
	c, _ := parse(f.name, slices.Clone(f.src), f.syntax, f.dialect)
	return c
}

// A Body is the content of a file or of a block: arguments and nested blocks.
//
// In JSON syntax the text does not tell whether a property is an argument or
// stands for blocks. For what the language itself defines this package knows;
// but inside provider, resource and similar blocks only the provider's schema
// does. There, such a property is in Arguments, with Undecided set, and
// [Body.DecideBlocks] or [Body.Content] read it as blocks.
type Body struct {
	// Arguments has the arguments in the order of the text. If a name
	// occurs twice, which is an error, both are there; in native syntax
	// only the first is.
	Arguments []Argument
	// Blocks has the nested blocks in the order of the text.
	Blocks []Block

	file *File
	spec *hcllang.Block
	at   textspan.Span // with the braces; the whole file for the root

	// from, if not nil, has the bodies that this one was merged of.
	from []*Body
}

// An Argument is one setting: name = expression.
type Argument struct {
	// Name is the name, or in JSON syntax the property name, decoded.
	Name string
	// Undecided reports that only a provider's schema tells whether this
	// property of a JSON file is an argument or stands for blocks.
	Undecided bool
	// Expression is the value. It is always set.
	Expression

	nameAt textspan.Span
}

// NameRange returns the place of the argument's name. In JSON syntax it
// includes the quotes.
func (a *Argument) NameRange() Range { return a.file.rangeOf(a.nameAt) }

// Range returns the place of the whole argument, from its name to the end of
// its expression.
func (a *Argument) Range() Range { return a.file.rangeOf(textspan.Of(a.nameAt.Start, a.at.End)) }

// A Block is a block with its labels and content.
type Block struct {
	// Type is the type, such as "resource" or the name of a nested block.
	Type string
	// Labels has the labels in order, decoded. A broken block may have fewer
	// than its type requires.
	Labels []string
	// Body is the content: arguments and nested blocks.
	Body Body

	file    *File
	spec    *hcllang.Block
	typeAt  textspan.Span
	labelAt []textspan.Span
	// entry is what goes when the block goes. Native: all of it. JSON: the
	// property or the array element that stands for this block alone.
	entry textspan.Span
}

// File returns the file that the block is in.
func (b *Block) File() *File { return b.file }

// Range returns the place of the whole block. In JSON syntax it is that of
// the innermost property or array element that stands for this block alone.
func (b *Block) Range() Range { return b.file.rangeOf(b.entry) }

// TypeRange returns the place of the block's type. In JSON syntax, blocks of
// one type may share it.
func (b *Block) TypeRange() Range { return b.file.rangeOf(b.typeAt) }

// LabelRange returns the place of label i, with its quotes if it has any. i is
// from 0 and must be less than the number of Labels.
func (b *Block) LabelRange(i int) Range { return b.file.rangeOf(b.labelAt[i]) }

// DefRange returns the place to point at for the block as a whole. Native: its
// type and labels. JSON: its last label, or its type if it has none.
func (b *Block) DefRange() Range { return b.file.rangeOf(b.defAt()) }

func (b *Block) defAt() textspan.Span {
	if b.file.syntax == NativeSyntax {
		if n := len(b.labelAt); n > 0 {
			return textspan.Of(b.typeAt.Start, b.labelAt[n-1].End)
		}
		return b.typeAt
	}
	if n := len(b.labelAt); n > 0 {
		return b.labelAt[n-1]
	}
	return b.typeAt
}

// Argument returns the argument of that name, or nil if there is none.
func (b *Block) Argument(name string) *Argument { return b.Body.Argument(name) }

// Block returns the first nested block of that type, or nil if there is none.
func (b *Block) Block(typ string) *Block { return b.Body.Block(typ) }

// File returns the file that the body is in. A body that was merged of several
// has the file of the first.
func (b *Body) File() *File { return b.file }

// Range returns the place of the body: in native syntax and in JSON syntax
// from the opening brace to the closing one, or, for a JSON body that is
// written as an array of objects, with the brackets.
func (b *Body) Range() Range { return b.file.rangeOf(b.at) }

// Argument returns the argument of that name, or nil if there is none.
func (b *Body) Argument(name string) *Argument {
	for i := range b.Arguments {
		if b.Arguments[i].Name == name {
			return &b.Arguments[i]
		}
	}
	return nil
}

// Block returns the first block of that type, or nil if there is none.
func (b *Body) Block(typ string) *Block {
	for i := range b.Blocks {
		if b.Blocks[i].Type == typ {
			return &b.Blocks[i]
		}
	}
	return nil
}

// BlocksOfType returns an iterator over the blocks of that type, in order.
// Undecided properties of a JSON body are not among them: see
// [Body.DecideBlocks].
func (b *Body) BlocksOfType(typ string) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		for i := range b.Blocks {
			if b.Blocks[i].Type == typ && !yield(&b.Blocks[i]) {
				return
			}
		}
	}
}

// All returns an iterator over the blocks of the body and, each after the
// block it is in, the blocks nested in them.
func (b *Body) All() iter.Seq[*Block] {
	return func(yield func(*Block) bool) { b.all(yield) }
}

func (b *Body) all(yield func(*Block) bool) bool {
	for i := range b.Blocks {
		if !yield(&b.Blocks[i]) || !b.Blocks[i].Body.all(yield) {
			return false
		}
	}
	return true
}

// AllArguments returns an iterator over the arguments of the body and of all
// blocks nested in it.
func (b *Body) AllArguments() iter.Seq[*Argument] {
	return func(yield func(*Argument) bool) { b.allArguments(yield) }
}

func (b *Body) allArguments(yield func(*Argument) bool) bool {
	for i := range b.Arguments {
		if !yield(&b.Arguments[i]) {
			return false
		}
	}
	for i := range b.Blocks {
		if !b.Blocks[i].Body.allArguments(yield) {
			return false
		}
	}
	return true
}
