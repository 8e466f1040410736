// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"fmt"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// An action is what a number of the field action means: how it is shown, and how many values a
// change has for it.
type action struct {
	names         []planjson.Action
	before, after int
}

var (
	actionNoOp = &action{[]planjson.Action{planjson.ActionNoOp}, 1, 0}
	// The number 9 was open in OpenTofu 1.11, with ephemeral resources, whose values are never
	// shown; in Terraform it is create, then forget.
	actionOpen         = &action{[]planjson.Action{planjson.ActionOpen}, 0, 0}
	actionCreateForget = &action{[]planjson.Action{planjson.ActionCreate, planjson.ActionForget}, 1, 1}
)

const (
	numberNoOp    = 0
	numberDelete  = 5
	numberNine    = 9
	modeRefreshed = 2 // refresh-only
)

var actions = map[uint64]*action{
	numberNoOp:   actionNoOp,
	1:            {[]planjson.Action{planjson.ActionCreate}, 0, 1},
	2:            {[]planjson.Action{planjson.ActionRead}, 1, 1},
	3:            {[]planjson.Action{planjson.ActionUpdate}, 1, 1},
	numberDelete: {[]planjson.Action{planjson.ActionDelete}, 1, 0},
	6:            {[]planjson.Action{planjson.ActionDelete, planjson.ActionCreate}, 1, 1},
	7:            {[]planjson.Action{planjson.ActionCreate, planjson.ActionDelete}, 1, 1},
	8:            {[]planjson.Action{planjson.ActionForget}, 1, 0},
	numberNine:   actionOpen,
	10:           {[]planjson.Action{planjson.ActionForget, planjson.ActionCreate}, 1, 1},
}

var reasons = []planjson.ActionReason{
	0:  "",
	1:  "replace_because_tainted",
	2:  "replace_by_request",
	3:  "replace_because_cannot_update",
	4:  "delete_because_no_resource_config",
	5:  "delete_because_wrong_repetition",
	6:  "delete_because_count_index",
	7:  "delete_because_each_key",
	8:  "delete_because_no_module",
	9:  "replace_by_triggers",
	10: "read_because_config_unknown",
	11: "read_because_dependency_pending",
	12: "delete_because_no_move_target",
	13: "read_because_check_nested",
	14: "delete_because_enabled_false",
	15: "forgot_because_lifecycle_destroy_in_state",
	16: "forgot_because_lifecycle_destroy_in_config",
}

var (
	checkKinds    = []addrs.CheckableKind{1: addrs.CheckableResource, 2: addrs.CheckableOutput, 3: addrs.CheckableCheck, 4: addrs.CheckableVariable}
	checkStatuses = []planjson.CheckStatus{planjson.CheckUnknown, planjson.CheckPass, planjson.CheckFail, planjson.CheckError}
	modes         = []Mode{Normal, Destroy, RefreshOnly}
)

// A release is the tool that wrote a plan and its version, which decide on the form of the
// document. Terraform's versions above 1.11 count as 1.11, and OpenTofu's above those that are
// known as the newest.
type release struct {
	tool  addrs.Tool
	minor int // of the version, which begins with 1
}

// newestTerraform is the newest minor release of Terraform whose form is known.
const newestTerraform = 11

// releaseOf returns the release that a version of a tool is.
func releaseOf(tool addrs.Tool, version string) (release, error) {
	r := release{tool: tool}
	v, err := addrs.ParseVersion(version)
	if err != nil {
		return r, fmt.Errorf("%w: %q is not a version", ErrVersion, short(version))
	}
	major, minor, _, ok := v.Numbers()
	first := uint64(1)
	if tool != addrs.Terraform {
		first = 6
	}
	switch {
	case ok && (major < 1 || major == 1 && minor < first):
		return r, fmt.Errorf("%w: %s %s wrote it, and the first that is supported is 1.%d", ErrVersion, tool, v, first)
	case !ok || major > 1 || minor > 1000:
		minor = 1000
	}
	if r.minor = int(minor); tool == addrs.Terraform {
		r.minor = min(r.minor, newestTerraform)
	}
	return r, nil
}

// terraform reports whether Terraform wrote the plan.
func (r release) terraform() bool { return r.tool == addrs.Terraform }

// before reports whether the release is one of Terraform before 1.n.
func (r release) before(n int) bool { return r.terraform() && r.minor < n }

// tofu reports whether the release is one of OpenTofu from 1.n on.
func (r release) tofu(n int) bool { return !r.terraform() && r.minor >= n }

// formatVersion returns the version of the JSON document.
func (r release) formatVersion() string {
	switch {
	case r.before(2):
		return "1.0"
	case r.before(5):
		return "1.1"
	}
	return "1.2"
}

// wholeSets reports whether all of a set is shown as sensitive in a change if a part of it is.
func (r release) wholeSets() bool { return r.terraform() || r.minor < 8 }
