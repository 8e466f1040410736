// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hcllint is for linters of configurations, as golang.org/x/tools/go/analysis is for
// those of Go.
//
//	buckets := &hcllint.Analyzer{
//		Name: "acme_public",
//		Doc:  "No bucket is public.",
//		Run: func(pass *hcllint.Pass) (any, error) {
//			for b := range pass.Blocks("resource", "aws_s3_bucket") {
//				if b.Is(b.Expression("acl"), "public-read") {
//					pass.Reportf(b.Argument("acl"), "bucket %s is public", b.Labels[1])
//				}
//			}
//			return nil, nil
//		},
//	}
//	hcllint.Main(buckets)
//
// An [Analyzer] is a rule: data, and a function that looks at one module. A [Pass] has all
// that the function may look at: the module with its files of both syntaxes, the modules that
// it calls, names and their uses, the schemas of providers, and the results of analyzers that
// it requires. Nothing in an analyzer opens a file, so that it runs the same in a program, in
// an editor and in a test.
//
// [Run] runs analyzers on a module and returns a [Report]. [Main] is a whole program, and
// [Command] is the same with arguments and streams of its own. Package hcllinttest tests
// analyzers, and package rules has some that come along.
//
// # Findings and fixes
//
// [Pass.Report] reports a [Diagnostic], which names the part of a file that it is about: a
// block, an argument or an expression. [Pass.Reportf] is shorter for one without fixes. A
// [Fix] is a function that makes edits with package hcledit:
//
//	hcllint.Fix{Message: "Add sensitive", Edit: func(e *hcllint.Edits) {
//		e.In(b).Set(b.Block, "sensitive", true)
//	}}
//
// A comment "tflint-ignore: NAMES" turns findings off that start on its first line or on the
// one below; "tflint-ignore-file: NAMES" at the beginning of a file, or in the property "//"
// of a JSON file, those in the whole file. NAMES are those of analyzers, with commas between,
// or all.
//
// # Values
//
// A Pass and a [Block] have [Values]: what is known of an expression without running anything.
// [Values.Evaluate] returns it with the reasons why parts are not known, and [Values.Strings],
// [Values.HasKey] and [Values.Is] answer what linters mostly ask. [Block.Instances] and
// [Block.Nested] know count, for_each and dynamic blocks, and [Pass.In] has the values in a
// module that is called, for all instances of the call or for one. What is not known is no
// reason for a finding: the results say whether they are complete.
//
// # Errors
//
// The error of [Run] is about the analyzers. An analyzer that fails or panics loses its own
// findings, and a file with a syntax error those that need the rest of it; both are among
// the errors of the Report.
//
// # Security
//
// Values are bounded as those of package hclnames. Instances and elements of dynamic blocks
// are told apart up to 1,000. This package does not run the analyzers in a sandbox: they are
// code of the program.
//
// # Concurrency
//
// Functions are safe for concurrent use by several goroutines. [Run] runs the analyzers at
// the same time, each of them once; a Pass may be used by several goroutines.
package hcllint
