// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
	"github.com/tofuwire/tofuwire/planjson"
)

// An Object is a pointer to any type of this package that is a JSON object of a
// state: *[File], *[Output], *[Resource], *[InstanceObject], *[CheckResult] or
// *[CheckObject]. Other packages cannot implement it.
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
	if f, ok := any(v).(*File); ok && f.older != nil && !isNil(c) {
		any(c).(*File).older = &before4{bytes.Clone(f.older.text), bytes.Clone(f.older.upgraded)}
	}
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
// [Extras] goes through all objects of a state.
func Extra(v Object) iter.Seq2[string, planjson.Value] {
	return wire.Extra[planjson.Value](about(v))
}

// SetExtra sets the extra member of v with this name to the raw JSON value, or
// removes it if value is nil. A new member comes last. It returns an [*Error] if
// value is not valid JSON, if v's type has a field for the member, or if v is
// nil ([ErrAbsent]).
func SetExtra(v Object, name string, value planjson.Value) error {
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

// Extras returns an iterator over the members of all objects in f that this
// package has no field for, each with its JSON pointer. They come from a newer
// tool or from another program; they are kept and written back.
func Extras(f *File) iter.Seq2[string, planjson.Value] {
	return func(yield func(string, planjson.Value) bool) {
		extras(f, "", yield)
	}
}

// extras yields the extra members of v, at a pointer, and of the objects in it.
func extras(v Object, at string, yield func(string, planjson.Value) bool) bool {
	if isNil(v) {
		return true
	}
	for name, value := range Extra(v) {
		if !yield(at+"/"+jsonscan.EscapePointer(name), value) {
			return false
		}
	}
	switch v := v.(type) {
	case *File:
		for _, name := range sortedNames(v.Outputs) {
			if !extras(v.Outputs[name], at+"/outputs/"+jsonscan.EscapePointer(name), yield) {
				return false
			}
		}
		return extrasOf(v.Resources, at+"/resources/", yield) && extrasOf(v.CheckResults, at+"/check_results/", yield)
	case *Resource:
		return extrasOf(v.Instances, at+"/instances/", yield)
	case *CheckResult:
		return extrasOf(v.Objects, at+"/objects/", yield)
	}
	return true
}

// extrasOf is extras for a list.
func extrasOf[O Object](list []O, at string, yield func(string, planjson.Value) bool) bool {
	for i, v := range list {
		if !extras(v, at+strconv.Itoa(i), yield) {
			return false
		}
	}
	return true
}

// Duplicates returns an iterator over the members that occur more than once in
// their object, at any depth, in the text that f was decoded from. In the typed
// view the last one counts. No tool writes such members, and readers differ in
// which one they take. Duplicates reads all of the text.
func Duplicates(f *File) iter.Seq[planjson.Duplicate] {
	return func(yield func(planjson.Duplicate) bool) {
		if f == nil {
			return
		}
		for d := range wire.Duplicates(f.src.Text()) {
			if !yield(planjson.Duplicate{Pointer: d.Pointer, Offset: int64(d.Offset), Line: d.Line, Column: d.Column}) {
				return
			}
		}
	}
}
