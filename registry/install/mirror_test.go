// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

var two = []addrs.Platform{addrs.MustParsePlatform("darwin_arm64"), addrs.MustParsePlatform("linux_amd64")}

// files returns the names of all files below a directory.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, name)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A mirror has what it was asked for, for both kinds of clients, asks for nothing
// twice, and is pruned.
func TestMirror(t *testing.T) {
	s := start(t)
	null := addrs.MustParseProvider("registry.example.org/acme/null")
	client := s.Registry()
	m := &install.Mirror{Dir: filepath.Join(t.TempDir(), "mirror")}
	selections, err := install.Matching(t.Context(), client, []install.Requirement{{Provider: null, Constraints: addrs.MustParseConstraints(">= 1.0")}}, 2)
	if err != nil || len(selections) != 2 || selections[0].Version.String() != "2.0.0" || selections[1].Version.String() != "1.2.0" {
		t.Fatalf("got %v, %v", selections, err)
	}
	added, err := m.Add(t.Context(), client, nil, selections, two)
	if err != nil || len(added) != 4 {
		t.Fatalf("got %v, %v", added, err)
	}
	for _, p := range added {
		if p.Result == nil || p.Result.Proof != registry.Signed || p.Size == 0 {
			t.Errorf("got %+v", p)
		}
	}
	want := []string{"1.2.0.json", "2.0.0.json", "index.json"}
	for _, v := range []string{"1.2.0", "2.0.0"} {
		for _, suffix := range []string{"SHA256SUMS", "SHA256SUMS.asc", "SHA256SUMS.sig", "darwin_arm64.zip", "linux_amd64.zip"} {
			want = append(want, "terraform-provider-null_"+v+"_"+suffix)
		}
	}
	for i := range want {
		want[i] = "registry.example.org/acme/null/" + want[i]
	}
	slices.Sort(want)
	if got := files(t, m.Dir); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	s.Clear()
	again, err := m.Add(t.Context(), s.Registry(), nil, selections, two)
	if err != nil || len(s.Requests()) > 0 || again[3].Note != "in the mirror already" {
		t.Errorf("again: %d requests, %v, %v", len(s.Requests()), again, err)
	}

	// Clients get the same bytes as from the registry.
	web := httptest.NewTLSServer(http.FileServer(http.Dir(m.Dir)))
	defer web.Close()
	pool := x509.NewCertPool()
	pool.AddCert(web.Certificate())
	plain := &registry.Client{HTTP: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}}
	network, err := plain.Mirror(web.URL, registry.MirrorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range []registry.Source{network, &registry.FilesystemMirror{Dir: m.Dir}} {
		list, err := source.Versions(t.Context(), null)
		if err != nil || len(list.Versions) != 2 {
			t.Fatalf("%T: got %v, %v", source, list, err)
		}
		pkg, err := source.Package(t.Context(), null, addrs.MustParseVersion("1.2.0"), two[1])
		if err != nil {
			t.Fatal(err)
		}
		r, err := plain.Fetch(t.Context(), pkg, filepath.Join(t.TempDir(), "x.zip"))
		if err != nil || !slices.Contains(r.Computed, s.Package("acme", "null", "1.2.0", "linux_amd64").Hash()) {
			t.Errorf("%T: got %v, %v", source, r, err)
		}
	}

	// The proof also holds without the registry, by the keys of the policy.
	verified, err := m.Verify(t.Context(), registry.Policy{RequireSigned: true})
	if err != nil || len(verified) != 4 || verified[0].Result.Signer == nil || verified[0].Result.Signer.KeyID != s.Key.ID() {
		t.Errorf("got %v, %v", verified, err)
	}
	foreign, err := registrytest.NewKey("another", time.Now().Add(-time.Hour), 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Verify(t.Context(), registry.Policy{Keys: func(addrs.Provider) []string { return []string{registrytest.Armored(foreign)} }}); !errors.Is(err, registry.ErrBadSignature) {
		t.Errorf("got %v", err)
	}

	removed, err := m.Prune(t.Context(), selections[1:], two[:1])
	if err != nil || len(removed) != 6 {
		t.Errorf("removed %q, %v", removed, err)
	}
	left := files(t, m.Dir)
	if len(left) != 6 || slices.ContainsFunc(left, func(n string) bool { return strings.Contains(n, "2.0.0") || strings.Contains(n, "linux") }) {
		t.Errorf("left are %q", left)
	}
	if list, err := network.Versions(t.Context(), addrs.MustParseProvider("registry.example.org/acme/tool")); err == nil {
		t.Errorf("got %v", list)
	}
	if _, err := m.Prune(t.Context(), nil, nil); err != nil {
		t.Error(err)
	}
	if left := files(t, m.Dir); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// Damaged files are replaced, files of others stay, and a bad package
// does not come in.
func TestMirror_others(t *testing.T) {
	s := start(t)
	null, tool := provider(s, "null"), provider(s, "tool")
	m := &install.Mirror{Dir: t.TempDir()}
	both := []install.Selection{{Provider: null, Version: addrs.MustParseVersion("1.0.0")}, {Provider: tool, Version: addrs.MustParseVersion("0.3.1")}}
	s.Inject("zip-flipped")
	if _, err := m.Add(t.Context(), s.Registry(), nil, both, two); !errors.Is(err, addrs.ErrMismatch) {
		t.Errorf("got %v", err)
	}
	if got := files(t, m.Dir); len(got) > 0 {
		t.Errorf("got %q", got)
	}
	s.Clear()
	added, err := m.Add(t.Context(), s.Registry(), nil, both, two)
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(added[0].File)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(added[0].File, good[1:], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Verify(t.Context(), registry.Policy{}); err == nil {
		t.Error("a damaged package is verified")
	}
	own := filepath.Join(filepath.Dir(added[0].File), "terraform-provider-null_9.0.0_linux_amd64.zip")
	if err := os.WriteFile(own, good, 0o644); err != nil {
		t.Fatal(err)
	}
	s.Clear()
	if _, err := m.Add(t.Context(), s.Registry(), nil, both, two); err != nil || s.Count(registrytest.KindZip) != 1 {
		t.Errorf("%d packages were fetched, %v", s.Count(registrytest.KindZip), err)
	}
	if b, err := os.ReadFile(added[0].File); err != nil || string(b) != string(good) {
		t.Errorf("the package is not restored, %v", err)
	}
	index, err := os.ReadFile(filepath.Join(filepath.Dir(own), "index.json"))
	if err != nil || !strings.Contains(string(index), "9.0.0") {
		t.Errorf("got %s, %v", index, err)
	}
	got, err := m.Verify(t.Context(), registry.Policy{})
	if err != nil || len(got) != 5 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := m.Verify(t.Context(), registry.Policy{RequireSigned: true}); !errors.Is(err, registry.ErrUnsigned) || !strings.Contains(err.Error(), "9.0.0") {
		t.Errorf("got %v", err)
	}
	// An unpacked package is packed, the same each time.
	unpacked := t.TempDir()
	at := filepath.Join(unpacked, s.Host(), "acme", "null", "1.0.0", "linux_amd64", "terraform-provider-null")
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte("plugin"), 0o755); err != nil {
		t.Fatal(err)
	}
	var zips []string
	for range 2 {
		packed := &install.Mirror{Dir: t.TempDir()}
		list, err := packed.Add(t.Context(), s.Registry(), &registry.FilesystemMirror{Dir: unpacked}, both[:1], two[1:])
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(list[0].File)
		if err != nil {
			t.Fatal(err)
		}
		zips = append(zips, string(b))
	}
	if zips[0] != zips[1] {
		t.Error("the same directory becomes different zips")
	}
	if _, err := install.Matching(t.Context(), s.Registry(), []install.Requirement{{Provider: null, Constraints: addrs.MustParseConstraints("> 9.0"), Place: "x.tf"}}, 0); err == nil || !strings.Contains(err.Error(), "x.tf wants > 9.0") {
		t.Errorf("got %v", err)
	}
}

// A static registry gives what a registry gives, signed by its own key.
func TestStaticRegistry(t *testing.T) {
	s := start(t)
	null := addrs.MustParseProvider("registry.example.org/acme/null")
	key, err := registrytest.NewKey("static", time.Now().Add(-time.Hour), 0)
	if err != nil {
		t.Fatal(err)
	}
	signed := 0
	r := &install.StaticRegistry{Dir: t.TempDir(), KeyID: key.ID(), Key: registrytest.Armored(key), Sign: func(document []byte) ([]byte, error) {
		signed++
		return key.Sign(document, time.Now().Add(-time.Hour))
	}}
	versions := []install.Selection{{Provider: null, Version: addrs.MustParseVersion("1.0.0")}, {Provider: null, Version: addrs.MustParseVersion("1.2.0")}}
	if _, err := r.Packages().Add(t.Context(), s.Registry(), nil, versions, two); err != nil {
		t.Fatal(err)
	}
	mod := registry.Module{Host: "x.example", Namespace: "acme", Name: "net", System: "test"}
	src := fstest.MapFS{"main.tf": {Data: []byte("# a module\n")}, "sub/x.tf": {Data: []byte("# below\n")}, ".terraform/x": {Data: []byte("no")}}
	if err := r.AddModule(t.Context(), mod, addrs.MustParseVersion("1.1.0"), src); err != nil {
		t.Fatal(err)
	}
	if err := r.AddModule(t.Context(), registry.Module{Namespace: "..", Name: "x", System: "y"}, addrs.MustParseVersion("1.1.0"), src); err == nil {
		t.Error("a module is added out of the directory")
	}
	for range 2 {
		if err := r.Write(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if signed != 2 {
		t.Errorf("%d signatures of two versions", signed)
	}
	web := httptest.NewTLSServer(http.FileServer(http.Dir(r.Dir)))
	defer web.Close()
	pool := x509.NewCertPool()
	pool.AddCert(web.Certificate())
	host := strings.TrimPrefix(web.URL, "https://")
	newClient := func() *registry.Client {
		return &registry.Client{HTTP: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}}
	}
	here, err := null.WithHost(host)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	selections, err := install.Resolve(t.Context(), newClient(), []install.Requirement{{Provider: here}}, nil, install.Upgrade{})
	if err != nil {
		t.Fatal(err)
	}
	locked, err := (&install.Locker{Client: newClient(), Platforms: two}).Lock(t.Context(), selections, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := locked[0].Packages[0].Result; got.Proof != registry.Signed || got.Signer.KeyID != key.ID() || locked[0].Lock.Version.String() != "1.2.0" {
		t.Errorf("got %+v", locked[0])
	}
	source := addrs.MustParseModuleSource(host + "/acme/net/test//sub")
	got, err := (&install.Modules{Client: newClient()}).Get(t.Context(), source, addrs.Constraints{}, filepath.Join(dir, "m"))
	if err != nil {
		t.Fatal(err)
	}
	if f := files(t, got.Package); !slices.Equal(f, []string{"main.tf", "sub/x.tf"}) || filepath.Base(got.Dir) != "sub" {
		t.Errorf("got %q in %s", f, got.Dir)
	}
	report := registrytest.Lint(t.Context(), newClient(), registrytest.Target{Provider: here, Module: registry.Module{Host: host, Namespace: "acme", Name: "net", System: "test"}})
	if !report.OK() {
		t.Error(report)
	}
	// What is pruned from the packages is gone from the registry.
	if _, err := r.Packages().Prune(t.Context(), versions[:1], two[:1]); err != nil {
		t.Fatal(err)
	}
	if err := r.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list, err := newClient().Versions(t.Context(), here); err != nil || len(list.Versions) != 1 || len(list.Versions[0].Platforms) != 1 {
		t.Errorf("got %v, %v", list, err)
	}
	if got := files(t, filepath.Join(r.Dir, "v1", "providers")); len(got) != 5 {
		t.Errorf("got %q", got)
	}
	if _, err := r.Packages().Prune(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := r.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := newClient().Versions(t.Context(), here); !errors.Is(err, registry.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	// Two hosts with the same name, and no key.
	other := addrs.MustParseProvider("other.example.org/acme/null")
	if _, err := r.Packages().Add(t.Context(), s.Registry(), nil, append(versions[:1], install.Selection{Provider: other, Version: versions[0].Version}), two); err != nil {
		t.Fatal(err)
	}
	if err := r.Write(t.Context()); err == nil || !strings.Contains(err.Error(), "cannot be in one registry") {
		t.Errorf("got %v", err)
	}
	if err := (&install.StaticRegistry{Dir: r.Dir}).Write(t.Context()); err == nil {
		t.Error("a registry without a key")
	}
}

// TestStaticRegistry_concurrently adds modules and writes the documents from several
// goroutines. No module is lost, and no two signatures are made at once.
func TestStaticRegistry_concurrently(t *testing.T) {
	s := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.0.0"}}}}})
	var signing atomic.Int64
	r := &install.StaticRegistry{Dir: t.TempDir(), KeyID: s.Key.ID(), Key: registrytest.Armored(s.Key), Sign: func(document []byte) ([]byte, error) {
		if signing.Add(1) > 1 {
			t.Error("two signatures at once")
		}
		defer signing.Add(-1)
		return s.Key.Sign(document, time.Now().Add(-time.Hour))
	}}
	selection := install.Selection{Provider: addrs.MustParseProvider("acme/null"), Version: addrs.MustParseVersion("1.0.0")}
	if _, err := r.Packages().Add(t.Context(), s.Registry(), nil, []install.Selection{selection}, []addrs.Platform{addrs.MustParsePlatform("linux_amd64")}); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			version := addrs.MustParseVersion(fmt.Sprintf("1.%d.0", i))
			if err := r.AddModule(t.Context(), registry.Module{Namespace: "acme", Name: "net", System: "test"}, version, fstest.MapFS{"main.tf": {}}); err != nil {
				t.Error(err)
			}
			if err := r.Write(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	list, err := os.ReadFile(filepath.Join(r.Dir, "v1", "modules", "acme", "net", "test", "versions"))
	if n := strings.Count(string(list), `"version"`); err != nil || n != 4 {
		t.Errorf("%d versions of the module: %s, %v", n, list, err)
	}
}
