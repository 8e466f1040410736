// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"encoding/json"
	"iter"

	"github.com/tofuwire/tofuwire/internal/wire"
)

// An Object is a pointer to any type of this package that is a JSON object of a
// document, or the document: *[Plan], *[Resource], *[Change] and so on. Other
// packages cannot implement it.
type Object interface {
	json.Marshaler
	json.Unmarshaler

	wire() wire.Type // how it is read and written
}

// about returns where v was read, nil if v is nil, and the table of its members, nil if v
// takes no extra ones.
func about(v Object) (*wire.Source, *wire.Table) {
	if v == nil {
		return nil, nil
	}
	t := v.wire()
	table, _ := t.(*wire.Table)
	src := wire.SourceOf(t, v)
	if e, ok := v.(*Expression); ok && src != nil {
		table = e.table()
	}
	return src, table
}

// isNil reports whether v is nil or a nil pointer.
func isNil(v Object) bool {
	src, _ := about(v)
	return src == nil
}

// Clone returns a copy of v that shares nothing with v or its document, extra
// members included. It returns nil if v is nil or cannot be encoded.
func Clone[O Object](v O) O {
	var none O
	if isNil(v) {
		return none
	}
	c, _ := wire.Clone(v.wire(), v).(O)
	return c
}

// Equal reports whether v and w mean the same: the same members with the same
// values, extra members included, whatever their order and spelling. Nil equals
// only nil. An object that cannot be encoded equals nothing.
func Equal[O Object](v, w O) bool {
	if isNil(v) || isNil(w) {
		return isNil(v) && isNil(w)
	}
	return wire.Equal(v.wire(), v, w)
}

// Extra returns an iterator over the members of v that its type has no field
// for, in the order in which they were read. The values belong to v's document.
// [Extras] goes through all objects of a document.
func Extra(v Object) iter.Seq2[string, Value] {
	return wire.Extra[Value](about(v))
}

// SetExtra sets the extra member of v with this name to the raw JSON value, or
// removes it if value is nil. A new member comes last. It returns an [*Error] if
// value is not valid JSON, if v's type has a field for the member, or if v is
// nil ([ErrAbsent]). An expression takes extra members only if it was read with
// a constant value or with references; [Outputs] takes none.
func SetExtra(v Object, name string, value Value) error {
	src, table := about(v)
	return wireError(wire.SetExtra(src, table, name, value))
}

// Position returns the line and the column, in bytes and both from 1, at which
// v begins in the text it was read from. It reports false if v is nil or was
// not read from a text. It counts the lines before v each time.
func Position(v Object) (line, column int, ok bool) {
	src, _ := about(v)
	return src.Position()
}
