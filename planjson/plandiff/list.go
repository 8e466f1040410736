// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"sort"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/planmask"
	"github.com/tofuwire/tofuwire/planjson"
)

// elements compares the elements of two arrays: those of a set by value, those
// of a list or tuple by their longest common subsequence.
func (d *differ) elements(n *Attribute, b, a side, s *shape, paths [][]planjson.Value) {
	base := len(d.sideStack)
	defer func() { d.sideStack = d.sideStack[:base] }()
	bs, as := d.sides(b), d.sides(a)
	at := func(i int) spot { return spot{parent: n, index: i, shape: s.element(i)} }
	next := d.pathsInto(paths)
	both := func(i, j int) { d.attribute(at(j), bs[i], as[j], next.element(d, bs[i], as[j], j)) }
	removed := func(i int) {
		d.attribute(at(i), bs[i], side{}, next.element(d, bs[i], side{}, i))
	}
	added := func(j int) {
		d.attribute(at(j), side{}, as[j], next.element(d, side{}, as[j], j))
	}
	// Null elements also count as elements.
	null := func(i int, kind Status, v side) {
		e := d.add(at(i))
		switch e.Status = kind; {
		case planmask.HasTrue(v.sensitive) || s.element(i).isSensitive():
			e.Sensitive, e.SensitiveBefore, e.SensitiveAfter = true, kind == Removed, kind == Added
		case kind == Removed:
			e.Before = v.value
		default:
			e.After = v.value
		}
	}
	gone := func(i int) {
		if planmask.IsNone(bs[i].value) && !planmask.HasTrue(bs[i].unknown) {
			null(i, Removed, bs[i])
			return
		}
		removed(i)
	}
	come := func(j int) {
		if planmask.IsNone(as[j].value) && !planmask.HasTrue(as[j].unknown) {
			null(j, Added, as[j])
			return
		}
		added(j)
	}
	switch {
	case len(bs) == 0:
		for j := range as {
			come(j)
		}
		return
	case len(as) == 0:
		for i := range bs {
			gone(i)
		}
		return
	case s.isTuple():
		for i := range max(len(bs), len(as)) {
			switch {
			case i >= len(bs):
				come(i)
			case i >= len(as):
				gone(i)
			default:
				both(i, i)
			}
		}
		return
	}

	if s.isSet() {
		pairs, rest, more := d.matchSet(bs, as)
		for _, p := range pairs {
			both(p.before, p.after)
		}
		for _, i := range rest {
			gone(i)
		}
		for _, j := range more {
			come(j)
		}
		return
	}
	pairs := d.match(bs, as)
	var from map[int]int
	var left map[int]bool
	if !s.isJSON() { // the tools know no moves there, but pair objects
		from, left = d.moved(bs, as, pairs)
	}
	gap := func(i, iEnd, j, jEnd int) {
		aligned := iEnd-i == jEnd-j
		for ; i < iEnd || j < jEnd; i, j = i+1, j+1 {
			old, isMove := from[j]
			isMove = isMove && j < jEnd
			if i < iEnd && j < jEnd && !isMove && !left[i] && related(bs[i], as[j], aligned) {
				both(i, j)
				continue
			}
			if i < iEnd && !left[i] {
				gone(i)
			}
			switch {
			case isMove:
				e := d.add(at(j))
				e.Status, e.From = Moved, old
				fill(e, as[j], s.element(j))
			case j < jEnd:
				come(j)
			}
		}
	}
	i, j := 0, 0
	for _, p := range pairs {
		gap(i, p.before, j, p.after)
		both(p.before, p.after)
		i, j = p.before+1, p.after+1
	}
	gap(i, len(bs), j, len(as))
}

// fill gives a moved element its value, unless some of it is sensitive.
func fill(e *Attribute, v side, s *shape) {
	switch {
	case s.isSensitive() || s.hidesInside() || planmask.HasTrue(v.sensitive):
		e.Sensitive, e.SensitiveBefore, e.SensitiveAfter = true, true, true
	case v.value.Kind() != planjson.KindObject && v.value.Kind() != planjson.KindArray:
		e.Before, e.After = v.value, v.value
	}
}

