// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lock

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

var all = []string{"linux_amd64", "linux_arm64", "darwin_arm64", "windows_amd64"}

// world is a registry and a module that needs its providers.
type world struct {
	mayWarn bool
	*registrytest.Server
	dir string // of the module
	ca  string // file with the certificate
}

func newWorld(t *testing.T) *world {
	t.Helper()
	platforms := append([]string{addrs.CurrentPlatform().String()}, all...)
	srv := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{
		{Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.0.0", Platforms: platforms}, {Version: "1.2.0", Platforms: platforms}, {Version: "2.0.0", Platforms: platforms}}},
		{Namespace: "acme", Type: "tool", Versions: []registrytest.Version{{Version: "0.3.1", Platforms: platforms, Reported: true}}},
	}})
	w := &world{Server: srv, dir: filepath.Join(t.TempDir(), "module")}
	w.ca = filepath.Join(filepath.Dir(w.dir), "ca.pem")
	w.write(t, w.ca, string(srv.CertificatePEM()))
	w.write(t, filepath.Join(w.dir, "main.tf"), fmt.Sprintf(`
terraform {
  required_providers {
    null = {
      source  = "%[1]s/acme/null"
      version = "~> 1.0"
    }
  }
}

module "child" {
  source = "./child"
}

resource "terraform_data" "builtin" {}
`, srv.Host()))
	w.write(t, filepath.Join(w.dir, "child", "main.tf.json"), fmt.Sprintf(`{"terraform": {"required_providers": {
		"n": {"source": "%[1]s/acme/null", "version": ">= 1.1"},
		"tool": {"source": "%[1]s/acme/tool"}
	}}}`, srv.Host()))
	return w
}

func (w *world) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (w *world) lockName() string { return filepath.Join(w.dir, lockfile.Name) }

