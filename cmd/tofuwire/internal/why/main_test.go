// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package why

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

const recorded = "../../../../planjson/plangraph/testdata/instances/tofu-1.12.6.json"

func why(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if status := Run(args, strings.NewReader(""), &out, &out); status != 0 {
		t.Fatalf("%v: %d, %s", args, status, &out)
	}
	return out.String()
}

func TestJSON(t *testing.T) {
	var a answer
	if err := json.Unmarshal([]byte(why(t, "-json", recorded, "terraform_data.first.input")), &a); err != nil {
		t.Fatal(err)
	}
	want := answer{Address: "terraform_data.first", Path: "input", From: []link{{"terraform_data.many[0]", "output", true}}, To: []link{}, Replaced: []string{}}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Error(diff)
	}
	got := why(t, "-json", recorded, "var.size")
	if !strings.HasPrefix(got, `{"address":"var.size","path":"","known":true,"sensitive":false,"value":3,"from":[],"to":[{"address":"terraform_data.dep",`) {
		t.Error(got)
	}
}

// Locals are followed with the configuration at hand, and are the end without.
func TestLocals(t *testing.T) {
	const of = `terraform_data.each["a"].input`
	if got := why(t, recorded, of); !strings.Contains(got, "\n  local.pick (possibly)\n") {
		t.Error(got)
	}
	got := why(t, "-config", "../../../../tools/record/cases/instances/config", recorded, of)
	if strings.Contains(got, "local.pick") || !strings.Contains(got, "\n  terraform_data.one.output is known after apply\n") {
		t.Error(got)
	}
}

// What triggers a replacement is in the configuration only.
func TestTriggers(t *testing.T) {
	const plan, of = "../../../../planjson/plangraph/testdata/graphs/triggered-by/2.plan.json", "terraform_data.b"
	if got := why(t, plan, of); strings.Contains(got, "terraform_data.a") || !strings.Contains(got, "\nis replaced: replace_by_triggers\n") {
		t.Error(got)
	}
	if got := why(t, "-config", "../../../../tools/record/graphs/triggered-by", plan, of); !strings.Contains(got, "comes from:\n  terraform_data.a\n") {
		t.Error(got)
	}
}

func TestAll(t *testing.T) {
	got := why(t, "-all", recorded, "output.flat")
	for _, want := range []string{`module.net["b"].terraform_data.vpc.output.cidr`, "terraform_data.many[0].output", "var.size = 3", "var.names"} {
		if !strings.Contains(got, "\n  "+want) {
			t.Errorf("%s is missing: %s", want, got)
		}
	}
}

// No part of a sensitive value is shown, and each replacement says why.
func TestSensitive(t *testing.T) {
	const planted = "../../../../planjson/redact/testdata/planted/tofu-1.12.6/plan.2.json"
	for _, of := range []string{"var.pw", "local_sensitive_file.f", "terraform_data.io.input", "terraform_data.replaced", "output.obj", "lab_thing.s.secret"} {
		for _, args := range [][]string{{planted, of}, {"-json", planted, of}, {"-all", planted, of}} {
			if got := why(t, args...); strings.Contains(got, "PLANT-") {
				t.Errorf("%v: %s", args, got)
			}
		}
	}
	if got := why(t, planted, "local_sensitive_file.f"); !strings.Contains(got, "is replaced because of: ") {
		t.Error(got)
	}
}

func TestErrors(t *testing.T) {
	broken, missing := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(broken, "main.tf"): "module \"m\" {\n  source = \"./m\"\n}\n", filepath.Join(broken, "m", "main.tf"): "}\n",
		filepath.Join(missing, "main.tf"): "module \"m\" {\n  source = \"./m\"\n}\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"-config", broken, recorded, "var.size"}, {"-config", missing, recorded, "var.size"}, {}, {recorded}, {"no such file", "a.b"}, {recorded, "terraform_data.none"}, {recorded, "terraform_data.first.["}, {"-config", "no such folder", recorded, "var.size"}} {
		if Run(args, strings.NewReader(""), io.Discard, io.Discard) == 0 {
			t.Errorf("%v: no error", args)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, test := range []struct{ path, want string }{
		{`["disk",0,"snapshot"]`, "disk[0].snapshot"}, {`["tags","a b"]`, `tags["a b"]`}, {`["a",{"x":1}]`, `a[{"x":1}]`},
	} {
		if got := formatPath(planjson.Value(test.path)); got != test.want {
			t.Errorf("%s: got %s", test.path, got)
		}
	}
	for marks, want := range map[string]bool{`{"disk":[{"key":true}]}`: true, `{"disk":[{"other":true}]}`: false, `{"disk":true}`: true, `{"disk":[{"key":{"a":true}}]}`: true, `{}`: false} {
		if sensitive(&plangraph.Instance{Sensitive: planjson.Value(marks)}, []any{"disk", 0, "key"}) != want {
			t.Errorf("%s: not %v", marks, want)
		}
	}
}

// TestDrawing checks that the graph around an instance has it, what it needs and what needs it, and nothing else.
func TestDrawing(t *testing.T) {
	dot, mermaid := why(t, "-format", "dot", recorded, "terraform_data.first"), why(t, "-format", "mermaid", recorded, "terraform_data.first")
	if !strings.HasPrefix(dot, "digraph {") || !strings.HasPrefix(mermaid, "flowchart RL") {
		t.Fatalf("%s\n%s", dot, mermaid)
	}
	for _, drawn := range []string{dot, mermaid} {
		if !strings.Contains(drawn, `"terraform_data.first"`) || !strings.Contains(drawn, `"terraform_data.many[0]"`) || strings.Contains(drawn, "terraform_data.dep") {
			t.Error(drawn)
		}
	}
}
