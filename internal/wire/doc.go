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
// [Union] of shapes, or [Entries], all of whose members are those of one map. What a table
// says, a small type of the package says that has the struct: the names of the members, the
// [Memory] that new objects come from, and where the field of a member is in an object.
// tools/wiregen writes it from the struct's tags:
//
//	var changeTable = &wire.Table{Of: new(changeObject)}
//
//	func (*changeObject) Define() wire.Definition {
//		return wire.Definition{Memory: wire.MemoryOf([]Change(nil)), Members: "actions before! importing ...",
//			Fields: []wire.Field{0: wire.StringsOf[Action](), 2: wire.Ptr[*Importing](importingTable)}}
//	}
//
//	func (*changeObject) At(o any, k int) any {
//		v := o.(*Change)
//		switch k {
//		case 0:
//			return (*[]Action)(&v.Actions)
//		case 1:
//			return (*[]byte)(&v.Before)
//		...
//
// A [Field] is a kind of field: what reads and writes it by a pointer to it. The kinds of
// strings, numbers, raw values and so on follow from the type of that pointer; those that
// have objects below them are made by functions such as [Ptr], [Slice] and [Map].
//
// A [Decoder] reads text into objects, an [Encoder] writes objects, and each asks types
// and fields to do that: to decode, to edit (encode what was read against its source), or
// to write (encode anew). A new kind of field is one more implementation of [Field].
//
// # What is compiled, and linked
//
// More than a hundred types take part, so what is compiled once for each of them is most of
// what a package costs. Only two things are: At and Define. Everything else sees objects, and
// fields of known types, as values of type any that are pointers, which costs no allocation.
// New objects come from package reflect, many at a time. Lists
// and maps of objects are []*T and map[string]*T in an API, so somebody has to know T; but
// a generic function that has the pointer as its type parameter, not what it points to, is
// compiled once for all pointers, and gets a dictionary. It must not be a method: for each
// type that has it, the compiler makes a wrapper. It must not be inlined either: the functions
// that it returns would be compiled again for each call.
//
// With fields as generic types, such as one for pointers to Importing, and one function for each
// field that says where it is, package planjson had 6,840 functions, of which 4,678 were
// instances of generic ones, and took 10.9 s to compile. In this form it has 1,377 and takes
// 2.6 s; decoding takes the same time. Methods of generic types would keep a wrapper for each
// type and method, even with pointers as the type parameters: 1,338 of those instances were
// methods of the type that lists come from. Functions that make and copy the objects of one type were
// 264 more. One function for each field would cost the
// program a symbol for each. Offsets of fields would make At unnecessary, but need unsafe.
//
// Tables are data that refers to what describes them by an interface: Go refuses initial values
// that refer to each other, and the linker keeps what a package's init function touches. So
// a table is described when it is used for the first time, and the tables that a program
// does not use are not part of it. The linker also drops methods of an
// interface that nobody calls: a program that only decodes has none of edit and write, as long
// as no function that decodes mentions an Encoder.
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
