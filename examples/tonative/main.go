// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Tonative converts a module from JSON to native syntax, one file to one file, with the modules
// in its subfolders. All other files are copied.
//
//	tonative [-schemas FILE] [-terraform] DIR OUTDIR
//
// Standard error gets a line for everything that is not exact: an error for
// each loss, and a warning for other differences. The exit status is 2 if
// something was lost, and 1 if nothing could be done.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/examples/internal/convertdir"
	"github.com/tofuwire/tofuwire/hclconfig"
)

func main() {
	os.Exit(convertdir.Main("tonative", hclconfig.NativeSyntax, os.Args[1:], os.Stderr))
}
