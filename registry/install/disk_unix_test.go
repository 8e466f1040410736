// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package install_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

func init() { children["disk"] = diskChild }

// diskChild unpacks archives in a process that may not write more than 64 KiB into a
// file. It fails if an error is not that of the system, or if something is left.
func diskChild(args []string) error {
	signal.Ignore(syscall.SIGXFSZ)
	body := bytes.Repeat([]byte("data "), 20_000)
	zip := registrytest.MakeZip(registrytest.File{Name: "terraform-provider-null", Content: string(body), Mode: 0o755}, registrytest.File{Name: "a/b", Content: "x"})
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	limit.Cur = 64 << 10
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	dir := args[0]
	var failures []error
	check := func(what string, err error) {
		var number syscall.Errno
		if !errors.Is(err, syscall.EFBIG) || !errors.As(err, &number) || errors.Is(err, registry.ErrUnsafeArchive) {
			failures = append(failures, fmt.Errorf("%s: the error is %w", what, errors.Join(err, errors.New("not EFBIG alone"))))
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			failures = append(failures, fmt.Errorf("%s: left are %v, %w", what, left, errors.Join(err, errors.New("not empty"))))
		}
	}
	client := &registry.Client{HTTP: &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Body: io.NopCloser(bytes.NewReader(zip)), ContentLength: int64(len(zip)), Header: http.Header{}}, nil
	})}}
	ctx := context.Background()
	check("Unpack", client.Unpack(ctx, bytes.NewReader(zip), int64(len(zip)), filepath.Join(dir, "package")))
	for _, source := range []string{"https://x.example/m.zip", "https://x.example/m.zip//a"} {
		_, err := (&install.Modules{Client: client}).Get(ctx, addrs.MustParseModuleSource(source), addrs.Constraints{}, filepath.Join(dir, "module"))
		check("Modules.Get", err)
	}
	name := filepath.Join(dir, lockfile.Name)
	_, err := install.UpdateLockFile(ctx, name, addrs.OpenTofu, func(f *lockfile.File) error {
		l := lockOf(1, 1)
		for i := range 2000 {
			l.Hashes = append(l.Hashes, addrs.Hash(fmt.Sprintf("zh:%064x", i)))
		}
		return f.Set(l)
	})
	check("UpdateLockFile", err)
	return errors.Join(failures...)
}

// A disk that takes no more is an error of its own, and nothing is left behind.
func TestDisk_full(t *testing.T) {
	if err := process(t, t.Context(), "disk", t.TempDir()).Run(); err != nil {
		t.Error(err)
	}
}

// So is a directory that may not be written, and a file that became a directory.
func TestDisk_refused(t *testing.T) {
	zip := registrytest.MakeZip(registrytest.File{Name: "x", Content: "x"})
	dir := t.TempDir()
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	client := served(zip)
	if os.Geteuid() != 0 { // root may write everywhere
		for what, err := range map[string]error{
			"Unpack": client.Unpack(t.Context(), bytes.NewReader(zip), int64(len(zip)), filepath.Join(closed, "p")),
			"Get": func() error {
				_, err := (&install.Modules{Client: client}).Get(t.Context(), addrs.MustParseModuleSource("https://x.example/m.zip"), addrs.Constraints{}, filepath.Join(closed, "m"))
				return err
			}(),
			"LockFile": func() error { _, err := install.LockFile(t.Context(), filepath.Join(closed, "x.lock")); return err }(),
		} {
			if !errors.Is(err, fs.ErrPermission) || errors.Is(err, registry.ErrUnsafeArchive) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	name := filepath.Join(dir, lockfile.Name)
	if err := os.Mkdir(name, 0o755); err != nil {
		t.Fatal(err)
	}
	var e *lockfile.Error
	if _, err := install.UpdateLockFile(t.Context(), name, addrs.OpenTofu, func(f *lockfile.File) error { return f.Set(lockOf(1, 1)) }); !errors.As(err, &e) || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v", err)
	}
	if _, err := install.LockFile(t.Context(), dir); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("got %v", err)
	}
	// A pipe is neither opened nor removed.
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := install.LockFile(t.Context(), pipe); err == nil || !strings.Contains(err.Error(), "not an empty regular file") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Lstat(pipe); err != nil {
		t.Error(err)
	}
	// What an archive is made of stays its fault: a name below a file.
	twice := registrytest.MakeZip(registrytest.File{Name: "a", Content: "x"}, registrytest.File{Name: "a/b", Content: "x"})
	target := filepath.Join(dir, "m")
	if _, err := (&install.Modules{Client: served(twice)}).Get(t.Context(), addrs.MustParseModuleSource("https://x.example/m.zip"), addrs.Constraints{}, target); !errors.Is(err, registry.ErrUnsafeArchive) {
		t.Errorf("got %v", err)
	}
}

// A package without the wanted subdirectory leaves nothing, and the next call works.
func TestModules_leavesNothing(t *testing.T) {
	zip := registrytest.MakeZip(registrytest.File{Name: "sub/main.tf", Content: "x"})
	dir := t.TempDir()
	m := &install.Modules{Client: served(zip)}
	for _, source := range []string{"https://x.example/x.zip//nope", "https://x.example/x.zip?checksum=md5:00000000000000000000000000000000", "https://x.example/x.zip//../y"} {
		src, err := addrs.ParseModuleSource(source)
		if err != nil {
			continue
		}
		if _, err := m.Get(t.Context(), src, addrs.Constraints{}, filepath.Join(dir, "m")); err == nil {
			t.Errorf("%s: no error", source)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: left are %v, %v", source, left, err)
		}
	}
	if _, err := m.Get(t.Context(), addrs.MustParseModuleSource("https://x.example/x.zip//sub"), addrs.Constraints{}, filepath.Join(dir, "m")); err != nil {
		t.Error(err)
	}
}
