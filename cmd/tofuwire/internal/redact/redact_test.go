// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const planted = "../../../../planjson/redact/testdata/planted/tofu-1.12.6"

// program runs the program and returns what it writes and what it says.
func program(t *testing.T, stdin string, status int, args ...string) (out, said string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if got := Run(args, strings.NewReader(stdin), &stdout, &stderr); got != status {
		t.Fatalf("%v: status %d, %s", args, got, stderr.String())
	}
	return stdout.String(), stderr.String()
}

// redacted runs the program and returns what it writes.
func redacted(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	out, said := program(t, stdin, 0, args...)
	if strings.Contains(said, "PLANT-") {
		t.Errorf("%v says %s", args, said)
	}
	return out
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
		if _, said := program(t, plan, 1, args...); !strings.Contains(said, "line 1, column") || strings.Contains(said, "PLANT") {
			t.Errorf("%v: %s", args, said)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, args := range [][]string{{"schemas", "x"}, {"-x", "plan"}, {"-all", "plan"}, {"plan", "no such file"}, {"no such file"}, {"-secrets", "no such file", "plan"}, {"plan", "a", "b"}} {
		code := 2
		if strings.Contains(strings.Join(args, " "), "no such file") {
			code = 1
		}
		if out, said := program(t, `{}`, code, args...); out != "" || said == "" {
			t.Errorf("%v: %q, %q", args, out, said)
		}
	}
	for _, kind := range []string{"plan", "state", "config", "output", "validate"} {
		for _, flags := range [][]string{{kind}, {"-stream", kind}} {
			if out, said := program(t, `{"format_version":"1.0","a":`, 1, flags...); !strings.Contains(said, "line 1, column") || out != "" {
				t.Errorf("%v: %s, %s", flags, said, out)
			}
		}
	}
}

const plantedState = `{"version":4,"terraform_version":"1.11.0","serial":1,"lineage":"l","outputs":{"o":{"value":"PLANT-1x!","type":"string","sensitive":true}},` +
	`"resources":[{"mode":"managed","type":"t","name":"a","provider":"provider[\"registry.opentofu.org/hashicorp/p\"]","instances":[{"schema_version":0,` +
	`"attributes":{"note":"has PLANT-1x!","x":"public"},"private":"UExBTlQtMXgh"}]}],"check_results":null}`

const cliConfig = `credentials "app.example.com" {
  token = "PLANT-1x!" # PLANT-1x!
}

provider_installation {
  network_mirror {
    url = "https://user:PLANT-2@mirror.example.com/"
  }
}
`

const lock = `# from https://user:PLANT-2@mirror.example.com/x?token=PLANT-3
provider "registry.opentofu.org/hashicorp/null" {
  version = "3.2.1"
  hashes  = ["h1:FbGfc+muBsC17Ohy5g806iuI1hQc4SIexpYCrQHQd8w="]
}
`

// What is not named is recognized, and said on standard error.
func TestAuto(t *testing.T) {
	read := func(name string) string {
		src, err := os.ReadFile(filepath.Join(planted, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(src)
	}
	for _, test := range []struct{ src, says, public string }{
		{read("plan.2.json"), "a plan", "PUBLIC-realm"},
		{read("state.json"), "a state", "PUBLIC-realm"},
		{read("output.json"), "outputs", "public output"},
		{read("providers-schema.json"), "schemas of providers", "provider_schemas"},
		{read("apply.jsonl"), "messages of a run", "Apply complete!"},
		{plantedState, "a state file", `"x":"public"`},
		{cliConfig, "a CLI configuration", "app.example.com"},
		{`{"credentials":{"app.example.com":{"token":"PLANT-1x!"}}}`, "a CLI configuration", "app.example.com"},
		{lock, "a lock file", "h1:FbGfc+muBsC17Ohy5g806iuI1hQc4SIexpYCrQHQd8w="},
		{"$ tofu show -json PLANT-x\n" + read("plan.2.json") + "\ndone PLANT-y\n", "a plan", "PUBLIC-realm"},
	} {
		args := [][]string{{}, {"-"}, {"auto"}}
		if test.says == "a plan" || test.says == "a state" {
			args = append(args, []string{"-stream"})
		}
		if test.says == "messages of a run" {
			args = [][]string{{"-plan", filepath.Join(planted, "plan.json")}}
		}
		for _, args := range args {
			if strings.HasPrefix(test.src, "$") && len(args) > 0 && args[0] == "-stream" {
				continue
			}
			out, said := program(t, test.src, 0, args...)
			if !strings.Contains(said, "taken for "+test.says+"\n") || strings.Contains(out+said, "PLANT-") || !strings.Contains(out, test.public) {
				t.Errorf("%v: says %q, writes %.2000s", args, said, out)
			}
			if strings.HasPrefix(test.src, "$") && !strings.Contains(said, "bytes before it") {
				t.Errorf("says %q", said)
			}
		}
	}
	for _, src := range []string{"", "hello", "[1,2]", `{"a":1}`, `"PLANT-1"`, "a: b\n", "<html>", "PK\x03\x04zip", `{"serial":1,"lineage":"x","encrypted_data":"PLANT-"}`, "resource \"a\" \"b\" {}\n"} {
		if out, said := program(t, src, 1); out != "" || strings.Contains(said, "PLANT-") {
			t.Errorf("%q: says %q, writes %q", src, said, out)
		}
	}
}

// A kind takes what it names, also in a log.
func TestStateFile(t *testing.T) {
	for _, args := range [][]string{{"statefile"}, {"statefile", "-"}} {
		out, said := program(t, plantedState, 0, args...)
		if strings.Contains(out, "PLANT-") || strings.Contains(out, "UExB") || !strings.Contains(out, `"x":"public"`) || said != "" {
			t.Errorf("%v: %s, %s", args, out, said)
		}
		if again, _ := program(t, out, 0, args...); again != out {
			t.Errorf("redacted once more it is another one: %s", again)
		}
	}
	out, said := program(t, "log PLANT-x\n"+plantedState+"\n", 0, "statefile")
	if strings.Contains(out+said, "PLANT-") || !strings.Contains(said, "bytes before it") || !strings.HasPrefix(out, "{") {
		t.Errorf("%s, %s", out, said)
	}
}

// The text between messages is counted.
func TestTextAround(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(planted, "apply.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	_, said := program(t, "Initializing PLANT-x\n"+string(src)+"\nbye\n", 0, "-all", "ui")
	if !strings.Contains(said, "2 lines (25 bytes)") {
		t.Errorf("says %q", said)
	}
}

func TestHelp(t *testing.T) {
	out, said := program(t, "", 0, "-h")
	if said != "" || !strings.Contains(out, "Exit status") || !strings.Contains(out, "Example:") {
		t.Errorf("%s, %s", out, said)
	}
}
