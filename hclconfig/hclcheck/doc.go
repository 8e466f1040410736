// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclcheck says what is wrong with a configuration, where it uses its
// names, and which releases can read it.
//
//	tree, err := hclcheck.LoadTree(os.DirFS(root), "env/prod", hclconfig.OpenTofu)
//	if err != nil {
//		return err
//	}
//	for _, d := range tree.Validate(hclcheck.Validation{}) {
//		fmt.Println(d)
//	}
//
// [Tree.Validate] checks a module together with the modules that it calls, as "tofu
// validate" does: references, types, values that are known, providers, cycles. With
// the schemas of the providers, see [DecodeProviderSchemas], it looks into their
// blocks as well. [ValidateModule] and [ValidateFile] check what can be checked
// without the rest.
//
// [NamesOf] finds where a module uses what it declares, and what it does not use.
// [FeaturesOf] lists what not every release has: [Features.Lowest] says "this needs
// Terraform 1.15, because of the source of a module that refers to a variable". The
// tables behind it were tried with the programs themselves.
//
// # Errors
//
// What is wrong with a configuration is a [hclconfig.Diagnostic] with its place, in
// OpenTofu's words where it has the same check. Functions that fail return a
// [*hclconfig.Error].
//
// # Security
//
// No module is installed, no provider is started, and no function that reads files
// or asks for the time is called. Evaluating a constant expression takes time in
// proportion to its length: loops inside each other are left unknown. A tree has at
// most 10,000 modules.
//
// # Concurrency
//
// All functions may be called by several goroutines at the same time, also with the
// same file, module or tree.
//
// # What it does not do
//
// This package does not know what a provider would say: its own checks of values
// are run by the programs only.
package hclcheck
