// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"sort"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/tofuwire/tofuwire/planjson"
)

// elements compares the elements of two arrays: those of a set by value, those
// of a list or tuple by their longest common subsequence.
func (d *differ) elements(n *Attribute, b, a side, s *shape, paths [][]planjson.Value) {
	if d.isLost() {
		return
	}
	base := len(d.sideStack)
	defer func() { d.sideStack = d.sideStack[:base] }()
	l := list{differ: d, n: n, s: s, next: d.pathsInto(paths)}
	l.bs, l.as = d.sides(b), d.sides(a)
	l.near = neighbours{differ: d, parent: n, on: showsNeighbours(s), never: isNestedList(s)}
	switch {
	case len(l.bs) == 0 || len(l.as) == 0 || s.Is(provschema.Tuple):
		for i := range max(len(l.bs), len(l.as)) {
			switch {
			case i >= len(l.bs):
				l.come(i)
			case i >= len(l.as):
				l.gone(i)
			default:
				l.both(i, i)
			}
		}
	case s.Is(provschema.SetOf):
		l.set()
	default:
		l.ordered()
	}
}

// A list compares the elements of a list, a set or a tuple.
type list struct {
	*differ
	n      *Attribute // its children are the differences
	s      *shape     // of the whole
	bs, as []side
	next   *paths
	near   neighbours
}

func (l *list) at(i int) spot { return spot{parent: l.n, index: i, shape: l.s.Element(i)} }

// both compares an element with what it became.
func (l *list) both(i, j int) {
	l.near.before(func() {
		had := len(l.n.Children)
		l.attribute(l.at(j), l.bs[i], l.as[j], l.next.element(l.differ, l.bs[i], l.as[j], j))
		for _, c := range l.n.Children[had:] {
			c.From = i
		}
	}, l.at(j), l.bs[i], l.as[j])
}

// gone adds an element that was removed.
func (l *list) gone(i int) {
	defer l.near.changed(len(l.n.Children))
	if plantext.IsNone(l.bs[i].value) && !plantext.HasTrue(l.bs[i].unknown) {
		l.null(i, Removed, l.bs[i])
		return
	}
	l.attribute(l.at(i), l.bs[i], side{}, l.next.element(l.differ, l.bs[i], side{}, i))
}

// come adds an element that is new.
func (l *list) come(j int) {
	defer l.near.changed(len(l.n.Children))
	if plantext.IsNone(l.as[j].value) && !plantext.HasTrue(l.as[j].unknown) {
		l.null(j, Added, l.as[j])
		return
	}
	l.attribute(l.at(j), side{}, l.as[j], l.next.element(l.differ, side{}, l.as[j], j))
}

// null adds an element that is null, which also counts as one.
func (l *list) null(i int, kind Status, v side) {
	e := l.add(l.at(i))
	switch e.Status = kind; {
	case plantext.HasTrue(v.sensitive) || l.s.Element(i).IsSensitive():
		e.Sensitive, e.SensitiveBefore, e.SensitiveAfter = true, kind == Removed, kind == Added
	case kind == Removed:
		e.Before = v.value
	default:
		e.After = v.value
	}
}

// set compares the elements of a set.
func (l *list) set() {
	pairs, rest, more := l.matchSet(l.bs, l.as)
	for len(pairs)+len(rest) > 0 {
		if len(rest) == 0 || len(pairs) > 0 && pairs[0].before < rest[0] {
			l.both(pairs[0].before, pairs[0].after)
			pairs = pairs[1:]
			continue
		}
		l.gone(rest[0])
		rest = rest[1:]
	}
	for _, j := range more {
		l.come(j)
	}
}

// ordered compares the elements of a list. As in the tools, removed elements come
// before new ones, and pair up only with what comes next.
func (l *list) ordered() {
	pairs := l.match(l.bs, l.as)
	if !isBlocks(l.s) {
		l.early(l.bs, l.as, pairs)
	}
	from, left := l.moved(l.bs, l.as, pairs)
	part := func(i, iEnd, j, jEnd int) {
		aligned := iEnd-i == jEnd-j
		moves := func() {
			for old, ok := from[j]; ok && j < jEnd; old, ok = from[j] {
				had := len(l.n.Children)
				e := l.add(l.at(j))
				e.Status, e.From = Moved, old
				fill(e, l.as[j], l.s.Element(j))
				l.near.changed(had)
				j++
			}
		}
		for ; i < iEnd; i++ {
			moves()
			switch {
			case left[i]:
			case j < jEnd && related(l.bs[i], l.as[j], aligned, l.s.Is(provschema.Any)):
				l.both(i, j)
				j++
			default:
				l.gone(i)
			}
		}
		for moves(); j < jEnd; moves() {
			l.come(j)
			j++
		}
	}
	gap := func(i, iEnd, j, jEnd int) {
		for _, p := range l.alike(i, iEnd, j, jEnd, from, left) {
			part(i, p.before, j, p.after)
			l.both(p.before, p.after)
			i, j = p.before+1, p.after+1
		}
		part(i, iEnd, j, jEnd)
	}
	i, j := 0, 0
	for _, p := range pairs {
		gap(i, p.before, j, p.after)
		l.both(p.before, p.after)
		i, j = p.before+1, p.after+1
	}
	gap(i, len(l.bs), j, len(l.as))
}

