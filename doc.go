// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package tofuwire is the front page of a module that reads and writes the
// file and wire formats of OpenTofu and Terraform: typed, fast, and without
// losing a byte. It has no code of its own; take the package you need.
//
//   - [github.com/tofuwire/tofuwire/addrs]: addresses of modules, resources,
//     providers and so on; versions and version constraints
//   - [github.com/tofuwire/tofuwire/planjson]: plans, states, configuration,
//     provider schemas and the other documents of "-json" commands
//   - [github.com/tofuwire/tofuwire/uijson]: the message stream of a run with
//     "-json"; below it is uitrack, which follows a run
//   - [github.com/tofuwire/tofuwire/lockfile]: the dependency lock file
//   - [github.com/tofuwire/tofuwire/checksum]: the h1 and zh hashes of provider
//     packages
//   - [github.com/tofuwire/tofuwire/registry]: a client for provider and module
//     registries and mirrors
//   - [github.com/tofuwire/tofuwire/hclconfig]: configuration in native and in
//     JSON syntax
//
// The packages are independent: they share addrs, and who imports one of them
// compiles nothing of the others.
//
// # The law
//
// Encoding what was decoded gives the same bytes, for every input that a
// decoder accepts; changing one field changes the bytes of that field and no
// others. White space, the order of members, the spelling of numbers and
// strings, null against absent, members that are newer than this module, and
// comments stay. Where a tool has a canonical form, a function called
// Canonical gives it.
//
// # Common rules
//
// A decoded value owns its input, which must not be changed afterwards; Clone
// detaches it. (Lock files and SHA256SUMS documents keep a copy.) Values are read
// by any number of goroutines at once, or changed by one. Errors are of the
// package's type Error, with the place of the fault. Enumerations are open: a
// value that this module does not know is kept. No package runs tofu, has global
// state, or panics on input. The file API.md has all the rules.
package tofuwire
