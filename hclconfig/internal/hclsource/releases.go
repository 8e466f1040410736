// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import "github.com/tofuwire/tofuwire/internal/hcllang"

// What the programs check, and how, in some releases only. Package hclcheck asks for these facts.
//
// A source below is a file of OpenTofu 1.12.6, which has or had the rule. The releases were found by trying the programs:
// testdata/releases.txt of package hclconfig has what each said.

// What the programs read of a file.
var (
	// RequiredVersionInTofu says that required_version counts in .tofu files only, that it is looked at before anything else,
	// and that a module for other releases is called incompatible: internal/configs/diagnostics.go.
	RequiredVersionInTofu = hcllang.Support{OpenTofu: "1.12"}
	// NamedExperiments says that experiments of a terraform block are told apart, and AnyExperiments that they are read at
	// all: internal/configs/experiments.go, up to 1.11.
	NamedExperiments = hcllang.Support{OpenTofu: "0", OpenTofuUntil: "1.12", Terraform: "0", TerraformUntil: "1.7"}
	AnyExperiments   = hcllang.Support{OpenTofu: "0", OpenTofuUntil: "1.12", Terraform: "0"}
	// EncryptionNames says that names in encryption settings must be unique: internal/encryption/config/config_parse.go.
	EncryptionNames = hcllang.Support{OpenTofu: "1.7"}
	// EarlyEvaluation says that the source and version of a module, backends and encryption are evaluated, and that all files
	// of values are read before that: internal/configs/static_scope.go. Terraform has ConstantSources.
	EarlyEvaluation = hcllang.Support{OpenTofu: "1.8"}
	// FirstEarlyEvaluation is that of the first release: it takes tofu for a type, only warns of sensitive variables, and has
	// another word for a variable without a value.
	FirstEarlyEvaluation = hcllang.Support{OpenTofu: "1.8", OpenTofuUntil: "1.9"}
	// ConstantSources says that the source and version of a module may refer to constant variables, and that the inputs of a
	// call with an unknown one are not looked at.
	ConstantSources = hcllang.Support{Terraform: "1.15"}
	// OneFaultOfLiterals says that a literal with a fault has no second fault, that it is not known:
	// internal/configs/static_evaluator.go.
	OneFaultOfLiterals = hcllang.Support{OpenTofu: "1.9"}
	// IgnoredAttributes says that attributes are reported that a conversion drops: internal/configs/named_values.go and
	// internal/tofu/node_module_variable.go.
	IgnoredAttributes = hcllang.Support{OpenTofu: "1.11"}
	// DeprecatedValues says that variables and outputs may be deprecated: internal/configs/named_values.go.
	DeprecatedValues = hcllang.Support{OpenTofu: "1.10"}
	// DeprecatedInputs says that a call is warned of a deprecated variable, and DeprecatedSources that values have marks of
	// what is deprecated: internal/tofu/eval_variable.go; internal/configs/configschema/marks.go. Others warn of references.
	DeprecatedInputs  = hcllang.Support{OpenTofu: "1.12"}
	DeprecatedSources = hcllang.Support{OpenTofu: "1.12"}
	// EnabledArgument is lifecycle.enabled, which excludes count and for_each: internal/configs/resource.go and module_call.go.
	EnabledArgument = hcllang.Support{OpenTofu: "1.11"}
	// CloudIgnored says that a cloud block in a called module is reported, as a backend is.
	CloudIgnored = hcllang.Support{Terraform: "1.12"}
)

// Words for what hclconfig reports: see terraformWords in package filecheck.
var (
	// HCPTerraform is the name of Terraform Cloud, and StateStores the words since there are state_store blocks.
	HCPTerraform = hcllang.Support{Terraform: "1.10"}
	StateStores  = hcllang.Support{Terraform: "1.13"}
)

// Addresses of moved, removed and import blocks, and of overrides.
var (
	// EphemeralAddresses says that the word ephemeral before a type is read, and the word resource in Terraform, in the
	// addresses of moved and import blocks: internal/addrs/parse_target.go. EphemeralTargets is the same for removed blocks
	// and overrides of OpenTofu, MovedBlocks that a moved block is reported as well: internal/configs/moved.go.
	EphemeralAddresses = hcllang.Support{OpenTofu: "1.11", Terraform: "1.9"}
	EphemeralTargets   = hcllang.Support{OpenTofu: "1.11", Terraform: "0"}
	MovedBlocks        = hcllang.Support{OpenTofu: "1.11"}
	// RemovedLifecycle says that a removed block without lifecycle.destroy is warned of, and RemovedProvisioners that it may
	// have provisioners: internal/configs/removed.go.
	RemovedLifecycle    = hcllang.Support{OpenTofu: "1.10"}
	RemovedProvisioners = hcllang.Support{OpenTofu: "1.10", Terraform: "1.9"}
)

