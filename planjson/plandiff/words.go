// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/planjson"
)

// A Summary counts the resource changes of a plan as the tools do: a
// replacement counts as one to add and one to destroy.
type Summary struct {
	// The numbers of objects that are imported, created, updated, destroyed,
	// forgotten and moved. A replacement counts as created and, unless the old
	// object is forgotten, as destroyed.
	Import, Add, Change, Destroy, Forget, Move int

	// The number of actions that are invoked, without deferred ones.
	Invoke int
}

// Summary counts the planned changes.
func (d *Diff) Summary() Summary {
	if d == nil {
		return Summary{}
	}
	var s Summary
	d = d.plan()
	for _, r := range d.Resources {
		if r.Importing {
			s.Import++
		}
		if r.isMoved() {
			s.Move++
		}
		a := r.Actions
		if a.Creates() {
			s.Add++
		}
		if a.Destroys() {
			s.Destroy++
		}
		if a.Forgets() {
			s.Forget++
		}
		if a.IsUpdate() {
			s.Change++
		}
	}
	for _, i := range d.Invocations {
		if i.Reason == "" {
			s.Invoke++
		}
	}
	return s
}

// IsEmpty reports whether d changes nothing: no resource, no output, no action. Drift counts
// only in a refresh-only plan, which records it. It is never true for a plan that failed or has a
// format version that is not supported.
func (d *Diff) IsEmpty() bool {
	if d == nil {
		return false
	}
	return !d.hasChanges() && !d.State.Errored && !d.State.Unsupported && !d.State.RefreshOnly
}

// String returns the summary as the tools print it, such as "1 to import, 2 to add,
// 0 to change, 1 to destroy".
func (s Summary) String() string {
	var b strings.Builder
	if s.Import > 0 {
		fmt.Fprintf(&b, "%d to import, ", s.Import)
	}
	fmt.Fprintf(&b, "%d to add, %d to change, %d to destroy", s.Add, s.Change, s.Destroy)
	if s.Forget > 0 {
		fmt.Fprintf(&b, ", %d to forget", s.Forget)
	}
	if s.Move > 0 {
		fmt.Fprintf(&b, ", %d to move", s.Move)
	}
	if s.Invoke > 0 {
		fmt.Fprintf(&b, ", %d to invoke", s.Invoke)
	}
	return b.String()
}

// Symbol returns the sign that the tools put before such a change: "+", "-",
// "~", "-/+", "+/-", "./+" of a replacement that forgets the old object, "<=" and so on.
func (r *Resource) Symbol() string {
	if r == nil {
		return ""
	}
	a := r.Actions
	switch {
	case a.IsReplace() && !a.Destroys() && a[0] == planjson.ActionForget:
		return "./+"
	case a.IsReplace() && !a.Destroys():
		return "+/."
	case a.IsCreateBeforeDestroy():
		return "+/-"
	case a.IsDestroyBeforeCreate():
		return "-/+"
	case a.IsCreate():
		return "+"
	case a.IsDelete():
		return "-"
	case a.IsUpdate():
		return "~"
	case a.IsRead():
		return "<="
	case a.IsForget():
		return "."
	}
	return " "
}

// Headline describes the change of the object in a few words, such as "will be
// updated in-place".
func (r *Resource) Headline() string {
	if r == nil {
		return ""
	}
	return r.headline(printable.Text)
}

// headline is Headline with the texts of the plan written by code.
func (r *Resource) headline(code func(string) string) string {
	a := r.Actions
	var s string
	switch {
	case r.Reason != "":
		s = "will be changed by a later plan"
	case r.Drift && a.IsDelete():
		s = "has been deleted"
	case r.Drift && a.IsNoOp() && r.isMoved():
		s = "has moved"
	case r.Drift:
		s = "has changed"
	case a.IsReplace() && (r.ActionReason == planjson.ReplaceByRequest || r.ActionReason == planjson.ReplaceByTriggers):
		s = "will be replaced"
	case a.IsReplace() && r.ActionReason == planjson.ReplaceBecauseTainted:
		s = "is tainted, so it must be replaced"
	case a.IsReplace():
		s = "must be replaced"
	case a.IsCreate():
		s = "will be created"
	case a.IsDelete():
		s = "will be destroyed"
	case a.IsUpdate():
		s = "will be updated in-place"
	case a.IsRead():
		s = "will be read during apply"
	case a.IsForget():
		s = "will be removed from the state, but not destroyed"
	case a.IsNoOp() && r.Importing:
		s = "will be imported"
	case a.IsNoOp() && r.isMoved():
		s = "has moved to this address"
	case a.IsNoOp():
		s = "does not change"
	case len(a) == 0:
		s = "differs"
	default:
		s = "will be changed by " + code(a.String())
	}
	if a.IsReplace() && !a.Destroys() && r.Reason == "" && !r.Drift {
		s += ", but the old object is not destroyed"
	}
	if r.Deposed != "" {
		s = "(deposed object " + code(r.Deposed) + ") " + s
	}
	return s
}

// Explain returns the reason as a sentence without a full stop, or "" if the
// action needs none: the attributes that force a replacement are marked in
// Object (see [Attribute.ForcesReplacement]), and a taint is in
// [Resource.Headline].
func (r *Resource) Explain() string {
	if r == nil {
		return ""
	}
	return r.explain(printable.Text)
}

