// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package approve

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const approved = `{"format_version":"1.2","terraform_version":"1.14.0","variables":{"pw":{"value":"hunter22"},"size":{"value":"5"}},
"planned_values":{"root_module":{}},
"resource_drift":[{"address":"a.d","mode":"managed","type":"a","name":"d","provider_name":"p","change":{"actions":["update"],"before":{"x":1},"after":{"x":2},"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}],
"resource_changes":[
{"address":"a.i","mode":"managed","type":"a","name":"i","provider_name":"p","change":{"actions":["no-op"],"before":{"id":"i-1"},"after":{"id":"i-1"},"after_unknown":{},"before_sensitive":{},"after_sensitive":{},"importing":{"id":"i-1"}}},
{"address":"a.m","previous_address":"a.l","mode":"managed","type":"a","name":"m","provider_name":"p","change":{"actions":["no-op"],"before":{},"after":{},"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}},
{"address":"a.x","mode":"managed","type":"a","name":"x","provider_name":"p","change":{"actions":["delete"],"before":{"id":"db-1"},"after":null,"after_unknown":{},"before_sensitive":{},"after_sensitive":false}},
{"address":"a.x","deposed":"d1","mode":"managed","type":"a","name":"x","provider_name":"p","change":{"actions":["delete"],"before":{"id":"db-0"},"after":null,"after_unknown":{},"before_sensitive":{},"after_sensitive":false}},
{"address":"a.y","mode":"managed","type":"a","name":"y","provider_name":"p","change":{"actions":["delete","create"],"before":{"n":12345678901234567890,"pw":"hunter22"},"after":{"n":12345678901234567890,"pw":"hunter23","copy":"x hunter23"},"after_unknown":{"id":true},"before_sensitive":{"pw":true},"after_sensitive":{"pw":true},"replace_paths":[["n"],["pw"]]}}],
"output_changes":{"o":{"actions":["create"],"before":null,"after":"v","after_unknown":false,"before_sensitive":false,"after_sensitive":false},"s":{"actions":["create"],"before":null,"after":"topsecret","after_unknown":false,"before_sensitive":true,"after_sensitive":true}},
"action_invocations":[{"address":"action.run.hook","type":"run","name":"hook","config_values":{"cmd":"ls"},"config_sensitive":{},"config_unknown":{},"provider_name":"p","lifecycle_action_trigger":{"triggering_resource_address":"a.y","action_trigger_event":"AfterCreate","action_trigger_block_index":0,"actions_list_index":0}}],
"configuration":{"provider_config":{"p":{"name":"p","full_name":"p","expressions":{"region":{"constant_value":"eu"}}}},"root_module":{"variables":{"pw":{"sensitive":true},"size":{"description":"the size"}},"resources":[{"address":"a.y","mode":"managed","type":"a","name":"y","provider_config_key":"p","provisioners":[{"type":"local-exec","expressions":{"command":{"constant_value":"true"}}}],"schema_version":0}]}},
"relevant_attributes":[{"resource":"a.d","attribute":["x"]}],
"checks":[{"address":{"kind":"check","name":"h","to_display":"check.h"},"status":"pass","instances":[{"address":{"to_display":"check.h"},"status":"pass"}]}],
"timestamp":"2026-01-01T00:00:00Z","applyable":true,"complete":true,"errored":false}`

// run writes both plans into files and compares them.
func run(t *testing.T, first, second string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a": first, "b": second} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	code = Run(append(args, filepath.Join(dir, "a"), filepath.Join(dir, "b")), strings.NewReader(""), &out, &errs)
	return code, out.String(), strings.ReplaceAll(errs.String(), dir+string(filepath.Separator), "")
}

