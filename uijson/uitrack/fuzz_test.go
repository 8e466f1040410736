// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// FuzzTracker checks that any stream has an outcome with a reason, that what is
// made of it is well-formed, and that no text reaches a terminal unsanitized.
func FuzzTracker(f *testing.F) {
	n := 0
	for _, text := range recordings(f) {
		if n++; len(text) < 40_000 {
			f.Add(text)
		}
	}
	f.Add([]byte(versionLine))
	f.Add([]byte("{\"a\":"))
	f.Add([]byte(`{"@level":"error","@message":"\u001b[31m"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		tr := uitrack.Tracker{Replay: true}
		var end error
		for e, err := range uijson.NewReader(bytes.NewReader(in)).Borrowed() {
			if end = err; err != nil {
				break
			}
			tr.Add(e)
			if m := e.Message; m != nil && m.Diagnostic != nil {
				plain := uitrack.Renderer{Width: 40}.Diagnostic(m.Diagnostic)
				if plain != uijson.Sanitize(plain) {
					t.Fatalf("not sanitized: %q", plain)
				}
				_ = uitrack.Renderer{Color: true, ShowSensitive: true}.Diagnostic(m.Diagnostic)
				if line := uitrack.GitHubAnnotation(m.Diagnostic, "d"); bytes.Count([]byte(line), []byte("\n")) != 1 {
					t.Fatalf("not one line: %q", line)
				}
			}
		}
		if s := tr.Snapshot(); s.Outcome != uitrack.OutcomeRunning {
			t.Fatalf("outcome %q before the end", s.Outcome)
		}
		tr.End(end)
		s := tr.Snapshot()
		if s.Outcome == uitrack.OutcomeRunning || s.Reason == "" {
			t.Fatalf("outcome %q, reason %q", s.Outcome, s.Reason)
		}
		if _, err := json.Marshal(s.Summary()); err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(s); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := uitrack.WriteJUnit(&b, s, "fuzz"); err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(&b); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if err := uitrack.WriteGitLab(&b, s.Diagnostics, "d"); err != nil {
			t.Fatal(err)
		}
		if err := uitrack.WriteTimings(&b, s); err != nil {
			t.Fatal(err)
		}
	})
}
