// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllang

// Shorthands for the tables below.
var (
	sinceTofu17  = since("1.7", "1.7")
	tofu19       = since("1.9", "")
	tofu111      = since("1.11", "")
	tofu112      = since("1.12", "")
	destroyIn    = since("1.12", "1.16")
	deprecatedIn = since("1.10", "1.15")
	ephemeralIn  = since("1.11", "1.10")
	terraform114 = since("", "1.14")
	unread113    = Support{Terraform: "1.13", TerraformUntil: "1.14"}
	terraform115 = since("", "1.15")
	terraform116 = since("", "1.16")
)

// Root describes a configuration file of either dialect: facts of
// opentofu: internal/configs/parser_config.go.
var Root = (&Block{Blocks: []*Block{
	TerraformBlock, LanguageBlock, ProviderBlock, VariableBlock, LocalsBlock, OutputBlock, ModuleBlock,
	ResourceBlock, DataBlock, EphemeralBlock, MovedBlock, ImportBlock, RemovedBlock, CheckBlock, ActionBlock,
}}).index()

var TerraformBlock = &Block{
	Name: "terraform",
	Args: []Argument{
		{Name: "required_version", Kind: KindLiteral, Lit: StringLiteral},
		{Name: "experiments", Kind: KindKeywordList},
		{Name: "language", Kind: KindKeyword},
	},
	Blocks: []*Block{
		{Name: "required_providers", Rest: RestRequirements},
		{Name: "backend", Labels: []string{"type"}, Rest: RestStatic},
		{Name: "cloud", Rest: RestStatic, Since: since("0", "1.1")},
		{Name: "provider_meta", Labels: []string{"provider"}, Rest: RestProvider},
		encryptionSpec,
		{Name: "state_store", Labels: []string{"type"}, Rest: RestStatic, Since: since("", "1.17"), Blocks: []*Block{
			{Name: "provider", Labels: []string{"name"}, Rest: RestStatic, AtLeast: 1, AtMost: 1},
		}},
	},
}

var encryptionSpec = newEncryptionSpec()

// newEncryptionSpec describes the encryption block of
// opentofu: internal/encryption/config/config.go.
func newEncryptionSpec() *Block {
	fallback := &Block{Name: "fallback", AtMost: 1, Args: []Argument{{Name: "method", Kind: KindReference}}}
	fallback.Blocks = []*Block{fallback}
	target := func(name string, labels ...string) *Block {
		s := &Block{Name: name, Labels: labels, Args: fallback.Args, Blocks: []*Block{fallback}}
		if labels == nil {
			s.AtMost = 1
		}
		return s
	}
	enforced := func(name string) *Block {
		s := target(name)
		s.Args = []Argument{{Name: "method", Kind: KindReference}, {Name: "enforced", Kind: KindLiteral, Lit: BoolLiteral}}
		return s
	}
	return &Block{Name: "encryption", Since: since("1.7", ""), Blocks: []*Block{
		{Name: "key_provider", Labels: []string{"type", "name"}, Rest: RestStatic, Args: []Argument{
			{Name: "encrypted_metadata_alias", Kind: KindLiteral, Lit: StringLiteral},
		}},
		{Name: "method", Labels: []string{"type", "name"}, Rest: RestStatic},
		enforced("state"),
		enforced("plan"),
		{Name: "remote_state_data_sources", AtMost: 1, Blocks: []*Block{
			target("default"),
			target("remote_state_data_source", "name"),
		}},
	}}
}

var LanguageBlock = &Block{
	Name: "language", Since: tofu112,
	Args: []Argument{
		{Name: "edition", Kind: KindKeyword},
		{Name: "experiments", Kind: KindKeywordList},
	},
	Blocks: []*Block{{Name: "compatible_with", Rest: RestIgnored, Args: []Argument{
		{Name: "opentofu", Kind: KindLiteral, Lit: StringLiteral},
	}}},
}

