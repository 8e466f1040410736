// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
)

// paths returns several paths of one lock file that does not exist yet: through a
// directory that is a link, through dots, and relative ones.
func paths(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("real", filepath.Join(dir, "link")), os.Symlink(dir, filepath.Join(dir, "real", "up"))); err != nil {
		t.Skip("needs a system with symbolic links:", err)
	}
	t.Chdir(dir)
	return []string{
		filepath.Join(dir, "real", lockfile.Name), filepath.Join(dir, "link", lockfile.Name), filepath.Join("real", "..", "link", lockfile.Name),
		filepath.Join("link", lockfile.Name), filepath.Join("real", "up", "link", lockfile.Name),
	}
}

// Goroutines and processes that name one file by several paths lose no update of each
// other.
func TestUpdateLockFile_paths(t *testing.T) {
	names := paths(t)
	count := depth.Of(10, 30, 80)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for number, name := range names {
		wg.Go(func() {
			if err := updateChild([]string{name, fmt.Sprint(number), fmt.Sprint(count)}); err != nil {
				t.Error(err)
			}
		})
	}
	for number, name := range names[:2] {
		wg.Go(func() {
			if err := process(t, ctx, "update", name, fmt.Sprint(len(names)+number), fmt.Sprint(count)).Run(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	f, err := lockfile.Load(names[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(f.Locks()), (len(names)+2)*count; got != want {
		t.Errorf("%d of %d updates are lost", want-got, want)
	}
	if left, err := os.ReadDir("real"); err != nil || len(left) != 2 { // and the link "up"
		t.Errorf("left are %v, %v", left, err)
	}
}

// One lock has many paths, and it is held by one caller, while locks of other files in
// the same directory are free.
func TestLockFile_paths(t *testing.T) {
	names := paths(t)
	for i := range names {
		names[i] += ".lock"
	}
	release, err := install.LockFile(t.Context(), names[0])
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	for _, name := range names {
		if _, err := install.LockFile(short, name); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s is locked twice: %v", name, err)
		}
	}
	other, err := install.LockFile(t.Context(), filepath.Join("link", "other"))
	if err != nil {
		t.Fatal(err)
	}
	other()
	release()
	for _, name := range names {
		release, err := install.LockFile(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		release()
	}
}

// LockFile removes only empty files: neither a dependency lock file nor any other file
// with content, whether it was there before or came while the lock was held.
func TestLockFile_content(t *testing.T) {
	dir := t.TempDir()
	const text = "# not empty\n"
	for _, name := range []string{lockfile.Name, strings.ToUpper(lockfile.Name), "other", "data.lock"} {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := install.LockFile(t.Context(), name)
		var e *fs.PathError
		if !errors.As(err, &e) || e.Path != name || !strings.Contains(err.Error(), "use UpdateLockFile") {
			t.Errorf("%s: got %v", name, err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%s: now %q, %v", name, got, err)
		}
	}
	// The name alone is enough: a caller that holds the lock would write the file.
	below := filepath.Join(dir, "below", lockfile.Name)
	if _, err := install.LockFile(t.Context(), below); err == nil {
		t.Error("a dependency lock file that does not exist is locked")
	}
	if _, err := os.Lstat(filepath.Dir(below)); err == nil {
		t.Error("a directory was made for it")
	}
	// A process that was killed left an empty file.
	left := filepath.Join(dir, "left.lock")
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	release, err := install.LockFile(t.Context(), left)
	if err != nil {
		t.Fatal(err)
	}
	release()
	if _, err := os.Lstat(left); err == nil {
		t.Error("the empty file is still there")
	}
	if runtime.GOOS == "windows" {
		return // where no other program can write the file that is locked
	}
	for what, write := range map[string]func(name string) error{
		"written": func(name string) error { return os.WriteFile(name, []byte(text), 0o600) },
		"replaced": func(name string) error {
			return errors.Join(os.WriteFile(name+".new", []byte(text), 0o600), os.Rename(name+".new", name))
		},
	} {
		name := filepath.Join(dir, what)
		release, err := install.LockFile(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if err := write(name); err != nil {
			t.Fatal(err)
		}
		release()
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%s: now %q, %v", what, got, err)
		}
	}
}

// A link is never followed to make a file, neither that of the lock nor the lock file.
func TestLockFile_links(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	for _, target := range []string{victim, filepath.Join(dir, "there")} {
		link := filepath.Join(dir, lockfile.Name+".lock")
		if err := os.WriteFile(filepath.Join(dir, "there"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, link); err != nil {
			t.Skip("needs a system with symbolic links:", err)
		}
		_, err := install.LockFile(t.Context(), link)
		var e *fs.PathError
		if !errors.Is(err, lockfile.ErrSymlink) || !errors.As(err, &e) || e.Path != link {
			t.Errorf("got %v", err)
		}
		_, err = install.UpdateLockFile(t.Context(), filepath.Join(dir, lockfile.Name), addrs.OpenTofu, func(f *lockfile.File) error { return f.Set(lockOf(1, 1)) })
		if !errors.Is(err, lockfile.ErrSymlink) {
			t.Errorf("got %v", err)
		}
		if err := os.Remove(link); err != nil {
			t.Error("the link is gone:", err)
		}
	}
	link := filepath.Join(dir, lockfile.Name)
	if err := os.Symlink(victim, link); err != nil {
		t.Fatal(err)
	}
	_, err := install.UpdateLockFile(t.Context(), link, addrs.OpenTofu, func(f *lockfile.File) error { return f.Set(lockOf(1, 1)) })
	if !errors.Is(err, lockfile.ErrSymlink) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Lstat(victim); err == nil {
		t.Error("a file was made where a link leads")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v", left, err)
	}
}
