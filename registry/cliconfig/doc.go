// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package cliconfig reads the CLI configuration of OpenTofu and Terraform as people have it: which
// registries, mirrors and credentials a tool would use on this machine. It opens no connections and
// runs no programs.
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
//   - [ParsePattern] and [ParseHost] read what a configuration has in its strings.
//
// Client.Configure and Client.Sources of package registry apply a [Config]; package
// registry/ocimirror serves its OCI mirrors. This package does not write files.
//
// # Faults
//
// As in the tools, one bad setting loses itself and not the rest: it is in [Config.Faults], for
// the program to print. In one thing this package differs on purpose. With a fault in
// provider_installation, in a host block or in the syntax of a file, the tools go on and ask the
// public registry for what a mirror should have supplied. Here [Config.CheckSources], and
// with it everything that downloads, returns an error.
//
// # Errors
//
// Errors are of type *[Error], with the file and the place. The cause of a file that is too large
// or too deeply nested is [ErrLimit].
//
// # Security
//
// A file has at most 4 MiB, and nesting is bounded. Time and memory are linear in the size of the
// files. Errors and warnings quote names without control characters, and never a token or a
// password; a [Config] has both in clear text.
//
// # Concurrency
//
// All functions are safe for concurrent use by several goroutines. A Config must not be changed while
// others use it.
package cliconfig
