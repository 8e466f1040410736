// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// The tests of this file check conformance with the registry protocols and with
// OpenTofu, one point each. TestFaults has further points, by the names of the
// faults.

// The statuses, and the error that each means.
func TestConformance_statusMapping(t *testing.T) {
	tests := []struct {
		fault    registrytest.Fault
		want     error
		requests int
		retry    time.Duration
	}{
		{"versions-404", registry.ErrNotFound, 1, 0},
		{"versions-401", registry.ErrUnauthorized, 1, 0},
		{"versions-403", registry.ErrUnauthorized, 1, 0},
		{"versions-429", registry.ErrRateLimited, 1, time.Hour},
		{"versions-503", registry.ErrRateLimited, 1, 24 * time.Hour},
		{"versions-500", nil, 3, 0},
		{"versions-501", nil, 1, 0},
		{"versions-cut", nil, 3, 0},
		{"versions-garbage", registry.ErrBadResponse, 1, 0},
	}
	for _, tt := range tests {
		t.Run(string(tt.fault), func(t *testing.T) {
			srv := registrytest.Start(t, content())
			srv.Inject(tt.fault)
			_, err := srv.Registry().Versions(t.Context(), acmeNull)
			var e *registry.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			if tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if got := srv.Count(registrytest.KindVersions); got != tt.requests {
				t.Errorf("%d requests, want %d", got, tt.requests)
			}
			if e.RetryAfter != tt.retry {
				t.Errorf("RetryAfter is %s, want %s", e.RetryAfter, tt.retry)
			}
		})
	}
}