func (w *world) read(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(w.lockName())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// lock runs the program.
func (w *world) lock(t *testing.T, environ []string, args ...string) (string, error) {
	t.Helper()
	var out, errOut bytes.Buffer
	err := run(t.Context(), append(append([]string{"-ca", w.ca}, args...), w.dir), &out, &errOut, environ)
	if errOut.Len() > 0 && !w.mayWarn {
		t.Errorf("standard error: %s", &errOut)
	}
	for line := range strings.Lines(errOut.String()) {
		if !strings.HasPrefix(line, "warning: "+w.Host()) {
			t.Errorf("standard error: %s", line)
		}
	}
	return out.String() + errOut.String(), err
}

// hashes are what the lock of a provider should have: the h1 of the given
// platforms, and the zh of all, because they are signed.
func (w *world) hashes(typ, version string, platforms ...string) []lockfile.Hash {
	var out []lockfile.Hash
	for _, p := range platforms {
		out = append(out, w.Package("acme", typ, version, p).H1)
	}
	for _, p := range append([]string{addrs.CurrentPlatform().String()}, all...) {
		out = append(out, w.Package("acme", typ, version, p).Hash())
	}
	return lockfile.UnionHashes(out)
}

func (w *world) provider(typ string) addrs.Provider {
	return addrs.MustParseProvider(w.Host() + "/acme/" + typ)
}

// A new lock file has, to the byte, what tofu would write.
func TestLock_new(t *testing.T) {
	w := newWorld(t)
	out, err := w.lock(t, nil, "-platform", "linux_amd64", "-platform", "darwin_arm64", "-platform", "linux_amd64")
	if err != nil {
		t.Fatal(err)
	}
	want := lockfile.Locks{
		{Provider: w.provider("null"), Version: addrs.MustParseVersion("1.2.0"), Constraints: addrs.MustParseConstraints(">= 1.1.0, ~> 1.0"), Hashes: w.hashes("null", "1.2.0", "linux_amd64", "darwin_arm64")},
		{Provider: w.provider("tool"), Version: addrs.MustParseVersion("0.3.1"), Hashes: w.hashes("tool", "0.3.1", "linux_amd64", "darwin_arm64")},
	}
	if diff := cmp.Diff(string(want.Canonical(addrs.OpenTofu)), w.read(t)); diff != "" {
		t.Error(diff)
	}
	if got := strings.Count(out, "signed by "+w.Key.ID()); got != 4 {
		t.Errorf("the summary names the signer %d times, want 4:\n%s", got, out)
	}
	// 2 providers: no document was asked for twice.
	for kind, n := range map[registrytest.Kind]int{
		registrytest.KindDiscovery: 1, registrytest.KindVersions: 2, registrytest.KindPackage: 4, registrytest.KindChecksums: 2, registrytest.KindSignature: 2, registrytest.KindZip: 4,
	} {
		if got := w.Count(kind); got != n {
			t.Errorf("%d requests for %s, want %d", got, kind, n)
		}
	}
	// Again, for more platforms: the versions are known now.
	w.Clear()
	out, err = w.lock(t, nil, "-platform", "windows_amd64")
	if err != nil {
		t.Fatal(err)
	}
	want[0].Hashes = w.hashes("null", "1.2.0", "linux_amd64", "darwin_arm64", "windows_amd64")
	want[1].Hashes = w.hashes("tool", "0.3.1", "linux_amd64", "darwin_arm64", "windows_amd64")
	if diff := cmp.Diff(string(want.Canonical(addrs.OpenTofu)), w.read(t)); diff != "" {
		t.Error(diff)
	}
	if w.Count(registrytest.KindVersions) != 0 {
		t.Error("the versions were asked for, though they are locked")
	}
	if !strings.Contains(out, "known to the lock file") {
		t.Errorf("got:\n%s", out)
	}
}

// Comments and foreign locks stay as they are.
func TestLock_keepsComments(t *testing.T) {
	w := newWorld(t)
	own := w.Package("acme", "null", "1.2.0", "linux_arm64")
	w.write(t, w.lockName(), fmt.Sprintf(`# Our own heading.

# Ask Ann before you touch this.
provider "%s/acme/null" { # held back
  version = "1.2.0"
  hashes = [
    "q9:kept", # odd
    "%s", # from the build machine
  ]
}

provider "registry.opentofu.org/other/thing" {
  version = "9.9.9"
}
`, w.Host(), own.H1))
	if _, err := w.lock(t, nil, "-platform", "linux_arm64"); err != nil {
		t.Fatal(err)
	}
	got := w.read(t)
	for _, want := range []string{"# Our own heading.\n", "# Ask Ann before you touch this.\n", "{ # held back\n", "\"q9:kept\", # odd\n", "# from the build machine\n", "\"registry.opentofu.org/other/thing\" {\n  version = \"9.9.9\"\n}\n", "/acme/tool\""} {
		if !strings.Contains(got, want) {
			t.Errorf("lost: %q in\n%s", want, got)
		}
	}
	f, err := lockfile.Parse("", []byte(got))
	if err != nil {
		t.Fatal(err)
	}
	l, _ := f.Locks().Get(w.provider("null"))
	if diff := cmp.Diff(lockfile.UnionHashes(w.hashes("null", "1.2.0", "linux_arm64"), []lockfile.Hash{"q9:kept"}), lockfile.UnionHashes(l.Hashes)); diff != "" {
		t.Error(diff)
	}
}

// What the lock file says about a package it knew is told apart: a yes, a no,
// and nothing at all.
func TestLock_known(t *testing.T) {
	for _, tt := range []struct {
		name string
		hash func(*registrytest.Package) lockfile.Hash
		want string
	}{
		{"h1", func(p *registrytest.Package) lockfile.Hash { return p.H1 }, ", known to the lock file\n"},
		{"zh", func(p *registrytest.Package) lockfile.Hash { return p.Hash() }, ", known to the lock file\n"},
		{"another", func(*registrytest.Package) lockfile.Hash { return "h1:other" }, "acme/null 1.2.0: none of its hashes was in the lock file before\n"},
		{"unknown scheme", func(*registrytest.Package) lockfile.Hash { return "q9:x" }, "acme/null 1.2.0: the lock file had no hash to compare it with\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.mayWarn = !strings.HasPrefix(tt.want, ",")
			w.write(t, w.lockName(), fmt.Sprintf("provider \"%s/acme/null\" {\n  version = \"1.2.0\"\n  hashes = [\"%s\"]\n}\n",
				w.Host(), tt.hash(w.Package("acme", "null", "1.2.0", "linux_amd64"))))
			out, err := w.lock(t, nil, "-platform", "linux_amd64")
			if err != nil || !strings.Contains(out, tt.want) {
				t.Errorf("got %v\n%s", err, out)
			}
		})
	}
}

