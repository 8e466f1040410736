// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package statefile_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// A file of a lock that nobody holds was left by a process that was killed.
func TestSave_StaleLock(t *testing.T) {
	for _, left := range []string{`{"ID":"1","Operation":"OperationTypeApply","Who":"ci@runner-7","Created":"2026-01-01T00:00:00Z"}`, "?", ""} {
		dir := t.TempDir()
		name := filepath.Join(dir, "terraform.tfstate")
		must(os.WriteFile(name, []byte(text), 0o600))
		must(os.WriteFile(filepath.Join(dir, ".terraform.tfstate.lock.info"), []byte(left), 0o600))
		written, err := statefile.Save(context.Background(), name, tainted(t), "taint")
		if err != nil || !written {
			t.Errorf("%q: %v, %v", left, written, err)
		}
		if _, there := files(t, dir)[".terraform.tfstate.lock.info"]; there {
			t.Errorf("%q: the file stays", left)
		}
	}
}

// TestSave_HeldLock starts this test anew as the process that holds the lock.
func TestSave_HeldLock(t *testing.T) {
	if name := os.Getenv("HOLD_LOCK_OF"); name != "" {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err == nil {
			err = syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart})
		}
		fmt.Println("held", err)
		io.Copy(io.Discard, os.Stdin)
		return
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "terraform.tfstate")
	must(os.WriteFile(name, []byte(text), 0o600))
	must(os.WriteFile(filepath.Join(dir, ".terraform.tfstate.lock.info"), []byte(`{"ID":"1","Operation":"OperationTypeApply","Who":"somebody","Created":"2026-01-01T00:00:00Z"}`), 0o600))
	holder := exec.Command(os.Args[0], "-test.run=^TestSave_HeldLock$")
	holder.Env = append(os.Environ(), "HOLD_LOCK_OF="+name)
	in, err := holder.StdinPipe()
	must(err)
	out, err := holder.StdoutPipe()
	must(err)
	must(holder.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "held <nil>\n" {
		t.Fatal(line, err)
	}
	before := files(t, dir)
	written, err := statefile.Save(context.Background(), name, tainted(t), "taint")
	if written || !errors.Is(err, statefile.ErrLocked) || !strings.Contains(err.Error(), "somebody") {
		t.Errorf("%v, %v", written, err)
	}
	if after := files(t, dir); len(after) != len(before) || after["terraform.tfstate"] != text {
		t.Errorf("there is %v", after)
	}
	must(os.Remove(filepath.Join(dir, ".terraform.tfstate.lock.info")))
	if _, err := statefile.Save(context.Background(), name, tainted(t), "taint"); !errors.Is(err, statefile.ErrLocked) || strings.Contains(err.Error(), "lock.info") {
		t.Errorf("the error names a file that is not there: %v", err)
	}
	must(in.Close())
	must(holder.Wait())
	if written, err := statefile.Save(context.Background(), name, tainted(t), "taint"); !written || err != nil {
		t.Errorf("after that: %v, %v", written, err)
	}
}
