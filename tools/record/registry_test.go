// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// sources returns sources with an empty filesystem mirror, which needs no
// building.
func sources(t *testing.T) *Mirrors {
	t.Helper()
	m := NewMirrors(root, "", t.TempDir(), io.Discard)
	m.dir = t.TempDir()
	return m
}

func source(t *testing.T, kind string) *Source {
	t.Helper()
	s, err := sources(t).Source(&Script{Providers: kind})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// client returns a client that finds the registry under every host name.
func client(t *testing.T, s *Source) (*http.Client, string) {
	t.Helper()
	_, file, _ := strings.Cut(s.Env[0], "=")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	host := strings.TrimSuffix(strings.TrimPrefix(s.Network, "https://"), "/mirror/")
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "127.0.0.1"},
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, host)
		},
	}}, host
}

func get(t *testing.T, c *http.Client, url string) (string, int) {
	t.Helper()
	resp, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), resp.StatusCode
}

// TestRegistryProtocol asks the registry what OpenTofu asks one.
func TestRegistryProtocol(t *testing.T) {
	s := source(t, "regh")
	web, host := client(t, s)
	base := "https://" + host
	for _, test := range []struct {
		path, want string
		status     int
	}{
		{"/v1/providers/acme/widget/versions", `"version":"10.0.0"`, 200},
		{"/v1/providers/hashicorp/random/versions", `"version":"3.8.1"`, 200},
		{"/v1/providers/acme/none/versions", "", 404},
		{"/v1/providers/acme/widget/10.0.0/download/linux/amd64", `"packages"`, 200},
		{"/v1/providers/acme/widget/10.0.0/download/plan9/mips", "", 404},
		{"/v1/providers/example/lab/1.4.0/download/darwin/amd64", "", 404},
		{"/dl/acme/widget/terraform-provider-widget_10.0.0_SHA256SUMS", "terraform-provider-widget_10.0.0_linux_amd64.zip\n", 200},
		{"/dl/acme/widget/terraform-provider-widget_10.0.0_SHA256SUMS.sig", "", 200},
		{"/dl/acme/widget/terraform-provider-widget_10.0.0_linux_amd64.zip", "PK", 200},
		{"/dl/acme/widget/other.zip", "", 404},
		{"/mirror/registry.opentofu.org/acme/gadget-tool/index.json", `"3.0.0":{}`, 200},
		{"/mirror/registry.opentofu.org/acme/gadget-tool/3.0.0.json", `"url":"/dl/acme/gadget-tool/terraform-provider-gadget-tool_3.0.0_linux_amd64.zip"`, 200},
		{"/v1/modules/acme/box/lab/versions", `"version":"1.2.3"`, 200},
		{"/v1/modules/acme/none/lab/versions", "", 404},
		{"/v1/modules/acme/box/lab/1.2.3/download", "", 204},
		{"/module/box/1.2.3.zip", "PK", 200},
		{"/module/box/9.9.9.zip", "", 404},
		{"/", "", 404},
	} {
		if text, status := get(t, web, base+test.path); status != test.status || !strings.Contains(text, test.want) {
			t.Errorf("%s: %d %.200s", test.path, status, text)
		}
	}
}

// The packages that are kept have the hashes that real tools wrote into lock
// files.
func TestRegistryPackage(t *testing.T) {
	s := source(t, "reg")
	web, host := client(t, s)
	sums, _ := get(t, web, "https://"+host+"/dl/acme/widget/terraform-provider-widget_1.10.0_SHA256SUMS")
	lock := read(t, "lockfile/testdata/tofu-1.12.6/init-registry-with-hashes.hcl")
	n := 0
	for line := range strings.Lines(sums) {
		sum, _, _ := strings.Cut(line, " ")
		if !strings.Contains(string(lock), `"zh:`+sum+`"`) {
			t.Errorf("not in the lock file: %s", line)
		}
		n++
	}
	if n != len(platforms6) {
		t.Errorf("%d packages", n)
	}
}

