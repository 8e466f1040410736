// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclrename renames a declaration of a module everywhere it is used: in the module, in
// its tests and .tfvars files, and in the modules that call it.
//
//	repository := os.DirFS(".")
//	texts, err := hclrename.Rename(repository, "modules/net", "var.zone", "var.region", hclrename.Options{})
//	if err != nil {
//		return err // var.region already exists, at modules/net/main.tf:3,1-18
//	}
//	for name, text := range texts {
//		fmt.Println(name, len(text))
//	}
//
// [Rename] reads a file system and returns the new texts of the files that change; it writes
// nothing. It checks the result: no module has new errors, and there is a moved block for each
// address that may be in a state.
//
// [RenameType] changes the type of all resources of one type, in a module and the local modules
// that it calls.
//
// [ReplaceProvider] changes the source of a provider in all modules of a repository.
//
// Files of values that the tools do not read automatically are changed only if [Options].AllValues
// is set. Uses in other repositories are not changed.
//
// # Errors
//
// An error describes why the change would not be safe, and where. Errors have no exported type;
// they are meant for people.
//
// # Security
//
// The package reads only the file system that is passed. The limits are those of packages
// hclconfig and hclnames. All modules below [Options].Root are loaded.
//
// # Concurrency
//
// Rename may be called by several goroutines.
package hclrename
