// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/internal/testing/recordings"
)

// fakeState is the state that the fake tool saves, with a lineage, fakeShown what it shows.
const (
	fakeState = `{"version":4,"terraform_version":"1.12.0","serial":1,"lineage":%q,"outputs":{"o":{"value":"x","type":"string"}},"resources":[],"check_results":null}`
	fakeShown = `{"format_version":"1.0","terraform_version":"1.12.0","values":{"outputs":{"o":{"sensitive":false,"value":"x","type":"string"}},"root_module":{}}}`
)

// TestRawStates checks that the state of each show -json is kept as the tool has saved
// it, and that -check takes recordings that lack it.
func TestRawStates(t *testing.T) {
	const script = `{"providers": "none", "steps": [
		{"run": ["show", "-json"], "stdout": "none.json", "keep": ["p/none.json"]},
		{"run": ["save"]},
		{"run": ["show", "-json"], "stdout": "state.json", "keep": ["p/state.json"]}]}`
	dir, tool := module(t, map[string]string{"tools/record/cases/c/tofu-9.9.9.json": script, "p/none.json": fakeShown + "\n", "p/state.json": fakeShown + "\n"})
	text, err := run1(t, options{root: dir, bin: tool, check: true})
	if err != nil || !strings.Contains(text, "2 files the same") || !strings.Contains(text, "1 raw states are not kept yet") {
		t.Fatal(err, text)
	}
	out := t.TempDir()
	for _, o := range []options{{root: dir, bin: tool, out: out}, {root: dir, bin: tool, from: out}} {
		kept := filepath.Join(dir, "p", "state.tfstate")
		os.Remove(kept)
		if text, err := run1(t, o); err != nil {
			t.Fatal(err, text)
		}
		if raw, err := os.ReadFile(kept); err != nil || !bytes.Contains(raw, []byte(`"lineage"`)) {
			t.Errorf("%s, %v", raw, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "p", "none.tfstate")); !errors.Is(err, os.ErrNotExist) {
		t.Error("a state is kept that was not there: ", err)
	}

	// Another run gives the state another lineage. All else is compared.
	text, err = run1(t, options{root: dir, bin: tool, check: true})
	if err != nil || !strings.Contains(text, "2 files the same, 1 the same except") || strings.Contains(text, "not kept") {
		t.Fatal(err, text)
	}
	edited := strings.ReplaceAll(strings.Replace(fakeState, `"serial":1`, `"serial":2`, 1), "%q", `"l"`)
	if err := os.WriteFile(filepath.Join(dir, "p", "state.tfstate"), []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err = run1(t, options{root: dir, bin: tool, check: true}); !errors.Is(err, ErrDiffer) || !strings.Contains(text, "p/state.tfstate differs") {
		t.Error(err, text)
	}
}

// TestRawState finds the file of a state where a command line, a workspace and a
// backend have it.
func TestRawState(t *testing.T) {
	const backend = ".terraform/terraform.tfstate"
	for _, row := range []struct {
		name  string
		files map[string]string
		args  string
		want  string
	}{
		{"the default", map[string]string{"terraform.tfstate": "a"}, "show -json", "a"},
		{"none", nil, "show -json", ""},
		{"a workspace", map[string]string{".terraform/environment": "w", "terraform.tfstate.d/w/terraform.tfstate": "a", "terraform.tfstate": "b"}, "show -json", "a"},
		{"the default workspace", map[string]string{".terraform/environment": "default", "terraform.tfstate": "a"}, "show -no-color -json", "a"},
		{"a file", map[string]string{"x/old": "a", "terraform.tfstate": "b"}, "show -json x/old", "a"},
		{"an option", map[string]string{"old": "a", "terraform.tfstate": "b"}, "show -json -state=old", "a"},
		{"another backend", map[string]string{backend: `{"backend":{"type":"http","config":{}}}`, "terraform.tfstate": "b"}, "show -json", ""},
		{"a store of states", map[string]string{backend: `{"state_store":{"type":"lab"}}`, "terraform.tfstate": "b"}, "show -json", ""},
		{"a local backend", map[string]string{backend: `{"backend":{"type":"local","config":{"path":"p","workspace_dir":null}}}`, "p": "a"}, "show -json", "a"},
		{"its workspaces", map[string]string{backend: `{"backend":{"type":"local","config":{"path":null,"workspace_dir":"d"}}}`, ".terraform/environment": "w", "d/w/terraform.tfstate": "a"}, "show -json", "a"},
		{"the configuration", map[string]string{"terraform.tfstate": "a"}, "show -json -config", ""},
		{"another command", map[string]string{"terraform.tfstate": "a"}, "output -json", ""},
		{"for people", map[string]string{"terraform.tfstate": "a"}, "show", ""},
	} {
		dir := t.TempDir()
		for name, text := range row.files {
			name = filepath.Join(dir, filepath.FromSlash(name))
			if !strings.HasPrefix(text, "{") && filepath.Base(name) != "environment" {
				text = strings.ReplaceAll(fakeState, "%q", `"`+text+`"`)
			}
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		var got struct{ Lineage string }
		if text := rawState(dir, strings.Fields(row.args), []byte(fakeShown)); text != nil {
			if err := json.Unmarshal(text, &got); err != nil {
				t.Error(err)
			}
		}
		if got.Lineage != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got.Lineage, row.want)
		}
		if rawState(dir, strings.Fields(row.args), []byte(`{"format_version":"1.2","planned_values":{},"resource_changes":[]}`)) != nil {
			t.Errorf("%s: a plan has a raw state", row.name)
		}
	}
}

// TestReportRawState checks that a raw state of a release is compared with what show
// -json printed of it.
func TestReportRawState(t *testing.T) {
	files := func(raw, shown string) recordings.Release {
		return recordings.Release{Tool: "tofu", Version: "9.9.9", FS: fstest.MapFS{
			"base/providers-schema.json": {Data: []byte(`{"format_version":"1.0"}` + "\n")},
			"c/meta.json":                {Data: []byte(`{"steps":[{"argv":["tofu","show","-json"],"exit_code":0,"stdout":"state.json"}]}`)},
			"c/state.json":               {Data: []byte(shown)},
			"c/state.tfstate":            {Data: []byte(raw)},
		}}
	}
	raw := strings.ReplaceAll(fakeState, "%q", `"l"`)
	for _, row := range []struct{ raw, shown, want string }{
		{raw, fakeShown + "\n", ""},
		{strings.Replace(raw, `"x"`, `"y"`, 1), fakeShown + "\n", "not shown as"},
		{strings.Replace(raw, `"version":4`, `"version":2`, 1), fakeShown + "\n", "unsupported version"},
		{strings.Replace(raw, `"serial":1`, `"serial":1,"new":1`, 1), fakeShown + "\n", "statefile /new"},
	} {
		r, err := NewReport(files(row.raw, row.shown), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(append(r.Failed, r.Extra...), "\n")
		if r.Kinds["statefile"] != 1 || !strings.Contains(got, row.want) || row.want == "" && got != "" {
			t.Errorf("%q: got %q, want %q", row.raw, got, row.want)
		}
	}
}
