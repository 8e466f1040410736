// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// unpackedMirror makes a filesystem mirror with an unpacked package of acme/null.
func unpackedMirror(t *testing.T, host, version, name string) (dir, pkg string) {
	t.Helper()
	dir = t.TempDir()
	pkg = filepath.Join(dir, host, "acme", "null", version, addrs.CurrentPlatform().String())
	if err := os.MkdirAll(pkg, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(pkg, name), []byte("plugin of "+version), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, pkg
}

// An unpacked package of a filesystem mirror is linked, as by the tools, and replaces
// whatever was there.
func TestInstaller_unpacked(t *testing.T) {
	s := start(t)
	mirror, pkg := unpackedMirror(t, s.Host(), "1.2.0", "terraform-provider-null")
	selections := both(s)[:1]
	for _, cache := range []*install.Cache{nil, {Dir: t.TempDir()}} {
		dir := t.TempDir()
		target := filepath.Join(dir, filepath.FromSlash(install.ProvidersDir), s.Host(), "acme", "null", "1.2.0", addrs.CurrentPlatform().String())
		if err := os.MkdirAll(filepath.Join(target, "old"), 0o755); err != nil {
			t.Fatal(err)
		}
		in := &install.Installer{Client: s.Registry(), Source: &registry.FilesystemMirror{Dir: mirror}, Cache: cache}
		var locks lockfile.Locks
		for range 2 {
			done, err := in.Install(t.Context(), dir, selections, locks)
			if err != nil {
				t.Fatal(err)
			}
			locks = locksOf(done)
			if f, err := install.Verify(t.Context(), dir, locks, addrs.Platform{}); err != nil || len(f) > 0 {
				t.Errorf("got %v, %v", f, err)
			}
		}
		if to, err := os.Readlink(target); err == nil && to != pkg {
			t.Errorf("the link leads to %s", to)
		}
		if len(s.Requests()) > 0 {
			t.Error("the registry was asked")
		}
		// A lock of another package is obeyed.
		locks[0].Hashes = []addrs.Hash{"h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}
		if _, err := in.Install(t.Context(), t.TempDir(), selections, locks); !errors.Is(err, addrs.ErrMismatch) {
			t.Errorf("got %v", err)
		}
	}
	empty, _ := unpackedMirror(t, s.Host(), "1.2.0", "README")
	in := &install.Installer{Client: s.Registry(), Source: &registry.FilesystemMirror{Dir: empty}}
	if _, err := in.Install(t.Context(), t.TempDir(), selections, nil); err == nil || !strings.Contains(err.Error(), "no terraform-provider-null") {
		t.Errorf("got %v", err)
	}
	signed := s.Registry()
	signed.Policy.RequireSigned = true
	in = &install.Installer{Client: signed, Source: &registry.FilesystemMirror{Dir: mirror}}
	if _, err := in.Install(t.Context(), t.TempDir(), selections, nil); !errors.Is(err, registry.ErrUnsigned) {
		t.Errorf("got %v", err)
	}
	if _, err := (&install.Mirror{Dir: t.TempDir()}).Add(t.Context(), signed, &registry.FilesystemMirror{Dir: mirror}, selections, nil); !errors.Is(err, registry.ErrUnsigned) {
		t.Errorf("got %v", err)
	}
	if _, err := (&install.Mirror{Dir: t.TempDir()}).Add(t.Context(), s.Registry(), &registry.FilesystemMirror{Dir: empty}, selections, nil); err == nil || !strings.Contains(err.Error(), "no file terraform-provider-null") {
		t.Errorf("got %v", err)
	}
}

// A package that a cache has unpacked is not asked for if the lock knows its hash, and
// one that is unpacked in a mirror is hashed where it is.
func TestLocker_caches(t *testing.T) {
	s := start(t)
	mirror, _ := unpackedMirror(t, s.Host(), "1.2.0", "terraform-provider-null")
	l := &install.Locker{Client: s.Registry(), Source: &registry.FilesystemMirror{Dir: mirror}}
	found, err := l.Lock(t.Context(), both(s)[:1], nil)
	if err != nil || len(found[0].Lock.Hashes) != 1 {
		t.Fatalf("got %v, %v", found, err)
	}
	locks := lockfile.Locks{found[0].Lock}
	l = &install.Locker{Client: s.Registry(), Caches: []string{filepath.Join(t.TempDir(), "none"), mirror}}
	again, err := l.Lock(t.Context(), both(s)[:1], locks)
	if err != nil || len(s.Requests()) > 0 || !strings.Contains(again[0].Packages[0].Note, "plugin cache") {
		t.Errorf("got %+v, %v after %d requests", again, err, len(s.Requests()))
	}
	// A lock that knows another hash, or one that cannot be compared, is worth a word.
	for hash, want := range map[addrs.Hash]string{"h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=": "none of its hashes", "q9:x": "no hash to compare"} {
		locks[0].Hashes = []addrs.Hash{hash}
		got, err := l.Lock(t.Context(), both(s)[:1], locks)
		if err != nil || len(got[0].Packages[0].Warnings) == 0 || !strings.Contains(got[0].Packages[0].Warnings[0], want) {
			t.Errorf("%s: got %+v, %v", hash, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Lock(ctx, both(s), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A zip that cannot be hashed while it flows is hashed in a file.
func TestLocker_notStreamable(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: "terraform-provider-null", Method: zip.Store}
	h.SetMode(0o755)
	w, err := z.CreateHeader(h)
	if err == nil {
		_, err = w.Write([]byte("PK\x07\x08 plugin PK\x03\x04 plugin"))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	s := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{
		{Version: "1.2.0", Platforms: []string{addrs.CurrentPlatform().String()}, Zip: func(string) []byte { return b.Bytes() }},
	}}}})
	found, err := (&install.Locker{Client: s.Registry()}).Lock(t.Context(), both(s)[:1], nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := s.Package("acme", "null", "1.2.0", addrs.CurrentPlatform().String()).H1; !slices.Contains(found[0].Lock.Hashes, want) {
		t.Errorf("got %v, want %s", found[0].Lock.Hashes, want)
	}
}

// A static registry of packages that "tofu providers mirror" put there, which have no
// zh, and names that cannot be in a registry.
func TestStaticRegistry_others(t *testing.T) {
	s := start(t)
	key, err := registrytest.NewKey("static", time.Now().Add(-time.Hour), 0)
	if err != nil {
		t.Fatal(err)
	}
	failure := errors.New("the key is away")
	r := &install.StaticRegistry{Dir: t.TempDir(), KeyID: key.ID(), Key: registrytest.Armored(key), Sign: func([]byte) ([]byte, error) { return nil, failure }}
	if _, err := r.Packages().Add(t.Context(), s.Registry(), nil, both(s)[:1], two); err != nil {
		t.Fatal(err)
	}
	if err := r.Write(t.Context()); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	at := filepath.Join(r.Packages().Dir, s.Host(), "acme", "null", "1.2.0.json")
	src, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.Split(string(src), "\n"), func(l string) bool { return strings.Contains(l, "zh:") })
	text := strings.ReplaceAll(strings.Join(lines, "\n"), "=\",\n      ]", "=\"\n      ]")
	text = strings.ReplaceAll(text, "\",\n        ]", "\"\n        ]")
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r.Sign = func(document []byte) ([]byte, error) {
		if !strings.Contains(string(document), s.Package("acme", "null", "1.2.0", "linux_amd64").SHA256) {
			t.Errorf("the document is %q", document)
		}
		return []byte("signature"), nil
	}
	if err := r.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	mod := registry.Module{Namespace: "acme", Name: "net", System: "test"}
	for v, fsys := range map[string]fstest.MapFS{"": {}, "1.0.0": {"x": {Mode: os.ModeNamedPipe}}} {
		version, _ := addrs.ParseVersion(v)
		if err := r.AddModule(t.Context(), mod, version, fsys); err == nil {
			t.Errorf("version %q: no error", v)
		}
	}
	if err := os.MkdirAll(filepath.Join(r.Dir, "archives", "acme", "net", "test"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"notes.txt", "x.zip"} {
		if err := os.WriteFile(filepath.Join(r.Dir, "archives", "acme", "net", "test", name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(r.Dir, "v1", "modules", "acme", "net", "test", "versions")); err != nil || !strings.Contains(string(b), `"versions": []`) {
		t.Errorf("got %s, %v", b, err)
	}
}

// What a file is in the way of is an error with its name.
func TestFileInPlaceOfDirectory(t *testing.T) {
	s := start(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(file, "below")
	client := s.Registry()
	pkg, err := client.Package(t.Context(), provider(s, "null"), addrs.MustParseVersion("1.2.0"), addrs.CurrentPlatform())
	if err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func() error{
		"cache":    func() error { _, _, err := (&install.Cache{Dir: below}).Get(t.Context(), client, pkg, nil); return err },
		"no cache": func() error { _, _, err := (*install.Cache)(nil).Get(t.Context(), client, pkg, nil); return err },
		"mirror": func() error {
			_, err := (&install.Mirror{Dir: below}).Add(t.Context(), client, nil, both(s), nil)
			return err
		},
		"no mirror": func() error { _, err := (&install.Mirror{}).Add(t.Context(), client, nil, both(s), nil); return err },
		"no client": func() error {
			_, err := (&install.Mirror{Dir: below}).Add(t.Context(), nil, nil, both(s), nil)
			return err
		},
		"verify": func() error {
			_, err := (&install.Mirror{Dir: below}).Verify(t.Context(), registry.Policy{})
			return err
		},
		"module": func() error {
			_, err := (&install.Installer{Client: client}).Install(t.Context(), below, both(s), nil)
			return err
		},
		"known": func() error {
			return (&install.Known{Dir: below}).Add(provider(s, "null"), addrs.MustParseVersion("1.0.0"), map[addrs.Platform][]addrs.Hash{two[0]: {"h1:x"}})
		},
		"manifest": func() error { return install.Manifest{}.Write(below) },
		"lock file": func() error {
			_, err := install.UpdateLockFile(t.Context(), filepath.Join(below, "x"), addrs.OpenTofu, func(*lockfile.File) error { return nil })
			return err
		},
		"lock":        func() error { _, err := install.LockFile(t.Context(), file+string(filepath.Separator)+"x"); return err },
		"a directory": func() error { _, err := install.LockFile(t.Context(), t.TempDir()); return err },
		"no source":   func() error { _, err := install.Matching(t.Context(), nil, nil, 0); return err },
		"registry": func() error {
			return (&install.StaticRegistry{Dir: below}).AddModule(t.Context(), registry.Module{Namespace: "a", Name: "b", System: "c"}, addrs.MustParseVersion("1.0.0"), fstest.MapFS{})
		},
		"no registry": func() error {
			return (*install.StaticRegistry)(nil).AddModule(t.Context(), registry.Module{}, addrs.Version{}, nil)
		},
	} {
		if err := do(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A call that gives up returns an error, and an incomplete proof does not count.
func TestCalls_cancelled(t *testing.T) {
	s := start(t)
	client := s.Registry()
	m := &install.Mirror{Dir: t.TempDir()}
	added, err := m.Add(t.Context(), client, nil, both(s)[:1], two[:1])
	if err != nil {
		t.Fatal(err)
	}
	cache := &install.Cache{Dir: t.TempDir()}
	pkg, err := client.Package(t.Context(), provider(s, "null"), addrs.MustParseVersion("1.2.0"), addrs.CurrentPlatform())
	if err != nil {
		t.Fatal(err)
	}
	_, result, err := cache.Get(t.Context(), client, pkg, nil)
	if err != nil {
		t.Fatal(err)
	}
	mirror, _ := unpackedMirror(t, s.Host(), "1.2.0", "terraform-provider-null")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, do := range map[string]func() error{
		"add":    func() error { _, err := m.Add(ctx, client, nil, both(s), two); return err },
		"verify": func() error { _, err := m.Verify(ctx, registry.Policy{}); return err },
		"prune":  func() error { _, err := m.Prune(ctx, nil, nil); return err },
		"get":    func() error { _, _, err := cache.Get(ctx, client, pkg, nil); return err },
		"a layer": func() error {
			_, _, err := (&install.Cache{Dir: t.TempDir(), Layers: []string{cache.Dir}}).Get(ctx, client, pkg, nil)
			return err
		},
		"find": func() error {
			_, err := cache.Find(ctx, pkg.Provider, pkg.Version, pkg.Platform, result.Computed)
			return err
		},
		"clean": func() error { _, err := cache.Prune(ctx, install.CacheLimit{Bytes: 1}); return err },
		"unpacked": func() error {
			_, err := (&install.Mirror{Dir: t.TempDir()}).Add(ctx, client, &registry.FilesystemMirror{Dir: mirror}, both(s)[:1], nil)
			return err
		},
		"modules": func() error {
			_, err := (&install.Modules{Client: client}).Get(ctx, addrs.MustParseModuleSource("https://x.example/m.zip"), addrs.Constraints{}, filepath.Join(t.TempDir(), "m"))
			return err
		},
	} {
		if err := do(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := os.Remove(filepath.Join(filepath.Dir(added[0].File), "terraform-provider-null_1.2.0_SHA256SUMS.sig")); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Verify(t.Context(), registry.Policy{RequireSigned: true}); !errors.Is(err, registry.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(added[0].File, []byte("no zip"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Verify(t.Context(), registry.Policy{}); err == nil {
		t.Error("a file that is not a zip is verified")
	}
	if _, err := install.Verify(t.Context(), t.TempDir(), nil, addrs.Platform{}); err != nil {
		t.Error(err)
	}
}
