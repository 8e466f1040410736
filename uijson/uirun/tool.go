// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uirun

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// A Tool describes how to run a program. It must not be changed while a method runs.
type Tool struct {
	// Path is the program, a name on PATH or a path. If empty, it is tofu.
	Path string
	// Dir is the directory in which the tool runs. If empty, it is the working directory.
	Dir string
	// Env is the environment. If nil, it is the environment of the process.
	Env []string
	// Stderr, if not nil, receives the standard error of the tool.
	Stderr io.Writer
	// Event, if not nil, is called for each event of a stream, before it is tracked.
	Event func(*uijson.Event)
	// Progress, if not nil, is called about once a second while a stream is followed:
	// see [uitrack.AttachOptions].
	Progress func(*uitrack.Snapshot)
	// Kill is the time from the interrupt until the tool is killed. If zero, the tool is not
	// killed, because it may need minutes to save its state.
	Kill time.Duration
}

// A Run is a finished run with a stream of messages.
type Run struct {
	// Outcome is the outcome of the run, and Snapshot everything that its messages
	// reported.
	Outcome  uitrack.Outcome
	Snapshot *uitrack.Snapshot
	// ExitCode is the exit status of the tool, or -1 if a signal ended it.
	ExitCode int
}

// Plan runs "plan -json -out=FILE" with further arguments, such as -destroy or -var-file=F, and
// returns the document of the plan in file, as "show -json" prints it. A relative file is
// relative to [Tool.Dir]. A plan that failed may have a document as well: in that case the
// results are set in addition to the error.
func (t Tool) Plan(ctx context.Context, file string, args ...string) (*planjson.Plan, *Run, error) {
	run, err := t.stream(ctx, append([]string{"plan", "-json", "-input=false", "-out=" + file}, args...))
	if err != nil && !t.exists(file) {
		return nil, run, err
	}
	plan, showErr := t.Show(ctx, file)
	return plan, run, cmp.Or(err, showErr)
}

// exists reports whether a plan was written.
func (t Tool) exists(file string) bool {
	name := file
	if !strings.HasPrefix(file, "/") && t.Dir != "" {
		name = t.Dir + string(os.PathSeparator) + file
	}
	info, err := os.Stat(name)
	return err == nil && info.Size() > 0
}

// Apply runs "apply -json" with a saved plan or, if plan is empty, with a new one that is
// approved automatically. It returns an error if the stream does not contain the summary of an
// apply.
func (t Tool) Apply(ctx context.Context, plan string, args ...string) (*Run, error) {
	all := append([]string{"apply", "-json", "-input=false", "-auto-approve"}, args...)
	if plan != "" {
		all = append(all, plan)
	}
	run, err := t.stream(ctx, all)
	if err == nil && run.Snapshot.Reported == nil {
		err = errors.New("uirun: the stream has no summary of an apply")
	}
	return run, err
}

// Test runs "test -json".
func (t Tool) Test(ctx context.Context, args ...string) (*Run, error) {
	return t.stream(ctx, append([]string{"test", "-json"}, args...))
}

// Init runs "init -json". Older releases refuse this option; use [Tool.Command] for them.
func (t Tool) Init(ctx context.Context, args ...string) (*Run, error) {
	return t.stream(ctx, append([]string{"init", "-json", "-input=false"}, args...))
}

// Show returns the document of a saved plan.
func (t Tool) Show(ctx context.Context, plan string) (*planjson.Plan, error) {
	src, err := t.Command(ctx, "show", "-json", plan)
	if err != nil {
		return nil, err
	}
	return planjson.DecodePlan(src)
}

// State returns the document of the current state.
func (t Tool) State(ctx context.Context) (*planjson.State, error) {
	src, err := t.Command(ctx, "show", "-json")
	if err != nil {
		return nil, err
	}
	return planjson.DecodeState(src)
}

// Version returns the document of "version -json".
func (t Tool) Version(ctx context.Context) (*planjson.Version, error) {
	src, err := t.Command(ctx, "version", "-json")
	if err != nil {
		return nil, err
	}
	return planjson.DecodeVersion(src)
}

// Command runs the tool with arguments and returns its standard output. It is for commands
// without a method. The error contains the end of the standard error.
func (t Tool) Command(ctx context.Context, args ...string) ([]byte, error) {
	cmd := t.command(ctx, args)
	var stdout bytes.Buffer
	var stderr tail
	cmd.Stdout = &stdout
	cmd.Stderr = &stderr
	if t.Stderr != nil {
		cmd.Stderr = io.MultiWriter(&stderr, t.Stderr)
	}
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("%w (%w)", err, context.Cause(ctx))
		}
		return stdout.Bytes(), failed(strings.Join(args[:min(len(args), 1)], ""), err, &stderr)
	}
	return stdout.Bytes(), nil
}

// stream runs the tool and follows its messages.
func (t Tool) stream(ctx context.Context, args []string) (*Run, error) {
	cmd := t.command(ctx, args)
	var stderr tail
	cmd.Stderr = &stderr
	if t.Stderr != nil {
		cmd.Stderr = io.MultiWriter(&stderr, t.Stderr)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("uirun: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("uirun: %w", err)
	}
	tracker := new(uitrack.Tracker)
	options := uitrack.AttachOptions{Tracker: tracker, Progress: t.Progress, Event: t.Event}
	outcome, err := uitrack.Attach(ctx, stdout, func() error { return wait(cmd) }, options)
	run := &Run{Outcome: outcome, Snapshot: tracker.Snapshot(), ExitCode: -1}
	if cmd.ProcessState != nil {
		run.ExitCode = cmd.ProcessState.ExitCode()
	}
	if err != nil {
		return run, failed(args[0], err, &stderr)
	}
	return run, nil
}

// wait waits for a command. Whether the context interrupted it does not matter here: how it ended
// does.
func wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	if state := cmd.ProcessState; state != nil && err != nil {
		if state.Success() {
			return nil
		}
		return &exec.ExitError{ProcessState: state}
	}
	return err
}

// command returns the command, which an end of the context interrupts.
func (t Tool) command(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, cmp.Or(t.Path, "tofu"), args...)
	cmd.Dir = t.Dir
	cmd.Env = environment(t.Env)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = t.Kill
	return cmd
}

// environment returns the environment of the tool.
func environment(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, "TF_CLI_ARGS") })
	return append(env, "TF_IN_AUTOMATION=1")
}

// failed returns the error of a run, with the end of what the tool printed to standard error.
func failed(name string, err error, stderr *tail) error {
	if text := stderr.text(); text != "" {
		return fmt.Errorf("uirun: %s: %w: %s", name, err, text)
	}
	return fmt.Errorf("uirun: %s: %w", name, err)
}

// maxTail is how much of standard error is kept.
const maxTail = 4 << 10

// A tail keeps the end of what is written to it.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if n := len(t.kept) - maxTail; n > 0 {
		t.kept = append(t.kept[:0], t.kept[n:]...)
	}
	return len(p), nil
}

// text returns what was kept in one line, without control sequences.
func (t *tail) text() string {
	return strings.Join(strings.Fields(uijson.Sanitize(string(t.kept))), " ")
}
