// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclconfig reads the configuration of OpenTofu and Terraform, in native syntax (.tf,
// .tofu) and in JSON syntax (.tf.json, .tofu.json), one file at a time or a whole module. It also
// reads files of values (.tfvars), test files, and Terraform's mock and query files: see
// [FileKind].
//
//	file, err := hclconfig.Parse("network.tf", src)
//	if err != nil {
//		return err
//	}
//	for _, call := range file.Config().Calls {
//		fmt.Println(call.Block.Range(), call.Name, call.Source.Value, call.Version.Value)
//	}
//
// The entry points are:
//
//   - [Parse] makes a [File] from a text. [File.Bytes] returns the same text.
//   - [LoadModule] reads a directory as OpenTofu does: it chooses the files, combines them,
//     applies override files, and returns a [Module].
//   - A File and a Module have a [Config]: typed blocks such as [Variable], [Resource] or
//     [ModuleCall], each with its file and place.
//   - An [Expression] has methods for its references, its parts and its value.
//
// Package hcledit changes files, writes new ones and formats them. Package hclconvert converts one
// syntax into the other, package hclnames knows where names are used and what expressions are, package hclcheck finds faults, and package hclbridge has the types of
// HCL. This package does not evaluate a configuration as a whole: it resolves no references,
// installs no modules and knows no provider's schema.
//
// # The promise
//
// A file keeps its bytes, and every part of it knows its place. Package hcledit can therefore
// change only the bytes of the edited part.
//
// # Two syntaxes, one view
//
// Blocks, arguments and expressions look the same in both syntaxes. The meaning
// of a JSON string depends on the argument: it is a template, a bare reference
// or plain text. [Kind] has the list, and every argument knows its kind, as do
// the values that package hcledit writes.
//
// Inside resource, provider and similar blocks, JSON does not distinguish
// arguments and nested blocks; only the schema of the provider does. Such a
// property is an [Argument] marked Undecided until [Body.Content] or
// [Argument.AsBlocks] decides. Reading guesses nothing.
//
// In JSON, expressions are checked to be JSON and otherwise left as they are;
// templates are parsed when a method needs to know their content. That makes
// reading fast, and means that a broken template is found by the methods that
// look at it, and by package hclcheck.
//
// # Dialects and versions
//
// A [Dialect] is a program and one of its releases: [OpenTofu] and [Terraform] are
// those of the newest releases that this package knows, 1.13 and 1.17, and
// [Dialect.At] returns an older one. It decides which files are read, the
// meaning of a JSON string, and which features package hclcheck reports as
// unsupported. Reading itself accepts the features of all releases.
//
// # Errors
//
// Everything that is wrong with a configuration is a [Diagnostic] with its
// place, in OpenTofu's words where it has the same check. Diagnostics are data:
// a file with errors still gives all that can be read. [Parse] also returns the
// first syntax error, as an [*Error]. [File.Diagnostics] is about the structure;
// package hclcheck looks into the expressions as well. Errors of other functions
// are also of type [*Error]; their causes, such as
// [ErrNotConstant], are found with errors.Is.
//
// # Security
//
// Bad input gives errors; it does not panic. Reading takes time in proportion to the text, and
// no more than a small multiple of its size in memory; the tree of a native expression or of
// a template, made when it is asked for, takes some hundred bytes for each of its tokens.
// Nesting is limited to 10,000 levels in both syntaxes, before HCL's parser sees the text: that
// parser would end the process. Files of 2 GiB and more are refused. Evaluating an expression
// calls only functions that the caller passes, with all their effects. Reading follows no
// references and runs no templates or function calls. LoadModule reads only from the file
// system that it is given.
//
// JSON must be UTF-8, without a byte order mark. Where a property occurs twice
// OpenTofu's own rule holds: an error for an argument, a further block for a
// block.
//
// # Concurrency
//
// A File, a Module and the values they return may be read by several goroutines
// at the same time. Nothing changes them. A File owns the text that it was
// parsed from, which must not be changed; [File.Clone] detaches.
package hclconfig
