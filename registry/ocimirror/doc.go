// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package ocimirror makes OCI registries a source of provider packages, like the
// installation method oci_mirror of OpenTofu 1.10 and later, and pushes packages to
// them.
//
//	mirror := &ocimirror.Mirror{Template: "registry.example.com/tofu/${namespace}-${type}"}
//	random := addrs.MustParseProvider("hashicorp/random")
//	pkg, err := mirror.Package(ctx, random, addrs.MustParseVersion("3.7.2"), addrs.CurrentPlatform())
//	if err != nil {
//		return err
//	}
//	_, err = client.Fetch(ctx, pkg, "random.zip") // client is a *registry.Client
//
// The entry points are:
//
//   - A [Mirror] is a registry.Source: package registry downloads and verifies its packages,
//     and package registry/install locks and installs them.
//   - [Sources] is like Client.Sources of package registry, and also serves oci_mirror
//     blocks. [LoadCredentials] finds the credentials that OpenTofu would use.
//   - [Mirror.Push] pushes packages from any source to where OpenTofu looks for them.
//
// A version is a tag, with "_" in place of "+". The tag names an index manifest with one
// image manifest for each platform, whose layer of media type archive/zip is the package;
// see https://opentofu.org/docs/cli/oci_registries/provider-mirror/.
//
// The package is a separate module, so other users do not get its dependencies. It does
// not unpack or verify packages.
//
// # Errors
//
// Errors are of type *registry.Error, with the provider and the repository. The error
// for an invalid response of an OCI registry wraps registry.ErrBadResponse.
//
// # Security
//
// Manifests and packages are verified against the digests that the registry reports, so a
// package is the one to which the tag pointed at the time of the request. There are no
// signatures: anyone with permission to push can change the tag. Credentials go only to their
// own host and, as the protocol requires, to the token server named by this host. A token
// server at an internal address is accepted only if it has the host name of the registry, or
// if the registry is at an internal address as well. Redirects must use TLS. The package runs
// a credentials helper if the configuration names one.
//
// # Concurrency
//
// The functions, and the methods of a [Mirror], are safe for concurrent use by several
// goroutines. A Mirror must not be changed after its first use.
package ocimirror
