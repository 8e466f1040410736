// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Hash prints the hashes of provider packages in the form of lock files.
//
//	hash PATH...
//
// hash -h says more.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/hash"
)

func main() { os.Exit(hash.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
