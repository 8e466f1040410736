// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Lock records provider hashes for several platforms in the dependency lock file of a module,
// without tofu.
//
//	lock [-platform os_arch]... [-mirror URL or DIR] [-ca FILE] [-cli-config FILE] [-terraform] [-check] DIR
//
// lock -h explains its options.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/lock"
)

func main() { os.Exit(lock.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
