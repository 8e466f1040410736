// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package convert is the program convert: it converts a folder with a
// module, and the modules in its subfolders, to the other syntax.
package convert

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/optionset"
	"github.com/tofuwire/tofuwire/hclconfig"
)

const usage = `usage: convert -to json|native [-schemas FILE] [-terraform] DIR OUTDIR

Convert converts a module from native to JSON syntax or from JSON to native syntax, file by file.
Each file of the module in DIR, and of the modules in its subfolders, becomes one file in OUTDIR.
All other files are copied. Standard error has a line for everything that is not exact: an error for
each loss, and a warning for each other difference.

  -schemas FILE  the output of "providers schema -json", which distinguishes blocks and arguments
  -terraform     read and write for Terraform instead of OpenTofu

Exit status: 0 nothing was lost, 2 something was lost, 1 nothing was converted.

Example: tofuwire convert -to json modules/site site-out
`

// Run is the program convert; it returns the exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := optionset.New("convert")
	to := flags.String("to", "", "")
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
		var ok bool
		if j.To, ok = syntaxes[*to]; !ok {
			err = fmt.Errorf("-to must be json or native, not %q", *to)
		}
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
		fmt.Fprintf(stderr, "convert: %v\n", err)
		return 1
	case lost > 0:
		fmt.Fprintf(stderr, "convert: %d things were lost\n", lost)
		return 2
	}
	return 0
}

// syntaxes are the values of -to.
var syntaxes = map[string]hclconfig.Syntax{"json": hclconfig.JSONSyntax, "native": hclconfig.NativeSyntax}

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
