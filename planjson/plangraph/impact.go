// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"iter"
	"slices"

	"github.com/tofuwire/tofuwire/planjson"
)

// An Effect is a planned change that another change contributes to.
type Effect struct {
	// Link is the reference that connects the two: From changes because To does.
	Link Link

	// Replaces reports whether the change of that argument forces the replacement
	// of the instance.
	Replaces bool
}

// Impact returns an iterator over the changes that follow from the change of an instance, directly
// or not, the nearest first. They are those of instances and outputs that change themselves or are
// not known, and whose arguments refer to a part of the instance that changes or is not known before
// the apply. Each argument is listed once. An instance without a planned change, such as a variable,
// counts as wholly changed.
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
				if l.From == i || l.At == "depends_on" || l.At == "provisioner" || given[place{l.From, l.At}] || !changes(to, stepsOf(l.Path)) || !changes(l.From, argumentOf(l)) {
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

// argumentOf returns the argument of a link. The blocks of a set in it can be in
// another order than in the configuration.
func argumentOf(l Link) []any {
	if l.At == "" || l.At == "count" || l.At == "for_each" || l.At == triggeredBy {
		return nil
	}
	return []any{argument(l.At)}
}

// triggeredBy is the place of references in replace_triggered_by.
const triggeredBy = "replace_triggered_by"

// changes reports whether a part of an instance is changed by the plan, or may be.
func changes(i *Instance, steps []any) bool {
	c := i.Change
	if c == nil || i.Kind == Resource && c.Actions.IsRead() {
		return i.Kind != Output
	}
	if c.Actions.IsNoOp() {
		return false
	}
	return c.IsUnknown(steps...) || !c.Before.Get(steps...).Equal(c.After.Get(steps...))
}

// replacedBy reports whether an argument forces the replacement of an instance.
func (i *Instance) replacedBy(at string) bool {
	if at == triggeredBy {
		return i.Resource != nil && i.Resource.ActionReason == planjson.ReplaceByTriggers
	}
	return i.Change != nil && slices.ContainsFunc(i.Change.ReplacePaths, func(p planjson.Value) bool {
		name, ok := p.Element(0).Text()
		return ok && name == argument(at)
	})
}

// stepsOf returns the steps of a path, none if it cannot be read.
func stepsOf(path string) []any {
	steps, err := planjson.ParsePath(path)
	if err != nil {
		return nil
	}
	return steps
}