func TestRun_differences(t *testing.T) {
	if code, out, errs := run(t, approved, approved); code != 0 || out != "" || errs != "" {
		t.Fatalf("the same: %d\n%s%s", code, out, errs)
	}
	for _, row := range []struct{ old, new, want string }{
		{`"importing":{"id":"i-1"}`, `"importing":{"id":"i-2"}`, `a.i: importing.id: "i-1" -> "i-2"`},
		{`,"importing":{"id":"i-1"}`, ``, `a.i: importing.id: "i-1" -> (absent)`},
		{`"importing":{"id":"i-1"}`, `"importing":{"identity":{"arn":"x"}}`, "a.i: importing.id: \"i-1\" -> (absent)\na.i: importing.identity.arn: (absent) -> \"x\""},
		{`"previous_address":"a.l",`, `"previous_address":"a.k",`, `a.m: previous_address: "a.l" -> "a.k"`},
		{`"previous_address":"a.l",`, ``, `a.m: previous_address: "a.l" -> (absent)`},
		{`"before":{"id":"db-1"}`, `"before":{"id":"db-2"}`, `a.x: before.id: "db-1" -> "db-2"`},
		{`"before":{"id":"db-0"}`, `"before":{"id":"db-9"}`, `a.x: deposed d1: before.id: "db-0" -> "db-9"`},
		{`"deposed":"d1"`, `"deposed":"d2"`, "a.x: deposed d1: actions: delete -> (absent)\na.x: deposed d2: actions: (absent) -> delete"},
		{`"actions":["delete","create"]`, `"actions":["create","delete"]`, `a.y: actions: delete, create -> create, delete`},
		{`"after":{"n":12345678901234567890`, `"after":{"n":12345678901234567891`, `a.y: after.n: 12345678901234567890 -> 12345678901234567891`},
		{`"after":{"n":12345678901234567890,"pw":"hunter23"`, `"after":{"n":12345678901234567890,"pw":"hunter24"`, `a.y: after.pw: (sensitive value) -> (sensitive value)`},
		{`"copy":"x hunter23"`, `"copy":"y hunter23"`, `a.y: after.copy: (sensitive value) -> (sensitive value)`},
		{`"after_unknown":{"id":true}`, `"after_unknown":{}`, `a.y: after_unknown.id: true -> (absent)`},
		{`"after_sensitive":{"pw":true}`, `"after_sensitive":{"pw":true,"n":true}`, `a.y: after_sensitive.n: (absent) -> true`},
		{`[["n"],["pw"]]`, `[["n"]]`, `a.y: replace_paths: [["n"],["pw"]] -> [["n"]]`},
		{`"name":"y","provider_name":"p"`, `"name":"y","provider_name":"q"`, `a.y: provider_name: "p" -> "q"`},
		{`"x":2`, `"x":3`, `a.d: drift.after.x: 2 -> 3`},
		{`"after":"v"`, `"after":"w"`, `output.o: after: "v" -> "w"`},
		{`"after":"topsecret"`, `"after":"topsecreT"`, `output.s: after: (sensitive value) -> (sensitive value)`},
		{`"value":"hunter22"`, `"value":"hunter29"`, `var.pw: value: (sensitive value) -> (sensitive value)`},
		{`"value":"5"`, `"value":"6"`, `var.size: value: "5" -> "6"`},
		{`"cmd":"ls"`, `"cmd":"rm"`, `action.run.hook: config_values.cmd: "ls" -> "rm"`},
		{`"AfterCreate"`, `"AfterUpdate"`, "action.run.hook: invocation: invoked by a.y -> (absent)\naction.run.hook: invocation: (absent) -> invoked by a.y"},
		{`"status":"pass","instances"`, `"status":"unknown","instances"`, `check.h: status: "pass" -> "unknown"`},
		{`"constant_value":"eu"`, `"constant_value":"us"`, `plan: configuration.provider_config.p.expressions.region.constant_value: (not shown) -> (not shown)`},
		{`"constant_value":"true"`, `"constant_value":"false"`, `a.y: configuration.provisioners[0].expressions.command.constant_value: (not shown) -> (not shown)`},
		{`"terraform_version":"1.14.0"`, `"terraform_version":"1.14.1"`, `plan: terraform_version: "1.14.0" -> "1.14.1"`},
		{`"applyable":true`, `"applyable":false`, `plan: applyable: true -> false`},
		{`"errored":false`, `"errored":false,"newer":[1]`, `plan: newer[0]: (absent) -> (not shown)`},
	} {
		changed := strings.Replace(approved, row.old, row.new, 1)
		if changed == approved {
			t.Errorf("%s: not found", row.old)
			continue
		}
		code, out, errs := run(t, approved, changed)
		if code != 1 || out != row.want+"\n" || errs != "" {
			t.Errorf("%s -> %s: %d\n%s%s\nwant\n%s", row.old, row.new, code, out, errs, row.want)
		}
		if code, out, _ := run(t, changed, approved); code != 1 || out == "" {
			t.Errorf("%s -> %s, the other way: %d", row.new, row.old, code)
		}
	}
}

