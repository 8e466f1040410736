// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package show is the program show: a saved plan as "show -json" prints it.
package show

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

var text = commandline.Text{
	Arguments: "PLANFILE",
	About: `
Show prints a saved plan, the file that "plan -out" of OpenTofu 1.6 and later or of Terraform 1.1
and later has written, byte for byte as "show -json PLANFILE" of that release prints it. It needs
neither the tool nor providers, only the schemas of the providers, which mark secrets. PLANFILE can
be -, standard input.`,
	Exit: `
0 the plan was printed
1 the plan, the key or the schemas cannot be read or do not fit; nothing is printed
2 schemas are missing, or a usage error; nothing is printed`,
	Example: "tofuwire show -schemas schemas.json plan.tfplan > plan.json",
}

// Run is the program; it returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var inputs planfile.Inputs
	var key string
	flags := commandline.New("tofuwire show", text)
	flags.Strings(&inputs.Schemas, "schemas", "a `FILE` with the schemas of the providers, as \"tofuwire schemas DIR\" or \"tofu providers schema -json\" prints them; other providers in it are ignored")
	flags.StringVar(&inputs.Passphrase, "passphrase-file", "", "the same as -key `FILE`")
	flags.StringVar(&key, "key", "", "a `FILE` with the passphrase of an encrypted plan; a final line end is ignored")
	partial := flags.Bool("without-schemas", false, "print the plan although schemas are missing, and list these on standard error. Actions, addresses, reasons and unknown parts are exact; all values of a resource without a schema are marked as sensitive")
	flags.Check = func() error {
		if key != "" && inputs.Passphrase != "" {
			return errors.New("-key and -passphrase-file are the same; give one of them")
		}
		return nil
	}
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	if key != "" {
		inputs.Passphrase = key
	}
	name := flags.Arg(0)
	src, err := planfile.Source(name, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "tofuwire show: %s\n", commandline.Message(err))
		return 1
	}
	text, missing, err := inputs.Document(src, *partial)
	if err != nil {
		fmt.Fprintf(stderr, "tofuwire show: %s: %s\n", name, strings.ReplaceAll(commandline.Message(err), "\n", "; "))
		if planfile.IsMissing(err) {
			return 2
		}
		return 1
	}
	for _, t := range missing {
		fmt.Fprintf(stderr, "tofuwire show: %s: no schema for %s\n", name, t)
	}
	if _, err := stdout.Write(text); err != nil {
		fmt.Fprintf(stderr, "tofuwire show: %s\n", commandline.Message(err))
		return 1
	}
	return 0
}
