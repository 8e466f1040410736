// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"cmp"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// DefRange returns where the programs say that a block is: its header, and in JSON
// the brace or bracket after its last name.
func DefRange(b *hclconfig.Block) addrs.Range {
	if b == nil || b.File() == nil {
		return addrs.Range{}
	}
	at, f := b.DefRange(), b.File()
	if f.Syntax() != hclconfig.JSONSyntax || !at.IsValid() {
		return at
	}
	src := f.Bytes()
	if i := jsonscan.Space(src, int(at.End.Offset)); i < len(src) && src[i] == ':' {
		i = jsonscan.Space(src, i+1)
		at.Start, at.End = f.Position(int64(i)), f.Position(int64(i)+1)
	}
	return at
}

// Contains reports whether outer has all of inner.
func Contains(outer, inner addrs.Range) bool {
	return outer.Filename == inner.Filename && outer.Start.Offset <= inner.Start.Offset && inner.End.Offset <= outer.End.Offset
}

// A RangeSet has ranges of files, each with the largest end of those that start before it.
type RangeSet map[string][]offsets

type offsets struct{ start, end int64 }

// RangeSetOf returns a set of the ranges.
func RangeSetOf(ranges []addrs.Range) RangeSet {
	out := RangeSet{}
	for _, r := range ranges {
		out[r.Filename] = append(out[r.Filename], offsets{r.Start.Offset, r.End.Offset})
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b offsets) int { return cmp.Compare(a.start, b.start) })
		for i := range list[1:] {
			list[i+1].end = max(list[i].end, list[i+1].end)
		}
	}
	return out
}

// Covers reports whether at is in one of the ranges.
func (p RangeSet) Covers(at addrs.Range) bool {
	return p.CoversOffsets(at.Filename, at.Start.Offset, at.End.Offset)
}

// CoversOffsets reports whether the part of a file from start to end is in one of the ranges.
func (p RangeSet) CoversOffsets(filename string, start, end int64) bool {
	list := p[filename]
	i, _ := slices.BinarySearchFunc(list, start, func(s offsets, offset int64) int {
		if s.start <= offset {
			return -1
		}
		return 1
	})
	return i > 0 && list[i-1].end >= end
}
