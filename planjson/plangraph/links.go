// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// Needs returns an iterator over the references that a part of an instance is
// made of directly, in the order of the places. The path is that of an argument
// or a part of one, or "" for the whole instance. A part of an argument with
// references to several instances is made of any of them, so that none is
// certain. If the path is not that of an argument, the provider has made the
// value, of anything: all references are given. They are not certain if the value
// is a list, map or object, because a dynamic block can have made it, which plans
// do not show. The output of terraform_data is its input.
func (x *Instances) Needs(i *Instance, path string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		if x == nil || i == nil {
			return
		}
		path, sure := path, true
		if path != "" && i.Kind == Resource && !i.isArgument(path) {
			if of, ok := i.mirrored(path); ok && i.isArgument("input") {
				path = of
			} else if ok {
				return
			} else {
				sure, path = !i.isContainer(path), ""
			}
		}
		for _, h := range i.held {
			if path != "" && i.Kind == Resource && !overlap(h.at, path) {
				continue
			}
			inside := path != "" && path != h.at && isPart(path, h.at) && count(h.targets) > 1
			for _, t := range h.targets {
				for _, to := range t.to.list {
					if !yield(Link{From: i, To: to, At: h.at, Path: t.path, Certain: t.certain && sure && !inside}) {
						return
					}
				}
			}
		}
	}
}

// isArgument reports whether a path is that of an argument in the configuration.
func (i *Instance) isArgument(path string) bool {
	for _, h := range i.held {
		if overlap(h.at, path) {
			return true
		}
	}
	if i.block == nil {
		return false
	}
	at := func(a argumentConfig) bool { return overlap(a.at, path) }
	return slices.ContainsFunc(i.block.constant, func(at string) bool { return overlap(at, path) }) || slices.ContainsFunc(i.block.arguments, at)
}

// mirrored returns the part of the input of terraform_data that a part of its
// output is.
func (i *Instance) mirrored(path string) (string, bool) {
	if i.Type != "terraform_data" || i.Mode != addrs.Managed || !isPart(path, "output") {
		return "", false
	}
	return "input" + path[len("output"):], true
}

// isContainer reports whether the attribute of a path is known to have parts.
func (i *Instance) isContainer(path string) bool {
	name := argument(path)
	has := func(v planjson.Value) bool {
		k := v.Member(name).Kind()
		return k == planjson.KindArray || k == planjson.KindObject
	}
	return has(i.Value) || i.Change != nil && has(i.Change.AfterUnknown)
}

// NeededBy returns an iterator over the references to a part of an instance, or
// with the path "" to any part, sorted by the address of where they are.
func (x *Instances) NeededBy(i *Instance, path string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		if x == nil || i == nil {
			return
		}
		by := i.alone.by
		if len(i.sets) > 0 {
			by = slices.Clone(by)
			for _, s := range i.sets {
				by = append(by, s.by...)
			}
			slices.SortFunc(by, func(a, b back) int {
				return cmp.Or(strings.Compare(a.from.Address, b.from.Address), cmp.Compare(a.at, b.at), cmp.Compare(a.index, b.index))
			})
		}
		for _, b := range by {
			h := b.from.held[b.at]
			t := h.targets[b.index]
			if path != "" && t.path != "" && !overlap(t.path, path) {
				continue
			}
			if !yield(Link{From: b.from, To: i, At: h.at, Path: t.path, Certain: t.certain}) {
				return
			}
		}
	}
}

// Referring returns an iterator over the references to an instance from
// resources of a type, as from the public access blocks of a bucket, directly or
// through variables, outputs and locals: of each resource the first one that is
// certain, or else the first.
func (x *Instances) Referring(i *Instance, typ string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		var last Link
		for l := range x.NeededBy(i, "") {
			if l.From.Type != typ {
				continue
			}
			if last.From != nil && last.From != l.From && !yield(last) {
				return
			}
			if last.From != l.From || l.Certain && !last.Certain {
				last = l
			}
		}
		if last.From != nil {
			yield(last)
		}
	}
}

// Way returns the shortest way of references from an instance to another one
// that it is made of, or nil if there is none.
func (x *Instances) Way(from, to *Instance) []Link {
	if x == nil || from == nil || to == nil {
		return nil
	}
	came := map[*Instance]Link{from: {}}
	seen := map[*set]bool{}
	for queue := []*Instance{from}; len(queue) > 0; queue = queue[1:] {
		for _, h := range queue[0].held {
			for _, t := range h.targets {
				if seen[t.to] {
					continue
				}
				seen[t.to] = true
				for _, next := range t.to.list {
					if _, ok := came[next]; ok {
						continue
					}
					came[next] = Link{From: queue[0], To: next, At: h.at, Path: t.path, Certain: t.certain}
					if next != to {
						queue = append(queue, next)
						continue
					}
					var way []Link
					for at := to; at != from; at = came[at].From {
						way = append(way, came[at])
					}
					slices.Reverse(way)
					return way
				}
			}
		}
	}
	return nil
}
