// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// memberTable lists every object of the format with every member that a
// released tool has ever written, in the order in which OpenTofu writes them;
// members of Terraform alone stand where Terraform has them.
var memberTable = []struct {
	object  string
	members string
	typ     any
}{
	{"plan", `format_version terraform_version variables planned_values resource_drift resource_changes deferred_changes
		deferred_action_invocations output_changes action_invocations prior_state configuration relevant_attributes
		condition_results checks timestamp applyable complete errored`, new(planjson.Plan)},
	{"state", `format_version terraform_version values checks`, new(planjson.State)},
	{"values", `outputs root_module`, new(planjson.Values)},
	{"module", `resources address child_modules`, new(planjson.Module)},
	{"output", `sensitive deprecated type value`, new(planjson.Output)},
	{"resource", `address mode type name index provider_name schema_version values sensitive_values depends_on tainted
		deposed_key identity identity_schema_version`, new(planjson.Resource)},
	{"resource change", `address previous_address module_address mode type name index index_unknown provider_name deposed
		change action_reason`, new(planjson.ResourceChange)},
	{"change", `actions before after after_unknown before_sensitive after_sensitive replace_paths importing
		generated_config before_identity after_identity`, new(planjson.Change)},
	{"importing", `id unknown identity`, new(planjson.Importing)},
	{"variable", `value`, new(planjson.Variable)},
	{"relevant attribute", `resource attribute`, new(planjson.RelevantAttribute)},
	{"condition result", `// address condition_type result unknown error_message`, new(planjson.ConditionResult)},
	{"check", `// address status instances`, new(planjson.Check)},
	{"check address", `kind mode module name to_display type`, new(planjson.CheckAddress)},
	{"check instance", `address status problems`, new(planjson.CheckInstance)},
	{"check instance address", `instance_key module to_display`, new(planjson.CheckInstanceAddress)},
	{"check problem", `message`, new(planjson.CheckProblem)},
	{"configuration", `provider_config root_module`, new(planjson.Config)},
	{"provider config", `name full_name alias version_constraint module_address expressions`, new(planjson.ProviderConfig)},
	{"module config", `outputs resources module_calls variables actions`, new(planjson.ModuleConfig)},
	{"resource config", `address mode type name provider_config_key provisioners expressions schema_version
		count_expression for_each_expression depends_on`, new(planjson.ResourceConfig)},
	{"provisioner", `type expressions`, new(planjson.Provisioner)},
	{"module call", `source expressions count_expression for_each_expression module version_constraint depends_on`,
		new(planjson.ModuleCall)},
	{"output config", `sensitive ephemeral deprecated expression depends_on description`, new(planjson.OutputConfig)},
	{"variable config", `type default description required sensitive ephemeral deprecated`, new(planjson.VariableConfig)},
	{"action config", `address type name provider_config_key count_expression for_each_expression`, new(planjson.ActionConfig)},
	{"deferred change", `reason resource_change`, new(planjson.DeferredChange)},
	{"action invocation", `address type name config_values config_sensitive config_unknown provider_name
		lifecycle_action_trigger invoke_action_trigger`, new(planjson.ActionInvocation)},
	{"lifecycle trigger", `triggering_resource_address action_trigger_event action_trigger_block_index actions_list_index
		on_failure`, new(planjson.LifecycleActionTrigger)},
	{"invoke trigger", `calling_resource_address`, new(planjson.InvokeActionTrigger)},
	{"deferred action invocation", `reason action_invocation`, new(planjson.DeferredActionInvocation)},
	{"schemas", `format_version provider_schemas`, new(planjson.Schemas)},
	{"provider schema", `provider resource_schemas data_source_schemas ephemeral_resource_schemas list_resource_schemas
		functions resource_identity_schemas action_schemas state_store_schemas`, new(planjson.ProviderSchema)},
	{"schema", `version block`, new(planjson.Schema)},
	{"action schema", `block`, new(planjson.ActionSchema)},
	{"block", `attributes block_types description description_kind deprecated deprecation_message`, new(planjson.Block)},
	{"block type", `nesting_mode block min_items max_items`, new(planjson.BlockType)},
	{"attribute", `type nested_type description description_kind deprecated deprecation_message required optional computed
		sensitive write_only`, new(planjson.Attribute)},
	{"nested type", `attributes nesting_mode min_items max_items`, new(planjson.NestedType)},
	{"identity schema", `version attributes`, new(planjson.IdentitySchema)},
	{"identity attribute", `type description required_for_import optional_for_import`, new(planjson.IdentityAttribute)},
	{"provider function", `description summary deprecation_message return_type parameters variadic_parameter`,
		new(planjson.ProviderFunction)},
	{"provider function parameter", `name description type is_nullable`, new(planjson.ProviderFunctionParameter)},
	{"functions", `format_version function_signatures`, new(planjson.Functions)},
	{"function signature", `description summary deprecation_message return_type parameters variadic_parameter`,
		new(planjson.FunctionSignature)},
	{"function parameter", `name description is_nullable type`, new(planjson.FunctionParameter)},
	{"validate", `format_version valid error_count warning_count diagnostics`, new(planjson.Validate)},
	{"diagnostic", `severity summary detail address range snippet difference deprecation_origin_description policy_range
		policy_snippet`, new(planjson.Diagnostic)},
	{"range", `filename start end`, new(planjson.Range)},
	{"pos", `line column byte`, new(planjson.Pos)},
	{"snippet", `context code start_line highlight_start_offset highlight_end_offset values function_call
		test_assertion_expr`, new(planjson.Snippet)},
	{"expression value", `traversal statement`, new(planjson.ExpressionValue)},
	{"function call", `called_as signature`, new(planjson.FunctionCall)},
	{"called function", `name params variadic_param return_type description description_kind`, new(planjson.CalledFunction)},
	{"called parameter", `name type description description_kind`, new(planjson.CalledParameter)},
	{"test assertion", `lhs rhs warning show_verbose`, new(planjson.TestAssertionExpr)},
	{"version", `format_version terraform_version terraform_revision platform fips140 provider_selections
		terraform_outdated`, new(planjson.Version)},
	{"modules", `format_version modules`, new(planjson.Modules)},
	{"installed module", `key source version`, new(planjson.InstalledModule)},
	{"workspaces", `format_version workspaces diagnostics`, new(planjson.Workspaces)},
	{"workspace", `name is_current`, new(planjson.Workspace)},
	{"state show", `format_version resource diagnostics`, new(planjson.StateShow)},
	{"renderer plan", `plan_format_version output_changes resource_changes resource_drift relevant_attributes
		deferred_changes action_invocations provider_format_version provider_schemas`, new(planjson.RendererPlan)},
	{"renderer state", `state_format_version root_module outputs provider_format_version provider_schemas`, new(planjson.RendererState)},
}

