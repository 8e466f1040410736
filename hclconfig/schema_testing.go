// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

// testSpec describes a test file of either dialect: facts of
// opentofu: internal/configs/test_file.go.
var testSpec = (&blockSpec{blocks: []*blockSpec{
	runSpec, providerSpec,
	{name: "variables", atMost: 1, rest: restArguments},
	overrideSpec("override_resource", "values"), overrideSpec("override_data", "values"), overrideSpec("override_module", "outputs"),
	mockProviderSpec,
	{name: "test", since: Support{"", "1.12"}, args: []argSpec{
		{name: "parallel", kind: KindLiteral, lit: boolLiteral},
		{name: "skip_cleanup", kind: KindLiteral, lit: boolLiteral},
	}},
	testVariableSpec,
}}).index()

var testVariableSpec = &blockSpec{
	name: "variable", labels: []string{"name"}, since: Support{"", "1.13"},
	args: variableSpec.args, blocks: variableSpec.blocks,
}

var runSpec = &blockSpec{
	name: "run", labels: []string{"name"},
	args: []argSpec{
		{name: "command", kind: KindKeyword},
		{name: "providers", kind: KindProviderMap},
		{name: "expect_failures", kind: KindReferenceList},
		{name: "state_key", kind: KindLiteral, lit: stringLiteral, since: Support{"", "1.11"}},
		{name: "parallel", kind: KindLiteral, lit: boolLiteral, since: Support{"", "1.12"}},
		{name: "skip_cleanup", kind: KindLiteral, lit: boolLiteral, since: Support{"", "1.13"}},
	},
	blocks: []*blockSpec{
		{name: "plan_options", atMost: 1, args: []argSpec{
			{name: "mode", kind: KindKeyword},
			{name: "refresh", kind: KindLiteral, lit: boolLiteral},
			{name: "replace", kind: KindReferenceList},
			{name: "target", kind: KindReferenceList},
		}},
		checkRuleSpec("assert"),
		{name: "variables", atMost: 1, rest: restArguments},
		{name: "module", atMost: 1, args: []argSpec{
			{name: "source", kind: KindLiteral, lit: stringLiteral, required: true},
			{name: "version", kind: KindLiteral, lit: stringLiteral},
		}},
		overrideSpec("override_resource", "values"), overrideSpec("override_data", "values"), overrideSpec("override_module", "outputs"),
		{name: "backend", labels: []string{"type"}, atMost: 1, rest: restStatic, since: Support{"", "1.13"}},
	},
}

// overrideSpec describes a block that replaces what a resource or a module
// would give by values.
func overrideSpec(name, values string) *blockSpec {
	return &blockSpec{name: name, since: Support{"1.8", "1.7"}, args: []argSpec{
		{name: "target", kind: KindReference, required: true},
		{name: values, kind: KindLiteral},
		{name: "override_during", kind: KindKeyword, since: Support{"", "1.11"}},
	}}
}

var mockProviderSpec = &blockSpec{
	name: "mock_provider", labels: []string{"name"}, since: Support{"1.8", "1.7"},
	args: []argSpec{
		{name: "alias", kind: KindLiteral, lit: stringLiteral},
		{name: "for_each", kind: KindStatic, since: tofu111},
		{name: "source", kind: KindLiteral, lit: stringLiteral, since: Support{"", "1.7"}},
		{name: "override_during", kind: KindKeyword, since: Support{"", "1.11"}},
	},
	blocks: []*blockSpec{
		mockSpec("mock_resource"), mockSpec("mock_data"), mockSpec("mock_ephemeral"),
		overrideSpec("override_resource", "values"), overrideSpec("override_data", "values"),
	},
}

func mockSpec(name string) *blockSpec {
	s := &blockSpec{name: name, labels: []string{"type"}, args: []argSpec{
		{name: "defaults", kind: KindLiteral},
		{name: "override_during", kind: KindKeyword, since: Support{"", "1.11"}},
	}}
	if name == "mock_ephemeral" {
		s.since = Support{"", "1.15"}
	}
	return s
}

// mockFileSpec describes one of Terraform's .tfmock.hcl files.
var mockFileSpec = (&blockSpec{blocks: mockProviderSpec.blocks}).index()

// querySpec describes one of Terraform's .tfquery.hcl files.
var querySpec = (&blockSpec{blocks: []*blockSpec{
	providerSpec, variableSpec, localsSpec,
	{
		name: "list", labels: []string{"type", "name"}, since: terraform114,
		args: []argSpec{
			{name: "provider", kind: KindProviderReference, required: true},
			{name: "count"}, {name: "for_each"}, {name: "include_resource"}, {name: "limit"},
		},
		blocks: []*blockSpec{{name: "config", atMost: 1, rest: restProvider, blocks: []*blockSpec{dynamicSpec}}},
	},
}}).index()
