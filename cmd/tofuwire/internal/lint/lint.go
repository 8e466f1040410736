// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package lint is the program lint: the rules of package rules on the modules in
// directories.
package lint

import (
	"io"
	"os"
	"slices"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

// Run runs the program and returns its exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := hcllint.Program{Name: "tofuwire lint", URL: "https://github.com/tofuwire/tofuwire", Analyzers: rules.All(),
		DecodeSchemas: planfile.DecodeConfigSchemas}
	if name := os.Getenv("TF_WORKSPACE"); name != "" { // as the tools; -workspace comes later and is stronger
		args = slices.Concat([]string{"-workspace", name}, args)
	}
	return p.Run(args, stdin, stdout, stderr)
}
