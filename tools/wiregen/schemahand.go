// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"slices"
	"strings"
)

// What the structs do not say: the kinds of raw JSON, the one-of types, and what
// depends on another member.

var anything = node{}

// marks is the schema of what marks parts of a value.
var marks = is("object", "array", "boolean")

// key is the schema of an instance key, keyOrNull that of one that may be null.
var (
	key       = is("integer", "string")
	keyOrNull = is("number", "string", "null")
)

// plannedChange is the schema of a change of a resource in the plan proper. The drift of
// Terraform up to 1.0 lacks what is required here.
var plannedChange = ref("ResourceChange").with("required", []string{"address"}).with("properties", node{{"change", has("after_unknown")}})

// noResource is the schema of the resource that a failed "state show" prints.
var noResource = is("object").with("properties", node{
	{"provider_name", node{{"title", "Provider name"}, {"description", "Empty."}, {"type", "string"}}},
	{"schema_version", node{{"title", "Schema version"}, {"description", "Zero."}, {"type", "integer"}}},
}).with("not", anyOf(has("address"), has("mode"), has("type"), has("name"), has("values")))

// has returns the schema of objects that have members.
func has(names ...string) node { return node{{"required", names}} }

// commonSchemas are definitions that no struct has.
var commonSchemas = map[string]node{
	"Type": append(node{{"title", "Type"}, {"description", `A type in the notation of cty: a name such as "string", or an array of a kind of collection and its parts, such as ["list","string"] or ["object",{"a":"number"}].`}},
		anyOf(closed("string", "number", "bool", "dynamic"), node{{"type", "string"}},
			is("array").with("prefixItems", []node{open("list", "set", "map", "tuple", "object")}).with("minItems", 2).with("maxItems", 3))...),
	"Difference": append(node{{"title", "Difference"}, {"description", "The two sides of a comparison that did not hold, in the form of a change."}},
		is("object").with("properties", node{
			{"before", node{{"title", "Before"}, {"description", "The left side."}}},
			{"after", node{{"title", "After"}, {"description", "The right side."}}},
			{"after_unknown", append(node{{"title", "After unknown"}, {"description", "Has true for each unknown part of after."}}, marks...)},
			{"before_sensitive", append(node{{"title", "Before sensitive"}, {"description", "Has true for each sensitive part of before."}}, marks...)},
			{"after_sensitive", append(node{{"title", "After sensitive"}, {"description", "Has true for each sensitive part of after."}}, marks...)},
		})...),
	"Step": append(node{{"title", "Step"}, {"description", "A step of a path: to an attribute by name, or to an element by its key."}},
		anyOf(
			is("object").with("properties", node{
				{"type", node{{"title", "Type"}, {"description", "The step leads to an attribute."}, {"const", "get_attr"}}},
				{"value", node{{"title", "Value"}, {"description", "The name of the attribute."}, {"type", "string"}}},
			}).with("required", []string{"type", "value"}),
			is("object").with("properties", node{
				{"type", node{{"title", "Type"}, {"description", "The step leads to an element of a list or map."}, {"const", "index"}}},
				{"value", node{{"title", "Value"}, {"description", "The key of the element with its type."}, {"type", "object"},
					{"properties", node{
						{"value", node{{"title", "Value"}, {"description", "The key: a number or a string."}}},
						{"type", append(node{{"title", "Type"}, {"description", "The type of the key."}}, ref("Type")...)},
					}}, {"required", []string{"value", "type"}}}},
			}).with("required", []string{"type", "value"}))...),
}

// typeSchemas are those of types of other packages, and of enumerations that are closed
// or not of strings.
var typeSchemas = map[string]node{
	"Mode":                  closed("managed", "data", "ephemeral"),
	"CheckableKind":         open("resource", "output_value", "check", "var"),
	"CheckStatus":           closed("pass", "fail", "error", "unknown"),
	"planjson.CheckStatus":  closed("pass", "fail", "error", "unknown"),
	"uijson.MessageCode":    is("string"),
	"planjson.NestingMode":  open("single", "group", "list", "set", "map"),
	"planjson.ActionReason": open(actionReasons...),
}

var actionReasons = []string{
	"replace_because_cannot_update", "replace_because_tainted", "replace_by_request", "replace_by_triggers",
	"delete_because_no_resource_config", "delete_because_wrong_repetition", "delete_because_count_index", "delete_because_each_key", "delete_because_no_module",
	"delete_because_no_move_target", "delete_because_enabled_false",
	"read_because_config_unknown", "read_because_dependency_pending", "read_because_check_nested",
	"forgot_because_lifecycle_destroy_in_config", "forgot_because_lifecycle_destroy_in_state",
}

