// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclrename renames what a module declares, everywhere it is used: in the module, in its
// tests and files of values, and in the modules that call it.
//
//	texts, err := hclrename.Rename(os.DirFS(repository), "modules/net", "var.zone", "var.region", hclrename.Options{})
//	if err != nil {
//		return err // var.region already exists, at modules/net/main.tf:3,1-18
//	}
//	for name, text := range texts {
//		...
//	}
//
// [Rename] reads a file system and returns texts; it writes nothing. The result has been read
// again: it has no errors that the files did not have before.
package hclrename