// sampleOf returns JSON that fits a field and is not its zero value.
func sampleOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[planjson.Value]():
		return `{"any":1}`
	case reflect.TypeFor[*planjson.Expression]():
		return `{"references":["var.a"]}`
	}
	switch t.Kind() {
	case reflect.String:
		return `"text"`
	case reflect.Bool:
		return `true`
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return `7`
	case reflect.Pointer:
		return sampleOf(t.Elem())
	case reflect.Slice:
		return "[" + sampleOf(t.Elem()) + "]"
	case reflect.Map:
		return `{"key":` + sampleOf(t.Elem()) + "}"
	case reflect.Struct:
		return `{}`
	}
	panic("no sample for " + t.String())
}

// Every member in the table has a field, in the table's order, that a decoded
// object shows; and no type has other fields.
func TestEveryMemberHasAField(t *testing.T) {
	for _, row := range memberTable {
		typ := reflect.TypeOf(row.typ).Elem()
		fields := make(map[string]reflect.StructField)
		var names []string
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if lazy := f.Tag.Get("lazy"); lazy != "" || f.IsExported() {
				name += lazy
				names = append(names, name)
				fields[name] = f
			}
		}
		members := strings.Fields(row.members)
		if got, want := strings.Join(names, " "), strings.Join(members, " "); got != want {
			t.Errorf("%s: fields are\n%s\nmembers are\n%s", row.object, got, want)
			continue
		}
		for _, member := range members {
			text := fmt.Sprintf(`{%q:%s}`, member, sampleOf(fields[member].Type))
			if row.object == "renderer state" && member == "root_module" { // alone it is a configuration
				text = `{"state_format_version":"1.0",` + text[1:]
			}
			v := reflect.New(typ)
			if err := json.Unmarshal([]byte(text), v.Interface()); err != nil {
				t.Errorf("%s: %s: %v", row.object, text, err)
				continue
			}
			if v.Elem().FieldByIndex(fields[member].Index).IsZero() {
				t.Errorf("%s: %s does not reach field %s", row.object, text, fields[member].Name)
			}
			for name := range planjson.Extra(v.Interface().(planjson.Object)) {
				t.Errorf("%s: %s is an extra member", row.object, name)
			}
			again, err := json.Marshal(v.Interface())
			if err != nil || string(again) != text {
				t.Errorf("%s: %s became %s, %v", row.object, text, again, err)
			}
		}
	}
}

