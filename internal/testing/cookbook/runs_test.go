// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// Run the tool, show its progress, and fail unless the run was a success.
func Example_runTool() {
	cmd := toolCommand()   // in your program: exec.Command("tofu", "apply", "-json", "plan.tfplan")
	cmd.Stderr = os.Stderr // separate from the messages
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	// Ctrl-C reaches the tool as well, which then stops by itself. This program must read on until it has:
	// a tool that cannot write its messages dies in the middle of its work.
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	defer signal.Stop(interrupted)
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	tracker := new(uitrack.Tracker)
	outcome, err := uitrack.Attach(context.Background(), stdout, cmd.Wait, uitrack.AttachOptions{
		Tracker:  tracker,
		Progress: uitrack.PrintLines(io.Discard), // in your program: os.Stderr
	})
	run := tracker.Snapshot()
	fmt.Println(outcome, run.Done.Applied())
	for _, d := range run.Diagnostics {
		fmt.Println(d.Diagnostic.Severity, d.Diagnostic.Summary)
	}
	switch { // in your program: log.Fatal in both cases
	case err != nil: // nil only if the outcome is a success
		fmt.Println(err)
	case run.Reported == nil: // the summary of an apply, which is present even if nothing changed
		fmt.Println("this was not an apply")
	}
	// Output:
	// failed 3 added, 1 changed, 4 destroyed
	// error local-exec provisioner error
	// error local-exec provisioner error
	// uitrack: the run failed: exit status 1 after 2 errors
}

// Read the messages of a run from a file, and report the outcome.
func Example_followRun() {
	stream, err := os.Open(streamFile) // for a running tool, use Attach, which also takes the exit status into account
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	tracker := &uitrack.Tracker{Replay: true}
	for event, err := range uijson.NewReader(stream).Events() {
		if err != nil {
			log.Fatal(err)
		}
		tracker.Add(event)
	}
	tracker.End(nil)
	run := tracker.Snapshot()
	fmt.Println(run.Outcome, run.Reason)
	fmt.Println(run.Planned)
	fmt.Println("a complete apply:", run.Outcome.OK() && run.Reported != nil) // without a summary, it may be a success of init or plan
	// Output:
	// failed the tool reported 2 errors
	// 5 to add, 1 to change, 5 to destroy
	// a complete apply: false
}

// Follow the runs of many units on one stream, as terragrunt run --all prints them.
func Example_followUnits() {
	unit := regexp.MustCompile(`\[([^\]]+)\]`) // in terragrunt's prefix of each line
	runs := map[string]*uitrack.Tracker{}
	for event, err := range uijson.NewReader(unitStreams()).Borrowed() { // or terragrunt's standard output
		if err != nil {
			log.Fatal(err)
		}
		name := unit.FindSubmatch(event.Raw)
		if name == nil {
			continue // a line of terragrunt itself
		}
		if runs[string(name[1])] == nil {
			runs[string(name[1])] = new(uitrack.Tracker)
		}
		runs[string(name[1])].Add(event)
	}
	if len(runs) != 2 { // in your program: the number of units
		log.Fatal("not as many runs as units")
	}
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		runs[name].End(nil)
		run := runs[name].Snapshot()
		fmt.Printf("%s: %s, %s\n", name, run.Outcome, run.Done.Applied())
	}
	// Output:
	// live/db: failed, 3 added, 1 changed, 4 destroyed
	// live/net: success, 5 added, 0 changed, 0 destroyed
}

// Collect the errors of a run, with their places.
func Example_collectErrors() {
	stream, err := os.Open(streamFile)
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	for event, err := range uijson.NewReader(stream).Events() {
		if err != nil {
			log.Fatal(err)
		}
		if m := event.Message; m != nil && m.IsError() && m.Diagnostic != nil {
			d := m.Diagnostic
			fmt.Println(d.Summary, d.Address)
			if d.Range != nil { // not every diagnostic has a place
				fmt.Println(d.Range.Filename, d.Range.Start.Line)
			}
		}
	}
	// Output:
	// local-exec provisioner error terraform_data.swap
	// main.tf 17
	// local-exec provisioner error terraform_data.sour
	// main.tf 28
}

// Remove the secrets of a plan from the log of its run.
func Example_redactLog() {
	plan, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","variables":{"token":{"value":"s3cr3t/T0ken-of-CI"},"word":{"value":"hunter"}},
		"configuration":{"root_module":{"variables":{"token":{"sensitive":true},"word":{"sensitive":true}}}}}`)) // in your program: the plan of the run
	if err != nil {
		log.Fatal(err)
	}
	// A log has no marked places, so hide short plain words everywhere as well.
	secrets, err := redact.Redactor{Plain: redact.Everywhere}.KnownSecrets(plan)
	if err != nil {
		log.Fatal(err)
	}
	// Text, messages of -json runs and prefixes of a CI runner in one pass; all other bytes stay.
	text := strings.NewReader("terraform_data.a (local-exec): token=s3cr3t/T0ken-of-CI user hunter\nterraform_data.a (local-exec): czNjcjN0L1Qwa2Vu\n" +
		`2026-01-02T03:04:05.6Z {"@level":"info","@message":"a: (local-exec): 6b656e2d6f662d4349","@module":"tofu.ui","type":"provision_progress"}` + "\n") // in your program: os.Stdin
	if err := uijson.RemoveSecretsFromText(secrets).Copy(os.Stdout, text); err != nil {
		log.Fatal(err)
	}
	// Output:
	// terraform_data.a (local-exec): token=(sensitive value) user (sensitive value)
	// terraform_data.a (local-exec): (sensitive value)
	// 2026-01-02T03:04:05.6Z {"@level":"info","@message":"a: (local-exec): (sensitive value)","@module":"tofu.ui","type":"provision_progress"}
}