// related reports whether a removed and an added element at the same place are
// one element that has changed: two containers of the same kind, or one whose
// new value is not known.
func related(b, a side, aligned bool) bool {
	if planmask.HasTrue(a.unknown) && wholly(a) || planmask.HasTrue(b.unknown) && wholly(b) {
		return aligned
	}
	k := b.value.Kind()
	return k == a.value.Kind() && (k == planjson.KindObject || k == planjson.KindArray)
}

// sides returns the elements of an array with their marks, on the stack of d. Here the marks
// have the length of the array or are absent; see hides and wholly.
func (d *differ) sides(x side) []side {
	base := len(d.sideStack)
	r := jsonscan.Items{Text: x.value}
	for ok := r.Open('[') && r.Element(); ok; ok = r.Element() {
		d.sideStack = append(d.sideStack, side{value: r.Value()})
	}
	list := d.sideStack[base:]
	if planmask.HasTrue(x.unknown) {
		for i, u := range x.unknown.Elements() {
			list[i].unknown = u
		}
	}
	if planmask.HasTrue(x.sensitive) {
		for i, s := range x.sensitive.Elements() {
			list[i].sensitive = s
		}
	}
	return list
}

// A pair is an element that is in both arrays.
type pair struct{ before, after int }

// match returns a longest common subsequence of two lists. Unknown elements
// equal nothing.
func (d *differ) match(bs, as []side) []pair {
	head := 0
	for head < len(bs) && head < len(as) && d.sameElement(bs[head], as[head]) {
		head++
	}
	tail := 0
	for tail < len(bs)-head && tail < len(as)-head && d.sameElement(bs[len(bs)-1-tail], as[len(as)-1-tail]) {
		tail++
	}
	pairs := make([]pair, 0, head+tail)
	for i := range head {
		pairs = append(pairs, pair{i, i})
	}
	b, a := bs[head:len(bs)-tail], as[head:len(as)-tail]
	if len(b) > 0 && len(a) > 0 && len(b)+len(a) > 2 { // one on each side is known to differ
		x, y := d.number(b, a)
		for _, p := range commonSubsequence(x, y) {
			pairs = append(pairs, pair{p.before + head, p.after + head})
		}
	}
	for i := tail; i > 0; i-- {
		pairs = append(pairs, pair{len(bs) - i, len(as) - i})
	}
	return pairs
}

func (d *differ) sameElement(b, a side) bool {
	if planmask.HasTrue(b.unknown) || planmask.HasTrue(a.unknown) {
		return false
	}
	if bytes.Equal(b.value, a.value) {
		return true
	}
	switch k := b.value.Kind(); {
	case k != a.value.Kind():
		return false
	case k == planjson.KindObject || k == planjson.KindArray:
		x := d.hash(b.value)
		return x != 0 && x == d.hash(a.value)
	}
	return b.value.Equal(a.value)
}

// number gives equal elements equal numbers, and unknown ones negative ones of
// their own.
func (d *differ) number(bs, as []side) (x, y []int) {
	if len(bs) == 0 || len(as) == 0 {
		return make([]int, len(bs)), make([]int, len(as))
	}
	ids := make(map[uint64]int, len(bs))
	unknown := 0
	of := func(list []side) []int {
		numbers := make([]int, len(list))
		for i, e := range list {
			var hash uint64
			if !planmask.HasTrue(e.unknown) {
				hash = d.hash(e.value)
			}
			if hash == 0 {
				unknown--
				numbers[i] = unknown
				continue
			}
			id, ok := ids[hash]
			if !ok {
				id = len(ids)
				ids[hash] = id
			}
			numbers[i] = id
		}
		return numbers
	}
	return of(bs), of(as)
}

