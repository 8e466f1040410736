// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	before = "locals {\n a=1\n  long = 2\n}\n"
	after  = "locals {\n  a    = 1\n  long = 2\n}\n"
)

// run runs the program.
func run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Run(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// tree writes files and returns their folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read returns the text of a file.
func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestStdin formats standard input.
func TestStdin(t *testing.T) {
	for _, row := range []struct {
		args []string
		in   string
		code int
		out  string
	}{
		{nil, before, 0, after},
		{nil, after, 0, after},
		{[]string{"-check"}, before, 3, "standard input\n"},
		{[]string{"-check"}, after, 0, ""},
		{[]string{"-w"}, before, 2, ""},
		{nil, "locals {\n", 2, ""},
	} {
		code, out, errs := run(row.in, row.args...)
		if code != row.code || out != row.out || (errs != "") != (code == 2) {
			t.Errorf("%q of %q: exit %d\n%s%s", row.args, row.in, code, out, errs)
		}
	}
	if code, out, _ := run(before, "-diff"); code != 0 || !strings.Contains(out, "+  a    = 1\n") {
		t.Errorf("-diff: exit %d\n%s", code, out)
	}
	if code, out, _ := run(before, "-diff", "-check"); code != 3 || !strings.HasPrefix(out, "standard input\n---") {
		t.Errorf("-diff -check: exit %d\n%s", code, out)
	}
	if code, _, errs := run("locals {\n"); code != 2 || !strings.Contains(errs, "standard input:") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestFolders formats the files of a folder, and with /... those below it. JSON, hidden folders and
// other files stay.
func TestFolders(t *testing.T) {
	files := map[string]string{
		"main.tf": before, "good.tf": after, "x.tfvars": "a=1\n", "a.tofu": before, "t.tftest.hcl": "run \"a\" {\ncommand=plan\n}\n", "m.tfmock.hcl": before,
		"b.tf.json": "{ }", "readme.md": "a=1", "sub/main.tf": before, ".terraform/m/main.tf": before,
	}
	dir := tree(t, files)
	code, out, errs := run("", "-check", dir)
	if code != 3 || errs != "" || strings.Count(out, "\n") != 4 || strings.Contains(out, "sub") || strings.Contains(out, "good") {
		t.Errorf("-check: exit %d\n%s%s", code, out, errs)
	}
	// Each program formats the files that it reads.
	if _, out, _ := run("", "-check", "-terraform", dir); strings.Count(out, "\n") != 4 || strings.Contains(out, "a.tofu") || !strings.Contains(out, "m.tfmock.hcl") {
		t.Errorf("-check -terraform:\n%s", out)
	}
	for name, text := range files {
		if read(t, dir, name) != text {
			t.Errorf("-check wrote %s", name)
		}
	}
	if code, out, errs := run("", "-w", dir+"/..."); code != 0 || strings.Count(out, "\n") != 5 || errs != "" {
		t.Errorf("-w: exit %d\n%s%s", code, out, errs)
	}
	if read(t, dir, "main.tf") != after || read(t, dir, "sub/main.tf") != after || read(t, dir, ".terraform/m/main.tf") != before || read(t, dir, "b.tf.json") != "{ }" || read(t, dir, "readme.md") != "a=1" {
		t.Error("-w wrote other files than it should")
	}
	if code, out, _ := run("", "-check", dir+"/..."); code != 0 || out != "" {
		t.Errorf("again: exit %d\n%s", code, out)
	}
}

// TestFailures wants the other files formatted, and each failure with its place.
func TestFailures(t *testing.T) {
	dir := tree(t, map[string]string{"a.tf": "locals {\n", "b.tf": before})
	code, out, errs := run("", "-w", filepath.Join(dir, "none.tf"), dir)
	if code != 2 || out != filepath.Join(dir, "b.tf")+"\n" || !strings.Contains(errs, "none.tf") || !strings.Contains(errs, filepath.Join(dir, "a.tf")+":1,8:") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if read(t, dir, "b.tf") != after || read(t, dir, "a.tf") != "locals {\n" {
		t.Error("not the right files were written")
	}
	for _, args := range [][]string{{"-check", "-w", dir}, {"-x"}, {filepath.Join(dir, "b.tf") + "/..."}} {
		if code, out, errs := run("", args...); code != 2 || out != "" || errs == "" {
			t.Errorf("%q: exit %d\n%s%s", args, code, out, errs)
		}
	}
	if code, out, _ := run("", "-h"); code != 0 || !strings.HasPrefix(out, "usage:") {
		t.Errorf("-h: exit %d\n%s", code, out)
	}
}
