// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"slices"

	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/tofuwire/tofuwire/planjson"
)

// A known is a planned value whose unknown parts get the values that a state has there,
// with their marks, so that only what was known can differ. What has no counterpart in
// the state stays unknown.
type known struct {
	value, unknown, sensitive []byte

	work int // the bytes that may still be compared to match elements
}

// become returns the planned side p with the values of a in its unknown parts. Values
// that are equal then have the marks of a, if those hide as much: the tools mark all of
// a set in a state when a plan marks parts of its elements.
func become(p, a side, sh *shape) side {
	if plantext.IsTrue(p.unknown) {
		return a
	}
	if !plantext.HasTrue(p.unknown) && bytes.Equal(p.sensitive, a.sensitive) {
		return p
	}
	k := known{work: maxWork * (len(p.value) + len(p.unknown) + len(a.value))}
	k.fill(p, a, sh, 0)
	return side{k.value, k.unknown, k.sensitive}
}

func (k *known) fill(p, a side, sh *shape, depth int) {
	value, unknown, sensitive := len(k.value), len(k.unknown), len(k.sensitive)
	kind := p.value.Kind()
	parts := kind == a.value.Kind() && depth < maxLevels
	partly := plantext.HasTrue(p.unknown) && p.unknown.Kind() == kind
	switch {
	case plantext.IsTrue(p.unknown):
		k.put(side{a.value, nil, a.sensitive})
		return
	case kind == planjson.KindObject && parts && (partly || !plantext.HasTrue(p.unknown) && !p.value.Equal(a.value)):
		k.object(p, a, sh, depth+1)
	case kind == planjson.KindArray && parts && partly:
		k.array(p, a, sh, depth+1)
	default:
		k.put(p)
	}
	if plantext.IsTrue(p.sensitive) {
		k.sensitive = append(k.sensitive[:sensitive], "true"...)
	}
	if a.value == nil || plantext.HasTrue(k.unknown[unknown:]) || !covers(a.sensitive, k.sensitive[sensitive:]) || !planjson.Value(k.value[value:]).Equal(a.value) {
		return
	}
	k.value, k.unknown, k.sensitive = k.value[:value], k.unknown[:unknown], k.sensitive[:sensitive]
	k.put(side{a.value, nil, a.sensitive})
}

// covers reports whether the first marks hide all that the second ones hide.
func covers(first, second planjson.Value) bool {
	switch {
	case plantext.IsTrue(first) || !plantext.HasTrue(second):
		return true
	case second.Kind() == planjson.KindObject && first.Kind() == planjson.KindObject:
		_, parts := members(first)
		for name, part := range second.Members() {
			if !covers(parts[name], part) {
				return false
			}
		}
		return true
	case second.Kind() == planjson.KindArray && first.Kind() == planjson.KindArray:
		parts := elements(first)
		for i, part := range second.Elements() {
			if i >= len(parts) && plantext.HasTrue(part) || i < len(parts) && !covers(parts[i], part) {
				return false
			}
		}
		return true
	}
	return false
}

// put appends a side as it is.
func (k *known) put(s side) {
	k.value = append(k.value, orElse(s.value, "null")...)
	k.unknown = append(k.unknown, orElse(s.unknown, "false")...)
	k.sensitive = append(k.sensitive, orElse(s.sensitive, "false")...)
}

func orElse(v planjson.Value, text string) planjson.Value {
	if v == nil {
		return planjson.Value(text)
	}
	return v
}

// all appends the same to all three.
func (k *known) all(text string) {
	k.value, k.unknown, k.sensitive = append(k.value, text...), append(k.unknown, text...), append(k.sensitive, text...)
}

func members(v planjson.Value) (names []string, parts map[string]planjson.Value) {
	parts = make(map[string]planjson.Value)
	for name, part := range v.Members() {
		if _, twice := parts[name]; !twice {
			names = append(names, name)
		}
		parts[name] = part
	}
	return names, parts
}

func elements(v planjson.Value) (all []planjson.Value) {
	for _, e := range v.Elements() {
		all = append(all, e)
	}
	return all
}

func (k *known) object(p, a side, sh *shape, depth int) {
	names, values := members(p.value)
	more, unknown := members(p.unknown)
	_, sensitive := members(p.sensitive)
	_, actual := members(a.value)
	_, hidden := members(a.sensitive)
	for _, name := range more {
		if _, ok := values[name]; !ok && plantext.HasTrue(unknown[name]) && actual[name] != nil {
			names = append(names, name) // it was left out
		}
	}
	k.all("{")
	first := true
	for _, name := range names {
		text, err := planjson.ValueOf(name)
		if err != nil {
			continue
		}
		if !first {
			k.all(",")
		}
		first = false
		k.all(string(text) + ":")
		part := side{values[name], unknown[name], sensitive[name]}
		if _, ok := values[name]; !ok {
			part.unknown = planjson.Value("true")
		}
		mark := hidden[name]
		if plantext.IsTrue(a.sensitive) {
			mark = a.sensitive
		}
		k.fill(part, side{actual[name], nil, mark}, sh.Member([]byte(name)), depth)
	}
	k.all("}")
}

func (k *known) array(p, a side, sh *shape, depth int) {
	values, unknown, sensitive := elements(p.value), elements(p.unknown), elements(p.sensitive)
	actual, hidden := elements(a.value), elements(a.sensitive)
	part := func(parts []planjson.Value, i int) planjson.Value {
		if i < len(parts) {
			return parts[i]
		}
		return nil
	}
	planned := make([]side, len(values))
	for i, v := range values {
		planned[i] = side{v, part(unknown, i), part(sensitive, i)}
	}
	order, places := k.match(planned, actual, sh, depth)
	k.all("[")
	for n, i := range order {
		if n > 0 {
			k.all(",")
		}
		if j := places[i]; j >= 0 {
			mark := part(hidden, j)
			if plantext.IsTrue(a.sensitive) {
				mark = a.sensitive
			}
			k.fill(planned[i], side{actual[j], nil, mark}, sh.Element(i), depth)
		} else {
			k.put(planned[i])
		}
	}
	k.all("]")
}

