// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cliconfig_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tofuwire/tofuwire/registry/cliconfig"
)

// A pipe without a writer in the place of a default file is a fault, and nothing waits for it or for one in the place of a folder. A file that somebody names may be a pipe.
func TestEnvironment_pipes(t *testing.T) {
	for _, place := range []string{".tofurc", ".terraform.d/a.tfrc", ".terraform.d/credentials.tfrc.json", ".terraform.d", ".terraform.d/plugins"} {
		home := t.TempDir()
		name := filepath.Join(home, place)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Skip("needs a file system with pipes:", err)
		}
		cfg, err := cliconfig.Environment{GOOS: "linux", Environ: []string{"HOME=" + home}}.Load()
		if cfg == nil {
			t.Fatalf("%s: no configuration", place)
		}
		if (strings.HasSuffix(place, "rc") || strings.Contains(place, ".tfrc")) && (err == nil || len(cfg.Faults) != 1 || !strings.Contains(cfg.Faults[0].Error(), "a pipe or a socket")) {
			t.Errorf("%s: %v, %v", place, err, cfg.Faults)
		}
	}
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	go os.WriteFile(name, []byte("credentials \"a.example\" {\n  token = \"t\"\n}\n"), 0o600)
	cfg, err := cliconfig.Environment{GOOS: "linux", Environ: []string{"TF_CLI_CONFIG_FILE=" + name}}.Load()
	if err != nil || cfg.Credentials["a.example"] != "t" {
		t.Errorf("%v, %v", cfg, err)
	}
}
