// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"slices"
	"strings"
)

// An Action is one step of a change. It is an open enumeration: an action that
// a newer tool writes is kept. [Actions.IsKnown] is the only predicate that
// takes it into account.
// Its values include [ActionNoOp], [ActionCreate] and [ActionRead].
type Action string

// The actions.
const (
	ActionNoOp   Action = "no-op"
	ActionCreate Action = "create"
	ActionRead   Action = "read"
	ActionUpdate Action = "update"
	ActionDelete Action = "delete"
	ActionForget Action = "forget" // drop from the state, do not destroy; Terraform 1.7, OpenTofu 1.7
	ActionOpen   Action = "open"   // an ephemeral resource; OpenTofu 1.11 only
)

// Actions lists the actions of a change, in order: one action, or the two of a
// replacement. A replacement has four forms: either the create or the removal of
// the old object comes first, and the removal is either a delete or a forget.
// Terraform writes ["create","forget"], OpenTofu ["forget","create"].
type Actions []Action

// knownActions lists every form that a released tool writes.
var knownActions = []Actions{
	{ActionNoOp},
	{ActionCreate},
	{ActionRead},
	{ActionUpdate},
	{ActionDelete},
	{ActionForget},
	{ActionOpen},
	{ActionDelete, ActionCreate},
	{ActionCreate, ActionDelete},
	{ActionCreate, ActionForget},
	{ActionForget, ActionCreate},
}

// String returns the actions in words, such as "update" or "delete, create".
func (a Actions) String() string {
	var b strings.Builder
	for i, step := range a {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(step))
	}
	return b.String()
}

// IsKnown reports whether a is one of the forms that a released tool writes.
// A policy that must not overlook anything refuses all others.
func (a Actions) IsKnown() bool {
	return slices.ContainsFunc(knownActions, func(k Actions) bool { return slices.Equal(a, k) })
}

// IsNoOp reports whether a does nothing.
func (a Actions) IsNoOp() bool { return a.is(ActionNoOp) }

// IsCreate reports whether a only creates an object.
func (a Actions) IsCreate() bool { return a.is(ActionCreate) }

// IsRead reports whether a only reads a data source.
func (a Actions) IsRead() bool { return a.is(ActionRead) }

// IsUpdate reports whether a updates the object in place.
func (a Actions) IsUpdate() bool { return a.is(ActionUpdate) }

// IsDelete reports whether a only destroys the object. See also
// [Actions.Destroys], which includes replacements.
func (a Actions) IsDelete() bool { return a.is(ActionDelete) }

// IsForget reports whether a only drops the object from the state.
func (a Actions) IsForget() bool { return a.is(ActionForget) }

// IsReplace reports whether a puts a new object in the place of the old one,
// in any of the four forms.
func (a Actions) IsReplace() bool {
	return a.IsCreateBeforeDestroy() || a.IsDestroyBeforeCreate()
}

// IsCreateBeforeDestroy reports whether a creates the new object before the old
// one is deleted or forgotten.
func (a Actions) IsCreateBeforeDestroy() bool {
	return a.is(ActionCreate, ActionDelete) || a.is(ActionCreate, ActionForget)
}

// IsDestroyBeforeCreate reports whether a deletes or forgets the old object
// before the new one is created.
func (a Actions) IsDestroyBeforeCreate() bool {
	return a.is(ActionDelete, ActionCreate) || a.is(ActionForget, ActionCreate)
}

// Creates reports whether a creates an object, alone or in a replacement.
func (a Actions) Creates() bool { return slices.Contains(a, ActionCreate) }

// Destroys reports whether a destroys an object, alone or in a replacement.
// Forgetting does not destroy.
func (a Actions) Destroys() bool { return slices.Contains(a, ActionDelete) }

// Forgets reports whether a drops an object from the state without destroying
// it, alone or in a replacement.
func (a Actions) Forgets() bool { return slices.Contains(a, ActionForget) }

func (a Actions) is(steps ...Action) bool { return slices.Equal(a, steps) }

// An ActionReason says why a change is planned, if its actions alone do not
// show that. It is an open enumeration: other values are kept.
//
// Source: OpenTofu internal/command/jsonplan/plan.go.
// Its values include [ReplaceBecauseCannotUpdate], [ReplaceBecauseTainted] and [ReplaceByRequest].
type ActionReason string

// Why an object is replaced.
const (
	ReplaceBecauseCannotUpdate ActionReason = "replace_because_cannot_update" // an attribute cannot change in place
	ReplaceBecauseTainted      ActionReason = "replace_because_tainted"
	ReplaceByRequest           ActionReason = "replace_by_request"  // -replace
	ReplaceByTriggers          ActionReason = "replace_by_triggers" // replace_triggered_by; Terraform 1.2
)

// Why an object is deleted, or forgotten. Terraform 1.1 unless noted otherwise.
const (
	DeleteBecauseNoResourceConfig ActionReason = "delete_because_no_resource_config" // the block is gone
	DeleteBecauseWrongRepetition  ActionReason = "delete_because_wrong_repetition"   // count and for_each, or neither
	DeleteBecauseCountIndex       ActionReason = "delete_because_count_index"        // the index is out of range
	DeleteBecauseEachKey          ActionReason = "delete_because_each_key"           // the key is not in for_each
	DeleteBecauseNoModule         ActionReason = "delete_because_no_module"          // the module instance is gone
	DeleteBecauseNoMoveTarget     ActionReason = "delete_because_no_move_target"     // moved to where no block is; Terraform 1.3
	DeleteBecauseEnabledFalse     ActionReason = "delete_because_enabled_false"      // lifecycle enabled; OpenTofu 1.11
)

// Why an object is forgotten although it would be destroyed. OpenTofu 1.12.
const (
	ForgotBecauseLifecycleDestroyInConfig ActionReason = "forgot_because_lifecycle_destroy_in_config"
	ForgotBecauseLifecycleDestroyInState  ActionReason = "forgot_because_lifecycle_destroy_in_state"
)

// Why a data source is read only when applying.
const (
	ReadBecauseConfigUnknown     ActionReason = "read_because_config_unknown"     // Terraform 1.2
	ReadBecauseDependencyPending ActionReason = "read_because_dependency_pending" // Terraform 1.2
	ReadBecauseCheckNested       ActionReason = "read_because_check_nested"       // in a check block; Terraform 1.5
)
