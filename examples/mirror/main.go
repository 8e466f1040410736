// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Mirror fills a mirror with the providers that modules need, or makes a registry for any web
// server.
//
//	mirror [-platform os_arch]... [-newest N] [-prune] [-static-registry] [-key FILE]
//	       [-mirror URL or DIR] [-ca FILE] [-cli-config FILE] [-terraform] OUT DIR...
//
// mirror -h explains its options.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/mirror"
)

func main() { os.Exit(mirror.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
