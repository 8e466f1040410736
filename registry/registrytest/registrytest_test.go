// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registrytest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

var target = registrytest.Target{
	Provider: addrs.MustParseProvider("registry.example.org/acme/null"),
	Module:   registry.Module{Host: "registry.example.org", Namespace: "acme", Name: "net", System: "test"},
}

func start(t *testing.T, version string) *registrytest.Server {
	t.Helper()
	return registrytest.Start(t, registrytest.Content{
		Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: version, Reported: true}}}},
		Modules:   []registrytest.Module{{Namespace: "acme", Name: "net", System: "test", Versions: []string{"1.0.0"}}},
	})
}

// A sound registry gets a clean report.
func TestLint_clean(t *testing.T) {
	srv := start(t, "1.0.0")
	r := registrytest.Lint(t.Context(), srv.Registry(), target)
	for _, f := range r.Findings {
		if f.Level != registrytest.LevelOK {
			t.Error(f)
		}
	}
	for _, check := range []string{"discovery", "base-url", "versions", "unknown-provider", "unknown-platform", "package", "checksums", "signature", "download", "ranges", "module", "module-location"} {
		if !strings.Contains(r.String(), " "+check+" ") {
			t.Errorf("no finding about %s in\n%s", check, r)
		}
	}
	if !r.OK() {
		t.Error("the report is not OK")
	}
}

// Only the default registry is believed when it reports hashes, so only it should.
func TestLint_reported(t *testing.T) {
	srv := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.0.0"}}}}})
	for host, want := range map[string]bool{addrs.DefaultHost: true, "registry.example.org": false} {
		r := registrytest.Lint(t.Context(), srv.Registry(), registrytest.Target{Provider: addrs.MustParseProvider(host + "/acme/null")})
		if got := strings.Contains(r.String(), "no member packages"); got != want {
			t.Errorf("%s: got %v\n%s", host, got, r)
		}
	}
}

func TestLevel_string(t *testing.T) {
	for l, want := range map[registrytest.Level]string{
		registrytest.LevelOK: "ok", registrytest.LevelAdvice: "advice", registrytest.LevelProblem: "problem", -1: "Level(-1)",
	} {
		if l.String() != want {
			t.Errorf("got %q, want %q", l, want)
		}
	}
}

// Faults are found, each by the check that is about it.
func TestLint_faults(t *testing.T) {
	tests := []struct {
		fault registrytest.Fault
		level registrytest.Level
		check string
	}{
		{"discovery-html", registrytest.LevelProblem, "discovery"},
		{"discovery-no-slash", registrytest.LevelProblem, "base-url"},
		{"discovery-foreign", registrytest.LevelAdvice, "token-origin"},
		{"versions-with-v", registrytest.LevelProblem, "versions"},
		{"versions-number", registrytest.LevelProblem, "version-form"},
		{"versions-duplicate", registrytest.LevelProblem, "version-form"},
		{"versions-empty", registrytest.LevelAdvice, "versions"},
		{"versions-null-platform", registrytest.LevelAdvice, "platforms"},
		{"package-no-protocols", registrytest.LevelProblem, "protocols"},
		{"package-other-platform", registrytest.LevelProblem, "package"},
		{"key-none", registrytest.LevelProblem, "signing-keys"},
		{"key-null", registrytest.LevelProblem, "package"},
		{"key-private", registrytest.LevelAdvice, "signature"},
		{"reported-conflict", registrytest.LevelProblem, "package"},
		{"sums-blank-line", registrytest.LevelProblem, "checksums"},
		{"sums-long-hex", registrytest.LevelProblem, "checksums"},
		{"sums-crlf", registrytest.LevelProblem, "checksums"},
		{"sums-duplicate", registrytest.LevelProblem, "checksums"},
		{"sums-404", registrytest.LevelProblem, "signature"},
		{"signature-swapped", registrytest.LevelProblem, "signature"},
		{"zip-flipped", registrytest.LevelProblem, "download"},
		{"zip-dies-no-range", registrytest.LevelAdvice, "ranges"},
		{"module-null", registrytest.LevelProblem, "module"},
		{"module-odd-version", registrytest.LevelProblem, "module-version"},
		{"module-local", registrytest.LevelProblem, "module-location"},
	}
	for _, tt := range tests {
		t.Run(string(tt.fault), func(t *testing.T) {
			t.Parallel()
			srv := start(t, "1.0.0")
			srv.Inject(tt.fault)
			r := registrytest.Lint(t.Context(), srv.Registry(), target)
			found := false
			for _, f := range r.Findings {
				found = found || f.Level == tt.level && f.Check == tt.check
			}
			if !found {
				t.Errorf("no %s about %s in\n%s", tt.level, tt.check, r)
			}
			if r.OK() == (tt.level == registrytest.LevelProblem) {
				t.Errorf("OK is %v", r.OK())
			}
		})
	}
	srv := start(t, "1.0")
	if r := registrytest.Lint(t.Context(), srv.Registry(), target); r.OK() || !strings.Contains(r.String(), "asks for 1.0.0") {
		t.Errorf("a version that is not in normal form: got\n%s", r)
	}
}