// memberSchemas are those of members whose Go type says too little: of one member by
// PACKAGE.TYPE.MEMBER, or of every member of that name that is raw JSON.
var memberSchemas = map[string]node{
	"index": key, "instance_key": key, "index_key": key,
	"resource_key": keyOrNull, "action_key": keyOrNull,
	"before": anything, "after": anything, "value": anything, "default": anything, "passed_policies": anything,
	"after_unknown": marks, "before_sensitive": marks, "after_sensitive": marks, "config_sensitive": marks, "config_unknown": marks,
	"config_values": anything, "sensitive_values": is("object", "boolean"),
	"values": is("object"), "attributes": is("object"),
	"before_identity": is("object"), "after_identity": is("object"), "identity": is("object"),
	"type": ref("Type"), "return_type": ref("Type"),
	"context": is("string", "null"),
	"state":   is("object"), "states": is("object"), "test_plan": is("object"), "test_state": is("object"),
	"test_abstract": mapOf(is("array", "null").with("items", is("string"))),
	"invoke":        is("object"), "action_trigger": is("object"), "importing": is("object"),
	"input_config": is("object"), "resource_object": is("object"), "duration": is("number"),
	"sensitive_attributes": listOf(listOf(ref("Step"))),

	"planjson.Plan.resource_changes":             listOf(plannedChange),
	"planjson.RendererPlan.resource_changes":     listOf(plannedChange),
	"planjson.Plan.output_changes":               mapOf(ref("Change").with("required", []string{"after_unknown"})),
	"planjson.DeferredChange.resource_change":    plannedChange,
	"planjson.StateShow.resource":                anyOf(ref("Resource"), noResource),
	"planjson.Change.replace_paths":              listOf(is("array")),
	"uijson.Difference.replace_paths":            listOf(is("array")),
	"planjson.RelevantAttribute.attribute":       listOf(is("string", "number")),
	"planjson.Diagnostic.difference":             ref("Difference"),
	"planjson.Snippet.values":                    is("array", "null").with("items", ref("ExpressionValue")),
	"uijson.Snippet.values":                      is("array", "null").with("items", ref("ExpressionValue")),
	"uijson.ListResourceFound.identity":          is("object", "null"),
	"uijson.Hook.action":                         anyOf(open("create", "read", "update", "delete", "open", "renew", "close"), ref("ActionAddress")),
	"uijson.Difference.actions":                  listOf(is("string")),
	"statefile.File.version":                     is("integer").with("const", 4),
	"statefile.Resource.mode":                    closed("managed", "data"),
	"statefile.BackendSettings.config":           is("object", "null"),
	"statefile.Resource.each":                    open("list", "map"),
	"statefile.InstanceObject.status":            closed("tainted"),
	"statefile.CheckResult.object_kind":          open("resource", "output", "check", "var"),
	"planjson.LifecycleActionTrigger.on_failure": is("string"),
}

// requiredByHand says of members whether they are required where tags and comments do
// not.
var requiredByHand = map[string]bool{
	"planjson.Change.actions":                          true,
	"planjson.Version.terraform_outdated":              false,
	"planjson.VariableConfig.required":                 false,
	"uijson.ChangeSummary.import":                      false,
	"uijson.ChangeSummary.forget":                      false,
	"uijson.ActionAddress.action":                      false,
	"uijson.ActionAddress.action_type":                 false,
	"uijson.ActionAddress.action_name":                 false,
	"uijson.ActionAddress.action_key":                  false,
	"planjson.ProviderFunction.description":            false,
	"planjson.ProviderFunction.summary":                false,
	"planjson.ProviderFunctionParameter.name":          false,
	"planjson.ProviderFunctionParameter.description":   false,
	"statefile.InstanceObject.identity_schema_version": false,
	"statefile.File.check_results":                     false, // Terraform 1.3
	"planjson.LifecycleActionTrigger.on_failure":       false,
	"planjson.StateShow.resource":                      false,
	"planjson.ResourceConfig.schema_version":           false,
	"planjson.Resource.sensitive_values":               false,
	"uijson.ListResourceFound.identity_version":        false,
}

