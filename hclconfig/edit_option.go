// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// An EditOption says how an edit is made, or where the result goes.
type EditOption interface{ applyEdit(*editOptions) }

type editOptions struct {
	keepComments bool
	keepLayout   bool
	where        whereKind
	part         Part // for before and after
	to           *Editor
	into         *Block
	hasInto      bool
}

type whereKind uint8

const (
	whereDefault whereKind = iota
	whereFirst
	whereLast
	whereBefore
	whereAfter
)

type editOption func(*editOptions)

func (o editOption) applyEdit(to *editOptions) { o(to) }

// KeepComments leaves the comments above what is removed or moved where they are.
func KeepComments() EditOption { return editOption(func(o *editOptions) { o.keepComments = true }) }

// KeepLayout forbids that an edit moves the equals signs and comments of the lines
// around it, even if the result is not as fmt would have it.
func KeepLayout() EditOption { return editOption(func(o *editOptions) { o.keepLayout = true }) }

// First puts what is added or moved before everything else.
func First() EditOption { return editOption(func(o *editOptions) { o.where = whereFirst }) }

// Last puts what is added or moved behind everything else.
func Last() EditOption { return editOption(func(o *editOptions) { o.where = whereLast }) }

// Before puts what is added or moved before p, and before its comment.
func Before(p Part) EditOption {
	return editOption(func(o *editOptions) { o.where, o.part = whereBefore, p })
}

// After puts what is added or moved behind p.
func After(p Part) EditOption {
	return editOption(func(o *editOptions) { o.where, o.part = whereAfter, p })
}

// Into makes [Editor.Move] move to the file of another editor, or within the
// same one, into the content of a block, or out of all blocks if in is nil.
func Into(to *Editor, in *Block) EditOption {
	return editOption(func(o *editOptions) { o.to, o.into, o.hasInto = to, in, true })
}

// A Part is what can be moved and removed, and can have comments: a [*Block], an
// [*Argument], a [Member] of an object, or an [Expression] that is an element of a
// list or an argument of a call. [Named] is a Part too.
type Part interface {
	// spot returns the place.
	spot() (*File, textspan.Span)
}

func (b *Block) spot() (*File, textspan.Span) {
	if b == nil {
		return nil, textspan.Span{}
	}
	return b.file, b.entry
}

func (a Argument) spot() (*File, textspan.Span) {
	return a.file, textspan.Of(a.nameAt.Start, a.at.End)
}

func (e Expression) spot() (*File, textspan.Span) { return e.file, e.at }

func (m Member) spot() (*File, textspan.Span) {
	return m.Value.file, textspan.Of(m.Key.at.Start, m.Value.at.End)
}

// Named is the argument of that name, or the first block of that type, in the
// body that an edit is about: Set(b, "x", 1, Before(Named("y"))).
type Named string

func (Named) spot() (*File, textspan.Span) { return nil, textspan.Span{} }
