// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Why lists the dependencies of an instance of a plan, or of one of its arguments, in both
// directions, and explains why it is replaced.
//
//	why [-json] [-all] [-config DIR] PLAN ADDRESS[.PATH]
//
// why -h explains its options.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/why"
)

func main() { os.Exit(why.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
