// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package ocimirror makes OCI registries a source of provider packages, like the
// installation method oci_mirror of OpenTofu 1.10 and later, and pushes packages to
// them.
//
// A [Mirror] is a registry.Source: package registry downloads and verifies its
// packages, and package registry/install locks and installs them. [Sources] is
// like CLIConfig.Sources of package registry, and also serves oci_mirror blocks.
// [Mirror.Push] pushes packages of any origin to the place where OpenTofu finds
// them.
//
// A version is a tag, with "_" in place of "+". The tag names an index manifest with
// one image manifest a platform, whose layer of media type archive/zip is the package;
// see https://opentofu.org/docs/cli/oci_registries/provider-mirror/.
//
// The package is a module of its own, so other users do not get its
// dependencies.
//
// # Security
//
// Manifests and packages have the digests that the registry names, so a package is the
// one that the tag named at the time of the request. There are no signatures: anyone
// who may push decides what the tag names. Credentials go only to their own host.
//
// # Errors
//
// Errors are of type *registry.Error, with the provider and the repository. An invalid
// answer of an OCI registry gives registry.ErrBadResponse.
package ocimirror
