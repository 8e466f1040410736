// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// follow feeds a stream to a tracker, without an exit status.
func follow(t testing.TB, text []byte) *uitrack.Tracker {
	t.Helper()
	tr := &uitrack.Tracker{Replay: true}
	var failure error
	for e, err := range uijson.NewReader(bytes.NewReader(text)).Borrowed() {
		if err != nil {
			failure = err
			break
		}
		tr.Add(e)
	}
	tr.End(failure)
	return tr
}

// The exit status that each recorded command had says whether it succeeded;
// the tracker must find the same in the messages alone, and with the status.
func TestOutcomesOfRecordings(t *testing.T) {
	codes := map[string]int{}
	for _, folder := range []string{"", "releases/"} {
		for line := range strings.Lines(readText(t, "../testdata/"+folder+"exit.txt")) {
			var name string
			var code int
			if _, err := fmt.Sscan(line, &name, &code); err != nil {
				t.Fatal(err)
			}
			codes[folder+name] = code
		}
	}
	for name, code := range codes {
		tr := follow(t, recording(t, name))
		alone := tr.Snapshot()
		tr.Exit(code)
		certain := tr.Snapshot()
		want := code == 0 || code == 2
		switch {
		case strings.HasSuffix(name, "test.none.jsonl"):
			if alone.Outcome != uitrack.OutcomeNoTests || certain.Outcome != uitrack.OutcomeNoTests {
				t.Errorf("%s: %s, with the status %s", name, alone.Outcome, certain.Outcome)
			}
		case strings.HasSuffix(name, "commands/get.jsonl"): // which prints the version, and no more
			if alone.Outcome != uitrack.OutcomeIncomplete || !certain.Outcome.OK() {
				t.Errorf("%s: %s, with the status %s", name, alone.Outcome, certain.Outcome)
			}
		case alone.Outcome.OK() != want || alone.Outcome != certain.Outcome:
			t.Errorf("%s ended with status %d: %s (%s), with the status %s (%s)",
				name, code, alone.Outcome, alone.Reason, certain.Outcome, certain.Reason)
		}
		if alone.Reason == "" || alone.Phase != uitrack.PhaseDone {
			t.Errorf("%s: reason %q, phase %s", name, alone.Reason, alone.Phase)
		}
		// The tool's own counts of the plan are those of its announcements.
		if f := alone.Forecast; f != nil {
			p := alone.Planned
			p.Move, p.Read = 0, 0
			if !strings.HasPrefix(name, "tofu-1.12") {
				p.Forget = 0 // not counted by the tool
			}
			if *f != p {
				t.Errorf("%s: the plan announces %v, and counts %v", name, p, *f)
			}
		}
		// Each action that was invoked is counted, and so is each that failed.
		if r := alone.Reported; r != nil && (r.Action != alone.Done.Action || r.ActionFailed != alone.Done.ActionFailed) {
			t.Errorf("%s: the tool counts %v, the tracker %v", name, *r, alone.Done)
		}
		for _, d := range alone.Differences() {
			if d.Why == "" {
				t.Errorf("%s: no reason for %+v", name, d)
			}
		}
		if _, err := json.Marshal(certain); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(codes) < 100 || len(codes) != len(recordings(t)) {
		t.Errorf("%d of %d recordings have a status", len(codes), len(recordings(t)))
	}
}

// Of a stream that breaks off, nothing is ever called a success unless the
// tool has said its last word.
func TestTruncatedRecordings(t *testing.T) {
	for _, name := range []string{
		"tofu-1.12.6/apply-trouble/apply.jsonl",
		"tofu-1.12.6/apply-trouble/destroy.jsonl",
		"terraform-1.11.4/actions/apply.change.jsonl",
	} {
		text := recording(t, name)
		final := bytes.LastIndex(text[:bytes.LastIndex(text, []byte(`"type":"change_summary"`))], []byte("\n")) + 1
		begun := bytes.Index(text, []byte(`"type":"apply_start"`))
		if begun < 0 || final < begun {
			t.Fatal(name)
		}
		for at := begun; at <= final; at += 97 {
			if s := follow(t, text[:at]).Snapshot(); s.Outcome.OK() {
				t.Fatalf("%s cut at %d: %s (%s)", name, at, s.Outcome, s.Reason)
			}
		}
		if s := follow(t, text).Snapshot(); !s.Outcome.OK() {
			t.Errorf("%s: %s (%s)", name, s.Outcome, s.Reason)
		}
	}
}

// Cases that have no recording.
func TestOutcomes(t *testing.T) {
	msg := func(level, typ, text, payload string) string {
		if typ != "" {
			payload += `"type":"` + typ + `",`
		}
		return fmt.Sprintf(`{"@level":%q,"@message":%q,"@module":"tofu.ui",%s"@timestamp":"2026-01-02T03:04:05.000001Z"}`, level, text, payload) + "\n"
	}
	plan := msg("info", "change_summary", "Plan", `"changes":{"add":1,"change":0,"remove":0,"operation":"plan"},`)
	noPlan := msg("info", "change_summary", "Plan", `"changes":{"add":0,"change":0,"remove":0,"operation":"plan"},`)
	planned := msg("info", "planned_change", "p", `"change":{"resource":{"addr":"a.b"},"action":"create"},`)
	start := msg("info", "apply_start", "s", `"hook":{"resource":{"addr":"a.b"},"action":"create"},`)
	done := msg("info", "apply_complete", "c", `"hook":{"resource":{"addr":"a.b"},"action":"create","elapsed_seconds":1},`)
	summary := msg("info", "change_summary", "Apply", `"changes":{"add":1,"change":0,"remove":0,"operation":"apply"},`)
	applied := summary + msg("info", "outputs", "Outputs: 0", `"outputs":{},`)
	locking := msg("info", "state_lock_acquire", "Acquiring state lock...", "")
	unlocking := msg("info", "state_lock_release", "Releasing state lock...", "")
	skipped := msg("info", "test_summary", "t", `"test_summary":{"status":"pass","passed":0,"failed":0,"errored":0,"skipped":2},`)
	diag := msg("error", "diagnostic", "Error: x", `"diagnostic":{"severity":"error","summary":"x","detail":""},`)
	warn := msg("warn", "diagnostic", "Warning: x", `"diagnostic":{"severity":"warning","summary":"x","detail":""},`)
	interrupt := msg("info", "log", "\nInterrupt received.\nPlease wait\n", "")
	newOutput := msg("info", "outputs", "o", `"outputs":{"x":{"sensitive":false,"action":"create"}},`)
	abstract := msg("info", "test_abstract", "t", `"test_abstract":{"f":["r"]},`)
	passed := msg("info", "test_summary", "t", `"test_summary":{"status":"pass","passed":1,"failed":0,"errored":0,"skipped":0},`)
	failed := msg("info", "test_summary", "t", `"test_summary":{"status":"fail","passed":1,"failed":1,"errored":0,"skipped":0},`)
	refreshed := msg("info", "refresh_start", "r", `"hook":{"resource":{"addr":"a.b"},"id_key":"id","id_value":"1"},`) + msg("info", "refresh_complete", "r", `"hook":{"resource":{"addr":"a.b"},"id_key":"id","id_value":"1"},`)
	initStart := msg("info", "init_output", "i", `"message_code":"initializing_backend_message",`)
	initEnd := msg("info", "init_output", "i", `"message_code":"output_init_success_message",`)
	none := -1000
	tests := []struct {
		name   string
		stream string
		exit   int
		want   uitrack.Outcome
	}{
		{"nothing", "", none, uitrack.OutcomeIncomplete},
		{"nothing, status 1", "", 1, uitrack.OutcomeFailed},
		{"nothing, status 0", "", 0, uitrack.OutcomeIncomplete},
		{"text alone, status 0", "Apply complete!\n", 0, uitrack.OutcomeIncomplete},
		{"the version alone, status 0", versionLine, 0, uitrack.OutcomeSuccess},
		{"text alone", "Usage: tofu\n", none, uitrack.OutcomeIncomplete},
		{"plan", versionLine + planned + plan, none, uitrack.OutcomeSuccess},
		{"plan, then an error", versionLine + planned + plan + diag, none, uitrack.OutcomeFailed},
		{"plan, cut", versionLine + planned + plan + `{"@lev`, none, uitrack.OutcomeIncomplete},
		{"plan without summary", versionLine + planned, none, uitrack.OutcomeIncomplete},
		{"plan, status 0", versionLine + planned + plan, 0, uitrack.OutcomeSuccess},
		{"plan, status 1", versionLine + planned + plan, 1, uitrack.OutcomeFailed},
		{"plan, status 2", versionLine + planned + plan, 2, uitrack.OutcomeSuccess},
		{"error, status 2", versionLine + diag, 2, uitrack.OutcomeFailed},
		{"status 2 without a plan", versionLine, 2, uitrack.OutcomeFailed},
		{"no changes", versionLine + noPlan, none, uitrack.OutcomeNoChanges},
		{"no changes, status 0", versionLine + noPlan, 0, uitrack.OutcomeNoChanges},
		{"no changes but an output", versionLine + noPlan + newOutput, none, uitrack.OutcomeSuccess},
		{"warning", versionLine + planned + plan + warn, none, uitrack.OutcomeSuccess},
		{"apply", versionLine + planned + plan + start + done + applied, none, uitrack.OutcomeSuccess},
		{"apply, status 0", versionLine + planned + plan + start + done + applied, 0, uitrack.OutcomeSuccess},
		{"apply, no summary", versionLine + planned + plan + start + done, none, uitrack.OutcomeIncomplete},
		{"apply, no summary, status 0", versionLine + planned + plan + start + done, 0, uitrack.OutcomeIncomplete},
		{"apply of a saved plan, no summary, status 0", versionLine + start + done, 0, uitrack.OutcomeIncomplete},
		{"apply, interrupted, then killed", versionLine + planned + plan + start + interrupt, 137, uitrack.OutcomeIncomplete},
		{"apply, interrupted, killed by a signal", versionLine + planned + plan + start + interrupt, -1, uitrack.OutcomeIncomplete},
		{"apply, begun", versionLine + planned + plan + start, none, uitrack.OutcomeIncomplete},
		{"apply, killed", versionLine + planned + plan + start, -1, uitrack.OutcomeIncomplete},
		{"apply, SIGPIPE", versionLine + planned + plan + start, 141, uitrack.OutcomeIncomplete},
		{"apply, panic", versionLine + planned + plan + start, 11, uitrack.OutcomeIncomplete},
		{"apply, error", versionLine + planned + plan + start + diag, 1, uitrack.OutcomeFailed},
		{"interrupted", versionLine + planned + plan + start + interrupt + diag, none, uitrack.OutcomeCancelled},
		{"interrupted, status 1", versionLine + planned + plan + start + interrupt + diag, 1, uitrack.OutcomeCancelled},
		{"interrupted, no more messages", versionLine + planned + plan + start + interrupt, none, uitrack.OutcomeCancelled},
		{"while resources are read", versionLine + refreshed, none, uitrack.OutcomeIncomplete},
		{"while resources are read, after a warning", versionLine + refreshed + warn, none, uitrack.OutcomeIncomplete},
		{"an import with a warning", versionLine + refreshed + msg("info", "", "Import successful!", "") + warn, none, uitrack.OutcomeSuccess},
		{"untyped messages, status 1", versionLine + msg("info", "", "text", ""), 1, uitrack.OutcomeFailed},
		{"interrupted too late", versionLine + planned + plan + start + interrupt + done + applied, none, uitrack.OutcomeSuccess},
		{"status 130", versionLine + planned, 130, uitrack.OutcomeCancelled},
		{"untyped error", versionLine + msg("error", "", "Workspace exists already", ""), none, uitrack.OutcomeFailed},
		{"untyped info", versionLine + msg("info", "", "Done", ""), none, uitrack.OutcomeIncomplete},
		{"untyped info, status 0", versionLine + msg("info", "", "Done", ""), 0, uitrack.OutcomeSuccess},
		{"the last word of a command", versionLine + msg("info", "", "Fetching x", "") + msg("info", "", "Success! Done", ""), none, uitrack.OutcomeSuccess},
		{"after the last word", versionLine + msg("info", "", "Success! Done", "") + msg("info", "", "Fetching x", ""), none, uitrack.OutcomeIncomplete},
		{"version alone", versionLine, none, uitrack.OutcomeIncomplete},
		{"version alone, status 0", versionLine, 0, uitrack.OutcomeSuccess},
		{"version and a warning", versionLine + warn, none, uitrack.OutcomeIncomplete},
		{"lock", versionLine + locking, none, uitrack.OutcomeIncomplete},
		{"lock, status 0", versionLine + locking, 0, uitrack.OutcomeIncomplete},
		{"lock and other messages", versionLine + locking + warn + msg("info", "log", "x", ""), none, uitrack.OutcomeIncomplete},
		{"lock and plan", versionLine + locking + planned + plan + unlocking, none, uitrack.OutcomeSuccess},
		{"apply without outputs", versionLine + planned + plan + start + done + summary, none, uitrack.OutcomeIncomplete},
		{"apply without outputs, status 0", versionLine + planned + plan + start + done + summary, 0, uitrack.OutcomeSuccess},
		{"apply, status 2", versionLine + planned + plan + start + done + applied, 2, uitrack.OutcomeFailed},
		{"a read after the summary of the plan", versionLine + noPlan + refreshed, none, uitrack.OutcomeIncomplete},
		{"error, status 0", versionLine + planned + plan + diag, 0, uitrack.OutcomeFailed},
		{"a crash", versionLine + planned + plan + "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\n", none, uitrack.OutcomeIncomplete},
		{"a crash, status 2", versionLine + planned + plan + "panic: x\n", 2, uitrack.OutcomeIncomplete},
		{"the crash of the tool", versionLine + planned + plan + "!!!!!!!!!! OPENTOFU CRASH !!!!!!!!!!\n", 11, uitrack.OutcomeIncomplete},
		{"killed in a shell", versionLine + planned + plan + "bash: line 1:  4711 Killed                  tofu plan -json\n", none, uitrack.OutcomeIncomplete},
		{"a crash before a message on its line", versionLine + "panic: x " + planned + plan, none, uitrack.OutcomeIncomplete},
		{"text", "Warning: x\n" + versionLine + "##[group]Run\n" + planned + plan + "bye\n", none, uitrack.OutcomeSuccess},
		{"a damaged message", versionLine + `{"@level":"info","@mess` + "\n" + planned + plan, none, uitrack.OutcomeIncomplete},
		{"a damaged message, status 0", versionLine + `{"@level":"info","@mess` + "\n" + planned + plan, 0, uitrack.OutcomeIncomplete},
		{"a damaged error", versionLine + `{"@level":"error","@message":"Error: x` + "\n" + planned + plan, none, uitrack.OutcomeFailed},
		{"half an error at the end", versionLine + planned + plan + `{"@level":"error","@message":"Error: x`, none, uitrack.OutcomeFailed},
		{"foreign bytes in a message", versionLine + planned + strings.Replace(plan, "Plan", "Pl\x1b[0man", 1), none, uitrack.OutcomeIncomplete},
		{"a wrong kind", versionLine + planned + strings.Replace(plan, `"Plan"`, "7", 1), none, uitrack.OutcomeIncomplete},
		{"tests skipped", versionLine + abstract + skipped, none, uitrack.OutcomeNoTests},
		{"tests skipped, status 0", versionLine + abstract + skipped, 0, uitrack.OutcomeNoTests},
		{"tests skipped, and damaged", versionLine + abstract + `{"@level":` + "\n" + skipped, 0, uitrack.OutcomeIncomplete},
		{"tests of another status", versionLine + abstract + strings.Replace(passed, `"pass"`, `"odd"`, 1), none, uitrack.OutcomeIncomplete},
		{"test", versionLine + abstract + passed, none, uitrack.OutcomeSuccess},
		{"test without summary", versionLine + abstract, none, uitrack.OutcomeIncomplete},
		{"test without summary, status 1", versionLine + abstract, 1, uitrack.OutcomeFailed},
		{"test without summary, with an error", versionLine + abstract + diag, none, uitrack.OutcomeFailed},
		{"test, cut", versionLine + abstract + `{"@lev`, none, uitrack.OutcomeIncomplete},
		{"test, interrupted", versionLine + abstract + interrupt, none, uitrack.OutcomeCancelled},
		{"test, failed", versionLine + abstract + failed, none, uitrack.OutcomeFailed},
		{"test, failed, status 1", versionLine + abstract + failed, 1, uitrack.OutcomeFailed},
		{"test, interrupted, with its summary", versionLine + abstract + interrupt + failed, none, uitrack.OutcomeCancelled},
		{"test, errors beside a good summary", versionLine + abstract + diag + passed, none, uitrack.OutcomeSuccess},
		{"test, remote", versionLine + abstract + msg("info", "test_status", "t", `"test_status":{"status":"fail","duration":1.5},`), none, uitrack.OutcomeFailed},
		{"init", versionLine + initStart + initEnd, none, uitrack.OutcomeSuccess},
		{"init, cut", versionLine + initStart, none, uitrack.OutcomeIncomplete},
		{"middle of a stream", start + done + applied, none, uitrack.OutcomeSuccess},
		{"a query, cut", versionLine + msg("info", "list_start", "l", `"list_start":{"address":"list.a.b"},`), none, uitrack.OutcomeIncomplete},
		{"a query", versionLine + msg("info", "list_start", "l", `"list_start":{"address":"list.a.b"},`) + msg("info", "list_resource_found", "l", `"list_resource_found":{"address":"list.a.b"},`) + msg("info", "list_complete", "l", `"list_complete":{"address":"list.a.b","total":1},`), none, uitrack.OutcomeSuccess},
		{"migration", versionLine + msg("info", "migration_errored", "m", `"failure_mode":"error_during_migration",`), none, uitrack.OutcomeFailed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tr := follow(t, []byte(test.stream))
			if test.exit != none {
				tr.Exit(test.exit)
			}
			s := tr.Snapshot()
			if s.Outcome != test.want || s.Reason == "" {
				t.Errorf("%s (%s), want %s", s.Outcome, s.Reason, test.want)
			}
		})
	}
	t.Run("running", func(t *testing.T) {
		var tr uitrack.Tracker
		if s := tr.Snapshot(); s.Outcome != uitrack.OutcomeRunning || s.Phase != uitrack.PhaseStart {
			t.Error(s.Outcome, s.Phase)
		}
		tr.Add(&uijson.Event{Kind: uijson.EventMessage, Message: decode(t, []byte(plan))})
		if s := tr.Snapshot(); s.Outcome != uitrack.OutcomeRunning {
			t.Errorf("a plan summary alone: %s", s.Outcome)
		}
	})
	t.Run("no stream", func(t *testing.T) {
		for in, want := range map[string]string{
			"PK\x03\x04\x14":                        "zip archive",
			`{"format_version":"1.2","valid":true}`: "a JSON document, not a stream",
			"{\n  \"format_version\": \"1.2\"\n}\n": "a JSON document, not a stream",
			"[]":                                    "not a message",
		} {
			if s := follow(t, []byte(in)).Snapshot(); s.Outcome != uitrack.OutcomeIncomplete || !strings.Contains(s.Reason, want) {
				t.Errorf("%q: %s (%s)", in, s.Outcome, s.Reason)
			}
		}
	})
	t.Run("read error", func(t *testing.T) {
		var tr uitrack.Tracker
		tr.Add(&uijson.Event{Kind: uijson.EventMessage, Message: decode(t, []byte(plan))})
		tr.End(io.ErrClosedPipe)
		tr.End(nil)
		if s := tr.Snapshot(); s.Outcome != uitrack.OutcomeIncomplete {
			t.Error(s.Outcome, s.Reason)
		}
	})
}