// Mirrors of both kinds.
func TestLock_mirror(t *testing.T) {
	w := newWorld(t)
	w.write(t, filepath.Join(w.dir, "main.tf"), `
terraform {
  required_providers {
    null = { source = "registry.example.org/acme/null", version = "1.0.0" }
  }
}
`)
	os.RemoveAll(filepath.Join(w.dir, "child"))
	own := w.Package("acme", "null", "1.0.0", "linux_amd64")
	want := lockfile.Locks{{Provider: addrs.MustParseProvider("registry.example.org/acme/null"), Version: addrs.MustParseVersion("1.0.0"),
		Constraints: addrs.MustParseConstraints("1.0.0"), Hashes: []lockfile.Hash{own.H1, own.Hash()}}}

	out, err := w.lock(t, nil, "-platform", "linux_amd64", "-mirror", w.MirrorURL())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want.Canonical(addrs.OpenTofu)), w.read(t)); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(out, "checksum of the network mirror, not signed") {
		t.Errorf("got:\n%s", out)
	}

	// A directory, packed and unpacked. It has nothing to compare with, so
	// tofu records no zh.
	os.Remove(w.lockName())
	mirror := t.TempDir()
	c := w.Registry()
	pkg, err := c.Package(t.Context(), w.provider("null"), addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64"))
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(mirror, "registry.example.org", "acme", "null")
	if err := os.MkdirAll(base, 0o755); err != nil {
		t.Fatal(err)
	}
	packed := filepath.Join(base, own.Filename)
	if _, err := c.DownloadFile(t.Context(), pkg, packed); err != nil {
		t.Fatal(err)
	}
	want[0].Hashes = want[0].Hashes[:1]
	for _, layout := range []string{"packed", "unpacked"} {
		os.Remove(w.lockName())
		if layout == "unpacked" {
			if err := os.MkdirAll(filepath.Join(base, "1.0.0"), 0o755); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Install(t.Context(), pkg, filepath.Join(base, "1.0.0", "linux_amd64"), nil); err != nil {
				t.Fatal(err)
			}
			os.Remove(packed)
		}
		out, err := w.lock(t, nil, "-platform", "linux_amd64", "-mirror", mirror)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want.Canonical(addrs.OpenTofu)), w.read(t)); diff != "" {
			t.Errorf("%s: %s", layout, diff)
		}
		if !strings.Contains(out, "nothing to compare with") {
			t.Errorf("%s: got:\n%s", layout, out)
		}
	}
}

