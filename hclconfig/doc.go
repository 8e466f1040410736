// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclconfig reads, edits and writes the configuration of OpenTofu and Terraform, in
// native syntax (.tf, .tofu) and in JSON syntax (.tf.json, .tofu.json), one file at a time or
// a whole module. It also reads test files, and Terraform's mock and query files: see
// [FileKind].
//
//	file, err := hclconfig.Parse("network.tf", src)
//	if err != nil {
//		return err
//	}
//	edit := file.Edit()
//	for _, call := range file.Config().Calls {
//		edit.Set(call.Block, "version", "5.8.1")
//	}
//	file, err = edit.Apply()
//	if err != nil {
//		return err
//	}
//	_, err = os.Stdout.Write(file.Bytes())
//
// The entry points are:
//
//   - [Parse] makes a [File] from a text. [File.Bytes] returns the same text.
//   - [LoadModule] reads a directory as OpenTofu does: it chooses the files, combines them,
//     applies override files, and returns a [Module].
//   - A File and a Module have a [Config]: typed blocks such as [Variable], [Resource] or
//     [ModuleCall], each with its file and place.
//   - An [Expression] says what it refers to, what its parts are, and what it evaluates to.
//   - [File.Edit] changes a file and [Build] makes a new one, both in either syntax.
//
// Package hclconvert converts one syntax into the other, package hclcheck finds what is wrong,
// and package hclbridge has the types of HCL.
//
// # The promise
//
// The bytes of a file come back as they were, and an edit changes only the
// bytes of what is edited: comments, blank lines, alignment, heredocs, the
// digits of numbers, the order of blocks and the choice between objects and
// arrays stay. There is no printer that a file passes through; edits are made
// in the text. New text is laid out as "tofu fmt" would lay it out, or, in
// JSON, like the text around it. [Format] formats a native file as a whole.
//
// # Two syntaxes, one view
//
// Blocks, arguments and expressions look the same in both syntaxes. What a JSON
// string means depends on the argument: in one it is a template, in another a
// bare reference, in a third plain text. [Kind] has the list, and every argument
// knows its kind, as do the values that are written: [String] puts the right
// escapes around a literal "${".
//
// Inside resource, provider and similar blocks, JSON does not tell arguments
// from nested blocks; only the schema of the provider does. Such a property is
// an [Argument] marked Undecided, until [Body.Content] or [Argument.AsBlocks] says
// what it is. Reading guesses nothing.
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
// [Dialect.At] gives those of an older one. It decides which files are read, what a
// JSON string means, and what package hclcheck reports as unsupported. Reading itself
// takes whatever some release has.
//
// # Errors
//
// Everything that is wrong with a configuration is a [Diagnostic] with its
// place, in OpenTofu's words where it has the same check. Diagnostics are data:
// a file with errors still gives all that can be read. [Parse] also returns the
// first syntax error, as an [*Error]. [File.Diagnostics] is about the structure;
// package hclcheck looks into the expressions as well. Errors of other functions
// except [ValueOf] are also of type [*Error]; their causes, such as
// [ErrNotConstant], are found with errors.Is.
//
// # Security
//
// Bad input gives errors; it does not panic, and needs no more than a small
// multiple of its size in memory. Nesting is limited to 10000 levels in both
// syntaxes, before HCL's parser sees the text: that parser would end the
// process. Files of 2 GiB and more are refused. Evaluating an expression with
// functions does what those functions do; without a caller's functions there
// are none. References, templates and function calls are never followed or run
// by reading. LoadModule reads from the file system that it is given, and
// nothing else.
//
// JSON must be UTF-8, without a byte order mark. Where a property occurs twice
// OpenTofu's own rule holds: an error for an argument, a further block for a
// block.
//
// # Concurrency
//
// A File, a Module and what they return may be read by several goroutines at
// the same time. Nothing changes them. A File owns the text that it was parsed
// from, which must not be changed; [File.Clone] detaches. An [Editor] is for one
// goroutine.
//
// # What it does not do
//
// The package does not evaluate a configuration as a whole: it resolves no
// references, installs no modules and knows no provider's schema.
package hclconfig
