// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig_test

import (
	"fmt"
	"log"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
)

// Read the configuration that OpenTofu would have in an environment.
func ExampleEnvironment_Load() {
	env := cliconfig.Environment{GOOS: "linux", Environ: []string{"HOME=/nonexistent", "TF_TOKEN_app_example_com=secret"}}
	cfg, err := env.Load()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cfg.Credentials)
	// Output: map[app.example.com:secret]
}

// One bad setting loses itself only.
func ExampleParse() {
	cfg, err := cliconfig.Parse("tofu.tfrc", []byte(`
plugin_cache_dir = true
provider_installation {
  network_mirror { url = "https://mirror.example.org/" }
}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, fault := range cfg.Faults {
		fmt.Println(fault)
	}
	fmt.Println(cfg.Installation[0].URL, cfg.CheckSources())
	// Output:
	// cliconfig: tofu.tfrc:2,1: plugin_cache_dir is not a string
	// https://mirror.example.org/ <nil>
}

// A pattern matches the providers of a namespace.
func ExampleParsePattern() {
	p, err := cliconfig.ParsePattern("example.org/acme/*")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Match(addrs.MustParseProvider("example.org/acme/null")), p.Match(addrs.MustParseProvider("acme/null")))
	// Output: true false
}
