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
// while the document is decoded: a description of what the operations of its
// fields accept, which they give once themselves, tells most texts to be right
// without calling them. Other texts are read by the operations, which find the
// fault.
//
// There are no dirty flags: "unchanged" means that decoding the member's text
// again gives the value that the field has now.
//
// # How a type takes part
//
// Each type has one function that lists its members; it calls the operation
// of each field's kind ([String], [Bool], [Raw], [Ptr], [Slice], [Map] and so
// on). The same function serves every direction, because the operations ask
// the [Codec] what is being done. The functions are generated from the
// structs' tags by internal/wiregen:
//
//	func (v *Change) wire(x *wire.Codec) { x.Object(v, &v.src, changeTable, changeMember) }
//
//	func changeMember(o any, x *wire.Codec, k int) {
//		v := o.(*Change)
//		switch k {
//		case 0:
//			wire.Strings(x, &v.Actions)
//		...
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
