// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Planreport shows people what plans change, attribute by attribute, and why.
//
//	planreport [-format md or html or text] [-against APPROVED] [-reveal] [FILE]...
//
// planreport -h explains its options.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/planreport"
)

func main() { os.Exit(planreport.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
