// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const planted = "../../planjson/redact/testdata/planted/tofu-1.12.6"

// redact runs the program and returns what it writes.
func redacted(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(args, strings.NewReader(stdin), &out); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String()
}

// Each kind comes out without a secret, in memory and as a stream, from a file
// and from standard input.
func TestKinds(t *testing.T) {
	for kind, name := range map[string]string{"plan": "plan.2.json", "state": "state.json", "output": "output.json"} {
		file := filepath.Join(planted, name)
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := redacted(t, "", kind, file)
		if strings.Contains(want, "PLANT-") || len(want) < 200 {
			t.Errorf("%s: %s", kind, want)
		}
		for _, args := range [][]string{{"-stream", kind, file}, {"-stream", kind}, {kind}} {
			if got := redacted(t, string(src), args...); got != want {
				t.Errorf("%v: the result is another one", args)
			}
		}
		if again := redacted(t, want, kind); again != want {
			t.Errorf("%s: redacted once more it is another one", kind)
		}
	}
	const broken = `{"format_version":"1.0","valid":false,"error_count":1,"warning_count":0,"diagnostics":[{"severity":"error","summary":"s","detail":"PLANT-1"}]}`
	if got := redacted(t, broken, "validate"); strings.Contains(got, "PLANT") {
		t.Error(got)
	}
	if got := redacted(t, broken, "-keep-unmarked", "validate"); got != broken {
		t.Error(got)
	}
}

// The messages of a run lose what its plan calls sensitive.
func TestMessages(t *testing.T) {
	file := filepath.Join(planted, "apply.jsonl")
	plain := redacted(t, "", "ui", file)
	got := redacted(t, "", "-plan", filepath.Join(planted, "plan.json"), "ui", file)
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(src, []byte("PLANT-")) || !strings.Contains(plain, "PLANT-") || strings.Contains(got, "PLANT-") {
		t.Errorf("got %s", got)
	}
	if n := bytes.Count(src, []byte("\n")); strings.Count(got, "\n") != n || strings.Count(plain, "\n") != n {
		t.Errorf("%d messages became %d", n, strings.Count(got, "\n"))
	}
	if all := redacted(t, "", "-all", "ui", file); strings.Contains(all, "PLANT-") || strings.Contains(all, "public output") || !strings.Contains(all, "Apply complete!") {
		t.Errorf("got %s", all)
	}
}

// Keys of instances can be secrets that the function nonsensitive shows. With
// -all those that are strings are removed, without it they stay.
func TestMessagesKeys(t *testing.T) {
	const stream = `{"@level":"info","@message":"module.m[\"PLANT-1\"].t.a[\"PLANT-2\"]: Plan to move","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","change":{"resource":{"addr":"module.m[\"PLANT-1\"].t.a[\"PLANT-2\"]","module":"module.m[\"PLANT-1\"]","resource":"t.a[\"PLANT-2\"]","implied_provider":"t","resource_type":"t","resource_name":"a","resource_key":"PLANT-2"},"previous_resource":{"addr":"t.b[\"PLANT-3\"]","module":"","resource":"t.b[\"PLANT-3\"]","implied_provider":"t","resource_type":"t","resource_name":"b","resource_key":"PLANT-3"},"action":"move"},"type":"planned_change"}
{"@level":"info","@message":"t.c[0]: Refreshing state...","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000002Z","hook":{"resource":{"addr":"t.c[0]","module":"","resource":"t.c[0]","implied_provider":"t","resource_type":"t","resource_name":"c","resource_key":0}},"type":"refresh_start"}
{"@level":"error","@message":"Error: t.a[\"PLANT-2\"] is odd","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000003Z","diagnostic":{"severity":"error","summary":"t.a[\"PLANT-2\"] is odd","detail":"PLANT-2","address":"t.a[\"PLANT-2\"]"},"type":"diagnostic"}
`
	if kept := redacted(t, stream, "ui"); kept != stream {
		t.Errorf("got %s", kept)
	}
	all := redacted(t, stream, "-all", "ui")
	want := strings.ReplaceAll(stream, `"detail":"PLANT-2"`, `"detail":"(sensitive value)"`)
	for _, key := range []string{"PLANT-1", "PLANT-2", "PLANT-3"} {
		want = strings.ReplaceAll(want, key, "(sensitive value)")
	}
	if all != want {
		t.Errorf("got  %s\nwant %s", all, want)
	}
	if again := redacted(t, all, "-all", "ui"); again != all {
		t.Errorf("redacted once more it is another one: %s", again)
	}
}

func TestOptions(t *testing.T) {
	dir := t.TempDir()
	secrets, report := filepath.Join(dir, "secrets.json"), filepath.Join(dir, "report.jsonl")
	if err := os.WriteFile(secrets, []byte(`["public text"]`), 0o600); err != nil {
		t.Fatal(err)
	}
	got := redacted(t, "", "-secrets", secrets, "-schemas", filepath.Join(planted, "providers-schema.json"), "-report", report, "plan", filepath.Join(planted, "plan.2.json"))
	if strings.Contains(got, "PLANT-") || strings.Contains(got, "public text") || !strings.Contains(got, "PUBLIC-realm") {
		t.Error(got)
	}
	lines, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, why := range []string{"marked", "elsewhere", "schema", "secret"} {
		if !bytes.Contains(lines, []byte(`"why":"`+why+`"}`)) {
			t.Errorf("nothing is reported as %s", why)
		}
	}
	if bytes.Contains(lines, []byte("PLANT-")) {
		t.Errorf("the report has secrets: %s", lines)
	}
}

// The names of members around a fault can be keys of a sensitive map, so an error does not
// have them.
func TestErrors_NoNames(t *testing.T) {
	const plan = `{"format_version":"1.2","resource_changes":[{"address":"t.a","change":{"actions":["create"],"after":{"PLANT-1":{"PLANT-2":tru`
	file := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(file, []byte(plan), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"plan"}, {"-stream", "plan"}, {"-plan", file, "ui"}} {
		err := run(args, strings.NewReader(plan), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), "line 1, column") || strings.Contains(err.Error(), "PLANT") {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, args := range [][]string{{}, {"schemas"}, {"-x", "plan"}, {"-all", "plan"}, {"plan", "no such file"}, {"-secrets", "no such file", "plan"}} {
		if err := run(args, strings.NewReader(`{}`), new(bytes.Buffer)); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
	for _, kind := range []string{"plan", "state", "config", "output", "validate"} {
		for _, flags := range [][]string{{kind}, {"-stream", kind}} {
			var out bytes.Buffer
			err := run(flags, strings.NewReader(`{"format_version":"1.0","a":`), &out)
			if err == nil || !strings.Contains(err.Error(), "line 1, column") || out.Len() > 0 {
				t.Errorf("%v: %v, %s", flags, err, out.String())
			}
		}
	}
}
