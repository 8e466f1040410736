// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import "encoding/json"

// The messages of the stream as plain structs, for the peers that decode into
// any struct: the same members as in uijson, with raw JSON where uijson has it,
// and without what the lossless writing needs.
type (
	uiMessage struct {
		Level             string               `json:"@level"`
		Text              string               `json:"@message"`
		Module            string               `json:"@module"`
		Policy            string               `json:"@policy,omitempty"`
		InFile            string               `json:"@testfile,omitempty"`
		InRun             string               `json:"@testrun,omitempty"`
		Timestamp         string               `json:"@timestamp"`
		Change            *uiChange            `json:"change,omitempty"`
		Changes           *uiChangeSummary     `json:"changes,omitempty"`
		CurrentWorkspace  string               `json:"current_workspace,omitempty"`
		Diagnostic        *uiDiagnostic        `json:"diagnostic,omitempty"`
		FailureMode       string               `json:"failure_mode,omitempty"`
		From              string               `json:"from,omitempty"`
		Hook              *uiHook              `json:"hook,omitempty"`
		Invocation        *uiActionInvocation  `json:"invocation,omitempty"`
		ListBlockAddress  string               `json:"list_block_address,omitempty"`
		ListComplete      *uiListComplete      `json:"list_complete,omitempty"`
		ListResourceFound *uiListResourceFound `json:"list_resource_found,omitempty"`
		ListStart         *uiListStart         `json:"list_start,omitempty"`
		MessageCode       string               `json:"message_code,omitempty"`
		Outputs           map[string]*uiOutput `json:"outputs,omitempty"`
		OverallResult     string               `json:"overall_result,omitempty"`
		PassedPolicies    json.RawMessage      `json:"passed_policies,omitempty"`
		PolicyAddress     string               `json:"policy_address,omitempty"`
		PolicyDiagnostic  *uiDiagnostic        `json:"policy_diagnostic,omitempty"`
		PolicyInfo        *uiPolicyInfo        `json:"policy_info,omitempty"`
		PolicyMetadata    *uiPolicyMetadata    `json:"policy_metadata,omitempty"`
		Resources         []string             `json:"resources,omitempty"`
		Result            string               `json:"result,omitempty"`
		Results           []*uiPolicyQuery     `json:"results,omitempty"`
		State             json.RawMessage      `json:"state,omitempty"`
		TargetAddress     string               `json:"target_address,omitempty"`
		Terraform         string               `json:"terraform,omitempty"`
		TestAbstract      json.RawMessage      `json:"test_abstract,omitempty"`
		TestCleanup       *uiTestCleanup       `json:"test_cleanup,omitempty"`
		TestFile          *uiTestFile          `json:"test_file,omitempty"`
		TestInterrupt     *uiTestInterrupt     `json:"test_interrupt,omitempty"`
		TestPlan          json.RawMessage      `json:"test_plan,omitempty"`
		TestRun           *uiTestRun           `json:"test_run,omitempty"`
		TestState         json.RawMessage      `json:"test_state,omitempty"`
		TestStatus        *uiTestRemote        `json:"test_status,omitempty"`
		TestSummary       *uiTestSummary       `json:"test_summary,omitempty"`
		To                string               `json:"to,omitempty"`
		Tofu              string               `json:"tofu,omitempty"`
		Type              string               `json:"type,omitempty"`
		UI                string               `json:"ui,omitempty"`
		Workspaces        []string             `json:"workspaces,omitempty"`
	}
	uiResource struct {
		Addr            string          `json:"addr"`
		Module          string          `json:"module"`
		Resource        string          `json:"resource"`
		ImpliedProvider string          `json:"implied_provider"`
		ResourceType    string          `json:"resource_type"`
		ResourceName    string          `json:"resource_name"`
		ResourceKey     json.RawMessage `json:"resource_key"`
	}
	uiActionAddress struct {
		Addr            string          `json:"addr"`
		Module          string          `json:"module"`
		Action          string          `json:"action"`
		ImpliedProvider string          `json:"implied_provider"`
		ActionType      string          `json:"action_type"`
		ActionName      string          `json:"action_name"`
		ActionKey       json.RawMessage `json:"action_key"`
	}
	uiChange struct {
		Resource         *uiResource  `json:"resource"`
		PreviousResource *uiResource  `json:"previous_resource,omitempty"`
		Action           string       `json:"action"`
		Reason           string       `json:"reason,omitempty"`
		Importing        *uiImporting `json:"importing,omitempty"`
		GeneratedConfig  string       `json:"generated_config,omitempty"`
	}
	uiImporting struct {
		ID       string          `json:"id,omitempty"`
		Identity json.RawMessage `json:"identity,omitempty"`
	}
	uiChangeSummary struct {
		Add              int64  `json:"add"`
		Change           int64  `json:"change"`
		Import           int64  `json:"import"`
		Remove           int64  `json:"remove"`
		Forget           int64  `json:"forget"`
		ActionInvocation int64  `json:"action_invocation,omitempty"`
		ActionFail       int64  `json:"action_fail,omitempty"`
		Operation        string `json:"operation"`
	}
	uiOutput struct {
		Sensitive  bool            `json:"sensitive"`
		Deprecated string          `json:"deprecated,omitempty"`
		Type       json.RawMessage `json:"type,omitempty"`
		Value      json.RawMessage `json:"value,omitempty"`
		Action     string          `json:"action,omitempty"`
	}
	uiHook struct {
		Resource       *uiResource     `json:"resource,omitempty"`
		TriggerIndex   *int64          `json:"trigger_index,omitempty"`
		Action         string          `json:"action,omitempty"`
		IDKey          string          `json:"id_key,omitempty"`
		IDValue        string          `json:"id_value,omitempty"`
		ElapsedSeconds *int64          `json:"elapsed_seconds,omitempty"`
		Provisioner    string          `json:"provisioner,omitempty"`
		Output         string          `json:"output,omitempty"`
		Msg            string          `json:"Msg,omitempty"`
		Message        string          `json:"message,omitempty"`
		Error          string          `json:"error,omitempty"`
		Lifecycle      *uiLifecycle    `json:"lifecycle,omitempty"`
		Invoke         json.RawMessage `json:"invoke,omitempty"`
	}
	uiLifecycle struct {
		Resource     *uiResource `json:"resource"`
		TriggerIndex int64       `json:"trigger_index"`
		ActionsIndex int64       `json:"actions_index"`
		TriggerEvent string      `json:"trigger_event"`
		OnFailure    string      `json:"on_failure,omitempty"`
	}
	uiActionInvocation struct {
		ActionAddr       *uiActionAddress    `json:"action_addr"`
		LifecycleTrigger *uiLifecycleTrigger `json:"lifecycle_trigger,omitempty"`
		ActionTrigger    json.RawMessage     `json:"action_trigger,omitempty"`
	}
	uiLifecycleTrigger struct {
		TriggeringResource      *uiResource `json:"triggering_resource"`
		TriggeringEvent         string      `json:"triggering_event"`
		ActionTriggerBlockIndex int64       `json:"action_trigger_block_index"`
		ActionsListIndex        int64       `json:"actions_list_index"`
		OnFailure               string      `json:"on_failure,omitempty"`
	}
	uiDiagnostic struct {
		Severity          string        `json:"severity"`
		Summary           string        `json:"summary"`
		Detail            string        `json:"detail"`
		Address           string        `json:"address,omitempty"`
		Range             *uiRange      `json:"range,omitempty"`
		Snippet           *uiSnippet    `json:"snippet,omitempty"`
		Difference        *uiDifference `json:"difference,omitempty"`
		DeprecationOrigin string        `json:"deprecation_origin_description,omitempty"`
		PolicyRange       *uiRange      `json:"policy_range,omitempty"`
		PolicySnippet     *uiSnippet    `json:"policy_snippet,omitempty"`
	}
	uiRange struct {
		Filename string `json:"filename"`
		Start    uiPos  `json:"start"`
		End      uiPos  `json:"end"`
	}
	uiPos struct {
		Line   int64 `json:"line"`
		Column int64 `json:"column"`
		Byte   int64 `json:"byte"`
	}
	uiSnippet struct {
		Context              *string              `json:"context"`
		Code                 string               `json:"code"`
		StartLine            int64                `json:"start_line"`
		HighlightStartOffset int64                `json:"highlight_start_offset"`
		HighlightEndOffset   int64                `json:"highlight_end_offset"`
		Values               []*uiExpressionValue `json:"values"`
		FunctionCall         *uiFunctionCall      `json:"function_call,omitempty"`
		TestAssertion        *uiTestAssertion     `json:"test_assertion_expr,omitempty"`
	}
	uiExpressionValue struct {
		Traversal string `json:"traversal"`
		Statement string `json:"statement"`
	}
	uiFunctionCall struct {
		CalledAs  string               `json:"called_as"`
		Signature *uiFunctionSignature `json:"signature,omitempty"`
	}
	uiFunctionSignature struct {
		Name            string                 `json:"name"`
		Params          []*uiFunctionParameter `json:"params"`
		VariadicParam   *uiFunctionParameter   `json:"variadic_param,omitempty"`
		ReturnType      json.RawMessage        `json:"return_type"`
		Description     string                 `json:"description,omitempty"`
		DescriptionKind string                 `json:"description_kind,omitempty"`
	}
	uiFunctionParameter struct {
		Name            string          `json:"name"`
		Type            json.RawMessage `json:"type"`
		Description     string          `json:"description,omitempty"`
		DescriptionKind string          `json:"description_kind,omitempty"`
	}
	uiTestAssertion struct {
		LHS         string `json:"lhs"`
		RHS         string `json:"rhs"`
		Warning     string `json:"warning"`
		ShowVerbose bool   `json:"show_verbose"`
	}
	uiDifference struct {
		Actions         []string        `json:"actions,omitempty"`
		Before          json.RawMessage `json:"before,omitempty"`
		After           json.RawMessage `json:"after,omitempty"`
		AfterUnknown    json.RawMessage `json:"after_unknown,omitempty"`
		BeforeSensitive json.RawMessage `json:"before_sensitive,omitempty"`
		AfterSensitive  json.RawMessage `json:"after_sensitive,omitempty"`
		ReplacePaths    json.RawMessage `json:"replace_paths,omitempty"`
		Importing       json.RawMessage `json:"importing,omitempty"`
		GeneratedConfig string          `json:"generated_config,omitempty"`
		BeforeIdentity  json.RawMessage `json:"before_identity,omitempty"`
		AfterIdentity   json.RawMessage `json:"after_identity,omitempty"`
	}
	uiTestFile struct {
		Path     string `json:"path"`
		Progress string `json:"progress,omitempty"`
		Status   string `json:"status,omitempty"`
	}
	uiTestRun struct {
		Path     string `json:"path"`
		Run      string `json:"run"`
		Progress string `json:"progress,omitempty"`
		Elapsed  *int64 `json:"elapsed,omitempty"`
		Status   string `json:"status,omitempty"`
	}
	uiTestSummary struct {
		Status  string `json:"status"`
		Passed  int64  `json:"passed"`
		Failed  int64  `json:"failed"`
		Errored int64  `json:"errored"`
		Skipped int64  `json:"skipped"`
	}
	uiTestCleanup struct {
		FailedResources  []*uiTestLeftover `json:"failed_resources,omitempty"`
		SkippedResources []*uiTestLeftover `json:"skipped_resources,omitempty"`
	}
	uiTestLeftover struct {
		Instance   string `json:"instance"`
		DeposedKey string `json:"deposed_key,omitempty"`
	}
	uiTestInterrupt struct {
		State   []*uiTestLeftover `json:"state,omitempty"`
		States  json.RawMessage   `json:"states,omitempty"`
		Planned []string          `json:"planned,omitempty"`
	}
	uiTestRemote struct {
		Status   string          `json:"status"`
		Duration json.RawMessage `json:"duration"`
	}
	uiListStart struct {
		Address                 string          `json:"address"`
		ResourceType            string          `json:"resource_type"`
		InputConfig             json.RawMessage `json:"input_config,omitempty"`
		SensitiveAttributePaths []string        `json:"sensitive_attribute_paths,omitempty"`
	}
	uiListResourceFound struct {
		Address         string          `json:"address"`
		DisplayName     string          `json:"display_name"`
		Identity        json.RawMessage `json:"identity"`
		IdentityVersion *int64          `json:"identity_version,omitempty"`
		ResourceType    string          `json:"resource_type"`
		ResourceObject  json.RawMessage `json:"resource_object,omitempty"`
		Config          string          `json:"config,omitempty"`
		ImportConfig    string          `json:"import_config,omitempty"`
	}
	uiListComplete struct {
		Address      string `json:"address"`
		ResourceType string `json:"resource_type"`
		Total        int64  `json:"total"`
	}
	uiPolicyInfo struct {
		Message       string     `json:"message,omitempty"`
		PolicyRange   *uiRange   `json:"policy_range,omitempty"`
		PolicySnippet *uiSnippet `json:"policy_snippet,omitempty"`
		Range         *uiRange   `json:"range,omitempty"`
		Snippet       *uiSnippet `json:"snippet,omitempty"`
	}
	uiPolicyMetadata struct {
		PolicySetName    string `json:"policy_set_name,omitempty"`
		PolicySetPath    string `json:"policy_set_path,omitempty"`
		PolicyName       string `json:"policy_name,omitempty"`
		FileName         string `json:"file_name,omitempty"`
		EnforcementLevel string `json:"enforcement_level,omitempty"`
		EnforceIndex     *int64 `json:"enforce_index,omitempty"`
	}
	uiPolicyQuery struct {
		Identity      json.RawMessage       `json:"identity,omitempty"`
		TargetAddress string                `json:"target_address"`
		Result        string                `json:"result"`
		Policies      []*uiPolicyEvaluation `json:"policies"`
	}
	uiPolicyEvaluation struct {
		PolicyMetadata *uiPolicyMetadata `json:"policy_metadata"`
		Diagnostics    []*uiDiagnostic   `json:"diagnostics"`
		Result         string            `json:"result"`
	}
)
