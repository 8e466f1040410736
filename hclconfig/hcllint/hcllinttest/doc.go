// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hcllinttest tests analyzers of package hcllint: what they find, and their fixes.
//
//	report := hcllinttest.Run(t, "testdata/valid", hcllint.Checker())
//
// [Run] runs analyzers on the module in a directory and compares the findings with the
// expectations in its files. In native syntax these are comments on the line where a finding
// begins. Each text, in quotes or backquotes, is a regular expression that matches the
// message of one finding:
//
//	bucket = "logs" # want `must be called acme-` "another finding"
//
// A comment alone on its line also expects findings in the next line, and in the heredoc that
// begins there:
//
//	# want `no tabs`
//	script = <<EOT
//
// In JSON syntax they are in the property "//" of an object, and apply to findings that
// begin in that object, except in an inner object with expectations of its own:
//
//	{"resource": {"aws_s3_bucket": {"logs": {"//": "want `must be called acme-`", "bucket": "logs"}}}}
//
// If the directory contains a file such as main.tf.golden, main.tf must equal it after all
// fixes have been applied, round after round until none is left. A fix that changes a file
// without such a golden file is an error.
//
// Expectations and golden files in called modules are checked as well, because an analyzer
// may report findings there with [hcllint.Pass.In]. A called local module must exist.
//
// Variables have the values in terraform.tfvars and *.auto.tfvars. To test other options than
// the default ones, copy the analyzer, as in strict := *names, set strict.Options, and run
// &strict.
//
// This package writes golden files only if the test defines a flag called update and it is
// set: see [Run]. Otherwise it reports a difference as a diff.
//
// # Errors
//
// Run reports every difference, and every analyzer or file that fails, with the Errorf
// method of the test.
//
// # Security
//
// The package reads the directory and the local modules that the module calls. It is
// meant for tests and trusts their files.
//
// # Concurrency
//
// Several goroutines may call Run, each with its own test.
package hcllinttest
