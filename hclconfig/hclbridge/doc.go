// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclbridge gives files that package hclconfig has parsed to programs that work
// on hcl.Body, hcl.Expression and hcl.Traversal, and finds the way back.
//
//	f, err := hclconfig.ParseNative("terraform.tfvars", src)
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
// A body is not parsed again. An expression is, when it is asked for, because HCL's
// own types know lines and columns of every part. In JSON files expressions behave as
// those of HCL's package json: what a string means is decided by how it is read.
//
// # Errors
//
// What is wrong is an hcl.Diagnostic with its place, as HCL's own bodies give it. An
// expression that does not parse has an unknown value.
//
// # Security
//
// The limits are those of package hclconfig, which has read the text before.
//
// # Concurrency
//
// All functions may be called by several goroutines at the same time.
package hclbridge
