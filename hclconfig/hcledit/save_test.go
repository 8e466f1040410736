// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/replacefile"
)

func fileOf(t *testing.T, name, text string) *hclconfig.File {
	t.Helper()
	f, err := hclconfig.Parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// content returns the files of a directory with their texts and modes.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(text)
	}
	return out
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("a.tf", "# a\n", 0o600)
	write("b.tf", "# b\n", 0o640)
	if err := Save(dir, fileOf(t, "a.tf", "# new\n"), fileOf(t, "b.tf", "# b\n"), fileOf(t, "c.tf", "# c\n")); err != nil {
		t.Fatal(err)
	}
	got := content(t, dir)
	if len(got) != 3 || got["a.tf"] != "# new\n" || got["b.tf"] != "# b\n" || got["c.tf"] != "# c\n" {
		t.Error(got)
	}
	if info, _ := os.Stat(filepath.Join(dir, "a.tf")); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	if err := Save("", fileOf(t, filepath.ToSlash(filepath.Join(dir, "c.tf")), "# d\n")); err != nil || content(t, dir)["c.tf"] != "# d\n" {
		t.Error(err)
	}
	// Nothing happens if one cannot be written at all.
	before := content(t, dir)
	for _, bad := range []*hclconfig.File{fileOf(t, "../x.tf", ""), fileOf(t, "none/x.tf", ""), fileOf(t, "a.tf", "# twice\n"), nil} {
		if err := Save(dir, fileOf(t, "a.tf", "# other\n"), bad); err == nil || !strings.Contains(err.Error(), "no file was changed") {
			t.Errorf("%v", err)
		}
	}
	if after := content(t, dir); len(after) != len(before) || after["a.tf"] != before["a.tf"] {
		t.Error(after)
	}
}

// TestSave_link writes behind a link, which stays one.
func TestSave_link(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "real.tf"), []byte("# a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.tf", filepath.Join(dir, "a.tf")); err != nil {
		t.Skip("needs a system with symbolic links:", err)
	}
	if err := Save(dir, fileOf(t, "a.tf", "# b\n"), fileOf(t, "real.tf", "# b\n")); err != nil { // one text under two names
		t.Fatal(err)
	}
	if err := Save(dir, fileOf(t, "a.tf", "# c\n"), fileOf(t, "real.tf", "# d\n")); err == nil {
		t.Error("one file got two texts")
	}
	if to, err := os.Readlink(filepath.Join(dir, "a.tf")); err != nil || to != "real.tf" || content(t, dir)["real.tf"] != "# b\n" {
		t.Error(to, err, content(t, dir))
	}
}

// TestSave_back fails to replace the third file: the first two get their old texts back.
func TestSave_back(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.tf", "c.tf"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("# "+name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cause := errors.New("no more")
	n := 0
	s := saving{replace: func(f *replacefile.Staged) error {
		if n++; n == 3 {
			return errors.Join(cause, f.Discard())
		}
		return f.Replace()
	}}
	err := s.all(dir, []*hclconfig.File{fileOf(t, "a.tf", "# new\n"), fileOf(t, "b.tf", "# new\n"), fileOf(t, "c.tf", "# new\n"), fileOf(t, "d.tf", "# new\n")})
	if !errors.Is(err, cause) {
		t.Fatal(err)
	}
	for _, part := range []string{"a.tf: as it was", "b.tf: as it was", "c.tf: not written: no more", "d.tf: as it was"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v: lacks %q", err, part)
		}
	}
	got := content(t, dir)
	if len(got) != 2 || got["a.tf"] != "# a.tf\n" || got["c.tf"] != "# c.tf\n" {
		t.Error(got)
	}
	// The old text cannot be put back either.
	if runtime.GOOS == "windows" {
		return
	}
	n = 2
	s = saving{replace: func(f *replacefile.Staged) error {
		if n++; n == 4 {
			_ = os.RemoveAll(dir)
			return cause
		}
		return f.Replace()
	}}
	n = 2
	s.replace = func(f *replacefile.Staged) error {
		if n++; n == 3 {
			return f.Replace()
		}
		_ = os.RemoveAll(dir)
		return cause
	}
	if err := s.all(dir, []*hclconfig.File{fileOf(t, "a.tf", "# x\n"), fileOf(t, "c.tf", "# x\n")}); err == nil || !strings.Contains(err.Error(), "a.tf: has the new text, the old one cannot be put back") {
		t.Error(err)
	}
}
