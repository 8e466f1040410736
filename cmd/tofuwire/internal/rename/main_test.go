// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rename

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes files into a new directory, which is a repository: nothing
// above it is looked at.
func write(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
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

// renameIn renames in a directory, and writes.
func renameIn(from, to, dir string) error {
	r, err := rename(options{from: from, to: to, dir: dir})
	if err != nil {
		return err
	}
	return r.write()
}

// TestDiffNames wants names in a difference that a patch program takes: none leads up.
func TestDiffNames(t *testing.T) {
	dir := write(t, map[string]string{
		"main.tf":   "module \"c\" {\n  source = \"./c\"\n  old    = 1\n}\n",
		"c/main.tf": "variable \"old\" {}\n",
	})
	t.Chdir(filepath.Join(dir, "c"))
	for _, at := range []string{".", "../c", filepath.Join(dir, "c")} {
		var out, errs strings.Builder
		if code := Run([]string{"var.old", "var.new", at}, nil, &out, &errs); code != 0 {
			t.Fatal(errs.String())
		}
		if s := out.String(); strings.Contains(s, "..") || !strings.Contains(s, "main.tf\n") || strings.Count(s, "\n--- a/") != 1 {
			t.Errorf("%s:\n%s", at, s)
		}
	}
}
