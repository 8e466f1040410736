// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package registry is a client of provider registries, module registries and
// provider mirrors, which trusts none of them. With it a program can find,
// download, verify and unpack any provider for any platform, with no tofu on
// the machine.
//
// A [Client] asks registries; its zero value is ready to use. [Client.Versions]
// and [Client.Package] are the provider registry protocol,
// [Client.ModuleVersions] and [Client.ModuleLocation] the module registry
// protocol. A [NetworkMirror], a [FilesystemMirror], or several sources by
// the rules of provider_installation ([Sources]) can stand in for the
// registry: all are a [Source]. [Client.Fetch] downloads and verifies a
// package, [Client.Install] unpacks it, too. The [Result] says what was proven
// and which hashes may go in a lock file.
//
// The package writes no lock files (package lockfile does) and builds nothing
// on the answers of a module registry: to fetch a module by Git or the like is
// the caller's. OCI mirrors are read from the CLI configuration and kept, but not
// served: a careful client of OCI registries is a library of its own, larger than
// this one, and OpenTofu cannot lock from them either.
//
// [CLIEnvironment] finds and merges the CLI configuration that a tool has: .tofurc,
// .terraformrc, credentials.tfrc.json, TF_TOKEN_* and so on. [CLIConfig.Apply] and
// [CLIConfig.Sources] make a Client and a Source of it.
//
// # Trust
//
// A registry hands out packages, their checksums, the signatures of these and
// the keys of those. A good signature so proves that all came from one hand,
// not whose. [Policy.Keys] pins keys from elsewhere, and [Result.CheckLocked]
// compares with what a lock recorded earlier; these two protect from the
// registry itself. What OpenTofu accepts and this package does not, unless told
// so: keys and signatures that have expired or are from the future, URLs
// without TLS, redirects that leave TLS, tokens sent to another host than
// their own, two hashes for one file in a checksum document, hashes reported
// by a registry that the package does not have, and waiting as long as a
// server likes.
//
// The comments of the methods say where they are stricter. One thing is more
// lenient: a key that cannot be read does not hide the good ones after it.
//
// # Security
//
// Every answer is bounded in size, redirects in number, and each attempt in
// time, see [Limits]; sizes count after decompression. Nothing that a server
// says becomes a path or a command. Text of a server appears in errors only
// without control characters, and URLs appear without user information and
// query values. Packages are unpacked beside their target and then renamed: a
// hostile archive leaves nothing behind, and most are refused by their list of
// entries, before anything is written.
//
// The work is bounded as well. Keys that would take too long to verify are not
// used, answers are remembered by what they hold in memory, downloads need a
// least speed, and every call ends with its context. Requests and downloads have
// slots for each origin: a server that does not answer delays no other.
//
// A token goes to the origin of its host, and nowhere else unless
// [Client.SendToken] says so; a redirect to another origin loses it. Downloads
// are anonymous unless [Client.DownloadAuthorization] is set. [PublicOnly]
// keeps requests out of the caller's own network.
//
// # Errors
//
// Errors are of type *[Error], with the request, the status, the place in the
// answer, the server's own words, and when to try again. Their causes, such as
// [ErrNotFound] or [ErrChecksumMismatch], are found with errors.Is. They name the
// provider or module that was asked for.
//
// # Concurrency
//
// All methods may be called from several goroutines. Calls for the same answer
// share one request, and answers (not errors) are remembered as long as the
// Client lives, up to a bound: documents are not asked for twice, but for the
// locations of modules. A cancelled call does not disturb the others. Lists and
// Packages that are returned may be shared with other callers, and must not be
// changed.
//
// # Testing
//
// Package registrytest has a registry in memory that misbehaves on demand.
package registry
