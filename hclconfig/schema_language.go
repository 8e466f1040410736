// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

// Shorthands for the tables below.
var (
	sinceTofu17  = Support{"1.7", "1.7"}
	tofu18       = Support{"1.8", ""}
	tofu19       = Support{"1.9", ""}
	tofu111      = Support{"1.11", ""}
	tofu112      = Support{"1.12", ""}
	deprecatedIn = Support{"1.10", "1.15"}
	ephemeralIn  = Support{"1.11", "1.10"}
	terraform114 = Support{"", "1.14"}
	terraform115 = Support{"", "1.15"}
)

// rootSpec describes a configuration file of either dialect: facts of
// opentofu: internal/configs/parser_config.go.
var rootSpec = (&blockSpec{blocks: []*blockSpec{
	terraformSpec, languageSpec, providerSpec, variableSpec, localsSpec, outputSpec, moduleSpec,
	resourceSpec, dataSpec, ephemeralSpec, movedSpec, importSpec, removedSpec, checkSpec, actionSpec,
}}).index()

var terraformSpec = &blockSpec{
	name: "terraform",
	args: []argSpec{
		{name: "required_version", kind: KindLiteral, lit: stringLiteral},
		{name: "experiments", kind: KindKeywordList},
		{name: "language", kind: KindKeyword},
	},
	blocks: []*blockSpec{
		{name: "required_providers", rest: restRequirements},
		{name: "backend", labels: []string{"type"}, rest: restStatic},
		{name: "cloud", rest: restStatic},
		{name: "provider_meta", labels: []string{"provider"}, rest: restProvider},
		encryptionSpec,
		{name: "state_store", labels: []string{"type"}, rest: restStatic, since: terraform115, blocks: []*blockSpec{
			{name: "provider", labels: []string{"name"}, rest: restStatic, atLeast: 1, atMost: 1},
		}},
	},
}

var encryptionSpec = newEncryptionSpec()

// newEncryptionSpec describes the encryption block of
// opentofu: internal/encryption/config/config.go.
func newEncryptionSpec() *blockSpec {
	fallback := &blockSpec{name: "fallback", atMost: 1, args: []argSpec{{name: "method", kind: KindReference}}}
	fallback.blocks = []*blockSpec{fallback}
	target := func(name string, labels ...string) *blockSpec {
		s := &blockSpec{name: name, labels: labels, args: fallback.args, blocks: []*blockSpec{fallback}}
		if labels == nil {
			s.atMost = 1
		}
		return s
	}
	enforced := func(name string) *blockSpec {
		s := target(name)
		s.args = []argSpec{{name: "method", kind: KindReference}, {name: "enforced", kind: KindLiteral, lit: boolLiteral}}
		return s
	}
	return &blockSpec{name: "encryption", since: Support{"1.7", ""}, blocks: []*blockSpec{
		{name: "key_provider", labels: []string{"type", "name"}, rest: restStatic, args: []argSpec{
			{name: "encrypted_metadata_alias", kind: KindLiteral, lit: stringLiteral},
		}},
		{name: "method", labels: []string{"type", "name"}, rest: restStatic},
		enforced("state"),
		enforced("plan"),
		{name: "remote_state_data_sources", atMost: 1, blocks: []*blockSpec{
			target("default"),
			target("remote_state_data_source", "name"),
		}},
	}}
}

var languageSpec = &blockSpec{
	name: "language", since: tofu112,
	args: []argSpec{
		{name: "edition", kind: KindKeyword},
		{name: "experiments", kind: KindKeywordList},
	},
	blocks: []*blockSpec{{name: "compatible_with", rest: restIgnored, args: []argSpec{
		{name: "opentofu", kind: KindLiteral, lit: stringLiteral},
	}}},
}

var providerSpec = &blockSpec{
	name: "provider", labels: []string{"name"}, rest: restProvider,
	args: []argSpec{
		{name: "alias", kind: KindLiteral, lit: stringLiteral},
		{name: "version", kind: KindLiteral, lit: stringLiteral},
		{name: "for_each", kind: KindStatic, since: tofu19},
		reservedArg("count", inProvider), reservedArg("depends_on", inProvider), reservedArg("source", inProvider),
	},
	blocks: []*blockSpec{
		escapeSpec(), dynamicSpec,
		reservedBlock("lifecycle", "Reserved block type name in provider block"), reservedBlock("locals", "Reserved block type name in provider block"),
	},
}

// escapeSpec describes the block named "_", whose content belongs to the
// provider's schema even where a name is one of the language's own.
func escapeSpec() *blockSpec {
	return &blockSpec{name: "_", rest: restProvider, atMost: 1, blocks: []*blockSpec{dynamicSpec}}
}

