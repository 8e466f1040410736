// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Wrapper plans, checks the plan, and applies exactly the plan that it has checked:
//
//	wrapper [-tool tofu] DIR [PLAN OPTION]...
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson/uirun"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

func main() {
	tool := flag.String("tool", "tofu", "the `program`")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	// Ctrl-C reaches the tool as well, which stops by itself and saves its state: live until then.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	t := uirun.Tool{Path: *tool, Dir: flag.Arg(0), Stderr: os.Stderr, Progress: uitrack.PrintLines(os.Stderr)}
	if err := run(t, flag.Args()[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "wrapper:", err)
		os.Exit(1)
	}
}

func run(t uirun.Tool, options []string) error {
	work, err := os.MkdirTemp("", "wrapper-") // a saved plan holds secrets in clear text
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	saved := filepath.Join(work, "plan")
	plan, _, err := t.Plan(context.Background(), saved, options...)
	if err != nil {
		return err
	}
	if err := check(plan); err != nil {
		return fmt.Errorf("refused, nothing was applied: %w", err)
	}
	applied, err := t.Apply(context.Background(), saved)
	if err == nil {
		fmt.Println("applied:", applied.Snapshot.Done.Applied())
	}
	return err
}

// check is the policy: put yours here. A plan that cannot be judged is refused.
func check(plan *planjson.Plan) error {
	for _, change := range plan.ResourceChanges {
		if a := change.Change.Actions; a.Destroys() || !a.IsKnown() {
			return fmt.Errorf("%s: %s", change.Address, a)
		}
	}
	return planjson.Judgeable(plan)
}
