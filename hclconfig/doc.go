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
//   - [Parse] parses a text into a [File]. [File.Bytes] returns the same text.
//   - [LoadModule] reads a directory as OpenTofu does: it chooses the files, combines them,
//     applies override files, and returns a [Module].
//   - A File and a Module have a [Config]: typed blocks such as [Variable], [Resource] or
//     [ModuleCall], each with its file and place.
//   - An [Expression] has methods for its references, its parts and its value.
//
// Package hcledit changes files, writes new ones and formats them. Package hclconvert converts one
// syntax into the other, package hclnames finds uses of names and the values of expressions,
// package hclcheck finds faults, and package hclbridge presents files as the types of HCL. This
// package does not evaluate a configuration as a whole: it does not resolve references, install
// modules or use provider schemas.
//
// # The promise
//
// A file keeps its bytes, and every part of it records its place. Package hcledit can
// therefore change only the bytes of the edited part.
//
// # Two syntaxes, one view
//
// Blocks, arguments and expressions look the same in both syntaxes. The meaning of
// a JSON string depends on the argument: it is a template, a bare reference or
// plain text. [Kind] lists the possibilities. Every argument has a kind, which also
// decides how package hcledit writes a value.
//
// Inside resource, provider and similar blocks, JSON does not distinguish arguments
// and nested blocks; only the schema of the provider does. Such a property is an
// [Argument] marked Undecided until [Body.Content] or [Argument.AsBlocks] decides.
// Reading never guesses.
//
// In JSON files, reading checks only that expressions are valid JSON; templates are
// parsed when a method needs their content. This makes reading fast, but a broken
// template is only found by the methods that parse it and by package hclcheck.
//
// # Dialects and versions
//
// A [Dialect] is a program and one of its releases. [OpenTofu] and [Terraform] are
// the newest releases that this package supports, 1.13 and 1.17; [Dialect.At]
// returns an older one. It decides which files are read, the meaning of a JSON
// string, and which features package hclcheck reports as unsupported. Reading
// itself accepts the features of all releases.
//
// # Errors
//
// Every fault of a configuration is a [Diagnostic] with its place, in OpenTofu's
// words if it has the same check. Diagnostics are data: a file with errors still
// returns everything that can be read. [Parse] also returns the first syntax error,
// as an [*Error]. [File.Diagnostics] is about the structure; package hclcheck looks
// into the expressions as well. Other functions also return errors of type
// [*Error]; use errors.Is to find causes such as [ErrNotConstant].
//
// # Security
//
// Bad input causes errors, never a panic. Reading takes time linear in the size of the text,
// and a small multiple of that size in memory. The tree of a native expression or a template is
// built on demand, and takes a few hundred bytes per token. Nesting is limited to 10,000 levels
// in both syntaxes, before the text reaches HCL's parser, which would overflow the stack. Files
// of 2 GiB and more are refused. Evaluating an expression calls only functions that the caller
// passes, including their side effects. Reading follows no references and runs no templates or
// function calls. LoadModule reads only from the file system passed to it.
//
// JSON must be UTF-8, without a byte order mark. If a property occurs twice,
// OpenTofu's rule applies: a second argument is an error, a second block is another
// block.
//
// # Concurrency
//
// A File, a Module and the values they return never change, and are safe for
// concurrent use by several goroutines. A File owns the text that it was parsed
// from, which must not be changed; [File.Clone] makes an independent copy.
package hclconfig
