// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package install does what "tofu init", "tofu providers lock" and "tofu providers mirror" do,
// as calls: it selects versions of providers, finds their hashes for a lock file, installs them
// from a cache that many processes share, fetches modules, and makes mirrors.
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
//   - [Locker] finds the hashes of the selected packages for any number of platforms. It asks for
//     nothing that the lock file already has.
//   - [Installer] puts providers where the tools look for them, from a [Cache] if there is one.
//     [Verify] compares what is installed with the lock file.
//   - [UpdateLockFile] changes the lock file. No change of another process is lost.
//   - [Modules] fetches modules of registries and archives. The tools record in a [Manifest] where
//     the modules of a tree are.
//   - [Mirror] fills a filesystem or network mirror. [StaticRegistry] makes a registry for any web
//     server.
//
// Requirements come in as plain data; package hclconfig reads them from a configuration. Package
// registry asks and verifies, package checksum hashes, and package lockfile edits the lock file.
//
// # Errors
//
// Errors name the provider or the module, and where several things are wrong they
// have them all, see errors.Join. Causes of package registry are found in them with
// errors.Is.
//
// # Security
//
// What package registry says about trust holds here. In addition, a package without
// the plugin in it is an error, as in OpenTofu. Modules have neither hashes nor
// signatures: nothing vouches for them but TLS and their registry.
//
// # Concurrency
//
// The methods of [Locker], [Installer], [Cache], [Known], [Modules] and [Mirror] may be called
// from several goroutines. Several processes may share the directory of a Cache, a
// Known or a Mirror.
package install
