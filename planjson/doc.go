// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planjson reads and writes the JSON documents that OpenTofu and
// Terraform print about plans, states, configurations and providers, without
// losing a byte.
//
//	plan, err := planjson.DecodePlan(text)
//	if err != nil {
//		return err
//	}
//	if err := plan.CheckVersion(); err != nil {
//		return err
//	}
//	for _, rc := range plan.ResourceChanges {
//		if rc.Change.Actions.Destroys() {
//			fmt.Println(rc.Address, rc.ActionReason)
//		}
//	}
//
// Each document has a type and a function that decodes it; [Encode], [Write]
// and [Canonical] take any of them:
//
//	command                            type           decoded by
//	show -json PLANFILE                Plan         DecodePlan
//	show -json                         State        DecodeState
//	show -json -config, -module=DIR    Config       DecodeConfig
//	providers schema -json             Schemas      DecodeSchemas
//	metadata functions -json           Functions    DecodeFunctions
//	validate -json                     Validate     DecodeValidate
//	version -json                      Version      DecodeVersion
//	output -json                       Outputs      DecodeOutputs
//	terraform modules -json            Modules      DecodeModules
//	terraform workspace list -json     Workspaces   DecodeWorkspaces
//	terraform state show -json         StateShow    DecodeStateShow
//	(a plan as HCP Terraform shows it) RendererPlan DecodeRendererPlan
//	(a state, likewise)                RendererState DecodeRendererState
//
// For documents that are too large to be kept, [ReadPlan] and [ReadState] hand
// out one part at a time, as do iterators such as [ResourceChanges] and
// [StateResources].
//
// What "plan -json" and its like print while they run is the business of
// package uijson. The files terraform.tfstate have another format, which no
// package here reads.
//
// # The promise
//
// Encode(Decode(x)) is x, byte for byte, for every x that decodes: white space,
// the order of members, the spelling of numbers and strings, null against
// absent, and members that no type here knows ("extra" members, see [Extras]).
// Change one field, and only the bytes of that field change. A document made by
// the caller is written as OpenTofu prints it.
//
// A member that is absent and one that is null are different in fields of type
// [Value], where nil is absent. In all others both are the zero value, and what
// the text has stays as it is until the field is given another value. A member
// whose absence differs from zero is a pointer.
//
// # Objects
//
// Types are plain structs: read, change, copy, move and build them as any
// others, within a document and between documents. What follows from the
// promise:
//
//   - A decoded value owns its input, which must not be changed afterwards.
//     [Clone] makes a copy that is independent of it;
//     a small object kept for long keeps the whole text of its document.
//   - A [Value] is replaced, never changed in place.
//   - Objects remember where they were read. Compare them with [Equal], not with reflect.DeepEqual, which sees the memory and not the
//     meaning.
//   - An object that is replaced by a new one loses its extra members. Change
//     its fields instead.
//   - All types are [encoding/json] marshalers and unmarshalers, so that they can
//     be part of other structs; but encoding/json compacts and escapes anew
//     what it is given. Only Encode and Write keep the text.
//
// Lists and maps hold pointers, so that a loop can change its elements. A nil
// pointer in one is an error when encoding.
//
// # Errors
//
// Every error is an [*Error] that says where: byte offset, line and column,
// JSON pointer; but those of the caller's own readers, writers and functions come
// back as they are. A known member of another kind than its field, such as a string
// where the format has a list, is an error that wraps [ErrKind]: whoever
// judges plans must not mistake a document that it cannot read for an empty one.
//
// Names match exactly, upper and lower case included. If a member occurs twice,
// the last one counts, and [Duplicates] tells. Enumerations are open: a value
// that has no constant is kept.
//
// # Versions
//
// Decoding accepts every format version, because most new members came without
// a new one. The format asks its readers to refuse a major version that they
// do not know: call CheckVersion for that. To find out whether a tool is new
// enough for a member, look for the member. COMPATIBILITY.md lists the tools
// and versions that this package is tested with; each field says which tool
// writes it since when.
//
// # Values
//
// What only a provider's schema can type (the values of resources, outputs and
// variables) is raw JSON, a [Value], with methods to look inside, to compare,
// and to turn it into Go values or, with a type, into a cty value. None of them
// goes through float64, so IDs of 20 digits survive. For looking at
// everything, a [Cursor] builds nothing.
//
// To find things by address, make a [PlanIndex], [StateIndex] or [ConfigIndex].
//
// # Differences, redaction, dependencies
//
// Package plandiff tells what a plan changes, attribute by attribute, without
// anything sensitive, and compares documents. Package redact makes documents
// safe to keep. Package plangraph has what refers to what. [NewChange] is the
// way back from cty values.
//
// # Concurrency
//
// Any number of goroutines may read and encode a document at the same time.
// Changing one while others use it is the caller's business.
//
// # Security
//
// Plans and states hold secrets in clear text: variables, attributes of
// resources, constants of the configuration. Members that end in "sensitive"
// mark some of them, they do not hide them.
//
// Input may come from anywhere. Bad input is an error, never a panic. Besides
// the text, which is kept, decoding takes memory of a tenth of its length for
// large plans, and up to six times its length for a configuration. A text of
// nothing but tiny objects, which would take far more, is refused ([ErrDense])
// once they take 4 MiB and 16 times the length of the text. Decoding and
// encoding take time in proportion to the text.
//
// Texts may have up to 4 GiB and 10,000 levels of nesting. Numbers of more than
// 10,000 digits written out, or 11,000 bytes of text, are kept but not computed
// with; values nested deeper than 500 levels do not become cty values.
//
// # Sources
//
// The format is described at https://opentofu.org/docs/internals/json-format/;
// where that is silent, the comments name the upstream file that writes a
// member. This package does not run tofu, evaluate expressions, or judge a plan.
package planjson