// Relative service URLs are resolved against the URL that finally gave the
// discovery document, after redirects.
func TestConformance_discoveryAfterRedirect(t *testing.T) {
	srv := registrytest.Start(t, content())
	srv.Inject("redirect-foreign")
	u, err := srv.Registry().Service(t.Context(), "registry.example.org", registry.ProvidersV1)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := u.String(), "https://elsewhere.example.org/v1/providers/"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The module client adds a missing slash to its base URL, the provider client
// does not.
func TestConformance_missingSlash(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	c.Services = map[string]map[string]string{"registry.example.org": {
		registry.ProvidersV1: "https://registry.example.org/v1/providers",
		registry.ModulesV1:   "https://registry.example.org/v1/modules",
	}}
	_, err := c.Versions(t.Context(), acmeNull)
	if !errors.Is(err, registry.ErrNotFound) || !strings.Contains(err.Error(), "slash") {
		t.Errorf("provider: got %v, want a hint at the slash", err)
	}
	if _, err := c.ModuleVersions(t.Context(), acmeNet); err != nil {
		t.Errorf("module: %v", err)
	}
}

// Hosts with ports, in Unicode, and in punycode.
func TestConformance_hosts(t *testing.T) {
	srv := registrytest.Start(t, content())
	for _, source := range []string{"registry.example.org:8443/acme/null", "bücher.example/acme/null", "acme/null"} {
		p := addrs.MustParseProvider(source)
		if _, err := srv.Registry().Versions(t.Context(), p); err != nil {
			t.Errorf("%s: %v", source, err)
		}
		last := srv.Requests()[len(srv.Requests())-1]
		if last.Host != p.ASCIIHost() {
			t.Errorf("%s: the Host header is %s, want %s", source, last.Host, p.ASCIIHost())
		}
	}
	for _, host := range []string{"", "a/b", "a@b", "a?b", "a b", "[::1"} {
		if _, err := srv.Registry().Service(t.Context(), host, registry.ProvidersV1); err == nil {
			t.Errorf("host %q: no error", host)
		}
	}
}

// The answer for a package: all fields.
func TestConformance_package(t *testing.T) {
	srv := registrytest.Start(t, content())
	pkg, err := srv.Registry().Package(t.Context(), acmeNull, v100, linux)
	if err != nil {
		t.Fatal(err)
	}
	want := srv.Package("acme", "null", "1.0.0", "linux_amd64")
	other := srv.Package("acme", "null", "1.0.0", "darwin_arm64")
	base := "https://registry.example.org/dl/acme/null/1.0.0/"
	got := map[string]any{
		"filename": pkg.Filename, "sha256": pkg.SHA256, "size": pkg.Size, "protocols": pkg.Protocols, "keys": len(pkg.SigningKeys),
		"url": pkg.URL.String(), "sums": pkg.ChecksumsURL.String(), "sig": pkg.SignatureURL.String(), "origin": pkg.Origin, "source": pkg.Source,
		"reported": pkg.Reported,
	}
	if diff := cmp.Diff(map[string]any{
		"filename": want.Filename, "sha256": want.SHA256, "size": want.Size, "protocols": []string{"5.0"}, "keys": 1,
		"url": base + want.Filename, "sums": base + "terraform-provider-null_1.0.0_SHA256SUMS",
		"sig": base + "terraform-provider-null_1.0.0_SHA256SUMS.sig", "origin": registry.FromRegistry, "source": "registry.example.org",
		"reported": map[addrs.Platform]registry.Reported{
			linux:  {Hashes: []addrs.Hash{want.H1, want.Hash()}, Size: want.Size},
			darwin: {Hashes: []addrs.Hash{other.H1, other.Hash()}, Size: other.Size},
		},
	}, got, cmp.Comparer(func(a, b addrs.Platform) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
}

// Protocols: compatible ones, and a suggestion where there are none.
func TestConformance_protocols(t *testing.T) {
	c := content()
	c.Providers[0].Versions = []registrytest.Version{
		{Version: "1.0.0", Protocols: []string{"4.0"}},
		{Version: "1.1.0", Protocols: []string{"5.1"}},
		{Version: "2.0.0", Protocols: []string{"7.0"}},
		{Version: "3.0.0-beta", Protocols: []string{"6.0"}},
	}
	srv := registrytest.Start(t, c)
	tests := []struct {
		version   string
		protocols []int
		want      string // "" for no error
	}{
		{"1.0.0", nil, "version 1.1.0 would fit"},
		{"2.0.0", nil, "version 1.1.0 would fit"},
		{"1.1.0", nil, ""},
		{"1.1.0", []int{8}, "speaks 5.1, not 8"},
		{"2.0.0", []int{}, ""},
		{"2.0.0", []int{7}, ""},
	}
	for _, tt := range tests {
		client := srv.Registry()
		client.Protocols = tt.protocols
		_, err := client.Package(t.Context(), acmeNull, addrs.MustParseVersion(tt.version), linux)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s for %v: %v", tt.version, tt.protocols, err)
		case tt.want != "" && (!errors.Is(err, registry.ErrUnsupportedProtocol) || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s for %v: got %v, want %q", tt.version, tt.protocols, err, tt.want)
		}
	}
}

// A missing platform is told from a missing version and a missing provider.
func TestConformance_unsupportedPlatform(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	z80 := addrs.MustParsePlatform("cpm_z80")
	_, err := c.Package(t.Context(), acmeNull, v100, z80)
	if !errors.Is(err, registry.ErrUnsupportedPlatform) || errors.Is(err, registry.ErrNotFound) || !strings.Contains(err.Error(), "linux_amd64") {
		t.Errorf("platform: %v", err)
	}
	_, err = c.Package(t.Context(), acmeNull, addrs.MustParseVersion("9.9.9"), linux)
	if !errors.Is(err, registry.ErrNotFound) || errors.Is(err, registry.ErrUnsupportedPlatform) || !strings.Contains(err.Error(), "version 9.9.9") {
		t.Errorf("version: %v", err)
	}
	_, err = c.Package(t.Context(), addrs.MustParseProvider("registry.example.org/acme/nix"), v100, linux)
	if !errors.Is(err, registry.ErrNotFound) || errors.Is(err, registry.ErrUnsupportedPlatform) || !strings.Contains(err.Error(), "provider") {
		t.Errorf("provider: %v", err)
	}
	for _, p := range []addrs.Provider{{}, addrs.MustParseProvider("terraform.io/builtin/terraform"), addrs.MustParseProvider("-/aws")} {
		if _, err := c.Versions(t.Context(), p); err == nil {
			t.Errorf("%q: no error", p)
		}
	}
}

// Which hashes go in a lock, by host, enforcement, signature, and reported
// hashes.
func TestConformance_lockHashes(t *testing.T) {
	const foreign = "zh:abababababababababababababababababababababababababababababababab"
	unsigned := addrs.MustParseProvider("acme/unsigned")
	c := content()
	c.Providers = append(c.Providers, registrytest.Provider{Namespace: "acme", Type: "unsigned", Unsigned: true, Versions: []registrytest.Version{
		{Version: "1.0.0", Platforms: []string{"linux_amd64", "darwin_arm64"}, Reported: true},
	}})
	srv := registrytest.Start(t, c)
	srv.Inject("sums-manifest")
	own := addrs.MustParseProvider("acme/null") // on the default registry
	tests := []struct {
		name     string
		provider addrs.Provider
		policy   registry.Policy
		rule     registry.Rule
		want     string // letters: h, H: h1 of linux, darwin; z, Z: zh; f: of the foreign line
		proof    registry.Proof
	}{
		{"signed, other host", acmeNull, registry.Policy{}, registry.RuleTofu, "hzZf", registry.Signed},
		{"signed, other host, strict", acmeNull, registry.Policy{}, registry.RuleStrict, "hzZ", registry.Signed},
		{"signed, default host", own, registry.Policy{}, registry.RuleTofu, "hHzZf", registry.Signed},
		{"signed, default host, enforced", own, registry.Policy{RequireSigned: true}, registry.RuleTofu, "hzZf", registry.Signed},
		{"signed, default host, strict", own, registry.Policy{}, registry.RuleStrict, "hzZ", registry.Signed},
		{"unsigned, default host", unsigned, registry.Policy{}, registry.RuleTofu, "hHzZf", registry.ChecksumOnly},
		{"unsigned, default host, strict", unsigned, registry.Policy{}, registry.RuleStrict, "hz", registry.ChecksumOnly},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			client := srv.Registry()
			client.Policy = tt.policy
			pkg, err := client.Package(t.Context(), tt.provider, v100, linux)
			if err != nil {
				t.Fatal(err)
			}
			res, err := client.Fetch(t.Context(), pkg, filepath.Join(t.TempDir(), "p.zip"))
			if err != nil {
				t.Fatal(err)
			}
			if res.Proof != tt.proof {
				t.Errorf("proof is %q, want %q", res.Proof, tt.proof)
			}
			l := srv.Package("acme", tt.provider.Type(), "1.0.0", "linux_amd64")
			d := srv.Package("acme", tt.provider.Type(), "1.0.0", "darwin_arm64")
			names := map[addrs.Hash]string{l.H1: "h", d.H1: "H", l.Hash(): "z", d.Hash(): "Z", foreign: "f"}
			got := ""
			for _, h := range res.LockHashes(tt.rule) {
				if names[h] == "" {
					t.Errorf("unexpected hash %s", h)
				}
				got += names[h]
			}
			if letters(got) != letters(tt.want) {
				t.Errorf("got %q, want %q", letters(got), letters(tt.want))
			}
		})
	}

	// Without a key, the default registry passes and others do not, and
	// none does if a signature is required.
	for _, tt := range []struct {
		source   string
		required bool
		ok       bool
	}{
		{"acme/unsigned", false, true},
		{"acme/unsigned", true, false},
		{"registry.example.org/acme/unsigned", false, false},
		{"registry.terraform.io/acme/unsigned", false, false},
	} {
		client := srv.Registry()
		client.Policy.RequireSigned = tt.required
		pkg, err := client.Package(t.Context(), addrs.MustParseProvider(tt.source), v100, linux)
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Authenticate(t.Context(), pkg)
		if ok := err == nil; ok != tt.ok || !ok && !errors.Is(err, registry.ErrUnsigned) {
			t.Errorf("%s, required %v: %v", tt.source, tt.required, err)
		}
	}
}

func letters(s string) string {
	b := []byte(s)
	slices.Sort(b)
	return string(b)
}

// Expired keys, expired signatures and signatures from the future count only
// if accepted; armor likewise; revoked keys never.
func TestConformance_signaturePolicy(t *testing.T) {
	tests := []struct {
		fault  registrytest.Fault
		policy registry.Policy
		want   string // of the caveat, or "no" for an error
	}{
		{"key-expired", registry.Policy{}, "no"},
		{"key-expired", registry.Policy{AcceptExpired: true}, "the signing key has expired"},
		{"key-expired", registry.Policy{Time: func() time.Time { return time.Now().Add(-800 * time.Hour) }}, ""},
		{"signature-expired", registry.Policy{}, "no"},
		{"signature-expired", registry.Policy{AcceptExpired: true}, "the signature has expired"},
		{"signature-future", registry.Policy{}, "no"},
		{"signature-future", registry.Policy{AcceptExpired: true}, "future"},
		{"signature-armored", registry.Policy{}, "no"},
		{"signature-armored", registry.Policy{AcceptArmored: true}, ""},
		{"key-revoked", registry.Policy{AcceptExpired: true, AcceptArmored: true}, "no"},
		{"key-subkey", registry.Policy{}, ""},
		{"key-second", registry.Policy{}, ""},
		{"key-one-armor", registry.Policy{}, ""},
		{"signature-two", registry.Policy{}, ""},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.fault, " ", tt.want), func(t *testing.T) {
			srv := registrytest.Start(t, content())
			srv.Inject(tt.fault)
			c := srv.Registry()
			c.Policy = tt.policy
			pkg, err := c.Package(t.Context(), acmeNull, v100, linux)
			if err != nil {
				t.Fatal(err)
			}
			auth, err := c.Authenticate(t.Context(), pkg)
			if tt.want == "no" {
				if !errors.Is(err, registry.ErrBadSignature) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(auth.Signer.Caveat, tt.want) || (tt.want == "") != (auth.Signer.Caveat == "") {
				t.Errorf("caveat is %q, want %q", auth.Signer.Caveat, tt.want)
			}
			if tt.want != "" && len(auth.Warnings) == 0 {
				t.Error("no warning")
			}
			if len(auth.Signer.KeyID) != 16 || auth.Signer.KeyID != strings.ToUpper(auth.Signer.KeyID) || auth.Signer.Identity == "" {
				t.Errorf("signer is %+v", auth.Signer)
			}
		})
	}
}

