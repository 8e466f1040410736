// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	corpus "github.com/tofuwire/tofuwire/internal/testing/recordings"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// streams calls f with recordings: a sample, or all there are.
func streams(t *testing.T, f func(name string, text []byte)) {
	all := recordings(t)
	if depth.IsFull() {
		releases, err := corpus.Releases()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range releases {
			err := fs.WalkDir(r, ".", func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
					return err
				}
				text, err := fs.ReadFile(r, path)
				all[r.String()+"/"+path] = text
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	tried := 0
	for i, name := range names {
		if every := depth.Of(8, 5, 1); i%every != every/2 || len(all[name]) > depth.Of(15_000, 100_000, 10_000_000) {
			continue
		}
		tried++
		f(name, all[name])
	}
	if tried < 15 {
		t.Errorf("only %d recordings", tried)
	}
}

// judged follows a stream to its end.
func judged(text []byte, opts ...uijson.Option) *uitrack.Snapshot {
	tracker := uitrack.Tracker{Replay: true}
	var end error
	for ev, err := range uijson.NewReader(bytes.NewReader(text), opts...).Borrowed() {
		if err != nil {
			end = err
			break
		}
		tracker.Add(ev)
	}
	tracker.End(end)
	return tracker.Snapshot()
}

// mayEnd reports whether a tool may end where the first lines of a stream end: after the
// last word of a command, or after the summary of a plan, if nothing more was begun. The
// stream of a plan looks like that of an apply up to there.
func mayEnd(text string) bool {
	if i := strings.LastIndex(text, `"operation":"plan"`); i >= 0 {
		_, rest, _ := strings.Cut(text[i:], "\n")
		return !strings.Contains(rest, `"hook":`) && !strings.Contains(rest, `"change_summary"`)
	}
	for _, last := range []string{
		`"type":"test_summary"`, `"type":"resource_address"`, `"message_code":"output_init_`, " initialized", `"type":"list_complete"`,
	} {
		if strings.Contains(text, last) {
			return true
		}
	}
	return false
}

// A stream that is cut after a line is a success only if a tool may end there, and one that
// is cut in the middle of a line never.
func TestCutStreams(t *testing.T) {
	cuts := 0
	streams(t, func(name string, text []byte) {
		var ends []int
		for i, c := range text[:len(text)-1] {
			if c == '\n' {
				ends = append(ends, i+1)
			}
		}
		step := 1
		if !depth.IsFull() {
			step = max(len(ends)/10, 1)
		} else if len(text) > 100_000 {
			step = max(len(ends)/50, 1)
		}
		for i := 0; i < len(ends); i += step {
			at := ends[i]
			cuts += 2
			s := judged(text[:at])
			if s.Outcome.OK() && !mayEnd(string(text[:at])) {
				t.Errorf("%s, cut after line %d: %s (%s)", name, i+1, s.Outcome, s.Reason)
			}
			if bytes.Contains(text[:at], []byte(`{"@level":"error"`)) && s.Errors == 0 {
				t.Errorf("%s, cut after line %d: the error is lost", name, i+1)
			}
			next := bytes.IndexByte(text[at:], '\n')
			if next < 2 || text[at] != '{' {
				continue
			}
			if s := judged(text[:at+next/2]); s.Outcome.OK() {
				t.Errorf("%s, cut in line %d: %s (%s)", name, i+2, s.Outcome, s.Reason)
			}
		}
	})
	if cuts < 200 {
		t.Errorf("only %d cuts", cuts)
	}
}

// Noise around messages, on lines of its own and on theirs, changes nothing. Noise inside a
// message is told, and its error is not lost.
func TestNoisyStreams(t *testing.T) {
	log := `{"@caller":"x.go:1","@level":"error","@message":"statemgr","@module":"tofu.remote","@timestamp":"2026-01-02T03:04:05.000002Z"}`
	noise := map[string]string{
		"text": "some text", "escape sequence": "\x1b[0m\x1b[32m", "progress": "\rDownloading 10%\rDownloading 20%", "braces": "{unit} {", "quotes": `"a": "b", `,
		"NUL": "\x00", "HCP Terraform": "\x02", "GitHub": "2026-01-02T03:04:05.0000000Z ", "GitLab": "\x1b[0Ksection_start:1560896352:x\r\x1b[0K", "Azure": "##[group]Run tofu",
		"GitHub group": "::group::x", "command": `+ tofu plan -json | jq 'select(."@level"=="error")'`, "Terragrunt": "[unit/a] ", "not UTF-8": "caf\xe9",
		"log": log, "document": `{"a":[1]}`, "list": "[1]",
	}
	streams(t, func(name string, text []byte) {
		want := judged(text)
		lines := bytes.SplitAfter(text, []byte("\n"))
		same := func(how string, in []byte, opts ...uijson.Option) {
			s := judged(in, opts...)
			if s.Outcome != want.Outcome || s.Errors != want.Errors || s.Warnings != want.Warnings || s.Lines.Messages != want.Lines.Messages {
				t.Errorf("%s, %s: %s (%s), %d errors, %d messages; want %s (%s), %d, %d", name, how,
					s.Outcome, s.Reason, s.Errors, s.Lines.Messages, want.Outcome, want.Reason, want.Errors, want.Lines.Messages)
			}
		}
		for kind, n := range noise {
			var own, before, behind, inside []byte
			for i, line := range lines {
				own = append(append(append(own, n...), '\n'), line...)
				if !bytes.HasPrefix(line, []byte(`{"@level"`)) {
					before, behind, inside = append(before, line...), append(behind, line...), append(inside, line...)
					continue
				}
				body := bytes.TrimSuffix(line, []byte("\n"))
				before = append(append(before, n...), line...)
				behind = append(append(append(behind, body...), n...), '\n')
				if i%2 == 1 { // between the second member and the third, so that nothing is left valid
					at := bytes.Index(body, []byte(`,"@module"`))
					inside = append(append(append(inside, body[:at]...), n...), body[at:]...)
					inside = append(inside, '\n')
				} else {
					inside = append(inside, line...)
				}
			}
			same(kind+" between messages", own)
			same(kind+" before messages", before)
			same(kind+" behind messages", behind)
			s := judged(inside)
			if len(lines) > 2 && s.Outcome.OK() && !bytes.Equal(inside, text) {
				t.Errorf("%s, %s inside messages: %s (%s)", name, kind, s.Outcome, s.Reason)
			}
			if want.Errors > 0 && s.Errors == 0 {
				t.Errorf("%s, %s inside messages: the errors are lost", name, kind)
			}
		}
		same("CRLF", bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")))
		same("no line end", bytes.TrimSuffix(text, []byte("\n")))
		same("on one line", bytes.ReplaceAll(text, []byte("}\n"), []byte("}")))
		same("a byte order mark", append([]byte("\uFEFF"), text...))
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, bom := range []string{"", "\uFEFF"} {
				var in []byte
				for _, u := range utf16.Encode([]rune(bom + string(text))) {
					in = order.AppendUint16(in, u)
				}
				same(fmt.Sprint("UTF-16, ", order, ", ", bom != ""), in)
			}
		}
		// Lines that are too long are told, but hide nothing.
		long := bytes.Repeat([]byte("x"), 100_000)
		s := judged(bytes.Join([][]byte{long, text, long}, nil), uijson.MaxLine(90_000))
		if s.Outcome.OK() || s.Errors != want.Errors || s.Lines.Messages != want.Lines.Messages {
			t.Errorf("%s between lines that are too long: %s (%s), %d errors", name, s.Outcome, s.Reason, s.Errors)
		}
	})
}

// Lines that only the end of a killed or crashed tool prints make a run incomplete, also with
// what logs put before them. Lines that only look like them do not.
func TestCrashLines(t *testing.T) {
	plan := `{"@level":"info","@message":"a.b: Plan to create","@module":"tofu.ui","change":{"resource":{"addr":"a.b"},"action":"create"},"type":"planned_change"}` + "\n" +
		`{"@level":"info","@message":"Plan","@module":"tofu.ui","changes":{"add":1,"change":0,"import":0,"remove":0,"forget":0,"operation":"plan"},"type":"change_summary"}` + "\n"
	before := []string{"", "2026-01-02T03:04:05.1234567Z ", "[unit/a] ", "\x1b[31m", "tofu-1  | ", "2026-01-02T03:04:05.1234567Z ##[error]", "03:04:05.123 "}
	crash := []string{
		"Killed", "Terminated", "bash: line 1:  1234 Killed                  tofu plan", "/bin/sh: 1: Killed", "zsh: killed     tofu plan -json", "[1]+  Killed                  tofu apply",
		"[1]    1234 killed     tofu apply", "zsh: segmentation fault  tofu", "make: *** [Makefile:3: plan] Killed", "make[1]: *** [plan] Error 137", "OOMKilled", "Killed\x1b[0m",
		"Out of memory: Killed process 123 (tofu)", "command terminated with exit code 137", "exit status 137", "Process completed with exit code 139.",
		"ERROR: Job failed: command terminated with exit code 137", "ERROR: Job failed: execution took longer than 1h0m0s seconds", "Exited with code exit status 137",
		"Error: Terraform exited with code 11.", "The operation was canceled.", "Error: The operation was canceled.", "Command terminated by signal 9", "panic: x", "fatal error: x", "bash: line 1: 55 Aborted (core dumped) tofu",
	}
	for _, line := range crash {
		for _, b := range before {
			if s := judged([]byte(plan + b + line + "\n")); s.Outcome != uitrack.OutcomeIncomplete {
				t.Errorf("%q: %s (%s)", b+line, s.Outcome, s.Reason)
			}
		}
	}
	for _, line := range []string{
		"Killed 3 old jobs", "Terminated instances: 5", "the job was Killed", "panicked", "exit code 0", "Process completed with exit code 0.", "Process completed with exit code 110.",
		`[DEBUG] provider: plugin process exited: path=x pid=1 error="signal: killed"`, `error="exit status 137" x`, "Error 404", "Aborted: 0", "status: 137",
	} {
		for _, b := range before {
			if s := judged([]byte(plan + b + line + "\n")); s.Outcome != uitrack.OutcomeSuccess {
				t.Errorf("%q: %s (%s)", b+line, s.Outcome, s.Reason)
			}
		}
	}
}
