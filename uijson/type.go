// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

// A Type is the type of a [Message]. Each release of either tool may add some,
// so a program must be ready for values that have no constant here; the tools'
// advice is to show [Message.Text] then. Types with no payload except their
// text have a constant only if a program would branch on them.
// Its values include [TypeVersion], [TypeLog] and [TypeDiagnostic].
type Type string

// The types of any command.
const (
	TypeVersion          Type = "version"            // the first message: Tofu or Terraform, UI
	TypeLog              Type = "log"                // Text alone, or an emergency dump of the State
	TypeDiagnostic       Type = "diagnostic"         // Diagnostic
	TypeOutput           Type = "output"             // Text alone; init and get of OpenTofu 1.7 to 1.11
	TypeStateLockAcquire Type = "state_lock_acquire" // Text alone; written if the lock takes longer than 400 ms
	TypeStateLockRelease Type = "state_lock_release" // Text alone
)

// The types of plan, apply, destroy and refresh.
const (
	TypePlannedChange           Type = "planned_change"            // Change
	TypeResourceDrift           Type = "resource_drift"            // Change
	TypeDriftSummary            Type = "drift_summary"             // Changes; Terraform 0.15.4 only
	TypeChangeSummary           Type = "change_summary"            // Changes
	TypeOutputs                 Type = "outputs"                   // Outputs
	TypePlannedActionInvocation Type = "planned_action_invocation" // Invocation; Terraform
)

// The types that report work in progress. All of them have a Hook.
const (
	TypeApplyStart        Type = "apply_start"
	TypeApplyProgress     Type = "apply_progress"
	TypeApplyComplete     Type = "apply_complete"
	TypeApplyErrored      Type = "apply_errored"
	TypeProvisionStart    Type = "provision_start"
	TypeProvisionProgress Type = "provision_progress"
	TypeProvisionComplete Type = "provision_complete"
	TypeProvisionErrored  Type = "provision_errored"
	TypeRefreshStart      Type = "refresh_start"
	TypeRefreshComplete   Type = "refresh_complete"

	// Ephemeral resources, as Terraform reports them.
	TypeEphemeralOpStart    Type = "ephemeral_op_start"
	TypeEphemeralOpProgress Type = "ephemeral_op_progress"
	TypeEphemeralOpComplete Type = "ephemeral_op_complete"
	TypeEphemeralOpErrored  Type = "ephemeral_op_errored"

	// Ephemeral resources, as OpenTofu reports them; see [Hook.Ephemeral].
	TypeEphemeralActionStarted  Type = "ephemeral_action_started"
	TypeEphemeralActionComplete Type = "ephemeral_action_complete"

	// Actions of Terraform 1.13 and newer.
	TypeActionStart    Type = "action_start"
	TypeActionProgress Type = "action_progress"
	TypeActionComplete Type = "action_complete"
	TypeActionErrored  Type = "action_errored"
)

// The types of test.
const (
	TypeTestAbstract  Type = "test_abstract"  // TestAbstract
	TypeTestFile      Type = "test_file"      // TestFile
	TypeTestRun       Type = "test_run"       // TestRun
	TypeTestPlan      Type = "test_plan"      // TestPlan
	TypeTestState     Type = "test_state"     // TestState
	TypeTestCleanup   Type = "test_cleanup"   // TestCleanup
	TypeTestInterrupt Type = "test_interrupt" // TestInterrupt
	TypeTestSummary   Type = "test_summary"   // TestSummary
	TypeTestStatus    Type = "test_status"    // TestStatus; Terraform, remote runs
)

// The types of query, which Terraform has since 1.13.
const (
	TypeListStart         Type = "list_start"          // ListStart
	TypeListResourceFound Type = "list_resource_found" // ListResourceFound
	TypeListComplete      Type = "list_complete"       // ListComplete
)

// The types of Terraform's policies, 1.16 and newer.
const (
	TypePolicyInfo         Type = "policy_info"          // PolicyInfo
	TypePolicyDiagnostic   Type = "policy_diagnostic"    // PolicyDiagnostic
	TypePolicyResult       Type = "policy_result"        // PolicyAddress, PolicyMetadata, Result, TargetAddress
	TypePolicyQuerySummary Type = "policy_query_summary" // ListBlockAddress, OverallResult, PassedPolicies, Results
)

// The types of init and state migrate in Terraform. Some 25 others of 1.17, about
// providers and the steps of a migration, have Text alone and no constant.
const (
	TypeInitOutput       Type = "init_output"       // Text, MessageCode
	TypeMigrationErrored Type = "migration_errored" // Text, FailureMode; 1.17
)

// The types of OpenTofu's other commands, 1.12 and newer.
const (
	TypeWorkspaceList   Type = "workspace_list"   // CurrentWorkspace, Workspaces
	TypeResourceAddress Type = "resource_address" // state list; the address is the Text
	TypeReplaceProvider Type = "replace_provider" // From, Resources, To
)

// A Level is the severity of a [Message].
// Its values include [LevelTrace], [LevelDebug] and [LevelInfo].
type Level string

// The levels that occur. The logging library behind the stream has more.
const (
	LevelTrace Level = "trace"
	LevelDebug Level = "debug"
	LevelInfo  Level = "info"
	LevelWarn  Level = "warn"
	LevelError Level = "error"
)

// A MessageCode identifies the subject of a message of type "init_output", such as
// "initializing_backend_message" or "output_init_success_message". Terraform
// keeps it stable, unlike the text. There are many codes, and each release
// changes the list.
type MessageCode string
