// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclfuncs has the functions of the language as values that HCL's evaluator calls.
//
//	functions := hclfuncs.Functions(hclconfig.OpenTofu, hclfuncs.Options{FS: os.DirFS("/"), Dir: "srv/module"})
//	fmt.Println(len(functions), hclfuncs.Signatures(hclconfig.OpenTofu)["join"].String("join"))
//
// They are for the member Functions of an hcl.EvalContext.
//
// [Functions] returns those of one release of OpenTofu or Terraform, with what that release does
// where releases differ. Those that read files read the file system of the [Options] and no other.
// [Signatures] has the names and types of parameters with a description, as "metadata functions
// -json" prints them.
//
// Functions of providers are not here: no provider is started.
//
// # Errors
//
// A call that a program refuses is an error of the function, which HCL makes a diagnostic with the
// program's summary; words of its detail may differ.
//
// # Security
//
// No function writes, and none opens a connection. Where a result would take much more work or
// memory than the arguments, it is unknown: texts, lists and templates above some millions of
// parts. A file has 64 MiB at most. The results of bcrypt, uuid and timestamp differ from call to
// call unless the options set them.
//
// # Concurrency
//
// Functions may be called by several goroutines.
package hclfuncs
