// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planreport is the program planreport: what a plan changes, and why, as a comment, a page or
// text.
package planreport

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"github.com/tofuwire/tofuwire/internal/program/planfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

const usage = `usage: planreport [-format md or html or text] [-against APPROVED] [FILE]

Planreport shows people what a plan changes, attribute by attribute, and why. FILE is the
output of "show -json PLANFILE", or a log that has it; without it, or if it is -, planreport
reads standard input. It writes Markdown for a comment on GitHub, one HTML page that loads
nothing, or text to standard output. None of them has values that the plan marks as
sensitive. To hide copies of such values that it does not mark, redact the plan first.

What makes a plan less than a plan is told at the top: that planning failed, that it is
incomplete, defers changes, is redacted, and so on.

  -format FORMAT     md, html or text, the default
  -against APPROVED  also show in what the plan differs from this one

Exit status: 0 the report was written, 1 it was not, 2 it was written but shows a plan that
failed or has a format version that is not supported.

Example: tofu show -json plan.tfplan | tofuwire report -format md
`

// commentLimit is the number of characters that a comment on GitHub can have.
const commentLimit = 65_536

// A report is a plan with all that is to be said of it.
type report struct {
	plan     *planjson.Plan
	diff     *plandiff.Diff
	notes    []string // besides those of diff
	approved bool     // whether it is compared with another plan
	against  []plandiff.Difference
}

// compared says how the plan compares with the approved one.
func (r *report) compared() string {
	if len(r.against) == 0 {
		return "The plan does the same as the approved one."
	}
	return fmt.Sprintf("The plan differs from the approved one in %d places:", len(r.against))
}

// Run is the program; it returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("planreport", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	format := flags.String("format", "text", "")
	against := flags.String("against", "", "")
	err := flags.Parse(args)
	if err == flag.ErrHelp {
		fmt.Fprint(stdout, usage)
		return 0
	}
	write := map[string]func(io.Writer, *report) error{"md": markdown, "html": page, "text": text}[*format]
	name := cmp.Or(flags.Arg(0), "-")
	switch {
	case err != nil:
	case flags.NArg() > 1:
		err = fmt.Errorf("one file at most, not %d", flags.NArg())
	case write == nil:
		err = fmt.Errorf("there is no format %q: md, html and text are", *format)
	case *against == "-" && name == "-":
		err = errors.New("one of the two plans can be standard input")
	}
	var r *report
	if err == nil {
		r, err = read(name, *against, stdin, stderr)
	}
	if err == nil {
		out := bufio.NewWriter(stdout)
		if err = write(out, r); err == nil {
			err = out.Flush()
		}
	}
	switch {
	case err != nil:
		planfile.Report(stderr, "planreport", err)
		return 1
	case r.plan.Errored || planjson.CheckVersion(r.plan) != nil:
		return 2
	}
	return 0
}

// read reads the plans.
func read(name, against string, stdin io.Reader, stderr io.Writer) (*report, error) {
	p, err := planfile.Read("planreport", name, stdin, stderr)
	if err != nil {
		return nil, err
	}
	// Everything but these is no reason not to show a plan.
	if err := planfile.Judge(p, presentable); err != nil {
		return nil, err
	}
	r := &report{plan: p.Plan, diff: plandiff.Plan(p.Plan, plandiff.Options{})}
	r.notes = notes(p.Plan, "The plan")
	if against != "" {
		approved, err := planfile.Read("planreport", against, stdin, stderr)
		if err != nil {
			return nil, err
		}
		if err := planfile.Judge(approved, presentable); err != nil {
			return nil, err
		}
		r.notes = append(r.notes, notes(approved.Plan, "The approved plan")...)
		if approved.Errored {
			r.notes = append(r.notes, "The approved plan failed.")
		}
		r.approved = true
		r.against = plandiff.ComparePlans(approved.Plan, p.Plan, plandiff.Options{}).Differences
	}
	return r, nil
}

// presentable are the reasons not to judge a plan that are no reason not to show it.
var presentable = planfile.Reasons{planjson.ErrErrored, planjson.ErrIncomplete, planjson.ErrDeferred, planjson.ErrVersion, planjson.ErrDuplicate, planjson.ErrRedacted}

// notes says what plandiff does not.
func notes(p *planjson.Plan, who string) (list []string) {
	err := planjson.Judgeable(p, slices.DeleteFunc(slices.Clone(presentable), func(err error) bool { return err == planjson.ErrRedacted || err == planjson.ErrDuplicate })...)
	if errors.Is(err, planjson.ErrRedacted) {
		list = append(list, who+" is redacted: changes of hidden values cannot be seen.")
	}
	if errors.Is(err, planjson.ErrDuplicate) {
		list = append(list, who+" has a member twice, so that programs may read it in another way.")
	}
	return list
}

func text(w io.Writer, r *report) error {
	for _, note := range r.notes {
		fmt.Fprintf(w, "%s\n\n", note)
	}
	if r.approved {
		fmt.Fprintf(w, "%s\n", r.compared())
		for _, x := range r.against {
			fmt.Fprintf(w, "  %s\n", x)
		}
		fmt.Fprintln(w)
	}
	return r.diff.WriteText(w, plandiff.TextOptions{})
}