// handSchemas are those of the one-of types.
var handSchemas = map[string]node{
	"planjson.Outputs": {
		{"$comment", "The command with the name of an output prints its value alone, which can be anything. A document is one of outputs if one of its members looks like an output."},
		{"if", is("object").with("not", mapOf(node{{"not", ref("LooksLikeOutput")}}))},
		{"then", mapOf(ref("PrintedOutput"))},
	},
	"planjson.Expression": {
		{"type", []string{"object", "array"}},
		{"properties", node{
			{"constant_value", node{{"title", "Constant value"}, {"description", "The value of an expression that does not depend on anything, possibly null. Absent otherwise."}}},
			{"references", node{{"title", "References"}, {"description", "What the expression refers to, each reference followed by its shorter forms. Absent if there is none."},
				{"anyOf", []node{listOf(is("string")), ref("Expression")}}}},
		}},
		{"if", node{{"not", is("object").with("anyOf", []node{{{"required", []string{"constant_value"}}}, {{"required", []string{"references"}}}})}}},
		{"then", node{{"additionalProperties", ref("Expression")}, {"items", is("object").with("additionalProperties", ref("Expression"))}}},
	},
}

func init() {
	commonSchemas["LooksLikeOutput"] = append(node{{"title", "What looks like an output"}, {"description", "An object with two of an output's members."}, {"type", "object"}}, anyOf(
		node{{"required", []string{"sensitive", "type"}}}, node{{"required", []string{"sensitive", "value"}}},
		node{{"required", []string{"type", "value"}}, {"properties", node{{"type", append(node{{"title", "Type"}, {"description", "A type in the notation of cty."}},
			anyOf(closed("string", "number", "bool", "dynamic"), is("array").with("prefixItems", []node{closed("list", "set", "map", "tuple", "object")}).with("minItems", 2))...)}}}})...)
	commonSchemas["PrintedOutput"] = node{{"title", "Output"}, {"description", "An output of the root module with its type and value."}, {"type", "object"}, {"properties", node{
		{"sensitive", node{{"title", "Sensitive"}, {"description", "Whether the output is sensitive. Its value is in clear text nevertheless."}, {"type", "boolean"}}},
		{"deprecated", node{{"title", "Deprecated"}, {"description", "The deprecation message. Since OpenTofu 1.10."}, {"type", "string"}}},
		{"type", append(node{{"title", "Type"}, {"description", "The type of the value."}}, ref("Type")...)},
		{"value", node{{"title", "Value"}, {"description", "The value, possibly null."}}},
	}}, {"required", []string{"sensitive", "type", "value"}}}
}

// extraSchemas add to the schema of a type what depends on other members.
var extraSchemas = map[string]func(*schemaWriter) node{
	"uijson.Message": messageSchemas,
}

// hookMembers are the members of a hook by the type of its message.
var hookMembers = []struct {
	types   []string
	members []string
}{
	{[]string{"apply_start", "ephemeral_op_start"}, []string{"resource", "action"}},
	{[]string{"apply_progress", "apply_complete", "apply_errored", "ephemeral_op_progress", "ephemeral_op_complete", "ephemeral_op_errored"}, []string{"resource", "action", "elapsed_seconds"}},
	{[]string{"provision_start", "provision_complete", "provision_errored"}, []string{"resource", "provisioner"}},
	{[]string{"provision_progress"}, []string{"resource", "provisioner", "output"}},
	{[]string{"refresh_start", "refresh_complete"}, []string{"resource"}},
	{[]string{"ephemeral_action_started", "ephemeral_action_complete"}, []string{"resource", "Msg"}},
	{[]string{"action_start", "action_complete"}, []string{"action"}},
	{[]string{"action_progress"}, []string{"action", "message"}},
	{[]string{"action_errored"}, []string{"action", "error"}},
}

