// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Main is a complete linter: it runs [Command] with the arguments and the streams of
// the process, under the name of its program, also in reports, and exits with its status.
func Main(analyzers ...*Analyzer) {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	c := &command{name: name, analyzers: slices.Clone(analyzers), stdout: os.Stdout, stderr: os.Stderr}
	os.Exit(c.exit(os.Args[1:]))
}
