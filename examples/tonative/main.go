// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Tonative converts a module from JSON to native syntax, one file to one file, with the modules in its
// subfolders. All other files are copied.
//
//	tonative [-schemas FILE] [-terraform] DIR OUTDIR
//
// tonative -h explains its options.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/convert"
)

func main() { os.Exit(convert.ToNative(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
