// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planfile reads a saved plan, the file that "plan -out" of OpenTofu and Terraform writes,
// without the tool and without its providers.
//
//	file, err := planfile.Open(src, planfile.Options{})
//	if err != nil {
//		return err
//	}
//	plan, err := file.Plan(schemas) // as "providers schema -json" prints them
//	if err != nil {
//		return err
//	}
//	for _, c := range plan.ResourceChanges {
//		fmt.Println(c.Address, c.Change.Actions)
//	}
//
// [File.Plan] returns the [planjson.Plan] that "show -json" prints, and [File.JSON] its text. They
// read plans of OpenTofu 1.6 and later and of Terraform 1.1 and later. Members, their order and
// marks are those of the release that wrote the plan. For plans of Terraform releases after 1.11,
// the output is that of 1.11.
//
// [File.Header] returns data that "show -json" does not print: targets, the mode, the backend, the
// locked providers. [File.PriorState] and [File.PreviousState] return the states before planning,
// [File.Snapshot] and [File.Tree] the configuration, as files and as a tree of modules.
//
// This package does not write or apply plans.
//
// # Schemas
//
// A saved plan does not contain the types of values, nor which attributes are sensitive. Both are
// in the schemas of the providers, which depend only on the version of the provider: store the
// output of "providers schema -json" once and use it for all plans. Without schemas a secret would
// not be marked, so missing schemas are an error, a [MissingError] with the providers and their
// versions. [File.Partial] returns everything that is exact without them, and marks all other
// values as sensitive. OpenTofu 1.13 stores the schemas that are needed in the plan itself.
//
// The address of a provider includes its registry: registry.opentofu.org/x/y and
// registry.terraform.io/x/y are two providers.
//
// # What is refused
//
// This package refuses what both tools refuse, and a few things that no tool writes: duplicate
// entries, members or keys, bytes after a value, text that is not UTF-8, infinite numbers. It
// accepts unknown entries, fields and enumeration values, which a later release may write. It reads
// a plan that records a failed run, as the tools do: see [planjson.Judgeable].
//
// # Errors
//
// Every error is an [*Error] with the entry of the archive, the offset in it and the field. Errors
// of decryption are those of package statefile.
//
// # Security
//
// A saved plan holds secrets in clear text: in values, in states, in the backend's settings, in
// the configuration. [File.Plan] marks what the tool marks; package redact hides it.
//
// Input may come from anywhere. Bad input is an error, never a panic. Entries are unpacked only
// when they are needed. The unpacked size of an archive is limited to 64 MiB plus 100 times its
// size, three times the highest ratio seen in plans of the tools. Values nest at most 500 levels
// deep. Reading takes time and memory linear in the unpacked size; a length field beyond the end of
// its entry is an error before memory is allocated. Reading does not call functions of the
// configuration.
//
// # Concurrency
//
// A [File] may be used by several goroutines at the same time. It keeps the text that it was opened
// from, which must not be changed.
package planfile