// Every type of the format that can be reached from a document is in the table.
func TestMemberTableIsComplete(t *testing.T) {
	known := map[reflect.Type]bool{
		reflect.TypeFor[planjson.Expression](): true, // its members depend on its shape
		reflect.TypeFor[planjson.Outputs]():    true, // its members are outputs
	}
	for _, row := range memberTable {
		known[reflect.TypeOf(row.typ).Elem()] = true
	}
	seen := make(map[reflect.Type]bool)
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(typ.Elem())
		case reflect.Struct:
			if seen[typ] {
				return
			}
			seen[typ] = true
			if !known[typ] {
				t.Errorf("%v is not in the table", typ)
			}
			for i := range typ.NumField() {
				if f := typ.Field(i); f.IsExported() {
					visit(f.Type)
				}
			}
		}
	}
	visit(reflect.TypeFor[planjson.Config]()) // what Plan.Config returns
	for _, doc := range []any{
		planjson.Plan{}, planjson.State{}, planjson.Config{}, planjson.Schemas{}, planjson.Functions{}, planjson.Validate{},
		planjson.Version{}, planjson.Outputs{}, planjson.Modules{}, planjson.StateShow{}, planjson.Workspaces{},
		planjson.RendererPlan{}, planjson.RendererState{},
	} {
		visit(reflect.TypeOf(doc))
	}
	if len(seen) < 60 {
		t.Errorf("only %d types were reached", len(seen))
	}
}

// Every constant of an open enumeration is the text that the tools write.
func TestEnumerations(t *testing.T) {
	for name, row := range map[string]struct {
		want string
		got  []any
	}{
		"actions": {"no-op create read update delete forget open", []any{
			planjson.ActionNoOp, planjson.ActionCreate, planjson.ActionRead, planjson.ActionUpdate, planjson.ActionDelete, planjson.ActionForget, planjson.ActionOpen}},
		"reasons": {`replace_because_cannot_update replace_because_tainted replace_by_request replace_by_triggers
			delete_because_no_resource_config delete_because_wrong_repetition delete_because_count_index
			delete_because_each_key delete_because_no_module delete_because_no_move_target delete_because_enabled_false
			forgot_because_lifecycle_destroy_in_config forgot_because_lifecycle_destroy_in_state
			read_because_config_unknown read_because_dependency_pending read_because_check_nested`, []any{
			planjson.ReplaceBecauseCannotUpdate, planjson.ReplaceBecauseTainted, planjson.ReplaceByRequest,
			planjson.ReplaceByTriggers, planjson.DeleteBecauseNoResourceConfig, planjson.DeleteBecauseWrongRepetition,
			planjson.DeleteBecauseCountIndex, planjson.DeleteBecauseEachKey, planjson.DeleteBecauseNoModule,
			planjson.DeleteBecauseNoMoveTarget, planjson.DeleteBecauseEnabledFalse,
			planjson.ForgotBecauseLifecycleDestroyInConfig, planjson.ForgotBecauseLifecycleDestroyInState,
			planjson.ReadBecauseConfigUnknown, planjson.ReadBecauseDependencyPending, planjson.ReadBecauseCheckNested}},
		"deferred": {`unknown instance_count_unknown resource_config_unknown provider_config_unknown deferred_prereq
			absent_prereq`, []any{
			planjson.DeferredUnknown, planjson.DeferredInstanceCountUnknown, planjson.DeferredResourceConfigUnknown,
			planjson.DeferredProviderConfigUnknown, planjson.DeferredPrerequisite, planjson.DeferredAbsentPrerequisite}},
		"modes": {"managed data ephemeral", []any{addrs.Managed, addrs.Data, addrs.Ephemeral}},
		"kinds": {"resource output_value check var", []any{
			addrs.CheckableResource, addrs.CheckableOutput, addrs.CheckableCheck, addrs.CheckableVariable}},
		"status": {"pass fail error unknown", []any{
			planjson.CheckPass, planjson.CheckFail, planjson.CheckError, planjson.CheckUnknown}},
		"nesting": {"single group list set map", []any{
			planjson.NestingSingle, planjson.NestingGroup, planjson.NestingList, planjson.NestingSet, planjson.NestingMap}},
		"description": {"plain markdown", []any{planjson.DescriptionPlain, planjson.DescriptionMarkdown}},
		"severity": {"error warning unknown", []any{
			planjson.SeverityError, planjson.SeverityWarning, planjson.SeverityUnknown}},
	} {
		want := strings.Fields(row.want)
		if len(want) != len(row.got) {
			t.Errorf("%s: %d constants, want %d", name, len(row.got), len(want))
			continue
		}
		for i, c := range row.got {
			if got := fmt.Sprint(c); got != want[i] {
				t.Errorf("%s: %q, want %q", name, got, want[i])
			}
		}
	}
}
