// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// The rules of provider_installation: include and exclude, the union of
// versions, and the first method that has the version.
func TestSources(t *testing.T) {
	pattern := func(s string) []cliconfig.Pattern {
		p, err := cliconfig.ParsePattern(s)
		if err != nil {
			t.Fatal(err)
		}
		return []cliconfig.Pattern{p}
	}
	c := content()
	srv := registrytest.Start(t, c)
	client := srv.Registry()

	// A mirror directory with one older version and one of both.
	dir := t.TempDir()
	base := filepath.Join(dir, "registry.example.org", "acme", "null")
	if err := os.MkdirAll(base, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"terraform-provider-null_0.1.0_linux_amd64.zip", "terraform-provider-null_1.0.0_linux_amd64.zip"} {
		if err := os.WriteFile(filepath.Join(base, name), bigZip("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mirror := &registry.FilesystemMirror{Dir: dir}
	sources := registry.Sources{
		{Source: mirror, Include: pattern("*/*/*"), Exclude: pattern("other.example/*/*")},
		{Source: client, Exclude: pattern("secret.example/*/*")},
	}
	list, err := sources.Versions(t.Context(), acmeNull)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range list.Versions {
		got = append(got, v.Version.String())
	}
	if diff := cmp.Diff([]string{"0.1.0", "0.9.0", "1.0.0"}, got); diff != "" {
		t.Error(diff)
	}
	for v, want := range map[string]registry.Origin{"0.1.0": registry.FromFilesystem, "0.9.0": registry.FromRegistry, "1.0.0": registry.FromFilesystem} {
		pkg, err := sources.Package(t.Context(), acmeNull, addrs.MustParseVersion(v), linux)
		if err != nil || pkg.Origin != want {
			t.Errorf("%s: from the %v, %v, want the %v", v, pkg.Origin, err, want)
		}
	}
	// The mirror has no package for this platform.
	if pkg, err := sources.Package(t.Context(), acmeNull, v100, darwin); err != nil || pkg.Origin != registry.FromRegistry {
		t.Errorf("darwin: %v", err)
	}
	_, err = sources.Versions(t.Context(), addrs.MustParseProvider("registry.example.org/acme/nix"))
	if !errors.Is(err, registry.ErrNotFound) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "https://registry.example.org") {
		t.Errorf("got %v, want all places", err)
	}
	_, err = sources.Package(t.Context(), acmeNull, addrs.MustParseVersion("7.0.0"), linux)
	if !errors.Is(err, registry.ErrNotFound) || errors.Is(err, registry.ErrUnsupportedPlatform) || !strings.Contains(err.Error(), dir) {
		t.Errorf("a version that no source has: got %v", err)
	}
	_, err = sources.Package(t.Context(), acmeNull, v100, addrs.MustParsePlatform("plan9_386"))
	if !errors.Is(err, registry.ErrUnsupportedPlatform) || errors.Is(err, registry.ErrNotFound) {
		t.Errorf("a version for other platforms: got %v", err)
	}
	secret := addrs.MustParseProvider("secret.example/a/b")
	srv.Clear()
	if _, err := sources.Versions(t.Context(), secret); !errors.Is(err, registry.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if len(srv.Requests()) != 0 {
		t.Error("an excluded provider was asked for")
	}
	_, err = registry.Sources{}.Package(t.Context(), secret, v100, linux)
	if err == nil || !strings.Contains(err.Error(), "no installation method") {
		t.Errorf("got %v", err)
	}
	// Any other error than "not found" is one: it must not lead elsewhere.
	srv.Inject("versions-500")
	if _, err := (registry.Sources{{Source: srv.Registry()}, {Source: mirror}}).Versions(t.Context(), acmeNull); err == nil {
		t.Error("a failing registry was passed over")
	}
}

// Both layouts, with foreign names among them, and hosts in both forms.
func TestFilesystemMirror(t *testing.T) {
	dir := t.TempDir()
	mk := func(parts ...string) {
		name := filepath.Join(append([]string{dir}, parts...)...)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".d") || !strings.Contains(filepath.Base(name), ".") {
			if err := os.MkdirAll(name, 0o755); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const host = "registry.example.org"
	mk(host, "acme", "null", "terraform-provider-null_1.0.0_linux_amd64.zip")
	mk(host, "acme", "null", "Terraform-Provider-Null_1.1.0_darwin_arm64_extra.zip")
	mk(host, "acme", "null", "terraform-provider-other_1.0.0_linux_amd64.zip")
	mk(host, "acme", "null", "terraform-provider-null_x_linux_amd64.zip")
	mk(host, "acme", "null", "terraform-provider-null_1.0.0_linux.zip")
	mk(host, "acme", "null", "index.json")
	mk(host, "acme", "null", "1.0.0", "linux_amd64")
	mk(host, "acme", "null", "1.0.0", "notes.txt")
	mk(host, "acme", "null", "2.0.0", "linux_arm64")
	mk(host, "acme", "null", "2.1", "linux_arm64")
	mk(host, "acme", "null", "TERRAFORM-PROVIDER-NULL_2.2.0-RC1_LINUX_AMD64.ZIP")
	mk(host, "acme", "null", "latest", "linux_arm64")
	mk("Registry.Example.org", "Acme", "NULL", "2.3.0", "linux_arm64")
	mk("xn--bcher-kva.example", "acme", "null", "terraform-provider-null_3.0.0_linux_amd64.zip")
	mk("bücher.example", "acme", "null", "terraform-provider-null_4.0.0_linux_amd64.zip")
	if runtime.GOOS != "windows" {
		if err := os.Symlink(filepath.Join(dir, host, "acme", "null", "2.0.0", "linux_arm64"), filepath.Join(dir, host, "acme", "null", "2.0.0", "linux_386")); err != nil {
			t.Fatal(err)
		}
		// As in the tools, a link in place of a version or a part of the address counts for nothing.
		mk("elsewhere", "acme", "null", "9.0.0", "linux_386")
		for _, link := range []string{"REGISTRY.example.org", host + "/ACME", host + "/acme/Null", host + "/acme/null/9.1.0"} {
			to := strings.Join(strings.Split("elsewhere/acme/null/9.0.0", "/")[:strings.Count(link, "/")+1], "/")
			if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
		}
		if pkg, err := (&registry.FilesystemMirror{Dir: dir}).Package(t.Context(), acmeNull, addrs.MustParseVersion("9.1.0"), addrs.MustParsePlatform("linux_386")); err == nil {
			t.Errorf("found %s", pkg.Path)
		}
	} else {
		mk(host, "acme", "null", "2.0.0", "linux_386")
	}
	m := &registry.FilesystemMirror{Dir: dir}
	list, err := m.Versions(t.Context(), acmeNull)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, v := range list.Versions {
		for _, p := range v.Platforms {
			got[v.Version.String()] = append(got[v.Version.String()], p.String())
		}
	}
	if diff := cmp.Diff(map[string][]string{"1.0.0": {"linux_amd64"}, "1.1.0": {"darwin_arm64"}, "2.0.0": {"linux_386", "linux_arm64"}, "2.1.0": {"linux_arm64"}, "2.2.0-rc1": {"linux_amd64"}, "2.3.0": {"linux_arm64"}}, got); diff != "" {
		t.Error(diff)
	}
	pkg, err := m.Package(t.Context(), acmeNull, v100, linux)
	if err != nil || !pkg.Unpacked || pkg.Path != filepath.Join(dir, host, "acme", "null", "1.0.0", "linux_amd64") {
		t.Errorf("got %+v, %v, want the unpacked one", pkg, err)
	}
	pkg, err = m.Package(t.Context(), acmeNull, addrs.MustParseVersion("1.1.0"), darwin)
	if err != nil || pkg.Unpacked || pkg.Filename != "Terraform-Provider-Null_1.1.0_darwin_arm64_extra.zip" {
		t.Errorf("got %+v, %v", pkg, err)
	}
	if pkg, err = m.Package(t.Context(), acmeNull, addrs.MustParseVersion("2.1.0"), addrs.MustParsePlatform("linux_arm64")); err != nil || filepath.Base(filepath.Dir(pkg.Path)) != "2.1" {
		t.Errorf("got %+v, %v", pkg, err)
	}
	if _, err := m.Package(t.Context(), acmeNull, v100, darwin); !errors.Is(err, registry.ErrUnsupportedPlatform) || errors.Is(err, registry.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := m.Package(t.Context(), acmeNull, addrs.MustParseVersion("9.9.9"), linux); !errors.Is(err, registry.ErrNotFound) || errors.Is(err, registry.ErrUnsupportedPlatform) {
		t.Errorf("a version that the mirror does not have: got %v", err)
	}
	idn := addrs.MustParseProvider("bücher.example/acme/null")
	if list, err := m.Versions(t.Context(), idn); err != nil || len(list.Versions) != 2 {
		t.Errorf("IDN: got %+v, %v", list, err)
	}
	if _, err := m.Versions(t.Context(), addrs.MustParseProvider("a/b")); !errors.Is(err, registry.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Versions(ctx, acmeNull); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	// An unpacked package has nothing to download.
	unpacked, _ := m.Package(t.Context(), acmeNull, v100, linux)
	var c registry.Client
	if _, err := c.Download(t.Context(), unpacked, &bytes.Buffer{}); err == nil {
		t.Error("an unpacked package was downloaded")
	}
	if _, err := c.Install(t.Context(), unpacked, filepath.Join(dir, "new"), nil); err == nil {
		t.Error("an unpacked package was installed")
	}
}

// The protocols of zips come from a manifest beside them, if it is one.
func TestFilesystemMirror_manifest(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, acmeNull.Host(), "acme", "null")
	if err := os.MkdirAll(filepath.Join(at, "2.0.0", "linux_amd64"), 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("terraform-provider-null_1.0.0_linux_amd64.zip", "")
	m := &registry.FilesystemMirror{Dir: dir}
	for text, want := range map[string][]string{
		`{"version": 1, "metadata": {"protocol_versions": ["5.0", "6.0"]}}`: {"5.0", "6.0"},
		`{"metadata": {"protocol_versions": ["5", "x", ""]}}`:               {"5"},
		`{"metadata": {"protocol_versions": "5.0"}}`:                        nil,
		`{"metadata": null}`: nil,
		`nonsense`:           nil,
		`{"metadata": {"protocol_versions": ["5.0"]}}` + strings.Repeat(" ", 1e5): nil,
	} {
		put("terraform-provider-null_1.0.0_manifest.json", text)
		pkg, err := m.Package(t.Context(), acmeNull, v100, linux)
		if err != nil || !slices.Equal(pkg.Protocols, want) {
			t.Errorf("%.60s: got %+v, %v", text, pkg, err)
		}
	}
	list, err := m.Versions(t.Context(), acmeNull)
	if err != nil || len(list.Versions) != 2 {
		t.Errorf("got %v, %v", list, err)
	}
}

// The work for one package does not grow with the mirror.
func TestFilesystemMirror_large(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mirror")
	m := &registry.FilesystemMirror{Dir: dir}
	at := filepath.Join(dir, acmeNull.Host(), "acme", "null")
	add := func(from, to int) {
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		for i := from; i < to; i++ {
			if err := os.WriteFile(filepath.Join(at, fmt.Sprintf("terraform-provider-null_1.%d.0_linux_amd64.zip", i)), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	bounds.Growth(t, "packages", 10, 40, 2, func(n int) func() {
		add(0, n)
		return func() {
			if _, err := m.Package(t.Context(), acmeNull, addrs.MustParseVersion("1.2.0"), addrs.MustParsePlatform("linux_amd64")); err != nil {
				t.Error(err)
			}
		}
	})
}

// A package of a directory is installed like any other, and proves nothing.
func TestFilesystemMirror_install(t *testing.T) {
	dir := t.TempDir()
	base := filepath.Join(dir, "registry.example.org", "acme", "null")
	if err := os.MkdirAll(base, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(base, "terraform-provider-null_1.0.0_linux_amd64.zip"), bigZip("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	var c registry.Client
	m := &registry.FilesystemMirror{Dir: dir}
	pkg, err := m.Package(t.Context(), acmeNull, v100, linux)
	if err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "p")
	res, err := c.Install(t.Context(), pkg, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.Proof != registry.Unproven || res.Describe() != "nothing to compare with" || len(res.LockHashes(registry.RuleTofu)) != 1 || len(res.LockHashes(registry.RuleStrict)) != 2 {
		t.Errorf("got %+v: %s", res, res.Describe())
	}
	if exe, err := registry.FindExecutable(target, "null"); err != nil || exe != "terraform-provider-null_v1.0.0_x5" {
		t.Errorf("got %q, %v", exe, err)
	}
	if _, err := registry.FindExecutable(target, "other"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := registry.FindExecutable(filepath.Join(target, "none"), "null"); err == nil {
		t.Error("no error for a missing directory")
	}
	info, err := os.Stat(filepath.Join(target, "terraform-provider-null_v1.0.0_x5"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
		t.Errorf("the plugin is not executable: %v", err)
	}
	small := registry.Client{Limits: registry.Limits{Package: 10}}
	if _, err := small.Install(t.Context(), pkg, target+"2", nil); !errors.Is(err, registry.ErrLimit) {
		t.Errorf("got %v", err)
	}
	pkg.Path = filepath.Join(dir, "gone")
	if _, err := c.Install(t.Context(), pkg, target+"2", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// A well-meant zip unpacks, with all its oddities.
func TestUnpack(t *testing.T) {
	data := registrytest.MakeZip(
		registrytest.File{Name: "./README", Content: "read me"},
		registrytest.File{Name: "dir/", Mode: fs.ModeDir | 0o755},
		registrytest.File{Name: "dir/sub/file", Content: "deep"},
		registrytest.File{Name: "empty/", Mode: fs.ModeDir | 0o700},
		registrytest.File{Name: "run", Content: "#!", Mode: 0o700},
	)
	dir := filepath.Join(t.TempDir(), "out")
	var c registry.Client
	if err := c.Unpack(t.Context(), bytes.NewReader(data), int64(len(data)), dir); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		got[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"README": "read me", "dir/sub/file": "deep", "run": "#!"}, got); diff != "" {
		t.Error(diff)
	}
	if err := c.Unpack(t.Context(), bytes.NewReader(data), int64(len(data)), dir); !errors.Is(err, fs.ErrExist) {
		t.Errorf("existing directory: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Unpack(ctx, bytes.NewReader(data), int64(len(data)), dir+"2"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := c.Unpack(t.Context(), bytes.NewReader(data), int64(len(data)), filepath.Join(dir, "no", "parent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no parent: %v", err)
	}
	for _, l := range []registry.Limits{{Unpacked: 5}, {Files: 2}} {
		c := registry.Client{Limits: l}
		if err := c.Unpack(t.Context(), bytes.NewReader(data), int64(len(data)), dir+"3"); !errors.Is(err, registry.ErrLimit) {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

func TestNetrc(t *testing.T) {
	n := registry.ParseNetrc([]byte(`
# machine commented.example login a password b
machine one.example login me password pw
machine
  two.example
machine three.example
	login you
	account acct
	password p2
macdef init
machine macro.example login x password y

machine one.example login second password ignored
machine nologin.example
`))
	split := registry.ParseNetrc([]byte("machine\n  two.example\nlogin\n\tme\npassword\npw\nmachine\nlogin none\npassword none\n"))
	missing := registry.ParseNetrc([]byte("machine one.example login me password\nmachine three.example login you password p2\n"))
	withDefault := registry.ParseNetrc([]byte("machine a login b password c default login anonymous password x"))
	tests := []struct {
		n         *registry.Netrc
		url, want string
	}{
		{n, "https://one.example/x", "Basic bWU6cHc="},
		{n, "https://ONE.example:8443/x", "Basic bWU6cHc="},
		{n, "http://one.example/x", ""},
		{n, "https://three.example/", "Basic eW91OnAy"},
		{n, "https://commented.example/", ""},
		{n, "https://macro.example/", ""},
		{n, "https://nologin.example/", ""},
		{n, "https://other.example/", ""},
		{split, "https://two.example/", "Basic bWU6cHc="},
		{split, "https://other.example/", ""},
		{missing, "https://one.example/", "Basic bWU6"},
		{missing, "https://three.example/", "Basic eW91OnAy"},
		{missing, "https://other.example/", ""},
		{withDefault, "https://other.example/", "Basic YW5vbnltb3VzOng="},
	}
	for _, tt := range tests {
		u, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		if got := tt.n.Authorization(u); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.url, got, tt.want)
		}
	}
}

// Tokens that cannot be sent are an error, not a way to smuggle headers.
func TestCredentials_odd(t *testing.T) {
	srv := registrytest.Start(t, content())
	boom := errors.New("vault is sealed")
	for want, creds := range map[string]registry.Credentials{
		"not allowed in a header": registry.Tokens{"registry.example.org": "a\r\nX-Evil: 1"},
		"vault is sealed":         registry.FirstOf(nil, failingCredentials{boom}, registry.Tokens{"registry.example.org": "t"}),
	} {
		c := srv.Registry()
		c.Credentials = creds
		if _, err := c.Versions(t.Context(), acmeNull); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if len(srv.Requests()) != 0 {
		t.Errorf("%d requests", len(srv.Requests()))
	}
	if token, err := registry.FirstOf().Token(t.Context(), "x"); token != "" || err != nil {
		t.Errorf("got %q, %v", token, err)
	}
}

type failingCredentials struct{ err error }

func (f failingCredentials) Token(context.Context, string) (string, error) { return "", f.err }

// The package must have a hash that the mirror states, if need be for another
// platform, and every stated hash that it has goes in the lock.
func TestNetworkMirror_stated(t *testing.T) {
	// The entry for a directory gives it two h1.
	zip := registrytest.MakeZip(registrytest.File{Name: "docs/"}, registrytest.File{Name: "terraform-provider-p", Content: "x"})
	var own, other []addrs.Hash
	var tool addrs.Tool
	get := func(trust bool) (*registry.Result, error) {
		c := &registry.Client{Policy: registry.Policy{Tool: tool}, HTTP: &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			body := zip
			if strings.HasSuffix(r.URL.Path, ".json") {
				type archive struct {
					URL    string       `json:"url"`
					Hashes []addrs.Hash `json:"hashes"`
				}
				var err error
				if body, err = json.Marshal(map[string]map[string]archive{"archives": {"linux_amd64": {"p.zip", own}, "darwin_arm64": {"q.zip", other}}}); err != nil {
					return nil, err
				}
			}
			return &http.Response{StatusCode: http.StatusOK, Request: r, ContentLength: int64(len(body)), Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body))}, nil
		})}}
		m, err := c.Mirror("https://h.example/", registry.MirrorOptions{TrustAllHashes: trust})
		if err != nil {
			return nil, err
		}
		pkg, err := m.Package(t.Context(), hostileProvider, v100, linux)
		if err != nil {
			return nil, err
		}
		return c.Fetch(t.Context(), pkg, filepath.Join(t.TempDir(), "p.zip"))
	}
	res, err := get(true)
	if err != nil || len(res.Computed) != 3 {
		t.Fatalf("got %+v, %v", res, err)
	}
	unpacked, raw, zh := res.Computed[0], res.Computed[1], res.Computed[2]
	wrong := addrs.Hash("zh:" + strings.Repeat("a", 64))
	for _, tt := range []struct {
		own, other []addrs.Hash
		trust      bool
		want       []addrs.Hash // nil if the package is refused
	}{
		{nil, nil, true, []addrs.Hash{unpacked}},
		{[]addrs.Hash{raw}, nil, false, []addrs.Hash{unpacked, raw}},
		{[]addrs.Hash{zh, raw, wrong}, nil, false, []addrs.Hash{unpacked, raw, zh}},
		{nil, []addrs.Hash{wrong}, false, []addrs.Hash{unpacked}},
		{nil, []addrs.Hash{wrong}, true, nil},
		{nil, []addrs.Hash{wrong, zh}, true, []addrs.Hash{unpacked, zh}},
		{[]addrs.Hash{zh}, []addrs.Hash{wrong}, true, []addrs.Hash{unpacked, zh}},
	} {
		own, other, tool = tt.own, tt.other, addrs.Terraform
		if res, err := get(tt.trust); err == nil && !slices.Equal(res.LockHashes(registry.RuleTofu), []addrs.Hash{unpacked}) {
			t.Errorf("%+v: Terraform records the h1 of the files, got %s", tt, res.LockHashes(registry.RuleTofu))
		}
		tool = addrs.OpenTofu
		res, err := get(tt.trust)
		if (tt.want == nil) != errors.Is(err, addrs.ErrMismatch) {
			t.Errorf("%v: got %v", tt, err)
		}
		slices.Sort(tt.want)
		if got := res.LockHashes(registry.RuleTofu); !slices.Equal(got, tt.want) {
			t.Errorf("%v: got %v", tt, got)
		}
	}
}

// Versions of modules are selected by other rules than those of providers.
func TestModuleVersionList_Newest(t *testing.T) {
	var l registry.ModuleVersionList
	for _, s := range []string{"0.0.0", "1.0.0", "1.1.0-beta", "1.1.0+b", "1.2.0", "2.0.0-rc1"} {
		l.Versions = append(l.Versions, addrs.MustParseVersion(s))
	}
	for c, want := range map[string]string{
		"":                            "1.2.0",
		"~> 0.0.0":                    "0.0.0",
		"< 1.0.0":                     "0.0.0",
		"1.1.0":                       "1.1.0+b",
		"1.1.0+a":                     "1.1.0+b",
		"!= 1.2.0+x":                  "1.1.0+b",
		"!= 1.1.0-beta":               "1.2.0",
		"1.1.0-beta":                  "1.1.0-beta",
		"1.1.0-beta, >= 1.0.0":        "",
		">= 1.0.0-alpha, < 1.1.0":     "1.0.0",
		"> 1.2.0-beta":                "1.2.0",
		"<= 1.2.0-beta":               "1.1.0+b",
		"~> 1.0.0-alpha":              "",
		"~> 1.0":                      "1.2.0",
		"~> 1.0.0":                    "1.0.0",
		">= 2.0.0-alpha":              "",
		"2.0.0-rc1":                   "2.0.0-rc1",
		"2.0.0-rc1, != 2.0.0-rc1":     "", // = 2.0.0-rc1, with a space
		"> 0.0.0, <= 1.1.0, != 1.1.0": "1.0.0",
	} {
		v, ok := l.Newest(addrs.MustParseConstraints(c))
		if v.String() != want || ok != (want != "") {
			t.Errorf("%q: got %q, want %q", c, v, want)
		}
	}
}

// The user information of a mirror, and that of a package, is sent to its origin alone, and is in no text.
func TestMirror_login(t *testing.T) {
	var sent []string
	c := registry.Client{HTTP: &http.Client{Transport: transport(func(q *http.Request) string {
		sent = append(sent, q.URL.Host+q.URL.Path+" "+q.Header.Get("Authorization"))
		switch path.Base(q.URL.Path) {
		case "index.json":
			return `{"versions":{"1.0.0":{}}}`
		case "1.0.0.json":
			return `{"archives":{"linux_amd64":{"url":"near.zip"},"linux_arm64":{"url":"https://other.example/far.zip"},
				"linux_arm":{"url":"https://you:hidden@third.example/own.zip"},"linux_386":{"url":"https://other.example/moved"}}}`
		case "moved":
			return "redirect: https://you:hidden@third.example/own.zip"
		}
		return "not a zip"
	})}}
	m, err := c.Mirror(" https://me:secret@mirror.example/p/ ", registry.MirrorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Versions(t.Context(), acmeNull); err != nil {
		t.Fatal(err)
	}
	text := m.URL()
	for _, platform := range []string{"linux_amd64", "linux_arm64", "linux_arm", "linux_386"} {
		pkg, err := m.Package(t.Context(), acmeNull, v100, addrs.MustParsePlatform(platform))
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Download(t.Context(), pkg, io.Discard)
		_, err2 := c.Fetch(t.Context(), pkg, filepath.Join(t.TempDir(), "none", "x"))
		text += fmt.Sprint(pkg.Source, err, err2)
	}
	if strings.Contains(text, "secret") || strings.Contains(text, "me:") || strings.Contains(text, "hidden") {
		t.Errorf("the text is %s", text)
	}
	for _, s := range sent {
		if strings.HasPrefix(s, "mirror.example/p/") != strings.HasSuffix(s, " Basic bWU6c2VjcmV0") {
			t.Errorf("sent %s", s)
		}
		if strings.HasPrefix(s, "third.example/own.zip") != strings.HasSuffix(s, " Basic eW91OmhpZGRlbg==") {
			t.Errorf("sent %s", s)
		}
	}
	if len(sent) < 7 {
		t.Errorf("sent %q", sent)
	}
}

// A transport answers with JSON.
type transport func(*http.Request) string

func (f transport) RoundTrip(q *http.Request) (*http.Response, error) {
	body, status := f(q), http.StatusOK
	to, ok := strings.CutPrefix(body, "redirect: ")
	if ok {
		status = http.StatusFound
	}
	return &http.Response{StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}, "Location": {to}}, Request: q,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}, nil
}