// If the plugin cache and the lock file suffice, nothing is asked.
func TestLock_cacheSuffices(t *testing.T) {
	w := newWorld(t)
	if _, err := w.lock(t, nil, "-platform", "linux_amd64"); err != nil {
		t.Fatal(err)
	}
	before := w.read(t)
	os.RemoveAll(filepath.Join(w.dir, ".terraform")) // what the first run remembered
	cache := t.TempDir()
	c := w.Registry()
	for typ, v := range map[string]string{"null": "1.2.0", "tool": "0.3.1"} {
		pkg, err := c.Package(t.Context(), w.provider(typ), addrs.MustParseVersion(v), addrs.MustParsePlatform("linux_amd64"))
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(cache, w.Host(), "acme", typ, v)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Install(t.Context(), pkg, filepath.Join(dir, "linux_amd64"), nil); err != nil {
			t.Fatal(err)
		}
	}
	w.Clear()
	out, err := w.lock(t, []string{"TF_PLUGIN_CACHE_DIR=" + cache}, "-platform", "linux_amd64")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(w.Requests()); n != 0 {
		t.Errorf("%d requests: %v", n, w.Requests())
	}
	if w.read(t) != before || strings.Count(out, "in the plugin cache") != 2 || !strings.Contains(out, "complete already") {
		t.Errorf("got:\n%s", out)
	}
}

// What the lock file has is not asked for, unless the user wants to know.
func TestLock_complete(t *testing.T) {
	w := newWorld(t)
	two := []string{"-platform", "linux_amd64", "-platform", "darwin_arm64"}
	if _, err := w.lock(t, nil, two...); err != nil {
		t.Fatal(err)
	}
	before := w.read(t)
	w.Clear()
	out, err := w.lock(t, nil, two...)
	if err != nil || len(w.Requests()) > 0 || w.read(t) != before || !strings.Contains(out, "complete already") {
		t.Errorf("again: %d requests, %v\n%s", len(w.Requests()), err, out)
	}
	if out, err = w.lock(t, nil, append(two, "-check")...); err != nil || w.Count(registrytest.KindZip) != 4 || w.read(t) != before || strings.Count(out, "signed by") != 4 {
		t.Errorf("-check: %d packages, %v\n%s", w.Count(registrytest.KindZip), err, out)
	}
	w.Clear()
	if _, err := w.lock(t, nil, append(two, "-platform", "windows_amd64")...); err != nil {
		t.Fatal(err)
	}
	for _, r := range w.Requests() {
		if r.Kind == registrytest.KindVersions || (r.Kind == registrytest.KindPackage || r.Kind == registrytest.KindZip) && !strings.Contains(r.Path, "windows") {
			t.Errorf("one platform more asks for %s", r.Path)
		}
	}
	// A lock file that lost a hash is completed.
	lost := strings.Replace(before, "    \""+string(w.Package("acme", "null", "1.2.0", "linux_amd64").H1)+"\",\n", "", 1)
	w.write(t, w.lockName(), lost)
	if _, err := w.lock(t, nil, two...); err != nil || lost == before || w.read(t) != before {
		t.Errorf("%v\n%s", err, w.read(t))
	}
}

