// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// TestConvertPlans plans each module with a real tofu and a real terraform as it
// is written, converted, and converted back, and wants the same plans. Those are
// what TestConvertRecorded compares with where there is no program.
func TestConvertPlans(t *testing.T) {
	for _, p := range programs(t) {
		for _, c := range convertCases(t) {
			if c.name == "tofu" && p.name != "tofu" {
				continue
			}
			t.Run(p.name+"/"+c.name, func(t *testing.T) {
				forms := c.forms(t)
				want := p.plan(t, forms["as written"])
				for form, tree := range forms {
					if form == "as written" {
						continue
					}
					if diff := difference(want, p.plan(t, tree)); diff != "" {
						t.Errorf("%s (as written, and %s):\n%s", p.name, form, diff)
					}
				}
				p.compareRecording(t, c.name, want)
			})
		}
	}
}

// TestConvertTestRuns runs the test files of the modules that have some, in all
// forms, and wants each run to have the same status.
func TestConvertTestRuns(t *testing.T) {
	for _, p := range programs(t) {
		for _, c := range convertCases(t) {
			if !strings.HasSuffix(c.name, "tests") {
				continue
			}
			t.Run(p.name+"/"+c.name, func(t *testing.T) {
				forms := c.forms(t)
				want := p.testRuns(t, forms["as written"])
				if len(want) < 3 {
					t.Fatalf("too few runs: %q", want)
				}
				for form, tree := range forms {
					if diff := cmp.Diff(want, p.testRuns(t, tree)); diff != "" {
						t.Errorf("%s (-as written +%s):\n%s", p.name, form, diff)
					}
				}
			})
		}
	}
}

// A program is a tofu or a terraform.
type program struct{ name, path, version string }

