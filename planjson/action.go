// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// An ActionInvocation is an action block that the plan will run: a task of a
// provider that is not the change of a resource. All members are left out when
// empty. Terraform 1.14; OpenTofu has no equivalent.
type ActionInvocation struct {
	// Address is the address of the action instance, such as action.aws_x.y[0].
	Address string `json:"address,omitempty"`

	// Type is the first label of the action block.
	Type string `json:"type,omitempty"`

	// Name is the name of the action in its module.
	Name string `json:"name,omitempty"`

	// ConfigValues is the known part of the action's configuration.
	ConfigValues Value `json:"config_values,omitempty"`

	// ConfigSensitive and ConfigUnknown mark the parts of ConfigValues that
	// are sensitive and unknown; see [Change.AfterUnknown].
	ConfigSensitive Value `json:"config_sensitive,omitempty"`
	ConfigUnknown   Value `json:"config_unknown,omitempty"`

	// ProviderName is the provider's source address.
	ProviderName string `json:"provider_name,omitempty"`

	// LifecycleActionTrigger is set if the change of a resource runs the action.
	LifecycleActionTrigger *LifecycleActionTrigger `json:"lifecycle_action_trigger,omitempty"`

	// InvokeActionTrigger is set if the caller requested the action with -invoke.
	InvokeActionTrigger *InvokeActionTrigger `json:"invoke_action_trigger,omitempty"`

	src wire.Source
}

// A LifecycleActionTrigger says which event in the life of a resource runs an
// action. Terraform 1.14.
type LifecycleActionTrigger struct {
	// TriggeringResourceAddress is the address of the resource instance.
	TriggeringResourceAddress string `json:"triggering_resource_address,omitempty"`

	// ActionTriggerEvent is the event, such as [EventBeforeCreate].
	ActionTriggerEvent ActionTriggerEvent `json:"action_trigger_event,omitempty"`

	// ActionTriggerBlockIndex counts the action_trigger blocks of the
	// resource from 0. Always present.
	ActionTriggerBlockIndex int `json:"action_trigger_block_index"`

	// ActionsListIndex counts the actions of that block from 0. Always present.
	ActionsListIndex int `json:"actions_list_index"`

	// OnFailure is the effect of a failure of the action, such as
	// "ActionOnFailureHalt", which ends the run. Always present since
	// Terraform 1.16.
	OnFailure string `json:"on_failure,omitempty"`

	src wire.Source
}

// An ActionTriggerEvent is an event that runs an action. It is an open
// enumeration.
// Its values include [EventBeforeCreate], [EventAfterCreate], [EventBeforeUpdate] and [EventAfterUpdate].
type ActionTriggerEvent string

// The events; there may be more.
const (
	EventBeforeCreate ActionTriggerEvent = "BeforeCreate"
	EventAfterCreate  ActionTriggerEvent = "AfterCreate"
	EventBeforeUpdate ActionTriggerEvent = "BeforeUpdate"
	EventAfterUpdate  ActionTriggerEvent = "AfterUpdate"
)

// An InvokeActionTrigger says that the caller requested an action. It is an
// empty object before Terraform 1.16.
type InvokeActionTrigger struct {
	// CallingResourceAddress is the resource that the action acts for.
	// Terraform 1.16.
	CallingResourceAddress string `json:"calling_resource_address,omitempty"`

	src wire.Source
}

// A DeferredActionInvocation is an action that a plan defers. Terraform 1.14.
type DeferredActionInvocation struct {
	// Reason says why. Always present.
	Reason DeferredReason `json:"reason"`

	// ActionInvocation is the action. Always present.
	ActionInvocation ActionInvocation `json:"action_invocation"`

	src wire.Source
}

// A DeferredReason says why a change or an action is deferred. It is an open
// enumeration: other values are kept.
// Its values include [DeferredUnknown], [DeferredInstanceCountUnknown] and [DeferredResourceConfigUnknown].
type DeferredReason string

// The reasons of Terraform 1.9 and later.
const (
	DeferredUnknown               DeferredReason = "unknown"
	DeferredInstanceCountUnknown  DeferredReason = "instance_count_unknown"
	DeferredResourceConfigUnknown DeferredReason = "resource_config_unknown"
	DeferredProviderConfigUnknown DeferredReason = "provider_config_unknown"
	DeferredPrerequisite          DeferredReason = "deferred_prereq"
	DeferredAbsentPrerequisite    DeferredReason = "absent_prereq"
)
