// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

// write writes text to a new lock file and returns its path.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), lockfile.Name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// read returns the text of a file, and requires that no other file is left in
// its directory.
func read(t *testing.T, path string, others ...string) string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1+len(others) {
		t.Errorf("files left: %v, %v", entries, err)
	}
	return string(src)
}

func load(t *testing.T, path string) *lockfile.File {
	t.Helper()
	f, err := lockfile.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSave(t *testing.T) {
	path := write(t, canonicalBlock)
	f := load(t, path)
	for _, h := range []lockfile.Hash{"h1:x", "h1:y"} {
		if err := f.AddHashes(ab, h); err != nil {
			t.Fatal(err)
		}
		if err := f.Save(lockfile.SaveOptions{Mode: 0o640}); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != string(f.Bytes()) || !strings.Contains(got, string(h)) {
			t.Errorf("got\n%s", got)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	// Without a change the file is not replaced.
	if err := f.Save(lockfile.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	again, err := os.Stat(path)
	if err != nil || !os.SameFile(info, again) {
		t.Errorf("the file was replaced for nothing (%v)", err)
	}
}

func TestSaveNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), lockfile.Name)
	if _, err := lockfile.Load(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("Load = %v", err)
	}
	f := lockfile.New(path, addrs.Terraform)
	if err := f.Save(lockfile.SaveOptions{Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != string(f.Bytes()) {
		t.Errorf("got %q", got)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	// The second one finds the first.
	second := lockfile.New(path, addrs.OpenTofu)
	if err := second.Save(lockfile.SaveOptions{}); !errors.Is(err, lockfile.ErrChanged) {
		t.Errorf("second Save = %v", err)
	}
	if err := second.Save(lockfile.SaveOptions{Overwrite: true}); err != nil {
		t.Error(err)
	}
	if got := read(t, path); got != string(second.Bytes()) {
		t.Errorf("got %q", got)
	}
}

func TestSaveChanged(t *testing.T) {
	path := write(t, canonicalBlock)
	f := load(t, path)
	if err := f.AddHashes(ab, "h1:x"); err != nil {
		t.Fatal(err)
	}
	theirs := canonicalBlock + "# theirs\n"
	if err := os.WriteFile(path, []byte(theirs), 0o644); err != nil {
		t.Fatal(err)
	}
	err := f.Save(lockfile.SaveOptions{})
	var e *lockfile.Error
	if !errors.Is(err, lockfile.ErrChanged) || !errors.As(err, &e) || e.Filename != path {
		t.Errorf("Save = %v", err)
	}
	if got := read(t, path); got != theirs {
		t.Errorf("their file was lost: %q", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(lockfile.SaveOptions{}); !errors.Is(err, lockfile.ErrChanged) {
		t.Errorf("Save of a file that is gone = %v", err)
	}
	if err := f.Save(lockfile.SaveOptions{Overwrite: true}); err != nil {
		t.Error(err)
	}
	if got := read(t, path); got != string(f.Bytes()) {
		t.Errorf("got %q", got)
	}
	// Somebody else having the same idea is no conflict.
	if err := f.AddHashes(ab, "h1:z"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, f.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(lockfile.SaveOptions{}); err != nil {
		t.Error(err)
	}
}

func TestSaveResolved(t *testing.T) {
	src := resolveTests[0].src
	path := write(t, src)
	f, _, err := lockfile.Resolve(path, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Save(lockfile.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != resolveTests[0].want {
		t.Errorf("got %q", got)
	}
}

func TestSaveSymlink(t *testing.T) {
	setup := func(t *testing.T) (link, target string, f *lockfile.File) {
		dir := t.TempDir()
		link, target = filepath.Join(dir, lockfile.Name), filepath.Join(dir, "real.hcl")
		if err := os.WriteFile(target, []byte(canonicalBlock), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("real.hcl", link); err != nil {
			t.Skip("needs a system with symbolic links:", err)
		}
		f = load(t, link)
		if err := f.AddHashes(ab, "h1:x"); err != nil {
			t.Fatal(err)
		}
		return link, target, f
	}
	isLink := func(path string) bool {
		info, err := os.Lstat(path)
		return err == nil && info.Mode()&fs.ModeSymlink != 0
	}
	t.Run("refuse", func(t *testing.T) {
		link, target, f := setup(t)
		if err := f.Save(lockfile.SaveOptions{}); !errors.Is(err, lockfile.ErrSymlink) {
			t.Errorf("Save = %v", err)
		}
		if !isLink(link) || read(t, target, link) != canonicalBlock {
			t.Error("something was written")
		}
	})
	t.Run("follow", func(t *testing.T) {
		link, target, f := setup(t)
		if err := f.Save(lockfile.SaveOptions{Symlink: lockfile.SymlinkFollow}); err != nil {
			t.Fatal(err)
		}
		if !isLink(link) || read(t, target, link) != string(f.Bytes()) {
			t.Error("the target was not written")
		}
	})
	t.Run("replace", func(t *testing.T) {
		link, target, f := setup(t)
		if err := f.Save(lockfile.SaveOptions{Symlink: lockfile.SymlinkReplace}); err != nil {
			t.Fatal(err)
		}
		if isLink(link) || read(t, link, target) != string(f.Bytes()) || read(t, target, link) != canonicalBlock {
			t.Error("the link was not replaced")
		}
	})
	t.Run("replace a link to the same text", func(t *testing.T) {
		link, target, _ := setup(t)
		if err := load(t, link).Save(lockfile.SaveOptions{Symlink: lockfile.SymlinkReplace}); err != nil {
			t.Fatal(err)
		}
		if isLink(link) || read(t, link, target) != canonicalBlock {
			t.Error("the link was not replaced")
		}
	})
	t.Run("dangling", func(t *testing.T) {
		_, target, f := setup(t)
		if err := os.Remove(target); err != nil {
			t.Fatal(err)
		}
		if err := f.Save(lockfile.SaveOptions{Symlink: lockfile.SymlinkFollow}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Save = %v", err)
		}
		if err := f.Save(lockfile.SaveOptions{Symlink: lockfile.SymlinkReplace, Overwrite: true}); err != nil {
			t.Errorf("Save = %v", err)
		}
	})
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := lockfile.Load(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("Load of a directory = %v", err)
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, make([]byte, lockfile.MaxSize+10), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := lockfile.Load(large); !errors.Is(err, lockfile.ErrLimit) {
		t.Errorf("Load of a large file = %v", err)
	}
	f := lockfile.New(dir, addrs.OpenTofu)
	if err := f.Save(lockfile.SaveOptions{}); err == nil {
		t.Error("saved over a directory")
	}
	f = lockfile.New(filepath.Join(dir, "none", "x"), addrs.OpenTofu)
	if err := f.Save(lockfile.SaveOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Save into no directory = %v", err)
	}
	f = lockfile.New(filepath.Join(large, "x"), addrs.OpenTofu)
	if err := f.Save(lockfile.SaveOptions{}); err == nil {
		t.Error("saved below a file")
	}
}
