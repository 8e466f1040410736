// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package approve is the program approve: whether a plan will do what was approved.
package approve

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/joblog"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

var text = commandline.Text{
	Arguments: "APPROVED PLANNED",
	Files:     planfile.Endings,
	About: `
Approve reports whether the plan PLANNED does the same as the plan APPROVED. Each is the
output of "show -json", a log that contains it, or a saved plan; one of them can be -,
standard input.

It prints a line for each difference, with sensitive values as (sensitive value):

  ADDRESS: WHAT: APPROVED -> PLANNED

ADDRESS is the address of a resource, or output.NAME, var.NAME, check.ADDRESS, action.ADDRESS or
plan. WHAT is the member of the plan that differs; for a deposed object it begins with
"deposed KEY: ". Approve ignores the time of planning, the order of lists of objects,
relevant attributes, and marks of sensitive values before the change.

It reports a plan that cannot be judged on standard error, as FILE: REASON, where REASON is errored,
incomplete, deferred, version, duplicate, redacted, unknown-action, misspelt or no-plan. Terraform
marks every plan made with -target as incomplete.`,
	More: `
If schemas for a saved plan are missing, approve compares the rest. If the result depends on a value
that needs a schema, the plans cannot be judged.`,
	Exit: `
0 the plans do the same
1 there are differences
2 a plan cannot be judged or read, or a usage error`,
	Example: "tofuwire approve approved.json planned.json && tofu apply plan.tfplan",
}

// Run is the program; it returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var allow planfile.Reasons
	var inputs planfile.Inputs
	flags := commandline.New("tofuwire approve", text)
	allow.Allow(flags)
	inputs.Register(flags)
	flags.Check = func() error {
		if flags.Arg(0) == "-" && flags.Arg(1) == "-" {
			return errors.New("only one of the plans can be standard input")
		}
		return nil
	}
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	var plans [2]*planfile.Plan
	failed := false
	for i, name := range flags.Args() {
		p, err := inputs.Read("tofuwire approve", name, stdin, stderr)
		if err == nil {
			err = planfile.Judge(p, allow)
		}
		if err != nil {
			planfile.Report(stderr, "tofuwire approve", err)
			failed = true
		}
		plans[i] = p
	}
	if failed {
		return 2
	}
	c := plandiff.ComparePlans(plans[0].Plan, plans[1].Plan, plandiff.Options{})
	inJob := joblog.New(stdout)
	defer inJob.Close()
	out := bufio.NewWriter(inJob)
	undecided := 0
	for _, d := range c.Differences {
		if plans[0].Hides(d.Address, d.What) || plans[1].Hides(d.Address, d.What) {
			fmt.Fprintf(stderr, "tofuwire approve: %s: %s: not known without schemas\n", d.Address, d.What)
			undecided++
			continue
		}
		fmt.Fprintln(out, d)
	}
	if undecided > 0 && undecided == len(c.Differences) {
		return 2
	}
	if !c.IsEmpty() && len(c.Differences) == 0 { // which must not be
		fmt.Fprintln(out, "plan: changes: (not shown) -> (not shown)")
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintf(stderr, "tofuwire approve: %s\n", commandline.Message(err))
		return 2
	}
	if c.IsEmpty() {
		return 0
	}
	return 1
}
