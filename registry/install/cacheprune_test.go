// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry/install"
)

// The packages that were not used for the longest time go first, and what killed
// processes left goes with them.
func TestCache_Prune(t *testing.T) {
	s, _ := startMany(t, 4, 10)
	fill := func(t *testing.T) (*install.Cache, []string) {
		t.Helper()
		c := &install.Cache{Dir: t.TempDir()}
		client := s.Registry()
		var dirs []string
		for i, sel := range many(s.Host(), 4) {
			pkg, err := client.Package(t.Context(), sel.Provider, sel.Version, addrs.CurrentPlatform())
			if err != nil {
				t.Fatal(err)
			}
			dir, _, err := c.Get(t.Context(), client, pkg, nil)
			if err != nil {
				t.Fatal(err)
			}
			at := time.Now().Add(-time.Duration(i) * time.Hour)
			if err := os.Chtimes(dir+".json", at, at); err != nil {
				t.Fatal(err)
			}
			dirs = append(dirs, dir)
		}
		return c, dirs
	}
	for name, tt := range map[string]struct {
		limit install.CacheLimit
		left  int
	}{
		"no limit":   {install.CacheLimit{}, 4},
		"by age":     {install.CacheLimit{Unused: 90 * time.Minute}, 2},
		"by number":  {install.CacheLimit{Packages: 3}, 3},
		"by size":    {install.CacheLimit{Bytes: 25 << 10}, 2},
		"everything": {install.CacheLimit{Bytes: 1}, 0},
	} {
		c, dirs := fill(t)
		platform := filepath.Base(dirs[0])
		left := filepath.Join(filepath.Dir(dirs[0]), "."+platform+".fresh")
		part := dirs[1] + ".zip.new.part"
		old := time.Now().Add(-48 * time.Hour)
		if err := os.Mkdir(left, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(part, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(part, old, old); err != nil {
			t.Fatal(err)
		}
		removed, err := c.Prune(t.Context(), tt.limit)
		slices.Sort(removed)
		want := slices.Sorted(slices.Values(dirs[tt.left:]))
		if err != nil || !slices.Equal(removed, want) {
			t.Errorf("%s: removed %q, %v", name, removed, err)
		}
		checkCache(t, c.Dir, tt.left)
		for _, gone := range []string{left, part} {
			if _, err := os.Stat(gone); err == nil {
				t.Errorf("%s: %s is still there", name, gone)
			}
		}
	}
	// What is used is not old any more.
	c, dirs := fill(t)
	sum := s.Package("acme", "p3", "1.0.0", addrs.CurrentPlatform().String()).H1
	if got, err := c.Find(t.Context(), many(s.Host(), 4)[3].Provider, addrs.MustParseVersion("1.0.0"), addrs.CurrentPlatform(), []addrs.Hash{sum}); err != nil || got != dirs[3] {
		t.Fatalf("got %s, %v", got, err)
	}
	if removed, err := c.Prune(t.Context(), install.CacheLimit{Packages: 2}); err != nil || slices.Contains(removed, dirs[3]) || len(removed) != 2 {
		t.Errorf("removed %q, %v", removed, err)
	}
	if removed, err := (&install.Cache{Dir: filepath.Join(t.TempDir(), "none")}).Prune(t.Context(), install.CacheLimit{Packages: 1}); err != nil || len(removed) > 0 {
		t.Errorf("removed %q, %v", removed, err)
	}
}