func TestSources(t *testing.T) {
	for kind, want := range map[string]string{
		"mirror": "filesystem_mirror", "packed": "filesystem_mirror", "fs": "filesystem_mirror", "modules": "modules.v1", "network": "network_mirror",
		"networkh": "network_mirror", "networkt": "trust_all_hashes", "reg": `host "tf.example.test:8443"`, "regu": "providers.v1",
	} {
		if s := source(t, kind); !strings.Contains(s.Config, want) {
			t.Errorf("%s: %s", kind, s.Config)
		}
	}
	for kind := range Sources {
		if s := source(t, kind); kind != "none" && kind != "mirror" && len(s.Env) != 1 {
			t.Errorf("%s: %q", kind, s.Env)
		}
	}
	packed := source(t, "packed")
	if _, err := os.Stat(filepath.Join(packed.Mirror, hosts[0], "hashicorp", "random", "terraform-provider-random_3.9.0_linux_amd64.zip")); err != nil {
		t.Error(err)
	}
	fs := source(t, "fs")
	if _, err := os.Stat(filepath.Join(fs.Mirror, "tf.example.test", "acme", "widget", "terraform-provider-widget_1.10.0_linux_amd64.zip")); err != nil {
		t.Error(err)
	}
}

// What a network mirror and a registry report depends on their kind.
func TestReported(t *testing.T) {
	for kind, want := range map[string][2]bool{"network": {false, true}, "networkh": {true, true}, "regu": {false, false}, "reg": {false, true}} {
		web, host := client(t, source(t, kind))
		mirror, _ := get(t, web, "https://"+host+"/mirror/h/acme/widget/1.10.0.json")
		if got := strings.Contains(mirror, `"h1:`); got != want[0] {
			t.Errorf("%s: hashes of the mirror: %v", kind, got)
		}
		meta, _ := get(t, web, "https://"+host+"/v1/providers/acme/widget/1.10.0/download/linux/amd64")
		if got := strings.Contains(meta, "PUBLIC KEY"); got != want[1] {
			t.Errorf("%s: keys: %v", kind, got)
		}
	}
	web, host := client(t, source(t, "regu"))
	if text, _ := get(t, web, "https://"+host+"/v1/providers/zeta/one/versions"); !strings.Contains(text, "warnings") {
		t.Error(text)
	}
}

// TestFilesystemMirror lays the filesystem mirror from another one.
func TestFilesystemMirror(t *testing.T) {
	depth.NeedFull(t, "it builds a provider")
	t.Setenv("GOPROXY", "off")
	from := t.TempDir()
	platform := runtime.GOOS + "_" + runtime.GOARCH
	dir := filepath.Join(from, "registry.terraform.io", "hashicorp", "null", "3.3.1", platform)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "terraform-provider-null_v3.3.1_x5"), []byte("null"), 0o755); err != nil {
		t.Fatal(err)
	}
	packed := filepath.Join(from, "registry.opentofu.org", "hashicorp", "tls")
	if err := os.MkdirAll(packed, 0o755); err != nil {
		t.Fatal(err)
	}
	zip := registrytest.MakeZip(registrytest.File{Name: "LICENSE"}, registrytest.File{Name: "terraform-provider-tls_v4.2.1", Content: "tls"})
	if err := os.WriteFile(filepath.Join(packed, "terraform-provider-tls_4.2.1_"+platform+".zip"), zip, 0o644); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	m := NewMirrors(root, from, t.TempDir(), &log)
	if err := m.lay(); err != nil {
		if strings.Contains(err.Error(), "cannot build") {
			t.Skip("needs the modules of the provider in the module cache:", err)
		}
		t.Fatal(err)
	}
	if n := strings.Count(log.String(), "lacks"); n != len(Providers)-3 {
		t.Error(log.String())
	}
	for _, host := range hosts {
		for _, name := range []string{"hashicorp/null/3.3.1/" + platform + "/terraform-provider-null_v3.3.1", "hashicorp/tls/4.2.1/" + platform + "/terraform-provider-tls_v4.2.1", "example/lab/1.4.0/" + platform + "/terraform-provider-lab_v1.4.0"} {
			if _, err := os.Stat(filepath.Join(m.dir, host, filepath.FromSlash(name))); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestMissing(t *testing.T) {
	dir := t.TempDir()
	if err := link(filepath.Join(dir, "none"), filepath.Join(dir, "to")); err == nil {
		t.Error("no error for a missing file")
	}
	for name, text := range map[string]string{"a.zip": "no zip", "b.zip": string(registrytest.MakeZip(registrytest.File{Name: "other"}))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := NewMirrors(dir, dir, dir, io.Discard).extract(filepath.Join(dir, name), "terraform-provider-x"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	m := NewMirrors(dir, "", dir, io.Discard)
	m.dir = dir
	if _, err := m.Source(&Script{Providers: "reg"}); err == nil {
		t.Error("no error without packages")
	}
	if _, err := NewMirrors(dir, "", dir, io.Discard).Source(&Script{Providers: "mirror"}); err == nil {
		t.Error("no error without the lab provider")
	}
}
