// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"os"
	"path/filepath"
	"strings"
)

// Main is a complete linter: it runs a [Program] with the arguments and streams of the process and
// exits with its status. The name of the Program is that of the executable.
func Main(analyzers ...*Analyzer) {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	os.Exit(Program{Name: name, Analyzers: analyzers}.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
