// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestModule converts a module with a child, a test, a template and a file that
// is in JSON syntax already.
func TestModule(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "new", "out")
	for name, src := range map[string]string{
		"main.tf":                  "# c\nmodule \"m\" {\n  source = \"./child\"\n}\n",
		"main.tf.json":             "{\"locals\":{}}",
		"a.tofu":                   "locals {\n  a = \"$${x}\"\n}\n",
		"child/main.tf":            "output \"o\" {\n  value = file(\"${path.module}/x.tpl\")\n}\n",
		"child/x.tpl":              "text",
		"tests/a.tftest.hcl":       "run \"r\" {\n  command = plan\n}\n",
		".terraform/providers/x":   "no",
		"child/.terraform/modules": "no",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var report bytes.Buffer
	if status := Run([]string{"-to", "json", dir, out}, nil, io.Discard, &report); status != 0 || report.Len() > 0 {
		t.Fatalf("exit status %d: %s", status, report.Bytes())
	}
	want := map[string]string{
		"main_native.tf.json": "{\n  \"module\": {\n    \"m\": {\n      \"//\": \"c\",\n      \"source\": \"./child\"\n    }\n  }\n}\n",
		"main.tf.json":        "{\"locals\":{}}",
		"a.tofu.json":         "{\n  \"locals\": {\n    \"a\": \"$${x}\"\n  }\n}\n",
		"child/main.tf.json":  "{\n  \"output\": {\n    \"o\": {\n      \"value\": \"${file(\\\"${path.module}/x.tpl\\\")}\"\n    }\n  }\n}\n",
		"child/x.tpl":         "text",
		"tests/a.tftest.json": "{\n  \"run\": [\n    {\n      \"r\": {\n        \"command\": \"plan\"\n      }\n    }\n  ]\n}\n",
	}
	got := map[string]string{}
	err := filepath.Walk(out, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		src, err := os.ReadFile(path)
		rel, _ := filepath.Rel(out, path)
		got[filepath.ToSlash(rel)] = string(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestExitStatus wants 2 for what was lost and 1 for what cannot be done.
func TestExitStatus(t *testing.T) {
	dir := t.TempDir()
	src := "resource \"terraform_data\" \"a\" {\n  lifecycle {\n    prevent_destroy = var.x\n  }\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(t.TempDir(), "newer.json")
	if err := os.WriteFile(newer, []byte(`{"format_version":"9.0"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		want int
	}{
		{"schemas of another format", []string{"-schemas", newer, dir, filepath.Join(dir, "out")}, 1},
		{"lost", []string{dir, filepath.Join(dir, "out")}, 2},
		{"again, with the result inside", []string{dir, filepath.Join(dir, "out")}, 2},
		{"same folder", []string{dir, dir}, 1},
		{"no folder", []string{filepath.Join(dir, "none"), filepath.Join(dir, "out")}, 1},
		{"usage", []string{dir}, 2},
		{"no schemas", []string{"-schemas", filepath.Join(dir, "none"), dir, filepath.Join(dir, "out")}, 1},
		{"no such option", []string{"-x"}, 2},
	} {
		var report bytes.Buffer
		if got := Run(append([]string{"-to", "json"}, c.args...), nil, io.Discard, &report); got != c.want || report.Len() == 0 {
			t.Errorf("%s: exit status %d, want %d: %s", c.name, got, c.want, report.Bytes())
		}
		if c.args[0] == "-schemas" && !strings.Contains(report.String(), c.args[1]) {
			t.Errorf("%s: the file is not named: %s", c.name, report.Bytes())
		}
	}
}