var ProviderBlock = &Block{
	Name: "provider", Labels: []string{"name"}, Rest: RestProvider,
	Args: []Argument{
		{Name: "alias", Kind: KindLiteral, Lit: StringLiteral},
		{Name: "version", Kind: KindLiteral, Lit: StringLiteral},
		{Name: "for_each", Kind: KindStatic, Since: tofu19},
		reservedArg("count", inProvider), reservedArg("depends_on", inProvider), reservedArg("source", inProvider),
	},
	Blocks: []*Block{
		escapeSpec(), Dynamic,
		reservedBlock("lifecycle", "Reserved block type name in provider block"), reservedBlock("locals", "Reserved block type name in provider block"),
	},
}

// escapeSpec describes the block named "_", whose content belongs to the
// provider's schema even where a name is one of the language's own.
func escapeSpec() *Block {
	return &Block{Name: "_", Rest: RestProvider, AtMost: 1, Blocks: []*Block{Dynamic}}
}

const inProvider = "Reserved argument name in provider block"

// reservedBlock describes a type of block that is named only to be refused,
// with what OpenTofu says then.
func reservedBlock(name, summary string) *Block {
	return &Block{Name: name, Reserved: summary, Rest: RestIgnored}
}

func reservedArg(name, summary string) Argument {
	return Argument{Name: name, Reserved: summary}
}

var VariableBlock = &Block{
	Name: "variable", Labels: []string{"name"},
	Args: []Argument{
		{Name: "type", Kind: KindType},
		{Name: "default", Kind: KindLiteral},
		{Name: "description", Kind: KindLiteral, Lit: StringLiteral},
		{Name: "sensitive", Kind: KindLiteral, Lit: BoolLiteral},
		{Name: "nullable", Kind: KindLiteral, Lit: BoolLiteral, Since: since("0", "1.1")},
		{Name: "ephemeral", Kind: KindLiteral, Lit: BoolLiteral, Since: ephemeralIn},
		{Name: "const", Kind: KindLiteral, Lit: BoolLiteral, Since: since("1.12", "1.15")},
		{Name: "deprecated", Kind: KindLiteral, Lit: StringLiteral, Since: deprecatedIn},
	},
	Blocks: []*Block{checkRuleSpec("validation")},
}

// conditionSpec describes a precondition or postcondition.
func conditionSpec(name string) *Block {
	b := checkRuleSpec(name)
	b.Since = since("0", "1.2")
	return b
}

// words returns words that an argument allows since the same releases.
func words(s Support, texts ...string) []Word {
	out := make([]Word, len(texts))
	for i, t := range texts {
		out[i] = Word{t, s}
	}
	return out
}

// checkRuleSpec describes a block that holds a condition and a message.
func checkRuleSpec(name string) *Block {
	return &Block{Name: name, Args: []Argument{
		{Name: "condition", Required: true},
		{Name: "error_message", Required: true},
	}}
}

var OutputBlock = &Block{
	Name: "output", Labels: []string{"name"},
	Args: []Argument{
		{Name: "description", Kind: KindLiteral, Lit: StringLiteral},
		{Name: "value", Required: true},
		{Name: "type", Kind: KindType, Since: terraform115},
		{Name: "sensitive", Kind: KindLiteral, Lit: BoolLiteral},
		{Name: "ephemeral", Kind: KindLiteral, Lit: BoolLiteral, Since: ephemeralIn},
		{Name: "deprecated", Kind: KindLiteral, Lit: StringLiteral, Since: deprecatedIn},
		{Name: "depends_on", Kind: KindReferenceList},
	},
	Blocks: []*Block{conditionSpec("precondition"), reservedBlock("postcondition", "Postconditions are not allowed")},
}

var LocalsBlock = &Block{Name: "locals", Rest: RestArguments}

