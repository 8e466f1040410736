// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package convert is the program convert: it converts a folder with a
// module, and the modules in its subfolders, to the other syntax.
package convert

import (
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

var text = commandline.Text{
	Arguments: "DIR OUTDIR",
	About: `
Convert converts a module from native to JSON syntax or from JSON to native syntax, file by file.
Each file of the module in DIR, and of the modules in its subfolders, becomes one file in OUTDIR.
All other files are copied. Inexact conversions are listed on standard error: an error for each
loss, and a warning for each other difference.`,
	Exit: `
0 nothing was lost
1 nothing was converted
2 something was lost; or a usage error, and nothing was converted`,
	Example: "tofuwire convert -to json modules/site site-out",
}

// Run is the program convert; it returns the exit status.
func Run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := commandline.New("tofuwire convert", text)
	var to string
	flags.Choice(&to, "to", "", "the `SYNTAX` of the result, json or native; required", "json", "native")
	schemas := flags.String("schemas", "", "the output of \"providers schema -json\" in `FILE`, which distinguishes blocks and arguments")
	unwrap := flags.Bool("unwrap", false, "with -to native, read \"${string}\" as \"string\" in place of a type, a reference or a keyword, for files written by hcl2json")
	terraform := flags.Bool("terraform", false, "read and write for Terraform instead of OpenTofu")
	flags.Check = func() error {
		if to == "" {
			return errors.New("-to is missing: json or native")
		}
		return nil
	}
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	var err error
	j := Job{Report: stderr, To: syntaxes[to], Unwrap: *unwrap}
	if *terraform {
		j.Dialect = hclconfig.Terraform
	}
	if *schemas != "" {
		j.Schemas, err = planfile.ReadConfigSchemas(*schemas)
	}
	lost := 0
	if err == nil {
		lost, err = j.Run(flags.Arg(0), flags.Arg(1))
	}
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "tofuwire convert: %s\n", commandline.Message(err))
		return 1
	case lost > 0:
		fmt.Fprintf(stderr, "tofuwire convert: %d things were lost\n", lost)
		return 2
	}
	return 0
}

// syntaxes are the values of -to.
var syntaxes = map[string]hclconfig.Syntax{"json": hclconfig.JSONSyntax, "native": hclconfig.NativeSyntax}
