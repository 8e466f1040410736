// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// secretAddresses have passwords and signatures wherever an address can have them. Some are not
// valid, so that they are quoted in errors.
var secretAddresses = []string{
	"https://user:hunter2@127.0.0.1:9/x.zip",
	"https://user:hunter%zz@127.0.0.1:9/x.zip",
	"https://user:hunter 2@127.0.0.1:9/x.zip",
	"https://user:hunter/2@127.0.0.1:9/x.zip",
	"https://user:hunter2@[::1/x.zip",
	"https://user:hunter2@/x.zip",
	"http://user:hunter2@127.0.0.1:9/x.zip",
	"ftp://user:hunter2@127.0.0.1:9/x",
	"https://127.0.0.1:9/x.zip?X-Amz-Signature=hunter2",
	"https://127.0.0.1:9/x.zip?hunter2",
	"https://user:hunter2@127.0.0.1:9/x.zip//../up",
	"git::https://user:hunter2@127.0.0.1:9/x.git",
	"git::https://user:hunter%zz@127.0.0.1:9/x.git",
	"git::ssh://git:hunter2@127.0.0.1:9/x.git?sshkey=hunter2&ref=v1",
	"git::user:hunter2@127.0.0.1:9/x",
	"hg::https://user:hunter2@127.0.0.1:9/x",
	"s3::https://s3.amazonaws.com/b/k.zip?aws_access_key_secret=hunter2",
	"oci://user:hunter2@127.0.0.1:9/x",
	"file://user:hunter2@host/nowhere",
	"user:hunter2@127.0.0.1:9/x",
	"github.com/u/r?token=hunter2",
	"git@127.0.0.1:u/r?token=hunter2",
}

// No program prints the user information or the query of a URL, wherever it comes from. The
// lines of a user's own file are not meant: those are in the texts of the tools too.
func TestSecretAddresses(t *testing.T) {
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "XDG_CACHE_HOME": home, "XDG_CONFIG_HOME": home, "TF_CLI_CONFIG_FILE": "", "TF_REGISTRY_DISCOVERY_RETRY": "0", "TF_PROVIDER_DOWNLOAD_RETRY": "0",
		"NO_PROXY": "", "no_proxy": "", "GIT_SSH_COMMAND": "false", "GIT_CONFIG_NOSYSTEM": "1",
	} {
		t.Setenv(name, value)
	}
	write := func(text string, name ...string) string {
		file := filepath.Join(append([]string{t.TempDir()}, name...)...)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	named := map[string]int{} // in how many lines a subcommand names the host of an address
	quiet := func(args ...string) {
		t.Helper()
		_, stdout, stderr := tofuwire(t, "", args...)
		for line := range strings.Lines(stdout + stderr) {
			if strings.Contains(line, "hunter") {
				t.Errorf("%q:\n\t%s", args, strings.ReplaceAll(line, home, ""))
			}
			if strings.Contains(line, "127.0.0.1:9/") {
				named[args[0]]++
			}
		}
	}
	needs := filepath.Dir(write(`terraform { required_providers { null = { source = "127.0.0.1:9/acme/null" } } }`, "main.tf"))
	for _, address := range secretAddresses {
		module := filepath.Dir(write(fmt.Sprintf("module \"m\" {\n  source = %q\n}\n", address), "main.tf"))
		provider := filepath.Dir(write(fmt.Sprintf("terraform {\n  required_providers {\n    null = {\n      source = %q\n    }\n  }\n}\n", address), "main.tf"))
		for _, dir := range []string{module, provider} {
			quiet("install", dir)
			quiet("lock", dir)
			quiet("mirror", t.TempDir(), dir)
			quiet("validate", dir)
			quiet("validate", "-format", "sarif", dir)
			quiet("validate", "-needs", "-v", dir)
			quiet("validate", "-kits", dir)
			quiet("lint", dir)
			quiet("lint", "-format", "sarif", dir)
			quiet("instances", dir)
			quiet("eval", "-dir", dir, "module.m")
			quiet("convert", "-to", "json", dir, filepath.Join(t.TempDir(), "out"))
			quiet("schemas", dir)
			quiet("fmt", "-check", dir)
		}
		quiet("install", "-mirror", address, needs)
		quiet("lock", "-mirror", address, needs)
		quiet("schemas", "-mirror", address, needs)
		for _, rc := range []string{
			fmt.Sprintf("provider_installation {\n  network_mirror {\n    url = %q\n  }\n}\n", address),
			fmt.Sprintf("provider_installation {\n  oci_mirror {\n    repository_template = %q\n    include = [\"127.0.0.1:9/acme/null\"]\n  }\n}\n", address),
			fmt.Sprintf("host \"127.0.0.1:9\" {\n  services = {\n    \"providers.v1\" = %q\n  }\n}\n", address),
			fmt.Sprintf("host %q {\n  token = \"hunter2\"\n}\n", address),
			fmt.Sprintf("credentials %q {\n  token = \"hunter2\"\n}\n", address),
			fmt.Sprintf("plugin_cache_dir = %q\n", address),
		} {
			config := write(rc, "rc")
			quiet("install", "-cli-config", config, needs)
			quiet("lock", "-cli-config", config, needs)
			quiet("mirror", "-cli-config", config, t.TempDir(), needs)
		}
		t.Run("proxy", func(t *testing.T) {
			t.Setenv("HTTPS_PROXY", address)
			quiet("lock", "-mirror", "https://registry.example.invalid/", needs)
		})
	}
	for _, subcommand := range []string{"install", "lint", "lock", "mirror", "validate"} {
		if named[subcommand] < 20 {
			t.Errorf("%s names an address %d times, so its output says little about secrets in it", subcommand, named[subcommand])
		}
	}
}
