// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hcllsp is a language server for configurations of OpenTofu and Terraform. It shows the
// findings of a linter and of "validate" in an editor, finds and renames names across modules,
// and makes fixes.
//
//	func main() { hcllsp.Main(append(rules.All(), acme.Rules...)...) }
//
// That is a server with the rules of package rules and some of one's own: [Main] is a complete
// program, and [Serve] is the same with explicit streams. The server speaks version 3.17 of the
// Language Server Protocol on standard input and output.
//
// It has no completion, signature help or semantic tokens: it runs beside a server that has
// these, such as tofu-ls.
//
// # What is checked
//
// The findings in the files of a module are those of "tofuwire lint ." in its directory, with
// the texts of open documents in place of the files: same messages, same places. Modules with
// an open document are checked, and the modules in the folders of the editor that call them. A file
// with a syntax error keeps the meaning of the blocks that can be read. A module of which nothing
// changed that its findings follow from is not checked again.
//
// In memory are the modules that are checked, and what they call; of other files that were read,
// for references or symbols, at most some are kept.
//
// # Settings
//
// The object of settings is in initializationOptions, or in the section "tofuwire" of the
// client's configuration:
//
//	{"tool": "auto", "release": "", "schemas": "", "varFiles": [],
//	 "lint": {"enabled": true, "config": "", "only": [], "skip": []}, "log": "error"}
//
// Paths are relative to the folder of the document. The value "auto" of tool is tofu.
//
// # Security
//
// The server starts no program and makes no connection, except that the command
// tofuwire.schemas, which a person calls, runs "tofuwire schemas". It writes no files but the
// one that this command writes; edits are sent to the editor. Analyzers are part of the program
// and do not run in a sandbox; one that panics loses its findings.
//
// # Concurrency
//
// Requests are answered concurrently, each from the documents as they were when it arrived.
package hcllsp
