// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package lint is the program lint: the rules of package rules, and perhaps more, on the
// modules in directories.
package lint

import (
	"io"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

// Run runs the program with further rules beside those that come along. It returns the exit
// status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer, more ...*hcllint.Analyzer) int {
	return hcllint.Command(args, stdin, stdout, stderr, append(rules.All(), more...)...)
}
