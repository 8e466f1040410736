// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// List the versions that a lock file selects, with the number of their hashes.
func Example_listLocks() {
	file, err := lockfile.Parse(lockfile.Name, lockText)
	if err != nil {
		log.Fatal(err)
	}
	for _, lock := range file.Locks() {
		fmt.Println(lock.Provider.ForDisplay(), lock.Version, len(lock.Hashes))
	}
	// Output:
	// acme/widget 1.10.0 8
	// oddfiles/odd 2.0.0 8
	// tf.example.test/acme/widget 1.10.0 8
	// tf.example.test:8443/acme/widget 10.0.0 8
}

// Lock the providers that a configuration and its modules require, for two platforms.
func Example_lockProviders() {
	ctx, client, name := context.Background(), demoClient(), lockFileName() // in your program: &registry.Client{}, filepath.Join(dir, lockfile.Name)
	tree, err := hclnames.LoadTree(demoConfiguration(), ".")                // in your program: os.DirFS(dir)
	if err != nil {
		log.Fatal(err)
	}
	for d := range hclcheck.Validate(tree, hclcheck.Validation{}).Errors() {
		log.Fatal(d) // an invalid constraint, for example, would be missing below
	}
	var required []install.Requirement
	for t := range tree.All() {
		for _, call := range t.Missing {
			log.Fatal("not installed, so its providers are not known: module ", call.Name)
		}
		for _, p := range t.Module.RequiredProviders() {
			required = append(required, install.Requirement{Provider: p.Provider, Constraints: p.Constraints, Place: t.Path()})
		}
	}
	locker := &install.Locker{Client: client, Platforms: []addrs.Platform{addrs.MustParsePlatform("linux_amd64"), addrs.MustParsePlatform("darwin_arm64")}}
	changes, err := install.UpdateLockFile(ctx, name, addrs.OpenTofu, func(file *lockfile.File) error {
		selections, err := install.Resolve(ctx, client, required, file.Locks(), install.Upgrade{})
		if err != nil {
			return err
		}
		found, err := locker.Lock(ctx, selections, file.Locks())
		if err != nil {
			return err
		}
		var locks []lockfile.Lock
		for _, p := range found {
			locks = append(locks, p.Lock)
		}
		return file.Set(locks...)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(changes)
	// Output: + registry.example.org/acme/demo 1.9.1 (~> 1.2), 4 hashes
}

// Check that a lock file has the hashes of every platform of the team.
func Example_checkPlatforms() {
	server, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{{
		Namespace: "acme", Type: "demo", Versions: []registrytest.Version{{Version: "1.2.0", Platforms: []string{"linux_amd64", "linux_arm64"}}},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	demo := addrs.MustParseProvider("registry.example.org/acme/demo")
	lock := lockfile.Lock{Provider: demo, Version: addrs.MustParseVersion("1.2.0"), // in your program: range file.Locks()
		Hashes: []lockfile.Hash{server.Package("acme", "demo", "1.2.0", "linux_amd64").H1}}
	locker := &install.Locker{
		Client:    server.Registry(), // in your program: &registry.Client{}
		Platforms: []addrs.Platform{addrs.MustParsePlatform("linux_amd64"), addrs.MustParsePlatform("linux_arm64")},
		Check:     true, // request all packages, even those that are locked
	}
	found, err := locker.Lock(context.Background(), []install.Selection{{Provider: demo, Version: lock.Version}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	var packages []lockfile.Package
	for _, p := range found[0].Packages { // Computed has the hashes of this package only; Hashes may include other platforms
		packages = append(packages, lockfile.Package{Platform: p.Platform, Hashes: p.Result.Computed})
	}
	coverage := lock.Coverage(packages...)
	fmt.Print(coverage)
	fmt.Println(coverage.IsComplete())
	// Output:
	// linux_amd64: h1 present, zh missing
	// linux_arm64: h1 missing, zh missing
	// false
}

// Raise the version of one provider in a lock file, and keep the comments.
func Example_setLockedVersion() {
	file, err := lockfile.Parse(lockfile.Name, []byte(`# By the platform team.
provider "registry.opentofu.org/hashicorp/null" {
  version = "3.2.3" # see OPS-12
  hashes = [
    "zh:59f6b52ab4ff35739647f9509ee6d93d7c032985d9f8c6237d1f8a59471bbbe2",
  ]
}
`))
	if err != nil {
		log.Fatal(err)
	}
	lock, _ := file.Locks().Get(addrs.MustParseProvider("hashicorp/null"))
	lock.Version = addrs.MustParseVersion("3.2.4")
	lock.Hashes = []lockfile.Hash{"h1:L5V05xwp/Gto1leRryuesxjMfgZwjb7oool4WS1UEFQ="} // package registry/install finds them
	if err := file.Set(lock); err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(file.Bytes()))
	// Output:
	// # By the platform team.
	// provider "registry.opentofu.org/hashicorp/null" {
	//   version = "3.2.4" # see OPS-12
	//   hashes = [
	//     "h1:L5V05xwp/Gto1leRryuesxjMfgZwjb7oool4WS1UEFQ=",
	//   ]
	// }
}

// Move the lock of a provider to another source, and keep its version.
func Example_moveLockToProvider() {
	file, err := lockfile.Parse(lockfile.Name, []byte(`provider "registry.opentofu.org/hashicorp/null" {
  version     = "3.2.3"
  constraints = "~> 3.2"
  hashes = [
    "h1:L5V05xwp/Gto1leRryuesxjMfgZwjb7oool4WS1UEFQ=",
  ]
}
`)) // in your program: lockfile.Load
	if err != nil {
		log.Fatal(err)
	}
	for from, to := range map[string]string{"hashicorp/null": "acme/null", "registry.terraform.io/hashicorp/null": "registry.terraform.io/acme/null"} {
		// Comments stay. The hashes go: init installs this version of the new provider, and adds its hashes.
		if _, err := file.ReplaceProvider(addrs.MustParseProvider(from), addrs.MustParseProvider(to)); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Print(string(file.Bytes())) // file.Save writes it
	// Output:
	// provider "registry.opentofu.org/acme/null" {
	//   version     = "3.2.3"
	//   constraints = "~> 3.2"
	// }
}

// Write a lock file in the tool's own form, under the lock of install.UpdateLockFile.
func Example_formatLockFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, lockfile.Name)
	if err := os.WriteFile(name, []byte("provider \"registry.opentofu.org/hashicorp/null\" {\n version=\"3.2.3\"\n}\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	release, err := install.LockFile(context.Background(), name+".lock")
	if err != nil {
		log.Fatal(err)
	}
	defer release()
	file, err := lockfile.Load(name)
	if err != nil {
		log.Fatal(err) // a file with errors is not saved
	}
	formatted, err := lockfile.Parse(name, file.Canonical(addrs.OpenTofu)) // without comments; hcledit.Format keeps them
	if err != nil {
		log.Fatal(err)
	}
	if err := formatted.Save(lockfile.SaveOptions{Overwrite: true}); err != nil { // the text on disk differs, and was loaded under the lock
		log.Fatal(err)
	}
	fmt.Print(string(formatted.Bytes()))
	// Output:
	// # This file is maintained automatically by "tofu init".
	// # Manual edits may be lost in future updates.
	//
	// provider "registry.opentofu.org/hashicorp/null" {
	//   version = "3.2.3"
	// }
}

// Compute the hashes of a provider package.
func Example_hashPackage() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "terraform-provider-demo_1.0.0_linux_amd64.zip")
	zip := registrytest.MakeZip(registrytest.File{Name: "terraform-provider-demo_v1.0.0", Content: "#!"})
	if err := os.WriteFile(name, zip, 0o600); err != nil {
		log.Fatal(err)
	}
	pkg, err := checksum.HashZip(context.Background(), name)
	if err != nil {
		log.Fatal(err)
	}
	for _, hash := range pkg.Hashes() {
		fmt.Println(strings.SplitN(string(hash), ":", 2)[0], len(hash))
	}
	// Output:
	// h1 47
	// zh 67
}

// Find the newest version of a provider that a constraint allows.
func Example_findNewestVersion() {
	server, err := registrytest.NewServer(registrytest.Content{Providers: []registrytest.Provider{{
		Namespace: "acme", Type: "demo", Versions: []registrytest.Version{{Version: "1.2.0"}, {Version: "1.9.1"}, {Version: "2.0.0"}},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	client := server.Registry() // in your program: &registry.Client{}
	versions, err := client.Versions(context.Background(), addrs.MustParseProvider("registry.example.org/acme/demo"))
	if err != nil {
		log.Fatal(err)
	}
	newest, ok := versions.Newest(addrs.MustParseConstraints("~> 1.2"))
	fmt.Println(newest, ok)
	// Output: 1.9.1 true
}
