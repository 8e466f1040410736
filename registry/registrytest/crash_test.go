// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registrytest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// Every fault that is said to crash OpenTofu 1.12.6 crashes it, and no other does.
func TestFault_crashesTofu(t *testing.T) {
	tofu := depth.Tool(t, "tofu")
	if version, err := exec.Command(tofu, "version").Output(); err != nil || !strings.HasPrefix(string(version), "OpenTofu v1.12.6\n") {
		t.Skipf("needs OpenTofu 1.12.6: %q, %v", version, err)
	}
	content := registrytest.Content{
		Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{
			{Version: "1.2.0", Platforms: []string{addrs.CurrentPlatform().String(), "linux_arm64"}, Reported: true}}}},
		Modules: []registrytest.Module{{Namespace: "acme", Name: "net", System: "zip", Versions: []string{"1.0.0"}}},
	}
	for _, fault := range registrytest.Faults() {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			s := registrytest.Start(t, content)
			s.Inject(fault)
			main := `terraform {
  required_providers {
    null = { source = "HOST/acme/null" }
  }
}
`
			config := ""
			switch {
			case strings.HasPrefix(string(fault), "module-"):
				main = "module \"m\" {\n  source  = \"HOST/acme/net/zip\"\n  version = \"1.0.0\"\n}\n"
			case strings.HasPrefix(string(fault), "mirror-"):
				main = strings.Replace(main, "HOST", "registry.example", 1)
				config = "provider_installation {\n  network_mirror {\n    url = \"" + s.MirrorURL() + "\"\n  }\n}\n"
			}
			runs := 1
			if fault == "reported-conflict" {
				runs = 25 // about half of them crash
			}
			crashed, out := false, ""
			for i := 0; i < runs && !crashed; i++ {
				out = tofuInit(t, tofu, s, main, config)
				crashed = strings.Contains(out, "panic:") || strings.Contains(out, "OPENTOFU CRASH")
			}
			if said := strings.Contains(fault.Describe(), "crashes OpenTofu"); crashed != said {
				t.Errorf("crash %t, said to crash %t\n%s", crashed, said, out)
			}
		})
	}
}

// tofuInit runs "tofu init" against s in a new directory and returns its output.
func tofuInit(t *testing.T, tofu string, s *registrytest.Server, main, config string) string {
	dir := t.TempDir()
	for name, text := range map[string]string{"main.tf": strings.ReplaceAll(main, "HOST", s.Host()), "tofurc": config, "ca.pem": string(s.CertificatePEM())} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// A fault that stalls does not crash: it is not waited for.
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, tofu, "init", "-no-color", "-backend=false")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+filepath.Join(dir, "ca.pem"), "HOME="+dir, "TF_CLI_CONFIG_FILE="+filepath.Join(dir, "tofurc"), "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	out, err := cmd.CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	}
	return string(out)
}