// Every fault has a description, and the crashes of OpenTofu are there.
func TestFaults(t *testing.T) {
	crashes := 0
	for _, f := range registrytest.Faults() {
		if f.Describe() == "" {
			t.Errorf("%s has no description", f)
		}
		if strings.Contains(f.Describe(), "crashes OpenTofu") {
			crashes++
		}
	}
	if crashes < 8 {
		t.Errorf("%d faults crash OpenTofu, want 8", crashes)
	}
}

// Every fault changes an answer.
func TestFaults_changeSomething(t *testing.T) {
	content := registrytest.Content{
		Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.0.0", Reported: true, Zip: func(string) []byte {
			return bytes.Repeat([]byte("not really a zip "), 2000)
		}}}}},
		Modules: []registrytest.Module{{Namespace: "acme", Name: "net", System: "test", Versions: []string{"1.0.0"}, JSON: true}},
	}
	const dl = "/dl/acme/null/1.0.0/terraform-provider-null_1.0.0_"
	paths := []string{
		"/.well-known/terraform.json", "/v1/providers/acme/null/versions", "/v1/providers/acme/null/1.0.0/download/linux/amd64",
		dl + "SHA256SUMS", dl + "SHA256SUMS.sig", dl + "linux_amd64.zip", dl + "linux_amd64.zip",
		"/mirror/x.example/acme/null/index.json", "/mirror/x.example/acme/null/1.0.0.json",
		"/v1/modules/acme/net/test/versions", "/v1/modules/acme/net/test/1.0.0/download",
	}
	// ask returns all answers as one text. Signatures differ each time, a little
	// also in length, because their numbers lose leading zeros.
	ask := func(srv *registrytest.Server) string {
		var b strings.Builder
		client := srv.Client()
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		for i, path := range paths {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			if strings.Contains(path, "SHA256SUMS.sig") {
				sums, sig := get(ctx, client, paths[i-1], ""), get(ctx, client, path, "")
				ring, err := openpgp.ReadArmoredKeyRing(strings.NewReader(registrytest.Armored(srv.Key)))
				if err != nil {
					t.Fatal(err)
				}
				_, sums, _ = strings.Cut(sums, "\n")
				status, sig, _ := strings.Cut(sig, "\n")
				_, err = openpgp.CheckDetachedSignature(ring, strings.NewReader(sums), strings.NewReader(sig), nil)
				fmt.Fprintln(&b, path, status, len(sig) > 64, err)
			} else {
				fmt.Fprintln(&b, path, get(ctx, client, path, ""), get(ctx, client, path, "bytes=100-"))
			}
			cancel()
		}
		return b.String()
	}
	srv, err := registrytest.NewServer(content)
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	clean := ask(srv)
	if again := ask(srv); again != clean {
		t.Fatal("two clean answers differ")
	}
	for _, f := range registrytest.Faults() {
		if strings.HasSuffix(string(f), "-drip") {
			continue // they never end
		}
		srv.Clear()
		srv.Inject(f)
		if ask(srv) == clean {
			t.Errorf("%s changes nothing", f)
		}
	}
}

