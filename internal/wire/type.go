// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

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
	// describe returns the shape of the values.
	describe(p *description) *shape
}

// A Field is a member of the objects of one type: what reads and writes it. It
// gets the object, of which it has to find its field itself.
type Field interface {
	// decode reads the value at the decoder's place into the field.
	decode(d *Decoder, o any)
	// edit encodes the field against the value at the encoder's place, behind which
	// it moves. It writes nothing and reports true if the member goes, because its
	// field was cleared. A member that is to be kept stays even if the field is zero,
	// unless that is nil.
	edit(e *Encoder, o any, keep bool) (goes bool)
	// goes is like edit, but only reports whether the member goes.
	goes(e *Encoder, o any, keep bool) bool
	// write encodes the field anew.
	write(e *Encoder, o any)
	// isZero reports whether the field is zero.
	isZero(o any) bool
	// skip moves behind the value at the encoder's place, which the field may know.
	skip(e *Encoder, o any)
	// describe returns the shape of the values.
	describe(p *description) *shape
}
