// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uirun_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uirun"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// recordings are streams of real runs.
const recordings = "../testdata/tofu-1.12.6/"

// TestMain is the tool itself if the environment says so: it answers as a real one did in a
// recording.
func TestMain(m *testing.M) {
	if stream := os.Getenv("UIRUN_STREAM"); stream != "" {
		os.Exit(tool(stream, os.Args[1:]))
	}
	os.Exit(m.Run())
}

func tool(stream string, args []string) int {
	fmt.Fprintln(os.Stderr, "arguments:", strings.Join(args, " "), os.Getenv("TF_CLI_ARGS"), os.Getenv("TF_IN_AUTOMATION"))
	if args[0] == "show" {
		fmt.Println(`{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"configuration":{"root_module":{}},"applyable":false,"complete":true,"errored":false}`)
		return 0
	}
	if args[0] == "version" {
		fmt.Println(`{"terraform_version":"1.12.6","platform":"linux_amd64","provider_selections":{},"terraform_outdated":false}`)
		return 0
	}
	src, err := os.ReadFile(stream)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "-out="); ok {
			os.WriteFile(name, []byte("plan"), 0o666)
		}
	}
	if os.Getenv("UIRUN_WAIT") != "" {
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		os.Stdout.Write(src[:len(src)/2])
		if os.Getenv("UIRUN_WAIT") == "ignore" {
			time.Sleep(time.Minute)
		}
		<-interrupted
		return 1
	}
	os.Stdout.Write(src)
	if strings.Contains(string(src), `"@level":"error"`) {
		return 1
	}
	return 0
}

// fake returns a tool that answers with a recording.
func fake(t *testing.T, stream string, env ...string) uirun.Tool {
	t.Helper()
	abs, err := filepath.Abs(recordings + stream)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(abs); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return uirun.Tool{Path: program, Dir: t.TempDir(), Env: append(append(os.Environ(), "UIRUN_STREAM="+abs, "TF_CLI_ARGS=-var=x=1"), env...)}
}

func TestPlan(t *testing.T) {
	tool := fake(t, "commands/plan.jsonl")
	var stderr strings.Builder
	tool.Stderr = &stderr
	events := 0
	tool.Event = func(*uijson.Event) { events++ }
	plan, run, err := tool.Plan(t.Context(), "plan.tfplan", "-destroy")
	if err != nil || plan == nil || run.Outcome != run.Snapshot.Outcome || !run.Outcome.OK() || run.ExitCode != 0 || events == 0 {
		t.Fatalf("%v, %v, %+v", err, plan, run)
	}
	if got := stderr.String(); !strings.Contains(got, "plan -json -input=false -out=plan.tfplan -destroy  1\n") || !strings.Contains(got, "show -json plan.tfplan") {
		t.Errorf("got %s", got)
	}
}

func TestFails(t *testing.T) {
	tool := fake(t, "diagnostics/plan.cycle.jsonl")
	plan, run, err := tool.Plan(t.Context(), "plan.tfplan")
	if err == nil || run == nil || run.Outcome.OK() || run.ExitCode != 1 || plan == nil {
		t.Errorf("%v, %v, %+v", err, plan, run)
	}
	if _, err := fake(t, "commands/plan.jsonl").Apply(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "no summary of an apply") {
		t.Errorf("a plan in place of an apply: %v", err)
	}
	if run, err := fake(t, "commands/apply.jsonl").Apply(t.Context(), "plan.tfplan"); err != nil || !run.Outcome.OK() {
		t.Errorf("%v, %+v", err, run)
	}
	if _, err := (uirun.Tool{Path: filepath.Join(t.TempDir(), "none")}).Version(t.Context()); err == nil {
		t.Error("there is no program")
	}
	if run, err := fake(t, "tests/test.none.jsonl").Test(t.Context()); err == nil || run.Outcome.OK() {
		t.Errorf("no test ran: %v", err)
	}
}

func TestDocuments(t *testing.T) {
	tool := fake(t, "commands/plan.jsonl")
	if v, err := tool.Version(t.Context()); err != nil || v.TerraformVersion != "1.12.6" {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := tool.State(t.Context()); err == nil {
		t.Error("a plan is no state")
	}
}

// TestInterrupted ends the context in the middle of a run: the tool gets an interrupt and ends by
// itself, and the error has the cause.
func TestInterrupted(t *testing.T) {
	for _, how := range []string{"end", "ignore"} {
		tool := fake(t, "commands/apply.jsonl", "UIRUN_WAIT="+how)
		if how == "ignore" {
			tool.Kill = 100 * time.Millisecond
		}
		why := errors.New("the job was cancelled")
		ctx, cancel := context.WithCancelCause(t.Context())
		tool.Event = func(*uijson.Event) { cancel(why) }
		run, err := tool.Apply(ctx, "")
		if !errors.Is(err, why) || run.Outcome.OK() || run.ExitCode == 0 {
			t.Errorf("%s: %v, %+v", how, err, run)
		}
	}
}

// TestFailures has what keeps a run from starting, and a plan that was not written.
func TestFailures(t *testing.T) {
	none := uirun.Tool{Path: filepath.Join(t.TempDir(), "none")}
	if _, _, err := none.Plan(t.Context(), filepath.Join(t.TempDir(), "plan")); err == nil {
		t.Error("a program that is not there makes a plan")
	}
	if _, err := none.Init(t.Context(), "-upgrade"); err == nil {
		t.Error("a program that is not there prepares a directory")
	}
	if _, err := none.Show(t.Context(), "plan"); err == nil {
		t.Error("a program that is not there shows a plan")
	}
	if run, err := fake(t, "commands/init.jsonl").Init(t.Context()); err != nil || !run.Outcome.OK() {
		t.Errorf("init: %v", err)
	}
}

func Example() {
	tool := uirun.Tool{Path: "tofu", Dir: "live/prod"}
	plan, run, err := tool.Plan(context.Background(), "plan.tfplan")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run.Snapshot.Counts(), len(plan.ResourceChanges))
}

func ExampleTool_Apply() {
	tool := uirun.Tool{Progress: uitrack.PrintLines(os.Stderr)}
	run, err := tool.Apply(context.Background(), "plan.tfplan")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run.Snapshot.Reported)
}

func ExampleTool_Command() {
	tool := uirun.Tool{Stderr: io.Discard}
	out, err := tool.Command(context.Background(), "output", "-json")
	fmt.Println(len(out), err)
}
