// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Wrapper plans, checks the plan, and applies exactly the plan that it has checked. It drives tofu or
// terraform through their JSON interfaces only.
//
//	wrapper -tool tofu DIR [PLAN OPTION]...
//
// Exit status: 0 success, 1 the tool failed or the plan was refused.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

func main() {
	tool := flag.String("tool", "tofu", "the `program`")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	// Ctrl-C reaches the tool as well, which then stops by itself and saves its state. This program must
	// live until then: a tool that cannot write its messages dies in the middle of its work.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	w := wrapper{tool: *tool, dir: flag.Arg(0)}
	if err := w.run(flag.Args()[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "wrapper:", err)
		os.Exit(1)
	}
}

// A wrapper runs a tool in the directory of a module.
type wrapper struct{ tool, dir string }

func (w wrapper) run(planOptions []string) error {
	// The saved plan holds secrets in clear text: it lives in a folder of our own, and not for long.
	work, err := os.MkdirTemp("", "wrapper-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	saved := filepath.Join(work, "plan")

	// Our options come last: the last one of two counts.
	if _, err := w.follow(slices.Concat([]string{"plan"}, planOptions, []string{"-input=false", "-json", "-out=" + saved})...); err != nil {
		return err
	}
	plan, err := w.show(saved)
	if err != nil {
		return err
	}
	if err := check(plan); err != nil {
		return fmt.Errorf("refused, nothing was applied: %w", err)
	}
	// What is applied is the file that was checked, not another plan of the same configuration.
	run, err := w.follow("apply", "-input=false", "-json", saved)
	if err != nil {
		return err
	}
	if run.Reported == nil { // the summary that only an apply prints
		return errors.New("apply: it is not known what was applied")
	}
	fmt.Println("applied:", run.Done.Applied())
	return nil
}

// follow runs a command with -json, shows its progress, and returns the run. The error is nil only if
// the run was a success: not if it was interrupted, cut off, or said nothing.
func (w wrapper) follow(args ...string) (*uitrack.Snapshot, error) {
	cmd := exec.Command(w.tool, args...)
	cmd.Dir, cmd.Stderr = w.dir, os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	tracker := new(uitrack.Tracker)
	_, err = uitrack.Attach(context.Background(), stdout, cmd.Wait, uitrack.AttachOptions{
		Tracker:  tracker,
		Progress: uitrack.PrintLines(os.Stderr),
	})
	run := tracker.Snapshot()
	for _, d := range run.Diagnostics {
		fmt.Printf("%s: %s: %s\n", args[0], d.Diagnostic.Severity, d.Diagnostic.Summary)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", args[0], err)
	}
	return run, nil
}

// show returns a saved plan as a document.
func (w wrapper) show(saved string) (*planjson.Plan, error) {
	cmd := exec.Command(w.tool, "show", "-json", saved)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.dir, &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("show: %w", err)
	}
	return planjson.DecodePlan(out.Bytes())
}

// check is the policy: put yours here.
func check(plan *planjson.Plan) error {
	// A plan that failed, is incomplete, or of another version of the format cannot be judged.
	if err := planjson.Judgeable(plan); err != nil {
		return err
	}
	for _, change := range plan.ResourceChanges {
		if a := change.Change.Actions; a.Destroys() || !a.IsKnown() {
			return fmt.Errorf("%s: %s", change.Address, a)
		}
	}
	return nil
}
