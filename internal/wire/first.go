// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

// ErrShort is the error of [Codec.DecodeFirst] for a text that ends within its
// value. More text may make it whole.
var ErrShort = errShort

// DecodeFirst decodes the value at the beginning of text, which may go on
// after it, by calling root, and returns where the value ends. It counts as
// depth levels deep. Memory for objects behind pointers is taken from those
// that the last call made, and all refer to text. The values that the last call
// decoded become invalid, except strings. Until then they can be encoded, also with
// this codec. The error is [ErrShort] or an [*Error].
func (x *Codec) DecodeFirst(text []byte, depth int, root func(*Codec)) (end int, err error) {
	x.reuse = true
	x.round++
	end, err = x.decodeFirst(text, depth, root)
	x.reuse = false
	if err == nil {
		x.own.text = text[:end:end] // what comes after is not the object's
	}
	return end, err
}
