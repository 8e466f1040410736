// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ctyconv

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// maxCollisions is how many different elements of a set may have the same hash. cty compares an element with all those that
// have its hash, which is short and not secret: whoever writes a configuration can choose elements that all have the same one.
const maxCollisions = 64

// Set returns the set of some elements, at least one, which have the same type. If too many elements have the same hash,
// the set is not known.
func Set(elements []cty.Value) cty.Value {
	if Collide(elements) {
		return cty.UnknownVal(cty.Set(elements[0].Type()))
	}
	return cty.SetVal(elements)
}

// Collide reports whether too many different elements of a set have the same hash.
func Collide(elements []cty.Value) bool {
	if len(elements) <= maxCollisions {
		return false
	}
	hashes := make([]int, len(elements))
	count := make(map[int]int, len(elements))
	for i, v := range elements {
		v, _ = v.UnmarkDeep()
		hashes[i] = v.Hash()
		count[hashes[i]]++
	}
	different := map[int][]cty.Value{}
	for i, v := range elements {
		h := hashes[i]
		if count[h] <= maxCollisions || slices.ContainsFunc(different[h], v.RawEquals) {
			continue
		}
		if different[h] = append(different[h], v); len(different[h]) > maxCollisions {
			return true
		}
	}
	return false
}
