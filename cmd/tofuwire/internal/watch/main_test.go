// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

const recordings = "../../../../uijson/testdata"

// TestMain lets the test program play the tool, when watch starts it: it
// copies a recording to its standard output and ends with a given status.
func TestMain(m *testing.M) {
	if name := os.Getenv("WATCH_TEST_EMIT"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			os.Exit(99)
		}
		fmt.Fprintln(os.Stderr, "a word on standard error")
		if _, err := os.Stdout.Write(text); err != nil {
			os.Exit(98)
		}
		code := 0
		fmt.Sscan(os.Getenv("WATCH_TEST_EXIT"), &code)
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// The exit status says how each recorded run ended.
func TestRecordings(t *testing.T) {
	codes := map[string]int{}
	for _, folder := range []string{"", "releases/"} {
		exits, err := os.ReadFile(filepath.Join(recordings, filepath.FromSlash(folder+"exit.txt")))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(exits)) {
			var name string
			var code int
			if _, err := fmt.Sscan(line, &name, &code); err != nil {
				t.Fatal(err)
			}
			codes[folder+name] = code
		}
	}
	for name, code := range codes {
		text, err := os.ReadFile(filepath.Join(recordings, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		got := run(t.Context(), nil, bytes.NewReader(text), &stdout, &stderr)
		want := map[bool]string{true: "0", false: "1 3 4"}[code == 0 || code == 2]
		switch {
		case strings.HasSuffix(name, "test.none.jsonl"):
			want = "5"
		case strings.HasSuffix(name, "commands/get.jsonl"): // the version alone
			want = "4"
		}
		if !strings.Contains(want, fmt.Sprint(got)) || stderr.Len() > 0 {
			t.Errorf("%s, whose command ended with %d: status %d, want %s\n%s%s", name, code, got, want, stdout.String(), stderr.String())
		}
		if strings.ContainsRune(stdout.String(), '\x1b') {
			t.Errorf("%s: control characters in plain output", name)
		}
	}
}

func TestPlainOutput(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(recordings, "tofu-1.12.6/apply-trouble/apply.interrupted.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if got := run(t.Context(), nil, bytes.NewReader(text), &stdout, &stderr); got != exitCancelled {
		t.Errorf("status %d, want %d", got, exitCancelled)
	}
	for _, want := range []string{"OpenTofu 1.12.6\n", "Interrupt received.\n", "Plan: ", "\nError: ", "\nCancelled: interrupted (1 added"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, stdout.String())
		}
	}
}

