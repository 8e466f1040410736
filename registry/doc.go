// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package registry is a client for provider registries, module registries and provider mirrors.
// It finds, downloads, verifies and unpacks any provider for any platform, without tofu on the
// machine. It trusts no server.
//
//	var client registry.Client
//	null := addrs.MustParseProvider("hashicorp/null")
//	versions, err := client.Versions(ctx, null)
//	if err != nil {
//		return err
//	}
//	newest, ok := versions.Newest(addrs.MustParseConstraints("~> 3.2"))
//	if !ok {
//		return errors.New("no version is allowed")
//	}
//	pkg, err := client.Package(ctx, null, newest, addrs.MustParsePlatform("linux_amd64"))
//	if err != nil {
//		return err
//	}
//	result, err := client.Fetch(ctx, pkg, "null.zip")
//	if err != nil {
//		return err
//	}
//	fmt.Println(result.Describe())
//
// The entry points are:
//
//   - [Client.Versions] and [Client.Package] implement the provider registry protocol,
//     [Client.ModuleVersions] and [Client.ModuleLocation] the module registry protocol.
//   - A [NetworkMirror], a [FilesystemMirror], or several sources by the rules of
//     provider_installation ([Sources]) can replace the registry. Each is a [Source].
//   - [Client.Fetch] downloads and verifies a package. [Client.Install] also unpacks it. The
//     [Result] describes what was proven and which hashes may go in a lock file.
//   - [Client.Configure] and [Client.Sources] apply the CLI configuration of a tool, which package
//     cliconfig reads: credentials, hosts, mirrors.
//
// Package lockfile writes lock files, package install implements init, and package registrytest
// provides a registry for tests. This package sends no requests to OCI mirrors, but keeps the ones
// that a CLI configuration lists.
//
// # Trust
//
// A registry hands out packages, their checksums, the signatures of the checksums and the keys of
// the signatures. A valid signature proves only that they have one origin, not which. Two things
// protect against the registry itself: [Policy.Keys] pins keys from elsewhere, and
// [Result.CheckLocked] compares the package with a lock recorded earlier.
//
// By default this package refuses some things that OpenTofu accepts:
//
//   - keys and signatures that have expired or are from the future;
//   - URLs without TLS, and redirects that leave TLS;
//   - tokens sent to a host other than their own;
//   - two hashes for one file in a checksum document;
//   - hashes reported by a registry that the package does not have;
//   - waiting as long as a server asks.
//
// The comments of the methods describe where they are stricter. In one respect the package is
// more lenient: an unreadable key does not prevent the use of valid keys after it.
//
// # Errors
//
// Errors are of type *[Error]. They contain the provider or module, the request, the status, the
// place in the response, the server's message, and the delay before a retry. Use errors.Is to
// find causes such as [ErrNotFound] or [addrs.ErrMismatch].
//
// # Security
//
// [Limits] bounds the size of every response after decompression, the number of redirects, and
// the duration of each attempt. Text from a server never becomes a path or a command. Errors
// show such text without control characters, and URLs without user information and query values.
// Packages are unpacked next to their target and then renamed: a hostile archive leaves nothing
// behind. Most hostile archives are refused by their list of entries, before anything is
// written.
//
// The work is bounded as well. Keys that would take too long to verify are not used. The memory
// for cached responses is bounded. Downloads have a minimum speed and a maximum duration, so
// every call ends even if its context has no deadline. Each origin has its own slots for
// requests and downloads, so an unresponsive server delays no other.
//
// A token goes only to the origin of its host, unless [Client.Services] or [Client.SendToken] name
// others. A redirect to another origin drops it. Downloads are anonymous unless
// [Client.DownloadAuthorization] is set. [PublicOnly] keeps requests out of the caller's own
// network.
//
// # Concurrency
//
// All methods are safe for concurrent use by several goroutines. Concurrent calls for the same
// response share one request. Responses are cached for the life of the Client or for
// [Client.MaxAge], up to a bound. The fact that a host has no services is cached; other errors
// and the locations of modules are not. Canceling one call does not affect the others. Returned
// lists and Packages may be shared with other callers and must not be changed.
package registry