// state returns what a snapshot says of a resource, in a few words.
func state(t *testing.T, s *uitrack.Snapshot, addr string) string {
	t.Helper()
	for _, r := range s.Resources {
		if r.Addr != addr {
			continue
		}
		text := string(r.Status) + ":"
		for _, p := range r.Planned {
			text += " plan-" + string(p.Action)
			if p.Importing {
				text += "+import"
			}
			if p.PreviousAddr != "" {
				text += "<" + p.PreviousAddr
			}
		}
		if r.Drift != "" {
			text += " drift-" + string(r.Drift)
		}
		for _, c := range r.Cycles {
			text += " " + string(c.Action) + "-" + string(c.Status)
		}
		return text
	}
	return "none"
}

// No end is reported of a data source in a check block that cannot be read, and the
// run succeeds.
func TestFailedReads(t *testing.T) {
	read := `{"@module":"tofu.ui","hook":{"resource":{"addr":"data.a.b","resource":"data.a.b"},"action":"read"},"type":"apply_start"}` + "\n"
	for name, text := range map[string]string{
		"refresh": read + `{"@module":"tofu.ui","outputs":{},"type":"outputs"}` + "\n",
		"apply": `{"@module":"tofu.ui","hook":{"resource":{"addr":"a.c"},"action":"create"},"type":"apply_start"}` + "\n" + read +
			`{"@module":"tofu.ui","hook":{"resource":{"addr":"a.c"},"action":"create"},"type":"apply_complete"}` + "\n" +
			`{"@module":"tofu.ui","changes":{"add":1,"change":0,"remove":0,"operation":"apply"},"type":"change_summary"}` + "\n" +
			`{"@module":"tofu.ui","outputs":{},"type":"outputs"}` + "\n",
	} {
		s := follow(t, []byte(versionLine+text)).Snapshot()
		if r := s.Resource("data.a.b"); r.Status != uitrack.StatusFailed || s.Active != 0 || !s.Outcome.OK() {
			t.Errorf("%s: %s, %d active: %s: %s", name, r.Status, s.Active, s.Outcome, s.Reason)
		}
	}
}

