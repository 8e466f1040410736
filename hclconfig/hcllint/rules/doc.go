// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package rules has rules for linters of configuration: analyzers of package hcllint.
//
//	tree, err := hclnames.LoadTree(os.DirFS(root), "env/prod", hclconfig.OpenTofu)
//	if err != nil {
//		return err
//	}
//	report, err := hcllint.Run(tree, rules.Recommended(), hcllint.RunOptions{})
//	if err != nil {
//		return err
//	}
//	for _, d := range report.Diagnostics {
//		fmt.Println(d.Range, d.Message, d.Analyzer.Name)
//	}
//
// The rules whose names begin with terraform_ are those of tflint's ruleset for the language:
// they have its names, options and messages and find the same at the same places; the page
// docs/comparison.md says where they differ. Each analyzer's Doc says what it finds and why, with
// an example and its options; docs/lint-rules.md has them all.
//
// # Errors
//
// A rule fails, and is the only one to do so, if its options make no sense, such as a format
// of names that does not exist.
//
// # Security
//
// The rules look at the module and at the local and installed modules that it calls. They open
// no other files, start no programs and ask no servers. Each takes time in proportion to the
// text.
//
// # Concurrency
//
// All and Recommended may be called by several goroutines, and their analyzers run at the
// same time.
package rules