// explain is Explain with the texts of the plan written by code.
func (r *Resource) explain(code func(string) string) string {
	if r.Reason != "" {
		return explainDeferred(r.Reason, code)
	}
	switch r.ActionReason {
	case "", planjson.ReplaceBecauseCannotUpdate, planjson.ReplaceBecauseTainted:
		return ""
	case planjson.ReplaceByRequest:
		return "as requested"
	case planjson.ReplaceByTriggers:
		return "because of replace_triggered_by"
	case planjson.DeleteBecauseNoResourceConfig:
		return "because " + code(r.Type+"."+r.Name) + " is not in the configuration"
	case planjson.DeleteBecauseWrongRepetition:
		return "because the resource does not use count or for_each in this way"
	case planjson.DeleteBecauseCountIndex:
		return "because the index is out of the range of count"
	case planjson.DeleteBecauseEachKey:
		return "because the key is not in the for_each map"
	case planjson.DeleteBecauseNoModule:
		return "because " + code(r.ModuleAddress) + " is not in the configuration"
	case planjson.DeleteBecauseNoMoveTarget:
		return "because it was moved to " + code(r.Address) + ", which is not in the configuration"
	case planjson.DeleteBecauseEnabledFalse:
		return "because enabled is false"
	case planjson.ForgotBecauseLifecycleDestroyInConfig, planjson.ForgotBecauseLifecycleDestroyInState:
		return "because destroy is false in its lifecycle"
	case planjson.ReadBecauseConfigUnknown:
		return "config refers to values not yet known"
	case planjson.ReadBecauseDependencyPending:
		return "depends on a resource or a module with changes pending"
	case planjson.ReadBecauseCheckNested:
		return "config will be reloaded to verify a check block"
	}
	return "the reason is " + code(string(r.ActionReason))
}

// explainDeferred says why something is deferred.
func explainDeferred(reason planjson.DeferredReason, code func(string) string) string {
	switch reason {
	case "":
		return ""
	case planjson.DeferredInstanceCountUnknown:
		return "the number of instances is not yet known"
	case planjson.DeferredResourceConfigUnknown:
		return "the configuration of the resource is not yet known"
	case planjson.DeferredProviderConfigUnknown:
		return "the configuration of the provider is not yet known"
	case planjson.DeferredPrerequisite:
		return "something that it needs is deferred"
	case planjson.DeferredAbsentPrerequisite:
		return "something that it needs is absent"
	}
	return "the reason is " + code(string(reason))
}

// urgency orders changes: those that destroy come first.
func (r *Resource) urgency() int {
	a := r.Actions
	switch {
	case a.IsReplace() && a.Destroys():
		return 1
	case a.Destroys():
		return 0
	case a.Forgets():
		return 2
	case a.IsUpdate():
		return 3
	case a.Creates():
		return 4
	case !a.IsKnown():
		return 0
	case a.IsRead():
		return 6
	}
	return 5
}

// ByUrgency returns the planned changes, those that destroy first, then
// replacements, forgotten objects, updates, new objects, and the rest. Within
// each group they are in the order of the plan.
func (d *Diff) ByUrgency() []*Resource {
	if d == nil {
		return nil
	}
	return byUrgency(d.Resources)
}

func byUrgency(list []*Resource) []*Resource {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *Resource) int { return a.urgency() - b.urgency() })
	return list
}

// mark returns the sign of a change, or a word for those whose sign nobody knows.
func (r *Resource) mark() string {
	switch s := r.Symbol(); s {
	case "+", "-", "~", "-/+", "+/-", "./+", "+/.":
		return s
	}
	return r.Class()
}

// Class returns one word for the change of the object: "create", "delete",
// "replace", "replace-forget" if the old object is not destroyed, "update", "read", "forget", "import", "move", or "other".
func (r *Resource) Class() string {
	if r == nil {
		return ""
	}
	a := r.Actions
	switch {
	case a.IsReplace() && !a.Destroys():
		return "replace-forget"
	case a.IsReplace():
		return "replace"
	case a.IsCreate():
		return "create"
	case a.IsDelete():
		return "delete"
	case a.IsUpdate():
		return "update"
	case a.IsRead():
		return "read"
	case a.IsForget():
		return "forget"
	case a.IsNoOp() && r.Importing:
		return "import"
	case a.IsNoOp() && r.isMoved():
		return "move"
	}
	return "other"
}

// story says in one line what happens to an object and why. Texts of the plan are written by
// code.
func (r *Resource) story(code func(string) string) string {
	s := r.headline(code)
	if why := r.explain(code); strings.HasPrefix(why, "because ") || strings.HasPrefix(why, "as ") {
		s += " " + why
	} else if why != "" {
		s += ": " + why
	}
	if forces := r.forces(); len(forces) > 0 {
		s += ", forced by "
		for i, path := range forces {
			if i == 3 {
				s += fmt.Sprintf(" and %d more", len(forces)-i)
				break
			}
			s += [...]string{"", ", "}[min(i, 1)] + code(path)
		}
	}
	if r.isMoved() {
		s += ", moved from " + code(r.PreviousAddress)
	}
	switch {
	case r.ImportID != "":
		s += ", imported from " + code(r.ImportID)
	case r.Importing && r.ImportIdentity.Kind() == planjson.KindObject:
		s += ", imported from " + code(strings.Join(strings.Fields(string(r.ImportIdentity)), " "))
	case r.Importing && !r.Actions.IsNoOp():
		s += ", imported first"
	}
	return s
}

// forces returns the paths of the attributes that force a replacement.
func (r *Resource) forces() (paths []string) {
	var walk func(a *Attribute)
	walk = func(a *Attribute) {
		if a.ForcesReplacement && a != &r.Object {
			paths = append(paths, a.String())
			return
		}
		for _, c := range a.Children {
			walk(c)
		}
	}
	if r.Actions.IsReplace() {
		walk(&r.Object)
	}
	return slices.Compact(paths)
}
