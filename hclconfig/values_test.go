// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// TestValuesFile reads files of values. The verdicts are those of terraform 1.11.
func TestValuesFile(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"terraform.tfvars", "a = 1\ndata = [\"$${x}\"]\n", `a=1 data=["${x}"]`},
		{"x.auto.tfvars", "a = \"${1 + 1}\"\n", `a=2`},
		{"override.tfvars.json", `{"//": "c", "data": {"${x}": "${y}", "//": 1}, "locals": null}`, `data={"${x}":"${y}","//":1} locals=null`},
		{"x.tfvars", "variable \"a\" {}\n", `Unexpected "variable" block`},
		{"x.tfvars.json", `[{"a": 1}]`, `a=1 Incorrect JSON value type`},
		{"x.tfvars.json", `{"a": 1, "a": 2}`, `a=1 a=2 Duplicate argument`},
	} {
		f, err := hclconfig.Parse(c.name, []byte(c.src))
		if err != nil || f.Kind() != hclconfig.ValuesFile || f.IsOverride() {
			t.Errorf("%s: kind %s, override %t, %v", c.name, f.Kind(), f.IsOverride(), err)
		}
		var got []byte
		for _, a := range f.Body().Arguments {
			if a.Kind() != hclconfig.KindLiteral {
				t.Errorf("%s: %s is of kind %s", c.name, a.Name, a.Kind())
			}
			var v any
			if err := a.Decode(&v); err != nil {
				t.Error(err)
			}
			text, err := json.Marshal(v)
			if err != nil {
				t.Error(err)
			}
			got = append(got, a.Name+"="+string(text)+" "...)
		}
		for _, d := range f.Diagnostics() {
			got = append(got, d.Summary+" "...)
		}
		if diff := cmp.Diff(c.want+" ", string(got)); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", c.src, diff)
		}
	}
	m, err := hclconfig.LoadModule(fstest.MapFS{"a.tfvars": {Data: []byte("x = 1\n")}, "main.tf": {}}, ".")
	if err != nil || len(m.Files) != 1 || fmt.Sprint(m.Diagnostics()) != "[]" {
		t.Errorf("a module with a file of values has %d files: %v, %v", len(m.Files), m.Diagnostics(), err)
	}
}
