// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// State reads and edits the state as the tools save it, without the tool.
//
//	state list FILE
//	state show [-reveal] FILE ADDRESS
//	state json [-schemas FILE] FILE
//	state mv|rm|replace-provider|taint|untaint [-out FILE] FILE ARGUMENTS
//	state decrypt|encrypt [-passphrase-file PASS | -config FILE] FILE
//	state snapshot [-passphrase-file PASS | -config FILE] PLANFILE DIR
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/state"
)

func main() { os.Exit(state.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
