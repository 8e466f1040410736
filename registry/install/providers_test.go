// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// both selects both providers of the registry.
func both(s *registrytest.Server) []install.Selection {
	return []install.Selection{
		{Provider: provider(s, "null"), Version: addrs.MustParseVersion("1.2.0")},
		{Provider: provider(s, "tool"), Version: addrs.MustParseVersion("0.3.1")},
	}
}

func locksOf(done []install.InstalledProvider) lockfile.Locks {
	var out lockfile.Locks
	for _, p := range done {
		out = append(out, p.Lock)
	}
	return out
}

// What is installed is what the lock records, with a cache and without one, and is
// not asked for again.
func TestInstaller(t *testing.T) {
	s := start(t)
	for _, cache := range []*install.Cache{nil, {Dir: filepath.Join(t.TempDir(), "cache")}} {
		dir := t.TempDir()
		in := &install.Installer{Client: s.Registry(), Cache: cache}
		done, err := in.Install(t.Context(), dir, both(s), nil)
		if err != nil {
			t.Fatal(err)
		}
		locks := locksOf(done)
		exe, err := registry.FindExecutable(filepath.Join(dir, install.ProvidersDir, s.Host(), "acme", "null", "1.2.0", addrs.CurrentPlatform().String()), "null")
		if err != nil || exe == "" {
			t.Error(err)
		}
		if f, err := install.Verify(t.Context(), dir, locks, addrs.Platform{}); err != nil || len(f) > 0 {
			t.Errorf("got %v, %v", f, err)
		}
		for _, target := range []string{dir, t.TempDir()} {
			s.Clear()
			in = &install.Installer{Client: s.Registry(), Cache: cache}
			again, err := in.Install(t.Context(), target, both(s), locks)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(s.Requests()); n > 0 && (cache != nil || target == dir) {
				t.Errorf("%d requests for packages that are there", n)
			}
			if f, err := install.Verify(t.Context(), target, locksOf(again), addrs.Platform{}); err != nil || len(f) > 0 {
				t.Errorf("got %v, %v", f, err)
			}
		}
		// A lock that has other hashes is obeyed, and nothing changes.
		wrong := locks.Clone()
		for i := range wrong {
			wrong[i].Hashes = []addrs.Hash{"h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}
		}
		target := t.TempDir()
		if _, err := in.Install(t.Context(), target, both(s), wrong); !errors.Is(err, addrs.ErrMismatch) || !strings.Contains(err.Error(), "acme/tool 0.3.1") {
			t.Errorf("got %v", err)
		}
		if f, err := install.Verify(t.Context(), target, locks, addrs.Platform{}); err != nil || len(f) != 2 || f[0].Problem != install.Missing {
			t.Errorf("got %v, %v", f, err)
		}
	}
}

// As in the tools, the lock of an installed package has no more hashes of unknown
// schemes, and a package that stays keeps them.
func TestInstaller_unknownSchemes(t *testing.T) {
	s := start(t)
	dir := t.TempDir()
	in := &install.Installer{Client: s.Registry()}
	selected := both(s)[:1]
	prior := lockfile.Locks{{Provider: selected[0].Provider, Version: selected[0].Version, Hashes: []addrs.Hash{"q9:x"}}}
	done, err := in.Install(t.Context(), dir, selected, prior)
	if err != nil || len(done[0].Lock.Hashes) < 2 || slices.Contains(done[0].Lock.Hashes, "q9:x") {
		t.Fatalf("got %v, %v", done, err)
	}
	prior = locksOf(done)
	prior[0].Hashes = append(prior[0].Hashes, "q9:x")
	if done, err = in.Install(t.Context(), dir, selected, prior); err != nil || !slices.Contains(done[0].Lock.Hashes, "q9:x") {
		t.Errorf("got %v, %v", done, err)
	}
}

// The data directory may be elsewhere, behind a link, which stays whatever happens.
func TestInstaller_linkedData(t *testing.T) {
	s := start(t)
	data := t.TempDir()
	for _, where := range []string{".terraform", ".terraform/providers"} {
		dir := t.TempDir()
		at := filepath.Join(dir, filepath.FromSlash(where))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(data, filepath.Base(where)), at); err != nil {
			t.Skip("needs a system with symbolic links:", err)
		}
		if err := os.Mkdir(filepath.Join(data, filepath.Base(where)), 0o755); err != nil {
			t.Fatal(err)
		}
		in := &install.Installer{Client: s.Registry()}
		gone := []install.Selection{{Provider: provider(s, "null"), Version: addrs.MustParseVersion("9.9.9")}}
		if _, err := in.Install(t.Context(), dir, gone, nil); err == nil {
			t.Error("no error")
		}
		if info, err := os.Lstat(at); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Fatalf("%s: the link is gone after a failure: %v", where, err)
		}
		done, err := in.Install(t.Context(), dir, both(s), nil)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(at); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: the link is gone: %v", where, err)
		}
		if f, err := install.Verify(t.Context(), dir, locksOf(done), addrs.Platform{}); err != nil || len(f) > 0 {
			t.Errorf("%s: got %v, %v", where, f, err)
		}
	}
}

