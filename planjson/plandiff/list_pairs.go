// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"

	"github.com/tofuwire/tofuwire/planjson"
)

// identities are the members that identify an element of a list, as people write them.
var identities = [...]string{"name", "id", "key"}

// maxAlike bounds the pairs of elements that are compared in one place.
const maxAlike = 1 << 14

// alike returns pairs of objects between two equal elements that are one object which has
// changed: those with the same name, id or key, or else with the fewest differences, in
// the order of both lists. Where as many were removed as added and nothing identifies them,
// they pair by position, as in the tools.
func (l *list) alike(i, iEnd, j, jEnd int, from map[int]int, left map[int]bool) []pair {
	n, m := iEnd-i, jEnd-j
	if n == 0 || m == 0 || n*m > maxAlike || n*m == 1 {
		return nil
	}
	likeness := make([]int, n*m)
	identified := false
	for x := range n {
		for y := range m {
			if _, moves := from[j+y]; moves || left[i+x] {
				continue
			}
			score, is := likenessOf(l.bs[i+x], l.as[j+y])
			likeness[x*m+y] = score
			identified = identified || is
		}
	}
	if n == m && !identified {
		return nil
	}
	// best has the largest sum for what begins at x and y.
	best := make([]int, (n+1)*(m+1))
	at := func(x, y int) *int { return &best[x*(m+1)+y] }
	for x := n - 1; x >= 0; x-- {
		for y := m - 1; y >= 0; y-- {
			*at(x, y) = max(*at(x+1, y), *at(x, y+1))
			if s := likeness[x*m+y]; s > 0 {
				*at(x, y) = max(*at(x, y), s+*at(x+1, y+1))
			}
		}
	}
	var pairs []pair
	for x, y := 0, 0; x < n && y < m; {
		switch s := likeness[x*m+y]; {
		case s > 0 && *at(x, y) == s+*at(x+1, y+1):
			pairs = append(pairs, pair{i + x, j + y})
			x, y = x+1, y+1
		case *at(x, y) == *at(x+1, y):
			x++
		default:
			y++
		}
	}
	return pairs
}

// sameIdentity is more than all members that two objects can have in common.
const sameIdentity = 1 << 16

// likenessOf counts the members that two objects have in common, and reports whether one
// identifies them. It is 0 for elements that are no objects, and for those that are known to
// be two.
func likenessOf(b, a side) (score int, identified bool) {
	if b.value.Kind() != planjson.KindObject || a.value.Kind() != planjson.KindObject {
		return 0, false
	}
	members := make(map[string]planjson.Value)
	for name, v := range b.value.Members() {
		members[name] = v
	}
	for name, v := range a.value.Members() {
		if was, ok := members[name]; ok && !v.IsNull() && bytes.Equal(was, v) {
			score++
		}
	}
	for _, name := range identities {
		was, is := members[name], a.value.Member(name)
		if was.Kind() != planjson.KindString || is.Kind() != planjson.KindString || len(was) == 2 {
			continue
		}
		if bytes.Equal(was, is) {
			return sameIdentity + score, true
		}
		return 0, true
	}
	return score, false
}
