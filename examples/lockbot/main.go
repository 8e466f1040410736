// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Lockbot keeps lock files complete: in every root module below a directory it adds the hashes of the
// providers for all platforms that the team uses, as "tofu providers lock" does, without tofu.
//
//	lockbot [-platform OS_ARCH]... DIR
//
// It installs nothing and runs nothing. Exit status: 0 all is done, 1 something could not be locked.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/registry/install"
)

func main() {
	var platforms []addrs.Platform
	flag.Func("platform", "a `platform` such as linux_amd64; may be repeated", func(s string) error {
		p, err := addrs.ParsePlatform(s)
		platforms = append(platforms, p)
		return err
	})
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), flag.Arg(0), platforms); err != nil {
		fmt.Fprintln(os.Stderr, "lockbot:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, platforms []addrs.Platform) error {
	// The mirrors, hosts and credentials that the tools would use on this machine, .tofurc and so on.
	config, err := cliconfig.Environment{}.Load()
	if err != nil {
		return err
	}
	client := &registry.Client{UserAgent: "lockbot"}
	client.Configure(config)
	source, err := client.Sources(config)
	if err != nil {
		return err
	}
	locker := &install.Locker{Client: client, Source: source, Platforms: platforms}

	// A directory with a lock file is a root module. What cannot be locked does not stop the others.
	var failed []error
	repository := os.DirFS(dir)
	err = fs.WalkDir(repository, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".terraform" {
			return fs.SkipDir // modules that were installed
		}
		if d.Name() == lockfile.Name {
			if err := lock(ctx, locker, source, repository, dir, path.Dir(name)); err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", path.Dir(name), err))
			}
		}
		return nil
	})
	return errors.Join(append(failed, err)...)
}

// lock completes the lock file of one root module, in the folder root of the repository.
func lock(ctx context.Context, locker *install.Locker, source registry.Source, repository fs.FS, dir, root string) error {
	required, err := requirements(repository, root)
	if err != nil {
		return err
	}
	name := filepath.Join(dir, filepath.FromSlash(root), lockfile.Name)
	// UpdateLockFile waits for other processes, keeps comments, and replaces the file in one step.
	changes, err := install.UpdateLockFile(ctx, name, addrs.OpenTofu, func(file *lockfile.File) error {
		// Versions that are locked stay: an upgrade would be install.Upgrade{All: true}.
		selections, err := install.Resolve(ctx, source, required, file.Locks(), install.Upgrade{})
		if err != nil {
			return err
		}
		// Each package is downloaded, verified and hashed, and not kept.
		found, err := locker.Lock(ctx, selections, file.Locks())
		if err != nil {
			return err
		}
		locks := slices.Collect(func(yield func(lockfile.Lock) bool) {
			for _, p := range found {
				if !yield(p.Lock) {
					return
				}
			}
		})
		return file.Set(locks...)
	})
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d locks changed\n%s", root, len(changes), changes)
	return nil
}

// requirements returns the providers that a root module and the modules that it calls require.
func requirements(repository fs.FS, root string) (required []install.Requirement, err error) {
	tree, err := hclnames.LoadTree(repository, root)
	if err != nil {
		return nil, err
	}
	for module := range tree.All() {
		// Faults of a file are no error of LoadTree; what could not be read would be missing here.
		for d := range module.Module.Diagnostics().Errors() {
			return nil, fmt.Errorf("%s", d)
		}
		for _, call := range module.Missing {
			return nil, fmt.Errorf("module %q is not installed, so its providers are not known", call.Name)
		}
		for _, p := range module.Module.RequiredProviders() {
			required = append(required, install.Requirement{Provider: p.Provider, Constraints: p.Constraints, Place: module.Path()})
		}
	}
	return required, nil
}
