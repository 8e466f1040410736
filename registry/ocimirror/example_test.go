// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package ocimirror_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/registry/ocimirror"
)

// Download a package from where the user's CLI configuration has OpenTofu get it.
func ExampleSources() {
	cfg, err := cliconfig.Environment{}.Load()
	if err != nil {
		log.Fatal(err)
	}
	client := &registry.Client{}
	client.Configure(cfg)
	source, err := ocimirror.Sources(cfg, client, nil)
	if err != nil {
		log.Fatal(err)
	}
	pkg, err := source.Package(context.Background(), addrs.MustParseProvider("hashicorp/random"), addrs.MustParseVersion("3.7.2"), addrs.CurrentPlatform())
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.Fetch(context.Background(), pkg, "random.zip"); err != nil {
		log.Fatal(err)
	}
}

// Put a package where OpenTofu 1.10 and later finds it with
//
//	oci_mirror {
//	  repository_template = "registry.example.com/tofu/${namespace}-${type}"
//	  include             = ["registry.opentofu.org/*/*"]
//	}
func ExampleMirror_Push() {
	credentials, err := ocimirror.LoadCredentials(nil, nil) // those of Docker and Podman
	if err != nil {
		log.Fatal(err)
	}
	mirror := &ocimirror.Mirror{Template: "registry.example.com/tofu/${namespace}-${type}", Credentials: credentials}
	random := addrs.MustParseProvider("hashicorp/random")
	err = mirror.Push(context.Background(), random, addrs.MustParseVersion("3.7.2"), map[addrs.Platform]string{
		addrs.MustParsePlatform("linux_amd64"): "terraform-provider-random_3.7.2_linux_amd64.zip",
	})
	if err != nil {
		log.Fatal(err)
	}
}

// See which repository a template means.
func ExampleMirror_Repository() {
	mirror := &ocimirror.Mirror{Template: "registry.example.com/tofu/${namespace}-${type}"}
	name, err := mirror.Repository(addrs.MustParseProvider("hashicorp/random"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(name)
	// Output: registry.example.com/tofu/hashicorp-random
}
