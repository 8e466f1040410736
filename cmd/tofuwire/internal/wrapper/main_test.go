// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// good is a run in which everything goes well: a recorded one.
func good() map[string]step {
	return map[string]step{
		"init":  {Files: ui("apply-trouble/init.jsonl")},
		"plan":  {Files: ui("apply-trouble/plan.after-deposed.jsonl")},
		"show":  {Files: document("apply-trouble/plan.after-deposed.json")},
		"apply": {Files: ui("apply-trouble/apply.after-deposed.jsonl")},
	}
}

// with returns the good run with other steps.
func with(steps map[string]step) map[string]step {
	script := good()
	maps.Copy(script, steps)
	return script
}

// small is a plan that creates one object.
const small = `{"format_version":"1.2","resource_changes":[{"address":"a.b","mode":"managed","type":"a","provider_name":"registry.opentofu.org/acme/a",` +
	`"change":{"actions":["create"],"before":null,"after":{}}}],"errored":false}`

func TestRuns(t *testing.T) {
	const everything = "init plan show apply"
	tests := []struct {
		name    string
		script  map[string]step
		options []string
		code    int
		ran     string   // the commands
		says    []string // parts of the output
	}{
		{
			name: "all goes well", script: good(), code: exitOK, ran: everything,
			says: []string{"lab_switch.deleter: Plan to replace", "policy: no objection", "Apply complete!", "apply: success"},
		},
		{
			name: "slow", code: exitOK, ran: everything,
			script: with(map[string]step{"apply": {Files: ui("apply-trouble/apply.after-deposed.jsonl"), Delay: 15}}),
			says:   []string{"apply: success"},
		},
		{
			name: "a huge line and many lines", code: exitOK, ran: everything,
			script: with(map[string]step{"apply": {Huge: 20 << 20, Many: 20_000, Files: ui("apply-trouble/apply.after-deposed.jsonl")}}),
			says:   []string{"apply: success"},
		},
		{
			name: "foreign lines", code: exitOK, ran: everything,
			script: with(map[string]step{
				"plan": {Text: "Warning: odd\x1b[2J configuration\n\n{\"half\":\n", Files: ui("apply-trouble/plan.after-deposed.jsonl"), Stderr: "by the way\n"},
			}),
			says: []string{"Warning: odd␛[2J configuration", "by the way", "apply: success"},
		},
		{
			name: "init knows no JSON", code: exitOK, ran: "init " + everything,
			script: with(map[string]step{
				"init":         {Stderr: "flag provided but not defined: -json\n", Exit: 1},
				"init as text": {Text: "OpenTofu has been initialized.\n"},
			}),
			says: []string{"OpenTofu has been initialized.", "apply: success"},
		},
		{
			name: "init knows no JSON, and fails", code: exitFailed, ran: "init init",
			script: with(map[string]step{
				"init":         {Stderr: "flag provided but not defined: -json\n", Exit: 1},
				"init as text": {Stderr: "Error: Failed to query available provider packages\n", Exit: 1},
			}),
			says: []string{"Error: Failed to query", "wrapper: init: exit status 1"},
		},
		{
			name: "init fails", code: exitFailed, ran: "init",
			script: with(map[string]step{"init": {Files: ui("diagnostics/init.initfail.jsonl"), Exit: 1}}),
			says:   []string{"Error: ", "init: failed"},
		},
		{
			name: "no init", script: good(), options: []string{"-skip-init"}, code: exitOK, ran: "plan show apply",
		},
		{
			name: "the plan fails", code: exitFailed, ran: "init plan",
			script: with(map[string]step{"plan": {Files: ui("diagnostics/plan.eval.jsonl"), Exit: 1}}),
			says:   []string{"Error: ", "plan: failed"},
		},
		{
			name: "the tool dies while planning", code: exitIncomplete, ran: "init plan",
			script: with(map[string]step{"plan": {Files: ui("apply-trouble/plan.after-deposed.jsonl"), Cut: 100, Kill: true}}),
			says:   []string{"plan: incomplete (killed by a signal; the stream ends in the middle of a message)"},
		},
		{
			name: "another version of the messages", code: exitUsage, ran: "init plan",
			script: with(map[string]step{"plan": {Text: `{"@level":"info","@message":"OpenTofu 9.0.0","@module":"tofu.ui","@timestamp":"2031-01-02T03:04:05.000001Z","tofu":"9.0.0","type":"version","ui":"2.0"}` + "\n"}}),
			says:   []string{"unsupported format version"},
		},
		{
			name: "changes by exit status", code: exitOK, ran: everything,
			script: with(map[string]step{"plan": {Files: ui("apply-trouble/plan.after-deposed.jsonl"), Exit: 2}}),
		},
		{
			name: "show fails", code: exitUsage, ran: "init plan show",
			script: with(map[string]step{"show": {Stderr: "no schema\n", Exit: 1}}),
			says:   []string{"no schema", "show: exit status 1"},
		},
		{
			name: "show prints no plan", code: exitUsage, ran: "init plan show",
			script: with(map[string]step{"show": {Text: `{"format_version":"1.2","resource_changes":7}`}}),
			says:   []string{"planjson: line 1, column 44 (/resource_changes)"},
		},
		{
			name: "show prints nothing", code: exitUsage, ran: "init plan show",
			script: with(map[string]step{"show": {}}),
			says:   []string{"the tool has printed no plan"},
		},
		{
			name: "another version of the plan", code: exitUsage, ran: "init plan show",
			script: with(map[string]step{"show": {Text: `{"format_version":"2.0"}`}}),
			says:   []string{`unsupported format version "2.0"`},
		},
		{
			name: "an ambiguous plan", code: exitRefused, ran: "init plan show",
			script: with(map[string]step{"show": {Text: strings.Replace(small, `["create"],`, `["delete"],"actions":["create"],`, 1)}}),
			says:   []string{"line 1, column 168: duplicate member"},
		},
		{
			name: "an unknown action", code: exitRefused, ran: "init plan show",
			script: with(map[string]step{"show": {Text: strings.Replace(small, `["create"]`, `["vaporize"]`, 1)}}),
			says:   []string{`a.b: an unknown action: "vaporize"`, "nothing has been applied"},
		},
		{
			name: "a policy refuses", script: good(), options: []string{"-policy", "no-delete=lab_*", "-policy", "max-changes=1000"},
			code: exitRefused, ran: "init plan show",
			says: []string{"policy no-delete=lab_*: lab_", "would be deleted", "refused, nothing has been applied"},
		},
		{
			name: "a policy allows", script: with(map[string]step{"show": {Text: small}}), options: []string{"-policy", "no-delete", "-policy", "max-create=1"},
			code: exitOK, ran: everything, says: []string{"(rules: 2)"},
		},
		{
			name: "a dry run", script: good(), options: []string{"-dry-run"}, code: exitOK, ran: "init plan show",
			says: []string{"dry run: nothing has been applied"},
		},
		{
			name: "no changes", code: exitOK, ran: "init plan show",
			script: with(map[string]step{
				"plan": {Files: ui("actions/plan.noop.jsonl")},
				"show": {Text: strings.Replace(small, `["create"]`, `["no-op"]`, 1)},
			}),
			says: []string{"nothing to apply"},
		},
		{
			name: "another plan in its place", code: exitUsage, ran: "init plan show",
			script: with(map[string]step{"show": {Files: document("apply-trouble/plan.after-deposed.json"), Alter: true}}),
			says:   []string{"has changed since it was made"},
		},
		{
			name: "the apply fails", code: exitFailed, ran: everything,
			script: with(map[string]step{
				"plan":  {Files: ui("apply-trouble/plan.failures.jsonl")},
				"show":  {Files: document("apply-trouble/plan.failures.json")},
				"apply": {Files: ui("apply-trouble/apply.failures.jsonl"), Exit: 1},
			}),
			says: []string{"Error: Creation only half done", "apply: failed", "failed: lab_switch.create_fails", "done before it ended: 3 added, 0 changed, 0 destroyed"},
		},
		{
			name: "the state is left in a file", code: exitFailed, ran: everything,
			script: with(map[string]step{"apply": {Files: ui("apply-trouble/apply.failures.jsonl"), Touch: stateName, Exit: 1}}),
			says:   []string{"the tool could not save the state where it belongs", "state push " + stateName},
		},
		{
			name: "the tool dies while applying", code: exitIncomplete, ran: everything,
			script: with(map[string]step{"apply": {Files: ui("apply-trouble/apply.interrupted-deaf.jsonl"), StopAt: "deaf[1]: Creation complete", Cut: 100, Kill: true}}),
			says:   []string{"killed by a signal", "not finished, and perhaps not in the state: lab_switch.deaf[0]", "it is not known what the apply has done", "all messages are kept in"},
		},
		{
			name: "the tool panics", code: exitIncomplete, ran: everything,
			script: with(map[string]step{"apply": {Text: `{"@level":"info","@message":"a.b: Creating...","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","hook":{"resource":{"addr":"a.b"},"action":"create"},"type":"apply_start"}` + "\n", Stderr: "!!! CRASH !!!\n", Exit: 11}}),
			says:   []string{"!!! CRASH !!!", "the tool crashed", "not finished, and perhaps not in the state: a.b"},
		},
		{
			name: "the messages are cut off", code: exitIncomplete, ran: everything,
			script: with(map[string]step{"apply": {Text: `{"@level":"info","@message":"a.b: Creating...","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","hook":{"resource":{"addr":"a.b"},"action":"create"},"type":"apply_start"}` + "\n"}}),
			says:   []string{"it is not known what the apply has done"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(t, test.script)
			code, out := f.run(test.options...)
			if code != test.code {
				t.Errorf("exit status %d, want %d", code, test.code)
			}
			if ran := f.ran(); ran != test.ran {
				t.Errorf("ran %q, want %q", ran, test.ran)
			}
			for _, want := range test.says {
				if !strings.Contains(out, want) {
					t.Errorf("does not say %q", want)
				}
			}
			if strings.Contains(test.ran, "apply") && !strings.Contains(f.log(), `applies "the plan of the test", <nil>`) {
				t.Errorf("applied another plan: %s", f.log())
			}
			kept, err := filepath.Glob(filepath.Join(os.TempDir(), "wrapper-*"))
			if err != nil || (len(kept) > 0) != strings.Contains(out, "are kept in") {
				t.Errorf("left behind: %q, %v", kept, err)
			}
			if t.Failed() {
				t.Logf("output:\n%.4000s", out)
			}
		})
	}
}

