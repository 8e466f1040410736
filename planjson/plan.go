// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// A Plan is the document that "show -json" prints for a saved plan: the planned
// values, the changes made outside the tool, the planned changes and their
// reasons, the prior state, and the configuration.
//
// The text depends on the tool that shows the plan, not only on the plan file:
// it takes the providers' schemas from the plugins it finds, and writes its
// own version.
//
// Source: OpenTofu internal/command/jsonplan/plan.go.
//
//wire:terraform errored@1.6
//wire:kind
type Plan struct {
	// FormatVersion is the version of the format, "1.2" today. Many members
	// came without a new version, so ask for a member, not for a version; see
	// [CheckVersion]. Always present.
	FormatVersion string `json:"format_version"`

	// TerraformVersion is the version of the tool that printed the plan, with
	// its pre-release part. OpenTofu writes its own version here. Always present.
	TerraformVersion string `json:"terraform_version"`

	// Variables holds the values of the root module's input variables, by
	// name, in clear text even if they are sensitive. It is absent if there
	// are none.
	Variables map[string]*Variable `json:"variables,omitempty"`

	// PlannedValues is the known part of the state after the apply. Data
	// sources that were read while planning are in PriorState instead. Always
	// present.
	PlannedValues Values `json:"planned_values"`

	// ResourceDrift lists the changes since the last apply that were made
	// outside the tool. Absent if there is none.
	ResourceDrift []*ResourceChange `json:"resource_drift,omitempty"`

	// ResourceChanges lists every resource instance with its planned change,
	// including those that do not change ([ActionNoOp]). Absent if there is none,
	// and in refresh-only plans.
	ResourceChanges []*ResourceChange `json:"resource_changes,omitempty"`

	// DeferredChanges lists the changes that this plan defers. Absent if there
	// is none. Terraform 1.9.
	DeferredChanges []*DeferredChange `json:"deferred_changes,omitempty"`

	// DeferredActionInvocations lists the actions that this plan defers. Absent
	// if there is none. Terraform 1.14.
	DeferredActionInvocations []*DeferredActionInvocation `json:"deferred_action_invocations,omitempty"`

	// OutputChanges holds the changes of the root module's outputs by name.
	// Absent if there is none.
	OutputChanges map[string]*Change `json:"output_changes,omitempty"`

	// ActionInvocations lists the actions that the plan will run. Absent if
	// there is none. Terraform 1.14.
	ActionInvocations []*ActionInvocation `json:"action_invocations,omitempty"`

	// PriorState is the refreshed state that the plan starts from, but its
	// outputs have the values that the plan gives them, if these are known.
	// Absent if that state has no resources and no outputs.
	PriorState *State `json:"prior_state,omitempty"`

	// The method Config returns it.
	config wire.Lazy[Config] `lazy:"configuration"`

	// RelevantAttributes lists the attributes whose values contributed to the
	// planned changes, in no particular order. Absent if there is none.
	// Terraform 1.2.
	RelevantAttributes []*RelevantAttribute `json:"relevant_attributes,omitempty"`

	// ConditionResults lists the results of preconditions and postconditions.
	// Only Terraform 1.2 and 1.3 wrote it; see Checks.
	ConditionResults []*ConditionResult `json:"condition_results,omitempty"`

	// Checks lists the results of everything that can be checked: conditions
	// of resources and outputs, check blocks, variable validation. Absent if
	// there is nothing to check. Terraform 1.3.
	Checks []*Check `json:"checks,omitempty"`

	// Timestamp is the time of planning in RFC 3339, in UTC, with seconds: the
	// value of plantimestamp(). Always present since Terraform 1.5 and OpenTofu 1.6.
	Timestamp string `json:"timestamp,omitempty"`

	// Applyable reports whether the plan can be applied and is worth applying.
	// Nil if absent: only Terraform writes it, since 1.8.
	Applyable *bool `json:"applyable,omitempty"`

	// Complete reports whether applying the plan reaches the desired state in
	// one go. Nil if absent: only Terraform writes it, since 1.8.
	Complete *bool `json:"complete,omitempty"`

	// Errored reports whether planning failed part-way. Such a plan is still
	// written; it holds the changes planned before the error. Always present
	// since Terraform 1.6 and OpenTofu 1.6.
	Errored bool `json:"errored"`

	src wire.Source
}

func (v *Plan) kind() (k DocumentKind, sure bool) {
	return DocumentPlan, v.ResourceChanges != nil
}

// Config returns the configuration that was planned. It is nil only if p is.
//
// Decoding checks the configuration. Its objects are made by the first call of
// Config, because many programs never look at them. All calls return the same
// configuration, including those on copies of p, and [Encode] writes edits of it.
// Several goroutines may call Config of a decoded plan at once. For a plan that was
// not decoded, the first call must not run concurrently with others.
func (p *Plan) Config() *Config {
	if p == nil {
		return nil
	}
	return p.config.Get()
}

// A Variable is the value of one input variable of the root module.
type Variable struct {
	// Value is the value as given, before its conversion to the declared type:
	// "-var n=5" is the string "5" even if n is a number, and a set keeps its
	// order and its duplicates. A variable that was not set has its declared
	// default, converted. It can be null, and is always present.
	//
	// An ephemeral variable with a default shows the default, whatever its
	// value was; without one it is not listed at all.
	Value Value `json:"value"`

	src wire.Source
}

// A RelevantAttribute is an attribute of a resource that contributed to the
// planned changes.
type RelevantAttribute struct {
	// Resource is the address of a resource or of an instance of it, possibly
	// in a module without instance keys. Always present.
	Resource string `json:"resource"`

	// Attribute is the path to the attribute: names and keys as strings, list
	// indexes as numbers. Always present, empty for the whole resource.
	Attribute []Value `json:"attribute"`

	src wire.Source
}

// A ConditionResult is the result of one precondition or postcondition in the
// form of Terraform 1.2 and 1.3.
type ConditionResult struct {
	// Comment is a note to human readers. Terraform 1.3 only.
	Comment string `json:"//,omitempty"`

	// Address is the address of the object with the condition.
	Address string `json:"address"`

	// Type is the kind of the condition, such as "ResourcePrecondition".
	Type string `json:"condition_type"`

	// Result reports whether the condition holds.
	Result bool `json:"result"`

	// Unknown reports whether the result will only be known when applying.
	Unknown bool `json:"unknown"`

	// ErrorMessage is the message of a failed condition.
	ErrorMessage string `json:"error_message,omitempty"`

	src wire.Source
}

// A DeferredChange is a change that a plan defers to a later plan. Terraform
// 1.9.
type DeferredChange struct {
	// Reason says why. Always present.
	Reason DeferredReason `json:"reason"`

	// ResourceChange is the known part of the change. Always present.
	ResourceChange ResourceChange `json:"resource_change"`

	src wire.Source
}
