// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// exampleRegistry starts a registry on this machine: the examples run
// without a network. A real program uses a Client of its own.
func exampleRegistry() (*registrytest.Server, *registry.Client) {
	srv, err := registrytest.NewServer(registrytest.Content{
		Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{
			{Version: "1.0.0", Platforms: []string{"linux_amd64", "darwin_arm64"}},
			{Version: "1.1.0", Platforms: []string{"linux_amd64", "darwin_arm64"}},
			{Version: "2.0.0-beta1", Platforms: []string{"linux_amd64"}},
		}}},
		Modules: []registrytest.Module{{Namespace: "acme", Name: "network", System: "test", Versions: []string{"1.0.0", "v1.2.0"},
			Location: "git::https://git.example.com/network.git?ref=v1.2.0"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	return srv, srv.Registry()
}

// Find the newest version of a provider that a configuration allows.
func ExampleClient_Versions() {
	srv, client := exampleRegistry()
	defer srv.Close()
	// client := &registry.Client{}

	provider := addrs.MustParseProvider("registry.example.org/acme/null")
	list, err := client.Versions(context.Background(), provider)
	if err != nil {
		log.Fatal(err)
	}
	v, ok := list.Newest(addrs.MustParseConstraints("~> 1.0"))
	fmt.Println(v, ok)
	// Output: 1.1.0 true
}

// Install a provider for another platform, and print what was proven.
func ExampleClient_Install() {
	srv, client := exampleRegistry()
	defer srv.Close()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	pkg, err := client.Package(ctx, addrs.MustParseProvider("registry.example.org/acme/null"),
		addrs.MustParseVersion("1.1.0"), addrs.MustParsePlatform("darwin_arm64"))
	if err != nil {
		log.Fatal(err)
	}
	result, err := client.Install(ctx, pkg, filepath.Join(dir, "plugin"), nil)
	if err != nil {
		log.Fatal(err)
	}
	exe, err := registry.FindExecutable(filepath.Join(dir, "plugin"), "null")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(exe)
	fmt.Println(result.Proof, "by the key the registry publishes:", result.Signer.KeyID == srv.Key.ID())
	fmt.Println(len(result.LockHashes(registry.RuleTofu)), "hashes for the lock file")
	// Output:
	// terraform-provider-null_v1.1.0_x5
	// signed by the key the registry publishes: true
	// 3 hashes for the lock file
}

// Accept only providers that are signed by a key from a safe place, whatever
// the registry publishes.
func ExamplePolicy_pinnedKeys() {
	srv, client := exampleRegistry()
	defer srv.Close()
	trusted := registrytest.Armored(srv.Key) // from a file in the repository

	client.Policy.Keys = func(p addrs.Provider) []string {
		if p.Namespace() == "acme" {
			return []string{trusted}
		}
		return nil
	}
	srv.Inject("signature-swapped") // the registry was taken over

	ctx := context.Background()
	pkg, err := client.Package(ctx, addrs.MustParseProvider("registry.example.org/acme/null"),
		addrs.MustParseVersion("1.1.0"), addrs.MustParsePlatform("linux_amd64"))
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Authenticate(ctx, pkg)
	fmt.Println(errors.Is(err, registry.ErrBadSignature))
	// Output: true
}

// Install from a mirror in the company's network, and only what the mirror
// does not have from the registry.
func ExampleSources() {
	srv, client := exampleRegistry()
	defer srv.Close()

	mirror, err := client.Mirror(srv.MirrorURL(), registry.MirrorOptions{})
	if err != nil {
		log.Fatal(err)
	}
	acme, err := cliconfig.ParsePattern("registry.example.org/acme/*")
	if err != nil {
		log.Fatal(err)
	}
	sources := registry.Sources{
		{Source: mirror, Include: []cliconfig.Pattern{acme}},
		{Source: client, Exclude: []cliconfig.Pattern{acme}},
	}
	pkg, err := sources.Package(context.Background(), addrs.MustParseProvider("registry.example.org/acme/null"),
		addrs.MustParseVersion("1.0.0"), addrs.MustParsePlatform("linux_amd64"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pkg.Origin)
	// Output: network mirror
}

// Take the credentials from where OpenTofu takes them, and from elsewhere if it has none.
func ExampleFirstOf() {
	cfg, err := cliconfig.Parse("credentials.tfrc.json",
		[]byte(`{"credentials": {"registry.example.org": {"token": "from a file"}}}`))
	if err != nil {
		log.Fatal(err)
	}
	client := registry.Client{
		Credentials: registry.FirstOf(registry.Tokens(cfg.Credentials), &registry.CredentialsHelper{Program: "/opt/bin/vault-token"}),
		// The registry's service is on another host, which may see the token.
		SendToken: func(host string, to *url.URL) bool {
			return host == "registry.example.org" && to.Scheme == "https" && to.Host == "api.example.org"
		},
	}
	token, err := client.Credentials.Token(context.Background(), "registry.example.org")
	fmt.Println(token, err)
	// Output: from a file <nil>
}

// Use the registries, the mirrors and the credentials of a CLI configuration.
func ExampleClient_Sources() {
	cfg, err := cliconfig.Parse("tofu.tfrc", []byte(`
		provider_installation {
		  network_mirror { url = "https://mirror.example.org/" }
		  direct { exclude = ["*/*/*"] }
		}`))
	if err != nil {
		log.Fatal(err)
	}
	var client registry.Client
	client.Configure(cfg)
	source, err := client.Sources(cfg)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(source.(registry.Sources)), "methods")
	// Output: 2 methods
}

// Find out where a module comes from.
func ExampleClient_ModuleLocation() {
	srv, client := exampleRegistry()
	defer srv.Close()

	ctx := context.Background()
	m, _ := registry.NewModule(addrs.MustParseModuleSource("registry.example.org/acme/network/test"))
	list, err := client.ModuleVersions(ctx, m)
	if err != nil {
		log.Fatal(err)
	}
	newest, _ := list.Newest(addrs.MustParseConstraints(">= 1.0"))
	loc, err := client.ModuleLocation(ctx, m, newest)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(newest, loc.Source)
	// Output: 1.2.0 git::https://git.example.com/network.git?ref=v1.2.0
}

// Tell people what went wrong, and when to try again.
func ExampleError() {
	srv, client := exampleRegistry()
	defer srv.Close()
	srv.Inject("versions-429")

	_, err := client.Versions(context.Background(), addrs.MustParseProvider("registry.example.org/acme/null"))
	var e *registry.Error
	if errors.As(err, &e) {
		fmt.Println(errors.Is(err, registry.ErrRateLimited), e.Status, e.RetryAfter)
		fmt.Println(strings.Join(e.Messages, "; "))
	}
	// Output:
	// true 429 1h0m0s
	// the registry says no
}
