// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ctyconv

import (
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Unify returns the type that values of all the types can be converted to, or cty.NilType if there is none. It is
// the type that convert.UnifyUnsafe finds.
func Unify(types []cty.Type) cty.Type {
	if isSmall(types...) {
		t, _ := convert.UnifyUnsafe(types)
		return t
	}
	t := newTable()
	nodes := make([]*node, len(types))
	for i, typ := range types {
		nodes[i] = t.of(typ)
	}
	if n := t.union(nodes); n != nil {
		return n.typ
	}
	return cty.NilType
}

// Unified returns values converted to the type that theirs have in common. It returns nil if there is none, or if one
// of the values cannot be converted. Values of one type are returned as they are.
func Unified(values []cty.Value) []cty.Value {
	types := make([]cty.Type, len(values))
	equal := true
	for i, v := range values {
		types[i] = v.Type()
		equal = equal && types[i].Equals(types[0])
	}
	if equal {
		return values
	}
	t := Unify(types)
	if t == cty.NilType {
		return nil
	}
	out := make([]cty.Value, len(values))
	for i, v := range values {
		var err error
		if out[i], err = Convert(v, t); err != nil {
			return nil
		}
	}
	if t.HasDynamicTypes() && !cty.CanListVal(out) {
		return nil
	}
	return out
}

// distinct returns the nodes without repetitions, in order, and a key of them.
func distinct(nodes []*node) ([]*node, string) {
	seen := make(map[*node]bool, min(len(nodes), 64))
	var out []*node
	var key strings.Builder
	for _, n := range nodes {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
			key.WriteString(strconv.Itoa(n.id))
			key.WriteByte(',')
		}
	}
	return out, key.String()
}

// union returns the type that values of all types can be converted to, or nil.
func (t *table) union(nodes []*node) *node {
	nodes, key := distinct(nodes)
	if len(nodes) == 0 {
		return nil
	}
	if len(nodes) == 1 {
		return nodes[0]
	}
	n, ok := t.unions[key]
	if !ok {
		n = t.unionOf(nodes)
		t.unions[key] = n
	}
	return n
}

// unionOf is union for different types.
func (t *table) unionOf(nodes []*node) *node {
	var by [object + 1][]*node
	for _, n := range nodes {
		by[n.kind] = append(by[n.kind], n)
	}
	only := func(kinds ...kind) bool {
		n := len(by[dynamic])
		for _, k := range kinds {
			n += len(by[k])
		}
		return n == len(nodes)
	}
	any := len(by[dynamic]) > 0
	switch {
	case only(mapping), only(list), only(set), only(object), only(tuple):
		if any {
			return by[dynamic][0] // nobody knows what they will be
		}
		return t.alike(nodes)
	case only(mapping, object):
		if n := t.structured(mapping, by[mapping], by[object], any); n != nil {
			return n
		}
	case only(list, tuple):
		if n := t.structured(list, by[list], by[tuple], any); n != nil {
			return n
		}
	case len(by[object]) > 0 && len(by[tuple]) > 0:
		return nil
	}
	if n := t.preferred(by, only); n != nil {
		return n
	}
	if any {
		return by[dynamic][0]
	}
	return nil
}

// structured is unionOf for collections of a kind, and tuples or objects that are taken for such collections.
func (t *table) structured(k kind, collections, structures []*node, any bool) *node {
	if any {
		return nil
	}
	e := t.union(partsOf(structures))
	if e == nil {
		return nil
	}
	return t.alike(append(slices.Clone(collections), t.node(k, cty.NilType, nil, []*node{e})))
}

// alike is unionOf for types of one kind.
func (t *table) alike(nodes []*node) *node {
	first := nodes[0]
	switch first.kind {
	case list, set, mapping:
		if e := t.union(partsOf(nodes)); e != nil {
			return t.node(first.kind, cty.NilType, nil, []*node{e})
		}
		return nil
	}
	for _, n := range nodes[1:] {
		if len(n.parts) != len(first.parts) || !slices.Equal(n.names, first.names) {
			return t.collection(nodes)
		}
	}
	parts := make([]*node, len(first.parts))
	across := make([]*node, len(nodes))
	for i := range parts {
		for j, n := range nodes {
			across[j] = n.parts[i]
		}
		if parts[i] = t.union(across); parts[i] == nil {
			return nil
		}
	}
	return t.node(first.kind, cty.NilType, first.names, parts)
}