func TestRun_same(t *testing.T) {
	for _, row := range []struct{ old, new string }{
		{`"timestamp":"2026-01-01T00:00:00Z"`, `"timestamp":"2026-01-02T00:00:00Z"`},
		{`"relevant_attributes":[{"resource":"a.d","attribute":["x"]}],`, ``},
		{`"before_sensitive":{"pw":true}`, `"before_sensitive":{"pw":true,"n":true}`},
		{`[["n"],["pw"]]`, `[["pw"], ["n"]]`},
		{`"the size"`, `"the size in GB"`},
		{`12345678901234567890,"pw":"hunter23"`, `1.2345678901234567890e19,"pw":"hunter23"`},
	} {
		changed := strings.Replace(approved, row.old, row.new, 1)
		if changed == approved {
			t.Errorf("%s: not found", row.old)
		}
		if code, out, errs := run(t, approved, changed); code != 0 || out+errs != "" {
			t.Errorf("%s -> %s: %d\n%s%s", row.old, row.new, code, out, errs)
		}
	}
}

func TestRun_refused(t *testing.T) {
	swap := func(old, new string) string { return strings.Replace(approved, old, new, 1) }
	for _, row := range []struct {
		plan, reason string
		allowed      int
	}{
		{swap(`"errored":false`, `"errored":true`), "errored", 1},
		{swap(`"complete":true`, `"complete":false`), "incomplete", 1},
		{swap(`"complete":true`, `"complete":false,"deferred_changes":[{"reason":"unknown","resource_change":{"address":"a.z","change":{"actions":["create"]}}}]`), "deferred", 1},
		{swap(`"1.2"`, `"2.0"`), "version", 1},
		{swap(`"errored":false`, `"errored":false,"errored":false`), "duplicate", 0},
		{swap(`"value":"5"`, `"value":"(sensitive value)"`), "redacted", 1},
		{`{}`, "no-plan", 1},
		{`{"format_version":"1.0"}`, "no-plan", 1},
		{"Error: no plan\n", "no-plan", 2},
		{`{"@level":"info","@message":"m","type":"version"}` + "\n" + `{"@level":"info","@message":"m","type":"version"}` + "\n", "no-plan", 2},
		{"PK\x03\x04xxxx", "no-plan", 2},
	} {
		code, out, errs := run(t, approved, row.plan)
		line, rest, _ := strings.Cut(errs, "\n")
		if code != 2 || out != "" || line != "tofuwire approve: b: "+row.reason || strings.Contains(rest, "approve:") {
			t.Errorf("%s: %d\n%s%s", row.reason, code, out, errs)
		}
		if code, _, errs := run(t, approved, row.plan, "-allow", row.reason); code != row.allowed {
			t.Errorf("%s, allowed: %d, want %d\n%s", row.reason, code, row.allowed, errs)
		}
	}
	for _, text := range []string{approved[:len(approved)-30], approved + approved, strings.Replace(approved, `"resource_drift":[`, `"resource_drift":["x",`, 1)} {
		if code, out, errs := run(t, approved, text); code != 2 || out != "" || !strings.HasPrefix(errs, "tofuwire approve: b: line ") {
			t.Errorf("%d\n%s%s", code, out, errs)
		}
	}
}

func TestRun_logs(t *testing.T) {
	log := "::group::show\n" + approved + "\n::endgroup::\n"
	if code, out, errs := run(t, approved, log); code != 0 || out != "" || !strings.HasPrefix(errs, "tofuwire approve: b: skipped ") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	var out, errs bytes.Buffer
	for _, row := range []struct {
		args []string
		code int
	}{
		{[]string{"-h"}, 0}, {[]string{"-", "-"}, 2}, {[]string{"x"}, 2}, {[]string{"-allow", "all", "x", "y"}, 2}, {[]string{"/no/such/file", "-"}, 2},
	} {
		if code := Run(row.args, strings.NewReader(approved), &out, &errs); code != row.code {
			t.Errorf("%v: %d", row.args, code)
		}
	}
	if !strings.HasPrefix(out.String(), "usage: tofuwire approve ") {
		t.Errorf("%s", out.String())
	}
}
