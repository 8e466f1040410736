// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Install installs the providers and modules that a module needs, without tofu.
//
//	install [-cache DIR] [-hash] [-mirror URL or DIR] [-ca FILE] [-cli-config FILE] [-terraform] [-upgrade] DIR
//
// install -h explains its options.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/install"
)

func main() { os.Exit(install.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
