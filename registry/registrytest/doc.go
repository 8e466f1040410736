// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package registrytest is a provider and module registry for tests, with a network mirror, on a
// loopback address with TLS.
//
//	server := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{
//		Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.2.0"}},
//	}}})
//	client := server.Registry()
//
// [Start] starts a registry for a test, and [NewServer] one for other programs. Packages are
// generated and signed with a generated key. [Server.Client] trusts the server and finds it under
// every host name, so a test can use addresses such as registry.opentofu.org/acme/null without
// leaving the machine. Another process needs [Server.Host] and [Server.CertificatePEM].
//
// [Server.Inject] makes the server misbehave in one of many named ways, the [Fault]s: garbage,
// lies, attacks, and answers that crash OpenTofu 1.12. [Server.Requests] lists the requests.
//
// [Lint] is for authors of registries. It sends the requests of OpenTofu to a running
// registry and reports everything that does not follow the protocol.
//
// # Security
//
// The package is for tests. It makes small packages in memory and does not guard against its
// callers.
package registrytest
