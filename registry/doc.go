// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package registry is a client of provider registries, module registries and provider mirrors.
// It trusts none of them. With it, a program can find, download, verify and unpack any provider
// for any platform, without tofu on the machine.
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
//   - [Client.Versions] and [Client.Package] are the provider registry protocol,
//     [Client.ModuleVersions] and [Client.ModuleLocation] the module registry protocol.
//   - A [NetworkMirror], a [FilesystemMirror], or several sources by the rules of
//     provider_installation ([Sources]) can replace the registry. Each is a [Source].
//   - [Client.Fetch] downloads and verifies a package. [Client.Install] also unpacks it. The
//     [Result] says what was proven and which hashes may go in a lock file.
//   - [Client.Configure] and [Client.Sources] apply the CLI configuration of a tool, which package
//     cliconfig reads: credentials, hosts, mirrors.
//
// Package lockfile writes lock files, package install does the work of init, and package
// registrytest has a registry for tests. OCI mirrors are read from the CLI configuration and kept;
// this package sends them no requests.
//
// # Trust
//
// A registry hands out packages, their checksums, the signatures of the checksums and the keys of
// the signatures. A valid signature proves only that they have one origin, not which. Two things
// protect from the registry itself: [Policy.Keys] pins keys from elsewhere, and
// [Result.CheckLocked] compares with what a lock recorded earlier.
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
// The comments of the methods say where they are stricter. In one way the package is more
// lenient: a key that cannot be read does not hide the good ones after it.
//
// # Errors
//
// Errors are of type *[Error]. They have the provider or module, the request, the status, the
// place in the answer, the server's own words, and the time until a retry. Use errors.Is to find
// causes such as [ErrNotFound] or [addrs.ErrMismatch].
//
// # Security
//
// [Limits] bounds the size of every answer after decompression, the number of redirects, and the
// time of each attempt. No text of a server becomes a path or a command. Errors show text of a
// server without control characters, and URLs without user information and query values.
// Packages are unpacked next to their target and then renamed: a hostile archive leaves nothing
// behind. Most hostile archives are refused by their list of entries, before anything is
// written.
//
// The work is bounded as well. Keys that would take too long to verify are not used. The memory
// for remembered answers is bounded. Downloads need a minimum speed and have a maximum time, so
// that every call ends, also if its context has no deadline. Each origin has its own slots for
// requests and downloads: a server that does not answer delays no other.
//
// A token goes only to the origin of its host, unless [Client.Services] or [Client.SendToken] name
// others. A redirect to another origin drops it. Downloads are anonymous unless
// [Client.DownloadAuthorization] is set. [PublicOnly] keeps requests out of the caller's own
// network.
//
// # Concurrency
//
// All methods are safe for concurrent use by several goroutines. Calls for the same answer share
// one request. Answers are remembered for the life of the Client or for [Client.MaxAge], up to
// a bound. That a host has no services is an answer; other errors and the locations of modules
// are not remembered. A cancelled call does not disturb the others. Returned lists and Packages
// may be shared with other callers and must not be changed.
package registry