// Pinned keys replace the published ones, for good and for bad.
func TestConformance_pinnedKeys(t *testing.T) {
	srv := registrytest.Start(t, content())
	stranger, err := registrytest.NewKey("Stranger", time.Now().Add(-time.Hour), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		key  *registrytest.Key
		ok   bool
	}{{"right", srv.Key, true}, {"wrong", stranger, false}} {
		c := srv.Registry()
		c.Policy.Keys = func(addrs.Provider) []string { return []string{registrytest.Armored(tt.key)} }
		pkg, err := c.Package(t.Context(), acmeNull, v100, linux)
		if err != nil {
			t.Fatal(err)
		}
		auth, err := c.Authenticate(t.Context(), pkg)
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
		if tt.ok && !auth.Signer.Pinned {
			t.Errorf("%s: the signer is not called pinned", tt.name)
		}
	}
}

// A token belongs to an origin.
func TestConformance_tokenOrigin(t *testing.T) {
	const token = "s3cret"
	tests := []struct {
		name  string
		fault registrytest.Fault
		setup func(c *registry.Client)
		seen  map[string]bool // by origin: did it see the token
	}{
		{"own origin", "redirect-once", nil, map[string]bool{"registry.example.org": true}},
		{"other port", "", func(c *registry.Client) {
			c.Credentials = registry.Tokens{"registry.example.org:8443": token}
		}, map[string]bool{"registry.example.org": false}},
		{"redirect to another host", "redirect-foreign", nil, map[string]bool{"registry.example.org": true, "elsewhere.example.org": false}},
		{"service on another host", "discovery-foreign", nil, map[string]bool{"registry.example.org": true, "elsewhere.example.org": false}},
		{"service on another host, allowed", "discovery-foreign", func(c *registry.Client) {
			c.SendToken = func(host string, to *url.URL) bool { return to.Host == "elsewhere.example.org" }
		}, map[string]bool{"registry.example.org": true, "elsewhere.example.org": true}},
		{"configured service", "", func(c *registry.Client) {
			c.Services = map[string]map[string]string{"registry.example.org": {registry.ProvidersV1: "https://api.example.org/v1/providers/"}}
		}, map[string]bool{"api.example.org": true}},
		{"service without TLS", "discovery-http", func(c *registry.Client) { c.AllowHTTP = true }, map[string]bool{"registry.example.org": true, "": false}},
		{"service without TLS, allowed", "discovery-http", func(c *registry.Client) {
			c.AllowHTTP = true
			c.SendToken = func(string, *url.URL) bool { return true }
		}, map[string]bool{"registry.example.org": true, "": true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := registrytest.Start(t, content())
			if tt.fault != "" {
				srv.Inject(tt.fault)
			}
			c := srv.Registry()
			c.Credentials = registry.Tokens{"registry.example.org": token}
			if tt.setup != nil {
				tt.setup(c)
			}
			if _, err := c.Versions(t.Context(), acmeNull); err != nil {
				t.Fatal(err)
			}
			for _, r := range srv.Requests() {
				host := r.Host
				if !r.TLS {
					host = "" // the origin without TLS
				}
				want, ok := tt.seen[host]
				if !ok {
					t.Errorf("unexpected request to %q", host)
				}
				// Once the origin has changed, the token is gone.
				if got := r.Authorization == "Bearer "+token; got != want {
					t.Errorf("%s %s: token sent: %v, want %v", r.Host, r.Path, got, want)
				}
			}
		})
	}
}