// The last line names the actions that were invoked, and those that failed.
func TestActions(t *testing.T) {
	for name, want := range map[string]string{
		"terraform-1.17.0-dev/on-failure/apply.2.jsonl":     "\nSuccess: the summary of the apply came last (3 added, 0 changed, 2 destroyed, 2 invoked, 2 of them failed)\n",
		"terraform-1.17.0-dev/on-failure/apply.jsonl":       "1 invoked, 1 of them failed before the end)\n",
		"terraform-1.15.9/action-blocks/plan.invoke.jsonl":  "1 to invoke)\n",
		"terraform-1.15.9/action-blocks/apply.invoke.jsonl": "(0 added, 0 changed, 0 destroyed, 1 invoked)\n",
	} {
		text, err := os.ReadFile(filepath.Join(recordings, "releases", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		run(t.Context(), nil, bytes.NewReader(text), &stdout, &stderr)
		if !strings.HasSuffix(stdout.String(), want) {
			t.Errorf("%s: the last line is not %q:\n%s", name, want, stdout.String())
		}
	}
}

// The last line has the words and counts of the tool, imports and forgotten objects too.
func TestLastLine(t *testing.T) {
	plan := func(counts string) string {
		return `{"@level":"info","@message":"Plan","@module":"tofu.ui","changes":{` + counts + `,"operation":"plan"},"type":"change_summary"}` + "\n"
	}
	apply := func(counts string) string {
		return `{"@level":"info","@message":"Apply","@module":"tofu.ui","changes":{` + counts + `,"operation":"apply"},"type":"change_summary"}` + "\n" +
			`{"@level":"info","@message":"Outputs: 0","@module":"tofu.ui","outputs":{},"type":"outputs"}` + "\n"
	}
	for in, want := range map[string]string{
		apply(`"add":0,"change":0,"import":1,"remove":0`):           "Success: the summary of the apply came last (1 imported, 0 added, 0 changed, 0 destroyed)\n",
		apply(`"add":1,"change":0,"forget":2,"remove":0`):           "Success: the summary of the apply came last (1 added, 0 changed, 0 destroyed, 2 forgotten)\n",
		plan(`"add":1,"change":0,"import":1,"remove":0,"forget":2`): "(1 to import, 1 to add, 0 to change, 0 to destroy, 2 to forget)\n",
		"panic: x\n" + plan(`"add":0,"change":0,"remove":0`):        "Incomplete: a crash is on the stream (line 1) (0 to add, 0 to change, 0 to destroy)\n",
		"[unit] \x1b[0m" + apply(`"add":0,"change":0,"remove":0`):   "No changes: the summary of the apply counts no changes (0 added, 0 changed, 0 destroyed)\n",
	} {
		var stdout, stderr bytes.Buffer
		run(t.Context(), nil, strings.NewReader(in), &stdout, &stderr)
		if !strings.HasSuffix(stdout.String(), want) {
			t.Errorf("the last line is not %q:\n%s", want, stdout.String())
		}
		if strings.HasPrefix(in, "[unit]") && !strings.HasPrefix(stdout.String(), "[unit] Apply\n") {
			t.Errorf("the prefix is not shown: %q", stdout.String())
		}
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if got := run(t.Context(), []string{"-h"}, nil, &stdout, &stderr); got != 0 || !strings.Contains(stdout.String(), "Exit status:\n  0  ") || stderr.Len() > 0 {
		t.Errorf("status %d, %q, %q", got, stdout.String(), stderr.String())
	}
}

// With a command, its exit status counts, and its standard error is shown.
func TestCommand(t *testing.T) {
	for _, test := range []struct {
		recording string
		exit      string
		want      int
	}{
		{"tofu-1.12.6/apply-trouble/apply.jsonl", "0", exitOK},
		{"tofu-1.12.6/apply-trouble/plan.jsonl", "2", exitOK},
		{"tofu-1.12.6/apply-trouble/plan.jsonl", "1", exitFailed},
		{"tofu-1.6.3/actions/plan.gen.jsonl", "11", exitIncomplete},
	} {
		t.Setenv("WATCH_TEST_EMIT", filepath.Join(recordings, test.recording))
		t.Setenv("WATCH_TEST_EXIT", test.exit)
		dir := t.TempDir()
		args := []string{
			"-tee", filepath.Join(dir, "tee"), "-summary", filepath.Join(dir, "summary"),
			"-timings", filepath.Join(dir, "timings"), "-junit", filepath.Join(dir, "junit"), "-github", ".", "--", os.Args[0],
		}
		var stdout, stderr bytes.Buffer
		if got := run(t.Context(), args, nil, &stdout, &stderr); got != test.want {
			t.Errorf("%s: status %d, want %d\n%s%s", test.recording, got, test.want, stdout.String(), stderr.String())
		}
		if stderr.String() != "a word on standard error\n" {
			t.Errorf("standard error: %q", stderr.String())
		}
		in, _ := os.ReadFile(filepath.Join(recordings, test.recording))
		if teed, err := os.ReadFile(filepath.Join(dir, "tee")); err != nil || !bytes.Equal(teed, in) {
			t.Errorf("%s: the copy of the stream differs (%v)", test.recording, err)
		}
		var sum uitrack.Summary
		if text, err := os.ReadFile(filepath.Join(dir, "summary")); err != nil || json.Unmarshal(text, &sum) != nil || exitOf(sum.Outcome) != test.want {
			t.Errorf("%s: summary %s (%v)", test.recording, text, err)
		}
	}
}

// A saved stream has the times of its messages.
func TestReplay(t *testing.T) {
	file := filepath.Join(recordings, "tofu-1.12.6/apply-trouble/apply.jsonl")
	stream, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want []byte
	for name, c := range map[string]struct {
		args  []string
		stdin io.Reader
	}{"file": {[]string{file}, nil}, "redirected": {nil, stream}, "piped": {[]string{"-replay"}, bytes.NewReader(text)}} {
		timings := filepath.Join(t.TempDir(), "timings")
		var stdout, stderr bytes.Buffer
		if got := run(t.Context(), append([]string{"-timings", timings}, c.args...), c.stdin, &stdout, &stderr); got == exitUsage {
			t.Fatalf("%s: %s", name, stderr.String())
		}
		got, err := os.ReadFile(timings)
		if err != nil || !bytes.Contains(got, text[bytes.Index(text, []byte(`"@timestamp":"`))+14:][:10]) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	var stdout, stderr bytes.Buffer
	if got := run(t.Context(), []string{file, "--", "true"}, nil, &stdout, &stderr); got != exitUsage {
		t.Errorf("a file and a command: %d", got)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{"-nonsense"},
		{"--", filepath.Join(t.TempDir(), "no-such-command")},
		{"-tee", filepath.Join(t.TempDir(), "no", "such", "folder")},
		{"-summary", filepath.Join(t.TempDir(), "no", "such", "folder")},
	} {
		var stdout, stderr bytes.Buffer
		if got := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); got != exitUsage || stderr.Len() == 0 {
			t.Errorf("%v: status %d, %q", args, got, stderr.String())
		}
	}
}

// The live display has one line for the run, a bar, and a line for each
// operation, as far as there is room.
func TestView(t *testing.T) {
	var tracker uitrack.Tracker
	text, err := os.ReadFile(filepath.Join(recordings, "tofu-1.12.6/apply-trouble/apply.deposed.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	m := &model{tracker: &tracker, width: 80, height: 24, snap: tracker.Snapshot()}
	seen := map[string]bool{}
	for ev := range uijson.NewReader(bytes.NewReader(text)).Borrowed() {
		tracker.Add(ev)
		m.next()
		lines := m.lines()
		view := strings.Join(lines, "\n")
		if len(lines) >= m.height {
			t.Fatalf("%d rows:\n%s", len(lines), view)
		}
		for _, want := range []string{"tofu 1.12.6", "terraform_data.swap: creating", "of 11", "local-exec: ", "failed"} {
			seen[want] = seen[want] || strings.Contains(view, want)
		}
		line(ev)
		quiet(ev)
	}
	for want, ok := range seen {
		if !ok {
			t.Errorf("%q was never shown", want)
		}
	}
	m.width, m.height = 20, 3
	for _, line := range m.lines() {
		if got := fit(line, m.width); inTerminal.String(got) > m.width || got != line && !strings.HasSuffix(got, reset) {
			t.Errorf("%q is too wide", got)
		}
	}
	if n := len(m.lines()); n >= 3 {
		t.Errorf("%d rows in a window of 3", n)
	}
}

// The live display works on anything that takes its output.
func TestLive(t *testing.T) {
	var out bytes.Buffer
	var tracker uitrack.Tracker
	l := newLive(&out, &tracker, 80)
	l.begin()
	fmt.Fprintf(l.foreign(nil), "from standard error\nhalf a line")
	for ev := range uijson.NewReader(strings.NewReader("text\n")).Events() {
		tracker.Add(ev)
		l.event(ev)
	}
	l.above(strings.Repeat("界", 50))
	l.end()
	l.event(&uijson.Event{})
	if n := strings.Count(out.String(), hideCursor); n < 3 || !strings.HasSuffix(out.String(), showCursor) {
		t.Errorf("drawn %d times: %q", n, out.String())
	}
	if !strings.Contains(out.String(), "\n"+strings.Repeat("界", 10)) || strings.Contains(out.String(), strings.Repeat("界", 41)) {
		t.Errorf("a long line is not folded: %q", out.String())
	}
	for _, want := range []string{"from standard error", "text"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %q", want, out.String())
		}
	}
}
