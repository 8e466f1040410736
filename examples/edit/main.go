// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Edit makes many edits of one configuration file in one call, and keeps its comments.
//
//	edit [-w | -diff] [-each] [-f STEPS | -e STEP]... FILE
//
// README.md has the steps. The exit status is 0, 1 if an address leads nowhere, and 2
// if a step is refused or something cannot be read; then nothing is printed or written.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/edit"
)

func main() { os.Exit(edit.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
