// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/lockfile"
)

// Add the hash of another platform to a lock file that somebody has commented.
// Only one line is new; all others stay.
func ExampleFile_AddHashes_platform() {
	src := []byte(`# Reviewed by the platform team.
provider "registry.opentofu.org/hashicorp/null" {
  version = "3.2.4"
  hashes = [
    "h1:L5V05xwp/Gto1leRryuesxjMfgZwjb7oool4WS1UEFQ=", # linux_amd64, CI
    "zh:59f6b52ab4ff35739647f9509ee6d93d7c032985d9f8c6237d1f8a59471bbbe2",
  ]
}
`)
	f, err := lockfile.Parse(".terraform.lock.hcl", src)
	if err != nil {
		log.Fatal(err)
	}
	null := addrs.MustParseProvider("hashicorp/null")
	arm64 := lockfile.Hash("h1:+FfGFJoJvBqoxRpYbz3Qf3HSjBBUMBqJGJGGNkYW8Ss=")
	if err := f.AddHashes(null, arm64); err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(f.Bytes()))
	// Output:
	// # Reviewed by the platform team.
	// provider "registry.opentofu.org/hashicorp/null" {
	//   version = "3.2.4"
	//   hashes = [
	//     "h1:+FfGFJoJvBqoxRpYbz3Qf3HSjBBUMBqJGJGGNkYW8Ss=",
	//     "h1:L5V05xwp/Gto1leRryuesxjMfgZwjb7oool4WS1UEFQ=", # linux_amd64, CI
	//     "zh:59f6b52ab4ff35739647f9509ee6d93d7c032985d9f8c6237d1f8a59471bbbe2",
	//   ]
	// }
}

// Resolve a merge conflict: two branches ran "tofu init" on different machines
// and upgraded different providers.
func ExampleResolve_mergeConflict() {
	src := []byte(`provider "registry.opentofu.org/hashicorp/null" {
  version = "3.2.4"
  hashes = [
<<<<<<< HEAD
    "h1:from-linux",
=======
    "h1:from-mac",
>>>>>>> topic
    "zh:0000",
  ]
}

provider "registry.opentofu.org/hashicorp/random" {
<<<<<<< HEAD
  version = "3.8.0"
=======
  version = "3.8.1"
>>>>>>> topic
}
`)
	f, conflicts, err := lockfile.Resolve(".terraform.lock.hcl", src)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range conflicts {
		fmt.Println("conflict:", c)
	}
	fmt.Println(f.Block(addrs.MustParseProvider("hashicorp/null")).Text())
	// Output:
	// conflict: registry.opentofu.org/hashicorp/random: ours has version 3.8.0, theirs version 3.8.1
	// provider "registry.opentofu.org/hashicorp/null" {
	//   version = "3.2.4"
	//   hashes = [
	//     "h1:from-linux",
	//     "h1:from-mac",
	//     "zh:0000",
	//   ]
	// }
}

// Fail a pull request that drops a hash of a version that stays, so that some
// platform can no longer install it.
func ExampleDiff_lostHash() {
	load := func(text string) lockfile.Locks {
		f, err := lockfile.Parse(".terraform.lock.hcl", []byte(text))
		if err != nil {
			log.Fatal(err)
		}
		return f.Locks()
	}
	before := load(`provider "registry.opentofu.org/hashicorp/null" {
  version = "3.2.4"
  hashes  = ["h1:linux", "h1:mac"]
}
`)
	after := load(`provider "registry.opentofu.org/hashicorp/null" {
  version = "3.2.4"
  hashes  = ["h1:linux", "h1:windows"]
}
`)
	changes := lockfile.Diff(before, after)
	fmt.Print(changes)
	for _, c := range changes.Lost() {
		fmt.Printf("FAIL: %s %s lost %v\n", c.Provider.Type(), c.New.Version, c.Lost)
	}
	// Output:
	// ~ registry.opentofu.org/hashicorp/null 3.2.4
	//     + h1:windows
	//     - h1:mac
	// FAIL: null 3.2.4 lost [h1:mac]
}