// matchSet pairs equal elements wherever they are, and returns the positions of
// the others.
func (d *differ) matchSet(bs, as []side) (pairs []pair, gone, come []int) {
	x, y := d.number(bs, as)
	at := make(map[int][]int, len(y))
	for j, id := range y {
		at[id] = append(at[id], j)
	}
	matched := make([]bool, len(y))
	for i, id := range x {
		if l := at[id]; len(l) > 0 {
			pairs = append(pairs, pair{i, l[0]})
			matched[l[0]], at[id] = true, l[1:]
		} else {
			gone = append(gone, i)
		}
	}
	for j, m := range matched {
		if !m {
			come = append(come, j)
		}
	}
	return pairs, gone, come
}

// maxCandidates bounds the pairs of equal elements that are looked at for each
// element. Elements that occur more often are paired in their order, which
// gives a common subsequence that may not be the longest, in bounded time.
const maxCandidates = 32

// maxLinks bounds all of them for long lists.
const maxLinks = 1 << 22

// commonSubsequence returns the pairs of a longest common subsequence, by the
// method of Hunt and Szymanski: the longest chain of pairs that goes up in both
// lists. It takes time n log n if most elements are different, and never more
// than maxCandidates times that.
func commonSubsequence(x, y []int) []pair {
	at := make(map[int][]int, len(y))
	for j, id := range y {
		at[id] = append(at[id], j)
	}
	type link struct {
		pair
		before int // the index of the previous link, or -1
	}
	var links []link
	var ends []int // the link that ends the best chain of each length
	seen := make(map[int]int)
	most := min(maxCandidates, max(1, maxLinks/max(1, len(x))))
	for i, id := range x {
		places := at[id]
		if len(places) > most {
			from := min(max(seen[id]-most/2, 0), len(places)-most)
			places = places[from : from+most]
			seen[id]++
		}
		for k := len(places) - 1; k >= 0; k-- {
			j := places[k]
			n := sort.Search(len(ends), func(n int) bool { return links[ends[n]].after >= j })
			l := link{pair{i, j}, -1}
			if n > 0 {
				l.before = ends[n-1]
			}
			links = append(links, l)
			if n == len(ends) {
				ends = append(ends, len(links)-1)
			} else {
				ends[n] = len(links) - 1
			}
		}
	}
	pairs := make([]pair, len(ends))
	if len(ends) > 0 {
		for n, k := len(ends)-1, ends[len(ends)-1]; k >= 0; n, k = n-1, links[k].before {
			pairs[n] = links[k].pair
		}
	}
	return pairs
}

// moved finds elements that were removed at one place and added at another:
// from maps their new position to the old one, left has the old ones.
func (d *differ) moved(bs, as []side, pairs []pair) (from map[int]int, left map[int]bool) {
	if len(pairs) == len(bs) || len(pairs) == len(as) || len(pairs) == len(bs)-1 && inPlace(pairs, len(as)) {
		return nil, nil
	}
	inBefore, inAfter := make([]bool, len(bs)), make([]bool, len(as))
	for _, p := range pairs {
		inBefore[p.before], inAfter[p.after] = true, true
	}
	b, bAt := others(bs, inBefore)
	a, aAt := others(as, inAfter)
	pairs, _, _ = d.matchSet(b, a)
	from, left = make(map[int]int, len(pairs)), make(map[int]bool, len(pairs))
	for _, p := range pairs {
		from[aAt[p.after]], left[bAt[p.before]] = bAt[p.before], true
	}
	return from, left
}

// inPlace reports whether all elements of a list of n but one are where they were.
func inPlace(pairs []pair, n int) bool {
	if len(pairs) != n-1 {
		return false
	}
	for _, p := range pairs {
		if p.before != p.after {
			return false
		}
	}
	return true
}

// others returns the elements that are not in, with their positions.
func others(list []side, in []bool) (rest []side, at []int) {
	for i := range list {
		if !in[i] {
			rest, at = append(rest, list[i]), append(at, i)
		}
	}
	return rest, at
}
