// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

// A Selection says which changes [Diff.Only] keeps: those for which the functions return true, which
// must not be nil. Resource is also asked about deferred changes and drift.
type Selection struct {
	Resource   func(*Resource) bool   // for resources, also deferred ones and drift
	Output     func(*Output) bool     // for output values
	Invocation func(*Invocation) bool // for invoked actions
}

// Only returns a copy of d with the details of the changes that s keeps. The writers and MarshalJSON show
// these alone. What d says of the plan as a whole stays, so that a selection cannot
// make it look harmless: the headline, the verdict, the summary and the notes, with one more that
// counts what is not shown. It shares everything else with d.
func (d *Diff) Only(s Selection) *Diff {
	if d == nil {
		return nil
	}
	out := *d
	out.whole = d.plan()
	out.Resources, out.Deferred, out.Drift = selected(d.Resources, s.Resource), selected(d.Deferred, s.Resource), selected(d.Drift, s.Resource)
	out.Outputs, out.Invocations = selected(d.Outputs, s.Output), selected(d.Invocations, s.Invocation)
	return &out
}

// NotShown returns how many changes [Diff.Only] left out.
func (d *Diff) NotShown() int {
	if d == nil {
		return 0
	}
	return d.plan().changes() - d.changes()
}

func (d *Diff) changes() int {
	return len(d.Resources) + len(d.Deferred) + len(d.Drift) + len(d.Outputs) + len(d.Invocations)
}

// plan returns the changes of the whole plan.
func (d *Diff) plan() *Diff {
	if d.whole != nil {
		return d.whole
	}
	return d
}

func selected[T any](list []*T, keep func(*T) bool) (out []*T) {
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}
