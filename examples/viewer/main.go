// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Viewer shows plans, states, messages of runs and lock files in a browser, and nothing leaves it:
// the library itself runs in the page.
//
//	viewer [-out FILE] [-listen ADDRESS]
//
// viewer -h says more.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/viewer"
)

func main() { os.Exit(viewer.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