// Replacements in both orders, deposed objects, data sources, provisioners,
// actions without hooks: what happened to single resources.
func TestResources(t *testing.T) {
	tests := []struct{ recording, addr, want string }{
		{"tofu-1.12.6/apply-trouble/apply.after-deposed.jsonl", "terraform_data.swap", "done: plan-delete plan-replace create-done delete-done delete-done"},
		{"tofu-1.12.6/apply-trouble/apply.after-deposed.jsonl", "terraform_data.sour", "done: plan-replace delete-done create-done"},
		{"tofu-1.12.6/apply-trouble/apply.after-deposed.jsonl", "terraform_data.chatty", "done: plan-update update-done"},
		{"tofu-1.12.6/apply-trouble/apply.deposed.jsonl", "terraform_data.swap", "failed: plan-replace create-failed"},
		{"tofu-1.12.6/checks/plan.jsonl", "data.lab_thing.late", "none"},
	}
	for _, test := range tests {
		s := follow(t, recording(t, test.recording)).Snapshot()
		if got := state(t, s, test.addr); got != test.want {
			t.Errorf("%s: %s is %q, want %q", test.recording, test.addr, got, test.want)
		}
	}
	s := follow(t, recording(t, "tofu-1.12.6/apply-trouble/apply.after-deposed.jsonl")).Snapshot()
	for _, r := range s.Resources {
		if r.Addr != "terraform_data.shrug" {
			continue
		}
		c := r.Cycles[len(r.Cycles)-1]
		if c.Provisioner != "local-exec" || c.Provisioning || len(c.Tail) == 0 || c.Status != uitrack.StatusDone {
			t.Errorf("a provisioner that may fail: %+v", c)
		}
	}
	if s.MaxActive < 2 || s.Active != 0 {
		t.Errorf("%d at most, %d still active", s.MaxActive, s.Active)
	}
}

