// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclrename renames what a module declares, everywhere it is used: in the module, in its
// tests and files of values, and in the modules that call it.
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
// nothing. The result has been read again: a module has no errors that it did not have before, and
// addresses that the state knows have a moved block.
//
// [RenameType] gives the resources of a type another one, in a module and the local modules that it
// calls.
//
// [ReplaceProvider] gives a provider another source, in all modules of a repository.
//
// Values in files that the tools do not read by themselves are changed if [Options].AllValues is set.
// Uses in other repositories are not changed.
//
// # Errors
//
// An error says, with its place, why the change would not be safe. It has no type of its own: it is
// for people.
//
// # Security
//
// Only the file system that is passed is read. The limits are those of packages hclconfig and
// hclnames. The modules below [Options].Root are all loaded.
//
// # Concurrency
//
// Rename may be called by several goroutines.
package hclrename
