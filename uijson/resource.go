// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import "github.com/tofuwire/tofuwire/internal/wire"

// A Resource says which resource instance a message is about. All seven
// members are always written. What is missing is a deposed key: the old object
// that waits for its destruction has the address of the current one.
type Resource struct {
	// Addr is the whole address, the same text as in a plan. It names the
	// instance: see [Resource.Instance].
	Addr string `json:"addr"`

	// Module is the address of the module instance, "" for the root module.
	Module string `json:"module"`

	// Resource is the address inside the module.
	Resource string `json:"resource"`

	// ImpliedProvider is the first word of the resource type. It is no
	// provider source address and may not even be the provider's name.
	ImpliedProvider string `json:"implied_provider"`

	ResourceType string `json:"resource_type"`
	ResourceName string `json:"resource_name"`

	// ResourceKey is the instance key: a string, a number, or null.
	ResourceKey Value `json:"resource_key"`

	src wire.Source
}

// An ActionAddress says which action of Terraform 1.14 or newer a message is
// about. All seven members are always written.
type ActionAddress struct {
	Addr            string `json:"addr"`
	Module          string `json:"module"`
	Action          string `json:"action"`
	ImpliedProvider string `json:"implied_provider"`
	ActionType      string `json:"action_type"`
	ActionName      string `json:"action_name"`
	ActionKey       Value  `json:"action_key"` // a string, a number, or null

	src wire.Source
}