func TestTrackerScript(t *testing.T) {
	res := func(addr string) *uijson.Resource {
		return &uijson.Resource{Addr: addr, Resource: addr, ResourceType: "a", ResourceKey: uijson.Value("null")}
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tr := &uitrack.Tracker{Now: func() time.Time { return now }, TailLines: 2}
	add := func(typ uijson.Type, edit func(*uijson.Message)) {
		m := uijson.NewMessage(typ, "")
		edit(m)
		tr.Add(&uijson.Event{Kind: uijson.EventMessage, Message: m})
		now = now.Add(time.Second)
	}
	hook := func(typ uijson.Type, addr string, action uijson.Action) {
		add(typ, func(m *uijson.Message) { m.Hook = &uijson.Hook{Resource: res(addr), Action: action} })
	}
	planned := func(addr string, action uijson.Action, reason uijson.Reason) {
		add(uijson.TypePlannedChange, func(m *uijson.Message) {
			m.Change = &uijson.Change{Resource: res(addr), Action: action, Reason: reason}
		})
	}
	add(uijson.TypeVersion, func(m *uijson.Message) { m.Tofu, m.UI = "1.12.6", "1.2" })
	add(uijson.TypeStateLockAcquire, func(*uijson.Message) {})
	if s := tr.Snapshot(); !s.LockWaiting {
		t.Error("not waiting for the lock")
	}
	hook(uijson.TypeRefreshStart, "a.old", "")
	if s := tr.Snapshot(); s.LockWaiting || s.Phase != uitrack.PhaseRefresh {
		t.Errorf("phase %s, waiting %v", s.Phase, s.LockWaiting)
	}
	hook(uijson.TypeRefreshComplete, "a.old", "")
	hook(uijson.TypeApplyStart, "data.a.d", uijson.ActionRead)
	hook(uijson.TypeApplyComplete, "data.a.d", uijson.ActionRead)
	if s := tr.Snapshot(); s.Phase != uitrack.PhaseRefresh || s.Done.Read != 1 {
		t.Errorf("a data source read while planning: phase %s, %+v", s.Phase, s.Done)
	}
	add(uijson.TypeResourceDrift, func(m *uijson.Message) {
		m.Change = &uijson.Change{Resource: res("a.old"), Action: uijson.ActionUpdate}
	})
	planned("a.new", uijson.ActionCreate, "")
	planned("a.swap", uijson.ActionReplace, uijson.ReplaceBecauseCannotUpdate)
	planned("a.old", uijson.ActionForget, "")
	planned("a.anew", uijson.ActionNoOp, uijson.ReplaceBecauseCannotUpdate)
	planned("a.moved", uijson.ActionMove, "")
	add(uijson.TypePlannedChange, func(m *uijson.Message) {
		m.Change = &uijson.Change{Resource: res("a.in"), Action: uijson.ActionImport, Importing: &uijson.Importing{}}
	})
	add(uijson.TypeChangeSummary, func(m *uijson.Message) {
		m.Changes = &uijson.ChangeSummary{Add: 3, Import: 1, Remove: 1, Forget: 2, Operation: uijson.OperationPlan}
	})
	if s := tr.Snapshot(); s.Planned != (uitrack.Counts{Add: 3, Import: 1, Remove: 1, Forget: 2, Move: 1}) || s.Drifted != 1 || s.Phase != uitrack.PhasePlan {
		t.Errorf("planned %+v, phase %s, %d drifted", s.Planned, s.Phase, s.Drifted)
	}
	hook(uijson.TypeApplyStart, "a.swap", uijson.ActionDelete)
	before := tr.Snapshot()
	if before.Phase != uitrack.PhaseApply || before.Active != 1 || before.ETASeconds != nil {
		t.Errorf("phase %s, %d active, ETA %v", before.Phase, before.Active, before.ETASeconds)
	}
	hook(uijson.TypeApplyComplete, "a.swap", uijson.ActionDelete)
	hook(uijson.TypeApplyStart, "a.swap", uijson.ActionCreate)
	hook(uijson.TypeApplyStart, "a.new", uijson.ActionCreate)
	for i := range 5 {
		add(uijson.TypeProvisionProgress, func(m *uijson.Message) {
			m.Hook = &uijson.Hook{Resource: res("a.new"), Provisioner: "local-exec", Output: fmt.Sprint(i)}
		})
	}
	if got := state(t, before, "a.swap"); got != "running: plan-replace delete-running" {
		t.Errorf("an old snapshot has changed: %s", got)
	}
	s := tr.Snapshot()
	if got := state(t, s, "a.swap"); got != "running: plan-replace delete-done create-running" {
		t.Error(got)
	}
	for _, r := range s.Resources {
		if r.Addr == "a.new" {
			c := r.Running()
			if diff := cmp.Diff([]string{"3", "4"}, c.Tail); diff != "" || !c.Provisioning || c.Duration(s.Updated) != 6*time.Second {
				t.Errorf("%s, provisioning %v, %v", diff, c.Provisioning, c.Duration(s.Updated))
			}
		}
	}
	hook(uijson.TypeApplyErrored, "a.new", uijson.ActionCreate)
	add(uijson.TypeDiagnostic, func(m *uijson.Message) {
		m.Level = uijson.LevelError
		m.Diagnostic = &uijson.Diagnostic{Severity: uijson.SeverityError, Summary: "s", Address: "a.new"}
	})
	for range 3 {
		add(uijson.TypeDiagnostic, func(m *uijson.Message) {
			m.Level = uijson.LevelError
			m.Diagnostic = &uijson.Diagnostic{Severity: uijson.SeverityError, Summary: "execution halted"}
		})
	}
	tr.End(nil)
	s = tr.Snapshot()
	if s.Failed != 1 || s.Errors != 2 || len(s.Diagnostics) != 2 || s.Diagnostics[1].Count != 3 {
		t.Errorf("%d failed, %d errors, %v", s.Failed, s.Errors, s.Diagnostics)
	}
	sum := s.Summary()
	if diff := cmp.Diff([]string{"a.new"}, sum.Failed); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a.swap"}, sum.Unfinished); diff != "" {
		t.Error(diff)
	}
	if len(sum.Differences) == 0 {
		t.Error("no differences explained")
	}
}

