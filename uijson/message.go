// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A Message is one line of the stream: the envelope that all messages share,
// and the payload of its type. Both are members of one flat JSON object, so
// both are fields here, and at most the few fields that [Message.Type] names
// are set: a message of type "apply_start" has a Hook, one of type "version"
// has Tofu or Terraform, and UI.
//
// The members are in the order in which the tools write them, which is the
// bytewise order of their names, including "type".
type Message struct {
	// Level is the severity of the message. It may be the only sign that a
	// command failed: see [Message.IsError].
	Level Level `json:"@level"`

	// Text is the message for a human reader. It may be empty, hold several
	// lines, begin with one that is empty, or hold control characters of a
	// foreign program: see [Sanitize].
	Text string `json:"@message"`

	// Module is the part of the tool that wrote the message: "tofu.ui" or
	// "terraform.ui".
	Module string `json:"@module"`

	// Policy is the text "true" in policy messages of Terraform.
	Policy string `json:"@policy,omitempty"`

	// InFile and InRun are the test file and the run that the message belongs
	// to, if it is about a test.
	InFile string `json:"@testfile,omitempty"`
	InRun  string `json:"@testrun,omitempty"`

	// Timestamp is when the message was made, as it was written. It has six
	// digits or none after the second and the time zone of the tool, and need
	// not increase from line to line: see [Message.Time].
	Timestamp string `json:"@timestamp"`

	Change            *Change            `json:"change,omitempty"`             // planned_change, resource_drift
	Changes           *ChangeSummary     `json:"changes,omitempty"`            // change_summary, drift_summary
	CurrentWorkspace  string             `json:"current_workspace,omitempty"`  // workspace_list
	Diagnostic        *Diagnostic        `json:"diagnostic,omitempty"`         // diagnostic
	FailureMode       string             `json:"failure_mode,omitempty"`       // migration_errored: the stage reached, such as "error_during_migration"
	From              string             `json:"from,omitempty"`               // replace_provider
	Hook              *Hook              `json:"hook,omitempty"`               // apply_*, provision_*, refresh_*, ephemeral_*, action_*
	Invocation        *ActionInvocation  `json:"invocation,omitempty"`         // planned_action_invocation
	ListBlockAddress  string             `json:"list_block_address,omitempty"` // policy_query_summary
	ListComplete      *ListComplete      `json:"list_complete,omitempty"`      // list_complete
	ListResourceFound *ListResourceFound `json:"list_resource_found,omitempty"`
	ListStart         *ListStart         `json:"list_start,omitempty"`     // list_start
	MessageCode       MessageCode        `json:"message_code,omitempty"`   // init_output
	Outputs           map[string]*Output `json:"outputs,omitempty"`        // outputs
	OverallResult     PolicyResult       `json:"overall_result,omitempty"` // policy_query_summary
	PassedPolicies    Value              `json:"passed_policies,omitempty"`
	PolicyAddress     string             `json:"policy_address,omitempty"`    // policy_result
	PolicyDiagnostic  *Diagnostic        `json:"policy_diagnostic,omitempty"` // policy_diagnostic
	PolicyInfo        *PolicyInfo        `json:"policy_info,omitempty"`       // policy_info
	PolicyMetadata    *PolicyMetadata    `json:"policy_metadata,omitempty"`   // policy_info, policy_diagnostic, policy_result
	Resources         []string           `json:"resources,omitempty"`         // replace_provider: resource addresses
	Result            PolicyResult       `json:"result,omitempty"`            // policy_info, policy_diagnostic, policy_result
	Results           []*PolicyQuery     `json:"results,omitempty"`           // policy_query_summary

	// State is the whole state, in a message of type "log" that a tool writes
	// when it could not save the state. Sensitive values are in clear text.
	State Value `json:"state,omitempty"`

	TargetAddress string `json:"target_address,omitempty"` // policy_info, policy_diagnostic, policy_result
	Terraform     string `json:"terraform,omitempty"`      // version: the version of Terraform

	// TestAbstract is, for test_abstract, an object that has a list of run
	// names, or null, for each test file: see [Message.TestRuns].
	TestAbstract  Value          `json:"test_abstract,omitempty"`
	TestCleanup   *TestCleanup   `json:"test_cleanup,omitempty"`   // test_cleanup
	TestFile      *TestFile      `json:"test_file,omitempty"`      // test_file
	TestInterrupt *TestInterrupt `json:"test_interrupt,omitempty"` // test_interrupt

	// TestPlan and TestState are whole documents, for test_plan and test_state.
	// OpenTofu writes those of "tofu show -json"; Terraform writes another
	// form, which includes the provider schemas and may be megabytes long.
	TestPlan    Value        `json:"test_plan,omitempty" wire:"document"`
	TestRun     *TestRun     `json:"test_run,omitempty"` // test_run
	TestState   Value        `json:"test_state,omitempty" wire:"document"`
	TestStatus  *TestRemote  `json:"test_status,omitempty"`  // test_status
	TestSummary *TestSummary `json:"test_summary,omitempty"` // test_summary

	To   string `json:"to,omitempty"`   // replace_provider
	Tofu string `json:"tofu,omitempty"` // version: the version of OpenTofu

	// Type says which of the other members to expect. It is "" in the lines of
	// many OpenTofu commands, where Level and Text are all there is.
	Type Type `json:"type,omitempty"`

	UI         string   `json:"ui,omitempty"`         // version: the version of the stream's format
	Workspaces []string `json:"workspaces,omitempty"` // workspace_list

	redacted bool // what may be secret was removed: nothing around it is written either

	src wire.Source
}