// The whole tree of modules counts: modules of a registry are downloaded to be
// read, installed ones are read where they are, and what cannot be fetched is an
// error.
func TestLock_modules(t *testing.T) {
	platforms := []string{addrs.CurrentPlatform().String()}
	srv := registrytest.Start(t, registrytest.Content{
		Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.0.0", Platforms: platforms}, {Version: "1.2.0", Platforms: platforms}}}},
		Modules: []registrytest.Module{
			{Namespace: "acme", Name: "net", System: "aws", Versions: []string{"1.0.0", "2.0.0", "3.0.0"}},
			{Namespace: "acme", Name: "git", System: "aws", Versions: []string{"1.0.0"}, Location: "git::https://git.example/m.git?ref=v1"},
		},
	})
	w := &world{Server: srv, dir: filepath.Join(t.TempDir(), "module")}
	w.ca = filepath.Join(filepath.Dir(w.dir), "ca.pem")
	w.write(t, w.ca, string(srv.CertificatePEM()))
	requires := func(version string) string {
		return fmt.Sprintf("terraform {\n required_providers {\n n = {\n source = \"%s/acme/null\"\n version = %q\n}\n}\n}\n", w.Host(), version)
	}
	call := func(name, rest string) string { return fmt.Sprintf("module %q {\n %s\n}\n", name, rest) }
	registered := fmt.Sprintf("source = \"%s/acme/net/aws\"\n version = \"~> 2.0\"", w.Host())

	// A module that is not installed is downloaded.
	w.write(t, filepath.Join(w.dir, "main.tf"), requires(">= 1.0.0")+call("a", registered)+call("b", registered))
	if out, err := w.lock(t, nil); err != nil || !strings.Contains(out, "acme/null 1.2.0") {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := w.Count(registrytest.KindModuleArchive); n != 1 {
		t.Errorf("%d downloads of one module", n)
	}
	// An installed one is read where it is, with what it calls.
	w.write(t, filepath.Join(w.dir, ".terraform", "modules", "modules.json"), fmt.Sprintf(`{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"a","Source":"%s/acme/net/aws","Version":"2.0.0","Dir":".terraform/modules/a"}]}`, w.Host()))
	w.write(t, filepath.Join(w.dir, ".terraform", "modules", "a", "main.tf"), call("inner", `source = "./inner"`))
	w.write(t, filepath.Join(w.dir, ".terraform", "modules", "a", "inner", "main.tf"), requires("< 1.2.0"))
	w.write(t, filepath.Join(w.dir, "main.tf"), call("a", registered))
	os.Remove(w.lockName())
	w.Clear()
	if out, err := w.lock(t, nil); err != nil || !strings.Contains(out, "acme/null 1.0.0") || w.Count(registrytest.KindModuleVersions) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	// What cannot be fetched, or calls itself, is an error with its place.
	before := w.read(t)
	for rest, want := range map[string]string{
		fmt.Sprintf("source = \"%s/acme/git/aws\"", w.Host()):                                "acme/git/aws: modules cannot be fetched from there: git::https://git.example/m.git",
		fmt.Sprintf("source = \"%s/acme/missing/aws\"", w.Host()):                            "acme/missing/aws",
		fmt.Sprintf("source = \"%s/acme/net/aws\"\n version = \"> 9.0\"", w.Host()):          "no version is allowed",
		fmt.Sprintf("source = \"%s/acme/net/aws\"\n version = \"= 9.0.0-beta.2\"", w.Host()): w.Host() + `/acme/net/aws: no version is allowed (constraints "= 9.0.0-beta.2")`,
		fmt.Sprintf("source = \"%s/acme/net/aws\"\n version = \"~> 9\"", w.Host()):           `(constraints "~> 9")`,
		`source = "git::ssh://git@git.example/m.git"`:                                        "git.example/m.git",
		`source = "./"`:      "calls itself",
		`source = "./other"`: "other",
	} {
		w.write(t, filepath.Join(w.dir, "main.tf"), call("x", rest))
		_, err := w.lock(t, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "main.tf") || w.read(t) != before {
			t.Errorf("%s: got %v, want %q", rest, err, want)
		}
	}
}

// Versions that constrain nothing, because they are wrong or computed, are errors with their
// place, as for init: what is locked must not be any version.
// The warnings about modules that are fetched for a lock file are those of install.
func TestLock_moduleWarnings(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	archive := tar.NewWriter(z)
	err := errors.Join(archive.WriteHeader(&tar.Header{Name: "main.tf", Typeflag: tar.TypeReg, Mode: 0o644}),
		archive.WriteHeader(&tar.Header{Name: "link", Linkname: "main.tf", Typeflag: tar.TypeSymlink}), archive.Close(), z.Close())
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	s := registrytest.Start(t, registrytest.Content{Modules: []registrytest.Module{{Namespace: "acme", Name: "net", System: "test", Versions: []string{"2.0.0"},
		JSON: true, UseCredentials: new(bool), Archive: func(string) []byte { return packed.Bytes() }}}})
	w.write(t, filepath.Join(w.dir, "ca.pem"), string(s.CertificatePEM()))
	w.write(t, filepath.Join(w.dir, "m", "main.tf"), fmt.Sprintf("module \"net\" {\n  source = \"%s/acme/net/test\"\n}\n", s.Host()))
	var out, errOut bytes.Buffer
	err = run(t.Context(), []string{"-ca", filepath.Join(w.dir, "ca.pem"), filepath.Join(w.dir, "m")}, &out, &errOut, []string{})
	if want := fmt.Sprintf("warning: %s/acme/net/test 2.0.0: the link \"link\" in the archive became a file without", s.Host()); err != nil || !strings.HasPrefix(errOut.String(), want) {
		t.Errorf("got %v, %s", err, &errOut)
	}
}

func TestLock_versions(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ version, block, want string }{
		{`"~> 1.x"`, "", "main.tf:5,14"},
		{`"${var.v}"`, "", "main.tf:5,14"},
		{`"~> 1.0"`, "version = \"one\"", "main.tf:10,3"},
		{`"~> 1.0"`, "version = var.v", "main.tf:10,3"},
	} {
		text := fmt.Sprintf("terraform {\n required_providers {\n  null = {\n   source = \"%s/acme/null\"\n   version = %s\n  }\n }\n}\nprovider \"null\" {\n  %s\n}\n", w.Host(), c.version, c.block)
		w.write(t, filepath.Join(w.dir, "main.tf"), text)
		_, err := w.lock(t, nil, "-platform", "linux_amd64")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: got %v, want %q", c.version, c.block, err, c.want)
		}
		if _, err := os.Stat(w.lockName()); !os.IsNotExist(err) {
			t.Errorf("%s, %s: there is a lock file: %v", c.version, c.block, err)
		}
	}
}

