// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// Whatever a registry does wrong, nothing of it is locked, cached or mirrored.
func TestBadRegistry(t *testing.T) {
	s := start(t)
	for fault, want := range map[registrytest.Fault]error{
		"signature-swapped": registry.ErrBadSignature, "zip-flipped": addrs.ErrMismatch, "package-404": registry.ErrUnsupportedPlatform,
	} {
		s.Clear()
		s.Inject(fault)
		if _, err := (&install.Locker{Client: s.Registry()}).Lock(t.Context(), both(s), nil); !errors.Is(err, want) || !strings.Contains(err.Error(), "acme/tool") {
			t.Errorf("%s: locked, %v", fault, err)
		}
		cache, mirror := &install.Cache{Dir: t.TempDir()}, &install.Mirror{Dir: t.TempDir()}
		if _, err := (&install.Installer{Client: s.Registry(), Cache: cache}).Install(t.Context(), t.TempDir(), both(s), nil); !errors.Is(err, want) {
			t.Errorf("%s: installed, %v", fault, err)
		}
		checkCache(t, cache.Dir, 0)
		if _, err := mirror.Add(t.Context(), s.Registry(), nil, both(s), nil); !errors.Is(err, want) {
			t.Errorf("%s: mirrored, %v", fault, err)
		}
		if left := files(t, mirror.Dir); len(left) > 0 {
			t.Errorf("%s: left are %q", fault, left)
		}
	}
}

// A package without the plugin in it is signed, and of no use.
func TestNoPlugin(t *testing.T) {
	zip := registrytest.MakeZip(registrytest.File{Name: "README", Content: "x"})
	s := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{
		{Version: "1.2.0", Platforms: platforms, Zip: func(string) []byte { return zip }},
	}}}})
	cache, mirror := &install.Cache{Dir: t.TempDir()}, &install.Mirror{Dir: t.TempDir()}
	for name, do := range map[string]func() error{
		"lock": func() error {
			_, err := (&install.Locker{Client: s.Registry()}).Lock(t.Context(), both(s)[:1], nil)
			return err
		},
		"install": func() error {
			_, err := (&install.Installer{Client: s.Registry()}).Install(t.Context(), t.TempDir(), both(s)[:1], nil)
			return err
		},
		"cache": func() error {
			_, err := (&install.Installer{Client: s.Registry(), Cache: cache}).Install(t.Context(), t.TempDir(), both(s)[:1], nil)
			return err
		},
		"mirror": func() error { _, err := mirror.Add(t.Context(), s.Registry(), nil, both(s)[:1], nil); return err },
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), "terraform-provider-null") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	checkCache(t, cache.Dir, 0)
}

// What processes that were killed left in a mirror is removed.
func TestMirror_leftovers(t *testing.T) {
	s := start(t)
	m := &install.Mirror{Dir: t.TempDir()}
	added, err := m.Add(t.Context(), s.Registry(), nil, both(s)[:1], two)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(added[0].File)
	want := len(files(t, m.Dir))
	for _, name := range []string{".index.json.new-123", filepath.Base(added[0].File) + ".fetched", "terraform-provider-null_1.0.0_linux_386.zip.fetched.new.part"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Prune(t.Context(), both(s)[:1], nil); err != nil {
		t.Fatal(err)
	}
	if left := files(t, m.Dir); len(left) != want {
		t.Errorf("left are %q", left)
	}
	for _, none := range []*install.Mirror{nil, {Dir: filepath.Join(m.Dir, "none")}} {
		if removed, err := none.Prune(t.Context(), nil, nil); err != nil || len(removed) > 0 {
			t.Errorf("removed %q, %v", removed, err)
		}
	}
	if removed, err := (*install.Cache)(nil).Prune(t.Context(), install.CacheLimit{}); err != nil || len(removed) > 0 {
		t.Errorf("removed %q, %v", removed, err)
	}
	if dir, err := (*install.Cache)(nil).Find(t.Context(), provider(s, "null"), addrs.MustParseVersion("1.0.0"), two[0], nil); err != nil || dir != "" {
		t.Errorf("got %q, %v", dir, err)
	}
	if _, ok := (install.Manifest{{Key: "a", Source: "./x"}}).Find("b", addrs.MustParseModuleSource("./x"), addrs.Constraints{}); ok {
		t.Error("a module that is not there is found")
	}
	if _, ok := (install.Manifest{{Key: "a", Source: "./y"}}).Find("a", addrs.MustParseModuleSource("./x"), addrs.Constraints{}); ok {
		t.Error("a module of another source is found")
	}
}
