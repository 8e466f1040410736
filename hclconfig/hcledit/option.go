// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import "github.com/tofuwire/tofuwire/hclconfig"

// An EditOption says how an edit is made, or where the result goes.
type EditOption interface{ applyEdit(*editOptions) }

type editOptions struct {
	keepComments bool
	keepLayout   bool
	where        whereKind
	part         Part // for before and after
	to           *Editor
	into         *hclconfig.Block
	hasInto      bool
	blank        blankKind
}

type blankKind uint8

const (
	blankDefault blankKind = iota
	blankYes
	blankNo
)

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

// KeepComments leaves the comments above the removed or moved part in place.
func KeepComments() EditOption { return editOption(func(o *editOptions) { o.keepComments = true }) }

// KeepLayout forbids that an edit moves the equals signs and comments of the lines
// around it, even if the result is not as fmt would have it.
func KeepLayout() EditOption { return editOption(func(o *editOptions) { o.keepLayout = true }) }

// BlankLine says whether there is a blank line above the added or moved part. Without
// this option there is one above a block that is not the first thing in its file or body,
// and as a rule none above an argument. At the beginning of a file, and in JSON, it has no
// effect.
func BlankLine(above bool) EditOption {
	return editOption(func(o *editOptions) {
		o.blank = blankNo
		if above {
			o.blank = blankYes
		}
	})
}

// First puts the added or moved part before everything else.
func First() EditOption { return editOption(func(o *editOptions) { o.where = whereFirst }) }

// Last puts the added or moved part after everything else.
func Last() EditOption { return editOption(func(o *editOptions) { o.where = whereLast }) }

// Before puts the added or moved part before p, and before its comment. In JSON syntax
// blocks that share a type and labels are in one property: a block goes next to one of
// those, and an argument next to an argument or to such a property.
func Before(p Part) EditOption {
	return editOption(func(o *editOptions) { o.where, o.part = whereBefore, p })
}

// After puts the added or moved part after p.
func After(p Part) EditOption {
	return editOption(func(o *editOptions) { o.where, o.part = whereAfter, p })
}

// Into makes [Editor.Move] move to the file of another editor, or within the
// same one, into the content of a block, or out of all blocks if in is nil.
func Into(to *Editor, in *hclconfig.Block) EditOption {
	return editOption(func(o *editOptions) { o.to, o.into, o.hasInto = to, in, true })
}

// A Part is an object that can be moved and removed, and can have comments: a
// [*hclconfig.Block], an [*hclconfig.Argument], an [hclconfig.Member] of an object, or an
// [hclconfig.Expression] that is an element of a list or an argument of a call. [Named]
// is also a Part. A [*hclconfig.Body] and any other expression are only for [TextOf] and
// [CodeOf].
type Part interface {
	// Place returns where it is.
	Place() (f *hclconfig.File, start, end int)
}

// Named is the argument of that name, or the first block of that type, in the
// body that an edit is about: Set(b, "x", 1, Before(Named("y"))).
type Named string

// Place returns no place: the target of the name depends on the edit.
func (Named) Place() (f *hclconfig.File, start, end int) { return nil, 0, 0 }