// No token goes to checksums, signatures and packages, unless asked for.
func TestConformance_downloadsAreAnonymous(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	c.Credentials = registry.Tokens{"registry.example.org": "s3cret"}
	if _, err := install(t.Context(), c, c, filepath.Join(t.TempDir(), "p")); err != nil {
		t.Fatal(err)
	}
	for _, r := range srv.Requests() {
		download := r.Kind == registrytest.KindChecksums || r.Kind == registrytest.KindSignature || r.Kind == registrytest.KindZip
		if download == (r.Authorization != "") {
			t.Errorf("%s: authorization is %q", r.Kind, r.Authorization)
		}
	}

	netrc := registry.ParseNetrc([]byte("machine registry.example.org login me password pw\n"))
	c = srv.Registry()
	c.DownloadAuthorization = netrc.Authorization
	srv.Clear()
	srv.Inject("redirect-foreign")
	pkg, err := c.Package(t.Context(), acmeNull, v100, linux)
	if err != nil {
		t.Fatal(err)
	}
	srv.Clear()
	pkgCopy := *pkg
	pkgCopy.URL = &url.URL{Scheme: "https", Host: "registry.example.org", Path: pkg.URL.Path}
	srv.Inject("redirect-foreign")
	if _, err := c.Download(t.Context(), &pkgCopy, &strings.Builder{}); err != nil {
		t.Fatal(err)
	}
	for _, r := range srv.Requests() {
		if want := r.Host == "registry.example.org"; want != (r.Authorization == "Basic bWU6cHc=") {
			t.Errorf("%s: authorization is %q", r.Host, r.Authorization)
		}
	}
}