var ModuleBlock = &Block{
	Name: "module", Labels: []string{"name"}, Rest: RestInputs,
	Args: []Argument{
		{Name: "source", Kind: KindStatic, Static: since("1.8", "1.15"), Lit: StringLiteral, Required: true},
		{Name: "version", Kind: KindStatic, Static: since("1.8", "1.15"), Lit: StringLiteral},
		{Name: "count"},
		{Name: "for_each"},
		{Name: "providers", Kind: KindProviderMap},
		{Name: "depends_on", Kind: KindReferenceList},
		{Name: "ignore_nested_deprecations", Kind: KindLiteral, Lit: BoolLiteral, Since: terraform115},
	},
	Blocks: []*Block{
		{Name: "_", Rest: RestInputs, AtMost: 1},
		{Name: "lifecycle", AtMost: 1, Since: tofu111, Args: []Argument{{Name: "enabled", Since: tofu111}}},
		reservedBlock("locals", "Reserved block type name in module block"), reservedBlock("provider", "Reserved block type name in module block"),
	},
}

// instanceArgs are the arguments that resource, data and ephemeral share.
func instanceArgs() []Argument {
	return []Argument{
		{Name: "count"},
		{Name: "for_each"},
		{Name: "provider", Kind: KindProviderReference},
		{Name: "depends_on", Kind: KindReferenceList},
	}
}

var ResourceBlock = &Block{
	Name: "resource", Labels: []string{"type", "name"}, Rest: RestProvider,
	Args: instanceArgs(),
	Blocks: []*Block{
		{
			Name: "lifecycle", AtMost: 1,
			Args: []Argument{
				{Name: "create_before_destroy", Kind: KindLiteral, Lit: BoolLiteral},
				// An expression since OpenTofu 1.12, in native syntax only.
				{Name: "prevent_destroy", Kind: KindLiteral, Lit: BoolLiteral},
				{Name: "destroy", Kind: KindLiteral, Lit: StrictBool, Since: destroyIn},
				{Name: "enabled", Since: tofu111},
				{Name: "ignore_changes", Kind: KindAttributeList},
				{Name: "replace_triggered_by", Kind: KindSourceList, Since: since("0", "1.2")},
			},
			Blocks: []*Block{
				conditionSpec("precondition"), conditionSpec("postcondition"),
				{Name: "action_trigger", Since: terraform114, Unread: unread113, Args: []Argument{
					{Name: "events", Kind: KindKeywordList, Required: true},
					{Name: "actions", Kind: KindSourceList, Required: true},
					{Name: "condition"},
					{Name: "on_failure", Kind: KindKeyword, Since: terraform116, Values: words(terraform116, "halt", "taint", "continue")},
				}},
			},
		},
		connectionSpec(), provisionerSpec(), escapeSpec(), Dynamic, reservedBlock("locals", "Reserved block type name in resource block"),
	},
}

func connectionSpec() *Block {
	return &Block{Name: "connection", AtMost: 1, Rest: RestProvider, Blocks: []*Block{Dynamic}}
}

func provisionerSpec() *Block {
	return &Block{
		Name: "provisioner", Labels: []string{"type"}, Rest: RestProvider,
		Args: []Argument{
			{Name: "when", Kind: KindKeyword, Values: words(Everywhere, "create", "destroy")},
			{Name: "on_failure", Kind: KindKeyword, Values: words(Everywhere, "continue", "fail")},
		},
		Blocks: []*Block{connectionSpec(), escapeSpec(), Dynamic, reservedBlock("lifecycle", "Reserved block type name in provisioner block")},
	}
}

// managedBlock is a block that only managed resources have.
func managedBlock(name string) *Block {
	return &Block{Name: name, Reserved: "Invalid configuration block for ephemeral resource", ByTofu: true, Rest: RestIgnored}
}

