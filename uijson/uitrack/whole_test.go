// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// ended follows a stream whose command ended with status 0.
func ended(t *testing.T, text string) *uitrack.Snapshot {
	t.Helper()
	tr := follow(t, []byte(text))
	tr.Exit(0)
	return tr.Snapshot()
}

// A plan that announces other changes than its summary counts is not whole: no recording is
// like that, and each is if one announcement is taken away.
func TestLostAnnouncements(t *testing.T) {
	tried := 0
	streams(t, func(name string, text []byte) {
		if !judged(text).Outcome.OK() || !bytes.Contains(text, []byte(`"operation":"plan"`)) {
			return
		}
		lines := bytes.SplitAfter(text, []byte("\n"))
		for i, line := range lines {
			m, err := uijson.Decode(line)
			if err != nil || m.Type != uijson.TypePlannedChange {
				continue
			}
			switch m.Change.Action {
			case uijson.ActionCreate, uijson.ActionUpdate, uijson.ActionDelete, uijson.ActionReplace, uijson.ActionImport:
			default:
				continue // not counted by all releases
			}
			tried++
			rest := string(bytes.Join(lines[:i], nil)) + string(bytes.Join(lines[i+1:], nil))
			if s := ended(t, rest); s.Outcome != uitrack.OutcomeIncomplete {
				t.Errorf("%s without line %d: %s (%s)", name, i+1, s.Outcome, s.Reason)
			}
		}
	})
	if tried < 10 {
		t.Errorf("only %d announcements", tried)
	}
}

// What a plan says about changes must be understood, and its stream must be of a version that
// is supported, for any success.
func TestUnknownChanges(t *testing.T) {
	plan := string(recording(t, "tofu-1.12.6/actions/plan.change.jsonl"))
	if s := ended(t, plan); !s.Outcome.OK() {
		t.Fatal(s.Reason)
	}
	for _, edit := range [][2]string{
		{`"action":"replace"`, `"action":"explode"`},
		{`"action":"replace"`, `"was":"replace"`},
		{`"change":{"resource":`, `"change":{"object":`},
		{`"operation":"plan"`, `"operation":"guess"`},
		{`"operation":"plan"`, `"was":"plan"`},
		{`"ui":"1.2"`, `"ui":"2.0"`},
		{`"outputs":{`, `"outputs":{"x":{"sensitive":false,"action":"explode"},`},
	} {
		if !strings.Contains(plan, edit[0]) {
			t.Errorf("the plan has no %s", edit[0])
		}
		if s := ended(t, strings.Replace(plan, edit[0], edit[1], 1)); s.Outcome != uitrack.OutcomeIncomplete {
			t.Errorf("%s instead of %s: %s (%s)", edit[1], edit[0], s.Outcome, s.Reason)
		}
	}
}

// A plan in which something failed ends with the error: one without it was cut off.
func TestUnexplainedFailures(t *testing.T) {
	tried := 0
	for name, text := range recordings(t) {
		s := judged(text)
		if s.Outcome != uitrack.OutcomeFailed || s.Forecast == nil || s.Reported != nil || s.Failed == 0 {
			continue
		}
		at := bytes.Index(text, []byte(`{"@level":"error"`))
		if at < 0 || bytes.Contains(text[:at], []byte(`{"@level":"warn"`)) {
			continue
		}
		tried++
		if s := ended(t, string(text[:at])); s.Outcome != uitrack.OutcomeIncomplete {
			t.Errorf("%s without its errors: %s (%s)", name, s.Outcome, s.Reason)
		}
	}
	if tried == 0 {
		t.Error("no recording of a plan in which an operation failed")
	}
}

// Without the exit status, the reason says what the messages of a plan cannot show.
func TestReasonWithoutStatus(t *testing.T) {
	plan := string(recording(t, "tofu-1.12.6/actions/plan.change.jsonl"))
	const words = "without the exit status"
	if s := judged([]byte(plan)); !strings.Contains(s.Reason, words) {
		t.Errorf("without the status: %s", s.Reason)
	}
	if s := ended(t, plan); strings.Contains(s.Reason, words) {
		t.Errorf("with the status: %s", s.Reason)
	}
}

