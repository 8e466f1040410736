// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A Check is the result of the conditions of one object in the configuration,
// with one entry for each of its instances.
//
// Source: OpenTofu internal/command/jsonchecks.
type Check struct {
	// Comment is a note to human readers. Only Terraform 1.3 and 1.4 wrote it.
	Comment string `json:"//,omitempty"`

	// Address says which object. Always present.
	Address CheckAddress `json:"address"`

	// Status is the worst of the instances' status. Always present.
	Status CheckStatus `json:"status"`

	// Instances lists the instances. Absent if there is none, for example
	// because the tool stopped earlier.
	Instances []*CheckInstance `json:"instances,omitempty"`

	src wire.Source
}

// A CheckAddress says which object in the configuration is checked.
type CheckAddress struct {
	// Kind is the kind of the object. Always present.
	Kind addrs.CheckableKind `json:"kind"`

	// Mode is the mode of a resource. Absent for other kinds.
	Mode addrs.Mode `json:"mode,omitempty"`

	// Module is the module's path without instance keys. Absent for the root.
	Module string `json:"module,omitempty"`

	// Name is the name of the object in its module. Always present.
	Name string `json:"name"`

	// ToDisplay is the whole address. Always present.
	ToDisplay string `json:"to_display"`

	// Type is the type of a resource. Absent for other kinds.
	Type string `json:"type,omitempty"`

	src wire.Source
}

// A CheckStatus is the result of a check. It is an open enumeration.
// Its values include [CheckPass], [CheckFail], [CheckError] and [CheckUnknown].
type CheckStatus string

// The results.
const (
	CheckPass    CheckStatus = "pass"
	CheckFail    CheckStatus = "fail"
	CheckError   CheckStatus = "error"   // the condition could not be evaluated
	CheckUnknown CheckStatus = "unknown" // will be known when applying
)

// A CheckInstance is the result for one instance of the checked object.
type CheckInstance struct {
	// Address says which instance. Always present.
	Address CheckInstanceAddress `json:"address"`

	// Status is the result. Always present.
	Status CheckStatus `json:"status"`

	// Problems lists the messages of the failed conditions, sorted. Absent if there is none.
	Problems []*CheckProblem `json:"problems,omitempty"`

	src wire.Source
}

// A CheckInstanceAddress says which instance of an object is checked.
type CheckInstanceAddress struct {
	// InstanceKey is the key of a resource instance, an integer or a string.
	// Absent if it has none.
	InstanceKey Value `json:"instance_key,omitempty"`

	// Module is the address of the module instance. Absent for the root.
	Module string `json:"module,omitempty"`

	// ToDisplay is the whole address. Always present.
	ToDisplay string `json:"to_display"`

	src wire.Source
}

// A CheckProblem is the message of a failed condition.
type CheckProblem struct {
	// Message is the text of error_message. Always present.
	Message string `json:"message"`

	src wire.Source
}
