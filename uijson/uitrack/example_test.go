// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// Run a tool and see its messages as they come. The process can always write
// and always ends by itself, even if the loop is left early.
func ExampleTracker_runATool() {
	run := func(name string, args ...string) error {
		cmd := exec.Command(name, args...)
		cmd.Stderr = os.Stderr // apart from the stream
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		tracker := new(uitrack.Tracker)
		r := uijson.NewReader(stdout)
		for ev, err := range r.Events() {
			if err != nil {
				break // the stream is broken; the exit status says the rest
			}
			tracker.Add(ev)
			if m := ev.Message; m != nil && m.Type == uijson.TypeApplyComplete && m.Hook != nil && m.Hook.Resource != nil {
				fmt.Println("done:", m.Hook.Resource.Addr)
			}
		}
		tracker.End(r.Drain()) // before Wait, which closes the pipe
		if err := cmd.Wait(); err != nil && cmd.ProcessState == nil {
			return err
		}
		tracker.Exit(cmd.ProcessState.ExitCode())
		if s := tracker.Snapshot(); !s.Outcome.OK() {
			return fmt.Errorf("%s: %s", s.Outcome, s.Reason)
		}
		return nil
	}
	_ = run // run("tofu", "apply", "-json", "-auto-approve")
}

// Fail a pipeline unless the run has really succeeded, and say why.
func ExampleTracker_failTheBuild() {
	stream, err := os.Open("../testdata/tofu-1.12.6/apply-trouble/apply.failures.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	tracker := &uitrack.Tracker{Replay: true}
	for ev, err := range uijson.NewReader(stream).Borrowed() {
		if err != nil {
			log.Fatal(err)
		}
		tracker.Add(ev)
	}
	tracker.End(nil)
	s := tracker.Snapshot()
	fmt.Println(s.Outcome, "-", s.Reason)
	fmt.Println("planned:", s.Planned)
	for _, d := range s.Differences() {
		fmt.Printf("%s: %d of %d, because %s\n", d.What, d.Done, d.Planned, d.Why)
	}
	for _, r := range s.Resources {
		if r.Status == uitrack.StatusFailed {
			fmt.Println("failed:", r.Addr)
		}
	}
	// Output:
	// failed - the tool reported 3 errors
	// planned: 7 to add, 0 to change, 0 to destroy
	// add: 3 of 7, because operations failed, and what depends on them was not begun
	// failed: lab_switch.create_fails
	// failed: lab_thing.inconsistent
	// failed: lab_thing.half_made
}

// Show a diagnostic as the CLI does.
func ExampleRenderer_Diagnostic() {
	stream, err := os.Open("../testdata/tofu-1.12.6/apply-trouble/apply.failures.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	for ev, err := range uijson.NewReader(stream).Events() {
		if err != nil {
			log.Fatal(err)
		}
		if m := ev.Message; m != nil && m.Diagnostic != nil && m.IsError() {
			fmt.Print(uitrack.Renderer{Width: 78}.Diagnostic(m.Diagnostic))
			break
		}
	}
	// Output:
	// Error: Creation only half done
	//
	//   with lab_thing.half_made,
	//   on main.tf line 16, in resource "lab_thing" "half_made":
	//   16:   name = "hm"
	//
	// The object exists, but is not usable.
}

// Write the results of a test for a CI system.
func ExampleWriteJUnit() {
	stream := strings.NewReader(`{"@level":"info","@message":"","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","test_abstract":{"main.tftest.hcl":["works","fails"]},"type":"test_abstract"}
{"@level":"info","@message":"","@module":"tofu.ui","@testfile":"main.tftest.hcl","@testrun":"works","@timestamp":"2026-01-02T03:04:05.000002Z","test_run":{"path":"main.tftest.hcl","run":"works","status":"pass"},"type":"test_run"}
{"@level":"info","@message":"","@module":"tofu.ui","@testfile":"main.tftest.hcl","@testrun":"fails","@timestamp":"2026-01-02T03:04:05.000003Z","test_run":{"path":"main.tftest.hcl","run":"fails","status":"fail"},"type":"test_run"}
{"@level":"info","@message":"","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000004Z","test_summary":{"status":"fail","passed":1,"failed":1,"errored":0,"skipped":0},"type":"test_summary"}
`)
	tracker := uitrack.Tracker{Replay: true}
	for ev, err := range uijson.NewReader(stream).Borrowed() {
		if err != nil {
			log.Fatal(err)
		}
		tracker.Add(ev)
	}
	tracker.End(nil)
	if err := uitrack.WriteJUnit(os.Stdout, tracker.Snapshot(), "tofu test"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <testsuites name="tofu test" tests="2" failures="1" errors="0" skipped="0" time="0.000">
	//   <testsuite name="main.tftest.hcl" tests="2" failures="1" errors="0" skipped="0">
	//     <testcase name="works" classname="main.tftest.hcl" file="main.tftest.hcl"></testcase>
	//     <testcase name="fails" classname="main.tftest.hcl" file="main.tftest.hcl">
	//       <failure></failure>
	//     </testcase>
	//   </testsuite>
	// </testsuites>
}