const inProvider = "Reserved argument name in provider block"

// reservedBlock describes a type of block that is named only to be refused,
// with what OpenTofu says then.
func reservedBlock(name, summary string) *blockSpec {
	return &blockSpec{name: name, reserved: summary, rest: restIgnored}
}

func reservedArg(name, summary string) argSpec {
	return argSpec{name: name, reserved: summary}
}

var variableSpec = &blockSpec{
	name: "variable", labels: []string{"name"},
	args: []argSpec{
		{name: "type", kind: KindType},
		{name: "default", kind: KindLiteral},
		{name: "description", kind: KindLiteral, lit: stringLiteral},
		{name: "sensitive", kind: KindLiteral, lit: boolLiteral},
		{name: "nullable", kind: KindLiteral, lit: boolLiteral},
		{name: "ephemeral", kind: KindLiteral, lit: boolLiteral, since: ephemeralIn},
		{name: "const", kind: KindLiteral, lit: boolLiteral, since: Support{"1.12", "1.15"}},
		{name: "deprecated", kind: KindLiteral, lit: stringLiteral, since: deprecatedIn},
	},
	blocks: []*blockSpec{checkRuleSpec("validation")},
}

// checkRuleSpec describes a block that holds a condition and a message.
func checkRuleSpec(name string) *blockSpec {
	return &blockSpec{name: name, args: []argSpec{
		{name: "condition", required: true},
		{name: "error_message", required: true},
	}}
}

var outputSpec = &blockSpec{
	name: "output", labels: []string{"name"},
	args: []argSpec{
		{name: "description", kind: KindLiteral, lit: stringLiteral},
		{name: "value", required: true},
		{name: "type", kind: KindType, since: terraform115},
		{name: "sensitive", kind: KindLiteral, lit: boolLiteral},
		{name: "ephemeral", kind: KindLiteral, lit: boolLiteral, since: ephemeralIn},
		{name: "deprecated", kind: KindLiteral, lit: stringLiteral, since: deprecatedIn},
		{name: "depends_on", kind: KindReferenceList},
	},
	blocks: []*blockSpec{checkRuleSpec("precondition"), reservedBlock("postcondition", "Postconditions are not allowed")},
}

var localsSpec = &blockSpec{name: "locals", rest: restArguments}

var moduleSpec = &blockSpec{
	name: "module", labels: []string{"name"}, rest: restInputs,
	args: []argSpec{
		{name: "source", kind: KindStatic, lit: stringLiteral, required: true},
		{name: "version", kind: KindStatic, lit: stringLiteral},
		{name: "count"},
		{name: "for_each"},
		{name: "providers", kind: KindProviderMap},
		{name: "depends_on", kind: KindReferenceList},
		{name: "ignore_nested_deprecations", kind: KindLiteral, lit: boolLiteral, since: terraform115},
	},
	blocks: []*blockSpec{
		{name: "_", rest: restInputs, atMost: 1},
		{name: "lifecycle", atMost: 1, since: tofu111, args: []argSpec{{name: "enabled", since: tofu111}}},
		reservedBlock("locals", "Reserved block type name in module block"), reservedBlock("provider", "Reserved block type name in module block"),
	},
}

// instanceArgs are the arguments that resource, data and ephemeral share.
func instanceArgs() []argSpec {
	return []argSpec{
		{name: "count"},
		{name: "for_each"},
		{name: "provider", kind: KindProviderReference},
		{name: "depends_on", kind: KindReferenceList},
	}
}

var resourceSpec = &blockSpec{
	name: "resource", labels: []string{"type", "name"}, rest: restProvider,
	args: instanceArgs(),
	blocks: []*blockSpec{
		{
			name: "lifecycle", atMost: 1,
			args: []argSpec{
				{name: "create_before_destroy", kind: KindLiteral, lit: boolLiteral},
				// An expression since OpenTofu 1.12, in native syntax only.
				{name: "prevent_destroy", kind: KindLiteral, lit: boolLiteral},
				{name: "destroy", kind: KindLiteral, lit: strictBool, since: tofu112},
				{name: "enabled", since: tofu111},
				{name: "ignore_changes", kind: KindAttributeList},
				{name: "replace_triggered_by", kind: KindSourceList},
			},
			blocks: []*blockSpec{
				checkRuleSpec("precondition"), checkRuleSpec("postcondition"),
				{name: "action_trigger", since: terraform114, args: []argSpec{
					{name: "events", kind: KindKeywordList, required: true},
					{name: "actions", kind: KindSourceList, required: true},
					{name: "condition"},
					{name: "on_failure", kind: KindKeyword, since: terraform115},
				}},
			},
		},
		connectionSpec(), provisionerSpec(), escapeSpec(), dynamicSpec, reservedBlock("locals", "Reserved block type name in resource block"),
	},
}

