// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"github.com/tofuwire/tofuwire/internal/planmask"
	"github.com/tofuwire/tofuwire/planjson"
)

// A known is a planned value whose unknown parts get the values that a state has there,
// with their marks, so that only what was known can differ. What has no counterpart in
// the state stays unknown.
type known struct{ value, unknown, sensitive []byte }

// become returns the planned side p with the values of a in its unknown parts.
func become(p, a side) side {
	if !planmask.HasTrue(p.unknown) {
		return p
	}
	if planmask.IsTrue(p.unknown) {
		return a
	}
	var k known
	k.fill(p, a, 0)
	return side{k.value, k.unknown, k.sensitive}
}

func (k *known) fill(p, a side, depth int) {
	if planmask.IsTrue(p.sensitive) && !planmask.IsTrue(p.unknown) {
		start := len(k.sensitive)
		k.fill(side{p.value, p.unknown, nil}, a, depth)
		k.sensitive = append(k.sensitive[:start], "true"...)
		return
	}
	kind := p.unknown.Kind()
	switch {
	case planmask.IsTrue(p.unknown):
		k.put(side{a.value, nil, a.sensitive})
	case kind == planjson.KindObject && p.value.Kind() == kind && a.value.Kind() == kind && depth < maxLevels && planmask.HasTrue(p.unknown):
		k.object(p, a, depth+1)
	case kind == planjson.KindArray && p.value.Kind() == kind && a.value.Kind() == kind && depth < maxLevels && planmask.HasTrue(p.unknown):
		k.array(p, a, depth+1)
	default:
		k.put(p)
	}
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

func (k *known) object(p, a side, depth int) {
	names, values := members(p.value)
	more, unknown := members(p.unknown)
	_, sensitive := members(p.sensitive)
	_, actual := members(a.value)
	_, hidden := members(a.sensitive)
	for _, name := range more {
		if _, ok := values[name]; !ok && planmask.HasTrue(unknown[name]) && actual[name] != nil {
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
		if planmask.IsTrue(a.sensitive) {
			mark = a.sensitive
		}
		k.fill(part, side{actual[name], nil, mark}, depth)
	}
	k.all("}")
}

func (k *known) array(p, a side, depth int) {
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
	order, places := match(planned, actual, depth)
	k.all("[")
	for n, i := range order {
		if n > 0 {
			k.all(",")
		}
		if j := places[i]; j >= 0 {
			mark := part(hidden, j)
			if planmask.IsTrue(a.sensitive) {
				mark = a.sensitive
			}
			k.fill(planned[i], side{actual[j], nil, mark}, depth)
		} else {
			k.put(planned[i])
		}
	}
	k.all("]")
}

// With more levels, or more elements that are tried for one that is not known, the time
// would not be in proportion to the text. What is deeper stays unknown.
const (
	maxLevels = 24
	maxTried  = 32
)

// match returns for each planned element the place of that which it has become, or -1,
// and an order for them: their own or, if they are a set, which sorts its elements when
// they are known, that of what they have become.
func match(planned []side, actual []planjson.Value, depth int) (order, places []int) {
	order, places = make([]int, len(planned)), make([]int, len(planned))
	same := true
	for i, p := range planned {
		order[i], places[i] = i, -1
		if i < len(actual) && canBecome(p, actual[i], depth) {
			places[i] = i
		} else {
			same = false
		}
	}
	if same || len(planned) != len(actual) {
		return order, places
	}
	// Known elements first: they can only be their equals.
	free := make(map[string][]int, len(actual))
	for j, a := range actual {
		free[string(a)] = append(free[string(a)], j)
	}
	set, taken := make([]int, len(planned)), make([]bool, len(actual))
	for i, p := range planned {
		set[i] = -1
		if list := free[string(p.value)]; len(list) > 0 && !planmask.HasTrue(p.unknown) {
			set[i], free[string(p.value)] = list[0], list[1:]
			taken[list[0]] = true
		}
	}
	var left []int
	for j := range actual {
		if !taken[j] {
			left = append(left, j)
		}
	}
	sorted := make([]int, len(planned))
	for i, p := range planned {
		for n := 0; n < min(len(left), maxTried) && set[i] < 0; n++ {
			if canBecome(p, actual[left[n]], depth) {
				set[i] = left[n]
				copy(left[1:n+1], left[:n])
				left = left[1:]
			}
		}
		if set[i] < 0 {
			return order, places // no set either
		}
		sorted[set[i]] = i
	}
	return sorted, set
}

// canBecome reports whether a value can become another one: all that is known is the same.
func canBecome(p side, a planjson.Value, depth int) bool {
	switch kind := p.value.Kind(); {
	case planmask.IsTrue(p.unknown):
		return true
	case !planmask.HasTrue(p.unknown):
		return p.value.Equal(a)
	case kind != a.Kind() || kind != p.unknown.Kind() || depth >= maxLevels:
		return false
	case kind == planjson.KindObject:
		_, values := members(p.value)
		_, unknown := members(p.unknown)
		for name, part := range a.Members() {
			if v, ok := values[name]; ok && !canBecome(side{value: v, unknown: unknown[name]}, part, depth+1) || !ok && !planmask.HasTrue(unknown[name]) {
				return false
			}
			delete(values, name)
		}
		return len(values) == 0
	case kind == planjson.KindArray:
		values, unknown, actual := elements(p.value), elements(p.unknown), elements(a)
		if len(values) != len(actual) || len(values) != len(unknown) {
			return false
		}
		for i, v := range values {
			if !canBecome(side{value: v, unknown: unknown[i]}, actual[i], depth+1) {
				return false
			}
		}
		return true
	}
	return false
}
