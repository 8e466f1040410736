// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"iter"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// An Effect is a planned change that another change has a part in.
type Effect struct {
	// Link is the reference through which it does: From changes because To does.
	Link Link

	// Replaces reports whether the change of that argument forces the replacement
	// of the instance.
	Replaces bool
}

// Impact returns an iterator over what changes because an instance does, directly
// or not, the nearest first: instances and outputs whose arguments refer to a part
// of it that changes or is not known before the application, and that change
// themselves or are not known, each argument once. For something without a planned change, such as a
// variable, all of it counts as changed.
func (x *Instances) Impact(i *Instance) iter.Seq[Effect] {
	return func(yield func(Effect) bool) {
		if x == nil || i == nil {
			return
		}
		type place struct {
			of *Instance
			at string
		}
		seen := map[*Instance]bool{i: true}
		given := map[place]bool{}
		for queue := []*Instance{i}; len(queue) > 0; queue = queue[1:] {
			to := queue[0]
			for l := range x.NeededBy(to, "") {
				if l.From == i || l.At == "depends_on" || l.At == "provisioner" || given[place{l.From, l.At}] || !changes(to, pathSteps(l.Path)) || !changes(l.From, argumentOf(l)) {
					continue
				}
				given[place{l.From, l.At}] = true
				if !seen[l.From] {
					seen[l.From] = true
					queue = append(queue, l.From)
				}
				if !yield(Effect{l, l.From.replacedBy(l.At)}) {
					return
				}
			}
		}
	}
}

// argumentOf returns the argument of a link, of which the blocks of a set can be in
// another order than in the configuration.
func argumentOf(l Link) []any {
	if l.At == "" || l.At == "count" || l.At == "for_each" {
		return nil
	}
	return []any{argument(l.At)}
}

// changes reports whether a part of an instance is changed by the plan, or may be.
func changes(i *Instance, steps []any) bool {
	c := i.Change
	if c == nil || i.Kind == Resource && c.Actions.IsRead() {
		return i.Kind != Output
	}
	if c.Actions.IsNoOp() {
		return false
	}
	return touches(c.AfterUnknown, steps) || !c.Before.Get(steps...).Equal(c.After.Get(steps...))
}

// replacedBy reports whether an argument forces the replacement of an instance.
func (i *Instance) replacedBy(at string) bool {
	return i.Change != nil && slices.ContainsFunc(i.Change.ReplacePaths, func(p planjson.Value) bool {
		name, ok := p.Element(0).Text()
		return ok && name == argument(at)
	})
}

// touches reports whether marks have a true above, at or below a place.
func touches(marks planjson.Value, steps []any) bool {
	for _, step := range steps {
		if b, ok := marks.Bool(); ok {
			return b
		}
		if marks = marks.Get(step); marks == nil {
			return false
		}
	}
	for v := range marks.Scalars() {
		if b, ok := v.Bool(); ok && b {
			return true
		}
	}
	return false
}

// pathSteps returns the steps of a path as in an expression, as far as they can be
// read.
func pathSteps(path string) (steps []any) {
	if path == "" {
		return nil
	}
	ref, err := addrs.ParseReference(withPath("var.x", path))
	if err != nil {
		return nil
	}
	for step := range ref.Remaining() {
		if name, ok := step.Attr(); ok {
			steps = append(steps, name)
			continue
		}
		key, _ := step.Index()
		if n, ok := key.Int(); ok {
			steps = append(steps, int(n))
		} else if s, ok := key.Str(); ok {
			steps = append(steps, s)
		} else {
			break
		}
	}
	return steps
}

// withPath puts a path behind an address.
func withPath(address, path string) string {
	if path == "" || path[0] == '[' {
		return address + path
	}
	return address + "." + path
}
