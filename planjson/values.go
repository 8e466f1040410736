// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// Values holds the values of the root module's outputs and of all resource instances: in a
// state what exists, in a plan what will exist.
//
// Source: OpenTofu internal/command/jsonplan/values.go and
// internal/command/jsonstate/state.go.
type Values struct {
	// Outputs holds the root module's outputs by name. Absent if there is none.
	Outputs map[string]*Output `json:"outputs,omitempty"`

	// RootModule is the root of the tree of modules. Always present, possibly empty.
	RootModule Module `json:"root_module"`

	src wire.Source
}

// A Module is one module instance with its resources. An instance that only
// calls other modules has no resources; one without any resource in or below
// it is not listed.
type Module struct {
	// Resources lists the objects of the module's resource instances. Absent if
	// there is none. In a state, an instance with deposed objects has several
	// entries of the same address. Plans sort by the text of the address: a[10]
	// comes before a[2].
	Resources []*Resource `json:"resources,omitempty"`

	// Address is the address of the module instance, such as module.a["k"].
	// Absent for the root module.
	Address string `json:"address,omitempty"`

	// ChildModules lists the module instances below. Absent if there is none.
	ChildModules []*Module `json:"child_modules,omitempty"`

	src wire.Source
}

// A Resource is one object of a resource instance.
//
//wire:terraform identity_schema_version<identity
type Resource struct {
	// Address is the address of the resource instance. Always present. See
	// [Resource.Addr]. In a state that Terraform 0.12 printed, including the prior
	// state of a plan, it lacks the prefix [Module.Address] and the key, which is
	// in Index: the whole address is then the Address of the module, a dot, and
	// [Resource.Addr], which adds the key. [PlanIndex] finds the resources of a plan
	// by the whole address.
	Address string `json:"address,omitempty"`

	// Mode is managed or data; in plans of OpenTofu 1.11 also ephemeral.
	// Always present.
	Mode addrs.Mode `json:"mode,omitempty"`

	// Type is the resource type, the first label of its block. Always present.
	Type string `json:"type,omitempty"`

	// Name is the name of the resource in its module. Always present.
	Name string `json:"name,omitempty"`

	// Index is the instance key: an integer of count or a string of for_each.
	// Absent if the resource has neither. See [Resource.IndexKey].
	Index Value `json:"index,omitempty"`

	// ProviderName is the provider's source address. Always present, empty in
	// states that do not know it.
	ProviderName string `json:"provider_name"`

	// SchemaVersion is the version of the resource type's schema, 0 for
	// deposed objects. Always present.
	SchemaVersion uint64 `json:"schema_version"`

	// Values holds the attributes, an object, in clear text even if they are sensitive. Unknown
	// ones are left out. Absent (nil) if there is no value at all, as for a resource that is
	// forgotten.
	Values Value `json:"values,omitempty"`

	// SensitiveValues has true for every part of Values that is sensitive:
	// true or false for the whole, or an object of the same shape; a true
	// covers everything below it. Always present since Terraform 1.0.1.
	SensitiveValues Value `json:"sensitive_values,omitempty"`

	// DependsOn lists the configuration addresses that the resource depends
	// on. States only; absent if there is none.
	DependsOn []string `json:"depends_on,omitempty"`

	// Tainted reports whether the object is marked for replacement. States
	// only; absent if false.
	Tainted bool `json:"tainted,omitempty"`

	// DeposedKey is the key of a deposed object. States only; absent for the
	// current object. A resource change calls it deposed.
	DeposedKey string `json:"deposed_key,omitempty"`

	// Identity is the resource's identity, an object. Absent if it has none.
	// OpenTofu passes it on as the state has it. Terraform 1.12, OpenTofu 1.12.
	// Terraform writes it after IdentitySchemaVersion.
	Identity Value `json:"identity,omitempty" wire:"document"`

	// IdentitySchemaVersion is the version of the identity's schema. Absent
	// (nil) without an identity.
	IdentitySchemaVersion *uint64 `json:"identity_schema_version,omitempty"`

	src wire.Source
}

// An Output is the value of an output of the root module.
//
//wire:alt sensitive deprecated value type
type Output struct {
	// Sensitive reports whether the output is sensitive. Its value is in
	// clear text nevertheless. Always present.
	Sensitive bool `json:"sensitive"`

	// Deprecated is the output's deprecation message. Absent if there is
	// none, and in planned values. OpenTofu 1.10.
	Deprecated string `json:"deprecated,omitempty"`

	// Type is the type of Value in cty's JSON notation, such as "string" or
	// ["list","number"]. In planned values it is absent unless the whole
	// value is known. Terraform 1.2. In a state it comes after Value.
	Type Value `json:"type,omitempty"`

	// Value is the value, possibly null. In planned values it is absent (nil)
	// unless the whole value is known.
	Value Value `json:"value,omitempty"`

	src wire.Source
}
