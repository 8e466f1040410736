// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package install implements "tofu init", "tofu providers lock" and "tofu providers mirror"
// as functions. It selects versions of providers, finds their hashes for a lock file,
// installs them from a cache that many processes share, fetches modules, and makes mirrors.
//
//	selections, err := install.Resolve(ctx, client, required, file.Locks(), install.Upgrade{})
//	if err != nil {
//		return err
//	}
//	locker := &install.Locker{Client: client, Platforms: platforms}
//	found, err := locker.Lock(ctx, selections, file.Locks())
//	if err != nil {
//		return err
//	}
//	for _, p := range found {
//		if err := file.Set(p.Lock); err != nil {
//			return err
//		}
//	}
//
// The entry points are:
//
//   - [Resolve] selects a version of each required provider, from the constraints of all modules
//     and from the lock file.
//   - [Locker] finds the hashes of the selected packages for any number of platforms. It requests
//     nothing that the lock file already contains.
//   - [Installer] puts providers where the tools look for them, from a [Cache] if there is one.
//     [Verify] compares the installed providers with the lock file.
//   - [Locker.Plan] lists the work to do, and [Watch] returns the progress of a call as an
//     iterator of events.
//   - [UpdateLockFile] changes the lock file without losing a change of another process.
//   - [Modules] fetches modules from registries and archives. A [Manifest] is the file in which
//     the tools record where the modules of a tree are.
//   - [Mirror] fills a filesystem or network mirror. [StaticRegistry] makes a registry for any web
//     server.
//
// Requirements are plain data; package hclconfig reads them from a configuration. Package
// registry downloads and verifies, package checksum hashes, and package lockfile edits the lock
// file.
//
// Providers and modules are below .terraform in the directory of the root module. If
// TF_DATA_DIR names another data directory, pass a directory whose .terraform is a
// link to it.
//
// # Errors
//
// Errors name the provider or the module. If several things fail, the error joins
// all failures (see errors.Join). Use errors.Is to find causes from package
// registry.
//
// # Security
//
// The trust model of package registry applies. In addition, a package without the
// plugin in it is an error, as in OpenTofu. A package in a Cache is hashed before it is
// used; Cache.Stamps skips this for packages that have not changed since; the
// documentation of [Cache] explains what it then trusts. Modules have neither hashes
// nor signatures: only TLS and their registry vouch for them.
//
// # Concurrency
//
// The methods of Locker, Installer, Cache, Known, Modules, Mirror and StaticRegistry are safe
// for concurrent use by several goroutines. Several processes may share the directory of a
// Cache, a Known, a Mirror or a StaticRegistry.
package install