// A state that the tool prints because it can save it nowhere is put into a
// file, byte for byte, however long it is.
func TestEmergencyState(t *testing.T) {
	state := `{"version":4,"resources":["` + strings.Repeat("r", 17<<20) + `"]}`
	f := newFake(t, with(map[string]step{"apply": {
		Files: ui("apply-trouble/apply.failures.jsonl"), Exit: 1,
		Text: `{"@level":"info","@message":"Emergency state dump","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","state":` + state + `,"type":"log"}` + "\n",
	}}))
	code, out := f.run()
	if code != exitFailed {
		t.Errorf("exit status %d", code)
	}
	names, err := filepath.Glob(filepath.Join(f.dir, "emergency-*.tfstate"))
	if err != nil || len(names) != 1 {
		t.Fatalf("files: %q, %v\n%s", names, err, out)
	}
	if !strings.Contains(out, names[0]) || !strings.Contains(out, "all messages are kept in") {
		t.Errorf("does not say where the state is:\n%s", out)
	}
	if got, err := os.ReadFile(names[0]); err != nil || string(got) != state {
		t.Errorf("%d bytes are not the state, %v", len(got), err)
	}
	if !isPrivate(t, names[0]) {
		t.Error("others can read it")
	}
}

// If the module's folder does not take the state, another one does.
func TestStateSavedElsewhere(t *testing.T) {
	dir := t.TempDir()
	name, err := rescue([]byte("{}"), filepath.Join(dir, "missing"), dir)
	if err != nil || filepath.Dir(name) != dir {
		t.Errorf("rescue = %q, %v", name, err)
	}
	if name, err := rescue([]byte("{}"), filepath.Join(dir, "missing")); err == nil {
		t.Errorf("rescue = %q", name)
	}
}

