// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// Every combination of two installation methods with patterns gives what
// "tofu init" gives: the same version from the same place, or a failure.
func TestCLIConfig_asTofu(t *testing.T) {
	tofu := depth.Tool(t, "tofu")
	const host = "registry.example"
	platform := addrs.CurrentPlatform().String()
	provider := func(where string, versions ...string) registrytest.Content {
		p := registrytest.Provider{Namespace: "acme", Type: "tool"}
		for _, v := range versions {
			p.Versions = append(p.Versions, registrytest.Version{Version: v, Platforms: []string{platform}, Zip: func(string) []byte {
				return registrytest.MakeZip(registrytest.File{Name: "terraform-provider-tool_v" + v, Mode: 0o755, Content: "from " + where})
			}})
		}
		return registrytest.Content{Providers: []registrytest.Provider{p}}
	}
	origin := registrytest.Start(t, provider("registry", "1.0.0", "1.3.0"))
	mirror := registrytest.Start(t, provider("network", "1.0.0", "1.2.0"))
	empty := registrytest.Start(t, registrytest.Content{})
	dir := t.TempDir()
	var certificates []byte
	for _, s := range []*registrytest.Server{origin, mirror, empty} {
		certificates = append(certificates, s.CertificatePEM()...)
	}
	packed := func(where string, versions ...string) map[string]string {
		out := map[string]string{}
		for _, p := range provider(where, versions...).Providers {
			for _, v := range p.Versions {
				out[host+"/acme/tool/terraform-provider-tool_"+v.Version+"_"+platform+".zip"] = string(v.Zip(platform))
			}
		}
		return out
	}
	write(t, filepath.Join(dir, "packed"), packed("packed", "1.0.0", "1.4.0"))
	write(t, filepath.Join(dir, "unpacked"), map[string]string{host + "/acme/tool/1.1.0/" + platform + "/terraform-provider-tool_v1.1.0": "from unpacked"})
	write(t, filepath.Join(dir, "other"), map[string]string{"README": "nothing here"})
	write(t, dir, map[string]string{
		"ca.pem":         string(certificates),
		"module/main.tf": "terraform {\n required_providers {\n tool = { source = \"" + host + "/acme/tool\" }\n }\n}\n",
	})
	methods := []struct{ kind, argument string }{
		{"direct", ""},
		{"filesystem_mirror", fmt.Sprintf("path = %q", filepath.Join(dir, "packed"))},
		{"filesystem_mirror", fmt.Sprintf("path = %q", filepath.Join(dir, "unpacked"))},
		{"filesystem_mirror", fmt.Sprintf("path = %q", filepath.Join(dir, "other"))},
		{"filesystem_mirror", fmt.Sprintf("path = %q", filepath.Join(dir, "missing"))},
		{"network_mirror", fmt.Sprintf("url = %q", mirror.MirrorURL())},
		{"network_mirror", fmt.Sprintf("url = %q", empty.MirrorURL())},
	}
	patterns := []string{"", "include = [\"" + host + "/*/*\"]", "exclude = [\"" + host + "/acme/*\"]", "include = [\"acme/*\"]"}
	client := func() *registry.Client {
		c := origin.Registry()
		c.HTTP = clientFor(t, certificates)
		return c
	}
	total, same := 0, 0
	for i, first := range methods {
		for j, second := range methods {
			for k, pattern := range patterns {
				if i == j && k > 0 {
					continue
				}
				src := fmt.Sprintf("host %q {\n services = { \"providers.v1\" = \"https://%s/v1/providers/\" }\n}\nprovider_installation {\n %s {\n %s\n %s\n }\n %s {\n %s\n }\n}\n",
					host, origin.Host(), first.kind, first.argument, pattern, second.kind, second.argument)
				write(t, dir, map[string]string{"tofurc": src})
				total++
				want := tofuInit(t, tofu, filepath.Join(dir, "module"), filepath.Join(dir, "tofurc"), filepath.Join(dir, "ca.pem"))
				got := selection(t, client(), filepath.Join(dir, "tofurc"), host)
				if got == want {
					same++
				} else {
					t.Errorf("%s\ntofu: %s\nhere: %s", src, want, got)
				}
			}
		}
	}
	t.Logf("%d of %d", same, total)
}

var lockedVersion, lockedHash = regexp.MustCompile(`version *= "(.*)"`), regexp.MustCompile(`"(h1:.*)"`)

// tofuInit returns what tofu selects, or "failure".
func tofuInit(t *testing.T, tofu, module, config, ca string) string {
	t.Helper()
	os.RemoveAll(filepath.Join(module, ".terraform"))
	os.Remove(filepath.Join(module, ".terraform.lock.hcl"))
	cmd := exec.Command(tofu, "init", "-no-color", "-backend=false")
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+config, "SSL_CERT_FILE="+ca, "HOME="+filepath.Dir(module), "TF_REGISTRY_DISCOVERY_RETRY=", "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	if _, err := cmd.CombinedOutput(); err != nil {
		return "failure"
	}
	lock, err := os.ReadFile(filepath.Join(module, ".terraform.lock.hcl"))
	v, h := lockedVersion.FindSubmatch(lock), lockedHash.FindSubmatch(lock)
	if err != nil || v == nil || h == nil {
		t.Fatalf("%s, %v", lock, err)
	}
	return string(v[1]) + " " + string(h[1])
}

// selection returns what this package selects, or "failure".
func selection(t *testing.T, c *registry.Client, config, host string) string {
	t.Helper()
	cfg, err := cliconfig.Environment{Environ: []string{"HOME=/nonexistent"}}.LoadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	c.Configure(cfg)
	src, err := c.Sources(cfg)
	if err != nil {
		t.Fatal(err)
	}
	p := addrs.MustParseProvider(host + "/acme/tool")
	list, err := src.Versions(t.Context(), p)
	if err != nil {
		return "failure"
	}
	v, ok := list.Newest(addrs.Constraints{})
	if !ok {
		return "failure"
	}
	pkg, err := src.Package(t.Context(), p, v, addrs.CurrentPlatform())
	if err != nil {
		return "failure"
	}
	if pkg.Unpacked { // hashed as the zip would be
		b, err := os.ReadFile(filepath.Join(pkg.Path, "terraform-provider-tool_v"+v.String()))
		if err != nil {
			t.Fatal(err)
		}
		zip := registrytest.MakeZip(registrytest.File{Name: "terraform-provider-tool_v" + v.String(), Content: string(b)})
		pkg = &registry.Package{Provider: p, Version: v, Platform: pkg.Platform, Origin: pkg.Origin, Path: filepath.Join(t.TempDir(), "p.zip")}
		if err := os.WriteFile(pkg.Path, zip, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := c.Fetch(t.Context(), pkg, filepath.Join(t.TempDir(), "p.zip"))
	if err != nil {
		return "failure"
	}
	for _, h := range r.Computed {
		if strings.HasPrefix(h.String(), "h1:") {
			return v.String() + " " + h.String()
		}
	}
	return "no hash"
}

// clientFor returns a client that trusts the certificates.
func clientFor(t *testing.T, certificates []byte) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(bytes.TrimSpace(certificates)) {
		t.Fatal("no certificate")
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
}
