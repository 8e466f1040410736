// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func run(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Run(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

func TestValues(t *testing.T) {
	code, out, errs := run(t, "", `upper("a")`, `{ b = 1, a = [true, null] }`, `upper()`, `1e20`)
	want := "\"A\"\n{\"a\":[true,null],\"b\":1}\n100000000000000000000\n"
	if code != 1 || out != want || errs != "upper(): Not enough function arguments; Function \"upper\" expects 1 argument(s). Missing value for \"str\".\n" {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, out, errs = run(t, "1 + 1\n\n\"a\"\n")
	if code != 0 || out != "2\n\"a\"\n" || errs != "" {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// TestFirst has expressions with two faults: the one that is first in the text is reported, as the
// consoles do.
func TestFirst(t *testing.T) {
	for text, want := range map[string]string{
		`urldecode({a = [for x in "t" : x]})`: "Invalid function argument",
		`[for x in ({a = 1} >= [1]) : x + 1]`: "Iteration over non-iterable value",
		`(({} ? "a" : ("b" / "c")) / "d")`:    "Incorrect condition type",
	} {
		if code, _, errs := run(t, "", text); code != 1 || !strings.HasPrefix(errs, text+": "+want) {
			t.Errorf("exit %d\n%s", code, errs)
		}
	}
}

// TestModule evaluates in a folder with a module, and the values of its variables.
func TestModule(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.tf":                "variable \"n\" {\n  type = number\n}\nvariable \"none\" {}\nvariable \"secret\" {\n  default   = \"s3\"\n  sensitive = true\n}\nlocals {\n  double = var.n * 2\n  text   = file(\"f.txt\")\n}\nmodule \"keyed\" {\n  source   = \"./m\"\n  for_each = toset([\"a\", \"b\"])\n  in       = each.key\n}\nmodule \"m\" {\n  source = \"./m\"\n}\nresource \"terraform_data\" \"a\" {}\n",
		"m/main.tf":              "output \"o\" {\n  value = \"out\"\n}\nvariable \"in\" {\n  default = 1\n}\noutput \"in\" {\n  value = var.in\n}\n",
		"terraform.tfvars":       "n = \"21\"\n",
		"f.txt":                  "text",
		".terraform/environment": "stage",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TF_WORKSPACE", "")
	code, out, errs := run(t, "", "-dir", dir, "local.double", "module.m.o", "local.text", "values(module.keyed)[*].in", `file("f.txt")`, "path.module", "terraform.workspace", "[var.secret, 1]", "-time", "2026-01-31T12:00:00Z", "timestamp()")
	if code != 0 || out != "42\n\"out\"\n\"text\"\n[\"a\",\"b\"]\n\"text\"\n\".\"\n\"stage\"\n[\"(sensitive value)\",1]\n\"2026-01-31T12:00:00Z\"\n" {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	code, out, errs = run(t, "", "-dir="+dir, "-reveal", "[var.secret]")
	if code != 0 || out != "[\"s3\"]\n" {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	for _, x := range []string{"var.none", "terraform_data.a.id", "var.nope", "provider::lab::f(1)", "core::nope()", "1 +"} {
		if code, out, errs = run(t, "", "-dir", dir, x); code != 1 || out != "" || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, x+": ") {
			t.Errorf("%s: exit %d\n%s%s", x, code, out, errs)
		}
	}
}

func TestJSON(t *testing.T) {
	code, out, errs := run(t, "", "-json", "[1]", `sensitive("x")`, "upper()", "null", `tolist(["a"])`)
	var got []map[string]any
	for line := range strings.Lines(out) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		got = append(got, m)
	}
	if code != 1 || len(got) != 5 || errs != "" {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	if got[1]["sensitive"] != true || got[1]["value"] != nil || got[2]["error"] == nil || got[3]["type"] != "dynamic" {
		t.Errorf("got %v", got)
	}
	if _, ok := got[1]["value"]; !ok {
		t.Error("a hidden value is null, not absent")
	}
}

func TestSignatures(t *testing.T) {
	code, out, _ := run(t, "", "-functions", "-tool", "terraform", "-release", "1.11")
	var doc struct {
		FormatVersion string                     `json:"format_version"`
		Functions     map[string]json.RawMessage `json:"function_signatures"`
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 || doc.FormatVersion != "1.0" || len(doc.Functions) != 236 {
		t.Errorf("exit %d, %v, %d functions", code, err, len(doc.Functions))
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-tool", "x"}, {"-release", "x"}, {"-dir", "/does/not/exist"}, {"-nope"}, {"-time", "now"}, {"-functions", "1"}} {
		if code, out, errs := run(t, "", args...); code != 2 || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: exit %d\n%s%s", args, code, out, errs)
		}
	}
	if code, out, _ := run(t, "", "-h"); code != 0 || !strings.HasPrefix(out, "usage: ") {
		t.Errorf("-h: exit %d\n%s", code, out)
	}
}
