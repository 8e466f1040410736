// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package cliconfig reads the user's CLI configuration of OpenTofu and Terraform: which registries,
// mirrors and credentials a tool would use on this machine. It opens no connections and runs no
// programs.
//
//	cfg, err := cliconfig.Environment{}.Load()
//	if err != nil {
//		return err
//	}
//	for _, fault := range cfg.Faults {
//		fmt.Fprintln(os.Stderr, "warning:", fault)
//	}
//	var client registry.Client
//	client.Configure(cfg)
//	source, err := client.Sources(cfg)
//
// The entry points are:
//
//   - [Environment.Load] finds and merges all files and variables: .tofurc, .terraformrc,
//     credentials.tfrc.json, TF_CLI_CONFIG_FILE, TF_TOKEN_* and so on. [Environment.LoadFile]
//     reads one file instead.
//   - [Parse] reads the text of one file, native or in JSON.
//   - [ParsePattern] and [ParseHost] parse the patterns and host names in a
//     configuration.
//
// Client.Configure and Client.Sources of package registry apply a [Config]; package
// registry/ocimirror serves its OCI mirrors. This package does not write files.
//
// # Faults
//
// As in the tools, a bad setting does not invalidate the others: it is listed in
// [Config.Faults], for the program to print. This package deliberately differs in one respect.
// After a fault in provider_installation, in a host block or in the syntax of a file, the tools
// continue and ask the public registry for packages that a mirror should have supplied. Here
// [Config.CheckSources], and therefore everything that downloads, returns an error.
//
// # Errors
//
// Errors are of type *[Error], with the file and the place. The error for a file that is too
// large or too deeply nested wraps [ErrLimit].
//
// # Security
//
// Files are limited to 4 MiB, and nesting is bounded. Time and memory are linear in the size of
// the files. Errors and warnings quote names without control characters, and never a token or a
// password; a [Config] has both in clear text.
//
// # Concurrency
//
// All functions are safe for concurrent use by several goroutines. A Config must not be changed while
// others use it.
package cliconfig
