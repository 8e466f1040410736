// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import "github.com/tofuwire/tofuwire/internal/wire"

// A PolicyInfo is what a policy has to say, without judging.
type PolicyInfo struct {
	Message       string   `json:"message,omitempty"`
	PolicyRange   *Range   `json:"policy_range,omitempty"`
	PolicySnippet *Snippet `json:"policy_snippet,omitempty"`
	Range         *Range   `json:"range,omitempty"`
	Snippet       *Snippet `json:"snippet,omitempty"`

	src wire.Source
}

// A PolicyMetadata says which policy spoke.
type PolicyMetadata struct {
	PolicySetName    string `json:"policy_set_name,omitempty"`
	PolicySetPath    string `json:"policy_set_path,omitempty"`
	PolicyName       string `json:"policy_name,omitempty"`
	FileName         string `json:"file_name,omitempty"`
	EnforcementLevel string `json:"enforcement_level,omitempty"`
	EnforceIndex     *int64 `json:"enforce_index,omitempty"`

	src wire.Source
}

// A PolicyQuery is the judgement on one result of a query.
type PolicyQuery struct {
	Identity      Value               `json:"identity,omitempty"`
	TargetAddress string              `json:"target_address"`
	Result        PolicyResult        `json:"result"`
	Policies      []*PolicyEvaluation `json:"policies"`

	src wire.Source
}

// A PolicyEvaluation is the judgement of one policy.
type PolicyEvaluation struct {
	PolicyMetadata *PolicyMetadata `json:"policy_metadata"`
	Diagnostics    []*Diagnostic   `json:"diagnostics"`
	Result         PolicyResult    `json:"result"`

	src wire.Source
}

// A PolicyResult is what a policy says of a resource.
type PolicyResult string

// The results. Those of policy_query_summary are spelled in their own way.
const (
	PolicyInvalid    PolicyResult = "InvalidResult"
	PolicyUnknown    PolicyResult = "UnknownResult"
	PolicyError      PolicyResult = "PolicyErrorResult"
	PolicyAllow      PolicyResult = "AllowResult"
	PolicyDeny       PolicyResult = "DenyResult"
	PolicySetupError PolicyResult = "SetupErrorResult"

	PolicyQueryPass    PolicyResult = "pass"
	PolicyQueryFail    PolicyResult = "fail"
	PolicyQueryUnknown PolicyResult = "unknown"
	PolicyQueryError   PolicyResult = "error"
)
