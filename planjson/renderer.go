// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// A RendererPlan is the part of a plan that is needed to show it to people,
// with the schemas of its providers. HCP Terraform serves it as the redacted
// plan of a run, and "terraform test -json -verbose" puts it into the message
// test_plan. It has two format versions, with other names than in the documents
// that the parts come from. The parts can be put into a [Plan] and [Schemas],
// for functions that take these.
//
//wire:kind
type RendererPlan struct {
	// PlanFormatVersion is the version of the format of the plan. Always present.
	PlanFormatVersion string `json:"plan_format_version"`

	// OutputChanges is [Plan.OutputChanges]. Terraform writes null if there is none.
	OutputChanges map[string]*Change `json:"output_changes,omitempty" wire:"null"`

	// ResourceChanges is [Plan.ResourceChanges].
	ResourceChanges []*ResourceChange `json:"resource_changes,omitempty"`

	// ResourceDrift is [Plan.ResourceDrift].
	ResourceDrift []*ResourceChange `json:"resource_drift,omitempty"`

	// RelevantAttributes is [Plan.RelevantAttributes].
	RelevantAttributes []*RelevantAttribute `json:"relevant_attributes,omitempty"`

	// DeferredChanges is [Plan.DeferredChanges]. Terraform only.
	DeferredChanges []*DeferredChange `json:"deferred_changes,omitempty"`

	// ActionInvocations is [Plan.ActionInvocations]. Terraform only.
	ActionInvocations []*ActionInvocation `json:"action_invocations,omitempty"`

	// ProviderFormatVersion is the version of the format of the schemas.
	// Always present.
	ProviderFormatVersion string `json:"provider_format_version"`

	// ProviderSchemas is [Schemas.ProviderSchemas].
	ProviderSchemas map[string]*ProviderSchema `json:"provider_schemas,omitempty"`

	src wire.Source
}

func (v *RendererPlan) kind() (k DocumentKind, sure bool) {
	return DocumentRendererPlan, v.PlanFormatVersion != ""
}

// A RendererState is the state in the form of [RendererPlan]. HCP Terraform
// serves it for a state, and "terraform test -json -verbose" puts it into the
// message test_state. Terraform only; OpenTofu puts a [State] there.
//
//wire:kind
type RendererState struct {
	// StateFormatVersion is the version of the format of the state. Always
	// present.
	StateFormatVersion string `json:"state_format_version"`

	// RootModule is [Values.RootModule]. Always present.
	RootModule Module `json:"root_module"`

	// Outputs is [Values.Outputs]. Absent if there is none.
	Outputs map[string]*Output `json:"outputs,omitempty" wire:"alt"`

	// ProviderFormatVersion is the version of the format of the schemas.
	// Always present.
	ProviderFormatVersion string `json:"provider_format_version"`

	// ProviderSchemas is [Schemas.ProviderSchemas].
	ProviderSchemas map[string]*ProviderSchema `json:"provider_schemas,omitempty"`

	src wire.Source
}

func (v *RendererState) kind() (k DocumentKind, sure bool) {
	return DocumentRendererState, v.StateFormatVersion != ""
}