// programs returns those that the environment names, and skips the test if there is none.
func programs(t *testing.T) []program {
	t.Helper()
	var out []program
	for name, file := range depth.Tools(t) {
		p := program{name: name, path: file}
		var v struct {
			Version string `json:"terraform_version"`
		}
		src, err := p.run(t.TempDir(), "version", "-json")
		if err == nil {
			err = json.Unmarshal(src, &v)
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		p.version = v.Version
		// The fixtures use what these releases added.
		if have, err := addrs.ParseVersion(p.version); err != nil || have.Compare(addrs.MustParseVersion(map[string]string{"tofu": "1.12.0", "terraform": "1.11.0"}[name])) < 0 {
			t.Logf("%s %s is too old for the fixtures", name, p.version)
			continue
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		t.Skip("needs tofu 1.12 or terraform 1.11; TestConvertGolden and TestConvertRecorded compare with what one has confirmed")
	}
	return out
}

// run runs the program in a folder and returns what it prints.
func (p program) run(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command(p.path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("%v: %w\n%s", args, err, errs.Bytes())
	}
	return out.Bytes(), nil
}

// prepare writes a module into a folder and initialises it.
func (p program) prepare(t *testing.T, tree map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	writeTree(t, dir, tree)
	if _, err := p.run(dir, "init", "-input=false", "-no-color"); err != nil {
		t.Fatal(err)
	}
	return dir
}

// plan returns what there is to compare of the plan for a module.
func (p program) plan(t *testing.T, tree map[string]string) map[string]any {
	t.Helper()
	dir := p.prepare(t, tree)
	if _, err := p.run(dir, "plan", "-input=false", "-no-color", "-refresh=false", "-out=p"); err != nil {
		t.Fatal(err)
	}
	src, err := p.run(dir, "show", "-json", "p")
	if err != nil {
		t.Fatal(err)
	}
	doc := configshow.DecodeObject(t, src)
	for _, name := range []string{"timestamp", "terraform_version", "format_version"} {
		delete(doc, name)
	}
	// These are in the order of a Go map.
	if list, ok := doc["relevant_attributes"].([]any); ok {
		slices.SortFunc(list, func(a, b any) int {
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			return bytes.Compare(x, y)
		})
	}
	sortModules(doc)
	doc["configuration"] = normalConfiguration(doc["configuration"], hasJSON(tree))
	return doc
}

// testRuns returns the status of each run of the tests of a module.
func (p program) testRuns(t *testing.T, tree map[string]string) []string {
	t.Helper()
	dir := p.prepare(t, tree)
	src, err := p.run(dir, "test", "-json")
	if err != nil && len(src) == 0 {
		t.Fatal(err)
	}
	var out []string
	for line := range bytes.Lines(src) {
		var m struct {
			Type string `json:"type"`
			Run  struct {
				Path, Run, Status, Progress string
			} `json:"test_run"`
			Diagnostic struct{ Severity, Summary, Detail string } `json:"diagnostic"`
		}
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		switch r := m.Run; {
		case m.Type == "diagnostic":
			out = append(out, m.Diagnostic.Severity+": "+m.Diagnostic.Summary+": "+m.Diagnostic.Detail)
		case m.Type == "test_run" && (r.Progress == "" || r.Progress == "complete"):
			name, _, _ := strings.Cut(r.Path, ".")
			out = append(out, name+" "+r.Run+": "+r.Status)
		}
	}
	return out
}

func recordedPlan(name, program string) string {
	return filepath.Join("testdata/convert-plans", name, program+".json")
}

// compareRecording compares a plan with the recorded one, or records it. Other
// versions of the program may plan in another way.
func (p program) compareRecording(t *testing.T, name string, doc map[string]any) {
	t.Helper()
	record := map[string]any{"version": p.version}
	for _, part := range []string{"configuration", "planned_values", "checks"} {
		record[part] = doc[part]
	}
	file := recordedPlan(name, p.name)
	if *updateGolden {
		src, err := json.Marshal(record)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(file), 0o777)
		}
		if err == nil {
			err = os.WriteFile(file, append(src, '\n'), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := configshow.DecodeObject(t, src)
	if want["version"] != p.version {
		t.Logf("the recorded plan is of version %v", want["version"])
		return
	}
	again, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	if diff := difference(want, configshow.DecodeObject(t, again)); diff != "" {
		t.Errorf("(recorded, and now):\n%s", diff)
	}
}

// hasJSON reports whether a file of a module is in JSON syntax.
func hasJSON(tree map[string]string) bool {
	for name := range tree {
		if n, ok := hclconfig.ParseFilename(name); ok && n.Syntax == hclconfig.JSONSyntax && n.Kind == hclconfig.ConfigFile {
			return true
		}
	}
	return false
}

// sortModules sorts the instances of modules, which are in the order of a Go
// map.
func sortModules(v any) {
	switch v := v.(type) {
	case map[string]any:
		if list, ok := v["child_modules"].([]any); ok {
			slices.SortFunc(list, func(a, b any) int {
				return strings.Compare(a.(map[string]any)["address"].(string), b.(map[string]any)["address"].(string))
			})
		}
		for _, e := range v {
			sortModules(e)
		}
	case []any:
		for _, e := range v {
			sortModules(e)
		}
	}
}

// difference returns a line for each place where two JSON documents differ.
func difference(a, b any) string {
	var out strings.Builder
	var walk func(at string, a, b any)
	walk = func(at string, a, b any) {
		switch x := a.(type) {
		case map[string]any:
			if y, ok := b.(map[string]any); ok {
				for name := range x {
					if _, ok := y[name]; !ok {
						fmt.Fprintf(&out, "%s/%s: %.200v, and nothing\n", at, name, x[name])
						continue
					}
					walk(at+"/"+name, x[name], y[name])
				}
				for name := range y {
					if _, ok := x[name]; !ok {
						fmt.Fprintf(&out, "%s/%s: nothing, and %.200v\n", at, name, y[name])
					}
				}
				return
			}
		case []any:
			if y, ok := b.([]any); ok && len(x) == len(y) {
				for i := range x {
					walk(fmt.Sprintf("%s/%d", at, i), x[i], y[i])
				}
				return
			}
		default:
			if _, isMap := b.(map[string]any); !isMap {
				if _, isList := b.([]any); !isList && a == b {
					return
				}
			}
		}
		fmt.Fprintf(&out, "%s: %.200v, and %.200v\n", at, a, b)
	}
	walk("", a, b)
	return out.String()
}

// normalConfiguration makes the configuration part of a plan the same for both
// syntaxes: for JSON, constant_value is the raw JSON, and there also when there
// are references; and a for_each without references is left out for native. raw
// reports that there are files in JSON syntax.
func normalConfiguration(v any, raw bool) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, e := range v {
			if name == "for_each_expression" || name == "count_expression" {
				if x, ok := e.(map[string]any); ok && x["references"] == nil {
					continue
				}
			}
			out[name] = normalConfiguration(e, raw)
		}
		if c, ok := out["constant_value"]; ok {
			if out["references"] != nil {
				delete(out, "constant_value")
			} else if !raw {
				return out
			} else if c, ok = constant(c); ok {
				out["constant_value"] = c
			} else {
				delete(out, "constant_value") // native has none for function calls
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = normalConfiguration(e, raw)
		}
		return out
	}
	return v
}

// constant evaluates the strings of a constant value as templates. It reports
// false if one is no constant.
func constant(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		x, diags := hclsyntax.ParseTemplate([]byte(v), "", hcl.InitialPos)
		if diags.HasErrors() {
			return v, true
		}
		value, diags := x.Value(nil)
		if diags.HasErrors() {
			// In the native form this is text; in JSON it was a call.
			return v, len(x.Variables()) > 0
		}
		src, err := ctyjson.Marshal(value, value.Type())
		if err != nil {
			return nil, false
		}
		d := json.NewDecoder(bytes.NewReader(src))
		d.UseNumber()
		var out any
		err = d.Decode(&out)
		return out, err == nil
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			c, ok := constant(e)
			if !ok {
				return nil, false
			}
			switch key, _ := constant(k); key := key.(type) {
			case string:
				k = key
			case json.Number, bool:
				k = fmt.Sprint(key)
			}
			out[k] = c
		}
		return out, true
	case []any:
		for i, e := range v {
			c, ok := constant(e)
			if !ok {
				return nil, false
			}
			v[i] = c
		}
	}
	return v, true
}
