// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hcllsp is a language server for configurations of OpenTofu and Terraform. It shows the
// findings of a linter and of "validate" in an editor, finds and renames names across modules,
// and applies fixes.
//
//	func main() { hcllsp.Main(append(rules.All(), acme.Rules...)...) }
//
// This program is a server with the rules of package rules and further rules. [Main] is a
// complete program; [Serve] is the same with explicit streams. The server speaks version 3.17
// of the Language Server Protocol on standard input and output.
//
// It has no completion, signature help or semantic tokens. For these, an editor can run
// another server at the same time, such as tofu-ls.
//
// # What is checked
//
// The findings in the files of a module are those of "tofuwire lint ." in its directory, with the
// texts of open documents in place of the files: the same messages at the same places. The server
// checks modules with an open document, and the modules in the editor's folders that call them. In
// a file with a syntax error, it checks the blocks that can be read. A module is checked again only
// if something changed on which its findings depend.
//
// The server keeps in memory the checked modules and the modules that they call. Of other files,
// which are read for references or symbols, it keeps a limited number.
//
// # Settings
//
// Settings are an object in initializationOptions, or in the section "tofuwire" of the
// client's configuration:
//
//	{"tool": "auto", "release": "", "schemas": "", "varFiles": [],
//	 "lint": {"enabled": true, "config": "", "only": [], "skip": []}, "log": "error"}
//
// Paths are relative to the folder of the document. The value "auto" of tool means
// tofu.
//
// # Security
//
// The server makes no network connection. The only command that starts a program or writes a
// file is tofuwire.schemas, which runs "tofuwire schemas"; a user has to call it. Edits are
// sent to the editor. Analyzers are part of the program and do not run in a sandbox; one that
// panics loses its findings.
//
// # Concurrency
//
// Requests are answered concurrently. Each answer is based on the documents as they were
// when the request arrived.
package hcllsp
