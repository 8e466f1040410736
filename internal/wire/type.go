// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// A Type is how the objects of one Go type are read and written: a [Table] of
// members, a [Union] of shapes, or [Entries]. Objects are pointers to structs,
// and are never nil.
type Type interface {
	// decode reads the value at the decoder's place into o.
	decode(d *Decoder, o any)
	// edit encodes o, which was read at the encoder's place, and moves behind it.
	edit(e *Encoder, o any)
	// write encodes o anew.
	write(e *Encoder, o any)
	// isZero reports whether all fields of o are zero.
	isZero(o any) bool
	// source returns where o was read.
	source(o any) *Source
	// opening returns the first byte of all values, or 0 if they are of several kinds.
	opening() byte
	// memory returns where the objects come from.
	memory() *Memory
	// describe returns the shape of the values.
	describe(p *description) *shape
}

// A Field is a kind of field: what reads and writes the member of one. It gets a pointer
// to the field, as [Objects] returns it. These kinds follow from the type of the pointer:
// strings, booleans and integers, pointers to them, lists of strings ([]string), maps
// from strings to strings, and raw JSON ([]byte). Types with such an underlying type have
// to be converted. The other kinds are made by functions.
type Field interface {
	// decode reads the value at the decoder's place into the field.
	decode(d *Decoder, p any)
	// edit encodes the field against the value at the encoder's place, behind which
	// it moves. It writes nothing and reports true if the member goes, because its
	// field was cleared. A member that is to be kept stays even if the field is zero,
	// unless that is nil.
	edit(e *Encoder, p any, keep bool) (goes bool)
	// goes is like edit, but only reports whether the member goes.
	goes(e *Encoder, p any, keep bool) bool
	// write encodes the field anew.
	write(e *Encoder, p any)
	// isZero reports whether the field is zero.
	isZero(p any) bool
	// skip moves behind the value at the encoder's place, which the field may know.
	skip(e *Encoder, p any)
	// describe returns the shape of the values.
	describe(p *description) *shape
}

// plain returns the kind of a field that p points to, if that follows from its type.
func plain(p any) Field {
	switch p.(type) {
	case *string:
		return stringField{}
	case **string:
		return stringPtrField{}
	case *bool:
		return boolField{}
	case **bool:
		return boolPtrField{}
	case *int, *int64, *uint64:
		return intField{}
	case **int:
		return intPtrField{integers: ints}
	case **int64:
		return intPtrField{integers: int64s}
	case **uint64:
		return intPtrField{integers: uint64s}
	case *[]byte:
		return rawField{}
	case *[]string:
		return plainStrings
	case *map[string]string:
		return stringMapField{}
	}
	panic(fmt.Sprintf("wire: no kind of field for %T", p))
}

// Where the values behind pointers come from.
var strs, ints, int64s, uint64s = MemoryOf([]string(nil)), MemoryOf([]int(nil)), MemoryOf([]int64(nil)), MemoryOf([]uint64(nil))