// With -keep, the plan and all messages stay.
func TestKeep(t *testing.T) {
	f := newFake(t, good())
	keep := filepath.Join(t.TempDir(), "a", "b")
	if code, out := f.run("-keep", keep); code != exitOK {
		t.Fatalf("exit status %d\n%s", code, out)
	}
	for name, want := range map[string][]string{
		"plan.json":   document("apply-trouble/plan.after-deposed.json"),
		"init.jsonl":  ui("apply-trouble/init.jsonl"),
		"plan.jsonl":  ui("apply-trouble/plan.after-deposed.jsonl"),
		"apply.jsonl": ui("apply-trouble/apply.after-deposed.jsonl"),
	} {
		got, err := os.ReadFile(filepath.Join(keep, name))
		if err != nil || !bytes.Equal(got, read(want)) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		if !isPrivate(t, filepath.Join(keep, name)) {
			t.Errorf("%s: others can read it", name)
		}
	}
}

// Options of the plan are passed on, in front of ours.
func TestPlanOptions(t *testing.T) {
	f := newFake(t, good())
	var b trigger
	args := append(f.args(nil), "-var=size=3", "-out=elsewhere", "-destroy")
	if code := run(args, nil, &b, &b); code != exitOK {
		t.Fatalf("exit status %d\n%s", code, b.String())
	}
	if log := f.log(); !strings.Contains(log, "plan -var=size=3 -out=elsewhere -destroy -input=false -json -out=") {
		t.Error(log)
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{},
		{"-nonsense"},
		{"-policy", "no-sense", dir},
		{"-tofu", filepath.Join(dir, "missing"), dir},
		{"-tofu", os.Args[0], filepath.Join(dir, "missing")},
		{"-tofu", os.Args[0], file},
		{"-tofu", os.Args[0], "-keep", file, dir},
	} {
		var b trigger
		if code := run(args, nil, &b, &b); code != exitUsage || b.String() == "" {
			t.Errorf("%q: exit status %d\n%s", args, code, b.String())
		}
	}
	t.Setenv("PATH", dir)
	var b trigger
	if code := run([]string{dir}, nil, &b, &b); code != exitUsage || !strings.Contains(b.String(), "neither tofu nor terraform") {
		t.Errorf("exit status %d\n%s", code, b.String())
	}
}