// Verify a plugin cache directory against a lock file, offline. A provider that
// cannot be verified is not silently fine.
func ExampleLock_Verify_pluginCache() {
	cache, err := os.MkdirTemp("", "plugin-cache")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(cache)
	const platform = "linux_amd64"
	for _, name := range []string{
		"registry.opentofu.org/hashicorp/null/3.2.4/" + platform + "/a.txt",
		"registry.opentofu.org/hashicorp/random/3.8.1/" + platform + "/a.txt",
		"registry.opentofu.org/hashicorp/tls/4.1.0/" + platform + "/a.txt",
	} {
		name = filepath.Join(cache, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte("hello\n"), 0o644)); err != nil {
			log.Fatal(err)
		}
	}

	f, err := lockfile.Parse(".terraform.lock.hcl", []byte(`
provider "registry.opentofu.org/hashicorp/null" {
  version = "3.2.4"
  hashes  = ["h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk="]
}
provider "registry.opentofu.org/hashicorp/random" {
  version = "3.8.1"
  hashes  = ["h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
}
provider "registry.opentofu.org/hashicorp/time" {
  version = "0.13.0"
}
provider "registry.opentofu.org/hashicorp/tls" {
  version = "4.1.0"
  hashes  = ["zh:7e9a81c1d77ffe5ff461b1ea5abc67edb1484b2faec703c29cf2638e962f78a6"]
}
`))
	if err != nil {
		log.Fatal(err)
	}
	for _, lock := range f.Locks() {
		dir := filepath.Join(cache, filepath.FromSlash(lock.Provider.String()), lock.Version.String(), platform)
		pkg, err := checksum.HashDir(context.Background(), dir)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Println(lock.Provider.Type()+":", "not in the cache")
			continue
		}
		if err != nil {
			log.Fatal(err)
		}
		v := lock.Verify(pkg.Computed()...)
		fmt.Println(lock.Provider.Type()+":", v.Verdict)
	}
	// Output:
	// null: match
	// random: mismatch
	// time: not in the cache
	// tls: not verifiable
}

// Say why the next "tofu init" would rewrite a file that somebody edited, and
// what it would make of it.
func ExampleFile_Rewrites() {
	f, err := lockfile.Parse(".terraform.lock.hcl", []byte(`provider "registry.opentofu.org/hashicorp/null" {
  version = "3.2.4"
  hashes  = ["zh:0000", "h1:mac"]
}
`))
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range f.Rewrites() {
		fmt.Println(d)
	}
	fmt.Print(string(f.Canonical(addrs.OpenTofu)))
	// Output:
	// .terraform.lock.hcl:3,13-34: hash order: The hashes of registry.opentofu.org/hashicorp/null are not sorted.
	// # This file is maintained automatically by "tofu init".
	// # Manual edits may be lost in future updates.
	//
	// provider "registry.opentofu.org/hashicorp/null" {
	//   version = "3.2.4"
	//   hashes = [
	//     "h1:mac",
	//     "zh:0000",
	//   ]
	// }
}

