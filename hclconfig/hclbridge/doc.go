// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclbridge presents files parsed by package hclconfig as hcl.Body,
// hcl.Expression and hcl.Traversal, for code that works on these types. [Find]
// returns the hclconfig.Expression behind an hcl.Expression.
//
//	f, err := hclconfig.Parse("terraform.tfvars", src)
//	if err != nil {
//		return err
//	}
//	attrs, diags := hclbridge.Body(f.Body()).JustAttributes() // as from HCL's own parser
//	if diags.HasErrors() {
//		return diags
//	}
//	for name, attr := range attrs {
//		value, diags := attr.Expr.Value(nil)
//		expr := hclbridge.Find(f, attr.Expr) // the hclconfig.Expression that it came from
//		fmt.Println(name, value, diags, expr.Raw())
//	}
//
// HCL's parser makes the bodies from the text of the file, so they behave exactly like HCL's
// own bodies with every schema. In native files they are of type *hclsyntax.Body, which
// hcl-lang needs. A file is therefore parsed twice. Use [File] in a program that reads whole
// files; single expressions are parsed on demand. In JSON files, expressions behave like
// those of HCL's package json: the method that reads a string decides what it means.
//
// # Errors
//
// Faults are hcl.Diagnostics with their places, as HCL's own bodies report them. An
// expression that does not parse has an unknown value. Syntax errors of a file are in
// hclconfig.File.Diagnostics.
//
// # Security
//
// The limits of package hclconfig, which has already read the text, apply. In JSON files, HCL's
// package json parses a template when its variables or value are requested. This takes time
// quadratic in the number of its lines and of its single $ and % characters: about a second
// for 10,000 of them.
//
// # Concurrency
//
// All functions are safe for concurrent use by several goroutines.
package hclbridge
