// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hcllinttest tests analyzers of package hcllint: what they find, and their fixes.
//
//	report := hcllinttest.Run(t, "testdata/valid", hcllint.Checker())
//
// [Run] runs analyzers on the module in a directory and compares the findings with the
// expectations in its files. In native syntax these are comments on the line where a finding
// begins; each text is a regular expression for the message of one finding, in quotes or
// backquotes:
//
//	bucket = "logs" # want `must be called acme-` "another finding"
//
// In JSON syntax they are in the property "//" of an object, and are for findings that begin
// in that object, but not in an inner one that has expectations of its own:
//
//	{"resource": {"aws_s3_bucket": {"logs": {"//": "want `must be called acme-`", "bucket": "logs"}}}}
//
// If the directory has a file such as main.tf.golden, it is what main.tf must be after the
// fixes of all findings were made, round after round until none is left. A fix that changes a
// file without such a golden file is an error.
//
// This package does not write files: golden files are written by hand, or copied from what a
// failure prints.
//
// # Errors
//
// Everything that is not as expected, and that an analyzer or a file fails, is reported by
// the method Errorf of the test.
//
// # Security
//
// The package reads the directory and the local modules that the module calls. It is for
// tests, whose files are trusted.
//
// # Concurrency
//
// Run may be called by several goroutines, with tests of their own.
package hcllinttest
