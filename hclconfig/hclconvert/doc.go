// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclconvert converts configuration files between native and JSON syntax, one file at a
// time. OpenTofu reads the same configuration from both files.
//
//	f, err := hclconfig.Parse("main.tf", src)
//	if err != nil {
//		return err
//	}
//	j, diags := hclconvert.ToJSON(f, hclconvert.Options{})
//	if diags.HasErrors() {
//		return fmt.Errorf("%v", diags)
//	}
//	return os.WriteFile(j.Filename(), j.Bytes(), 0o666)
//
// [ToJSON] and [ToNative] convert each argument by its kind (see [hclconfig.Kind]) and keep order
// and comments. Anything without an exact equivalent is reported as a diagnostic. The result is
// read again and compared with the input before it is returned. [Names] returns the new file names
// of a directory.
//
// In JSON syntax only a provider's schema distinguishes arguments and nested blocks.
// [Options] takes schemas. Where ToNative has to choose without one, it reports its choice.
//
// The package does not convert expressions themselves: a template in JSON stays a template, and a
// call stays a call.
//
// # Errors
//
// There are no Go errors. If the file has syntax errors, the result is nil and the diagnostics are
// those of the file. Otherwise there is always a result, and an error among the diagnostics means
// that part of the configuration was lost.
//
// # Security
//
// The package evaluates only constants and runs nothing. Time and memory are proportional to the
// size of the file. Lists and objects nested more than 50 levels deep stay expressions, and the
// limits of package hclconfig apply.
//
// # Concurrency
//
// All functions are safe for concurrent use by several goroutines, also with
// the same file.
package hclconvert
