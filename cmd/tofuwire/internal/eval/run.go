// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package eval is the program eval: it prints the values of expressions, as the console of a tool
// does, and the signatures of functions.
package eval

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

var text = commandline.Text{
	Arguments: "[EXPRESSION]...",
	Forms:     []string{"-functions [OPTION]..."},
	About: `
Eval prints the value of each EXPRESSION, in native syntax, as one line of compact JSON. Without
arguments, each line of standard input is an expression; empty lines are skipped. If DIR is a
module, expressions can use its variables, local values and module outputs, as far as their values
are known from defaults, terraform.tfvars and *.auto.tfvars. Eval runs neither the tool nor
providers.`,
	Exit: `
0 all expressions have values
1 an expression is invalid or unknown, with a line on standard error
2 DIR is not there, or a usage error`,
	Example: "tofuwire eval 'cidrsubnet(\"10.0.0.0/8\", 8, 2)'",
}

// Run runs the program. It returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, expressions, status, ok := parse(args, stdin, stdout, stderr)
	if !ok {
		return status
	}
	if o.functions {
		if err := printSignatures(stdout, o.dialect); err != nil {
			fmt.Fprintf(stderr, "tofuwire eval: %s\n", commandline.Message(err))
			return 1
		}
		return 0
	}
	e, err := newEvaluator(o)
	if err != nil {
		fmt.Fprintf(stderr, "tofuwire eval: %s\n", commandline.Message(err))
		return 2
	}
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
			fmt.Fprintf(stderr, "tofuwire eval: standard input: %s\n", commandline.Message(err))
			status = 1
		}
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintf(stderr, "tofuwire eval: %s\n", commandline.Message(err))
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

// parse reads the command line. If ok is false, the program ends with the status.
func parse(args []string, stdin io.Reader, stdout, stderr io.Writer) (o options, expressions []string, status int, ok bool) {
	flags := commandline.New("tofuwire eval", text)
	var tool, release, clock string
	flags.Choice(&tool, "tool", "tofu", "the `TOOL`, tofu or terraform", "tofu", "terraform")
	flags.StringVar(&release, "release", "", "the release `X.Y` whose functions there are; the newest by default")
	flags.StringVar(&o.dir, "dir", ".", "the `DIR` that relative file names refer to; the default is the working directory")
	flags.BoolVar(&o.json, "json", false, "print one JSON object per line for each expression, with its type, or the reason why it has no value")
	flags.BoolVar(&o.reveal, "reveal", false, "show sensitive values, which are otherwise \"(sensitive value)\"")
	flags.BoolVar(&o.functions, "functions", false, "print the signatures of all functions, as \"metadata functions -json\" does")
	flags.StringVar(&clock, "time", "", "the time `T` that timestamp() and plantimestamp() return, such as 2026-01-31T12:00:00Z")
	flags.Check = func() error {
		if flags.NArg() == 0 && !o.functions {
			return cmp.Or(o.language(tool, release), o.clock(clock), commandline.NotTerminal(stdin))
		}
		return cmp.Or(o.language(tool, release), o.clock(clock))
	}
	if status, ok = flags.Parse(args, stdout, stderr); !ok {
		return o, nil, status, false
	}
	info, err := os.Stat(o.dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a directory", o.dir)
	}
	if err != nil {
		return o, nil, commandline.Fail("tofuwire eval", err, stderr), false
	}
	return o, flags.Args(), 0, true
}

// language sets the dialect.
func (o *options) language(tool, release string) error {
	if tool == "terraform" {
		o.dialect = hclconfig.Terraform
	} else {
		o.dialect = hclconfig.OpenTofu
	}
	if release == "" {
		return nil
	}
	v, err := addrs.ParseVersion(release)
	if err != nil {
		if v, err = addrs.ParseVersion(release + ".0"); err != nil {
			return fmt.Errorf("-release: %q is not a release, such as 1.9", release)
		}
	}
	o.dialect = o.dialect.At(v)
	return nil
}

// clock sets the time.
func (o *options) clock(text string) (err error) {
	if text == "" {
		return nil
	}
	if o.time, err = time.Parse(time.RFC3339, text); err != nil {
		return fmt.Errorf("-time: %q is not a time, such as 2026-01-31T12:00:00Z", text)
	}
	return nil
}
