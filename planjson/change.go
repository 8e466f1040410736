// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A ResourceChange is the planned change, or the drift, of one object of a
// resource instance. Address and Deposed together are unique in a list.
//
// Source: OpenTofu internal/command/jsonplan/resource.go.
//
//wire:terraform address@1.0
type ResourceChange struct {
	// Address is the address of the resource instance, such as
	// module.a["k"].aws_instance.web[0]. Always present, except in the drift of
	// Terraform 0.15. See [ResourceChange.Addr].
	Address string `json:"address"`

	// PreviousAddress is the address before a move. Absent if the instance
	// has not been moved. Terraform 1.1.
	PreviousAddress string `json:"previous_address,omitempty"`

	// ModuleAddress is the module instance, a prefix of Address. Absent in
	// the root module.
	ModuleAddress string `json:"module_address,omitempty"`

	// Mode is managed or data, in OpenTofu 1.11 also ephemeral. Always present.
	Mode addrs.Mode `json:"mode"`

	// Type is the resource type, the first label of its block. Always present.
	Type string `json:"type"`

	// Name is the name of the resource in its module. Always present.
	Name string `json:"name"`

	// Index is the instance key: an integer of count or a string of for_each.
	// Absent if the resource has neither. See [ResourceChange.IndexKey].
	Index Value `json:"index,omitempty"`

	// IndexUnknown reports whether the instance keys are not yet known.
	// Absent if false. Terraform 1.10.
	IndexUnknown bool `json:"index_unknown,omitempty"`

	// ProviderName is the provider's source address. Always present. Terraform 0.12
	// wrote the type alone, such as aws, which addrs.ParseProvider reads as a
	// provider in OpenTofu's registry.
	ProviderName string `json:"provider_name"`

	// Deposed is the key of a deposed object. Absent for the current object.
	// A resource in a state calls it deposed_key.
	Deposed string `json:"deposed,omitempty"`

	// Change is the planned change. Always present.
	Change Change `json:"change"`

	// ActionReason is the reason for the actions, if they are not
	// self-explanatory. It may disagree with Actions. Absent if there is no
	// reason to give.
	ActionReason ActionReason `json:"action_reason,omitempty"`

	src wire.Source
}

// A Change is one object before and after. Objects stay raw JSON, because only
// the provider's schema gives them a type, and because a null that is written
// differs from one that is left out. [Change.BeforeCty] and [Change.AfterCty]
// combine objects with their unknown and sensitive parts.
//
// Source: OpenTofu internal/command/jsonplan/plan.go.
type Change struct {
	// Actions lists the actions, in order. It is absent only where a Change is
	// the [Diagnostic.Difference] of a diagnostic.
	Actions Actions `json:"actions,omitempty"`

	// Before is the object as it is. Null if there is none, as for a create.
	// Always present; a nil Before of a new Change is written as null.
	Before Value `json:"before"`

	// After is the known part of the object as it will be. Null if there will
	// be none, absent (nil) if it is wholly unknown. Unknown members of objects
	// are absent, unknown elements of lists are null.
	After Value `json:"after,omitempty"`

	// AfterUnknown has true for every part of After that is unknown: true for
	// the whole, or an object or array of the same shape. In objects, false
	// may be left out; empty objects and arrays say nothing, so search for true.
	AfterUnknown Value `json:"after_unknown,omitempty"`

	// BeforeSensitive has true for every part of Before that is sensitive, in
	// the same manner; a true covers everything below it. A bool for outputs.
	// Terraform 0.15. Older plans mark only outputs, in [Output.Sensitive].
	BeforeSensitive Value `json:"before_sensitive,omitempty"`

	// AfterSensitive has true for every part of After that is sensitive. For
	// outputs it equals BeforeSensitive.
	AfterSensitive Value `json:"after_sensitive,omitempty"`

	// ReplacePaths lists the paths of the attributes that force a
	// replacement, each an array of steps: names and keys as strings, indexes
	// as numbers, elements of sets as their value. Absent if there is none.
	ReplacePaths []Value `json:"replace_paths,omitempty"`

	// Importing is set if the object is imported first. With the action no-op
	// it is only imported. Terraform 1.5, OpenTofu 1.6.
	Importing *Importing `json:"importing,omitempty"`

	// GeneratedConfig is native configuration text that the tool wrote for an
	// imported resource, without a final newline. Absent if there is none.
	// Terraform 1.5, OpenTofu 1.6.
	GeneratedConfig string `json:"generated_config,omitempty"`

	// BeforeIdentity and AfterIdentity are the resource's identity, an object.
	// Absent if it has none. Terraform 1.12, OpenTofu 1.12.
	BeforeIdentity Value `json:"before_identity,omitempty"`
	AfterIdentity  Value `json:"after_identity,omitempty"`

	src wire.Source
}

// An Importing says which existing object is imported. It can be empty.
type Importing struct {
	// ID is the provider's identifier of the object. Absent if empty or unknown.
	ID string `json:"id,omitempty"`

	// Unknown reports whether the identifier is not yet known. Terraform 1.10.
	Unknown bool `json:"unknown,omitempty"`

	// Identity is the identity of the object, in place of ID. Terraform 1.12,
	// OpenTofu 1.12.
	Identity Value `json:"identity,omitempty"`

	src wire.Source
}
