// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/uijson"
)

func TestWriter(t *testing.T) {
	var calls [][]byte
	w := uijson.NewWriter(writerFunc(func(p []byte) (int, error) {
		calls = append(calls, bytes.Clone(p))
		return len(p), nil
	}))
	m := uijson.NewMessage(uijson.TypeLog, "a <b> & \u2028")
	m.Timestamp = time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC).Format("2006-01-02T15:04:05.000000Z07:00")
	if err := w.Write(m); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(decode(t, []byte(logLine))); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"@level":"info","@message":"a <b> & \u2028","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000000Z","type":"log"}` + "\n",
		logLine,
	}
	for i, w := range want {
		if string(calls[i]) != w {
			t.Errorf("got %swant %s", calls[i], w)
		}
	}
	bad := uijson.NewMessage(uijson.TypeLog, "")
	bad.State = uijson.Value("{")
	var e *uijson.Error
	if err := w.Write(bad); !errors.As(err, &e) || len(calls) != 2 {
		t.Errorf("%v, %d calls", err, len(calls))
	}
	if err := w.WriteEvent(&uijson.Event{}); err != nil || len(calls) != 2 {
		t.Errorf("an empty event: %v, %d calls", err, len(calls))
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// After a torn line, the next message begins on a line of its own.
func TestWriterTorn(t *testing.T) {
	var out bytes.Buffer
	broken := errors.New("broken")
	fail := true
	w := uijson.NewWriter(writerFunc(func(p []byte) (int, error) {
		if fail {
			fail = false
			n, _ := out.Write(p[:10])
			return n, broken
		}
		return out.Write(p)
	}))
	if err := w.Write(decode(t, []byte(logLine))); err != broken {
		t.Error(err)
	}
	for range 2 {
		if err := w.Write(decode(t, []byte(logLine))); err != nil {
			t.Error(err)
		}
	}
	if want := logLine[:10] + "\n" + logLine + logLine; out.String() != want {
		t.Errorf("%q", out.String())
	}
	if err := uijson.NewWriter(shortWriter{}).Write(decode(t, []byte(logLine))); err != io.ErrShortWrite {
		t.Error(err)
	}
}

// Lines that are written at the same time do not mix.
func TestWriterConcurrent(t *testing.T) {
	pr, pw := io.Pipe()
	w := uijson.NewWriter(pw)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 200 {
				if err := w.Write(uijson.NewMessage(uijson.TypeLog, fmt.Sprintf("%d %d", i, j))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	go func() {
		wg.Wait()
		pw.Close()
	}()
	n := 0
	for e, err := range uijson.NewReader(pr).Events() {
		if err != nil || e.Err != nil || e.Kind != uijson.EventMessage {
			t.Fatal(e, err)
		}
		n++
	}
	if n != 1600 {
		t.Errorf("%d messages", n)
	}
}

func TestTime(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-02T03:04:05.123456Z":      "2026-01-02T03:04:05.123456Z",
		"2026-01-02T03:04:05.100000+02:00": "2026-01-02T01:04:05.1Z",
		"2026-01-02T03:04:05Z":             "2026-01-02T03:04:05Z",
		"2026-01-02T03:04:05.123Z":         "2026-01-02T03:04:05.123Z",
	} {
		at, err := (&uijson.Message{Timestamp: text}).Time()
		if err != nil || at.UTC().Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %v, %v", text, at, err)
		}
	}
	if _, err := (&uijson.Message{}).Time(); err == nil {
		t.Error("no error for an empty time")
	}
}

// Hazard 24: the file of -json-into is truncated by each run, replaced, and
// read while it is being written.
func TestFollow(t *testing.T) {
	name := filepath.Join(t.TempDir(), "stream.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f := uijson.Follow(ctx, name, time.Millisecond)
	defer f.Close()
	events := make(chan string)
	done := make(chan error)
	go func() {
		for e, err := range uijson.NewReader(f).Events() {
			if err != nil {
				done <- err
				return
			}
			events <- describe(e)
		}
		done <- nil
	}()
	expect := func(want string) {
		t.Helper()
		if got := <-events; got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	write := func(flags int, text string) {
		t.Helper()
		out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|flags, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		if _, err := out.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	write(os.O_TRUNC, versionLine+logLine[:20])
	expect("message version")
	write(os.O_APPEND, logLine[20:])
	expect("message log")
	// A shorter file: another run. The rest of the line before is lost.
	write(os.O_APPEND, logLine[:30])
	write(os.O_TRUNC, logLine)
	for {
		got := <-events
		if got == "message log" {
			break
		}
		if got != "partial ! unended" {
			t.Fatalf("got %q", got)
		}
	}
	// Truncated and longer again before anybody looks.
	write(os.O_TRUNC, versionLine+logLine+logLine)
	expect("message version")
	expect("message log")
	expect("message log")
	// Replaced.
	if runtime.GOOS != "windows" { // where an open file cannot be
		other := name + ".new"
		if err := os.WriteFile(other, []byte(versionLine), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(other, name); err != nil {
			t.Fatal(err)
		}
		expect("message version")
	}
	write(os.O_APPEND, logLine)
	cancel()
	expect("message log")
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestFollowErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := uijson.Follow(ctx, filepath.Join(t.TempDir(), "missing"), 0)
	if n, err := f.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("a missing file: %d, %v", n, err)
	}
	if n, err := f.Read(nil); n != 0 || err != nil {
		t.Errorf("an empty buffer: %d, %v", n, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	f = uijson.Follow(ctx, t.TempDir(), 0)
	if _, err := f.Read(make([]byte, 1)); err == nil || err == io.EOF {
		t.Errorf("a directory: %v", err)
	}
	f.Close()
}

// TestMain lets the test program play the tool: it writes a recording to its
// standard output, over and over, and ends with a status of its own.
func TestMain(m *testing.M) {
	if name := os.Getenv("UIJSON_TEST_EMIT"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			os.Exit(99)
		}
		for range 50 {
			// Every write must succeed: SIGPIPE would kill the process.
			if _, err := os.Stdout.Write(text); err != nil {
				os.Exit(98)
			}
		}
		os.Exit(7)
	}
	os.Exit(m.Run())
}

// emit starts the test program as the tool.
func emit(t *testing.T) (*exec.Cmd, io.Reader) {
	t.Helper()
	if runtime.GOARCH == "wasm" {
		t.Skip("needs a system that starts programs")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "UIJSON_TEST_EMIT=testdata/tofu-1.12.6/apply-trouble/apply.after-deposed.jsonl")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, stdout
}

// Hazards 17 and 18: whatever the consumer does, a real child process writes
// everything and ends with its own status.
func TestSoak(t *testing.T) {
	tests := []struct {
		name    string
		opts    []uijson.Option
		consume func(*uijson.Reader)
	}{
		{"attentive", nil, func(r *uijson.Reader) {
			for range r.Events() {
			}
		}},
		{"slow", nil, func(r *uijson.Reader) {
			n := 0
			for range r.Borrowed() {
				if n++; n%500 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		}},
		{"slow, with room ahead", []uijson.Option{uijson.ReadAhead(1 << 20)}, func(r *uijson.Reader) {
			n := 0
			for range r.Borrowed() {
				if n++; n%500 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		}},
		{"stops early", nil, func(r *uijson.Reader) {
			for range r.Events() {
				break
			}
		}},
		{"stops early, with room ahead", []uijson.Option{uijson.ReadAhead(100)}, func(r *uijson.Reader) {
			for range r.Events() {
				break
			}
		}},
		{"panics", nil, func(r *uijson.Reader) {
			defer func() { recover() }()
			for range r.Borrowed() {
				panic("consumer")
			}
		}},
		{"never begins", nil, func(*uijson.Reader) {}},
		{"broken tee", []uijson.Option{uijson.Tee(failingWriter{io.ErrClosedPipe})}, func(r *uijson.Reader) {
			for range r.Envelopes() {
			}
		}},
		{"small limit", []uijson.Option{uijson.MaxLine(100)}, func(r *uijson.Reader) {
			for range r.Events() {
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cmd, stdout := emit(t)
			r := uijson.NewReader(stdout, test.opts...)
			test.consume(r)
			if err := r.Drain(); err != nil {
				t.Errorf("Drain: %v", err)
			}
			err := cmd.Wait()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 7 {
				t.Errorf("the child ended with %v, want its own status 7", err)
			}
		})
	}
}

// Without Drain, a child is not blocked either, even if Wait closes the pipe.
func TestLeftWithoutDrain(t *testing.T) {
	cmd, stdout := emit(t)
	for range uijson.NewReader(stdout).Events() {
		break
	}
	// A consumer that forgets to drain: the process ends all the same.
	state, err := cmd.Process.Wait()
	if err != nil || state.ExitCode() != 7 {
		t.Errorf("%v, %v", state, err)
	}
}

func TestSanitize(t *testing.T) {
	for in, want := range map[string]string{
		"plain":               "plain",
		"é 😀\n\ttab":          "é 😀\n\ttab",
		"a\x1b[31mb\x07\x7f":  "a␛[31mb␇␡",
		"over\rwrite\r\nnext": "over␍write\r\nnext",
		"c1 \u009b31m":        "c1 \uFFFD31m",
		"bidi \u202e\u2066":   "bidi \uFFFD\uFFFD",
		"bad \xff":            "bad \uFFFD",
		"":                    "",
	} {
		if got := uijson.Sanitize(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestEventText(t *testing.T) {
	for e, err := range uijson.NewReader(strings.NewReader("some text\r\n")).Events() {
		if err != nil || e.Text() != "some text" || e.Prefix() != nil {
			t.Errorf("%v, text %q, prefix %q", err, e.Text(), e.Prefix())
		}
	}
	for k := uijson.EventKind(0); k < 10; k++ {
		if s := k.String(); s == "" || strings.HasPrefix(s, "EventKind(") != (k < uijson.EventMessage || k > uijson.EventDamaged) {
			t.Errorf("kind %d is %q", k, s)
		}
	}
}

// A named pipe is read to its end.
func TestFollowPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "fifo")
	if err := exec.Command("mkfifo", name).Run(); err != nil {
		t.Skip("needs a system with named pipes:", err)
	}
	go func() {
		w, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(w, versionLine)
		io.WriteString(w, logLine)
		w.Close()
	}()
	f := uijson.Follow(t.Context(), name, time.Millisecond)
	defer f.Close()
	var got []string
	for e, err := range uijson.NewReader(f).Events() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, describe(e))
	}
	if strings.Join(got, ", ") != "message version, message log" {
		t.Error(got)
	}
}
