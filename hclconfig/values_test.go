// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
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

// TestConstant_loops: constant loops in each other have a bound, in both syntaxes, and say what they cannot refer to as ever.
func TestConstant_loops(t *testing.T) {
	loops := func(n int, body string) string {
		return strings.Repeat("[for x in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : ", n) + body + strings.Repeat("]", n)
	}
	for _, syntax := range []hclconfig.Syntax{hclconfig.NativeSyntax, hclconfig.JSONSyntax} {
		constant := func(src string) error {
			if syntax == hclconfig.JSONSyntax {
				src = strconv.Quote("${" + src + "}")
			}
			e, err := hclconfig.ParseExpression("a", []byte(src), syntax, hclconfig.KindExpression)
			if err != nil {
				t.Fatal(err)
			}
			_, diags := e.Value(nil)
			for d := range diags.Errors() {
				if d.Err != nil {
					return d.Err
				}
				return errors.New(d.Summary)
			}
			return nil
		}
		if err := constant(loops(4, "x")); err != nil {
			t.Errorf("four loops: %v", err)
		}
		if err := constant(loops(30, "x")); !errors.Is(err, hclconfig.ErrLimit) {
			t.Errorf("thirty loops: %v", err)
		}
		for body, want := range map[string]string{"upper(x)": "Function calls not allowed", "y": "Unknown variable"} {
			if err := constant(loops(1, body)); err == nil || err.Error() != want {
				t.Errorf("%s: %v", body, err)
			}
		}
	}
}