// readingBlocks are the nested blocks of data and ephemeral.
func readingBlocks(kind string, lifecycleIn Support) []*Block {
	lifecycle := "Invalid " + kind + " resource lifecycle argument"
	blocks := []*Block{
		{
			Name: "lifecycle", AtMost: 1, Since: lifecycleIn,
			Args: []Argument{
				{Name: "enabled", Since: tofu111},
				reservedArg("create_before_destroy", lifecycle), reservedArg("prevent_destroy", lifecycle), {Name: "destroy", Reserved: lifecycle, Since: destroyIn},
				reservedArg("ignore_changes", lifecycle), reservedArg("replace_triggered_by", lifecycle),
			},
			Blocks: []*Block{conditionSpec("precondition"), conditionSpec("postcondition")},
		},
		escapeSpec(), Dynamic, reservedBlock("locals", "Reserved block type name in "+kind+" block"),
	}
	if kind == "ephemeral" {
		return append(blocks, managedBlock("connection"), managedBlock("provisioner"))
	}
	return blocks // in data they are the provider's: a schema that lacks them refuses them
}

var DataBlock = &Block{
	Name: "data", Labels: []string{"type", "name"}, Rest: RestProvider,
	Args: instanceArgs(), Blocks: readingBlocks("data", since("0", "1.2")),
}

var EphemeralBlock = &Block{
	Name: "ephemeral", Labels: []string{"type", "name"}, Rest: RestProvider, Since: ephemeralIn,
	Args: instanceArgs(), Blocks: readingBlocks("ephemeral", Everywhere),
}

var MovedBlock = &Block{Name: "moved", Since: since("0", "1.1"), Args: []Argument{
	{Name: "from", Kind: KindReference, Required: true},
	{Name: "to", Kind: KindReference, Required: true},
}}

var ImportBlock = &Block{Name: "import", Since: since("0", "1.5"), Args: []Argument{
	{Name: "to", Kind: KindSource, Required: true},
	{Name: "id"},
	{Name: "identity", Since: since("1.12", "1.12")},
	{Name: "for_each", Since: since("1.7", "1.7")},
	{Name: "provider", Kind: KindProviderReference},
}}

var RemovedBlock = &Block{
	Name: "removed", Since: sinceTofu17,
	Args: []Argument{{Name: "from", Kind: KindReference, Required: true}},
	Blocks: []*Block{
		{Name: "lifecycle", AtMost: 1, Since: since("1.10", "1.7"), Args: []Argument{{Name: "destroy", Kind: KindLiteral, Lit: BoolLiteral}}},
		{Name: "provisioner", Labels: []string{"type"}, Rest: RestProvider, Since: since("1.10", "1.9"), Args: []Argument{
			{Name: "when", Kind: KindKeyword, Values: words(Everywhere, "destroy")},
			{Name: "on_failure", Kind: KindKeyword, Values: words(Everywhere, "continue", "fail")},
		}, Blocks: provisionerSpec().Blocks},
		{Name: "connection", AtMost: 1, Rest: RestProvider, Since: since("", "1.9")},
	},
}

var CheckBlock = &Block{
	Name: "check", Labels: []string{"name"}, Since: since("0", "1.5"),
	Blocks: []*Block{
		{
			Name: "data", Labels: []string{"type", "name"}, AtMost: 1, Rest: RestProvider,
			Args: []Argument{
				{Name: "provider", Kind: KindProviderReference},
				{Name: "depends_on", Kind: KindReferenceList},
				reservedArg("count", `Invalid "count" attribute`), reservedArg("for_each", `Invalid "for_each" attribute`),
			},
			Blocks: []*Block{
				escapeSpec(), Dynamic, reservedBlock("lifecycle", "Invalid lifecycle block"),
				reservedBlock("locals", "Reserved block type name in data block"),
			},
		},
		{Name: "assert", AtLeast: 1, Args: checkRuleSpec("").Args},
	},
}

// ActionBlock describes Terraform's action block.
var ActionBlock = &Block{
	Name: "action", Labels: []string{"type", "name"}, Since: terraform114, Unread: unread113,
	Args:   []Argument{{Name: "count"}, {Name: "for_each"}, {Name: "provider", Kind: KindProviderReference}},
	Blocks: []*Block{{Name: "config", AtMost: 1, Rest: RestProvider, Blocks: []*Block{Dynamic}}},
}
