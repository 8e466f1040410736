// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
)

// child is the work of a process that a test starts: it is this program, see TestMain.
const child = "TOFUWIRE_INSTALL_CHILD"

func TestMain(m *testing.M) {
	if work := os.Getenv(child); work != "" {
		if err := children[work](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var children = map[string]func(args []string) error{"update": updateChild, "install": installChild}

// process returns a command that does the work of a child.
func process(t *testing.T, ctx context.Context, work string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Skip("needs the file of this program, to start it again:", err)
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(os.Environ(), child+"="+work)
	cmd.Stderr = os.Stderr
	return cmd
}

// lockOf is the lock number i of a process.
func lockOf(process, i int) lockfile.Lock {
	p, err := addrs.NewProvider("registry.example.org", fmt.Sprintf("process%d", process), fmt.Sprintf("lock%d", i))
	if err != nil {
		panic(err)
	}
	return lockfile.Lock{Provider: p, Version: addrs.MustParseVersion("1.0.0")}
}

// updateChild adds locks to a lock file, from one number to another: a process that
// was killed goes on where it was.
func updateChild(args []string) error {
	number, _ := strconv.Atoi(args[1])
	count, _ := strconv.Atoi(args[2])
	for i := range count {
		_, err := install.UpdateLockFile(context.Background(), args[0], addrs.OpenTofu, func(f *lockfile.File) error {
			return f.Set(lockOf(number, i))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Processes that add locks to one file at the same time, and are killed again and
// again, lose nothing that was saved and leave nothing behind.
func TestUpdateLockFile_processes(t *testing.T) {
	count, kills := 12, 4
	if depth.Of(false, false, true) {
		count, kills = 200, 25
	}
	name := filepath.Join(t.TempDir(), lockfile.Name)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for number := range 3 {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(number), 1))
			for n := 0; ; n++ {
				cmd := process(t, ctx, "update", name, strconv.Itoa(number), strconv.Itoa(count))
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				if n < kills {
					time.Sleep(time.Duration(rnd.IntN(60)) * time.Millisecond)
					cmd.Process.Kill()
				}
				if err := cmd.Wait(); n >= kills {
					if err != nil {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	wg.Wait()
	f, err := lockfile.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	locks := f.Locks()
	for number := range 3 {
		for i := range count {
			if _, ok := locks.Get(lockOf(number, i).Provider); !ok {
				t.Errorf("lock %d of process %d is lost", i, number)
			}
		}
	}
	left, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(left) != 1 || len(locks) != 3*count {
		t.Errorf("%d of %d locks; left are %v, %v", len(locks), 3*count, left, err)
	}
}

// What fails writes nothing, a file that gets no lock is not made, and a link is
// followed.
func TestUpdateLockFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, lockfile.Name)
	update := func(edit func(*lockfile.File) error) (lockfile.Changes, error) {
		return install.UpdateLockFile(t.Context(), name, addrs.Terraform, edit)
	}
	failure := errors.New("no")
	if _, err := update(func(f *lockfile.File) error { return errors.Join(f.Set(lockOf(1, 1)), failure) }); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	if c, err := update(func(*lockfile.File) error { return nil }); err != nil || len(c) > 0 {
		t.Errorf("got %v, %v", c, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	// What a process left that is no more goes; that of a running one stays.
	staged := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)) // as package replacefile calls it
	dead, alive := staged+".2147483646-0.tmp", fmt.Sprintf("%s.%d-0.tmp", staged, os.Getpid())
	for _, n := range []string{dead, alive} {
		if err := os.WriteFile(n, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := update(func(f *lockfile.File) error { return f.Set(lockOf(1, 1)) })
	if err != nil || len(c) != 1 {
		t.Errorf("got %v, %v", c, err)
	}
	if _, err := os.Stat(dead); err == nil {
		t.Error("what a dead process left is still there")
	}
	if _, err := os.Stat(alive); err != nil {
		t.Error("what a running process is at work on is gone")
	}
	f, err := lockfile.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if tool := f.Tool(); tool != addrs.Terraform {
		t.Errorf("the file is of %v", tool)
	}
	link := filepath.Join(t.TempDir(), lockfile.Name)
	if err := os.Symlink(name, link); err != nil {
		t.Skip("needs a system with symbolic links:", err)
	}
	if _, err := install.UpdateLockFile(t.Context(), link, addrs.OpenTofu, func(f *lockfile.File) error { return f.Set(lockOf(1, 2)) }); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is replaced, %v", err)
	}
	if f, err = lockfile.Load(name); err != nil || len(f.Locks()) != 2 {
		t.Errorf("got %v, %v", f.Locks(), err)
	}
	if err := os.WriteFile(name, []byte("provider {"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := update(func(*lockfile.File) error { return nil }); err == nil {
		t.Error("a broken file is no error")
	}
}