// The CLI configuration of -cli-config counts in place of the user's.
func TestLock_cliConfig(t *testing.T) {
	w := newWorld(t)
	home := t.TempDir()
	w.write(t, filepath.Join(home, ".tofurc"), "provider_installation {}\n")
	config := filepath.Join(home, "own.tfrc")
	w.write(t, config, fmt.Sprintf("provider_installation {\n network_mirror {\n url = %q\n }\n}\n", w.MirrorURL()))
	environ := []string{"HOME=" + home}
	if _, err := w.lock(t, environ, "-platform", "linux_amd64"); err == nil || !strings.Contains(err.Error(), "no installation method is for this provider") {
		t.Errorf("got %v", err)
	}
	out, err := w.lock(t, environ, "-platform", "linux_amd64", "-cli-config", config)
	if err != nil || !strings.Contains(out, "checksum of the network mirror") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := w.lock(t, environ, "-cli-config", filepath.Join(home, "missing")); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("got %v", err)
	}
	// Only signed packages are good enough if the user says so.
	os.Remove(w.lockName())
	_, err = w.lock(t, append(environ, "OPENTOFU_ENFORCE_GPG_VALIDATION=true"), "-platform", "linux_amd64", "-cli-config", config)
	if err == nil || !strings.Contains(err.Error(), "not signed") {
		t.Errorf("got %v", err)
	}
}

// An archive without a plugin is not locked.
func TestLock_noPlugin(t *testing.T) {
	for _, zip := range [][]byte{
		registrytest.MakeZip(registrytest.File{Name: "README", Content: "x"}),
		registrytest.MakeZip(registrytest.File{Name: "bin/terraform-provider-null", Content: "x"}),
		registrytest.MakeZip(),
	} {
		srv := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{
			{Version: "1.0.0", Platforms: all, Zip: func(string) []byte { return zip }},
		}}}})
		w := &world{Server: srv, dir: filepath.Join(t.TempDir(), "module")}
		w.ca = filepath.Join(filepath.Dir(w.dir), "ca.pem")
		w.write(t, w.ca, string(srv.CertificatePEM()))
		w.write(t, filepath.Join(w.dir, "main.tf"), fmt.Sprintf("terraform {\n required_providers {\n null = { source = \"%s/acme/null\" }\n }\n}\n", w.Host()))
		_, err := w.lock(t, nil, "-platform", "linux_arm64")
		if err == nil || !strings.Contains(err.Error(), "no file terraform-provider-null") {
			t.Errorf("got %v", err)
		}
		if _, err := os.Stat(w.lockName()); err == nil {
			t.Error("there is a lock file")
		}
	}
}

