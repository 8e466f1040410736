// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

func TestParseScript(t *testing.T) {
	s, err := ParseScript("a/b/tofu-1.13.0-rc1.json", []byte(`{"steps": [
		{"use": "config"},
		{"run": ["show", "-json"], "exit": 1, "stdout": "x.json", "keep": ["p/x.json#configuration"], "race": "why"},
		{"run": ["apply"], "interrupt": {"after": "start", "times": 2}},
		{"save": "a", "as": "b"},
		{"constraints": "dir/rows.jsonl"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if s.Case != "a/b" || s.Name() != "tofu-1.13.0-rc1" || s.Providers != "mirror" || len(s.Steps) != 5 {
		t.Errorf("%+v", s)
	}
	for i, want := range []string{"", "x.json", "", "b", "rows.jsonl"} {
		if got := s.Steps[i].name(); got != want {
			t.Errorf("step %d: %q", i, got)
		}
	}
	if got := s.Steps[4].keep(); len(got) != 1 || got[0] != "dir/rows.jsonl" {
		t.Errorf("%q", got)
	}
}

func TestParseScriptErrors(t *testing.T) {
	for _, test := range []struct{ name, file, src, want string }{
		{"name", "c/tofu.json", `{"steps": []}`, "TOOL-VERSION"},
		{"version", "c/tofu-new.json", `{"steps": []}`, "TOOL-VERSION"},
		{"member", "c/tofu-1.2.3.json", `{"steps": [], "stepps": []}`, "stepps"},
		{"tail", "c/tofu-1.2.3.json", `{"steps": []} {}`, "behind"},
		{"source", "c/tofu-1.2.3.json", `{"steps": [], "providers": "shop"}`, "shop"},
		{"nothing", "c/tofu-1.2.3.json", `{"steps": [{}]}`, "exactly one"},
		{"two", "c/tofu-1.2.3.json", `{"steps": [{"use": "a", "run": []}]}`, "exactly one"},
		{"nowhere", "c/tofu-1.2.3.json", `{"steps": [{"save": "a"}]}`, "no name"},
		{"nameless", "c/tofu-1.2.3.json", `{"steps": [{"run": [], "keep": ["a"]}]}`, "without a name"},
		{"exit", "c/tofu-1.2.3.json", `{"steps": [{"use": "a", "exit": 1}]}`, "for run"},
		{"encryption", "c/tofu-1.2.3.json", `{"steps": [{"use": "a", "encryption": "e.hcl"}]}`, "for run and save"},
		{"times", "c/tofu-1.2.3.json", `{"steps": [{"run": [], "interrupt": {"after": "a"}}]}`, "1 or 2"},
		{"part", "c/tofu-1.2.3.json", `{"steps": [{"run": [], "stdout": "a", "keep": ["a#b"]}]}`, `"b"`},
	} {
		_, err := ParseScript(test.file, []byte(test.src))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.file) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestChoose(t *testing.T) {
	list := []*Script{
		{Case: "a", Tool: "terraform", Version: "1.11.4"},
		{Case: "a", Tool: "tofu", Version: "1.9.4"},
		{Case: "a", Tool: "tofu", Version: "1.12.6"},
		{Case: "b", Tool: "tofu", Version: "1.9.4"},
	}
	for _, test := range []struct{ tool, version, want string }{
		{"tofu", "1.12.6", "a:1.12.6"},
		{"tofu", "1.9.4", "a:1.9.4 b:1.9.4"},
		{"tofu", "1.13.0", "a:1.12.6 b:1.9.4"},
		{"terraform", "1.14.0", "a:1.11.4"},
		{"other", "1.0.0", ""},
	} {
		var got []string
		for _, s := range Choose(list, test.tool, test.version) {
			got = append(got, s.Case+":"+s.Version)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s %s: %q", test.tool, test.version, got)
		}
	}
}
