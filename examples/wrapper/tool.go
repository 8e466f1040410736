// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// errStopped says that a command was not begun, because a signal came first.
var errStopped = errors.New("stopped")

// A tool runs the commands of tofu or terraform, one after the other.
type tool struct {
	path   string // absolute
	dir    string // of the module
	stderr io.Writer
	notify func(format string, args ...any)

	mu      sync.Mutex
	running *os.Process
	stopped bool
}

// stop asks the running command to stop, and lets none begin any more. It does
// so once: asked a second time, the tool would exit without saving the state.
func (t *tool) stop() {
	t.mu.Lock()
	first, running := !t.stopped, t.running
	t.stopped = true
	var err error
	if first && running != nil {
		err = interrupt(running)
	}
	t.mu.Unlock()
	switch {
	case err != nil && !errors.Is(err, os.ErrProcessDone):
		t.notify("the tool could not be asked to stop: %v", err)
	case running == nil:
		t.notify("stopping")
	case first:
		t.notify("stopping: waiting for the tool to finish its running operations")
	default:
		t.notify("still waiting for the tool, process %d, which may hold the state", running.Pid)
	}
}

// isStopped reports whether a signal has come.
func (t *tool) isStopped() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stopped
}

// start starts a command, unless a signal has come.
func (t *tool) start(cmd *exec.Cmd) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stopped {
		return errStopped
	}
	isolate(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	t.running = cmd.Process
	return nil
}

// wait waits for the end of a command. What goes wrong with its standard error is not
// the command's fault.
func (t *tool) wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	t.mu.Lock()
	t.running = nil
	t.mu.Unlock()
	switch {
	case cmd.ProcessState == nil:
		return err
	case cmd.ProcessState.Success():
		return nil
	}
	return &exec.ExitError{ProcessState: cmd.ProcessState}
}

// command returns a command that is ready to be started.
func (t *tool) command(args []string) *exec.Cmd {
	cmd := exec.Command(t.path, args...) // without a context: nothing kills it
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "TF_IN_AUTOMATION=1")
	cmd.Stderr = t.stderr
	// Something that a provisioner left running may hold standard error open.
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// document runs a command that prints a document and returns the document.
func (t *tool) document(args ...string) ([]byte, error) {
	var out bytes.Buffer
	cmd := t.command(args)
	cmd.Stdout = &out
	if err := t.start(cmd); err != nil {
		return nil, err
	}
	err := t.wait(cmd)
	if err != nil {
		err = fmt.Errorf("%s: %w", args[0], err)
	}
	if err != nil && t.isStopped() {
		err = errStopped
	}
	return out.Bytes(), err
}

// stream runs a command that prints messages, calls see with each of them, and
// returns what the run came to. The messages go to the named file and are
// read from there while it grows: so the tool never has to wait for us, and
// outlives us. An event is valid only while see runs.
func (t *tool) stream(name string, see func(*uijson.Event), args ...string) (*uitrack.Snapshot, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	cmd := t.command(args)
	cmd.Stdout = file
	err = t.start(cmd)
	file.Close() // the tool has its own handle
	if err != nil {
		return nil, err
	}

	ended, end := context.WithCancel(context.Background())
	var waitErr error
	go func() {
		waitErr = t.wait(cmd)
		end()
	}()
	source := uijson.Follow(ended, name, 50*time.Millisecond)
	defer source.Close()
	var tracker uitrack.Tracker
	// The outcome and its reason are in the snapshot, beside much else.
	_, _ = uitrack.Attach(ended, source, func() error {
		<-ended.Done()
		return waitErr
	}, uitrack.AttachOptions{
		Tracker: &tracker,
		Event:   see,
		// A line of any length: it can hold the only copy of the state.
		Reader: []uijson.Option{uijson.MaxLine(0)},
	})
	return tracker.Snapshot(), nil
}