// What is wrong is all told, and the lock file stays as it was.
func TestLock_faults(t *testing.T) {
	tests := []struct {
		fault registrytest.Fault
		want  []string
	}{
		{"signature-swapped", []string{"acme/null 1.2.0 for linux_amd64", "acme/tool 0.3.1 for darwin_arm64", "bad signature"}},
		{"key-none", []string{"not signed"}},
		{"zip-flipped", []string{"acme/null 1.2.0 for linux_amd64", "acme/null 1.2.0 for darwin_arm64", "checksum mismatch"}},
		{"reported-wrong-h1", []string{"acme/tool 0.3.1 for linux_amd64", "checksum mismatch"}},
		{"versions-404", []string{"acme/null", "acme/tool", "not found"}},
		{"discovery-html", []string{"text/html"}},
		{"package-404", []string{"no package for this platform"}},
		{"sums-duplicate", []string{"second SHA-256"}},
	}
	for _, tt := range tests {
		t.Run(string(tt.fault), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			const old = "# nothing locked yet\n"
			w.write(t, w.lockName(), old)
			w.Inject(tt.fault)
			_, err := w.lock(t, nil, "-platform", "linux_amd64", "-platform", "darwin_arm64")
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in\n%v", want, err)
				}
			}
			if w.read(t) != old {
				t.Error("the lock file was touched")
			}
		})
	}
}

