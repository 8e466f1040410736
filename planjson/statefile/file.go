// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/wire"
	"github.com/tofuwire/tofuwire/planjson"
)

// A File is a state as the tools save it, in version 4 of the format, which
// Terraform has written since 0.12, and OpenTofu always has. [Decode] makes it of a
// state of version 3 too.
//
// Source: OpenTofu internal/states/statefile/version4.go.
//
//wire:kind
type File struct {
	// Version is the version of the format, 4. Always present.
	Version int `json:"version"`

	// TerraformVersion is the release of the tool that wrote the state; OpenTofu
	// puts its own there. No member names the tool. The hosts of the providers
	// usually show it: registry.opentofu.org is OpenTofu's default, and
	// registry.terraform.io is Terraform's. Always present.
	TerraformVersion string `json:"terraform_version"`

	// Serial counts the changes of the state. A state with a lower serial does
	// not replace one with a higher. Each run that changes something raises it by one,
	// and so does "state push", whatever the serial of the pushed state is, by one more in
	// some backends. It does not count across places: a migration or the first push to
	// the backends http and s3, and to the default workspace of pg, starts again at 1, and
	// the file of -state-out keeps the serial with OpenTofu, but starts again with
	// Terraform. Always present.
	Serial uint64 `json:"serial"`

	// Lineage identifies the history of the state: states with different ones do not
	// replace each other. The same objects can have several: where a migration or the first
	// push starts again, as Serial says, it also makes a new lineage. It is "" in what
	// "state pull" prints for a workspace without a state; any state replaces that.
	// Always present.
	Lineage string `json:"lineage"`

	// Outputs holds the output values of the root module. Always present,
	// possibly empty.
	Outputs map[string]*Output `json:"outputs"`

	// Resources lists the resources of all modules: by module, mode, type and
	// name, as texts. Always present, possibly empty.
	Resources []*Resource `json:"resources"`

	// CheckResults lists the results of the last run's checks. Nil (null in the
	// text) if there are none. Terraform 1.3.
	CheckResults []*CheckResult `json:"check_results" wire:"null"`

	older *before4 // of a state of version 3
	src   wire.Source
}

// An Output is the value of an output of the root module.
type Output struct {
	// Value is the value, possibly null. Always present.
	Value planjson.Value `json:"value"`

	// Type is the type of Value in cty's JSON notation; see [planjson.ParseType].
	// Always present.
	Type planjson.Value `json:"type"`

	// Sensitive reports whether the output is sensitive. Absent if false.
	Sensitive bool `json:"sensitive,omitempty"`

	// Deprecated is the message of a deprecated output. Absent if there is none.
	// OpenTofu 1.10.
	Deprecated string `json:"deprecated,omitempty"`

	src wire.Source
}

// A Resource is a resource of one module instance, with the objects of its
// instances.
type Resource struct {
	// Module is the address of the module instance, with keys. Absent for the
	// root module.
	Module string `json:"module,omitempty"`

	// Mode is managed or data. Always present.
	Mode addrs.Mode `json:"mode"`

	// Type is the resource type, the first label of its block. Always present.
	Type string `json:"type"`

	// Name is the name of the resource in its module. Always present.
	Name string `json:"name"`

	// Each is list or map if the resource has count or for_each. Only releases
	// before Terraform 0.13 wrote it, and no tool reads it.
	Each string `json:"each,omitempty"`

	// Provider is the address of the provider configuration; see
	// [addrs.ParseRecordedProvider]. Releases before Terraform 0.13 wrote it as in
	// provider.aws. Absent if the instances have provider configurations of
	// their own.
	Provider string `json:"provider,omitempty"`

	// Instances lists the objects of the resource's instances: those without a
	// key first, then by number, then by text; the current object first, then
	// the deposed ones. Always present.
	Instances []*InstanceObject `json:"instances"`

	src wire.Source
}

// A Status is the status of an object: StatusReady or StatusTainted. Others may come with
// later releases.
type Status string

// The values of Status.
const (
	StatusReady   Status = "" // no word
	StatusTainted Status = "tainted"
)

// IsTainted reports whether the next plan replaces the object, because it may be incomplete
// or a user has tainted it. The object is not nil.
func (o *InstanceObject) IsTainted() bool { return o != nil && o.Status == StatusTainted }

