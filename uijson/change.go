// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import "github.com/tofuwire/tofuwire/internal/wire"

// A Change is one planned change of a resource instance, or one that was made
// outside of the tool (drift). The values before and after are not in the
// stream; the plan document has them.
type Change struct {
	Resource *Resource `json:"resource"` // the instance that changes

	// PreviousResource is the address before a move.
	PreviousResource *Resource `json:"previous_resource,omitempty"`

	Action Action `json:"action"`
	Reason Reason `json:"reason,omitempty"`

	// Importing is set if the change imports an existing object, in addition
	// to what Action says.
	Importing *Importing `json:"importing,omitempty"`

	// GeneratedConfig is configuration that the tool wrote for the import.
	GeneratedConfig string `json:"generated_config,omitempty"`

	src wire.Source
}

// An Importing says which object is imported. Both members are missing if
// that is not known yet.
type Importing struct {
	ID       string `json:"id,omitempty"`       // the import ID
	Identity Value  `json:"identity,omitempty"` // OpenTofu 1.12 and newer

	src wire.Source
}

// An Action is a planned or running operation on a resource instance or an output.
// Its values include [ActionNoOp], [ActionCreate] and [ActionRead].
type Action string

// The actions of either tool.
const (
	ActionNoOp    Action = "noop"
	ActionCreate  Action = "create"
	ActionRead    Action = "read"
	ActionUpdate  Action = "update"
	ActionReplace Action = "replace" // in a plan only; the apply deletes and creates, in either order
	ActionDelete  Action = "delete"
	ActionMove    Action = "move"   // in a plan: nothing but the address changes
	ActionImport  Action = "import" // in a plan: nothing but the import happens
	ActionForget  Action = "remove" // the object leaves the state, but is not destroyed
	ActionOpen    Action = "open"   // of an ephemeral resource
	ActionRenew   Action = "renew"
	ActionClose   Action = "close"
)

// IsKnown reports whether a is one of the actions above.
func (a Action) IsKnown() bool {
	switch a {
	case ActionNoOp, ActionCreate, ActionRead, ActionUpdate, ActionReplace, ActionDelete, ActionMove, ActionImport, ActionForget,
		ActionOpen, ActionRenew, ActionClose:
		return true
	}
	return false
}

// A Reason says why an action was chosen. It is empty if the change speaks
// for itself.
// Its values include [ReplaceBecauseTainted], [ReplaceByRequest] and [ReplaceBecauseCannotUpdate].
type Reason string

// The reasons of either tool.
const (
	ReplaceBecauseTainted                 Reason = "tainted"
	ReplaceByRequest                      Reason = "requested"
	ReplaceBecauseCannotUpdate            Reason = "cannot_update"
	ReplaceByTriggers                     Reason = "replace_triggered_by"
	DeleteBecauseNoResourceConfig         Reason = "delete_because_no_resource_config"
	DeleteBecauseWrongRepetition          Reason = "delete_because_wrong_repetition"
	DeleteBecauseCountIndex               Reason = "delete_because_count_index"
	DeleteBecauseEachKey                  Reason = "delete_because_each_key"
	DeleteBecauseNoModule                 Reason = "delete_because_no_module"
	DeleteBecauseNoMoveTarget             Reason = "delete_because_no_move_target"
	DeleteBecauseEnabledFalse             Reason = "delete_because_enabled_false"
	ReadBecauseConfigUnknown              Reason = "read_because_config_unknown"
	ReadBecauseDependencyPending          Reason = "read_because_dependency_pending"
	ReadBecauseCheckNested                Reason = "read_because_check_nested"
	ForgotBecauseLifecycleDestroyInConfig Reason = "forgot_because_lifecycle_destroy_in_config"
	ForgotBecauseLifecycleDestroyInState  Reason = "forgot_because_lifecycle_destroy_in_state"
)

// A ChangeSummary has the tool's own counts. A run usually has two of them: one with the
// operation "plan", one with "apply" or "destroy". The first alone says nothing about the
// success of a run, because an error may follow it. No message says whether a plan is complete;
// with -target or deferred changes it is not. See the plan's document.
//
// A release that lacks one of the counts omits its member; the field is then 0.
type ChangeSummary struct {
	Add    int64 `json:"add"`    // how many are created, replacements included
	Change int64 `json:"change"` // how many are updated in place
	Import int64 `json:"import"` // Terraform 1.5 and newer, OpenTofu
	Remove int64 `json:"remove"`
	Forget int64 `json:"forget"` // OpenTofu 1.10 and newer

	ActionInvocation int64 `json:"action_invocation,omitempty" wire:"kept"` // Terraform 1.14 and newer
	ActionFail       int64 `json:"action_fail,omitempty" wire:"kept"`       // Terraform 1.16 and newer

	Operation Operation `json:"operation"`

	src wire.Source
}

// An Operation is the kind of operation that a [ChangeSummary] sums up.
// Its values include [OperationPlan], [OperationApply] and [OperationDestroy].
type Operation string

// The operations. A plan of a destruction is a plan.
const (
	OperationPlan    Operation = "plan"
	OperationApply   Operation = "apply"
	OperationDestroy Operation = "destroy"
)

// An Output is one root output. After a plan it has an Action; after an apply
// or a refresh it has a Type, and a Value unless it is sensitive. Terraform
// before 1.4 also wrote the values of sensitive outputs.
type Output struct {
	Sensitive  bool   `json:"sensitive"`            // whether the value must not be shown
	Deprecated string `json:"deprecated,omitempty"` // OpenTofu 1.10 and newer
	Type       Value  `json:"type,omitempty"`       // a type in the notation of cty, such as ["list","string"]
	Value      Value  `json:"value,omitempty"`
	Action     Action `json:"action,omitempty"`

	src wire.Source
}
