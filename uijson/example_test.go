// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
)

// Run a tool and see its messages as they come. The process can always write
// and always ends by itself, even if the loop is left early.
func ExampleReader_runATool() {
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
		tracker := new(uijson.Tracker)
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
	stream, err := os.Open("testdata/tofu-1.12.6/apply-trouble/apply.failures.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	tracker := &uijson.Tracker{Replay: true}
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
		if r.Status == uijson.StatusFailed {
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
	stream, err := os.Open("testdata/tofu-1.12.6/apply-trouble/apply.failures.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	for ev, err := range uijson.NewReader(stream).Events() {
		if err != nil {
			log.Fatal(err)
		}
		if m := ev.Message; m != nil && m.Diagnostic != nil && m.IsError() {
			fmt.Print(uijson.Renderer{Width: 78}.Diagnostic(m.Diagnostic))
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

// Filter a stream: drop the output of provisioners, remove secrets from
// everything else, and pass the rest on unchanged.
func ExampleMessage_Redact() {
	in := strings.NewReader(`{"@level":"info","@message":"a.b: Creating...","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","hook":{"resource":{"addr":"a.b"},"action":"create"},"type":"apply_start"}
{"@level":"info","@message":"a.b: (local-exec): hello","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000002Z","hook":{"resource":{"addr":"a.b"},"provisioner":"local-exec","output":"hello"},"type":"provision_progress"}
{"@level":"info","@message":"a.b: Creation complete after 0s [id=k-1234]","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000003Z","hook":{"resource":{"addr":"a.b"},"action":"create","id_key":"id","id_value":"k-1234","elapsed_seconds":0},"type":"apply_complete"}
`)
	out := uijson.NewWriter(os.Stdout)
	for ev, err := range uijson.NewReader(in).Borrowed() {
		if err != nil {
			log.Fatal(err)
		}
		m := ev.Message
		if m == nil || m.Type == uijson.TypeProvisionProgress {
			continue
		}
		m.Redact(uijson.Secrets)
		if err := out.WriteEvent(ev); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// {"@level":"info","@message":"a.b: Creating...","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","hook":{"resource":{"addr":"a.b"},"action":"create"},"type":"apply_start"}
	// {"@level":"info","@message":"a.b: Creation complete after 0s [id=(sensitive value)]","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000003Z","hook":{"resource":{"addr":"a.b"},"action":"create","id_key":"id","id_value":"(sensitive value)","elapsed_seconds":0},"type":"apply_complete"}
}

// Count the types of messages on a stream, without reading the payloads.
func ExampleReader_Envelopes() {
	stream, err := os.Open("testdata/tofu-1.12.6/apply-trouble/destroy.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	count := map[uijson.Type]int{}
	for e, err := range uijson.NewReader(stream).Envelopes() {
		if err != nil {
			log.Fatal(err)
		}
		count[e.Type]++
	}
	fmt.Println(count[uijson.TypeApplyStart], "operations begun,", count[uijson.TypeApplyComplete], "complete")
	// Output: 22 operations begun, 22 complete
}

// Read a stream that Terragrunt has put unit names before.
func ExampleUnwrap() {
	in := strings.NewReader(`[vpc] {"@level":"info","@message":"Plan: 1 to add, 0 to change, 0 to destroy.","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","changes":{"add":1,"change":0,"import":0,"remove":0,"forget":0,"operation":"plan"},"type":"change_summary"}
`)
	for ev, err := range uijson.NewReader(in, uijson.Unwrap(uijson.UnwrapPrefix)).Events() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %s\n", ev.Prefix(), ev.Message.Text)
	}
	// Output: [vpc]  Plan: 1 to add, 0 to change, 0 to destroy.
}

// Report what a wrapper does on the same stream as the tool.
func ExampleWriter_ownStream() {
	m := uijson.NewMessage(uijson.TypeLog, "Policy <baseline> passed & signed")
	m.Module = "acme.ui"
	m.Timestamp = "2026-01-02T03:04:05.000001Z" // NewMessage has set the present time
	if err := uijson.NewWriter(os.Stdout).Write(m); err != nil {
		log.Fatal(err)
	}
	// Output: {"@level":"info","@message":"Policy <baseline> passed & signed","@module":"acme.ui","@timestamp":"2026-01-02T03:04:05.000001Z","type":"log"}
}

// Refuse a stream of a format that this program was not made for, as the
// tools' documentation asks.
func ExampleMessage_CheckVersion() {
	line := []byte(`{"@level":"info","@message":"OpenTofu 9.0.0","@module":"tofu.ui","@timestamp":"2031-01-02T03:04:05.000001Z","tofu":"9.0.0","type":"version","ui":"2.0"}`)
	m, err := uijson.Decode(line)
	if err != nil {
		log.Fatal(err)
	}
	if err := m.CheckVersion(); errors.Is(err, uijson.ErrVersion) {
		fmt.Println(err)
	}
	// Output: uijson: line 1, column 1 (/ui): unsupported format version "2.0"
}

// Keep the stream in a file while it is read.
func ExampleTee() {
	var file strings.Builder
	in := strings.NewReader("Warning: not JSON\n" + `{"@level":"info","@message":"Apply complete!","@module":"tofu.ui","type":"log"}` + "\n")
	r := uijson.NewReader(in, uijson.Tee(&file))
	for ev, err := range r.Events() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(ev.Kind)
	}
	if err := r.TeeErr(); err != nil {
		log.Fatal(err)
	}
	_, _ = io.WriteString(os.Stdout, file.String())
	// Output:
	// text
	// message
	// Warning: not JSON
	// {"@level":"info","@message":"Apply complete!","@module":"tofu.ui","type":"log"}
}
