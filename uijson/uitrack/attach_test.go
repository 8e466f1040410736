// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// An exitError is like that of os/exec.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }
func (e exitError) ExitCode() int { return int(e) }

// Attach returns when the stream and the tool have ended, and an error unless both say
// that all went well.
func TestAttach(t *testing.T) {
	plan := string(recording(t, "tofu-1.12.6/actions/plan.change.jsonl"))
	failed := string(recording(t, "tofu-1.12.6/apply-trouble/apply.failures.jsonl"))
	odd := errors.New("odd")
	for _, test := range []struct {
		name   string
		stream io.Reader
		wait   error
		want   uitrack.Outcome
		is     error
	}{
		{"plan", strings.NewReader(plan), nil, uitrack.OutcomeSuccess, nil},
		{"plan -detailed-exitcode", strings.NewReader(plan), exitError(2), uitrack.OutcomeSuccess, nil},
		{"a wait error with a clean stream", strings.NewReader(plan), exitError(1), uitrack.OutcomeFailed, exitError(1)},
		{"killed", strings.NewReader(plan), exitError(-1), uitrack.OutcomeIncomplete, exitError(-1)},
		{"another wait error", strings.NewReader(plan), odd, uitrack.OutcomeIncomplete, odd},
		{"another wait error, failed", strings.NewReader(failed), fmt.Errorf("x: %w", odd), uitrack.OutcomeFailed, odd},
		{"a good status with a cut stream", strings.NewReader(plan[:len(plan)/2]), nil, uitrack.OutcomeIncomplete, io.ErrUnexpectedEOF},
		{"a stream that cannot be read", io.MultiReader(strings.NewReader(plan), iotest.ErrReader(odd)), nil, uitrack.OutcomeIncomplete, odd},
		{"failed", strings.NewReader(failed), exitError(1), uitrack.OutcomeFailed, exitError(1)},
		{"a failed run before a good one", strings.NewReader(failed + plan), nil, uitrack.OutcomeFailed, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var tracker uitrack.Tracker
			var events, shown, waited int
			var last *uitrack.Snapshot
			outcome, err := uitrack.Attach(t.Context(), test.stream, func() error {
				waited++
				if tracker.Snapshot().Outcome != uitrack.OutcomeRunning {
					t.Error("ended before the tool")
				}
				return test.wait
			}, uitrack.AttachOptions{
				Tracker:  &tracker,
				Event:    func(*uijson.Event) { events++ },
				Progress: func(s *uitrack.Snapshot) { last = s; shown++ },
				Interval: time.Microsecond,
			})
			if outcome != test.want || outcome.OK() != (err == nil) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("%s, %v; want %s, %v", outcome, err, test.want, test.is)
			}
			if waited != 1 || events < 5 || shown < 1 || last.Outcome == uitrack.OutcomeRunning {
				t.Errorf("waited %d times, %d events, progress %d times, last %s", waited, events, shown, last.Outcome)
			}
		})
	}
}

