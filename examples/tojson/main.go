// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Tojson converts a module from native to JSON syntax, one file to one file, with the modules in its
// subfolders. All other files are copied.
//
//	tojson [-schemas FILE] [-terraform] DIR OUTDIR
//
// tojson -h explains its options.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/convert"
)

func main() { os.Exit(convert.ToJSON(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
