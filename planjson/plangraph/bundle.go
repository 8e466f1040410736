// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import "slices"

// A bundle is a group of many targets with many references to it, such as the
// targets of a variable with many references. It counts as one target of each
// reference, which keeps the memory proportional to the references.
type bundle struct {
	targets []target
	count   int       // of instances: 0, 1, or 2 for more
	first   *Instance // of them
	by      []back    // the references that lead here
	in      []inside  // the bundles that it is in
}

// An inside is the place of a target in a bundle.
type inside struct {
	of    *bundle
	index int32
}

// maxTargets is how many targets are not a bundle yet.
const maxTargets = 8

// bundled returns targets as one if they are many.
func (x *Instances) bundled(all []target) []target {
	if len(all) <= maxTargets {
		return all
	}
	b := &bundle{targets: all}
	b.count, b.first = counted(all)
	x.bundles = append(x.bundles, b)
	return []target{{via: b, certain: true}}
}

// counted returns how many instances targets have, or 2 if there are more, and the
// first.
func counted(all []target) (n int, first *Instance) {
	for _, t := range all {
		if t.via != nil {
			if t.via.count == 2 || first != nil && t.via.first != nil && t.via.first != first {
				return 2, t.via.first
			} else if first == nil {
				first = t.via.first
			}
			continue
		}
		for _, i := range t.to.list {
			if first != nil && i != first {
				return 2, first
			}
			first = i
		}
	}
	if first == nil {
		return 0, nil
	}
	return 1, first
}

// link records for each target the references to it.
func (x *Instances) link() {
	for _, i := range x.order {
		for at, h := range i.held {
			for n, t := range h.targets {
				b := back{i, int32(at), int32(n)}
				if t.via != nil {
					t.via.by = append(t.via.by, b)
				} else {
					t.to.by = append(t.to.by, b)
				}
			}
		}
	}
	for _, b := range x.bundles {
		for n, t := range b.targets {
			if t.via != nil {
				t.via.in = append(t.via.in, inside{b, int32(n)})
			} else {
				t.to.in = append(t.to.in, inside{b, int32(n)})
			}
		}
	}
}

// flat returns targets with those of bundles in their place, each once.
func flat(all []target) []target {
	if !slices.ContainsFunc(all, func(t target) bool { return t.via != nil }) {
		return all
	}
	type visit struct {
		b       *bundle
		certain bool
	}
	seen := map[visit]bool{}
	var out []target
	for stack := reversed(all, true); len(stack) > 0; {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t.via == nil {
			out = append(out, t)
			continue
		}
		if v := (visit{t.via, t.certain}); !seen[v] {
			seen[v] = true
			stack = append(stack, reversed(t.via.targets, t.certain)...)
		}
	}
	return unique(out)
}

func reversed(all []target, certain bool) []target {
	all = slices.Clone(all)
	slices.Reverse(all)
	for i := range all {
		all[i].certain = all[i].certain && certain
	}
	return all
}

// A from is a reference to a part of something, as seen from there.
type from struct {
	back
	path    string
	certain bool
}

// referring returns the references to a set, also those over bundles.
func (s *set) referring() (all []from) {
	for _, b := range s.by {
		t := b.from.held[b.at].targets[b.index]
		all = append(all, from{b, t.path, t.certain})
	}
	type visit struct {
		b       *bundle
		path    string
		certain bool
	}
	seen := map[visit]bool{}
	var stack []visit
	up := func(in []inside, of visit) {
		for _, i := range in {
			t := i.of.targets[i.index]
			v := visit{i.of, of.path, of.certain && t.certain}
			if t.via == nil {
				v.path = t.path
			}
			if !seen[v] {
				seen[v] = true
				stack = append(stack, v)
			}
		}
	}
	for up(s.in, visit{certain: true}); len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, b := range v.b.by {
			all = append(all, from{b, v.path, v.certain && b.from.held[b.at].targets[b.index].certain})
		}
		up(v.b.in, v)
	}
	return all
}