// An error about a missing permission says what was sent.
func TestConformance_unauthorizedSaysWhy(t *testing.T) {
	for _, tt := range []struct {
		name   string
		tokens registry.Credentials
		fault  registrytest.Fault
		want   string
	}{
		{"none configured", nil, "", "there are no credentials for registry.example.org"},
		{"none for the host", registry.Tokens{"x.example": "t"}, "", "there are no credentials for registry.example.org"},
		{"sent", registry.Tokens{"registry.example.org": "t"}, "", "the token of registry.example.org was sent"},
		{"withheld", registry.Tokens{"registry.example.org": "t"}, "discovery-foreign", "was not sent to https://elsewhere.example.org:443"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := registrytest.Start(t, content())
			srv.Inject("versions-401", tt.fault)
			c := srv.Registry()
			c.Credentials = tt.tokens
			_, err := c.Versions(t.Context(), acmeNull)
			if !errors.Is(err, registry.ErrUnauthorized) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// The helper protocol, with a time limit.
func TestConformance_credentialsHelper(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell, which the helper is written for")
	}
	script := filepath.Join(t.TempDir(), "terraform-credentials-test")
	if err := os.WriteFile(script, []byte(`#!/bin/sh
[ "$1" = "--vault=x" ] && [ "$2" = get ] || exit 9
case "$3" in
has.example) echo '{"token":"t1"}' ;;
none.example) echo '{}' ;;
odd.example) echo '{"token":7}' ;;
two.example) echo '{"token":"a"} {"token":"b"}' ;;
null.example) echo null ;;
fails.example) printf 'no \033[31mvault\n' >&2; exit 3 ;;
hangs.example) sleep 60 ;;
floods.example) yes ;;
esac
`), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ host, token, err string }{
		{"has.example", "t1", ""},
		{"none.example", "", ""},
		{"odd.example", "", ""},
		{"two.example", "", "exactly one JSON object"},
		{"null.example", "", ""},
		{"silent.example", "", "exactly one JSON object"},
		{"fails.example", "", "no vault"},
		{"hangs.example", "", "deadline exceeded"},
		{"floods.example", "", "helper"},
	}
	for _, tt := range tests {
		t.Run(tt.host, func(t *testing.T) {
			t.Parallel()
			h := &registry.CredentialsHelper{Program: script, Args: []string{"--vault=x"}, Timeout: 20 * time.Second}
			if tt.host == "hangs.example" {
				h.Timeout = 100 * time.Millisecond
			}
			token, err := h.Token(t.Context(), tt.host)
			if token != tt.token || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("got %q, %v, want %q, %q", token, err, tt.token, tt.err)
			}
		})
	}
}

// A network mirror serves providers whose host has a port, which OpenTofu
// cannot ask for, and mirrors without a slash at the end.
func TestConformance_mirrorHostWithPort(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	m, err := c.Mirror("https://mirror.example.org/mirror", registry.MirrorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{"registry.example.org:8443/acme/null", "127.0.0.1:99/acme/null", "bücher.example/acme/null"} {
		p := addrs.MustParseProvider(source)
		if _, err := m.Versions(t.Context(), p); err != nil {
			t.Errorf("%s: %v", source, err)
		}
		if _, err := m.Package(t.Context(), p, v100, linux); err != nil {
			t.Errorf("%s: %v", source, err)
		}
		last := srv.Requests()[len(srv.Requests())-1]
		if path, _ := url.PathUnescape(last.Path); path != "/mirror/"+p.ASCIIHost()+"/acme/null/1.0.0.json" || last.Host != "mirror.example.org" {
			t.Errorf("%s: asked %s for %s", source, last.Host, last.Path)
		}
	}
}

// What a mirror's package proves, and what goes in the lock.
func TestConformance_mirrorHashes(t *testing.T) {
	tests := []struct {
		name  string
		fault registrytest.Fault
		proof registry.Proof
		want  string // as in TestConformance_lockHashes
	}{
		{"both hashes", "", registry.ChecksumOnly, "hz"},
		{"only h1", "mirror-h1-only", registry.ChecksumOnly, "h"},
		{"no hashes", "mirror-no-hashes", registry.Unproven, "h"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := registrytest.Start(t, content())
			srv.Inject(tt.fault)
			c := srv.Registry()
			m, err := c.Mirror(srv.MirrorURL(), registry.MirrorOptions{})
			if err != nil {
				t.Fatal(err)
			}
			res, err := install(t.Context(), c, m, filepath.Join(t.TempDir(), "p"))
			if err != nil {
				t.Fatal(err)
			}
			if res.Proof != tt.proof {
				t.Errorf("proof is %q, want %q", res.Proof, tt.proof)
			}
			l := srv.Package("acme", "null", "1.0.0", "linux_amd64")
			names := map[addrs.Hash]string{l.H1: "h", l.Hash(): "z"}
			got := ""
			for _, h := range res.LockHashes(registry.RuleTofu) {
				got += names[h]
			}
			if letters(got) != letters(tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	// With trust in all hashes, a provider of the default registry gets those
	// of all platforms, and no other does.
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	m, err := c.Mirror(srv.MirrorURL(), registry.MirrorOptions{TrustAllHashes: true})
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]int{"acme/null": 4, "registry.example.org/acme/null": 2} {
		pkg, err := m.Package(t.Context(), addrs.MustParseProvider(source), v100, linux)
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.Fetch(t.Context(), pkg, filepath.Join(t.TempDir(), "p.zip"))
		if err != nil {
			t.Fatal(err)
		}
		if got := res.LockHashes(registry.RuleTofu); len(got) != want {
			t.Errorf("%s: %d hashes, want %d", source, len(got), want)
		}
	}
	c.Policy.RequireSigned = true
	pkg, err := m.Package(t.Context(), acmeNull, v100, linux)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Authenticate(t.Context(), pkg); !errors.Is(err, registry.ErrUnsigned) {
		t.Errorf("a mirror cannot be signed, got %v", err)
	}
}

// Module locations in all their forms.
func TestConformance_moduleLocations(t *testing.T) {
	yes, no := true, false
	base := "https://registry.example.org/v1/modules/acme/net/test/1.0.0/"
	tests := []struct {
		name     string
		module   registrytest.Module
		want     string // the source, or "" for an error
		direct   bool
		withAuth bool
	}{
		{"header", registrytest.Module{Location: "git::https://x.example/m.git?ref=v1"}, "git::https://x.example/m.git?ref=v1", false, false},
		{"header, relative", registrytest.Module{Location: "./m.zip"}, base + "m.zip", false, false},
		{"header, absolute path", registrytest.Module{Location: "/m.zip//sub"}, "https://registry.example.org/m.zip//sub", false, false},
		{"JSON", registrytest.Module{Location: "../../m.zip?archive=zip", JSON: true}, "https://registry.example.org/v1/modules/acme/net/m.zip?archive=zip", false, false},
		{"direct with credentials", registrytest.Module{Location: "/m.zip", JSON: true, UseCredentials: &yes}, "https://registry.example.org/m.zip", true, true},
		{"direct without", registrytest.Module{Location: "https://x.example/m.zip", JSON: true, UseCredentials: &no}, "https://x.example/m.zip", true, false},
		{"direct, not http", registrytest.Module{Location: "git::https://x.example/m.git", JSON: true, UseCredentials: &no}, "", false, false},
		{"direct, with a fragment", registrytest.Module{Location: "https://x.example/m.zip#a", JSON: true, UseCredentials: &no}, "", false, false},
		{"local", registrytest.Module{Location: "."}, "", false, false},
		{"registry", registrytest.Module{Location: "a/b/c"}, "", false, false},
		{"shorthand", registrytest.Module{Location: "github.com/a/b"}, "github.com/a/b", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := tt.module
			m.Namespace, m.Name, m.System, m.Versions = "acme", "net", "test", []string{"1.0.0"}
			srv := registrytest.Start(t, registrytest.Content{Modules: []registrytest.Module{m}})
			loc, err := srv.Registry().ModuleLocation(t.Context(), acmeNet, v100)
			if tt.want == "" {
				if !errors.Is(err, registry.ErrBadResponse) {
					t.Errorf("got %+v, %v", loc, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if loc.Source != tt.want || loc.Direct != tt.direct || loc.UseCredentials != tt.withAuth {
				t.Errorf("got %+v", loc)
			}
		})
	}
}

// A direct module location is downloaded, with the token only if it asks for
// it and is at home.
func TestConformance_moduleDownload(t *testing.T) {
	yes := true
	for _, location := range []string{"", "https://elsewhere.example.org/archive/module.zip"} {
		srv := registrytest.Start(t, registrytest.Content{Modules: []registrytest.Module{{Namespace: "acme", Name: "net", System: "test",
			Versions: []string{"1.0.0"}, JSON: true, UseCredentials: &yes, Location: location}}})
		c := srv.Registry()
		c.Credentials = registry.Tokens{"registry.example.org": "t"}
		loc, err := c.ModuleLocation(t.Context(), acmeNet, v100)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		d, err := c.DownloadModule(t.Context(), loc, &b)
		if err != nil {
			t.Fatal(err)
		}
		if int64(b.Len()) != d.Size || d.Size == 0 {
			t.Errorf("%d bytes, want %d", b.Len(), d.Size)
		}
		r := srv.Requests()[len(srv.Requests())-1]
		if got := r.Authorization != ""; got != (location == "") {
			t.Errorf("%s: authorization is %q", r.Host, r.Authorization)
		}
	}
	if _, err := new(registry.Client).DownloadModule(context.Background(), &registry.ModuleLocation{Source: "git::x"}, nil); err == nil {
		t.Error("no error for a location that is not direct")
	}
}

// The caller's own client is used as it is, and its CheckRedirect is heard.
func TestConformance_callersClient(t *testing.T) {
	srv := registrytest.Start(t, content())
	srv.Inject("redirect-once")
	c := srv.Registry()
	no := errors.New("no redirects here")
	c.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return no }
	before := *c.HTTP
	_, err := c.Versions(t.Context(), acmeNull)
	if !errors.Is(err, no) || !errors.Is(err, registry.ErrRedirect) {
		t.Errorf("got %v", err)
	}
	if before.Transport != c.HTTP.Transport || before.Timeout != c.HTTP.Timeout || before.Jar != c.HTTP.Jar {
		t.Error("the client was changed")
	}
}

// Warnings of the registry are for people, and cannot write to terminals. The
// same holds for everything else that a server says.
func TestConformance_terminalInjection(t *testing.T) {
	srv := registrytest.Start(t, content())
	srv.Inject("versions-warnings")
	list, err := srv.Registry().Versions(t.Context(), acmeNull)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"]0;owned careful reversed"}, list.Warnings); diff != "" {
		t.Error(diff)
	}
	srv.Clear()
	srv.Inject("versions-403")
	_, err = srv.Registry().Versions(t.Context(), acmeNull)
	var e *registry.Error
	if !errors.As(err, &e) || len(e.Messages) != 1 || e.Messages[0] != "the registry says no" {
		t.Errorf("got %v", err)
	}
}

// Configured services replace discovery, and are as strictly checked.
func TestConformance_configuredServices(t *testing.T) {
	srv := registrytest.Start(t, content())
	tests := []struct {
		services map[string]string
		want     string // of the error, or ""
	}{
		{map[string]string{registry.ProvidersV1: "https://api.example.org/v1/providers/"}, ""},
		{map[string]string{}, "does not offer"},
		{map[string]string{"providers.v2": "https://api.example.org/"}, "it has providers.v2"},
		{map[string]string{registry.ProvidersV1: "http://api.example.org/v1/providers/"}, "insecure"},
		{map[string]string{registry.ProvidersV1: ":"}, "not a URL"},
		{map[string]string{registry.ProvidersV1: "https://u:p@api.example.org/v1/providers/"}, "a URL with user information"},
		{map[string]string{registry.ProvidersV1: "//api.example.org/v1/providers/"}, ""}, // relative, as in the tools
	}
	for _, tt := range tests {
		srv.Clear()
		c := srv.Registry()
		c.Services = map[string]map[string]string{"registry.example.org": tt.services}
		_, err := c.Versions(t.Context(), acmeNull)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: got %v", tt.services, err)
		}
		if srv.Count(registrytest.KindDiscovery) != 0 {
			t.Error("discovery was asked all the same")
		}
	}
}

// The texts of the small types.
func TestConformance_texts(t *testing.T) {
	m, err := new(registry.Client).Mirror("https://mirror.example/x?y#z", registry.MirrorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	mod, ok := registry.NewModule(addrs.MustParseModuleSource("acme/net/test//sub"))
	if !ok {
		t.Fatal("not a registry module")
	}
	if _, ok := registry.NewModule(addrs.MustParseModuleSource("./x")); ok {
		t.Error("a local module")
	}
	got := fmt.Sprint(m.URL(), " ", mod, registry.FromRegistry, registry.FromFilesystem, registry.FromNetworkMirror, registry.Unproven, registry.ChecksumOnly, registry.Signed)
	want := "https://mirror.example/x/ registry.opentofu.org/acme/net/test registry filesystem mirror network mirror nothing checksum only signed"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, u := range []string{"", "mirror.example", "http://mirror.example/", "file:///x"} {
		_, err := new(registry.Client).Mirror(u, registry.MirrorOptions{})
		var e *registry.Error
		if !errors.As(err, &e) || errors.Is(err, registry.ErrBadResponse) || errors.Is(err, registry.ErrInsecure) != strings.HasPrefix(u, "http:") {
			t.Errorf("mirror %q: %v", u, err)
		}
	}
	for _, m := range []registry.Module{{}, {Host: "x", Namespace: "..", Name: "a", System: "b"}, {Host: "x", Namespace: "a/b", Name: "a", System: "b"}} {
		if _, err := new(registry.Client).ModuleVersions(t.Context(), m); err == nil {
			t.Errorf("module %+v: no error", m)
		}
	}
}

// With PublicOnly, nothing leads into the caller's own network.
func TestConformance_publicOnly(t *testing.T) {
	srv := registrytest.Start(t, content())
	c := srv.Registry()
	c.HTTP = &http.Client{Transport: registry.PublicOnly()}
	_, err := c.Versions(t.Context(), addrs.MustParseProvider(srv.Host()+"/acme/null"))
	var e *registry.Error
	if !errors.Is(err, registry.ErrForbiddenAddress) || !errors.As(err, &e) || e.Attempts != 1 {
		t.Errorf("got %v", err)
	}
	if len(srv.Requests()) != 0 {
		t.Error("a request came through")
	}
}

// The rules have names.
func TestRule_string(t *testing.T) {
	for r, want := range map[registry.Rule]string{registry.RuleTofu: "tofu", registry.RuleStrict: "strict", 7: "Rule(7)"} {
		if r.String() != want {
			t.Errorf("got %q, want %q", r, want)
		}
	}
}

// What both tools crash at is read here, with a warning.
func TestAuthenticate_blankLine(t *testing.T) {
	srv := registrytest.Start(t, content())
	srv.Inject("sums-blank-line")
	c := srv.Registry()
	pkg, err := c.Package(t.Context(), acmeNull, v100, linux)
	if err != nil {
		t.Fatal(err)
	}
	auth, err := c.Authenticate(t.Context(), pkg)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"line 1 of the checksums is blank: tofu and terraform crash at it"}, auth.Warnings); d != "" {
		t.Error(d)
	}
}