// Oddities of a registry do not stop it, and the lock is the same.
func TestLock_harmless(t *testing.T) {
	for _, fault := range registrytest.Faults() {
		if !fault.Harmless() || strings.HasPrefix(string(fault), "mirror-") || strings.HasPrefix(string(fault), "module-") ||
			strings.HasPrefix(string(fault), "versions-") || fault == "sums-foreign" || fault == "sums-manifest" || fault == "sums-bad-line" ||
			fault == "discovery-foreign" || fault == "redirect-foreign" {
			continue // it changes the lock, or needs other hosts
		}
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.mayWarn = strings.HasPrefix(string(fault), "key-") || strings.HasPrefix(string(fault), "signature-") || fault == "sums-blank-line"
			w.Inject(fault)
			if _, err := w.lock(t, nil, "-platform", "linux_amd64"); err != nil {
				t.Fatal(err)
			}
			f, err := lockfile.Load(w.lockName())
			if err != nil {
				t.Fatal(err)
			}
			l, _ := f.Locks().Get(w.provider("tool"))
			if diff := cmp.Diff(w.hashes("tool", "0.3.1", "linux_amd64"), l.Hashes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A locked version that is not allowed any more is an error, as in tofu.
func TestLock_lockedVersion(t *testing.T) {
	w := newWorld(t)
	w.write(t, w.lockName(), fmt.Sprintf("provider \"%s/acme/null\" {\n  version = \"2.0.0\"\n}\n", w.Host()))
	_, err := w.lock(t, nil)
	if err == nil || !strings.Contains(err.Error(), "2.0.0 is locked") {
		t.Errorf("got %v", err)
	}
}

// A broken configuration is an error with its place, and so are bad arguments.
func TestLock_usage(t *testing.T) {
	w := newWorld(t)
	bad := filepath.Join(t.TempDir(), "bad")
	w.write(t, filepath.Join(bad, "main.tf"), `terraform {
  required_providers {
    x = { source = "a/b/c/d" }
    y = { source = "a/b", version = "yes" }
  }
}
`)
	var out bytes.Buffer
	err := run(t.Context(), []string{bad}, &out, &out, nil)
	if err == nil || !strings.Contains(err.Error(), "main.tf:3,") || !strings.Contains(err.Error(), "main.tf:4,") {
		t.Errorf("got %v", err)
	}
	for _, args := range [][]string{{}, {"a", "b"}, {"-platform", "linux", w.dir}, {"-ca", "no-such-file", w.dir}, {"-ca", filepath.Join(w.dir, "main.tf"), w.dir},
		{"-mirror", "ftp://x/", w.dir}, {"-mirror", w.ca, w.dir}, {"-mirror", "/no/such/dir", w.dir}, {"/no/such/module"}, {"-x"}} {
		if err := run(t.Context(), args, &out, &out, nil); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
	empty := t.TempDir()
	out.Reset()
	if err := run(t.Context(), []string{empty}, &out, &out, nil); err == nil || !strings.Contains(err.Error(), empty) {
		t.Errorf("empty module: %v, %s", err, &out)
	}
	w.write(t, filepath.Join(empty, "main.tf"), "locals {}\n")
	if err := run(t.Context(), []string{empty}, &out, &out, nil); err != nil || !strings.Contains(out.String(), "needs no providers") {
		t.Errorf("a module without providers: %v, %s", err, &out)
	}
}

// Credentials come from where tofu has them.
func TestLock_credentials(t *testing.T) {
	w := newWorld(t)
	home := t.TempDir()
	w.write(t, filepath.Join(home, ".tofurc"), fmt.Sprintf("credentials %q {\n  token = \"tofurc\"\n}\n", w.Host()))
	w.write(t, filepath.Join(home, ".terraform.d", "credentials.tfrc.json"), fmt.Sprintf(`{"credentials": {%q: {"token": "login"}}}`, w.Host()))
	other := filepath.Join(home, "other")
	w.write(t, other, "disable_checkpoint = true\n")
	for _, tt := range []struct {
		environ []string
		want    string
	}{
		{nil, ""},
		{[]string{"HOME=" + home}, "Bearer login"}, // as in tofu, the later file wins
		{[]string{"HOME=" + home, "TF_CLI_CONFIG_FILE=" + other}, ""},
		{[]string{"HOME=" + home, "TF_TOKEN_" + strings.ReplaceAll(w.Host(), ".", "_") + "=environment"}, "Bearer environment"},
	} {
		w.Clear()
		os.Remove(w.lockName())
		_, err := w.lock(t, tt.environ, "-platform", "linux_amd64")
		if err != nil || w.Requests()[0].Authorization != tt.want {
			t.Errorf("%v: got %v", tt.environ, err)
		}
	}
}

// The real program, if it is here, takes the lock file as it is.
func TestLock_realTool(t *testing.T) {
	tools := depth.Tools(t)
	tool := tools["tofu"]
	if tool == "" {
		tool = tools["terraform"]
	}
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux, where SSL_CERT_FILE has the certificates")
	}
	w := newWorld(t)
	// A 32-bit test may run with a 64-bit tool.
	if _, err := w.lock(t, nil, "-platform", addrs.CurrentPlatform().String(), "-platform", "linux_amd64", "-platform", "linux_arm64"); err != nil {
		t.Fatal(err)
	}
	before := w.read(t)
	cmd := exec.CommandContext(t.Context(), tool, "init", "-input=false", "-no-color")
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+w.ca, "CHECKPOINT_DISABLE=1", "HOME="+t.TempDir(), "TF_CLI_CONFIG_FILE=/dev/null", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s init: %v\n%s", tool, err, out)
	}
	if diff := cmp.Diff(before, w.read(t)); diff != "" {
		t.Errorf("%s changed the lock file: %s\n%s", tool, diff, out)
	}
}

// run runs the program with an environment, and returns its error.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, environ []string) error {
	j, flags := newJob()
	var said strings.Builder
	if _, ok := flags.Parse(args, stdout, &said); !ok {
		return errors.New(said.String())
	}
	return j.run(ctx, stdout, stderr, environ)
}
