// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"strings"

	"github.com/tofuwire/tofuwire/internal/wire"
)

// A Hook is a report of work in progress, the payload of all messages whose
// type begins with "apply_", "provision_", "refresh_", "ephemeral_" or
// "action_". Which members are set depends on the type.
//
//wire:own
type Hook struct {
	Resource *Resource `json:"resource,omitempty"` // the resource; nil in messages about actions

	// TriggerIndex occurs only in the action messages of Terraform 1.13; later
	// releases have it in Lifecycle.
	TriggerIndex *int64 `json:"trigger_index,omitempty"`

	// Action is the action on the resource: only create, read, update and
	// delete occur in apply messages, open, renew and close in those for
	// ephemeral resources.
	Action Action `json:"action,omitempty"`

	// ActionAddr is the action that is invoked, in Terraform's messages about
	// actions. There the member "action" is an object. At most one of Action
	// and ActionAddr is set; a hook with both cannot be encoded.
	ActionAddr *ActionAddress

	// IDKey and IDValue are the name and the value of an attribute that
	// identifies the object. The tool guesses the attribute, and leaves both
	// out if it finds none.
	IDKey   string `json:"id_key,omitempty"`
	IDValue string `json:"id_value,omitempty"`

	// ElapsedSeconds is how long the work has taken so far, or in total, in
	// whole seconds of the tool's clock. It can be off by almost a second, and
	// even negative if the clock was set back.
	ElapsedSeconds *int64 `json:"elapsed_seconds,omitempty"`

	Provisioner string `json:"provisioner,omitempty"`
	Output      string `json:"output,omitempty"` // one line of the provisioner's output

	// Msg is the text of OpenTofu's messages about ephemeral resources. Only
	// this text names the action: see [Hook.Ephemeral].
	Msg string `json:"Msg,omitempty"`

	// The remaining members are those of Terraform's action messages. Message
	// is the text of action_progress, Error that of action_errored. The action
	// has been triggered by a change if Lifecycle is set, by the command line
	// if Invoke is set.
	Message   string     `json:"message,omitempty"`
	Error     string     `json:"error,omitempty"`
	Lifecycle *Lifecycle `json:"lifecycle,omitempty"`
	Invoke    Value      `json:"invoke,omitempty"` // {}

	src wire.Source
}

// A Lifecycle says which change triggered an action.
type Lifecycle struct {
	Resource     *Resource `json:"resource"`             // whose change triggered the action
	TriggerIndex int64     `json:"trigger_index"`        // of the action_trigger block
	ActionsIndex int64     `json:"actions_index"`        // of the action in the block's list
	TriggerEvent string    `json:"trigger_event"`        // such as "AfterCreate"
	OnFailure    string    `json:"on_failure,omitempty"` // Terraform 1.16 and newer

	src wire.Source
}

// An ActionInvocation is a planned invocation of an action.
type ActionInvocation struct {
	ActionAddr       *ActionAddress    `json:"action_addr"`                 // which action
	LifecycleTrigger *LifecycleTrigger `json:"lifecycle_trigger,omitempty"` // set if a change triggers it
	ActionTrigger    Value             `json:"action_trigger,omitempty"`    // {}, if invoked from the command line

	src wire.Source
}

// A LifecycleTrigger says which change will trigger an action.
type LifecycleTrigger struct {
	TriggeringResource      *Resource `json:"triggering_resource"`        // whose change triggers the action
	TriggeringEvent         string    `json:"triggering_event"`           // such as "AfterCreate"
	ActionTriggerBlockIndex int64     `json:"action_trigger_block_index"` // of the action_trigger block
	ActionsListIndex        int64     `json:"actions_list_index"`         // of the action in the block's list
	OnFailure               string    `json:"on_failure,omitempty"`       // Terraform 1.16 and newer

	src wire.Source
}

// Ephemeral returns the action on an ephemeral resource, in one vocabulary for
// both tools: open, renew or close. OpenTofu states it only in Msg, as the
// first word of a fixed text. It returns "" if the hook is not about an
// ephemeral resource.
func (h *Hook) Ephemeral() Action {
	if h == nil {
		return ""
	}
	switch h.Action {
	case ActionOpen, ActionRenew, ActionClose:
		return h.Action
	}
	switch word, _, _ := strings.Cut(h.Msg, " "); strings.TrimSuffix(word, "...") {
	case "Opening", "Open":
		return ActionOpen
	case "Renewing", "Renew":
		return ActionRenew
	case "Closing", "Close":
		return ActionClose
	}
	return ""
}
