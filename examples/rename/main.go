// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Rename renames an object that a module declares, in place and everywhere it is used.
//
//	rename [-w] FROM TO DIR
//
// FROM and TO are addresses of the same kind, such as aws_instance.web or var.zone. The
// program prints a unified diff; with -w it writes the files instead. If the change is
// not safe, nothing is written, the reason is printed, and the exit status is 1.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/rename"
)

func main() { os.Exit(rename.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