// Neighbours show the unchanged elements of a list next to those that differ, as
// the tools do: the last one before and the first one after.
type neighbours struct {
	*differ
	parent  *Attribute
	on      bool
	never   bool // none is shown
	next    bool // an unchanged element that comes now is shown
	waiting bool // there is an unchanged one before the next element
	at      spot // that one
	b, a    side
	skipped uint32 // how many have not been shown since the last one that was
}

// before compares two elements, which may be equal.
func (x *neighbours) before(compare func(), at spot, b, a side) {
	had := len(x.parent.Children)
	compare()
	if len(x.parent.Children) > had {
		x.changed(had)
		return
	}
	switch {
	case !x.on && (b.isContainer() || a.isContainer()):
		x.skipped++
		x.waiting = false
	case x.next:
		x.next = false
		x.show(at, b, a)
	default:
		x.skipped++
		x.waiting, x.at, x.b, x.a = true, at, b, a
	}
}

// changed takes note of what has been added to the children since there were so
// many.
func (x *neighbours) changed(had int) {
	list := x.parent.Children
	if len(list) == had {
		return
	}
	if x.options.Unchanged || x.parent.Set || x.parent.Block || x.never {
		return
	}
	x.next = true
	if x.waiting {
		x.skipped--
		x.show(x.at, x.b, x.a)
		if list = x.parent.Children; x.skipped > 0 {
			list[len(list)-1].skipped, x.skipped = x.skipped, 0
		}
		// It comes before what was added.
		shown := list[len(list)-1]
		copy(list[had+1:], list[had:len(list)-1])
		list[had] = shown
	} else if x.skipped > 0 {
		list[had].skipped = x.skipped
	}
	x.waiting, x.skipped = false, 0
}

// show adds an element that has not changed.
func (x *neighbours) show(at spot, b, a side) {
	had, hidden := len(x.parent.Children), x.parent.Hidden
	x.whole(at, b, a)
	if x.parent.Hidden = hidden; len(x.parent.Children) > had {
		x.parent.Hidden--
	}
}

func (x side) isContainer() bool {
	k := x.value.Kind()
	return k == planjson.KindObject || k == planjson.KindArray
}

// fill gives a moved element its value, unless some of it is sensitive.
func fill(e *Attribute, v side, s *shape) {
	switch {
	case s.IsSensitive() || s.HasSensitive() || plantext.HasTrue(v.sensitive):
		e.Sensitive, e.SensitiveBefore, e.SensitiveAfter = true, true, true
	case v.value.Kind() != planjson.KindObject && v.value.Kind() != planjson.KindArray:
		e.Before, e.After = v.value, v.value
	}
}

// related reports whether a removed and an added element at the same place are
// one element that has changed: two containers of the same kind, two texts that
// share a line, or one whose new value is not known.
func related(b, a side, aligned, isJSON bool) bool {
	if plantext.HasTrue(a.unknown) && wholly(a) || plantext.HasTrue(b.unknown) && wholly(b) {
		return aligned
	}
	k := b.value.Kind()
	if k == planjson.KindString && a.value.Kind() == k && (hasLineFeed(b.value) || hasLineFeed(a.value)) {
		return shareLine(b.value, a.value)
	}
	return k == a.value.Kind() && (k == planjson.KindObject || k == planjson.KindArray && !isJSON)
}

// maxShared is the length from which texts are taken to share a line.
const maxShared = 1 << 20

// shareLine reports whether two texts have a line in common.
func shareLine(b, a planjson.Value) bool {
	if len(b)+len(a) > maxShared {
		return true
	}
	x, _ := b.Text()
	y, _ := a.Text()
	lines := make(map[string]bool)
	for line := range strings.SplitSeq(x, "\n") {
		lines[line] = true
	}
	for line := range strings.SplitSeq(y, "\n") {
		if lines[line] {
			return true
		}
	}
	return false
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
	if plantext.HasTrue(x.unknown) {
		for i, u := range x.unknown.Elements() {
			list[i].unknown = u
		}
	}
	if plantext.HasTrue(x.sensitive) {
		for i, s := range x.sensitive.Elements() {
			list[i].sensitive = s
		}
	}
	return list
}

// A pair is an element that is in both arrays.
type pair struct{ before, after int }

// match returns a longest common subsequence of two lists.
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

// early moves the pairs of a common subsequence to the first equal elements, as the
// tools have them in attributes. They pair blocks by position.
func (d *differ) early(bs, as []side, pairs []pair) {
	i, j := 0, 0
	for k, p := range pairs {
		for i < p.before && !d.sameElement(bs[i], as[p.after]) {
			i++
		}
		for j < p.after && !d.sameElement(bs[p.before], as[j]) {
			j++
		}
		pairs[k] = pair{i, j}
		i, j = i+1, j+1
	}
}

// sameElement reports whether two elements are equal. Unknown parts are so only if they
// are unknown in both, as in two plans.
func (d *differ) sameElement(b, a side) bool {
	if !d.sameUnknown(b, a) {
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

// number gives equal elements equal numbers, and those that are not valid negative ones
// of their own.
func (d *differ) number(bs, as []side) (x, y []int) {
	if len(bs) == 0 || len(as) == 0 {
		return make([]int, len(bs)), make([]int, len(as))
	}
	ids := make(map[uint64]int, len(bs))
	invalid := 0
	of := func(list []side) []int {
		numbers := make([]int, len(list))
		for i, e := range list {
			hash := d.sideHash(e)
			if hash == 0 {
				invalid--
				numbers[i] = invalid
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
