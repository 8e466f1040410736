// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A Resource identifies the resource instance that a message is about. All
// seven members are always written. There is no deposed key: an old object that
// awaits destruction has the address of the current one.
type Resource struct {
	// Addr is the whole address, the same text as in a plan. It names the
	// instance: see [Resource.Instance].
	Addr string `json:"addr"`

	// Module is the address of the module instance, "" for the root module.
	Module string `json:"module"`

	// Resource is the address inside the module.
	Resource string `json:"resource"`

	// ImpliedProvider is the first word of the resource type. It is not a
	// provider source address, and may differ from the provider's name.
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
	Addr            string `json:"addr"`             // the whole address
	Module          string `json:"module"`           // "" for the root module
	Action          string `json:"action"`           // the address inside the module
	ImpliedProvider string `json:"implied_provider"` // the first word of the type
	ActionType      string `json:"action_type"`      // the type
	ActionName      string `json:"action_name"`      // the name
	ActionKey       Value  `json:"action_key"`       // a string, a number, or null

	src wire.Source
}

// Instance returns the address as a value that can be taken apart and compared.
// If Addr is not an address, the error is an [*Error].
func (r *Resource) Instance() (addrs.AbsResourceInstance, error) {
	if r == nil {
		return addrs.AbsResourceInstance{}, &Error{Err: ErrAbsent}
	}
	a, err := addrs.ParseRecordedResourceInstance(r.Addr)
	if err != nil {
		return a, placed(&r.src, "/addr", err)
	}
	// Terraform up to 1.2 quoted keys as Go does, without doubling the dollar of
	// "${": the separate member decides.
	if strings.Contains(r.Addr, "${") || strings.Contains(r.Addr, "%{") {
		if s, ok := r.ResourceKey.Text(); ok && strings.HasSuffix(r.Addr, "["+strconv.Quote(s)+"]") {
			return a.AbsResource().Instance(addrs.StringKey(s)), nil
		}
	}
	return a, nil
}

// Mode distinguishes managed resources from data sources and ephemeral resources. The
// stream has no member for it; it is part of the address. It returns "" if r is nil.
func (r *Resource) Mode() addrs.Mode {
	switch {
	case r == nil:
		return ""
	case strings.HasPrefix(r.Resource, "data."):
		return addrs.Data
	case strings.HasPrefix(r.Resource, "ephemeral."):
		return addrs.Ephemeral
	}
	return addrs.Managed
}
