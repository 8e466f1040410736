// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package ocimirror makes OCI registries a source of provider packages, as the
// installation method oci_mirror of OpenTofu 1.10 and later does, and pushes packages
// there.
//
// A [Mirror] is a registry.Source: package registry downloads and verifies what it
// names, and packages registry/install locks and installs it. [Sources] is what
// CLIConfig.Sources of package registry is, with the oci_mirror blocks served.
// [Mirror.Push] puts packages of any origin where OpenTofu finds them.
//
// A version is a tag, with "_" in place of "+". The tag names an index manifest with
// one image manifest a platform, whose layer of media type archive/zip is the package;
// see https://opentofu.org/docs/cli/oci_registries/provider-mirror/.
//
// The package is a module of its own, so that nobody else gets its dependencies.
//
// # Security
//
// Manifests and packages have the digests that the registry names, so a package is
// what the tag said when it was asked. Who may push decides what that is: there are no
// signatures. Credentials go only to the host that they are for.
//
// # Errors
//
// Errors are of type *registry.Error, with the provider and the repository. What an OCI
// registry says wrongly is registry.ErrBadResponse.
package ocimirror
