// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	secretState = `{"version":4,"terraform_version":"1.9.0","serial":3,"lineage":"l","outputs":{},"resources":[` +
		`{"mode":"managed","type":"lab_thing","name":"b","provider":"provider[\"registry.terraform.io/example/lab\"]","instances":[` +
		`{"index_key":"x","schema_version":1,"attributes":{"list":[{"pin":"1234","user":"u"}],"name":"n","secret":"hunter2"},` +
		`"sensitive_attributes":[[{"type":"get_attr","value":"secret"}],[{"type":"get_attr","value":"list"},{"type":"index","value":{"value":0,"type":"number"}},{"type":"get_attr","value":"pin"}]]},` +
		`{"index_key":"x","deposed":"0000000a","schema_version":1,"attributes":{"list":[],"name":"old","secret":null},"sensitive_attributes":[]},` +
		`{"index_key":2,"schema_version":1,"attributes":{"list":null,"name":"m","secret":null},"sensitive_attributes":[]}]},` +
		`{"module":"module.m[0]","mode":"data","type":"lab_thing","name":"a","provider":"provider[\"registry.terraform.io/example/lab\"]","instances":[` +
		`{"schema_version":0,"deposed":"0000000b","attributes":{},"sensitive_attributes":[]}]}],"check_results":null}`
	schemas = `{"format_version":"1.0","provider_schemas":{"registry.terraform.io/example/lab":{"resource_schemas":{"lab_thing":{"version":1,"block":{"attributes":{` +
		`"name":{"type":"string","required":true,"sensitive":true},"secret":{"type":"string","optional":true},"added":{"type":"bool","optional":true},` +
		`"list":{"type":["list",["object",{"pin":"string","user":"string"}]],"optional":true}}}}}}}}`
)

// call runs the program.
func run(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = Run(args, strings.NewReader(stdin), &out, &err)
	return status, out.String(), err.String()
}

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestList(t *testing.T) {
	const want = "lab_thing.b[2]\nlab_thing.b[\"x\"]\nmodule.m[0].data.lab_thing.a\n"
	if status, out, msg := run(t, secretState, "list", "-"); status != 0 || out != want || msg != "" {
		t.Errorf("%d %s%s", status, out, msg)
	}
	if status, out, msg := run(t, "", "list", write(t, secretState)); status != 0 || out != want || msg != "" {
		t.Errorf("%d %s%s", status, out, msg)
	}
}

// TestListLate lists a state whose module comes after the instances.
func TestListLate(t *testing.T) {
	text := `{"version":4,"resources":[{"mode":"managed","type":"t","name":"a","provider":"provider[\"a.b/c/d\"]","instances":[{"schema_version":0}],"module":"module.m[0]"},` +
		`{"mode":"managed","type":"t","name":"a","provider":"provider[\"a.b/c/d\"]","instances":[{"schema_version":0}]}]}`
	if status, out, msg := run(t, "", "list", write(t, text)); status != 0 || out != "t.a\nmodule.m[0].t.a\n" || msg != "" {
		t.Errorf("%d %s%s", status, out, msg)
	}
	if status, out, msg := run(t, text, "list", "-"); status != 2 || out != "" || !strings.Contains(msg, "/resources/0/module") {
		t.Errorf("from standard input: %d %s%s", status, out, msg)
	}
	if status, out, _ := run(t, "", "list", write(t, strings.Replace(text, "module.m[0]", "module.a.b", 1))); status != 2 || out != "" {
		t.Errorf("a module of no form: %d %s", status, out)
	}
}

// TestListRefuses lists what the tools refuse to read.
func TestListRefuses(t *testing.T) {
	again := strings.Replace(secretState, `"resources":[`, `"resources":[{"mode":"managed","type":"lab_thing","name":"b","provider":"provider[\"registry.terraform.io/example/lab\"]","instances":[{"index_key":"x","schema_version":1}]},`, 1)
	for text, want := range map[string]string{
		"": "empty", "{}": "not a state", `{"version":2}`: "version 2", "PK\x03\x04": "saved plan", again: `lab_thing.b["x"] occurs twice`,
		`{"serial":1,"lineage":"l","meta":{},"encrypted_data":"eA==","encryption_version":"v0"}`: "encrypted",
		strings.Replace(secretState, `"status"`, `"x"`, 1)[:900]:                                 "",
	} {
		status, out, msg := run(t, text, "list", "-")
		if status != 2 || out != "" || !strings.Contains(msg, want) {
			t.Errorf("%.60s: %d %s%s", text, status, out, msg)
		}
	}
	if status, _, _ := run(t, "", "list", t.TempDir()); status != 2 {
		t.Error("a folder is listed")
	}
}