// Change a lock file on disk, as a bot does. If somebody else changed it
// meanwhile, Save fails with ErrChanged, and the bot begins again.
func ExampleFile_Save() {
	dir, err := os.MkdirTemp("", "module")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, lockfile.Name)

	f, err := lockfile.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = lockfile.New(path, addrs.OpenTofu), nil
	}
	if err != nil {
		log.Fatal(err)
	}
	err = f.Set(lockfile.Lock{
		Provider: addrs.MustParseProvider("hashicorp/null"),
		Version:  addrs.MustParseVersion("3.2.4"),
		Hashes:   []lockfile.Hash{"h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk="},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := f.Save(lockfile.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
	saved, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(saved))
	// Output:
	// # This file is maintained automatically by "tofu init".
	// # Manual edits may be lost in future updates.
	//
	// provider "registry.opentofu.org/hashicorp/null" {
	//   version = "3.2.4"
	//   hashes = [
	//     "h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk=",
	//   ]
	// }
}

// Report everything that tofu would complain about, with places, in a linter.
func ExampleParse_diagnostics() {
	f, err := lockfile.Parse(".terraform.lock.hcl", []byte(`provider "registry.opentofu.org/hashicorp/null" {
  version     = "3.2"
  constraints = "~>3.2"
  hashes      = ["deadbeef"]
}
`))
	fmt.Println(err)
	for _, d := range f.Diagnostics() {
		fmt.Println(d.Subject, d.Summary)
	}
	// Output:
	// lockfile: .terraform.lock.hcl:2,17: invalid provider version number: the version of registry.opentofu.org/hashicorp/null must be written in normal form, which is "3.2.0" (and 2 more errors)
	// .terraform.lock.hcl:2,17-22 Invalid provider version number
	// .terraform.lock.hcl:3,17-24 Invalid provider version constraints
	// .terraform.lock.hcl:4,17-29 Invalid provider hash string
}

// Upgrade a provider as "tofu init -upgrade" does: select the version, then
// record the hashes of its packages.
func ExampleLock_Installed_upgrade() {
	f, err := lockfile.Parse(".terraform.lock.hcl", []byte(`provider "registry.opentofu.org/hashicorp/null" {
  version     = "3.1.0"
  constraints = "~> 3.1"
  hashes = [
    "h1:old",
  ]
}
`))
	if err != nil {
		log.Fatal(err)
	}
	lock := f.Block(addrs.MustParseProvider("hashicorp/null")).Lock()
	allowed := addrs.MustParseConstraints("~> 3.2")
	available := []addrs.Version{addrs.MustParseVersion("3.1.0"), addrs.MustParseVersion("3.2.4"), addrs.MustParseVersion("4.0.0")}
	version, err := lockfile.Select(&lock, allowed, available, true)
	if err != nil {
		log.Fatal(err)
	}
	lock, err = lock.Installed(lockfile.Install{
		Version:     version,
		Constraints: allowed,
		Package:     []lockfile.Hash{"h1:computed", "zh:linux"},
		Signed:      []lockfile.Hash{"zh:linux", "zh:mac"},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := f.Set(lock); err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(f.Bytes()))
	// Output:
	// provider "registry.opentofu.org/hashicorp/null" {
	//   version     = "3.2.4"
	//   constraints = "~> 3.2"
	//   hashes = [
	//     "h1:computed",
	//     "zh:linux",
	//     "zh:mac",
	//   ]
	// }
}

// See which platforms a lock covers, given what the registry knows.
func ExampleLock_Coverage() {
	lock := lockfile.Lock{Hashes: []lockfile.Hash{"h1:linux", "zh:linux", "zh:mac"}}
	fmt.Print(lock.Coverage(
		lockfile.Package{Platform: addrs.MustParsePlatform("linux_amd64"), Hashes: []lockfile.Hash{"h1:linux", "zh:linux"}},
		lockfile.Package{Platform: addrs.MustParsePlatform("darwin_arm64"), Hashes: []lockfile.Hash{"h1:mac", "zh:mac"}},
	))
	// Output:
	// darwin_arm64: h1 missing, zh present
	// linux_amd64: h1 present, zh present
}

// Point to the version of a lock, and keep the reason why somebody pinned it.
func ExampleBlock_RangeOf() {
	f, err := lockfile.Parse(".terraform.lock.hcl", []byte(`# Pinned until the proxy is replaced.
provider "registry.opentofu.org/hashicorp/null" {
  version = "3.2.3" # 3.2.4 needs TLS 1.3
}
`))
	if err != nil {
		log.Fatal(err)
	}
	b := f.Block(addrs.MustParseProvider("hashicorp/null"))
	fmt.Println(b.RangeOf("version"))
	for _, c := range append(b.LeadComments(), b.Comments()...) {
		fmt.Println(c.Range, c.Text)
	}
	// Output:
	// .terraform.lock.hcl:3,13-20
	// .terraform.lock.hcl:3,21-42 # 3.2.4 needs TLS 1.3
}
