// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Lint reports what its rules find in the modules in directories: those of tflint's ruleset
// for the language under their names, those of both tools' style guides, rules about
// providers, and what "validate" says.
//
//	lint [-fix | -diff] [-format text|json|sarif|github|gitlab|junit] [-only NAMES] [-skip NAMES] [-config FILE]
//	     [-baseline FILE] [-write-baseline FILE] [-schemas FILE] [-var-file FILE]... DIR...
//
// DIR is the directory of one module, and DIR/... it and all below. Each finding is a line,
// FILE:LINE,COLUMN: SEVERITY: MESSAGE (RULE). The exit status is 0 if nothing was found, 1 if
// there are findings, and 2 if something could not be looked at.
//
// Three rules of a made-up company show how to write one: they are in files of their own and
// run if they are named, as in -only acme_tags, or turned on in .tofuwire-lint.hcl.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/lint"
)

func main() {
	os.Exit(lint.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, tags, ports, secrets))
}