// Both vocabularies for ephemeral resources lead to the same picture.
func TestEphemeral(t *testing.T) {
	tests := map[string][]string{
		"terraform": {
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"action":"open"},"type":"ephemeral_op_start"`,
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"action":"open","elapsed_seconds":0},"type":"ephemeral_op_complete"`,
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"action":"renew"},"type":"ephemeral_op_start"`,
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"action":"renew","elapsed_seconds":0},"type":"ephemeral_op_complete"`,
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"action":"close"},"type":"ephemeral_op_start"`,
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"action":"close","elapsed_seconds":0},"type":"ephemeral_op_complete"`,
		},
		"tofu": {
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"Msg":"Opening..."},"type":"ephemeral_action_started"`,
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"Msg":"Open complete"},"type":"ephemeral_action_complete"`,
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"Msg":"Renewing..."},"type":"ephemeral_action_started"`,
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"Msg":"Renew complete"},"type":"ephemeral_action_complete"`,
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"Msg":"Closing..."},"type":"ephemeral_action_started"`,
			`"hook":{"resource":{"addr":"ephemeral.a.b"},"Msg":"Close complete"},"type":"ephemeral_action_complete"`,
		},
	}
	for name, lines := range tests {
		var tr uitrack.Tracker
		for _, l := range lines {
			tr.Add(&uijson.Event{Kind: uijson.EventMessage, Message: decode(t, []byte(`{"@level":"info","@message":"m","@module":"`+name+`.ui","@timestamp":"t",`+l+`}`))})
		}
		s := tr.Snapshot()
		if got := state(t, s, "ephemeral.a.b"); got != "done: open-done renew-done close-done" {
			t.Errorf("%s: %s", name, got)
		}
		if s.Resources[0].Mode != "managed" { // no member "resource" in these lines
			t.Errorf("mode %q", s.Resources[0].Mode)
		}
	}
	if a := (&uijson.Hook{Msg: "Something else"}).Ephemeral(); a != "" {
		t.Error(a)
	}
}

func TestActions(t *testing.T) {
	const act = `{"addr":"action.a.b","module":"","action":"action.a.b","implied_provider":"a","action_type":"a","action_name":"b","action_key":null}`
	var tr uitrack.Tracker
	for _, l := range []string{
		`"invocation":{"action_addr":` + act + `,"action_trigger":{}},"type":"planned_action_invocation"`,
		`"hook":{"action":` + act + `,"invoke":{}},"type":"action_start"`,
		`"hook":{"action":` + act + `,"message":"half-way","invoke":{}},"type":"action_progress"`,
		`"hook":{"action":` + act + `,"error":"no","invoke":{}},"type":"action_errored"`,
		`"hook":{"action":7},"type":"action_start"`,
		`"hook":{},"type":"apply_start"`,
	} {
		m := decode(t, []byte(`{"@level":"info","@message":"m","@module":"terraform.ui","@timestamp":"t",`+l+`}`))
		if m.Type == uijson.TypeActionProgress {
			if a := m.Hook.ActionAddr; a == nil || a.Addr != "action.a.b" || m.Problems() != nil {
				t.Errorf("%+v, %v", a, m.Problems())
			}
		}
		tr.Add(&uijson.Event{Kind: uijson.EventMessage, Message: m})
	}
	s := tr.Snapshot()
	if len(s.Resources) != 1 || s.Resource("action.a.b") != s.Resources[0] || s.Resource("a.b") != nil || s.Resources[0].Mode != "action" || s.Resources[0].Status != uitrack.StatusFailed {
		t.Fatalf("%+v", s.Resources)
	}
	if c := s.Resources[0].Cycles[0]; c.Message != "no" || c.Action != uitrack.ActionInvoke {
		t.Errorf("%+v", c)
	}
}

func TestTrackedTests(t *testing.T) {
	tree := func(s *uitrack.Snapshot) (lines []string) {
		for _, f := range s.Tests {
			line := f.Path + " " + string(f.Status) + ":"
			for _, r := range f.Runs {
				line += " " + r.Name + "-" + string(r.Status)
			}
			lines = append(lines, line)
		}
		return lines
	}
	for _, name := range []string{"tofu-1.12.6/tests/test.jsonl", "terraform-1.11.4/tests/test.jsonl"} {
		s := follow(t, recording(t, name)).Snapshot()
		got := strings.Join(tree(s), "\n")
		for _, want := range []string{
			"tests/mocks.tftest.hcl pass: mocked-pass",
			"tests/fail.tftest.hcl error: ok-pass two_fail-fail expectation_not_met-error still_runs-skip",
			"tests/error.tftest.hcl error: fine-pass errors-error skipped_one-skip skipped_two-skip",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got)
			}
		}
		if s.TestSummary == nil || s.TestSummary.Passed == 0 {
			t.Errorf("%s: summary %+v", name, s.TestSummary)
		}
		for _, d := range s.Diagnostics {
			if d.Diagnostic.Summary == "Test assertion failed" && (d.File == "" || d.Run == "") {
				t.Errorf("%s: a failed assertion of no run", name)
			}
		}
	}
	s := follow(t, recording(t, "tofu-1.12.6/tests/test.interrupted-twice.jsonl")).Snapshot()
	if !s.Interrupted || s.Outcome != uitrack.OutcomeCancelled {
		t.Errorf("%v %s", s.Interrupted, s.Outcome)
	}
	left := 0
	for _, f := range s.Tests {
		left += len(f.Leftovers)
	}
	if left == 0 {
		t.Error("nothing left behind")
	}
	m := decode(t, []byte(`{"test_interrupt":{"states":{"r":[{"instance":"a.b","deposed_key":"k"},7],"n":null}}}`))
	if got := m.TestInterrupt.Left(); len(got["r"]) != 1 || got["r"][0].Instance != "a.b" {
		t.Errorf("%v", got)
	}
}

// Outputs of the plan and of the apply are one, and never show a secret.
func TestTrackedOutputs(t *testing.T) {
	var tr uitrack.Tracker
	for _, l := range []string{
		`{"a":{"sensitive":false,"action":"create"},"s":{"sensitive":true,"action":"update"},"was":{"sensitive":true,"action":"update"}}`,
		`{"a":{"sensitive":false,"type":"string","value":"v"},"s":{"sensitive":true,"type":"string","value":"secret"},"was":{"sensitive":false,"type":"string","value":"open"}}`,
	} {
		tr.Add(&uijson.Event{Kind: uijson.EventMessage, Message: decode(t, []byte(`{"@module":"tofu.ui","outputs":`+l+`,"type":"outputs"}`))})
	}
	text, err := json.Marshal(tr.Snapshot().Outputs)
	want := `[{"name":"a","action":"create","sensitive":false,"type":"string","value":"v"},{"name":"s","action":"update","sensitive":true,"type":"string"},` +
		`{"name":"was","action":"update","sensitive":false,"type":"string","value":"open"}]`
	if err != nil || string(text) != want {
		t.Errorf("%v\n got  %s\n want %s", err, text, want)
	}
}

// A version message of another tool, or after real work, begins a new run; one
// in the middle of an init does not.
func TestSeveralRuns(t *testing.T) {
	one := recording(t, "tofu-1.12.6/apply-trouble/apply.failures.jsonl")
	two := recording(t, "tofu-1.12.6/apply-trouble/destroy.jsonl")
	s := follow(t, append(bytes.Clone(one), two...)).Snapshot()
	if len(s.Earlier) != 1 || s.Earlier[0].Outcome != uitrack.OutcomeFailed || s.Outcome != uitrack.OutcomeFailed || s.Operation != uijson.OperationDestroy {
		t.Errorf("%+v, then %s of %s", s.Earlier, s.Outcome, s.Operation)
	}
	s = follow(t, recording(t, "tofu-1.9.4/tofu-files/init.jsonl")).Snapshot()
	if len(s.Earlier) != 0 || !s.Outcome.OK() {
		t.Errorf("an init with several version messages: %+v, %s", s.Earlier, s.Outcome)
	}
	s = follow(t, []byte(versionLine+strings.Replace(versionLine, `"tofu":"1.12.6"`, `"terraform":"1.5.0"`, 1))).Snapshot()
	if len(s.Earlier) != 1 || s.Tool != addrs.Terraform {
		t.Errorf("%+v, then %s", s.Earlier, s.Tool)
	}
}

// Snapshots may be taken and read while messages come in.
func TestConcurrentSnapshots(t *testing.T) {
	text := recording(t, "tofu-1.12.6/apply-trouble/apply.after-deposed.jsonl")
	var tr uitrack.Tracker
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				s := tr.Snapshot()
				if _, err := json.Marshal(s); err != nil {
					t.Error(err)
					return
				}
				_ = s.Summary()
			}
		})
	}
	for range 20 {
		for e := range uijson.NewReader(bytes.NewReader(text)).Borrowed() {
			tr.Add(e)
		}
	}
	close(stop)
	wg.Wait()
}

// A snapshot does not change when the run goes on.
func TestSnapshotsAreFixed(t *testing.T) {
	for _, name := range []string{"tofu-1.12.6/apply-trouble/apply.deposed.jsonl", "terraform-1.11.4/tests/test.jsonl"} {
		var tr uitrack.Tracker
		var snaps []*uitrack.Snapshot
		var texts [][]byte
		for e := range uijson.NewReader(bytes.NewReader(recording(t, name))).Borrowed() {
			tr.Add(e)
			s := tr.Snapshot()
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			snaps, texts = append(snaps, s), append(texts, text)
		}
		for i, s := range snaps {
			if text, _ := json.Marshal(s); !bytes.Equal(text, texts[i]) {
				t.Fatalf("%s: snapshot %d has changed:\n%s\n%s", name, i, texts[i], text)
			}
		}
	}
}

// What a tracker keeps grows with the resources, not with the messages.
func TestTrackerMemory(t *testing.T) {
	var block strings.Builder
	for i := range 100 {
		res := fmt.Sprintf(`{"addr":"a.b[%d]","module":"","resource":"a.b[%d]","implied_provider":"a","resource_type":"a","resource_name":"b","resource_key":%d}`, i, i, i)
		for _, typ := range []string{"apply_start", "apply_progress", "provision_progress", "apply_complete", "refresh_start", "refresh_complete"} {
			fmt.Fprintf(&block, `{"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"t","hook":{"resource":%s,"action":"create","output":"o","elapsed_seconds":1},"type":%q}`+"\n", res, typ)
		}
		fmt.Fprintf(&block, `{"@level":"error","@message":"m","@module":"tofu.ui","@timestamp":"t","diagnostic":{"severity":"error","summary":"s %d","detail":"d"},"type":"diagnostic"}`+"\n", i)
	}
	var tr uitrack.Tracker
	feed := func(n int) {
		src := strings.NewReader(block.String())
		for range n {
			src.Seek(0, io.SeekStart)
			for e := range uijson.NewReader(src).Borrowed() {
				tr.Add(e)
			}
			_ = tr.Snapshot()
		}
	}
	feed(10)
	before := bounds.Heap()
	feed(300) // 210,000 messages
	if after := bounds.Heap(); after > before+1<<20 {
		t.Errorf("%d bytes more", after-before)
	}
	runtime.KeepAlive(&tr)
	if s := tr.Snapshot(); len(s.Resources) != 100 || s.Lines.Messages != 310*700 {
		t.Errorf("%d resources, %d messages", len(s.Resources), s.Lines.Messages)
	}
}