// The outcome of a stream is that of its worst run, in a snapshot, its line, its summary and
// for Attach, however many runs there are.
func TestWorstRun(t *testing.T) {
	good := string(recording(t, "tofu-1.12.6/actions/apply.change.jsonl"))
	failed := string(recording(t, "tofu-1.12.6/apply-trouble/apply.failures.jsonl"))
	cut := good[:strings.LastIndex(good, `{"@level"`)]
	cut = cut[:strings.LastIndex(cut, `{"@level"`)]
	for _, test := range []struct {
		name, stream string
		want         uitrack.Outcome
	}{
		{"good ones", good + good, uitrack.OutcomeSuccess},
		{"failed, good", failed + good, uitrack.OutcomeFailed},
		{"good, failed", good + failed, uitrack.OutcomeFailed},
		{"cut, failed", cut + failed, uitrack.OutcomeIncomplete},
		{"failed, cut", failed + cut, uitrack.OutcomeIncomplete},
		{"failed, then more than are kept", failed + strings.Repeat(good, 110), uitrack.OutcomeFailed},
	} {
		s := ended(t, test.stream)
		var shown strings.Builder
		outcome, err := uitrack.Attach(t.Context(), strings.NewReader(test.stream), func() error { return nil }, uitrack.AttachOptions{
			Progress: uitrack.PrintLines(&shown),
		})
		if s.Outcome != test.want || s.Summary().Outcome != test.want || outcome != test.want || (err == nil) != test.want.OK() {
			t.Errorf("%s: %s (%s), in the summary %s, by Attach %s (%v); want %s", test.name, s.Outcome, s.Reason, s.Summary().Outcome, outcome, err, test.want)
		}
		lines := strings.Split(strings.TrimSpace(shown.String()), "\n")
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, test.want.Title()) {
			t.Errorf("%s: the last line is %q", test.name, last)
		}
	}
}

// Reasons and errors do not quote the stream: a panic can hold anything.
func TestReasonsWithoutText(t *testing.T) {
	const secret = "hunter2-secret-value"
	plan := string(recording(t, "tofu-1.12.6/actions/plan.change.jsonl"))
	test := string(recording(t, "terraform-1.11.4/tests/test.jsonl"))
	for name, stream := range map[string]string{
		"a panic":         plan + "panic: " + secret + "\n",
		"before messages": "fatal error: " + secret + plan,
		"a status":        strings.ReplaceAll(test, `"status":"fail"`, `"status":"`+secret+`"`),
		"an operation":    strings.ReplaceAll(plan, `"operation":"plan"`, `"operation":"`+secret+`"`),
		"an action":       strings.ReplaceAll(plan, `"action":"replace"`, `"action":"`+secret+`"`),
		"a version":       strings.ReplaceAll(plan, `"ui":"1.2"`, `"ui":"`+secret+`"`),
		"a document":      `{"` + secret + `":1}`,
		"text":            secret + "\n",
		"half a message":  plan + `{"@level":"info","@message":"` + secret,
	} {
		_, err := uitrack.Attach(t.Context(), strings.NewReader(stream), func() error { return nil }, uitrack.AttachOptions{})
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", name, err)
		}
	}
	number := strings.Count(plan, "\n") + 1
	if s := ended(t, plan+"panic: "+secret+"\n"); !strings.Contains(s.Reason, fmt.Sprintf("(line %d)", number)) {
		t.Errorf("no number of the line in %q", s.Reason)
	}
}

// What the function Event of Attach removes is in no snapshot.
func TestAttach_filter(t *testing.T) {
	text := string(recording(t, "tofu-1.12.6/apply-trouble/apply.jsonl"))
	const secret = "hunter2-secret-value"
	at := strings.Index(text, `"output":"`) + len(`"output":"`)
	text = text[:at] + secret + text[at:]
	for _, redact := range []bool{false, true} {
		var tracker uitrack.Tracker
		if _, err := uitrack.Attach(t.Context(), strings.NewReader(text), nil, uitrack.AttachOptions{Tracker: &tracker, Event: func(ev *uijson.Event) {
			if redact {
				ev.Message.Redact(0)
			}
		}}); err != nil {
			t.Fatal(err)
		}
		found := false
		for _, r := range tracker.Snapshot().Resources {
			for _, c := range r.Cycles {
				found = found || strings.Contains(strings.Join(c.Tail, "\n"), secret)
			}
		}
		if found == redact {
			t.Errorf("redacted: %v; the output of the provisioner is kept: %v", redact, found)
		}
	}
}