// Import blocks: internal/configs/import.go and internal/tofu/eval_import.go, and for the place internal/configs/module.go.
var (
	// ImportIdentity is the argument identity. Before it, id is an argument that is required.
	ImportIdentity = hcllang.Support{OpenTofu: "1.12", Terraform: "1.12"}
	// ImportTargetName says that a target with a fault is reported a second time, at the name of the argument.
	ImportTargetName = hcllang.Support{Terraform: "1.7"}
	// ManagedImports says that only managed resources can be the target, that a second block for it is reported at its
	// argument to, without the key, and that its key must be of the kind that the resource has.
	ManagedImports = hcllang.Support{Terraform: "1.10"}
	// ValidatedImports says that validate looks at imports, not the plan alone, and ImportProviders that an import uses the
	// configuration of its argument provider, and that its id must not be null.
	ValidatedImports = hcllang.Support{OpenTofu: "1.11", Terraform: "0"}
	ImportProviders  = hcllang.Support{OpenTofu: "1.11", Terraform: "1.6"}
	// SecretUnknownID says that an id that is sensitive and not known is refused, which later releases leave to the plan.
	SecretUnknownID = hcllang.Support{OpenTofu: "1.11", OpenTofuUntil: "1.12"}
	// EmptyID says that an id must not be empty.
	EmptyID = hcllang.Support{Terraform: "1.7"}
	// AbsentModules says that imports into modules that are not there are reported.
	AbsentModules = hcllang.Support{Terraform: "1.9"}
)

// Tests: internal/configs/test_file.go.
var (
	// RunNames says that the name of a run must be an identifier.
	RunNames = hcllang.Support{OpenTofu: "1.7", Terraform: "0"}
	// Mocks are mock_provider and override blocks. UniqueMockOverrides says that those in a mock must have other targets.
	Mocks               = hcllang.Support{OpenTofu: "1.8", Terraform: "1.7"}
	UniqueMockOverrides = hcllang.Support{OpenTofu: "1.9"}
	// VersionsInTests says that the version of a provider in a test is refused.
	VersionsInTests = hcllang.Support{Terraform: "1.11"}
	// RunProviders says that a run can only pass on providers of its file, and RunLabels that a second run of a name is
	// reported at its label.
	RunProviders = hcllang.Support{Terraform: "1.13"}
	RunLabels    = hcllang.Support{Terraform: "1.14"}
)

// Evaluation.
var (
	// KnownTypes says that validate knows the types of resources' attributes where they are referred to, that references in
	// replace_triggered_by are looked at, and that an ephemeral count is refused: internal/tofu/node_resource_validate.go.
	KnownTypes      = hcllang.Support{OpenTofu: "1.12"}
	TriggersChecked = hcllang.Support{OpenTofu: "1.12"}
	EphemeralCounts = hcllang.Support{OpenTofu: "1.12", Terraform: "0"}
	// PartialForEach says that of a for_each with a fault what there is of the value is looked at, and UnknownForEach that
	// the type of one that is not known is: internal/lang/evalchecks/eval_for_each.go.
	PartialForEach = hcllang.Support{OpenTofu: "1.10"}
	UnknownForEach = hcllang.Support{OpenTofu: "1.10", Terraform: "1.6"}
	// InputAtVariable says that an input of the wrong type is reported at the variable, and AbsentConfigurations that a
	// provider configuration which only a caller could give is taken for one that was removed: internal/tofu/eval_variable.go
	// and transform_provider.go.
	InputAtVariable      = hcllang.Support{OpenTofu: "1.11"}
	AbsentConfigurations = hcllang.Support{OpenTofu: "0", OpenTofuUntil: "1.11", Terraform: "0"}
	// StrictCycles says that an object does not depend on what only its children refer to: see Loose in package hclgraph.
	StrictCycles = hcllang.Support{Terraform: "1.6"}
	// StrictIndexes says that an index of an object that is not known is looked for in its type: HCL 2.24, which OpenTofu does
	// not have.
	StrictIndexes = hcllang.Support{Terraform: "1.13"}
	// KeepsMarks says that operations on what is not known keep its marks, and KeepsRefinedMarks that those do that know
	// something of their results: HCL 2.23; cty 1.13.
	KeepsMarks        = hcllang.Support{OpenTofu: "1.10", Terraform: "1.10"}
	KeepsRefinedMarks = hcllang.Support{OpenTofu: "0", Terraform: "1.6"}
	// PlanTime says that plantimestamp is not known before the plan: the first releases have a time of zero.
	PlanTime = hcllang.Support{OpenTofu: "1.7", Terraform: "1.10"}
	// NullTemplates says that templatestring refuses a result of null, and InnerTemplates that a template can make another one.
	NullTemplates  = hcllang.Support{OpenTofu: "0", Terraform: "1.11"}
	InnerTemplates = hcllang.Support{OpenTofu: "1.7"}
)