// However many install into one cache at once, each package is downloaded once.
func TestCache_shared(t *testing.T) {
	s := start(t)
	cache := filepath.Join(t.TempDir(), "cache")
	var wg sync.WaitGroup
	for range 8 {
		dir := t.TempDir()
		wg.Go(func() {
			// Each has a client and a cache of its own, as a process has.
			in := &install.Installer{Client: s.Registry(), Cache: &install.Cache{Dir: cache}}
			done, err := in.Install(t.Context(), dir, both(s), nil)
			if err != nil {
				t.Error(err)
				return
			}
			if done[0].Result == nil || done[0].Result.Proof != registry.Signed {
				t.Errorf("got %+v", done[0])
			}
		})
	}
	wg.Wait()
	if n := s.Count(registrytest.KindZip); n != 2 {
		t.Errorf("%d downloads of 2 packages", n)
	}
	// Nothing is left but packages, locks and hashes.
	filepath.WalkDir(cache, func(name string, d os.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), ".") || strings.HasSuffix(name, ".part") || strings.HasSuffix(name, ".zip") {
			t.Errorf("left over: %s", name)
		}
		return err
	})
}

// What somebody changed in the cache is not used, and what a killed process left
// is cleaned up.
func TestCache_damaged(t *testing.T) {
	s := start(t)
	cache := &install.Cache{Dir: t.TempDir()}
	c := s.Registry()
	pkg, err := c.Package(t.Context(), provider(s, "null"), addrs.MustParseVersion("1.2.0"), addrs.CurrentPlatform())
	if err != nil {
		t.Fatal(err)
	}
	dir, _, err := cache.Get(t.Context(), c, pkg, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+".fresh")
	if err := os.Mkdir(left, 0o755); err != nil {
		t.Fatal(err)
	}
	s.Clear()
	again, _, err := cache.Get(t.Context(), c, pkg, nil)
	if err != nil || again != dir || s.Count(registrytest.KindZip) != 1 {
		t.Errorf("got %s, %v after %d downloads", again, err, s.Count(registrytest.KindZip))
	}
	if b, err := os.ReadFile(filepath.Join(dir, "LICENSE")); err != nil || string(b) == "changed" {
		t.Errorf("got %q, %v", b, err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("the leftover is still there")
	}
	// A layer that has the package supplies it, and is not written.
	s.Clear()
	other := &install.Cache{Dir: t.TempDir(), Layers: []string{cache.Dir}}
	if got, _, err := other.Get(t.Context(), c, pkg, nil); err != nil || got != dir || s.Count(registrytest.KindZip) > 0 {
		t.Errorf("got %s, %v", got, err)
	}
	// A right package without its proof, such as one that a tool put there, stays in its
	// place: it may be in use.
	before, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir + ".json"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, r, err := cache.Get(t.Context(), c, pkg, nil); err != nil || r.Proof != registry.Signed {
			t.Errorf("got %v, %v", r, err)
		}
	}
	if after, err := os.Stat(dir); err != nil || !os.SameFile(before, after) || s.Count(registrytest.KindZip) != 1 {
		t.Errorf("the package was replaced: %v, %d downloads", err, s.Count(registrytest.KindZip))
	}
	// A package that is bad leaves the old one.
	s.Inject("zip-flipped")
	if err := os.Remove(dir + ".json"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := cache.Get(t.Context(), c, pkg, nil); !errors.Is(err, addrs.ErrMismatch) {
		t.Errorf("got %v", err)
	}
	if _, err := registry.FindExecutable(dir, "null"); err != nil {
		t.Error(err)
	}
}

// Verify reports differences from the locks.
func TestVerify(t *testing.T) {
	s := start(t)
	dir := filepath.Join(t.TempDir(), "[a]") // would be a pattern
	in := &install.Installer{Client: s.Registry()}
	done, err := in.Install(t.Context(), dir, both(s), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(done[0].Dir, "LICENSE"), []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	locks := locksOf(done)
	onlyZH := locks[:1].Clone()
	onlyZH[0].Hashes = []addrs.Hash{s.Package("acme", "null", "1.2.0", "linux_amd64").Hash()}
	for _, tt := range []struct {
		locks lockfile.Locks
		want  []install.Problem
	}{
		{locks, []install.Problem{install.Changed}},
		{locks[1:], []install.Problem{install.NotLocked}},
		{onlyZH, []install.Problem{install.Unverifiable, install.NotLocked}},
		{append(locks[1:].Clone(), lockfile.Lock{Provider: provider(s, "other"), Version: addrs.MustParseVersion("1.0.0")}), []install.Problem{install.Missing, install.NotLocked}},
	} {
		got, err := install.Verify(t.Context(), dir, tt.locks, addrs.Platform{})
		if err != nil {
			t.Fatal(err)
		}
		same := len(got) == len(tt.want)
		for i := range got {
			same = same && got[i].Problem == tt.want[i] && strings.Contains(got[i].String(), "acme")
		}
		if !same {
			t.Errorf("got %v, want %v", got, tt.want)
		}
	}
}

// One at a time has the lock; a waiter may give up.
func TestLockFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "deep", "lock")
	var n, most int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			release, err := install.LockFile(t.Context(), name)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			n++
			most = max(most, n)
			mu.Unlock()
			time.Sleep(time.Millisecond)
			mu.Lock()
			n--
			mu.Unlock()
			release()
			release() // again does nothing
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("%d at a time", most)
	}
	release, err := install.LockFile(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := install.LockFile(ctx, name); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	release()
	if release, err = install.LockFile(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	release()
}