// get returns status and headers that matter, and up to a megabyte of body.
func get(ctx context.Context, client *http.Client, path, ranges string) string {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://registry.example.org"+path, nil)
	if err != nil {
		return err.Error()
	}
	if ranges != "" {
		req.Header.Set("Range", ranges)
	}
	resp, err := client.Do(req)
	if err != nil {
		return "broken"
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return fmt.Sprint(resp.StatusCode, resp.Header.Get("Content-Type"), resp.Header.Get("Location"), resp.Header.Get("Content-Range"), resp.Header.Get("Retry-After"), err != nil, "\n", string(body))
}

// Several clients at once get sound answers, whatever the server does with its
// keys; with the race detector this says that it does so for one at a time.
func TestServer_keysAtOnce(t *testing.T) {
	for _, fault := range []registrytest.Fault{"key-private", "key-subkey", "key-expired", "signature-swapped"} {
		t.Run(string(fault), func(t *testing.T) {
			srv := start(t, "1.0.0")
			srv.Inject(fault)
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					c := srv.Registry()
					pkg, err := c.Package(t.Context(), target.Provider, addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64"))
					if err != nil {
						t.Error(err)
						return
					}
					if _, err := c.Authenticate(t.Context(), pkg); (err == nil) != fault.Harmless() {
						t.Errorf("got %v", err)
					}
					if _, err := srv.Key.Sign([]byte(srv.Key.ID()), time.Now()); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		})
	}
}

// Every hostile zip has a name that says why.
func TestHostileZips(t *testing.T) {
	if n := len(registrytest.HostileZips()); n < 20 {
		t.Errorf("%d zips", n)
	}
}

// The server is a real one: programs reach it at its address.
func TestServer_address(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.zip")
	if err := os.WriteFile(file, registrytest.MakeZip(registrytest.File{Name: "terraform-provider-x", Content: "x", Mode: 0o755}), 0o600); err != nil {
		t.Fatal(err)
	}
	srv, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{{Namespace: "a", Type: "x", Warnings: []string{"old"},
		Versions: []registrytest.Version{{Version: "1.0.0", File: func(string) string { return file }}}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	c := srv.Registry()
	p := addrs.MustParseProvider(srv.Host() + "/a/x")
	list, err := c.Versions(t.Context(), p)
	if err != nil || len(list.Warnings) != 1 {
		t.Fatalf("got %+v, %v", list, err)
	}
	pkg, err := c.Package(t.Context(), p, addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Download(t.Context(), pkg, io.Discard); err != nil {
		t.Fatal(err)
	}
	if srv.Package("a", "y", "1.0.0", "linux_amd64") != nil || srv.Package("a", "x", "2.0.0", "linux_amd64") != nil || srv.Package("a", "x", "1.0.0", "plan9_386") != nil {
		t.Error("a package that is not there")
	}
	resp, err := srv.Client().Get("https://any.example/nothing")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", resp.StatusCode)
	}
}

// Test a program of your own against a registry that is being attacked.
func Example() {
	srv, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{
		{Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.0.0"}}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	srv.Inject("signature-swapped")

	client := srv.Registry() // or a program with srv.Host() and srv.CertificatePEM()
	ctx := context.Background()
	pkg, err := client.Package(ctx, addrs.MustParseProvider("acme/null"), addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64"))
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Authenticate(ctx, pkg)
	fmt.Println(err != nil, srv.Count(registrytest.KindZip), "downloads")
	// Output: true 0 downloads
}

// Have a program list the versions of a provider, and see what it asks for. In
// a test, [registrytest.Start] closes the server by itself.
func ExampleServer_Requests_listVersions() {
	srv, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{
		{Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.10.0"}, {Version: "1.9.0"}, {Version: "2.0.0-beta1"}}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()

	list, err := srv.Registry().Versions(context.Background(), addrs.MustParseProvider("registry.example.org/acme/null"))
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range list.Versions {
		fmt.Println(v.Version, v.Platforms)
	}
	for _, r := range srv.Requests() {
		fmt.Println(r.Kind, r.Host, r.Path)
	}
	// Output:
	// 1.9.0 [linux_amd64]
	// 1.10.0 [linux_amd64]
	// 2.0.0-beta1 [linux_amd64]
	// discovery registry.example.org /.well-known/terraform.json
	// versions registry.example.org /v1/providers/acme/null/versions
}

// Check your own registry before its users do.
func ExampleLint() {
	srv, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{
		{Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.0.0"}}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	srv.Inject("sums-blank-line")

	report := registrytest.Lint(context.Background(), srv.Registry(), registrytest.Target{
		Provider: addrs.MustParseProvider("registry.example.org/acme/null"),
	})
	for _, f := range report.Findings {
		if f.Level == registrytest.LevelProblem {
			fmt.Println(f.Check, "-", f.Text)
		}
	}
	// Output:
	// checksums - line 1: a blank line crashes OpenTofu
	// checksums - line 3: a blank line crashes OpenTofu
}

// A plugin that is not executable is a problem, except on Windows; another file of a package is not.
func TestLint_executable(t *testing.T) {
	for _, tt := range []struct {
		platform string
		mode     fs.FileMode
		want     registrytest.Level
		found    bool
	}{
		{"linux_amd64", 0o644, registrytest.LevelProblem, true},
		{"linux_amd64", 0o755, registrytest.LevelOK, true},
		{"windows_amd64", 0o644, registrytest.LevelOK, false},
	} {
		zip := registrytest.MakeZip(registrytest.File{Name: "terraform-provider-null_v1.0.0", Content: "x", Mode: tt.mode}, registrytest.File{Name: "README.md", Content: "x"})
		srv := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{
			{Version: "1.0.0", Platforms: []string{tt.platform}, Zip: func(string) []byte { return zip }},
		}}}})
		found := false
		for _, f := range registrytest.Lint(t.Context(), srv.Registry(), registrytest.Target{Provider: addrs.MustParseProvider("registry.example.org/acme/null")}).Findings {
			if f.Check == "executable" {
				found = true
				if f.Level != tt.want {
					t.Errorf("%s with %v: %v", tt.platform, tt.mode, f)
				}
			}
		}
		if found != tt.found {
			t.Errorf("%s with %v: found is %v", tt.platform, tt.mode, found)
		}
	}
}