// An InstanceObject is what a state records about one object of a resource
// instance, the current one or a deposed one.
//
//wire:terraform identity<private identity_schema_version<identity
type InstanceObject struct {
	// IndexKey is the instance key: an integer of count or a string of for_each.
	// Absent if the resource has neither. See [InstanceObject.Key].
	IndexKey planjson.Value `json:"index_key,omitempty"`

	// Status is [StatusTainted] for an object that the next plan replaces. Absent for
	// all others. See [InstanceObject.IsTainted].
	Status Status `json:"status,omitempty"`

	// Deposed is the key of a deposed object, of eight characters. Absent for the
	// current object.
	Deposed string `json:"deposed,omitempty"`

	// Provider is the address of the instance's provider configuration with its
	// key, if the resource has none: this occurs with for_each in a provider
	// block. OpenTofu 1.9.
	Provider string `json:"provider,omitempty"`

	// SchemaVersion is the version of the schema of Attributes. Always present.
	SchemaVersion uint64 `json:"schema_version"`

	// Attributes holds the attributes, an object by the resource type's schema. A
	// value whose type the schema leaves open is an object with value and type.
	// Absent if AttributesFlat has them.
	Attributes planjson.Value `json:"attributes,omitempty" wire:"document"`

	// AttributesFlat holds the attributes as releases before Terraform 0.12 wrote
	// them.
	AttributesFlat map[string]string `json:"attributes_flat,omitempty"`

	// SensitiveAttributes lists the paths of the sensitive parts of Attributes;
	// see [InstanceObject.SensitivePaths], also for what older states lack.
	// Terraform 0.15.
	SensitiveAttributes planjson.Value `json:"sensitive_attributes,omitempty" wire:"document"`

	// Private is what the provider keeps for itself, in base64. It can hold
	// secrets. Terraform writes it after Identity.
	Private string `json:"private,omitempty"`

	// Dependencies lists the resources that the object depends on, by address
	// without instance keys, sorted. Absent if there are none.
	Dependencies []string `json:"dependencies,omitempty"`

	// DependsOn lists the resource instances that the object depends on.
	// OpenTofu 1.13.
	DependsOn []string `json:"depends_on,omitempty"`

	// CreateBeforeDestroy reports whether the object's replacement is created
	// before the object is destroyed. Absent if false.
	CreateBeforeDestroy bool `json:"create_before_destroy,omitempty"`

	// SkipDestroy reports whether the tool forgets the object instead of
	// destroying it. Absent if false. OpenTofu 1.12.
	SkipDestroy bool `json:"skip_destroy,omitempty"`

	// Identity is the object's identity, by the identity schema of its type.
	// Absent if it has none. Terraform 1.12, OpenTofu 1.12.
	Identity planjson.Value `json:"identity,omitempty" wire:"document"`

	// IdentitySchemaVersion is the version of the schema of Identity. OpenTofu writes it only
	// with an identity. Terraform always writes it, before Identity.
	IdentitySchemaVersion *uint64 `json:"identity_schema_version,omitempty"`

	src wire.Source
}

// A CheckResult is the result of the conditions of one object in the
// configuration.
type CheckResult struct {
	// ObjectKind is resource, output, check or var. Always present.
	ObjectKind string `json:"object_kind"`

	// ConfigAddr is the address of the object, without instance keys. Always
	// present.
	ConfigAddr string `json:"config_addr"`

	// Status is the worst of the instances' status. Always present.
	Status planjson.CheckStatus `json:"status"`

	// Objects lists the instances. Nil (null in the text) if there are none.
	Objects []*CheckObject `json:"objects" wire:"null"`

	src wire.Source
}

// A CheckObject is the result for one instance of the checked object.
type CheckObject struct {
	// ObjectAddr is the address of the instance. Always present.
	ObjectAddr string `json:"object_addr"`

	// Status is the result. Always present.
	Status planjson.CheckStatus `json:"status"`

	// FailureMessages lists the messages of the conditions that failed. Absent if there are
	// none.
	FailureMessages []string `json:"failure_messages,omitempty"`

	src wire.Source
}
