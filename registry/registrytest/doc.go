// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package registrytest provides a provider and module registry for tests. It also serves a
// network mirror, and uses TLS on a loopback address.
//
//	server := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{
//		Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.2.0"}},
//	}}})
//	client := server.Registry()
//
// [Start] starts a registry for a test, [NewServer] one for any other program. The server
// generates packages and signs them with a generated key. [Server.Client] trusts the server and
// finds it under every host name, so a test can use addresses such as
// registry.opentofu.org/acme/null without leaving the machine. Another process needs
// [Server.Host] and [Server.CertificatePEM].
//
// [Server.Inject] makes the server misbehave in one of many named ways, each a [Fault]: garbage,
// lies, attacks, and responses that crash OpenTofu 1.12. [Server.Requests] lists the requests.
//
// [Lint] is for authors of registries. It sends a running registry the requests that
// OpenTofu sends, and reports every violation of the protocol.
//
// # Security
//
// The package is meant for tests. It builds small packages in memory and does not protect
// against its callers.
package registrytest
