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

// Needs returns an iterator over the references from which a part of an instance
// is made directly, in the order of the places. The path is that of an argument or
// a part of one, or "" for the whole instance. A part of an argument with
// references to several instances may come from any of them, so none is certain.
// If the path is not that of an argument, the provider may have computed the value
// from anything: all references are listed. They are not certain if the value is a
// list, map or object, because it may come from a dynamic block, which plans do
// not show. The output of terraform_data is its input.
//
// The indexes in the path are those of the value, as in listener[0].port. There,
// the blocks of a set have a different order than in the configuration, and a plan
// does not distinguish sets and lists. The block is certain if its constant
// arguments identify it, or if it is the only one. Otherwise the references of all
// candidates are listed, and none is certain.
func (x *Instances) Needs(i *Instance, path string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		if x == nil || i == nil {
			return
		}
		places, sure := []configPath{{path, true}}, true
		if path != "" && i.Kind == Resource {
			places = i.places(path)
			if !slices.ContainsFunc(places, func(p configPath) bool { return i.isArgument(p.path) }) {
				if of, ok := i.mirrored(path); ok && i.isArgument("input") {
					places = []configPath{{of, true}}
				} else if ok {
					return
				} else {
					places, sure = []configPath{{"", true}}, !i.isContainer(path)
				}
			}
		}
		for _, h := range i.held {
			at := slices.IndexFunc(places, func(p configPath) bool {
				return p.path == "" || i.Kind != Resource || overlap(h.at, p.path)
			})
			if at < 0 {
				continue
			}
			p := places[at]
			n, _ := counted(h.targets)
			inside := p.path != "" && p.path != h.at && isPart(p.path, h.at) && n > 1
			sure := sure && p.sure
			for _, t := range flat(h.targets) {
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

// NeededBy returns an iterator over the references to a part of an instance,
// or, with the path "", to any part, sorted by the address of the instance that
// holds them.
func (x *Instances) NeededBy(i *Instance, path string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		if x == nil || i == nil {
			return
		}
		by := i.alone.referring()
		if len(i.sets) > 0 || len(i.alone.in) > 0 {
			for _, s := range i.sets {
				by = append(by, s.referring()...)
			}
			slices.SortStableFunc(by, func(a, b from) int {
				return cmp.Or(strings.Compare(a.from.Address, b.from.Address), cmp.Compare(a.at, b.at), cmp.Compare(a.index, b.index))
			})
		}
		given := map[Link]bool{}
		for _, b := range by {
			if path != "" && b.path != "" && !overlap(b.path, path) {
				continue
			}
			l := Link{From: b.from, To: i, At: b.from.held[b.at].at, Path: b.path, Certain: b.certain}
			if given[l] {
				continue
			}
			given[l] = true
			if !yield(l) {
				return
			}
		}
	}
}

// Referring returns an iterator over the references to an instance from
// resources of a type, directly or through variables, outputs and locals: for
// example, from public access blocks to a bucket. For each resource it yields
// the first certain reference, or else the first.
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
