// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planjson reads and writes the JSON documents that OpenTofu and Terraform print
// about plans, states, configurations and providers, without losing a byte.
//
//	plan, err := planjson.DecodePlan(text)
//	if err != nil {
//		return err
//	}
//	if err := planjson.Judgeable(plan); err != nil {
//		return err // it failed, or is incomplete
//	}
//	for _, rc := range plan.ResourceChanges {
//		if a := rc.Change.Actions; a.Destroys() || !a.IsKnown() {
//			fmt.Println(rc.Address, rc.ActionReason)
//		}
//	}
//
// Each document has a type and a function that decodes it:
//
//   - show -json PLANFILE: [Plan], [DecodePlan]
//   - show -json: [State], [DecodeState]
//   - show -json -config, -module=DIR: [Config], [DecodeConfig]
//   - providers schema -json: [Schemas], [DecodeSchemas]
//   - metadata functions -json: [Functions], [DecodeFunctions]
//   - validate -json: [Validate], [DecodeValidate]
//   - version -json: [Version], [DecodeVersion]
//   - output -json: [Outputs], [DecodeOutputs]
//   - terraform modules -json: [Modules], [DecodeModules]
//   - terraform workspace list -json: [Workspaces], [DecodeWorkspaces]
//   - terraform state show -json: [StateShow], [DecodeStateShow]
//   - a plan as HCP Terraform shows it: [RendererPlan], [DecodeRendererPlan]
//   - a state as HCP Terraform shows it: [RendererState], [DecodeRendererState]
//
// [Encode], [Write] and [Canonical] take any of them. [ReadPlan] and [ReadState] read
// documents that are too large to keep, one part at a time, as do iterators such as
// [ResourceChanges]. To find things by address, make a [PlanIndex] or a
// [ConfigIndex].
//
// Package plandiff lists the changes of a plan and compares documents. Package redact hides
// secrets. Package plangraph builds the graph of references. Package uijson reads what "plan
// -json" and similar commands print while they run.
//
// [Judgeable] reports whether a program can judge a plan by its content. [Find] finds a document
// in the log of a pipeline. This package does not run tofu, evaluate expressions, or read a file
// terraform.tfstate, which package statefile does. The format is described at
// https://opentofu.org/docs/internals/json-format/; other comments name the upstream file.
//
// # The promise
//
// Encode(Decode(x)) is x, byte for byte, for every x that decodes: including white space, the
// order of members, the spelling of numbers and strings, the difference between null and absent,
// and unknown members ("extra" members, see [Extras]). Changing one field changes only the bytes
// of that field. A document built by the caller is written as OpenTofu prints it.
//
// In fields of type [Value], an absent member is nil and differs from null. In all other fields
// both are the zero value, and the original text is kept until the field changes. A field is a
// pointer if absence differs from zero.
//
// # Objects
//
// Types are plain structs: read, change, copy, move and build them like any other struct, within
// a document and between documents.
//
//   - A decoded value owns its input, which must not be changed afterwards. A small object keeps
//     the whole text of its document in memory. [Clone] makes an independent copy.
//   - A [Value] is replaced, never changed in place.
//   - Compare objects with [Equal], not with reflect.DeepEqual: objects record their place.
//   - Replacing an object drops its extra members; changing its fields keeps them.
//   - All types are [encoding/json] marshalers and unmarshalers and can be part of other structs.
//     But encoding/json compacts and escapes their text. Only Encode and Write keep it.
//   - Lists and maps hold pointers, so a loop can change their elements. A nil pointer in one is
//     an error when encoding.
//
// # Versions
//
// Decoding accepts every format version, because most new members came without a new one. The
// format requires readers to reject an unknown major version: call [CheckVersion] to do so. To
// find out whether a tool is new enough for a member, look for the member. The comments of
// newer fields name the tools and releases that write them.
//
// # Values
//
// The values of resources, outputs and variables have a type only in a provider's schema. Here
// each is a [Value], raw JSON with methods to look inside, to compare, and to convert it into a
// Go value or, given a type, into a cty value. Numbers are never converted to float64, so IDs of
// 20 digits survive. A [Cursor] reads values without building any. [ValueOf] makes a Value from a
// Go or a cty value.
//
// # Errors
//
// Every error is an [*Error] with byte offset, line, column and JSON pointer. Only errors of the
// caller's own readers, writers and functions are returned unchanged. A known member of the
// wrong kind, such as a string instead of a list, is an error that wraps [ErrKind]: a program
// that judges plans must not mistake a document that it cannot read for an empty one.
//
// Names are case-sensitive. If a member occurs twice, the last one counts; [Duplicates] lists
// both. Enumerations are open: a value without a constant is kept.
//
// # Security
//
// Plans and states hold secrets in clear text: variables, attributes of resources, constants of
// the configuration. Members that end in "sensitive" mark some of them; they do not hide them.
//
// Input may come from anywhere. Bad input is an error, never a panic. Decoding and encoding take
// time linear in the size of the text. A document keeps its text. The objects of a plan of 50 kB
// or more, as the tools print it, take a quarter as much memory as the text, or half as much after
// a call of [Plan.Config]. The objects of a configuration take up to five times as much as its
// text. A text of tiny objects could take far more; it is refused with [ErrLimit] once the objects
// take 4 MiB and 16 times the length of the text.
//
// Texts may have up to 4 GiB and 10,000 levels of nesting. Numbers that have more than 10,000
// digits when written out, or 11,000 bytes of text, are kept but not used in computations. Values
// nested deeper than 500 levels cannot be converted to cty values.
//
// # Concurrency
//
// Any number of goroutines may read and encode a document at the same time. Changes must not run
// concurrently with any other use.
package planjson
