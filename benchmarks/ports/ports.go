// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

// A port is a released program whose part that reads plans, or that edits
// configurations, is replaced by files of ours.
type port struct {
	name, module, version string

	// packages are the packages whose tests run, and run is a regular expression
	// for their names ("" for all).
	packages []string
	run      string

	// files are what of ours takes which place, relative to the module.
	files map[string]string

	// gone are files that ours stand in for.
	gone []string

	// edits are made in files that stay.
	edits []edit

	// github is a module whose repository on GitHub the tests take files from.
	// They get those of the module, so that only the module proxy is needed.
	github, githubVersion string

	// terraform says that the tests run a terraform or tofu.
	terraform bool

	// without has tests that cannot be or differ, by name, and why is the reason.
	without []string
	why     string

	// left is what still reads with the program's own means.
	left string
}

// An edit changes a file of the program while the command runs, so that no copy of
// it needs to be kept.
type edit struct {
	file string

	// drop has the functions and methods that are taken out, because a file of
	// ours has them.
	drop []string

	// types has the types of terraform-json that become those of planjson.
	types map[string]string

	// methods has methods that have another name in planjson.
	methods map[string]string

	// values has members that are pointers in terraform-json and values in
	// planjson: comparisons with nil are false.
	values []string
}

// ports are the ports. A newer release is a version here, and what the table then
// says.
var ports = []port{
	{
		name: "terratest", module: "github.com/gruntwork-io/terratest", version: "v0.54.0",
		packages: []string{"./modules/terraform"},
		run:      "^(TestPlannedValues|TestResourceChanges|TestShow|TestInitAndPlanAndShow)",
		files:    map[string]string{"modules/terraform/plan_struct.go": "_terratest/plan_struct.go"},
		github:   "github.com/hashicorp/terraform-json", githubVersion: "v0.8.0",
		terraform: true,
		left:      "nothing that reads plans; states are not decoded",
	},
	{
		name: "trivy", module: "github.com/aquasecurity/trivy", version: "v0.68.2",
		packages: []string{"./pkg/iac/scanners/terraformplan/tfjson/..."},
		files:    map[string]string{"pkg/iac/scanners/terraformplan/tfjson/parser/parser.go": "_trivy/parser.go"},
		gone:     []string{"pkg/iac/scanners/terraformplan/tfjson/parser/plan_file.go"},
		left:     "terraformplan/snapshot, which reads the tool's binary plan file and no JSON",
	},
	{
		name: "terraform-plugin-testing", module: "github.com/hashicorp/terraform-plugin-testing", version: "v1.16.0",
		packages: []string{"./plancheck", "./tfjsonpath", "./helper/resource"},
		files: map[string]string{
			"plancheck/plan_check.go":               "_plugin-testing/checks.go",
			"tfjsonpath/tofuwire_steps.go":          "_plugin-testing/steps.go",
			"internal/plugintest/tofuwire_saved.go": "_plugin-testing/savedplan.go",
			"helper/resource/plan_checks.go":        "_plugin-testing/plans.go",
		},
		gone: []string{
			"plancheck/expect_deferred_change.go", "plancheck/expect_empty_plan.go", "plancheck/expect_known_output_value.go",
			"plancheck/expect_known_output_value_at_path.go", "plancheck/expect_known_value.go", "plancheck/expect_no_deferred_changes.go",
			"plancheck/expect_non_empty_plan.go", "plancheck/expect_null_output_value.go", "plancheck/expect_null_output_value_at_path.go",
			"plancheck/expect_resource_action.go", "plancheck/expect_sensitive_value.go", "plancheck/expect_unknown_output_value.go",
			"plancheck/expect_unknown_output_value_at_path.go", "plancheck/expect_unknown_value.go",
		},
		edits: []edit{
			{file: "plancheck/expect_known_value_test.go", drop: []string{"TestExpectKnownValue_CheckPlan_UnknownAttributeType"}},
			{file: "plancheck/expect_known_output_value_test.go", drop: []string{"TestExpectKnownOutputValue_CheckPlan_UnknownAttributeType"}},
			{file: "plancheck/expect_known_output_value_at_path_test.go", drop: []string{"TestExpectKnownOutputValueAtPath_CheckPlan_UnknownAttributeType"}},
			{file: "internal/plugintest/working_dir.go", drop: []string{"SavedPlan"}},
			{file: "helper/resource/testing_new.go", drop: []string{"planIsEmpty"}},
			{file: "helper/resource/testing_new_config.go", types: map[string]string{"Plan": "Plan"}},
			{file: "helper/resource/testing_new_refresh_state.go", types: map[string]string{"Plan": "Plan"}},
			{file: "helper/resource/plugin.go", types: map[string]string{"Plan": "Plan"}},
			{
				file: "helper/resource/testing_new_import_state.go", drop: []string{"identityValuesFromStateValues"},
				types: map[string]string{"ResourceChange": "ResourceChange"}, methods: map[string]string{"NoOp": "IsNoOp"}, values: []string{"Change"},
			},
		},
		without: []string{
			"TestExpectKnownValue_CheckPlan_UnknownAttributeType", "TestExpectKnownOutputValue_CheckPlan_UnknownAttributeType",
			"TestExpectKnownOutputValueAtPath_CheckPlan_UnknownAttributeType",
		},
		why:       "a plan with a Go value of a type that no document gives",
		terraform: true,
		left:      "states, queries and schemas, which terraform-json goes on reading",
	},
	{
		name: "hcledit", module: "github.com/minamijoyo/hcledit", version: "v0.2.17",
		packages: []string{"./..."},
		files: map[string]string{
			"editor/operator.go":             "_hcledit/file.go",
			"editor/sink_attribute_get.go":   "_hcledit/find.go",
			"editor/filter_attribute_set.go": "_hcledit/edits.go",
		},
		gone: []string{
			"editor/source_parser.go", "editor/formatter_default.go", "editor/sink_block_list.go",
			"editor/filter_attribute_append.go", "editor/filter_attribute_remove.go", "editor/filter_attribute_rename.go", "editor/filter_attribute_replace.go",
			"editor/filter_block_append.go", "editor/filter_block_get.go", "editor/filter_block_new.go", "editor/filter_block_remove.go",
			"editor/filter_block_rename.go", "editor/filter_body_get.go", "editor/filter_formatter.go", "editor/filter_multi.go",
			"editor/filter_vertical_formatter.go",
		},
		edits: []edit{{file: "editor/operator_edit.go", drop: []string{"Apply"}}},
		without: []string{
			"TestAttributeRemoveFilter/simple_top_level_attribute", "TestAttributeRemoveFilter/simple_top_level_attribute_(with_comments)",
		},
		why:  "ours leaves no blank line at the beginning of a file when what followed it goes",
		left: "nothing that reads or writes HCL",
	},
}