// collection returns the map or list that objects or tuples can be converted to.
func (t *table) collection(nodes []*node) *node {
	e := t.union(partsOf(nodes))
	if e == nil {
		return nil
	}
	if e.kind == dynamic { // then each has a type of its own
		for _, n := range nodes {
			if t.union(n.parts) == nil && len(n.parts) > 0 {
				return nil
			}
		}
	}
	k := list
	if nodes[0].kind == object {
		k = mapping
	}
	return t.node(k, cty.NilType, nil, []*node{e})
}

func partsOf(nodes []*node) []*node {
	var out []*node
	for _, n := range nodes {
		out = append(out, n.parts...)
	}
	return out
}

// preferred returns one of the types that all others can be converted to, where types of several kinds meet.
func (t *table) preferred(by [object + 1][]*node, only func(...kind) bool) *node {
	switch {
	case only(leaf):
		if len(by[leaf]) == 1 {
			return by[leaf][0]
		}
		text := t.of(cty.String)
		for _, n := range by[leaf] {
			if !n.typ.IsPrimitiveType() {
				return nil
			}
		}
		if slices.Contains(by[leaf], text) {
			return text
		}
	case only(list, set, tuple):
		// A list and a set can each be made of the others.
		return t.candidate(slices.Concat(by[list], by[set]), slices.Concat(by[list], by[set], by[tuple]))
	case only(mapping, object):
		return t.candidate(slices.Concat(by[mapping], by[object]), slices.Concat(by[mapping], by[object]))
	}
	return nil
}

// maxCandidates is how many types are tried where one of them has to be the type of all.
const maxCandidates = 8

// candidate returns the first of some types that all can be converted to.
func (t *table) candidate(some, all []*node) *node {
	e := t.union(partsOf(all))
	slices.SortStableFunc(some, func(a, b *node) int { return rank(b, e) - rank(a, e) })
	for _, n := range some[:min(len(some), maxCandidates)] {
		if !slices.ContainsFunc(all, func(from *node) bool { return !t.converts(from, n) }) {
			return n
		}
	}
	return nil
}

// rank is larger for types that are more general.
func rank(n, element *node) int {
	switch {
	case n.kind == object:
		return -len(n.parts)
	case n.kind == set && n.parts[0] == element:
		return 2
	case n.kind == set:
		return 1
	case n.parts[0] == element:
		return 4
	}
	return 3
}

// converts reports whether some values of a type can be converted to another.
func (t *table) converts(from, to *node) bool {
	each := func(e *node) bool {
		return !slices.ContainsFunc(from.parts, func(n *node) bool { return !t.converts(n, e) })
	}
	text := func(n *node) bool { return n.typ == cty.String }
	switch {
	case from == to, from.kind == dynamic, to.kind == dynamic:
		return true
	case from.kind == leaf && to.kind == leaf:
		return text(from) && to.typ.IsPrimitiveType() || text(to) && from.typ.IsPrimitiveType()
	case to.kind == list || to.kind == set:
		if from.kind == tuple && to.parts[0].kind == dynamic {
			return len(from.parts) == 0 || t.union(from.parts) != nil
		}
		return (from.kind == list || from.kind == set || from.kind == tuple) && each(to.parts[0])
	case to.kind == mapping:
		if from.kind == object && to.parts[0].kind == dynamic {
			return len(from.parts) == 0 || t.union(from.parts) != nil
		}
		return (from.kind == mapping || from.kind == object) && each(to.parts[0])
	case to.kind == tuple:
		if from.kind != tuple || len(from.parts) != len(to.parts) {
			return false
		}
		for i, p := range from.parts {
			if !t.converts(p, to.parts[i]) {
				return false
			}
		}
		return true
	case to.kind == object && (from.kind == mapping || from.kind == object):
		for i, name := range to.names {
			j, ok := 0, true // a map has one part
			if from.kind == object {
				j, ok = slices.BinarySearch(from.names, name)
			}
			if !ok || !t.converts(from.parts[j], to.parts[i]) {
				return false
			}
		}
		return true
	}
	return false
}
