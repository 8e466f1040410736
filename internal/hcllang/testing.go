// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllang

// Test describes a test file of either dialect: facts of
// opentofu: internal/configs/test_file.go.
var Test = (&Block{Blocks: []*Block{
	runSpec, ProviderBlock,
	{Name: "variables", AtMost: 1, Rest: RestArguments},
	overrideSpec("override_resource", "values", "1.8"), overrideSpec("override_data", "values", "1.8"), overrideSpec("override_module", "outputs", "1.8"),
	mockProviderSpec,
	{Name: "test", Since: since("", "1.12"), Args: []Argument{
		{Name: "parallel", Kind: KindLiteral, Lit: BoolLiteral},
		{Name: "skip_cleanup", Kind: KindLiteral, Lit: BoolLiteral, Since: terraform114},
	}},
	TestVariableBlock,
}}).index()

var TestVariableBlock = &Block{
	Name: "variable", Labels: []string{"name"}, Since: since("", "1.13"),
	Args: VariableBlock.Args, Blocks: VariableBlock.Blocks,
}

var runSpec = &Block{
	Name: "run", Labels: []string{"name"},
	Args: []Argument{
		{Name: "command", Kind: KindKeyword, Values: words(Everywhere, "plan", "apply")},
		{Name: "providers", Kind: KindProviderMap},
		{Name: "expect_failures", Kind: KindReferenceList},
		{Name: "state_key", Kind: KindLiteral, Lit: StringLiteral, Since: since("", "1.11")},
		{Name: "parallel", Kind: KindLiteral, Lit: BoolLiteral, Since: since("", "1.12")},
		{Name: "skip_cleanup", Kind: KindLiteral, Lit: BoolLiteral, Since: terraform114},
	},
	Blocks: []*Block{
		{Name: "plan_options", AtMost: 1, Args: []Argument{
			{Name: "mode", Kind: KindKeyword, Values: words(Everywhere, "normal", "refresh-only")},
			{Name: "refresh", Kind: KindLiteral, Lit: BoolLiteral},
			{Name: "replace", Kind: KindReferenceList},
			{Name: "target", Kind: KindReferenceList},
		}},
		checkRuleSpec("assert"),
		{Name: "variables", AtMost: 1, Rest: RestArguments},
		{Name: "module", AtMost: 1, Args: []Argument{
			{Name: "source", Kind: KindLiteral, Lit: StringLiteral, Required: true},
			{Name: "version", Kind: KindLiteral, Lit: StringLiteral},
		}},
		overrideSpec("override_resource", "values", "1.8"), overrideSpec("override_data", "values", "1.8"), overrideSpec("override_module", "outputs", "1.8"),
		{Name: "backend", Labels: []string{"type"}, AtMost: 1, Rest: RestStatic, Since: since("", "1.14")},
	},
}

// overrideSpec describes a block that replaces what a resource or a module
// would give by values. The first release of OpenTofu that has it is tofu.
func overrideSpec(name, values, tofu string) *Block {
	target := Argument{Name: "target", Kind: KindReference, Required: true}
	if name != "override_module" {
		target.Wildcards = since("1.13", "")
	}
	return &Block{Name: name, Since: since(tofu, "1.7"), Args: []Argument{
		target,
		{Name: values, Kind: KindLiteral},
		{Name: "override_during", Kind: KindKeyword, Since: since("", "1.11")},
	}}
}

var mockProviderSpec = &Block{
	Name: "mock_provider", Labels: []string{"name"}, Since: since("1.8", "1.7"),
	Args: []Argument{
		{Name: "alias", Kind: KindLiteral, Lit: StringLiteral},
		{Name: "for_each", Kind: KindStatic, Since: tofu111},
		{Name: "source", Kind: KindLiteral, Lit: StringLiteral, Since: since("", "1.7")},
		{Name: "override_during", Kind: KindKeyword, Since: since("", "1.11")},
	},
	Blocks: []*Block{
		mockSpec("mock_resource"), mockSpec("mock_data"),
		overrideSpec("override_resource", "values", "1.9"), overrideSpec("override_data", "values", "1.9"),
	},
}

func mockSpec(name string) *Block {
	return &Block{Name: name, Labels: []string{"type"}, Args: []Argument{
		{Name: "defaults", Kind: KindLiteral},
		{Name: "override_during", Kind: KindKeyword, Since: since("", "1.11")},
	}}
}

// MockData describes one of Terraform's .tfmock.hcl files.
var MockData = (&Block{Blocks: mockProviderSpec.Blocks}).index()

// Query describes one of Terraform's .tfquery.hcl files.
var Query = (&Block{Blocks: []*Block{
	ProviderBlock, VariableBlock, LocalsBlock,
	{
		Name: "list", Labels: []string{"type", "name"}, Since: terraform114,
		Args: []Argument{
			{Name: "provider", Kind: KindProviderReference, Required: true},
			{Name: "count"}, {Name: "for_each"}, {Name: "include_resource"}, {Name: "limit"},
		},
		Blocks: []*Block{{Name: "config", AtMost: 1, Rest: RestProvider, Blocks: []*Block{Dynamic}}},
	},
}}).index()
