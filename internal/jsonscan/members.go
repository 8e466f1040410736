// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

import "iter"

// Members returns an iterator over the members of the object d, which must be
// valid and have no white space around it: the name as it is quoted, and the
// value. Both are parts of d.
func Members(d []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		for i := Space(d, 1); d[i] != '}'; {
			end, _ := String(d, i)
			name := d[i:end:end]
			i = Space(d, Space(d, end)+1)
			end, _ = Value(d, i, MaxDepth)
			if !yield(name, d[i:end:end]) {
				return
			}
			if i = Space(d, end); d[i] == ',' {
				i = Space(d, i+1)
			}
		}
	}
}

// Elements is the same for the elements of the array d.
func Elements(d []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := Space(d, 1); d[i] != ']'; {
			end, _ := Value(d, i, MaxDepth)
			if !yield(d[i:end:end]) {
				return
			}
			if i = Space(d, end); d[i] == ',' {
				i = Space(d, i+1)
			}
		}
	}
}