// messageSchemas says which members the messages of a type have. The comments of the
// constants name them.
func messageSchemas(w *schemaWriter) node {
	byMembers := make(map[string][]string)
	var order []string
	add := func(typ string, members []string) {
		list := strings.Join(members, ",")
		if byMembers[list] == nil {
			order = append(order, list)
		}
		byMembers[list] = append(byMembers[list], typ)
	}
	for name, note := range w.typeNotes() {
		comment, _, _ := strings.Cut(note, "\n")
		comment, _, _ = strings.Cut(comment, ";")
		var members []string
		for word := range strings.SplitSeq(comment, ",") {
			if member := w.names["Message."+strings.TrimSpace(word)]; member != "" && !strings.Contains(comment, " or ") {
				members = append(members, member)
			}
		}
		typ := w.names[name]
		if len(members) > 0 && !slices.Contains(loosePayloads, typ) {
			add(typ, members)
		}
	}
	all := []node{{
		{"if", node{{"properties", node{{"type", node{{"const", "version"}}}}}, {"required", []string{"type"}}}},
		{"then", node{{"required", []string{"ui"}}, {"anyOf", []node{{{"required", []string{"tofu"}}}, {{"required", []string{"terraform"}}}}}}},
	}}
	for _, list := range order {
		all = append(all, node{
			{"if", node{{"properties", node{{"type", node{{"enum", byMembers[list]}}}}}, {"required", []string{"type"}}}},
			{"then", node{{"required", strings.Split(list, ",")}}},
		})
	}
	for _, h := range hookMembers {
		all = append(all, node{
			{"if", node{{"properties", node{{"type", node{{"enum", h.types}}}}}, {"required", []string{"type"}}}},
			{"then", node{{"properties", node{{"hook", node{{"required", h.members}}}}}, {"required", []string{"hook"}}}},
		})
	}
	return node{{"allOf", all}}
}

// loosePayloads are the types whose messages do not have all that their comments name.
var loosePayloads = []string{"version", "policy_info", "policy_diagnostic", "policy_query_summary", "init_output"}

// typeNotes returns an iterator over the constants of the types of messages with their
// comments, in the order of the source.
func (w *schemaWriter) typeNotes() func(func(name, note string) bool) {
	return func(yield func(string, string) bool) {
		for _, typ := range w.values["Type"] {
			for _, name := range slices.Sorted(maps.Keys(w.names)) {
				if w.names[name] == typ && strings.HasPrefix(name, "Type") && !strings.Contains(name, ".") {
					if !yield(name, w.notes[name]) {
						return
					}
				}
			}
		}
	}
}

// encryptedSchema describes an encrypted state: package statefile keeps its form to
// itself.
func encryptedSchema() (node, error) {
	return node{
		{"description", "A state that OpenTofu 1.7 or newer has encrypted. An encrypted plan has the same form without serial and lineage."},
		{"type", "object"},
		{"properties", node{
			{"serial", node{{"title", "Serial"}, {"description", "The serial of the state inside, in clear text."}, {"type", "integer"}, {"minimum", 0}}},
			{"lineage", node{{"title", "Lineage"}, {"description", "The lineage of the state inside, in clear text."}, {"type", "string"}}},
			{"meta", append(node{{"title", "Metadata"}, {"description", "What each key provider has stored to find its key again, in base64, by the address of the key provider or its alias."}}, mapOf(is("string").with("contentEncoding", "base64"))...)},
			{"encrypted_data", node{{"title", "Encrypted data"}, {"description", "The encrypted text of the state, in base64."}, {"type", "string"}, {"contentEncoding", "base64"}}},
			{"encryption_version", append(node{{"title", "Encryption version"}, {"description", "The version of this form, v0 today."}}, open("v0")...)},
		}},
		{"required", []string{"serial", "lineage", "meta", "encrypted_data", "encryption_version"}},
	}, nil
}

// typeNotesByHand are descriptions of types whose comments speak of Go.
var typeNotesByHand = map[string]string{
	"planjson.Expression": "The expression of an argument, or nested blocks. An expression is an object with constant_value, references, both or neither. A single nested block is an object of expressions by name; blocks with labels are objects by label; a list of blocks is an array. An expression and a block with an argument called references look alike: the schema of the provider tells them apart.",
	"planjson.Outputs":    `The document that "output -json" prints: the outputs of the root module by name, {} if there is none. With the name of an output the command prints its value alone.`,
	"planjson.Diagnostic": "An error or a warning.",
	"uijson.Diagnostic":   "An error or a warning.",
	"uijson.Message":      "One line of the stream that -json gives: members that all messages share, and the payload of the type.",
	"planjson.Change":     "An object before and after. Only the schema of the provider gives its values types; a null that is written differs from one that is left out.",
}

