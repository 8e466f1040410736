// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclfuncs provides the functions of the language in the form that HCL's evaluator
// expects.
//
//	functions := hclfuncs.Functions(hclconfig.OpenTofu, hclfuncs.Options{FS: os.DirFS("/"), Dir: "srv/module"})
//	fmt.Println(len(functions), hclfuncs.Signatures(hclconfig.OpenTofu)["join"].String("join"))
//
// Assign the result to the field Functions of an hcl.EvalContext.
//
// [Functions] returns the functions of one release of OpenTofu or Terraform. Where releases
// differ, a function behaves as in that release. Functions that read files read only the file
// system in [Options]. [Signatures] returns parameters, types and descriptions, as "metadata
// functions -json" prints them.
//
// Functions of providers are not included, because they need a running provider.
//
// # Errors
//
// A call that the tool refuses is an error, which HCL turns into a diagnostic with the tool's
// summary. The detail may be worded differently.
//
// # Security
//
// No function writes, and none opens a connection. If a result would need much more work or
// memory than the arguments, it is unknown; this applies to texts, lists and templates of
// millions of parts. Files are limited to 64 MiB. The results of bcrypt, uuid and timestamp
// differ from call to call unless the options set them.
//
// # Concurrency
//
// Functions may be called by several goroutines.
package hclfuncs
