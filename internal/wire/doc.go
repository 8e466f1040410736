// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package wire decodes JSON text into typed structs and encodes them again
// without losing a byte: what was not changed keeps its text, and an edit
// moves only the member it touches.
//
// # How it works
//
// Every typed object holds a [Source]: the document it was read from, the
// span of its text there, and one bit for each known member that the text
// has. Encoding walks the source text and the typed fields together, once. A
// member whose field still means what the text says stays as it is; a changed
// one is written anew; a cleared one goes with one separator; a set field
// without a member is inserted after its nearest predecessor in the type's
// [Table]. Members that the type does not know are part of the text, so they
// need no storage and stay where they are. An object that has moved to
// another place or another document is copied from its own source. An object
// without a source is written in the order of its table.
//
// A [Lazy] object is made from its text when it is asked for. Its text is checked
// while the document is decoded: a description of what its
// fields accept, which they give once themselves, tells most texts to be right
// without calling them. Other texts are read by the fields, which find the
// fault.
//
// There are no dirty flags: "unchanged" means that decoding the member's text
// again gives the value that the field has now.
//
// # How a type takes part
//
// What is known of the objects of one Go type is a [Type]: a [Table] of named members, a
// [Union] of shapes, or [Entries], all of whose members are those of one map. A table has a
// [Field] for each member, made by a function for the kind of its field ([String], [Bool],
// [Raw], [Ptr], [Slice], [Map] and so on), which gets a function that says where the
// field is in an object. The tables are generated from the structs' tags by
// internal/wiregen:
//
//	var changeTable = wire.NewTable("actions!", "before!", ...)
//
//	var _ = changeTable.Define(
//		func(o any) *wire.Source { return &o.(*Change).src },
//		wire.Strings(func(o any) *Actions { return &o.(*Change).Actions }),
//		wire.Raw(func(o any) *Value { return &o.(*Change).Before }),
//		...
//
// A [Decoder] reads text into objects, an [Encoder] writes objects, and each asks types
// and fields to do that: to decode, to edit (encode what was read against its source), or
// to write (encode anew). A new kind of field is one more implementation of [Field].
//
// # Invariants
//
//   - A document's text is never written to. Raw values are parts of it whose
//     capacity ends with them; strings are copies.
//   - A source is set by decoding and by [SetExtra], by nothing else. It
//     travels with its struct when that is copied or moved.
//   - nil is an absent member, empty is [] or {}. Elements of arrays and maps
//     of objects are never nil.
//   - Encoding only reads the objects, so a document may be encoded by
//     several goroutines at once.
//   - A walk of an object ends exactly where the object's text ends;
//     otherwise somebody cut a raw value, which is an error.
//
// The package knows nothing of plans, messages or configuration.
package wire
