// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package gate is the program gate: whether a plan obeys policies.
package gate

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/optionset"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planrule"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson"
)

const usage = `usage: gate [-policy RULE]... [-allow REASON]... [-schemas FILE]... [-passphrase-file FILE] [PLAN]

Gate checks a plan against policies. PLAN is the output of "show -json", a log that
contains it, or a saved plan; without PLAN, or if it is -, gate reads standard input.

It prints a line for each objection, as ADDRESS: RULE: WHY, where ADDRESS is "plan" for the
plan as a whole. It reports a plan that cannot be judged on standard error, as
gate: FILE: REASON, where REASON is errored, incomplete, deferred, version, duplicate,
redacted or no-plan. Every rule refuses unknown actions.

Exit status: 0 the plan passes, 1 it is refused, 2 it cannot be judged or read.

  -policy RULE   a rule that the plan must obey; may be repeated
  -allow REASON  judge the plan despite REASON; may be repeated
` + planfile.InputsUsage + `
Rules:
`

const example = `
Example: tofu show -json plan.tfplan | tofuwire gate -policy 'no-delete=aws_db_*' -policy max-changes=20
`

// Run is the program; it returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var allow planfile.Reasons
	var inputs planfile.Inputs
	var rules []planrule.Rule
	flags := optionset.New("gate")
	flags.Var(&allow, "allow", "")
	inputs.Register(flags)
	flags.Func("policy", "", func(text string) error {
		r, err := planrule.Parse(text)
		rules = append(rules, r)
		return err
	})
	switch err := flags.Parse(args); {
	case err == flag.ErrHelp:
		fmt.Fprint(stdout, usage, planrule.Help(), example)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "gate: %v\n", err)
		return 2
	case flags.NArg() > 1:
		fmt.Fprintf(stderr, "gate: at most one plan can be judged, not %d\n", flags.NArg())
		return 2
	}
	plan, err := inputs.Read("gate", cmp.Or(flags.Arg(0), "-"), stdin, stderr)
	if err == nil {
		// An unknown action is what the rules object to, with the address.
		err = planfile.Judge(plan, append(slices.Clone(allow), planjson.ErrUnknownAction))
	}
	if err != nil {
		planfile.Report(stderr, "gate", err)
		return 2
	}
	objections := planrule.Judge(plan.Plan, rules)
	for _, o := range objections {
		line := cmp.Or(o.Address, "plan") + ": " + o.Rule + ": " + o.Text
		fmt.Fprintln(stdout, uijson.Sanitize(strings.ReplaceAll(line, "\n", " ")))
	}
	if len(objections) > 0 {
		return 1
	}
	return 0
}
