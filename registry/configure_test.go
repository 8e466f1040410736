// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// write writes files below dir.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// The directories in which a tool looks for plugins supply their providers, and
// the registry all others. A method that nothing serves fails where it is for.
func TestClient_sources(t *testing.T) {
	s := registrytest.Start(t, small())
	p := providerOf(s)
	home := t.TempDir()
	local := addrs.MustParseProvider("local.example/acme/own")
	write(t, home, map[string]string{
		"work/terraform.d/plugins/local.example/acme/own/terraform-provider-own_1.0.0_linux_amd64.zip": "zip",
		".terraform.d/plugins/terraform-credentials-vault_v1.0.0":                                      "#!/bin/sh\necho '{\"token\": \"from-the-helper\"}'\n",
		".tofurc": "credentials_helper \"vault\" {}",
	})
	if err := os.Chmod(filepath.Join(home, ".terraform.d", "plugins", "terraform-credentials-vault_v1.0.0"), 0o755); err != nil {
		t.Fatal(err)
	}
	cfg, err := cliconfig.Environment{GOOS: "linux", Environ: []string{"HOME=" + home, "XDG_DATA_DIRS=" + home}, Dir: filepath.Join(home, "work")}.Load()
	if err != nil {
		t.Fatal(err)
	}
	c := s.Registry()
	c.Configure(cfg)
	if runtime.GOOS != "windows" {
		if token, err := c.Credentials.Token(t.Context(), "any.example"); err != nil || token != "from-the-helper" {
			t.Errorf("got %q, %v", token, err)
		}
	}
	src, err := c.Sources(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := src.Versions(t.Context(), local); err != nil {
		t.Error(err)
	}
	before := len(s.Requests())
	if before > 0 {
		t.Errorf("%d requests for a local provider", before)
	}
	if _, err := src.Versions(t.Context(), p); err != nil {
		t.Error(err)
	}
	cfg, err = cliconfig.Parse("x", []byte("provider_installation {\n oci_mirror {\n repository_template = \"x.example/${namespace}/${type}\"\n include = [\"oci.example/*/*\"]\n }\n direct {}\n}"))
	if err != nil {
		t.Fatal(err)
	}
	src, err = c.Sources(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := src.Versions(t.Context(), p); err != nil {
		t.Error(err)
	}
	for _, err := range []error{
		second(src.Versions(t.Context(), addrs.MustParseProvider("oci.example/a/b"))),
		second(src.Package(t.Context(), addrs.MustParseProvider("oci.example/a/b"), addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64"))),
	} {
		if err == nil || !strings.Contains(err.Error(), `oci.example/a/b: installation method "oci_mirror" is not supported`) {
			t.Errorf("got %v", err)
		}
	}
}

// A configuration sets what the client does not have yet, as far as it can be read.
// What does not say where packages come from is an error, never the public registry.
func TestClient_configure(t *testing.T) {
	const good = "registry_protocols {\n retry_count = 3\n request_timeout_seconds = 44\n}\nhost \"h\" { services = { \"providers.v1\" = \"https://one.example/\" } }\ncredentials \"h\" { token = \"t\" }\n"
	for bad, refused := range map[string]bool{
		"": false, "plugin_cache_dir = 5": false, "credentials \"a b\" {}": false,
		"host \"a b\" {}": true, "provider_installation { mystery {} }": true, "x = ": true,
		"provider_installation {\n network_mirror { url = \"http://x/\" }\n direct {}\n}": true,
	} {
		hosts := strings.HasPrefix(bad, "host") || bad == "x = "
		cfg, _ := cliconfig.Parse("x", []byte(good+bad))
		c := &registry.Client{}
		c.Configure(cfg)
		source, err := c.Sources(cfg)
		var e *cliconfig.Error
		if (err != nil) != refused || (source == nil) != refused || refused && !errors.As(err, &e) {
			t.Errorf("%s: %v", bad, err)
		}
		canceled, cancel := context.WithCancel(t.Context())
		cancel() // no request is sent
		_, err = c.Versions(canceled, addrs.MustParseProvider("acme/tool"))
		_, err2 := c.ModuleVersions(canceled, registry.Module{Host: "registry.opentofu.org", Namespace: "acme", Name: "net", System: "aws"})
		if errors.As(err, &e) != hosts || errors.As(err2, &e) != hosts || err == nil || err2 == nil {
			t.Errorf("%s: %v, %v", bad, err, err2)
		}
		if bad == "x = " {
			continue // nothing is read
		}
		if token, err := c.Credentials.Token(t.Context(), "h"); c.Retry.Attempts != 4 || c.Limits.Timeout != 44*time.Second || c.Services["h"] == nil || token != "t" || err != nil {
			t.Errorf("%s: got %+v", bad, c)
		}
	}
	c := &registry.Client{Credentials: registry.Tokens{}, Services: map[string]map[string]string{}, Retry: registry.Retry{Attempts: 7}, Limits: registry.Limits{Timeout: 1}}
	cfg, _ := cliconfig.Parse("x", []byte(good))
	if c.Configure(cfg); c.Retry.Attempts != 7 || c.Limits.Timeout != 1 || len(c.Services) > 0 {
		t.Errorf("what was set is changed: %+v", c)
	}
	if source, err := c.Sources(nil); err != nil || source != registry.Source(c) {
		t.Errorf("got %v, %v", source, err)
	}
	three, err := cliconfig.Parse("x", []byte("provider_installation {\n filesystem_mirror { path = \"/x\" }\n network_mirror { url = \"https://m.example/\" }\n direct {}\n}"))
	if err != nil {
		t.Fatal(err)
	}
	if list, ok := first(c.Sources(three)).(registry.Sources); !ok || len(list) != 3 {
		t.Errorf("got %v", list)
	}
}

func first[T any](v T, _ error) T { return v }

func second[T any](_ T, err error) error { return err }
