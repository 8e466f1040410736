// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// A State is the document that "show -json" prints for a state, and the
// prior_state of a plan. The empty state is {"format_version":"1.0"}.
//
// Source: OpenTofu internal/command/jsonstate/state.go.
//
//wire:kind
type State struct {
	// FormatVersion is the version of the format, "1.0" today. Always present.
	FormatVersion string `json:"format_version"`

	// TerraformVersion is the version of the tool that wrote the state file,
	// without its pre-release part. Absent if the state is empty or does not
	// say. It can differ from that of the plan.
	TerraformVersion string `json:"terraform_version,omitempty"`

	// Values holds the existing objects and the outputs. Absent (nil) if the
	// state is empty.
	Values *Values `json:"values,omitempty" wire:"alt"`

	// Checks lists the results of the last run. Absent if there is none.
	// Terraform 1.3.
	Checks []*Check `json:"checks,omitempty"`

	src wire.Source
}

func (v *State) kind() (k DocumentKind, sure bool) {
	return DocumentState, v.Values != nil
}

// A StateShow is the document that "terraform state show -json ADDRESS"
// prints. Terraform 1.16.
//
//wire:kind
type StateShow struct {
	// FormatVersion is the version of the format, "1.0" today.
	FormatVersion string `json:"format_version"`

	// Resource is the resource instance. Nil if it was not found.
	Resource *Resource `json:"resource,omitempty"`

	// Diagnostics lists errors and warnings.
	Diagnostics []*Diagnostic `json:"diagnostics"`

	src wire.Source
}

func (v *StateShow) kind() (k DocumentKind, sure bool) {
	return DocumentStateShow, v.Resource != nil
}