// With more levels, more elements that are tried for one that is not known, or more
// bytes that are compared for each byte of the values, the time would not be in
// proportion to the text. What is deeper stays unknown, and elements stay in order.
const (
	maxLevels = 24
	maxTried  = 32
	maxWork   = 256
)

// match returns for each planned element the place of that which it has become, or -1,
// and an order for them: their own or, if they are a set, that of what they have become.
// A set sorts its elements when they are known, and those that turn out to be equal are
// one: only one of them is in the order then.
func (k *known) match(planned []side, actual []planjson.Value, sh *shape, depth int) (order, places []int) {
	order, places = make([]int, len(planned)), make([]int, len(planned))
	same := len(planned) == len(actual)
	for i, p := range planned {
		order[i], places[i] = i, -1
		if i < len(actual) && k.canBecome(p, actual[i], sh.Element(i), depth) {
			places[i] = i
		} else {
			same = false
		}
	}
	if same || len(planned) < len(actual) || sh != nil && !sh.Is(provschema.SetOf) && !sh.Is(provschema.Any) {
		return order, places
	}
	set := k.matchSet(planned, actual, sh, depth)
	if set == nil {
		return order, places
	}
	sorted := make([]int, len(actual))
	for i, j := range set {
		sorted[j] = i
	}
	for i, j := range set {
		if !plantext.HasTrue(planned[i].unknown) {
			sorted[j] = i
		}
	}
	return sorted, set
}

// matchSet is match for the elements of a set: each becomes one, and each is what at
// least one becomes. It returns nil if that cannot be.
func (k *known) matchSet(planned []side, actual []planjson.Value, sh *shape, depth int) []int {
	free := make(map[string][]int, len(actual))
	for j, a := range actual {
		free[string(a)] = append(free[string(a)], j)
	}
	places, numbers := make([]int, len(planned)), make([]int, len(actual))
	var partly []int // the elements that may become more than one
	for i, p := range planned {
		list := free[string(p.value)]
		if plantext.HasTrue(p.unknown) || len(list) == 0 {
			partly = append(partly, i)
			continue
		}
		places[i], free[string(p.value)] = list[0], list[1:]
		numbers[list[0]]++
	}
	var left []int
	for j, n := range numbers {
		if n == 0 {
			left = append(left, j)
		}
	}
	last := 0 // where the one before is, to which equal ones are often next
	for _, i := range partly {
		places[i] = -1
		for n := 0; n < min(len(left), maxTried) && places[i] < 0; n++ {
			if j := left[n]; k.canBecome(planned[i], actual[j], sh.Element(i), depth) {
				places[i] = j
				copy(left[1:n+1], left[:n])
				left = left[1:]
			}
		}
		for n := 0; n < min(len(actual), maxTried) && places[i] < 0; n++ {
			if j := (last + n) % len(actual); numbers[j] > 0 && k.canBecome(planned[i], actual[j], sh.Element(i), depth) {
				places[i] = j // equal to another one
			}
		}
		if places[i] < 0 {
			return nil
		}
		last = places[i]
		numbers[last]++
	}
	// What nothing has become yet needs an element whose place another one can take.
	var moved map[int]bool
	var reach func(j int) bool
	reach = func(j int) bool {
		for _, i := range partly {
			if len(moved) == maxTried || k.work < 0 {
				return false
			}
			if moved[i] || !k.canBecome(planned[i], actual[j], sh.Element(i), depth) {
				continue
			}
			moved[i] = true
			from := places[i]
			if numbers[from] > 1 || reach(from) {
				numbers[from]--
				numbers[j]++
				places[i] = j
				return true
			}
		}
		return false
	}
	for _, j := range left {
		moved = make(map[int]bool)
		if !reach(j) {
			return nil
		}
	}
	return places
}

// canBecome reports whether a value can become another one: all that is known is the same.
func (k *known) canBecome(p side, a planjson.Value, sh *shape, depth int) bool {
	if plantext.IsTrue(p.unknown) {
		return true
	}
	k.work -= len(p.value) + len(p.unknown) + len(a)
	switch kind := p.value.Kind(); {
	case k.work < 0:
		return false
	case !plantext.HasTrue(p.unknown):
		return p.value.Equal(a)
	case kind != a.Kind() || kind != p.unknown.Kind() || depth >= maxLevels:
		return false
	case kind == planjson.KindObject:
		_, values := members(p.value)
		_, unknown := members(p.unknown)
		for name, part := range a.Members() {
			if v, ok := values[name]; ok && !k.canBecome(side{value: v, unknown: unknown[name]}, part, sh.Member([]byte(name)), depth+1) || !ok && !plantext.HasTrue(unknown[name]) {
				return false
			}
			delete(values, name)
		}
		return len(values) == 0
	case kind == planjson.KindArray:
		values, unknown := elements(p.value), elements(p.unknown)
		if len(values) != len(unknown) {
			return false
		}
		planned := make([]side, len(values))
		for i, v := range values {
			planned[i] = side{value: v, unknown: unknown[i]}
		}
		actual := elements(a)
		order, places := k.match(planned, actual, sh, depth+1)
		return len(order) == len(actual) && !slices.Contains(places, -1)
	}
	return false
}
