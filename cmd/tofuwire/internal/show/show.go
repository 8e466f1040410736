// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package show is the program show: a saved plan as "show -json" prints it.
package show

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/optionset"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
)

const usage = `usage: show [-schemas FILE]... [-key FILE] [-without-schemas] PLANFILE

Show prints a saved plan, the file that "plan -out" of OpenTofu 1.6 and later or of Terraform 1.1
and later has written, byte for byte as "show -json PLANFILE" of that release prints it. It needs
neither the tool nor its providers, but the schemas of the providers: they say which values are
secrets. PLANFILE can be -, standard input.

  -schemas FILE     the schemas of the providers, as "tofuwire schemas DIR" or "tofu providers schema
                    -json" prints them; may be repeated. More providers than needed are no harm
  -key FILE         a file with the passphrase of an encrypted plan; a line end at its end is
                    ignored. -passphrase-file is the same
  -without-schemas  print what is known without the schemas that are missing, and list these on
                    standard error. Actions, addresses, reasons and unknown parts are exact; the
                    values of a resource without schema are marked as sensitive as a whole

Exit status: 0 the plan was printed, 1 the plan, the key or the schemas cannot be read or do not
fit, 2 schemas are missing, or the command line is wrong. Nothing is printed then.

Example: tofuwire show -schemas schemas.json plan.tfplan > plan.json
`

// Run is the program; it returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var inputs planfile.Inputs
	var key string
	flags := optionset.New("show")
	inputs.Register(flags)
	flags.StringVar(&key, "key", "", "")
	partial := flags.Bool("without-schemas", false, "")
	names, err := parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case err == nil && len(names) != 1:
		err = fmt.Errorf("one PLANFILE is needed, not %d", len(names))
	case err == nil && key != "" && inputs.Passphrase != "":
		err = errors.New("-key and -passphrase-file are the same; give one of them")
	}
	if err != nil {
		fmt.Fprintf(stderr, "show: %v\n", err)
		return 2
	}
	if key != "" {
		inputs.Passphrase = key
	}
	name := names[0]
	src, err := planfile.Source(name, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "show: %v\n", err)
		return 1
	}
	text, missing, err := inputs.Document(src, *partial)
	if err != nil {
		fmt.Fprintf(stderr, "show: %s: %s\n", name, strings.ReplaceAll(strings.TrimPrefix(err.Error(), "planfile: "), "\n", "; "))
		if planfile.IsMissing(err) {
			return 2
		}
		return 1
	}
	for _, t := range missing {
		fmt.Fprintf(stderr, "show: %s: no schema for %s\n", name, t)
	}
	if _, err := stdout.Write(text); err != nil {
		fmt.Fprintf(stderr, "show: %v\n", err)
		return 1
	}
	return 0
}

// parse parses a command line whose options may stand anywhere, and returns the rest.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if n := len(args) - flags.NArg(); n > 0 && args[n-1] == "--" {
			return slices.Concat(rest, flags.Args()), nil
		}
		if args = flags.Args(); len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return rest, nil
}
