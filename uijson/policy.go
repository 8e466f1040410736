// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import "github.com/tofuwire/tofuwire/internal/wire"

// A PolicyInfo is a remark of a policy, without a verdict.
type PolicyInfo struct {
	Message       string   `json:"message,omitempty"`        // for people
	PolicyRange   *Range   `json:"policy_range,omitempty"`   // in the policy
	PolicySnippet *Snippet `json:"policy_snippet,omitempty"` // of the policy
	Range         *Range   `json:"range,omitempty"`          // in the configuration
	Snippet       *Snippet `json:"snippet,omitempty"`        // of the configuration

	src wire.Source
}

// A PolicyMetadata identifies a policy.
type PolicyMetadata struct {
	PolicySetName    string `json:"policy_set_name,omitempty"`   // the set it belongs to
	PolicySetPath    string `json:"policy_set_path,omitempty"`   // where that is
	PolicyName       string `json:"policy_name,omitempty"`       // its name
	FileName         string `json:"file_name,omitempty"`         // the file of the policy
	EnforcementLevel string `json:"enforcement_level,omitempty"` // how binding it is
	EnforceIndex     *int64 `json:"enforce_index,omitempty"`     // of the enforce block

	src wire.Source
}

// A PolicyQuery has the results of all policies for one result of a query.
type PolicyQuery struct {
	Identity      Value               `json:"identity,omitempty"` // of the resource, an object
	TargetAddress string              `json:"target_address"`     // of the resource
	Result        PolicyResult        `json:"result"`             // of all policies together
	Policies      []*PolicyEvaluation `json:"policies"`           // one element for each

	src wire.Source
}

// A PolicyEvaluation is the result of one policy.
type PolicyEvaluation struct {
	PolicyMetadata *PolicyMetadata `json:"policy_metadata"` // which policy
	Diagnostics    []*Diagnostic   `json:"diagnostics"`     // its remarks
	Result         PolicyResult    `json:"result"`          // its judgement

	src wire.Source
}

// A PolicyResult is the verdict of a policy on a resource: "AllowResult",
// "DenyResult", "PolicyErrorResult", "SetupErrorResult", "UnknownResult" or
// "InvalidResult". In policy_query_summary it is "pass", "fail", "unknown" or
// "error".
type PolicyResult string
