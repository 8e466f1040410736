// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hcllint is a framework for linters of configurations. It follows the design
// of golang.org/x/tools/go/analysis.
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
// An [Analyzer] is a rule: data, and a function that looks at one module. A [Pass] holds
// everything the function may look at: the module with its files of both syntaxes, the
// modules it calls, names and their uses, the schemas of providers, and the results of
// required analyzers. Analyzers open no files but those of [hclnames.Tree.FS], so they run the same
// way in a program, in an editor and in a test.
//
// [Run] runs analyzers on a module and returns a [Report]. [Main] is a complete program,
// and [Command] is the same with explicit arguments and streams. Package hcllinttest
// tests analyzers, and package rules contains ready-made ones.
//
// # Findings and fixes
//
// [Pass.Report] reports a [Diagnostic], which names its subject in a file: a block, an
// argument or an expression. [Pass.Reportf] is a shorter form for a finding without fixes.
// A [Fix] is a function that makes edits with package hcledit:
//
//	hcllint.Fix{Message: "Add sensitive", Edit: func(e *hcllint.Edits) {
//		e.In(b).Set(b.Block, "sensitive", true)
//	}}
//
// A comment "tflint-ignore: NAMES" suppresses findings that start on its first line or on the
// line below. A comment "tflint-ignore-file: NAMES" at the beginning of a file, or in the
// property "//" of a JSON file, suppresses findings in the whole file. NAMES is a
// comma-separated list of analyzers, or all.
//
// # Values
//
// A Pass and a [Block] have [Values]: what is known about an expression without running
// anything. [Values.Evaluate] returns the value with the reasons why parts are unknown, and
// [Values.Strings], [Values.HasKey] and [Values.Is] answer common questions. [Block.Instances]
// and [Block.Nested] expand count, for_each and dynamic blocks. [Pass.In] returns the values
// in a called module, for all instances of the call or for one. An analyzer should not report
// unknown values; the results report whether they are complete.
//
// # Errors
//
// [Run] returns an error only if the analyzers are invalid. If an analyzer fails or panics, its
// findings are lost; if a file has a syntax error, findings in it and those that need the rest
// of it are lost. The Report lists both as errors. It also lists called modules that have
// syntax errors, and local ones that cannot be read. A called module that is neither local nor
// installed is not an error; its outputs are unknown.
//
// # Security
//
// The limits of package hclnames apply to values. Up to 1,000 instances, or elements of a
// dynamic block, are distinguished. Analyzers are part of the program; they do not run in a
// sandbox.
//
// # Concurrency
//
// Functions are safe for concurrent use by several goroutines. [Run] runs the analyzers
// concurrently, each of them once. A Pass is safe for concurrent use.
package hcllint
