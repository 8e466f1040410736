// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package gate is the program gate: whether a plan obeys policies.
package gate

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planrule"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/settingsfile"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/joblog"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson"
)

var text = commandline.Text{
	Arguments: "[PLAN]",
	Files:     planfile.Endings,
	About: `
Gate checks a plan against policies. PLAN is the output of "show -json", a log that
contains it, or a saved plan; without PLAN, or if it is -, gate reads standard input.

It prints a line for each objection, as ADDRESS: RULE: WHY, where ADDRESS is "plan" for the
plan as a whole. It reports a plan that cannot be judged on standard error, as FILE: REASON, where
REASON is errored, incomplete, deferred, version, duplicate, redacted, misspelt or no-plan. Every
rule refuses unknown actions. Without a rule, gate refuses only these, and says so there.`,
	Exit: `
0 the plan passes
1 it is refused
2 it cannot be judged or read, or a usage error`,
	Example: "tofu show -json plan.tfplan | tofuwire gate -policy 'no-delete=aws_db_*'",
}

// Run is the program; it returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var allow planfile.Reasons
	var inputs planfile.Inputs
	var rules []planrule.Rule
	about := text
	about.More = "Rules:\n" + planrule.Help()
	flags := commandline.New("tofuwire gate", about)
	allow.Allow(flags)
	inputs.Register(flags)
	flags.Func("policy", "a `RULE` that the plan must obey; may be repeated", func(text string) error {
		r, err := planrule.Parse(text)
		rules = append(rules, r)
		return err
	})
	flags.Offer("policy", planrule.Names)
	settings := flags.String("settings", "", "settings in `FILE`, whose block gate adds policies")
	flags.Check = func() error {
		if flags.NArg() == 0 {
			return commandline.NotTerminal(stdin)
		}
		return nil
	}
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	if *settings != "" {
		if err := settingsfile.Apply(*settings, "gate", flags, []string{"policy"}, nil); err != nil {
			return commandline.Fail("tofuwire gate", err, stderr)
		}
	}
	inputs.Progress = flags.ProgressOn(stderr)
	plan, err := inputs.Read("tofuwire gate", cmp.Or(flags.Arg(0), "-"), stdin, stderr)
	if err == nil {
		// An unknown action is what the rules object to, with the address.
		err = planfile.Judge(plan, append(slices.Clone(allow), planjson.ErrUnknownAction))
	}
	if err != nil {
		planfile.Report(stderr, "tofuwire gate", err)
		return 2
	}
	if len(rules) == 0 { // a forgotten -policy must not look like a plan that obeys one
		fmt.Fprintln(stderr, "tofuwire gate: no -policy was given: only unknown actions are refused")
	}
	objections := planrule.Judge(plan.Plan, rules)
	out := joblog.New(stdout)
	defer out.Close()
	for _, o := range objections {
		line := cmp.Or(o.Address, "plan") + ": " + o.Rule + ": " + o.Text
		fmt.Fprintln(out, uijson.Sanitize(strings.ReplaceAll(line, "\n", " ")))
	}
	if len(objections) > 0 {
		return 1
	}
	return 0
}
