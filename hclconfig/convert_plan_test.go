// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// TestConvertPlans plans each module with a real tofu or terraform in both
// forms, and in the form that comes back, and wants the same plan.
func TestConvertPlans(t *testing.T) {
	program := ""
	for _, name := range []string{"tofu", "terraform"} {
		if p, err := exec.LookPath(name); err == nil {
			program = p
			break
		}
	}
	if program == "" {
		t.Skip("there is no tofu or terraform on PATH; TestConvertGolden compares with what one has confirmed")
	}
	if testing.Short() {
		t.Skip("real plans are not made in short runs")
	}
	for name, syntax := range convertCases {
		t.Run(name, func(t *testing.T) {
			source := readTree(t, filepath.Join("testdata/convert", name))
			there := convertTree(t, source, other(syntax))
			back := convertTree(t, there, syntax)
			want := plan(t, program, source)
			for form, tree := range map[string]map[string]string{"converted": there, "converted back": back} {
				if diff := cmp.Diff(want, plan(t, program, tree)); diff != "" {
					t.Errorf("%s (-as written +%s):\n%s", program, form, diff)
				}
			}
		})
	}
}

// plan returns what there is to compare of the plan for a module.
func plan(t *testing.T, program string, tree map[string]string) map[string]any {
	t.Helper()
	dir := t.TempDir()
	writeTree(t, dir, tree)
	run := func(args ...string) []byte {
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, errs.Bytes())
		}
		return out.Bytes()
	}
	run("init", "-input=false", "-no-color", "-backend=false")
	run("plan", "-input=false", "-no-color", "-refresh=false", "-out=p")
	d := json.NewDecoder(bytes.NewReader(run("show", "-json", "p")))
	d.UseNumber()
	var doc map[string]any
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
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
	doc["configuration"] = normalConfiguration(doc["configuration"])
	return doc
}

// normalConfiguration makes the configuration part of a plan the same for both
// syntaxes: for JSON, constant_value is the raw JSON, and there also when there
// are references; and a for_each without references is left out for native.
func normalConfiguration(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, e := range v {
			if name == "for_each_expression" || name == "count_expression" {
				if x, ok := e.(map[string]any); ok && x["references"] == nil {
					continue
				}
			}
			out[name] = normalConfiguration(e)
		}
		if c, ok := out["constant_value"]; ok {
			if out["references"] != nil {
				delete(out, "constant_value")
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
			out[i] = normalConfiguration(e)
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
