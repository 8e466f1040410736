// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclcheck validates configurations without running the tools or providers.
//
//	tree, err := hclnames.LoadTree(os.DirFS(root), "env/prod", hclconfig.OpenTofu)
//	if err != nil {
//		return err
//	}
//	for _, d := range hclcheck.Validate(tree, hclcheck.Validation{}) {
//		fmt.Println(d)
//	}
//
// [Validate] checks a module together with the modules that it calls, as "tofu validate"
// does: references, types, known values, providers, cycles. A [Validation] can add the
// schemas of the providers (see [hclconfig.DecodeSchemas]), to check their blocks as
// well, and the checks that only "tofu plan" makes, such as whether the resource of a
// moved block still exists. [ValidateModule] and [ValidateFile] check a module or a file
// by itself.
//
// This package does not run the checks that providers implement, such as those of values;
// only the tools do. The results of some functions are unknown here, such as those of
// templatestring, matchkeys, yamlencode and bcrypt, and of functions that read files or the
// clock. Faults in the use of their results are not found.
//
// # Releases
//
// The rules are those of the release of the dialect: OpenTofu since 1.6 and Terraform
// since 1.5. For an older release of Terraform (see [IsOld]), each use of a language
// feature that the release lacks is an error; all other checks are those of Terraform
// 1.5.
//
// # Errors
//
// A fault of a configuration is an [hclconfig.Diagnostic] with its place, in
// OpenTofu's words if it has the same check. Functions that fail return a
// [*hclconfig.Error].
//
// # Security
//
// This package installs no modules, starts no providers and calls no function that reads
// the clock. For functions that read files, [Validate] checks that the files exist in the
// file system of the tree, and checks the references of templates. Evaluating a constant
// expression takes time linear in its length. Loops that would take much longer, alone or
// together, have an unknown result.
//
// # Concurrency
//
// All functions are safe for concurrent use by several goroutines, also with
// the same file, module or tree.
package hclcheck
