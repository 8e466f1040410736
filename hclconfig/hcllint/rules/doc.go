// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package rules contains rules for linters of configuration: analyzers of package
// hcllint.
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
// The rules whose names begin with terraform_ are those of tflint's ruleset for the language.
// They have the same names, options and messages and report the same findings at the same places;
// docs/comparison.md lists the differences. The Doc of each analyzer explains what it finds and
// why, with an example and its options; docs/lint-rules.md contains all of them.
//
// # Errors
//
// A rule with invalid options, such as an unknown format of names, fails; the other rules
// still run.
//
// # Security
//
// The rules look at the module and at the local and installed modules that it calls. They open
// no other files, start no programs and contact no servers. Each takes time linear in the size
// of the text.
//
// # Concurrency
//
// All and Recommended are safe for concurrent use by several goroutines, and their
// analyzers may run concurrently.
package rules