func TestDiagnosticLimit(t *testing.T) {
	var tr uitrack.Tracker
	for i := range 3000 {
		m := uijson.NewMessage(uijson.TypeDiagnostic, "")
		m.Diagnostic = &uijson.Diagnostic{Severity: uijson.SeverityWarning, Summary: fmt.Sprint(i)}
		tr.Add(&uijson.Event{Kind: uijson.EventMessage, Message: m})
	}
	if s := tr.Snapshot(); len(s.Diagnostics) != 1000 || s.Warnings != 3000 {
		t.Errorf("%d kept, %d counted", len(s.Diagnostics), s.Warnings)
	}
}

func TestCycleDuration(t *testing.T) {
	at := func(s int) time.Time { return time.Date(2026, 1, 2, 3, 4, s, 0, time.UTC) }
	n := func(s int64) *int64 { return &s }
	tests := []struct {
		name string
		c    uitrack.Cycle
		want time.Duration
	}{
		{"running", uitrack.Cycle{Started: at(1)}, 9 * time.Second},
		{"over", uitrack.Cycle{Started: at(1), Ended: at(4), Reported: n(99)}, 3 * time.Second},
		{"the beginning was not seen", uitrack.Cycle{Ended: at(4), Reported: n(20)}, 20 * time.Second},
		{"nothing is known", uitrack.Cycle{}, 0},
		{"a clock that was set back", uitrack.Cycle{Started: at(20), Ended: at(4)}, 0},
		{"a negative report", uitrack.Cycle{Reported: n(-1)}, 0},
	}
	for _, test := range tests {
		if got := test.c.Duration(at(10)); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Why the plan, the operations and the summary differ.
func TestDifferences(t *testing.T) {
	counts := func(add, imported, forget int64) uitrack.Counts {
		return uitrack.Counts{Add: add, Import: imported, Forget: forget}
	}
	ptr := func(c uitrack.Counts) *uitrack.Counts { return &c }
	tests := []struct {
		name string
		s    uitrack.Snapshot
		want string
	}{
		{"agreement", uitrack.Snapshot{Operation: "apply", Planned: counts(1, 0, 0), Done: counts(1, 0, 0), Reported: ptr(counts(1, 0, 0))}, ""},
		{"plan", uitrack.Snapshot{Operation: "plan", Planned: counts(1, 0, 0)}, ""},
		{"running", uitrack.Snapshot{Operation: "apply", Outcome: uitrack.OutcomeRunning, Phase: uitrack.PhaseApply, Planned: counts(2, 0, 0), Done: counts(1, 0, 0)}, "not finished"},
		{"interrupted", uitrack.Snapshot{Operation: "apply", Interrupted: true, Planned: counts(2, 0, 0), Done: counts(1, 0, 0)}, "interrupted"},
		{"failed", uitrack.Snapshot{Operation: "apply", Errors: 1, Planned: counts(2, 0, 0), Done: counts(1, 0, 0)}, "operations failed"},
		{"killed", uitrack.Snapshot{Operation: "apply", Planned: counts(2, 0, 0), Done: counts(1, 0, 0)}, "ended before everything"},
		{"beginning missing", uitrack.Snapshot{Operation: "apply", Planned: counts(0, 0, 0), Done: counts(1, 0, 0), Reported: ptr(counts(2, 0, 0))}, "were not seen"},
		{"not announced", uitrack.Snapshot{Operation: "apply", Planned: counts(0, 0, 0), Done: counts(1, 0, 0), Reported: ptr(counts(1, 0, 0))}, "were not announced"},
		{"forgotten and created", uitrack.Snapshot{Operation: "apply", Planned: counts(2, 0, 0), Done: counts(2, 0, 0), Reported: ptr(counts(1, 0, 0))}, "anew after forgetting"},
		{"unnecessary", uitrack.Snapshot{Operation: "apply", Planned: counts(2, 0, 0), Done: counts(1, 0, 0), Reported: ptr(counts(1, 0, 0))}, "proved unnecessary"},
		{"import", uitrack.Snapshot{Operation: "apply", Planned: counts(0, 1, 0), Reported: ptr(counts(0, 1, 0))}, "no message says"},
		{"import of a saved plan", uitrack.Snapshot{Operation: "apply", Reported: ptr(counts(0, 1, 0))}, "saved plan"},
		{"forget in Terraform", uitrack.Snapshot{Operation: "apply", Tool: addrs.Terraform, Planned: counts(0, 0, 1), Reported: ptr(counts(0, 0, 0))}, "Terraform does not count"},
		{"forget without summary", uitrack.Snapshot{Operation: "apply", Planned: counts(0, 0, 1)}, "there is no summary"},
		{"forget, counted twice", uitrack.Snapshot{Operation: "apply", Planned: counts(0, 0, 2), Reported: ptr(counts(0, 0, 1))}, "in different ways"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := test.s.Differences()
			if test.want == "" {
				if all != nil {
					t.Errorf("%+v", all)
				}
				return
			}
			if len(all) != 1 || !strings.Contains(all[0].Why, test.want) {
				t.Errorf("%+v, want %q", all, test.want)
			}
		})
	}
}

// A snapshot that was written as JSON can be read again.
func TestSnapshotJSON(t *testing.T) {
	s := follow(t, recording(t, "tofu-1.12.6/values/apply.jsonl")).Snapshot()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var again uitrack.Snapshot
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if text2, err := json.Marshal(&again); err != nil || !bytes.Equal(text, text2) {
		t.Errorf("%v\n %s\n %s", err, text, text2)
	}
}

// The secrets of a plan do not reach a snapshot if RemoveSecrets comes before Add.
func TestTracker_removedSecrets(t *testing.T) {
	const stream = `{"@level":"error","@message":"Error: hunter2hunter2","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000000Z","diagnostic":{"severity":"error","summary":"failed","detail":"echo hunter2hunter2"},"type":"diagnostic"}` + "\n"
	clean := uijson.RemoveSecrets([]string{"hunter2hunter2"})
	var tracker uitrack.Tracker
	for ev, err := range uijson.NewReader(strings.NewReader(stream)).Borrowed() {
		if err != nil {
			t.Fatal(err)
		}
		clean(ev.Message)
		tracker.Add(ev)
	}
	tracker.End(nil)
	s := tracker.Snapshot()
	if len(s.Diagnostics) != 1 || s.Diagnostics[0].Diagnostic.Detail != "echo "+uijson.Redacted {
		t.Errorf("diagnostics are %+v", s.Diagnostics)
	}
	if text, err := json.Marshal(s); err != nil || bytes.Contains(text, []byte("hunter2")) {
		t.Errorf("snapshot is %s, %v", text, err)
	}
}
