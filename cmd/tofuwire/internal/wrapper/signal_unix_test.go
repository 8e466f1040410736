// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process starts wrapper as a process of its own, the first of a process group
// as a terminal has it, and returns when it has printed a text.
func process(t *testing.T, f *fake, until string) (*exec.Cmd, *bufio.Reader, *os.File) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, f.args(nil)...)
	cmd.Env = append(os.Environ(), "WRAPPER_TEST_MAIN=1")
	cmd.Stdout = theirs
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	t.Cleanup(func() { ours.Close() })
	r := bufio.NewReader(ours)
	waitFor(t, r, until)
	return cmd, r, ours
}

func waitFor(t *testing.T, r *bufio.Reader, text string) {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		if strings.Contains(line, text) {
			return
		}
		if err != nil {
			t.Fatalf("the output ends without %q: %v", text, err)
		}
	}
}

// The terminal sends an interrupt to the whole process group. The tool gets
// one nevertheless, and none for those that follow.
func TestTerminalInterrupt(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "gate")
	f := newFake(t, interrupted(gate))
	cmd, r, _ := process(t, f, "time_sleep.nap[1]: Creating")
	for _, s := range []struct {
		signal syscall.Signal
		answer string
	}{
		{syscall.SIGINT, "stopping: waiting"},
		{syscall.SIGINT, "still waiting"},
		{syscall.SIGTERM, "still waiting"},
		{syscall.SIGHUP, "still waiting"},
	} {
		if err := syscall.Kill(-cmd.Process.Pid, s.signal); err != nil {
			t.Fatal(err)
		}
		waitFor(t, r, s.answer)
		f.hears()
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waitFor(t, r, "apply: cancelled")
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitCancelled {
		t.Errorf("exit status %d", code)
	}
	if log := f.log(); !strings.Contains(log, "signals: 1\nends\n") {
		t.Errorf("what the tool saw:\n%s", log)
	}
}

// Whoever reads the output may go away, and even wrapper may be killed: the
// tool ends its work.
func TestToolOutlives(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(t *testing.T, cmd *exec.Cmd, output *os.File)
		code int
	}{
		{"the reader of the output", func(t *testing.T, _ *exec.Cmd, output *os.File) { output.Close() }, exitOK},
		{"wrapper", func(t *testing.T, cmd *exec.Cmd, _ *os.File) {
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
			_ = cmd.Wait()
		}, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			gate := filepath.Join(t.TempDir(), "gate")
			f := newFake(t, with(map[string]step{"apply": {
				Files:   ui("apply-trouble/apply.after-deposed.jsonl"),
				PauseAt: "terraform_data.quiet: Destruction complete", Gate: gate,
				Touch: "saved.tfstate",
			}}))
			cmd, _, output := process(t, f, "terraform_data.quiet: Destroying")
			test.end(t, cmd, output)
			if err := os.WriteFile(gate, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if cmd.ProcessState == nil {
				_ = cmd.Wait()
			}
			if code := cmd.ProcessState.ExitCode(); code != test.code {
				t.Errorf("exit status %d, want %d", code, test.code)
			}
			// The tool's end is noted in its log, sooner or later.
			for range 3000 {
				if strings.HasSuffix(f.log(), "signals: 0\nends\n") {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Errorf("what became of the tool:\n%s", f.log())
		})
	}
}

// The exit status of a shell that starts the tool also reports a signal.
func TestKilledBehindShell(t *testing.T) {
	f := newFake(t, with(map[string]step{"apply": {Files: ui("apply-trouble/apply.interrupted-deaf.jsonl"), Kill: true}}))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "tofu")
	if err := os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\n%q \"$@\"\nexit $?\n", self), 0o700); err != nil {
		t.Fatal(err)
	}
	var b trigger
	if code := run([]string{"-tofu", script, f.dir}, nil, &b, &b); code != exitIncomplete {
		t.Errorf("exit status %d\n%s", code, b.String())
	}
}