func TestShow(t *testing.T) {
	status, out, msg := run(t, secretState, "show", "-", `lab_thing.b["x"]`)
	if status != 0 || msg != "" || !json.Valid([]byte(out)) || !strings.HasPrefix(out, "{\n  \"address\"") || strings.Count(out, "(sensitive value)") != 2 {
		t.Errorf("%d %s%s", status, out, msg)
	}
	for _, secret := range []string{"hunter2", "1234"} {
		if strings.Contains(out, secret) {
			t.Errorf("%s is shown", secret)
		}
	}
	for _, public := range []string{`"user": "u"`, `"name": "n"`} {
		if !strings.Contains(out, public) {
			t.Errorf("%s is not shown", public)
		}
	}
	status, out, msg = run(t, secretState, "show", "-reveal", "-", `lab_thing.b["x"]`)
	if status != 0 || msg != "" || !strings.Contains(out, "hunter2") || !strings.Contains(out, "1234") {
		t.Errorf("%d %s%s", status, out, msg)
	}
	if status, out, _ := run(t, secretState, "show", "-", "module.m[0].data.lab_thing.a"); status != 0 || !strings.Contains(out, `"deposed_key": "0000000b"`) {
		t.Errorf("an instance that has only a deposed object: %d %s", status, out)
	}
	for _, address := range []string{"lab_thing.c", `lab_thing.b`, "lab_thing.b[0]", "no address"} {
		if status, out, msg := run(t, secretState, "show", "-", address); status != 1 || out != "" || msg == "" {
			t.Errorf("%s: %d %s%s", address, status, out, msg)
		}
	}
}

// A path that fits no value, and one into a value of an open type, hide.
func TestShow_unfitPaths(t *testing.T) {
	src := strings.Replace(secretState, `"secret":"hunter2"`, `"secret":{"value":{"inner":"hunter2"},"type":["object",{"inner":"string"}]}`, 1)
	for _, path := range []string{`[{"type":"get_attr","value":"secret"},{"type":"get_attr","value":"inner"}]`, `[{"type":"get_attr","value":"secret"},{"type":"get_attr","value":"missing"}]`} {
		text := strings.Replace(src, `[{"type":"get_attr","value":"secret"}]`, path, 1)
		if status, out, _ := run(t, text, "show", "-", `lab_thing.b["x"]`); status != 0 || strings.Contains(out, "hunter2") || !strings.Contains(out, `"n"`) {
			t.Errorf("%s: %d %s", path, status, out)
		}
	}
}

func TestJSON(t *testing.T) {
	status, out, msg := run(t, secretState, "json", "-")
	if status != 0 || msg != "" || !strings.HasPrefix(out, `{"format_version":"1.0","terraform_version":"1.9.0","values":{"root_module":{"resources":[{"address":"lab_thing.b[2]","mode":"managed"`) {
		t.Errorf("%d %s%s", status, out, msg)
	}
	if !strings.Contains(out, `"sensitive_values":{"list":[{"pin":true}],"secret":true}`) || strings.Contains(out, "added") {
		t.Error(out)
	}
	status, out, msg = run(t, secretState, "json", "-schemas", write(t, schemas), "-")
	if status != 0 || msg != "" || !strings.Contains(out, `"values":{"added":null,"list":[{"pin":"1234","user":"u"}],"name":"n","secret":"hunter2"},"sensitive_values":{"list":[{"pin":true}],"name":true,"secret":true}`) {
		t.Errorf("%d %s%s", status, out, msg)
	}
	other := strings.Replace(schemas, `"version":1`, `"version":2`, 1)
	if status, out, msg := run(t, secretState, "json", "-schemas", write(t, other), "-"); status != 2 || out != "" || !strings.Contains(msg, "schema version 1") {
		t.Errorf("a schema of another version: %d %s%s", status, out, msg)
	}
}

func TestRefused(t *testing.T) {
	twice := strings.Replace(secretState, `"index_key":2`, `"index_key":"x"`, 1)
	for name, text := range map[string]string{
		"empty": "", "twice": twice, "version 2": `{"version":2,"serial":1,"modules":[]}`,
		"encrypted": `{"serial":1,"lineage":"l","meta":{},"encrypted_data":"eA==","encryption_version":"v0"}`, "plan": "PK\x03\x04tfplan", "shown": `{"format_version":"1.0"}`,
	} {
		for _, command := range [][]string{{"list", "-"}, {"json", "-"}, {"show", "-", "a.b"}} {
			if status, out, msg := run(t, text, command...); status != 2 || out != "" || !strings.HasPrefix(msg, "tofuwire state: "+command[0]+": ") {
				t.Errorf("%s: %d %s%s", name, status, out, msg)
			}
		}
	}
	if _, _, msg := run(t, `{"serial":1,"lineage":"l","meta":{},"encrypted_data":"eA==","encryption_version":"v0"}`, "list", "-"); !strings.Contains(msg, "encrypted") {
		t.Error(msg)
	}
	for _, args := range [][]string{{}, {"odd"}, {"list"}, {"list", "a", "b"}, {"list", "-odd", "a"}, {"list", "/no/such/file"}, {"json", "-schemas", "/no/such/file", "-"}} {
		if status, out, msg := run(t, secretState, args...); status != 2 || out != "" || msg == "" {
			t.Errorf("%v: %d %s%s", args, status, out, msg)
		}
	}
	for _, args := range [][]string{{"-h"}, {"list", "-h"}} {
		if status, out, _ := run(t, "", args...); status != 0 || !strings.HasPrefix(out, "usage: tofuwire state ") {
			t.Errorf("%v: %d %s", args, status, out)
		}
	}
}