// fieldNotes are descriptions of members whose fields have no comment, or one that
// speaks of Go.
var fieldNotes = map[string]string{
	"planjson.Plan.configuration":                      "The configuration that was planned. Always present.",
	"planjson.Change.before":                           "The object as it is. Null if there is none, as for a create. Always present.",
	"uijson.Message.list_resource_found":               "In messages of type list_resource_found.",
	"uijson.Message.passed_policies":                   "In messages of type policy_query_summary: the policies that had nothing to say.",
	"uijson.Message.type":                              "Says which of the other members to expect. Absent in the lines of many OpenTofu commands, where the level and the text are all there is.",
	"uijson.Change.action":                             "What happens to the instance.",
	"uijson.Change.reason":                             "Why the action was chosen. Absent if the change speaks for itself.",
	"uijson.ChangeSummary.remove":                      "How many are destroyed, replacements included.",
	"uijson.ChangeSummary.operation":                   "The operation whose changes these are.",
	"uijson.ChangeSummary.import":                      "How many are imported. Since Terraform 1.5, OpenTofu 1.6.",
	"uijson.ChangeSummary.forget":                      "How many are forgotten. Since OpenTofu 1.10.",
	"uijson.ChangeSummary.action_invocation":           "How many actions are invoked. Since Terraform 1.14.",
	"uijson.ChangeSummary.action_fail":                 "How many actions fail. Since Terraform 1.16.",
	"uijson.Output.action":                             "What happens to the output. After a plan only.",
	"uijson.Output.value":                              "The value, unless it is sensitive. After an apply only.",
	"uijson.Output.deprecated":                         "The deprecation message. Since OpenTofu 1.10.",
	"uijson.Resource.resource_type":                    "The resource type.",
	"uijson.Resource.resource_name":                    "The name of the resource.",
	"uijson.Hook.provisioner":                          "The type of the provisioner.",
	"uijson.Hook.message":                              "The text of a running action. Terraform only.",
	"uijson.Hook.error":                                "What went wrong with an action. Terraform only.",
	"uijson.Hook.lifecycle":                            "The change that triggered the action. Terraform only.",
	"uijson.Hook.invoke":                               "An empty object, if the command line asked for the action. Terraform only.",
	"uijson.ActionInvocation.action_trigger":           "An empty object, if the command line asks for the action.",
	"uijson.ListResourceFound.resource_type":           "The type that is searched.",
	"uijson.ListResourceFound.config":                  "Configuration of the resource, in native syntax.",
	"uijson.ListResourceFound.import_config":           "An import block for the resource, in native syntax.",
	"uijson.ListStart.sensitive_attribute_paths":       "The sensitive attributes of the input. Since Terraform 1.15.",
	"uijson.ListComplete.resource_type":                "The type that was searched.",
	"uijson.Snippet.start_line":                        "The number of the first line of code.",
	"uijson.Snippet.highlight_start_offset":            "Where the faulty part of code begins, in bytes. Too large if the file has CRLF line ends.",
	"uijson.Snippet.highlight_end_offset":              "Where the faulty part of code ends, in bytes. Too large if the file has CRLF line ends.",
	"uijson.Snippet.function_call":                     "The call of a function that failed.",
	"uijson.Snippet.test_assertion_expr":               "Both sides of an assertion that did not hold. Since Terraform 1.12.",
	"uijson.Diagnostic.snippet":                        "The text at the range. Absent if the source is not available.",
	"uijson.Diagnostic.deprecation_origin_description": "Where a deprecated value comes from. Since Terraform 1.15.",
	"uijson.Diagnostic.policy_range":                   "The place in a policy. Since Terraform 1.16.",
	"uijson.Diagnostic.policy_snippet":                 "The text of the policy at that place. Since Terraform 1.16.",
	"uijson.TestFile.status":                           "The result of the file.",
	"uijson.TestFile.progress":                         "How far the file is. Terraform only.",
	"uijson.TestRun.status":                            "The result of the run.",
	"uijson.TestRun.progress":                          "How far the run is. Terraform only.",
	"uijson.TestLeftover.deposed_key":                  "The key of a deposed object. Absent for the current object.",
	"uijson.TestCleanup.skipped_resources":             "Objects that were left on purpose. Since Terraform 1.16.",
	"uijson.Lifecycle.on_failure":                      "What a failure of the action leads to. Since Terraform 1.16.",
	"uijson.LifecycleTrigger.on_failure":               "What a failure of the action leads to. Since Terraform 1.16.",
	"uijson.ListResourceFound.identity_version":        "The version of the identity. Since Terraform 1.14.",
	"uijson.Importing.identity":                        "The identity of the object. Since OpenTofu 1.12.",
	"uijson.Difference.actions":                        "The actions, as in a plan.",
}
