// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package convert is the programs convert, tojson and tonative: it converts a folder with a
// module, and the modules in its subfolders, to the other syntax.
package convert

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/tofuwire/tofuwire/hclconfig"
)

const usage = `Each file of the module in DIR, and of the modules in its subfolders, becomes one file in OUTDIR.
All other files are copied. Standard error has a line for everything that is not exact: an error for
each loss, and a warning for each other difference.

  -schemas FILE  the output of "providers schema -json", which distinguishes blocks and arguments
  -terraform     read and write for Terraform instead of OpenTofu

Exit status: 0 nothing was lost, 2 something was lost, 1 nothing was converted.
`

const convertUsage = `usage: convert -to json|native [-schemas FILE] [-terraform] DIR OUTDIR

Convert converts a module from native to JSON syntax or from JSON to native syntax, file by file.
` + usage + `
Example: tofuwire convert -to json modules/site site-out
`

// Run is the program convert; it returns the exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	syntaxes := map[string]hclconfig.Syntax{"json": hclconfig.JSONSyntax, "native": hclconfig.NativeSyntax}
	var to string
	flags := flag.NewFlagSet("convert", flag.ContinueOnError)
	flags.StringVar(&to, "to", "", "")
	return run(flags, convertUsage, func() (hclconfig.Syntax, error) {
		syntax, ok := syntaxes[to]
		if !ok {
			return 0, fmt.Errorf("-to must be json or native, not %q", to)
		}
		return syntax, nil
	}, args, stdout, stderr)
}

// ToJSON is the program tojson; it returns the exit status.
func ToJSON(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	return to(hclconfig.JSONSyntax, "tojson", "from native to JSON syntax", args, stdout, stderr)
}

// ToNative is the program tonative; it returns the exit status.
func ToNative(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	return to(hclconfig.NativeSyntax, "tonative", "from JSON to native syntax", args, stdout, stderr)
}

// to is a program that converts to one syntax.
func to(syntax hclconfig.Syntax, name, what string, args []string, stdout, stderr io.Writer) int {
	text := fmt.Sprintf("usage: %s [-schemas FILE] [-terraform] DIR OUTDIR\n\nThe program %s converts a module %s.\n%s\nExample: %s modules/site site-out\n", name, name, what, usage, name)
	return run(flag.NewFlagSet(name, flag.ContinueOnError), text, func() (hclconfig.Syntax, error) { return syntax, nil }, args, stdout, stderr)
}

// run parses the arguments and does the work.
func run(flags *flag.FlagSet, usage string, to func() (hclconfig.Syntax, error), args []string, stdout, stderr io.Writer) int {
	flags.SetOutput(io.Discard)
	schemas := flags.String("schemas", "", "")
	terraform := flags.Bool("terraform", false, "")
	err := flags.Parse(args)
	if err == flag.ErrHelp {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err == nil && flags.NArg() != 2 {
		err = fmt.Errorf("DIR and OUTDIR are needed\n%s", usage)
	}
	j := Job{Report: stderr}
	if err == nil {
		j.To, err = to()
	}
	if *terraform {
		j.Dialect = hclconfig.Terraform
	}
	if err == nil && *schemas != "" {
		j.Schemas, err = readSchemas(*schemas)
	}
	lost := 0
	if err == nil {
		lost, err = j.Run(flags.Arg(0), flags.Arg(1))
	}
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "%s: %v\n", flags.Name(), err)
		return 1
	case lost > 0:
		fmt.Fprintf(stderr, "%s: %d things were lost\n", flags.Name(), lost)
		return 2
	}
	return 0
}

// readSchemas reads provider schemas.
func readSchemas(name string) (*hclconfig.Schemas, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	schemas, err := hclconfig.DecodeSchemas(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return schemas, nil
}
