// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Redact writes a document without its secrets: a plan, a state, messages of a run, or any
// other document of the tools.
//
//	redact [-schemas FILE] [-secrets FILE] [-keep-unmarked] [-stream] [-plan FILE] [-all] [-report FILE] [KIND] [FILE]
//
// redact -h explains kinds and options.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/redact"
)

func main() { os.Exit(redact.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
