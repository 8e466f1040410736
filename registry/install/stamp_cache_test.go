// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// With stamps everything is as without them: what somebody changed, keeping its size and
// time, is found and replaced, and nothing is asked for that is there.
func TestInstaller_stamps(t *testing.T) {
	s := start(t)
	base := t.TempDir()
	cache := &install.Cache{Dir: filepath.Join(base, "cache"), Stamps: filepath.Join(base, "stamps")}
	in := &install.Installer{Client: s.Registry(), Cache: cache}
	done, err := in.Install(t.Context(), filepath.Join(base, "0"), both(s), nil)
	if err != nil {
		t.Fatal(err)
	}
	locks := locksOf(done)
	s.Clear()
	for _, dir := range []string{"1", "2", "1", "0"} {
		if _, err := in.Install(t.Context(), filepath.Join(base, dir), both(s), locks); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
	switch names, err := os.ReadDir(cache.Stamps); {
	case runtime.GOOS == "linux" && (err != nil || len(names) != 2):
		t.Logf("%d stamps, %v: the file system has none", len(names), err)
	case err == nil:
		if info, err := os.Stat(cache.Stamps); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("got %v, %v", info.Mode(), err)
		}
	}
	for _, found := range []bool{true, false} { // by Find and by Get
		for _, p := range done {
			entries, err := os.ReadDir(p.Dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				name := filepath.Join(p.Dir, e.Name())
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				info, err := os.Stat(name)
				if err != nil {
					t.Fatal(err)
				}
				text[0] ^= 1
				if err := errors.Join(os.WriteFile(name, text, 0o644), os.Chtimes(name, info.ModTime(), info.ModTime())); err != nil {
					t.Fatal(err)
				}
			}
		}
		if f, err := install.Verify(t.Context(), filepath.Join(base, "0"), locks, addrs.Platform{}); err != nil || len(f) != 2 {
			t.Errorf("got %v, %v", f, err)
		}
		s.Clear()
		prior := locks
		if !found {
			prior = nil
		}
		if _, err := in.Install(t.Context(), filepath.Join(base, "0"), both(s), prior); err != nil {
			t.Fatal(err)
		}
		if n := s.Count(registrytest.KindZip); n != 2 {
			t.Errorf("%d downloads of 2 changed packages", n)
		}
		if f, err := install.Verify(t.Context(), filepath.Join(base, "0"), locks, addrs.Platform{}); err != nil || len(f) != 0 {
			t.Errorf("got %v, %v", f, err)
		}
	}
	if _, err := cache.Prune(t.Context(), install.CacheLimit{Bytes: 1}); err != nil {
		t.Fatal(err)
	}
	if names, _ := os.ReadDir(cache.Stamps); len(names) != 0 {
		t.Errorf("%d stamps of no package", len(names))
	}
}

// Another user who can write the cache cannot make files pass as those of a signed zip.
func TestCache_claim(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a system whose files have owners")
	}
	s := start(t)
	cache := &install.Cache{Dir: t.TempDir()}
	client := s.Registry()
	sel := both(s)[0]
	pkg, err := client.Package(t.Context(), sel.Provider, sel.Version, addrs.CurrentPlatform())
	if err != nil {
		t.Fatal(err)
	}
	dir, r, err := cache.Get(t.Context(), client, pkg, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Clear()
	if _, _, err := cache.Get(t.Context(), client, pkg, r.Computed); err != nil || s.Count(registrytest.KindZip) != 0 {
		t.Fatalf("%v, %d downloads", err, s.Count(registrytest.KindZip))
	}
	if err := os.Chmod(dir+".json", 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := cache.Get(t.Context(), client, pkg, r.Computed); err != nil || s.Count(registrytest.KindZip) != 1 {
		t.Errorf("%v, %d downloads", err, s.Count(registrytest.KindZip))
	}
}
