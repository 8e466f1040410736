// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// exampleClient returns a client of a registry in memory, for the examples.
func exampleClient() (*registrytest.Server, *registry.Client) {
	platforms := []string{"linux_amd64", "darwin_arm64"}
	s, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{
		{Version: "1.0.0", Platforms: platforms}, {Version: "1.1.0", Platforms: platforms}, {Version: "2.0.0", Platforms: platforms},
	}}}})
	if err != nil {
		log.Fatal(err)
	}
	return s, s.Registry()
}

// Select the versions that a configuration wants, and see why none fits.
func ExampleResolve() {
	srv, client := exampleClient()
	defer srv.Close()
	null := addrs.MustParseProvider("registry.example.org/acme/null")
	required := []install.Requirement{
		{Provider: null, Constraints: addrs.MustParseConstraints("~> 1.0"), Place: "main.tf:4,5"},
		{Provider: null, Constraints: addrs.MustParseConstraints(">= 1.1"), Place: "network/main.tf:9,5"},
	}
	selections, err := install.Resolve(context.Background(), client, required, nil, install.Upgrade{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(selections[0].Version, selections[0].Reason)
	required[1].Constraints = addrs.MustParseConstraints(">= 2.1")
	_, err = install.Resolve(context.Background(), client, required, nil, install.Upgrade{})
	fmt.Println(err)
	// Output:
	// 1.1.0 newest
	// provider registry.example.org/acme/null: no version is allowed (main.tf:4,5 wants ~> 1.0; network/main.tf:9,5 wants >= 2.1.0); there are 3, the newest is 2.0.0
}

// Lock a provider for two platforms in a lock file.
func ExampleLocker() {
	srv, client := exampleClient()
	defer srv.Close()
	file := lockfile.New(".terraform.lock.hcl", addrs.OpenTofu)
	locker := &install.Locker{Client: client, Platforms: []addrs.Platform{addrs.MustParsePlatform("linux_amd64"), addrs.MustParsePlatform("darwin_arm64")}}
	selections := []install.Selection{{Provider: addrs.MustParseProvider("registry.example.org/acme/null"), Version: addrs.MustParseVersion("1.1.0")}}
	found, err := locker.Lock(context.Background(), selections, file.Locks())
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range found {
		if err := file.Set(p.Lock); err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.Lock.Provider, p.Lock.Version, len(p.Lock.Hashes), "hashes")
		for _, pkg := range p.Packages {
			fmt.Println(pkg.Platform, pkg.Result.Proof)
		}
	}
	// Output:
	// registry.example.org/acme/null 1.1.0 4 hashes
	// linux_amd64 signed
	// darwin_arm64 signed
}

// Find out whether a module is installed already.
func ExampleManifest_Find() {
	manifest := install.Manifest{
		{Key: "", Dir: "."},
		{Key: "vpc", Source: "registry.opentofu.org/terraform-aws-modules/vpc/aws", Version: "5.1.0", Dir: ".terraform/modules/vpc"},
	}
	source := addrs.MustParseModuleSource("terraform-aws-modules/vpc/aws")
	m, ok := manifest.Find("vpc", source, addrs.MustParseConstraints("~> 5.0"))
	fmt.Println(m.Dir, ok)
	_, ok = manifest.Find("vpc", source, addrs.MustParseConstraints("~> 6.0"))
	fmt.Println(ok)
	// Output:
	// .terraform/modules/vpc true
	// false
}

// Bring the lock file along after a bot changed version constraints, as "tofu init
// -upgrade" and "tofu providers lock" would for these providers only.
func ExampleUpdateLockFile() {
	srv, client := exampleClient()
	defer srv.Close()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	locker := &install.Locker{Client: client, Platforms: []addrs.Platform{addrs.MustParsePlatform("linux_amd64"), addrs.MustParsePlatform("darwin_arm64")}}
	for _, constraints := range []string{"1.0.0", "~> 1.1"} { // in main.tf, before and after
		required := []install.Requirement{{Provider: addrs.MustParseProvider("registry.example.org/acme/null"), Constraints: addrs.MustParseConstraints(constraints)}}
		changes, err := install.UpdateLockFile(context.Background(), filepath.Join(dir, lockfile.Name), addrs.OpenTofu, func(file *lockfile.File) error {
			locks := file.Locks()
			joined := map[addrs.Provider]addrs.Constraints{} // of all modules: a prerelease that one of them names is allowed
			for _, r := range required {
				joined[r.Provider] = addrs.JoinConstraints(joined[r.Provider], r.Constraints)
			}
			var upgrade install.Upgrade
			for p, constraints := range joined {
				if l, ok := locks.Get(p); ok && !constraints.Allows(l.Version) {
					upgrade.Providers = append(upgrade.Providers, p)
				}
			}
			selections, err := install.Resolve(context.Background(), client, required, locks, upgrade)
			if err != nil {
				return err
			}
			found, err := locker.Lock(context.Background(), selections, locks)
			if err != nil {
				return err
			}
			for _, p := range found {
				if err := file.Set(p.Lock); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			log.Fatal(err)
		}
		for _, c := range changes {
			fmt.Println(c.Provider, c.Kind, c.New.Version, len(c.New.Hashes), "hashes")
		}
	}
	// Output:
	// registry.example.org/acme/null added 1.0.0 4 hashes
	// registry.example.org/acme/null upgraded 1.1.0 4 hashes
}

// Bound the plugin cache of a CI runner: what no run has used for a month goes, and then the oldest packages beyond 20 GB.
func ExampleCache_Prune() {
	cache := &install.Cache{Dir: exampleCache("1.0.0", "1.1.0")} // 1.0.0 was used in 2020
	defer os.RemoveAll(cache.Dir)
	removed, err := cache.Prune(context.Background(), install.CacheLimit{Unused: 30 * 24 * time.Hour, Bytes: 20 << 30})
	if err != nil {
		log.Fatal(err)
	}
	for _, dir := range removed {
		rel, _ := filepath.Rel(cache.Dir, dir)
		fmt.Println(filepath.ToSlash(rel))
	}
	// Output:
	// registry.example.org/acme/null/1.0.0/linux_amd64
}

// exampleCache makes a cache with two versions of a package. The old one was used in 2020.
func exampleCache(old, current string) string {
	top, err := os.MkdirTemp("", "plugin-cache")
	for _, version := range []string{old, current} {
		dir := filepath.Join(top, "registry.example.org", "acme", "null", version, "linux_amd64")
		used := time.Now()
		if version == old {
			used = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		err = errors.Join(err, os.MkdirAll(dir, 0o755), os.WriteFile(dir+".json", nil, 0o644), os.Chtimes(dir+".json", used, used))
	}
	if err != nil {
		log.Fatal(err)
	}
	return top
}
