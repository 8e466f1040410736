// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package eval is the program eval: it prints the values of expressions, as the console of a tool
// does, and the signatures of functions.
package eval

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/optionset"
	"github.com/tofuwire/tofuwire/hclconfig"
)

const usage = `usage: eval [-tool T] [-release X.Y] [-dir DIR] [-json] [-reveal] [-time T] [EXPRESSION]...
       eval -functions [-tool T] [-release X.Y]

Eval prints the value of each EXPRESSION, which is in native syntax, as compact JSON in one line.
Without any, each line of standard input is an expression; empty lines are skipped. If DIR is a
module, its variables, local values and outputs of calls have the values that are known from
defaults, terraform.tfvars and *.auto.tfvars. No provider and no tool is started.

  -tool T        tofu (the default) or terraform
  -release X.Y   the release whose functions there are; the newest by default
  -dir DIR       where relative names of files start; the working directory by default
  -json          an object a line for each expression, with its type, or why it has no value
  -reveal        show sensitive values, which are otherwise "(sensitive value)"
  -time T        what timestamp() and plantimestamp() return, such as 2026-01-31T12:00:00Z
  -functions     print the signatures of all functions, as "metadata functions -json" does

Exit status: 0; 1 if an expression was refused or is not known, with a line on standard error; 2
for a usage error, or if DIR is not there.

Example: tofuwire eval 'cidrsubnet("10.0.0.0/8", 8, 2)'
`

// Run runs the program. It returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, expressions, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(stdout, usage)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "eval: %v\n", err)
		return 2
	}
	if o.functions {
		if err := printSignatures(stdout, o.dialect); err != nil {
			fmt.Fprintf(stderr, "eval: %v\n", err)
			return 1
		}
		return 0
	}
	e, err := newEvaluator(o)
	if err != nil {
		fmt.Fprintf(stderr, "eval: %v\n", err)
		return 2
	}
	status := 0
	out := bufio.NewWriter(stdout)
	each := func(text string) {
		if !e.print(out, stderr, text) {
			status = 1
		}
	}
	for _, text := range expressions {
		each(text)
	}
	if len(expressions) == 0 {
		lines := bufio.NewScanner(stdin)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			if text := strings.TrimSpace(lines.Text()); text != "" {
				each(text)
				out.Flush()
			}
		}
		if err := lines.Err(); err != nil {
			fmt.Fprintf(stderr, "eval: standard input: %v\n", err)
			status = 1
		}
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintf(stderr, "eval: %v\n", err)
		return 1
	}
	return status
}

// options are the options of the command line.
type options struct {
	dialect      hclconfig.Dialect
	dir          string
	json, reveal bool
	functions    bool
	time         time.Time
}

// parse reads the command line: options may stand anywhere.
func parse(args []string) (o options, expressions []string, err error) {
	flags := optionset.New("eval")
	tool := flags.String("tool", "tofu", "")
	release := flags.String("release", "", "")
	flags.StringVar(&o.dir, "dir", ".", "")
	flags.BoolVar(&o.json, "json", false, "")
	flags.BoolVar(&o.reveal, "reveal", false, "")
	flags.BoolVar(&o.functions, "functions", false, "")
	clock := flags.String("time", "", "")
	for len(args) > 0 {
		if args[0] == "--" {
			expressions = append(expressions, args[1:]...)
			break
		}
		if err := flags.Parse(args); err != nil {
			return o, nil, err
		}
		rest := flags.Args()
		if len(rest) == 0 {
			break
		}
		if n := len(args) - len(rest); n > 0 && args[n-1] == "--" {
			expressions = append(expressions, rest...)
			break
		}
		expressions, args = append(expressions, rest[0]), rest[1:]
	}
	switch *tool {
	case "tofu":
		o.dialect = hclconfig.OpenTofu
	case "terraform":
		o.dialect = hclconfig.Terraform
	default:
		return o, nil, fmt.Errorf("-tool: unknown value %q; tofu or terraform", *tool)
	}
	if *release != "" {
		v, err := addrs.ParseVersion(*release)
		if err != nil {
			if v, err = addrs.ParseVersion(*release + ".0"); err != nil {
				return o, nil, fmt.Errorf("-release: %q is no release, such as 1.9", *release)
			}
		}
		o.dialect = o.dialect.At(v)
	}
	if *clock != "" {
		if o.time, err = time.Parse(time.RFC3339, *clock); err != nil {
			return o, nil, fmt.Errorf("-time: %q is no time, such as 2026-01-31T12:00:00Z", *clock)
		}
	}
	if o.functions && len(expressions) > 0 {
		return o, nil, errors.New("-functions takes no EXPRESSION")
	}
	if info, err := os.Stat(o.dir); err != nil {
		return o, nil, err
	} else if !info.IsDir() {
		return o, nil, fmt.Errorf("%s is not a directory", o.dir)
	}
	return o, expressions, nil
}
