// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package tofuwire is the front page of a module that reads and writes the file formats
// and protocols of OpenTofu and Terraform as Go types, without losing a byte. It
// contains no code. Get the package you need:
//
//	go get github.com/tofuwire/tofuwire/planjson
//
// The packages are independent: importing one compiles only addrs, its parent package,
// and the few that CONTRIBUTING.md lists.
//
//   - [github.com/tofuwire/tofuwire/addrs]: addresses of modules, resources and
//     providers; references; versions and version constraints
//   - [github.com/tofuwire/tofuwire/planjson]: plans, states, configuration, provider
//     schemas and the other documents of "-json" commands. Below it: plandiff
//     (differences), redact (secrets), plangraph (references), planfile (saved plans),
//     statefile (the raw state)
//   - [github.com/tofuwire/tofuwire/uijson]: the message stream of a run with "-json".
//     Below it: uitrack (the progress and outcome of a run), uirun (running a tool)
//   - [github.com/tofuwire/tofuwire/hclconfig]: configuration in native and JSON
//     syntax. Below it: hcledit (edits and new files), hclnames (names and values),
//     hclfuncs (functions), hclcheck (validation), hcllint (linters), hcllsp (a
//     language server; a separate module), hclrename (renames), hclconvert (conversion
//     between the syntaxes), hclbridge (the types of HCL)
//   - [github.com/tofuwire/tofuwire/lockfile]: the dependency lock file
//   - [github.com/tofuwire/tofuwire/checksum]: the h1 and zh hashes of provider
//     packages
//   - [github.com/tofuwire/tofuwire/registry]: a client for provider and module
//     registries and mirrors. Below it: cliconfig (the CLI configuration), install
//     ("init" and "providers lock" as functions), registrytest (a registry for
//     tests), ocimirror (OCI registries; a separate module)
//
// # The law
//
// Encoding a decoded document gives the same bytes, for every input that decodes.
// Changing one field changes only the bytes of that field. Everything else stays:
// white space, the order of members, the spelling of numbers and strings, the
// difference between null and absent, comments, and members newer than this module.
// If a tool has a canonical form, a function called Canonical returns it.
//
// # Common rules
//
// A decoded value owns its input, which must not be changed afterwards. Clone
// detaches it. (Lock files and SHA256SUMS documents keep a copy.) Several goroutines
// may read a value, or one may change it. Errors are of type Error and include the
// place of the fault. Enumerations are open: an unknown value is kept. No package
// runs tofu, has global state, or panics on input. The file API.md has all the
// rules.
package tofuwire