// A trigger is a buffer for several writers, which does something when a text
// has been written.
type trigger struct {
	mu   sync.Mutex
	all  bytes.Buffer
	text []string // one after the other
	do   func(text string)
}

func (w *trigger) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all.Write(p)
	for len(w.text) > 0 && strings.Contains(w.all.String(), w.text[0]) {
		next := w.text[0]
		w.text = w.text[1:]
		w.do(next)
	}
	return len(p), nil
}

func (w *trigger) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.String()
}

// interrupted is a run in which the tool waits for a signal while it applies,
// and then does what a recorded one did.
func interrupted(gate string) map[string]step {
	return with(map[string]step{"apply": {
		Files: ui("apply-trouble/apply.interrupted.jsonl"), PauseAt: "nterrupt received",
		Signal: true, Gate: gate, Exit: 1,
	}})
}

// The first signal asks the tool to stop. No other one reaches it, and wrapper
// waits for its end.
func TestInterruptApply(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "gate")
	f := newFake(t, interrupted(gate))
	signals := make(chan os.Signal, 2)
	out := &trigger{text: []string{"time_sleep.nap[1]: Creating", "stopping: waiting", "still waiting for the tool"}, do: func(text string) {
		if strings.HasPrefix(text, "still") {
			if err := os.WriteFile(gate, nil, 0o600); err != nil {
				t.Error(err)
			}
			return
		}
		if strings.HasPrefix(text, "stopping") {
			f.hears()
		}
		signals <- os.Interrupt
	}}
	if code := run(f.args(nil), signals, out, out); code != exitCancelled {
		t.Errorf("exit status %d", code)
	}
	if log := f.log(); !strings.Contains(log, "signals: 1\nends\n") {
		t.Errorf("what the tool saw:\n%s", log)
	}
	if !strings.Contains(out.String(), "apply: cancelled (interrupted") {
		t.Errorf("output:\n%s", out)
	}
}

// A signal while planning leads to the end of wrapper, whether the tool heeds
// it or not.
func TestInterruptPlan(t *testing.T) {
	for name, plan := range map[string]step{
		"heeds":   {Files: ui("apply-trouble/plan.after-deposed.jsonl"), PauseAt: "change_summary", Signal: true, StopAt: "change_summary", Exit: 1},
		"ignores": {Files: ui("apply-trouble/plan.after-deposed.jsonl"), PauseAt: "change_summary", Signal: true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, with(map[string]step{"plan": plan}))
			signals := make(chan os.Signal, 1)
			out := &trigger{text: []string{"Plan to "}, do: func(string) { signals <- os.Interrupt }}
			if code := run(f.args(nil), signals, out, out); code != exitCancelled {
				t.Errorf("exit status %d\n%s", code, out)
			}
			if ran := f.ran(); ran != "init plan" {
				t.Errorf("ran %q", ran)
			}
		})
	}
}

// After a signal, nothing new begins.
func TestInterruptBetween(t *testing.T) {
	f := newFake(t, good())
	var out trigger
	w := wrapper{dir: f.dir, out: &out}
	w.tool = &tool{path: f.args(nil)[1], dir: f.dir, stderr: &out, notify: w.say}
	w.tool.stop()
	if code, err := w.run(); code != exitCancelled || err != nil {
		t.Errorf("exit status %d, %v", code, err)
	}
	if ran := f.ran(); ran != "" {
		t.Errorf("ran %q", ran)
	}
}
