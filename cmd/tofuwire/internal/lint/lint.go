// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package lint is the program lint: the rules of package rules on the modules in
// directories.
package lint

import (
	"io"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

// Run runs the program and returns its exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	all := rules.All()
	if !slices.ContainsFunc(args, func(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }) {
		return hcllint.Command(args, stdin, stdout, stderr, all...)
	}
	var help strings.Builder
	status := hcllint.Command(args, stdin, &help, stderr, all...)
	io.WriteString(stdout, strings.Replace(help.String(), "\nExample: lint ", "\nExample: tofuwire lint ", 1))
	return status
}
