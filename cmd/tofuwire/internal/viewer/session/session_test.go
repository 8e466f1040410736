// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// opened is what came of opening a document.
type opened struct {
	session Session
	info    *Info
	rows    []Row
	err     error
}

func open(t *testing.T, name string, text []byte) *opened {
	t.Helper()
	o := new(opened)
	o.add(t, 1, name, text)
	return o
}

// add opens a document with a number, and keeps the rows of it.
func (o *opened) add(t *testing.T, id int, name string, text []byte) {
	t.Helper()
	o.rows = nil
	o.info, o.err = o.session.Open(id, name, bytes.NewReader(text), o.take(t))
}

func (o *opened) take(t *testing.T) Emit {
	return func(event string, value any) {
		switch x := value.(type) {
		case []Row:
			for _, r := range x {
				if r.N != len(o.rows) {
					t.Errorf("row %d comes as number %d", len(o.rows), r.N)
				}
				o.rows = append(o.rows, r)
			}
		case float64:
			if x < 0 || x > 1 {
				t.Errorf("%s: %v", event, x)
			}
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func recorded(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob("../../../../../" + pattern)
	if err != nil || len(names) < 5 {
		t.Fatalf("%s: %d recordings, %v", pattern, len(names), err)
	}
	return names
}

// The rows and lines of a plan are those of package plandiff, in its order, for
// all recordings.
func TestRowsOfPlans(t *testing.T) {
	total := 0
	for _, name := range recorded(t, "planjson/testdata/*/*/plan*.json") {
		text := read(t, name)
		if planjson.KindOf(text) != "plan" {
			continue
		}
		o := open(t, name, text)
		if o.err != nil {
			t.Errorf("%s: %v", name, o.err)
			continue
		}
		plan, err := planjson.DecodePlan(text)
		if err != nil {
			t.Fatal(err)
		}
		d := plandiff.Plan(plan, plandiff.Options{})
		var want []string
		for _, r := range d.Resources {
			want = append(want, "planned "+r.Class()+" "+r.Address+" "+r.Headline()+"\n"+r.Text())
		}
		for _, r := range d.Drift {
			want = append(want, "drift "+r.Class()+" "+r.Address+" "+r.Headline()+"\n"+r.Text())
		}
		for _, r := range d.Deferred {
			want = append(want, "deferred "+r.Class()+" "+r.Address+" "+r.Headline()+"\n"+r.Text())
		}
		var got []string
		outputs, actions := 0, 0
		for _, r := range o.rows {
			lines, err := o.session.Lines(1, r.N)
			if err != nil {
				t.Fatal(err)
			}
			if len(lines) != r.Lines {
				t.Errorf("%s: %s has %d lines, said %d", name, r.Address, len(lines), r.Lines)
			}
			switch r.Part {
			case "output":
				outputs++
				continue
			case "action":
				actions++
				continue
			}
			s := r.Part + " " + r.Class + " " + r.Address + " " + r.Headline + "\n"
			for _, l := range lines {
				s += l.Text
				if l.Why != "" {
					s += " " + l.Why
				}
				s += "\n"
			}
			got = append(got, s)
		}
		normal := func(list []string) []string {
			for i, s := range list {
				lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
				for k := range lines {
					lines[k] = strings.TrimRight(strings.TrimLeft(lines[k], " +-~"), " ") // signs in texts and deep indents differ
				}
				list[i] = strings.Join(lines, "\n")
			}
			slices.Sort(list)
			return list
		}
		got, want = normal(got), normal(want)
		if len(got) != len(want) {
			t.Errorf("%s: %d rows, want %d", name, len(got), len(want))
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: got\n%s\nwant\n%s", name, got[i], want[i])
			}
		}
		if outputs != len(d.Outputs) || actions != len(d.Invocations) {
			t.Errorf("%s: %d outputs, %d actions, want %d and %d", name, outputs, actions, len(d.Outputs), len(d.Invocations))
		}
		total += len(got)
	}
	if total < 200 {
		t.Errorf("only %d rows: the test does not test much", total)
	}
}

// Every recording is recognized by a part of its beginning, and opens.
func TestKinds(t *testing.T) {
	for _, row := range []struct{ pattern, kind string }{
		{"planjson/testdata/*/*/state*.json", "state"},
		{"uijson/testdata/*/*/*.jsonl", "ui"},
	} {
		for _, name := range recorded(t, row.pattern) {
			text := read(t, name)
			if row.kind == "state" && planjson.KindOf(text) != "state" {
				continue
			}
			if len(text) == 0 {
				continue
			}
			o := open(t, name, text)
			if o.err != nil {
				t.Errorf("%s: %v", name, o.err)
			} else if o.info.Kind != row.kind {
				t.Errorf("%s is %q, want %q", name, o.info.Kind, row.kind)
			}
		}
	}
	for _, row := range []struct{ name, text, kind string }{
		{"x", `{"format_version":"1.0"}`, "state"},
		{"x", `{"a":{"sensitive":false,"type":"string","value":"b"}}`, "outputs"},
		{"terraform.tfstate", `{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","outputs":{},"resources":[]}`, "statefile"},
		{"large", `{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","outputs":{"o":{"value":"` + strings.Repeat("x", 200_000) + `","type":"string"}},"resources":[]}`, "statefile"},
		{"x", `{"valid":true,"format_version":"1.0","error_count":0,"warning_count":0,"diagnostics":[]}`, "validate"},
		{"x", "provider \"registry.opentofu.org/a/b\" {\n  version = \"1.0.0\"\n}\n", "lock"},
		{".terraform.lock.hcl", "# nothing is locked\n", "lock"},
		{"x", "Initializing...\n\n{\"@level\":\"info\",\"@message\":\"m\",\"@module\":\"tofu.ui\",\"type\":\"log\"}\n", "ui"},
		{"large", `{"format_version":"1.2","variables":{"a":{"value":"` + strings.Repeat("x", 200_000) + `"}},"planned_values":{}}`, "plan"},
		{"large", `{"format_version":"1.0","values":{"root_module":{"resources":[]},"x":"` + strings.Repeat("x", 200_000) + `"}}`, "state"},
	} {
		if o := open(t, row.name, []byte(row.text)); o.err != nil || o.info.Kind != row.kind {
			t.Errorf("%.60s: %+v, %v; want %s", row.text, o.info, o.err, row.kind)
		}
	}
}

// What cannot be shown is an error that says why and, in a broken document,
// where.
func TestFaults(t *testing.T) {
	plan := read(t, "../../../../../planjson/testdata/tofu-1.12.6/expressions/plan.2.json")
	for _, row := range []struct {
		name, text, want string
		placed           bool
	}{
		{"empty", "", "the file is empty", false},
		{"picture", "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 100), "this is not a document of OpenTofu", false},
		{"list", `[1,2]`, "this is not a document of OpenTofu", false},
		{"foreign", `{"name":"x","version":"1"}`, "not a document of OpenTofu", false},
		{"encrypted", `{"serial":1,"lineage":"x","meta":{"key_provider.pbkdf2.a":"e30="},"encrypted_data":"AAAA","encryption_version":"v0"}`, "OpenTofu has encrypted", false},
		{"old state file", `{"version":2,"terraform_version":"0.8.8","serial":1,"lineage":"x","modules":[]}`, "unsupported version", true},
		{"broken state file", `{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","resources":[{"mode":1}]}`, "", true},
		{"deep state file", `{"version":4,"serial":1,"lineage":"x","resources":` + strings.Repeat("[", 20_000), "", true},
		{"broken", "{\n  \"format_version\": \"1.2\",\n  \"planned_values\": {\"a\": tru }\n}", "invalid", true},
		{"broken unknown", "{\n  \"a\": ]\n}", "", true},
		{"cut off", string(plan[:len(plan)/2]), "unexpected end", true},
		{"wrong kind", `{"format_version":"1.2","resource_changes":[{"address":7}]}`, "", true},
		{"future", `{"format_version":"9.0","planned_values":{}}`, "version", false},
		{".terraform.lock.hcl", "a = {{{\n", "", true},
	} {
		o := open(t, row.name, []byte(row.text))
		if o.err == nil {
			t.Errorf("%s opens as %+v", row.name, o.info)
			continue
		}
		f := NewFault(o.err, bytes.NewReader([]byte(row.text)))
		if !strings.Contains(f.Message, row.want) {
			t.Errorf("%s: %q, want %q", row.name, f.Message, row.want)
		}
		if row.placed != (f.Line > 0 && f.Before+f.After != "") {
			t.Errorf("%s: place %+v", row.name, f)
		}
		if _, err := o.session.Lines(1, 0); !errors.Is(err, errClosed) {
			t.Errorf("%s: the document is open: %v", row.name, err)
		}
	}
	o := open(t, "broken", []byte("{\n  \"format_version\": \"1.2\",\n  \"planned_values\": {\"a\": tru }\n}"))
	if f := NewFault(o.err, bytes.NewReader([]byte("{\n  \"format_version\": \"1.2\",\n  \"planned_values\": {\"a\": tru }\n}"))); f.Line != 3 || !strings.HasSuffix(f.Before, `"a": `) && !strings.HasSuffix(f.Before, `"a": tru`) {
		t.Errorf("%+v", f)
	}
}

// However a document is cut off or damaged, it opens or is an error.
func TestOpen_damagedDocuments(t *testing.T) {
	for _, name := range []string{"planjson/testdata/tofu-1.12.6/expressions/plan.2.json", "planjson/testdata/tofu-1.12.6/actions/state.json"} {
		text := read(t, "../../../../../"+name)
		for i := range 60 {
			at := len(text) * i / 60
			if o := open(t, name, text[:at]); o.err == nil {
				t.Errorf("%s opens without all after %d", name, at)
			}
			bad := bytes.Clone(text)
			bad[at] ^= 0x15
			if o := open(t, name, bad); o.err == nil {
				for _, r := range o.rows {
					if _, err := o.session.Lines(1, r.N); err != nil {
						t.Error(err)
					}
				}
			}
		}
	}
}

// What is marked as sensitive is in no row, no line and no search.
func TestSensitive(t *testing.T) {
	const secret = "s3cr3t-value-of-a-token"
	plan := `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},
"resource_changes":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","change":{"actions":["update"],"before":{"token":"` + secret + `","n":1},"after":{"token":"` + secret + `2","n":2},"after_unknown":{},"before_sensitive":{"token":true},"after_sensitive":{"token":true}}}],
"output_changes":{"o":{"actions":["create"],"before":null,"after":"` + secret + `","after_unknown":false,"before_sensitive":true,"after_sensitive":true}},"configuration":{}}`
	state := `{"format_version":"1.0","values":{"outputs":{"o":{"sensitive":true,"type":"string","value":"` + secret + `"}},"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","schema_version":0,"values":{"token":"` + secret + `","n":1},"sensitive_values":{"token":true}}]}}}`
	old := `{"format_version":"0.1","terraform_version":"0.14.11","planned_values":{"outputs":{"made":{"sensitive":true,"value":"` + secret + `"}},"root_module":{}},
"output_changes":{"made":{"actions":["create"],"before":null,"after":"` + secret + `","after_unknown":false},"gone":{"actions":["delete"],"before":"` + secret + `","after":null,"after_unknown":false}},
"prior_state":{"format_version":"0.1","values":{"outputs":{"gone":{"sensitive":true,"value":"` + secret + `"}},"root_module":{}}},
"configuration":{"root_module":{"outputs":{"made":{"sensitive":true,"expression":{}}}}}}`
	for name, text := range map[string]string{"plan": plan, "state": state, "old plan": old} {
		o := open(t, name, []byte(text))
		if o.err != nil || len(o.rows) != 2 {
			t.Fatalf("%s: %v, %v", name, o.rows, o.err)
		}
		for _, r := range o.rows {
			lines, err := o.session.Lines(1, r.N)
			if err != nil {
				t.Fatal(err)
			}
			if s := textOf(lines); strings.Contains(s, secret) || !strings.Contains(s, "(sensitive value)") {
				t.Errorf("%s: %s", name, s)
			}
		}
		if found, err := o.session.Search(1, secret); err != nil || len(found) != 0 {
			t.Errorf("%s: the search finds it: %v, %v", name, found, err)
		}
		if found, err := o.session.Search(1, "A.B  sensitive"); name != "old plan" && (err != nil || len(found) != 1) {
			t.Errorf("%s: the search finds %v, %v", name, found, err)
		}
	}
}
