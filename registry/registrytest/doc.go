// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package registrytest is a provider and module registry for tests, with a
// network mirror, on a loopback address with TLS.
//
// [Start] starts one for a test, and [NewServer] one for anything else, with
// generated packages that are signed by a generated key.
// [Server.Client] is a client that trusts it and finds it under every host
// name, so that a test can use addresses such as
// registry.opentofu.org/acme/null without leaving the machine. A program that
// runs apart is given [Server.Host] and [Server.CertificatePEM].
//
// [Server.Inject] makes the server misbehave in one of many named ways, the
// [Fault]s: garbage, lies, attacks, and answers that crash OpenTofu 1.12.
// [Server.Requests] tells what was asked.
//
// [Lint] is for authors of registries: it asks a running registry what OpenTofu
// would ask and reports everything that does not follow the protocol.
//
// The package is for tests. It makes small packages in memory and does not
// guard against its callers.
package registrytest
