// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planreport is the program report: what plans change, and why, as a comment, a page or
// text.
package planreport

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planview"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/joblog"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// A report is what is written: plans with the options.
type report struct {
	*options
	program string // for messages
	stacks  []*stack
}

// writers has a writer for each format.
var writers = map[string]func(io.Writer, *report) error{"md": markdown, "html": page, "text": text, "json": document, "github": github}

// Run is the program; it returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, flags := newOptions(stdin)
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	if err := o.settle(flags); err != nil {
		return commandline.Fail("tofuwire report", err, stderr)
	}
	o.colors = flags.Colors(stdout)
	o.inputs.Progress = flags.ProgressOn(stderr)
	s, err := o.summarized("tofuwire report", stdin, stdout, stderr)
	switch {
	case err != nil:
		planfile.Report(stderr, "tofuwire report", err)
		return 1
	case s.Errored:
		return 2
	}
	return 0
}

// Summarized is Run for other programs, which also want what -summary writes. There is no report
// if it returns an error.
func Summarized(program string, args []string, stdin io.Reader, stdout, stderr io.Writer) (*Summary, error) {
	o, flags := newOptions(stdin)
	if _, ok := flags.Parse(args, io.Discard, stderr); !ok {
		return nil, errors.New("wrong options of report")
	}
	return o.summarized(program, stdin, stdout, stderr)
}

// summarized writes the report.
func (o *options) summarized(program string, stdin io.Reader, stdout, stderr io.Writer) (*Summary, error) {
	o.limit = cmp.Or(o.limit, limits[o.place])
	r := &report{options: o, program: program}
	if err := r.read(stdin, stderr); err != nil {
		return nil, err
	}
	for _, s := range r.stacks {
		if n := s.shown.NotShown(); n > 0 && r.format == "github" {
			fmt.Fprintf(stderr, "%s: changes that are not shown: %d\n", program, n)
		}
	}
	if err := r.write(stdout); err != nil {
		return nil, err
	}
	return summarize(r), nil
}

// Marker returns the hidden line by which a program finds a comment again.
func Marker(place, key string) string { return (&options{place: place, key: key}).marker() }

// read reads all plans.
func (r *report) read(stdin io.Reader, stderr io.Writer) error {
	for n := range r.files {
		s, err := readStack(r, n, stdin, stderr)
		if err != nil {
			return err
		}
		r.stacks = append(r.stacks, s)
	}
	if len(r.stacks) > 1 {
		for i, name := range names(r.files) {
			r.stacks[i].diff.Name = name
		}
	}
	for _, s := range r.stacks {
		s.shown = r.selection.of(s.diff)
	}
	return nil
}

// write writes the report and the summary.
func (r *report) write(stdout io.Writer) error {
	if r.summary != "" {
		if err := summarize(r).save(r.summary); err != nil {
			return err
		}
	}
	var inJob *joblog.Writer
	switch r.format {
	case "text":
		inJob = joblog.New(stdout)
	case "md": // which may become a comment, without commands of ours
		inJob = joblog.Silent(stdout)
	default:
		inJob = joblog.Document(stdout)
	}
	out := bufio.NewWriter(inJob)
	err := writers[r.format](out, r)
	return errors.Join(err, out.Flush(), inJob.Close())
}

// heading returns the title.
func (r *report) heading() string {
	switch {
	case r.title != "":
		return r.title
	case len(r.stacks) > 1:
		return "Plans"
	}
	return "Plan"
}

// ordered returns the plans in the order of a page, the worst first.
func (r *report) ordered() []*stack {
	list := slices.Clone(r.stacks)
	slices.SortStableFunc(list, func(a, b *stack) int {
		return slices.Index(verdicts, a.diff.Verdict()) - slices.Index(verdicts, b.diff.Verdict())
	})
	return list
}

// verdicts are all verdicts, the worst first.
var verdicts = []string{"failed", "unsupported", "incomplete", "partial", "check failed", "destroys", "changes", "refresh only", "no changes"}

// diffs returns the differences of all plans.
func (r *report) diffs() []*plandiff.Diff {
	list := make([]*plandiff.Diff, len(r.stacks))
	for i, s := range r.stacks {
		list[i] = s.shown
	}
	return list
}

// text writes plain text.
func text(w io.Writer, r *report) error {
	if r.title != "" {
		fmt.Fprintf(w, "%s\n\n", planview.OneLine(r.title))
	}
	if r.runURL != "" {
		fmt.Fprintf(w, "Run: %s\n\n", r.runURL)
	}
	if len(r.stacks) == 1 {
		return r.stacks[0].shown.WriteText(w, plandiff.TextOptions{Color: r.colors})
	}
	for _, s := range r.stacks {
		fmt.Fprintf(w, "%-12s %s: %s\n", s.diff.Verdict(), planview.OneLine(s.diff.Name), s.diff.Headline())
	}
	for _, s := range r.stacks {
		name := planview.OneLine(s.diff.Name)
		fmt.Fprintf(w, "\n%s\n%s\n\n", name, strings.Repeat("=", utf8.RuneCountInString(name)))
		if err := s.shown.WriteText(w, plandiff.TextOptions{Color: r.colors}); err != nil {
			return err
		}
	}
	return nil
}
