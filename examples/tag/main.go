// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Tag adds or changes tags in every resource of a module.
//
//	tag [-w] [-schemas FILE] KEY=VALUE... DIR
//
// tag -h explains its options.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/tag"
)

func main() { os.Exit(tag.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
