// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclconvert converts configuration files between native syntax and JSON
// syntax, one file to one file, such that OpenTofu reads the same from both.
//
//	f, err := hclconfig.Parse("main.tf", src)
//	...
//	j, diags := hclconvert.ToJSON(f, hclconvert.Options{})
//	os.WriteFile(j.Filename(), j.Bytes(), 0o666)
//
// [ToJSON] and [ToNative] convert each argument by its kind, see
// [hclconfig.Kind], with order and comments. What has no exact form is a
// diagnostic; nothing is changed in silence. The result is read again and compared
// before it is returned. [Names] says what the files of a directory are to be called
// then.
//
// In JSON syntax only the schema of a provider tells an argument from a nested
// block. [Options] takes schemas; where ToNative has to choose without one, it
// reports what it chose.
//
// # Errors
//
// There are no Go errors. A file with syntax errors has no other form: the result is
// nil, and the diagnostics are those of the file. Otherwise there is always a result,
// and an error among the diagnostics is something that was lost.
//
// # Security
//
// Nothing in a file is run or evaluated but constants. Time and memory are in
// proportion to the file; lists and objects nested more than 50 levels deep stay
// expressions, and the limits of package hclconfig hold.
//
// # Concurrency
//
// The functions may be called from several goroutines at the same time, also with
// the same file.
//
// # What it does not do
//
// This package does not convert what is inside of expressions: a template in JSON
// stays a template, and a call stays a call.
package hclconvert
