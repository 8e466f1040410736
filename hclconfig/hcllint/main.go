// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import "os"

// Main is a complete linter: it runs [Command] with the arguments and the streams of
// the process, and exits with its status.
func Main(analyzers ...*Analyzer) {
	os.Exit(Command(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, analyzers...))
}
