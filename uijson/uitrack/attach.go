// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/tofuwire/tofuwire/uijson"
)

// AttachOptions are the options of [Attach]. The zero value is ready to use.
type AttachOptions struct {
	// Tracker follows the run; its last snapshot describes the whole run. If nil,
	// Attach uses one of its own.
	Tracker *Tracker

	// Reader are options for the reader of the stream. If they do not include
	// [uijson.ReadAhead], Attach sets it to 64 MiB.
	Reader []uijson.Option

	// Event is called with each event, before the Tracker: what it removes from the Message,
	// as by [uijson.Message.Redact], is in no snapshot. The event is valid until it returns.
	Event func(*uijson.Event)

	// Progress is called with a snapshot at each Interval while the run lasts, and once
	// when it has ended: see [DrawLine] and [PrintLines]. Event and Progress are never called
	// at the same time.
	Progress func(*Snapshot)

	// Interval is the time between two calls of Progress. If it is not positive, it
	// is a second.
	Interval time.Duration
}

// attachAhead is how far a tool may be ahead of who follows it, in bytes.
const attachAhead = 64 << 20

// Attach follows the run of a tool that is already running, from its standard output r, and
// returns when both the stream and the tool have ended. It calls wait once, when the stream
// has ended, as exec.Cmd requires; pass its Wait method. If the error of wait has an
// ExitCode method, that gives the exit status. If wait is nil, the status is not known.
//
// The outcome is that of the [Snapshot]: of the worst run on the stream. The error is nil if
// and only if the outcome is a success. A stream without any message never is, whatever the
// exit status. The error wraps the error of wait, that of the stream, and the cause of ctx if
// ctx is done: errors.As finds the exec.ExitError with the exit status or the signal.
//
// Attach does not start or stop anything: to stop the tool, interrupt it. The program itself
// must live until Attach returns. Ctrl-C in a terminal interrupts both, so catch it with
// signal.Notify; the tool then stops by itself. When ctx is done,
// Attach continues to the end, because a tool whose output is not read dies in the middle of
// its work; it then calls Progress only once more, at the end.
func Attach(ctx context.Context, r io.Reader, wait func() error, options AttachOptions) (Outcome, error) {
	t := options.Tracker
	if t == nil {
		t = new(Tracker)
	}
	reader := uijson.NewReader(r, append([]uijson.Option{uijson.ReadAhead(attachAhead)}, options.Reader...)...)
	var mu sync.Mutex // for the calls of Event and Progress
	stop, last := progress(ctx, t, options, &mu)
	var streamErr error
	for ev, err := range reader.Borrowed() {
		if err != nil {
			streamErr = err // the last thing that comes
			break
		}
		if options.Event != nil {
			mu.Lock()
			options.Event(ev)
			mu.Unlock()
		}
		t.Add(ev)
	}
	var waitErr error
	ended := streamErr
	if wait != nil {
		waitErr = wait()
	}
	stop() // the end is shown once
	if wait != nil {
		var status interface{ ExitCode() int }
		switch {
		case waitErr == nil:
			t.Exit(0)
		case errors.As(waitErr, &status):
			t.Exit(status.ExitCode())
		default:
			ended = &waitError{waitErr}
		}
	}
	t.End(ended)
	last()
	return verdict(ctx, t.Snapshot(), errors.Join(waitErr, streamErr))
}

// A waitError is an error of the function that waits for the tool which does not tell how
// the tool has ended.
type waitError struct{ err error }

func (e *waitError) Error() string { return "how the tool has ended is not known: " + e.err.Error() }
func (e *waitError) Unwrap() error { return e.err }

// progress calls options.Progress until stop is called; last makes the last call.
func progress(ctx context.Context, t *Tracker, options AttachOptions, mu *sync.Mutex) (stop, last func()) {
	if options.Progress == nil {
		return func() {}, func() {}
	}
	interval := options.Interval
	if interval <= 0 {
		interval = time.Second
	}
	show := func() {
		mu.Lock()
		defer mu.Unlock()
		options.Progress(t.Snapshot())
	}
	ended := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ctx.Done():
				return
			case <-tick.C:
				show()
			}
		}
	})
	return func() {
		close(ended)
		wg.Wait()
	}, show
}

// verdict returns what Attach returns.
func verdict(ctx context.Context, s *Snapshot, err error) (Outcome, error) {
	if s.Outcome.OK() {
		return s.Outcome, nil
	}
	text := fmt.Sprintf("uitrack: %s: %s", ending(s.Outcome), s.Reason)
	cause := context.Cause(ctx)
	if cause != nil {
		text += ": " + cause.Error()
	}
	return s.Outcome, &runError{text, errors.Join(err, cause)}
}

// ending says in a sentence how an unsuccessful run ended.
func ending(o Outcome) string {
	switch o {
	case OutcomeFailed:
		return "the run failed"
	case OutcomeCancelled:
		return "the run was cancelled"
	case OutcomeNoTests:
		return "no test ran"
	}
	return "the run is " + string(o)
}

// A runError says how a run has ended, and wraps what Attach was told by others.
type runError struct {
	text string
	err  error
}

func (e *runError) Error() string { return e.text }
func (e *runError) Unwrap() error { return e.err }
