// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package collision makes texts whose hashes collide.
package collision

import (
	"hash/crc32"
	"math/bits"
	"strings"
)

// Texts returns n different texts of the same length with the same CRC-32, which is the hash of cty. The differences
// between such texts are a vector space: it takes the combinations that change nothing.
func Texts(n int) []string {
	const length = 56
	text := func(bits uint64) string {
		out := []byte(strings.Repeat("a", length))
		for i := range out {
			out[i] += byte(bits>>i&1) * 2
		}
		return string(out)
	}
	sum := func(bits uint64) uint32 {
		return crc32.ChecksumIEEE([]byte(text(bits))) ^ crc32.ChecksumIEEE([]byte(text(0)))
	}
	type vector struct {
		sum  uint32
		bits uint64
	}
	var basis [33]vector
	var same []uint64
	for i := range length {
		v := vector{sum(1 << i), 1 << i}
		for b := basis[bits.Len32(v.sum)]; v.sum != 0 && b.bits != 0; b = basis[bits.Len32(v.sum)] {
			v = vector{v.sum ^ b.sum, v.bits ^ b.bits}
		}
		if v.sum == 0 {
			same = append(same, v.bits)
		} else {
			basis[bits.Len32(v.sum)] = v
		}
	}
	out := make([]string, n)
	for i := range out {
		var all uint64
		for j, v := range same {
			all ^= v * uint64(i>>j&1)
		}
		out[i] = text(all)
	}
	return out
}
