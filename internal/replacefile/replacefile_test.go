// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package replacefile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tofuwire/tofuwire/internal/replacefile"
)

// TestEdit keeps modes and follows links; what fails leaves the old file, and nothing beside it.
func TestEdit(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a"), filepath.Join(dir, "link")
	if err := os.WriteFile(name, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", link); err != nil {
		t.Skip("needs a system with symbolic links:", err)
	}
	if err := replacefile.Edit(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if replacefile.Edit(filepath.Join(dir, "none"), nil) == nil || replacefile.Write(filepath.Join(dir, "none", "b"), nil, 0o600) == nil {
		t.Error("a file that there is not was written")
	}
	if err := os.Mkdir(filepath.Join(dir, "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "full", "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if replacefile.Write(filepath.Join(dir, "full"), []byte("x"), 0o600) == nil {
		t.Error("a folder was replaced")
	}
	if err := replacefile.Write(filepath.Join(dir, "fresh"), []byte("fresh"), 0o666); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 4 {
		t.Error(entries, err)
	}
	for at, want := range map[string]os.FileMode{"a": 0o640, "fresh": 0o666} {
		if info, err := os.Lstat(filepath.Join(dir, at)); err != nil || runtime.GOOS != "windows" && info.Mode() != want {
			t.Error(at, info.Mode(), err)
		}
	}
	if text, _ := os.ReadFile(name); string(text) != "new" {
		t.Errorf("%s", text)
	}
}
