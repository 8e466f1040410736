// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Planreport shows people what a plan changes, attribute by attribute, and why.
//
//	planreport [-format md or html or text] [FILE]
//
// It reads the output of "tofu show -json PLANFILE" from FILE or from standard
// input. It writes to standard output: Markdown for a comment on GitHub, one
// HTML page that loads nothing, or text. None of them has values that the plan
// marks as sensitive. To hide copies of such values that it does not mark, redact
// the plan first. The exit status is 1 if the plan cannot be read.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/tofuwire/tofuwire/examples/planreport/planview"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// commentLimit is the number of characters that a comment on GitHub can have.
const commentLimit = 65_536

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		if err == flag.ErrHelp {
			return // the usage has been printed
		}
		fmt.Fprintln(os.Stderr, "planreport:", err)
		os.Exit(1)
	}
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("planreport", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: planreport [-format md or html or text] [FILE]")
		flags.PrintDefaults()
	}
	format := flags.String("format", "text", "md, html or text")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 1 {
		return fmt.Errorf("one file at most, not %d", flags.NArg())
	}
	write := map[string]func(io.Writer, *planjson.Plan) error{"md": markdown, "html": page, "text": text}[*format]
	if write == nil {
		return fmt.Errorf("there is no format %q: md, html and text are", *format)
	}
	var src []byte
	var err error
	name := flags.Arg(0)
	if name == "" || name == "-" {
		name = "standard input"
		src, err = io.ReadAll(stdin)
	} else {
		src, err = os.ReadFile(name)
	}
	if err != nil {
		return err
	}
	plan, err := planjson.DecodePlan(src)
	if err == nil {
		err = planjson.CheckVersion(plan)
	}
	if e := new(planjson.Error); errors.As(err, &e) {
		place := *e
		place.Pointer = "" // its names can be keys of a sensitive map
		err = &place
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return write(stdout, plan)
}

func text(w io.Writer, p *planjson.Plan) error {
	if p.Errored {
		fmt.Fprint(w, "Planning failed part-way: this is what was planned until then.\n\n")
	}
	if err := plandiff.Plan(p, plandiff.Options{}).WriteText(w, plandiff.TextOptions{}); err != nil {
		return err
	}
	for _, f := range failures(p) {
		fmt.Fprintf(w, "\nCheck %s: %s\n", planview.OneLine(f.address), f.status)
		for _, m := range f.messages {
			fmt.Fprintf(w, "  %s\n", planview.OneLine(m))
		}
	}
	return nil
}