func connectionSpec() *blockSpec {
	return &blockSpec{name: "connection", atMost: 1, rest: restProvider, blocks: []*blockSpec{dynamicSpec}}
}

func provisionerSpec() *blockSpec {
	return &blockSpec{
		name: "provisioner", labels: []string{"type"}, rest: restProvider,
		args: []argSpec{
			{name: "when", kind: KindKeyword},
			{name: "on_failure", kind: KindKeyword},
		},
		blocks: []*blockSpec{connectionSpec(), escapeSpec(), dynamicSpec, reservedBlock("lifecycle", "Reserved block type name in provisioner block")},
	}
}

// readingBlocks are the nested blocks of data and ephemeral.
func readingBlocks(kind string) []*blockSpec {
	lifecycle := "Invalid " + kind + " resource lifecycle argument"
	return []*blockSpec{
		{
			name: "lifecycle", atMost: 1,
			args: []argSpec{
				{name: "enabled", since: tofu111},
				reservedArg("create_before_destroy", lifecycle), reservedArg("prevent_destroy", lifecycle), reservedArg("destroy", lifecycle),
				reservedArg("ignore_changes", lifecycle), reservedArg("replace_triggered_by", lifecycle),
			},
			blocks: []*blockSpec{checkRuleSpec("precondition"), checkRuleSpec("postcondition")},
		},
		escapeSpec(), dynamicSpec, reservedBlock("connection", "Unsupported block type"), reservedBlock("provisioner", "Unsupported block type"),
		reservedBlock("locals", "Reserved block type name in "+kind+" block"),
	}
}

var dataSpec = &blockSpec{
	name: "data", labels: []string{"type", "name"}, rest: restProvider,
	args: instanceArgs(), blocks: readingBlocks("data"),
}

var ephemeralSpec = &blockSpec{
	name: "ephemeral", labels: []string{"type", "name"}, rest: restProvider, since: ephemeralIn,
	args: instanceArgs(), blocks: readingBlocks("ephemeral"),
}

var movedSpec = &blockSpec{name: "moved", args: []argSpec{
	{name: "from", kind: KindReference, required: true},
	{name: "to", kind: KindReference, required: true},
}}

var importSpec = &blockSpec{name: "import", args: []argSpec{
	{name: "to", kind: KindSource, required: true},
	{name: "id"},
	{name: "identity", since: Support{"1.12", "1.12"}},
	{name: "for_each", since: Support{"1.7", "1.7"}},
	{name: "provider", kind: KindProviderReference},
}}

var removedSpec = &blockSpec{
	name: "removed", since: sinceTofu17,
	args: []argSpec{{name: "from", kind: KindReference, required: true}},
	blocks: []*blockSpec{
		{name: "lifecycle", atMost: 1, since: Support{"1.10", "1.7"}, args: []argSpec{{name: "destroy", kind: KindLiteral, lit: boolLiteral}}},
		{name: "provisioner", labels: []string{"type"}, rest: restProvider, since: Support{"1.10", "1.9"}, args: provisionerSpec().args, blocks: provisionerSpec().blocks},
		{name: "connection", atMost: 1, rest: restProvider, since: Support{"", "1.9"}},
	},
}

var checkSpec = &blockSpec{
	name: "check", labels: []string{"name"},
	blocks: []*blockSpec{
		{
			name: "data", labels: []string{"type", "name"}, atMost: 1, rest: restProvider,
			args: []argSpec{
				{name: "provider", kind: KindProviderReference},
				{name: "depends_on", kind: KindReferenceList},
				reservedArg("count", `Invalid "count" attribute`), reservedArg("for_each", `Invalid "for_each" attribute`),
			},
			blocks: []*blockSpec{
				escapeSpec(), dynamicSpec, reservedBlock("lifecycle", "Invalid lifecycle block"),
				reservedBlock("connection", "Unsupported block type"), reservedBlock("provisioner", "Unsupported block type"),
				reservedBlock("locals", "Reserved block type name in data block"),
			},
		},
		{name: "assert", atLeast: 1, args: checkRuleSpec("").args},
	},
}

// actionSpec describes Terraform's action block.
var actionSpec = &blockSpec{
	name: "action", labels: []string{"type", "name"}, since: terraform114,
	args:   []argSpec{{name: "count"}, {name: "for_each"}, {name: "provider", kind: KindProviderReference}},
	blocks: []*blockSpec{{name: "config", atMost: 1, rest: restProvider, blocks: []*blockSpec{dynamicSpec}}},
}