// A tool that prints no message has not shown that it succeeded. The error says how each
// kind of run ended.
func TestAttach_errors(t *testing.T) {
	failed := string(recording(t, "tofu-1.12.6/apply-trouble/apply.failures.jsonl"))
	interrupted := string(recording(t, "tofu-1.12.6/apply-trouble/apply.interrupted.jsonl"))
	for _, test := range []struct{ name, stream, want string }{
		{"nothing", "", "uitrack: the run is incomplete: there is no message on the stream (was -json passed?), although the exit status is 0"},
		{"the words for people", "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.\n", "uitrack: the run is incomplete: there is no message on the stream (was -json passed?)"},
		{"a document", `{"format_version":"1.0","valid":true,"error_count":0,"warning_count":0,"diagnostics":[]}` + "\n", "uitrack: the run is incomplete: there is no message on the stream: "},
		{"failed", failed, "uitrack: the run failed: the tool reported 3 errors, although the exit status is 0"},
		{"interrupted", interrupted, "uitrack: the run was cancelled: "},
	} {
		_, err := uitrack.Attach(t.Context(), strings.NewReader(test.stream), func() error { return nil }, uitrack.AttachOptions{})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

// When the context is done, the run is followed to its end nonetheless.
func TestAttach_context(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	text := recording(t, "tofu-1.12.6/apply-trouble/apply.interrupted.jsonl")
	pr, pw := io.Pipe()
	go func() {
		half := bytes.IndexByte(text[len(text)/2:], '\n') + len(text)/2 + 1
		_, _ = pw.Write(text[:half])
		cancel(cause)
		_, _ = pw.Write(text[half:])
		pw.Close()
	}()
	outcome, err := uitrack.Attach(ctx, pr, nil, uitrack.AttachOptions{})
	if outcome != uitrack.OutcomeCancelled || !errors.Is(err, cause) {
		t.Errorf("%s, %v", outcome, err)
	}
	if outcome, err := uitrack.Attach(ctx, strings.NewReader(""), func() error { return nil }, uitrack.AttachOptions{}); outcome != uitrack.OutcomeIncomplete || !errors.Is(err, cause) || !strings.HasSuffix(err.Error(), ": enough") {
		t.Errorf("a silent command: %s, %v", outcome, err)
	}
}

// The line fits into any width at any moment of any run, and tells the truth.
func TestLine(t *testing.T) {
	n := 0
	for name, text := range recordings(t) {
		if n++; n%7 != 0 || len(text) > 60_000 {
			continue
		}
		tracker := uitrack.Tracker{Replay: true}
		for ev := range uijson.NewReader(bytes.NewReader(text)).Events() {
			if ev == nil {
				break
			}
			tracker.Add(ev)
			s := tracker.Snapshot()
			line := s.Line(0)
			if strings.ContainsAny(line, "\n\r\x1b") || line == "" {
				t.Fatalf("%s: %q", name, line)
			}
			if before := s.Operation == "" || s.Operation == uijson.OperationPlan; before && strings.Contains(line, " added") {
				t.Fatalf("%s: the past tense before the apply: %q", name, line)
			}
			if s.Reported != nil && strings.Contains(line, " to add") {
				t.Fatalf("%s: the future tense after the apply: %q", name, line)
			}
			for _, width := range []int{1, 20, 60} {
				if n := utf8.RuneCountInString(s.Line(width)); n > width {
					t.Fatalf("%s: %d characters for a width of %d", name, n, width)
				}
			}
		}
	}
	var none *uitrack.Snapshot
	if none.Line(10) != "" || none.Counts() != "" {
		t.Error("a nil snapshot has a line")
	}
}

// Progress is drawn over one line, or printed when it has changed.
func TestProgressWriters(t *testing.T) {
	text := string(recording(t, "tofu-1.12.6/actions/apply.change.jsonl"))
	var drawn, printed strings.Builder
	var calls atomic.Int64
	draw, show := uitrack.DrawLine(&drawn, 40), uitrack.PrintLines(&printed)
	if _, err := uitrack.Attach(t.Context(), iotest.OneByteReader(strings.NewReader(text)), nil, uitrack.AttachOptions{
		Progress: func(s *uitrack.Snapshot) {
			calls.Add(1)
			draw(s)
			show(s)
			show(s)
		},
		Interval: time.Millisecond,
	}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(drawn.String(), "\r"); int64(n) != calls.Load() || strings.Count(drawn.String(), "\n") != 1 {
		t.Errorf("%d calls: %q", calls.Load(), drawn.String())
	}
	lines := strings.Split(strings.TrimSuffix(printed.String(), "\n"), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "Success ") || !strings.Contains(last, " added, ") {
		t.Errorf("the last line is %q", last)
	}
}

func ExampleAttach() {
	// The standard output of "tofu apply -json", and the Wait method of its exec.Cmd.
	stdout := strings.NewReader(`{"@level":"info","@message":"Apply complete!","@module":"tofu.ui","changes":{"add":1,"change":0,"import":0,"remove":0,"operation":"apply"},"type":"change_summary"}
{"@level":"info","@message":"Outputs: 0","@module":"tofu.ui","outputs":{},"type":"outputs"}
`)
	wait := func() error { return nil }
	var tracker uitrack.Tracker
	outcome, err := uitrack.Attach(context.Background(), stdout, wait, uitrack.AttachOptions{
		Tracker: &tracker,
		Event: func(ev *uijson.Event) {
			if m := ev.Message; m != nil {
				fmt.Println(uijson.Sanitize(m.Text))
			}
		},
	})
	if err == nil && tracker.Snapshot().Reported == nil {
		err = errors.New("the run was not an apply") // but a plan, for example
	}
	fmt.Println(outcome, err)
	// Output:
	// Apply complete!
	// Outputs: 0
	// success <nil>
}
