// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

type Plain = hclconfig.Block

// A Block is a block with its description in the language.
type Block struct {
	*Plain
	Spec *hcllang.Block
}

// A Body is the content of a block, or of a file, with its description in the
// language.
type Body struct {
	*hclconfig.Body
	Spec *hcllang.Block
}

func RootOf(f *hclconfig.File) Body { return Body{f.Body(), hcllang.FileKind(f.Kind()).Root()} }

func (b Body) Block(i int) Block {
	n := &b.Blocks[i]
	return Block{n, b.Spec.Inner(n.Type)}
}

func (b Block) Inner() Body { return Body{&b.Body, b.Spec} }

// Mislabelled reports whether a block has more or fewer labels than it should. The
// programs look at nothing in it.
func (b Block) Mislabelled() bool {
	return b.Spec != nil && b.Spec != hcllang.Open && (b.Type != "dynamic" || b.Spec == hcllang.Dynamic) && len(b.Spec.Labels) != len(b.Labels)
}

// NotOverriding reports whether the programs do not look into a block in an override
// file, where it must not be.
func (b Block) NotOverriding() bool {
	switch b.Type {
	case "validation", "precondition", "postcondition":
		return b.Spec != nil && b.Spec != hcllang.Open && b.Spec != hcllang.Ignored
	}
	return b.Spec == hcllang.CheckBlock || b.Spec == hcllang.LanguageBlock
}

// Label returns a label of b, or "" if it lacks that.
func Label(b *hclconfig.Block, i int) string {
	if b == nil || i >= len(b.Labels) {
		return ""
	}
	return b.Labels[i]
}

// Expr returns the value of an argument of b, or the zero Expression.
func Expr(b *hclconfig.Block, name string) hclconfig.Expression {
	if a := b.Argument(name); a != nil {
		return a.Expression
	}
	return hclconfig.Expression{}
}

// TextArg returns an argument of b whose value is a constant text.
func TextArg(b *hclconfig.Block, name string) hclconfig.Text {
	a := b.Argument(name)
	if a == nil {
		return hclconfig.Text{}
	}
	s, _ := a.Text() // anything but constant text is reported
	return hclconfig.Text{Value: s, Argument: a}
}

// FlagArg returns an argument of b whose value is a constant boolean.
func FlagArg(b *hclconfig.Block, name string) hclconfig.Flag {
	a := b.Argument(name)
	if a == nil {
		return hclconfig.Flag{}
	}
	v, _ := a.Bool()
	return hclconfig.Flag{Value: v, Argument: a}
}

// IsDynamic reports whether b, in a body that belongs to a provider's schema, makes
// blocks.
func IsDynamic(b *hclconfig.Block) bool { return b.Type == hcllang.Dynamic.Name }
