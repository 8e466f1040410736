// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package lint is the program lint: the rules of package rules on the modules in
// directories.
package lint

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

// Run runs the program and returns its exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	all := rules.All()
	if name := os.Getenv("TF_WORKSPACE"); name != "" { // as the tools; -workspace comes later and is stronger
		args = slices.Concat([]string{"-workspace", name}, args)
	}
	if !slices.ContainsFunc(args, func(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }) {
		return hcllint.Command(args, stdin, stdout, stderr, all...)
	}
	var help strings.Builder
	status := hcllint.Command(args, stdin, &help, stderr, all...)
	io.WriteString(stdout, strings.Replace(help.String(), "\nExample: lint ", "\nExample: tofuwire lint ", 1))
	return status
}

// option finds an option in the help of hcllint.Command, whose flag set is its own.
var option = regexp.MustCompile(`(?m)^  (-[a-z][a-z-]*)|[\[| ](-[a-z][a-z-]*)[ \]]`)

// Options returns the options, in order.
func Options() []string {
	var help strings.Builder
	hcllint.Command([]string{"-h"}, nil, &help, io.Discard, rules.All()...)
	usage, _, _ := strings.Cut(help.String(), "\nRules ")
	var names []string
	for _, m := range option.FindAllStringSubmatch(usage, -1) {
		names = append(names, m[1]+m[2])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
