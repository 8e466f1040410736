// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import "math/bits"

// A decoding table maps the next bits of the stream to an entry of 32 bits:
//
//	bits 0-5    how many bits the code and its extra bits take together
//	bits 8-11   how many of these belong to the code, or how many bits look up
//	            an entry of the second table
//	bit  12     the end of the block
//	bit  13     a longer code: the value is the offset of a second table
//	bit  14     neither a literal nor a length nor a distance
//	bit  15     a literal
//	bits 16-31  the literal, the base of a length or distance, or the offset
//
// An entry with only bit 14 is a code that must not occur. In a second table
// the numbers of bits count from the end of the first table's bits.
const (
	entryBits     = 0x3f
	entryCode     = 8
	entryCodeMask = 0xf
	entryEnd      = 1 << 12
	entrySub      = 1 << 13
	entrySpecial  = 1 << 14
	entryLiteral  = 1 << 15
	entryValue    = 16

	entryInvalid = entrySpecial
)

// The sizes of the alphabets (RFC 1951, section 3.2.5 to 3.2.7), of the first
// tables, and of first and second tables together. The bits of a second table
// are those of the longest code, and each serves at least two codes, so there
// are at most 143 of 16 entries, and 15 of 128 entries.
const (
	maxLiterals  = 286
	maxDistances = 30
	maxCodeBits  = 15

	literalBits  = 11
	distanceBits = 8
	preBits      = 7

	literalTable  = 1<<literalBits + 143<<(maxCodeBits-literalBits)
	distanceTable = 1<<distanceBits + 15<<(maxCodeBits-distanceBits)
)

// The base values and the extra bits of the length codes from 257 and of the
// distance codes.
var (
	lengthBase = [29]uint16{
		3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31,
		35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
	}
	lengthExtra = [29]uint8{
		0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2,
		3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
	}
	distanceBase = [30]uint16{
		1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385,
		513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
	}
	distanceExtra = [30]uint8{
		0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7,
		8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
	}
)

// literalEntry is the entry of a symbol of the literal and length alphabet,
// without the bits of its code.
func literalEntry(symbol int) uint32 {
	switch {
	case symbol < 256:
		return uint32(symbol)<<entryValue | entryLiteral
	case symbol == 256:
		return entrySpecial | entryEnd
	case symbol < maxLiterals:
		return uint32(lengthBase[symbol-257])<<entryValue | uint32(lengthExtra[symbol-257])
	default:
		return entryInvalid
	}
}

// distanceEntry is like literalEntry, for the distance alphabet.
func distanceEntry(symbol int) uint32 {
	if symbol >= maxDistances {
		return entryInvalid
	}
	return uint32(distanceBase[symbol])<<entryValue | uint32(distanceExtra[symbol])
}

// preEntry is like literalEntry, for the alphabet of code lengths. Their values
// are their symbols.
func preEntry(symbol int) uint32 { return uint32(symbol) << entryValue }

// buildTable fills table for the canonical Huffman code that has the given
// length for each symbol, with first bits in the first table. It reports
// whether the lengths make a code. As in compress/flate, a code must use up all
// its words, with two exceptions: it may have no symbol at all, or one symbol
// whose length is 1. Words without a symbol get an invalid entry.
func buildTable(table []uint32, first uint, lengths []uint8, entry func(symbol int) uint32) bool {
	var count [maxCodeBits + 1]int
	for _, n := range lengths {
		count[n]++
	}
	count[0] = 0
	longest := uint(0)
	var next [maxCodeBits + 2]uint32
	for n := uint(1); n <= maxCodeBits; n++ {
		if count[n] > 0 {
			longest = n
		}
		next[n+1] = (next[n] + uint32(count[n])) << 1
	}
	used := uint32(0)
	if longest > 0 {
		used = next[longest+1] >> 1
	}
	complete := longest > 0 && used == 1<<longest
	if !complete {
		if longest > 1 || used > 1 {
			return false
		}
		for i := range table[:1<<first] {
			table[i] = entryInvalid
		}
	}

	end := uint32(1) << first
	var sub uint // the bits of a second table
	if longest > first {
		sub = longest - first
		// A first table has either an entry or a second table for each
		// of its words; zero marks the words without either so far.
		clear(table[:end])
	}
	for symbol, n8 := range lengths {
		n := uint(n8)
		if n == 0 {
			continue
		}
		word := bits.Reverse32(next[n]) >> (32 - n)
		next[n]++
		e := entry(symbol)
		if n <= first {
			e += uint32(n) | uint32(n)<<entryCode
			for i := word; i < 1<<first; i += 1 << n {
				table[i] = e
			}
			continue
		}
		low := word & (1<<first - 1)
		if table[low] == 0 {
			table[low] = end<<entryValue | entrySpecial | entrySub | uint32(sub)<<entryCode | uint32(first)
			end += 1 << sub
		}
		rest := n - first
		e += uint32(rest) | uint32(rest)<<entryCode
		second := table[table[low]>>entryValue:][:1<<sub]
		for i := word >> first; i < 1<<sub; i += 1 << rest {
			second[i] = e
		}
	}
	return true
}