// IsError reports whether the message is about an error: it is a diagnostic of
// that severity, or its level is error. OpenTofu reports the failure of some
// commands only in messages without a type, at level error.
func (m *Message) IsError() bool {
	if m == nil {
		return false
	}
	if m.Diagnostic != nil {
		return m.Diagnostic.Severity == SeverityError
	}
	return m.Level == LevelError
}

// IsWarning is like [Message.IsError], for warnings.
func (m *Message) IsWarning() bool {
	if m == nil {
		return false
	}
	if m.Diagnostic != nil {
		return m.Diagnostic.Severity == SeverityWarning
	}
	return m.Level == LevelWarn
}

// Tool returns the program that wrote m, or "" if m does not say.
func (m *Message) Tool() addrs.Tool {
	switch {
	case m == nil:
		return ""
	case m.Tofu != "":
		return addrs.OpenTofu
	case m.Terraform != "":
		return addrs.Terraform
	case m.Module == "tofu.ui":
		return addrs.OpenTofu
	case m.Module == "terraform.ui":
		return addrs.Terraform
	}
	return ""
}

// Version returns the version of the program, for a message of type version.
func (m *Message) Version() string {
	if m == nil {
		return ""
	}
	if m.Tofu != "" {
		return m.Tofu
	}
	return m.Terraform
}

// ErrVersion is the cause of an [Error] for a major version of the stream's
// format that this package does not support.
var ErrVersion = errors.New("unsupported format version")

// CheckVersion returns an [*Error] that wraps [ErrVersion] if m is a message of
// type version which announces a format other than 0.1 and 1.x. The tools ask
// programs to refuse such a stream. It can still be decoded; what the package
// does not know stays in Extra.
//
// The version says little else: that of all OpenTofu releases is 1.2, though
// many have added messages.
func (m *Message) CheckVersion() error {
	if m == nil {
		return &Error{Err: ErrAbsent}
	}
	if m.Type != TypeVersion {
		return nil
	}
	if major, _, _ := strings.Cut(m.UI, "."); major == "1" || strings.HasPrefix(m.UI, "0.1.") || m.UI == "0.1" {
		return nil
	}
	if m.UI == "" {
		return placed(&m.src, "/ui", fmt.Errorf("%w: there is none", ErrVersion))
	}
	return placed(&m.src, "/ui", fmt.Errorf("%w %q", ErrVersion, m.UI))
}

// TestRuns returns an iterator over the test files that a message of type
// test_abstract announces, with the names of their runs, in the order of the
// message.
func (m *Message) TestRuns() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		if m == nil {
			return
		}
		files := m.TestAbstract.object()
		if files == nil {
			return
		}
		for tok, list := range jsonscan.Members(files) {
			var runs []string
			for run := range Value(list).each() {
				if name, ok := run.Text(); ok {
					runs = append(runs, name)
				}
			}
			if !yield(jsonscan.Unquote(tok), runs) {
				return
			}
		}
	}
}
