// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
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

	stopped atomic.Bool // a signal has come
	mu      sync.Mutex  // for running
	running *os.Process
}

// stop asks the running command to stop, and lets none begin any more. It does
// so once: asked a second time, the tool would exit without saving the state.
func (t *tool) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch again := t.stopped.Swap(true); {
	case t.running == nil:
		t.notify("stopping")
	case again:
		t.notify("still waiting for the tool, process %d, which may hold the state", t.running.Pid)
	default:
		if err := interrupt(t.running); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.notify("the tool could not be asked to stop: %v", err)
		}
		t.notify("stopping: waiting for the tool to finish its running operations")
	}
}

// start starts a command, unless a signal has come, that prints to the named
// file. The function that it returns waits for the end.
func (t *tool) start(name string, args ...string) (wait func() error, err error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()                   // the tool has its own handle
	cmd := exec.Command(t.path, args...) // without a context: nothing kills it
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.dir, file, t.stderr
	cmd.Env = append(os.Environ(), "TF_IN_AUTOMATION=1")
	// Something that a provisioner left running may hold standard error open.
	cmd.WaitDelay = 10 * time.Second
	isolate(cmd)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stopped.Load() {
		return nil, errStopped
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t.running = cmd.Process
	return func() error {
		err := cmd.Wait()
		t.mu.Lock()
		defer t.mu.Unlock()
		t.running = nil
		if cmd.ProcessState != nil && cmd.ProcessState.Success() {
			return nil // what went wrong with standard error is not the tool's fault
		}
		return err
	}, nil
}

// document runs a command that prints a document to the named file, and returns
// the document.
func (t *tool) document(name string, args ...string) ([]byte, error) {
	wait, err := t.start(name, args...)
	if err == nil {
		err = wait()
	}
	switch {
	case err != nil && t.stopped.Load():
		return nil, errStopped
	case err != nil:
		return nil, fmt.Errorf("%s: %w", args[0], err)
	}
	return os.ReadFile(name)
}

// stream runs a command that prints messages, calls see with each of them, and
// returns what the run came to. The messages go to the named file and are
// read from there while it grows: so the tool never has to wait for us, and
// outlives us. An event is valid only while see runs.
func (t *tool) stream(name string, see func(*uijson.Event), args ...string) (*uitrack.Snapshot, error) {
	wait, err := t.start(name, args...)
	if err != nil {
		return nil, err
	}
	ended, end := context.WithCancel(context.Background())
	go func() {
		err = wait()
		end()
	}()
	source := uijson.Follow(ended, name, 50*time.Millisecond)
	defer source.Close()
	var tracker uitrack.Tracker
	// The outcome and its reason are in the snapshot, beside much else.
	_, _ = uitrack.Attach(context.Background(), source, func() error {
		<-ended.Done()
		return err
	}, uitrack.AttachOptions{
		Tracker: &tracker,
		Event:   see,
		// A line of any length: it can hold the only copy of the state.
		Reader: []uijson.Option{uijson.MaxLine(0)},
	})
	return tracker.Snapshot(), nil
}
